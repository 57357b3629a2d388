"""Settings of the controller: one TOML file, checked whole before anything starts.

`python -m dealer.settings` prints docs/settings.md, which is made from this tree. Any setting may also come from
the environment: `DEALER_HOME`, `DEALER_API__PORT`. Unknown names are refused with the nearest known one.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import sys
import tomllib
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from platformdirs import user_config_path, user_data_path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from dealer.errors import SettingsError
from engine.cards import PLAY_ORDER, Seat

APP: Final = "dealer"
TABLE_ID: Final = r"^[A-Za-z0-9][A-Za-z0-9_]{0,15}$"
"""No dash: an alert is quoted as TABLE-RECORD. Also a folder name."""

_STRICT: Final = ConfigDict(extra="forbid", frozen=True, validate_default=True)


def _default_data_dir() -> Path:
    return Path(os.environ.get("DEALER_HOME") or user_data_path(APP))


def _default_key_file() -> Path:
    return user_config_path(APP) / "seal.key"


def default_file() -> Path:
    """Where settings are read from when no file is named."""
    return user_config_path(APP) / "dealer.toml"


def _loopback(host: str) -> str:
    if host == "localhost":
        return host
    try:
        loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise ValueError("only this machine can be served until TLS and accounts exist; use 127.0.0.1")
    return host


class ApiSettings(BaseModel):
    """Where people and programs reach this controller."""

    model_config = _STRICT

    host: Annotated[str, AfterValidator(_loopback)] = Field(
        default="127.0.0.1", description="address to listen on; this machine only"
    )
    port: int = Field(default=8765, ge=0, le=65535, description="port to listen on; 0: any free one")


class LinkSettings(BaseModel):
    """The line to a dealing table."""

    model_config = _STRICT

    baud_bps: int = Field(default=115_200, ge=9_600, le=3_000_000, description="speed of a serial line, bits a second")
    retry_first_s: float = Field(
        default=0.1, ge=0.01, le=10, description="wait before a lost line is opened again; doubles"
    )
    retry_longest_s: float = Field(default=1.0, ge=0.1, le=60, description="longest of these waits")
    answer_s: float = Field(
        default=5.0, ge=0.5, le=60, description="longest wait for the machine's answer to a command"
    )
    stall_s: float = Field(
        default=10.0, ge=2, le=120, description="a dealing machine without an event for this long has stalled"
    )


class VisionSettings(BaseModel):
    """The camera above a table."""

    model_config = _STRICT

    settle_s: float = Field(
        default=0.3, ge=0.1, le=2, description="cards must lie still for this long before they are read"
    )


class TableSettings(BaseModel):
    """One table."""

    model_config = _STRICT

    id: str = Field(pattern=TABLE_ID, description="short name that people quote, as `3` or `A1`")
    serial: str | None = Field(
        default=None,
        min_length=1,
        description="machine: a stable path as /dev/serial/by-id/..., or socket://HOST:PORT; none: dealt by hand",
    )
    camera: str | None = Field(
        default=None, min_length=1, description="camera: number, file, folder or http address; none: nobody watches"
    )
    rulebook: str = Field(
        default="competitive-2022", description="rulebook id (`dealer rules list`), or path of a regulation"
    )
    play_order: tuple[Seat, Seat, Seat, Seat] = Field(default=PLAY_ORDER, description="seats in order of play")
    alert_reach: Literal["referee_only", "referee_hold", "table_display"] = Field(
        default="referee_hold",
        description="how far an alert reaches: referees; referees who may hold the table; the table's display",
    )
    deals: int = Field(
        default=0, ge=0, le=100_000, description="deals to deal without being asked; 0: each is asked for"
    )

    @field_validator("play_order")
    @classmethod
    def _each_seat_once(cls, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
        if len(set(order)) != len(order):
            raise ValueError("name each of S E N W once")
        return order


class Settings(BaseSettings):
    """Everything that a controller can be told."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, validate_default=True, env_prefix="DEALER_", env_nested_delimiter="__"
    )

    data_dir: Path = Field(
        default_factory=_default_data_dir,
        description="folder of records and pictures; default: DEALER_HOME or the user's data folder",
    )
    key_file: Path = Field(
        default_factory=_default_key_file,
        description="key that seals unseen cards; outside data_dir, mode 0600, made when absent",
    )
    tables: Sequence[TableSettings] = Field(default=(), description="the tables of this controller")
    api: ApiSettings = Field(default=ApiSettings(), description="people and programs")
    link: LinkSettings = Field(default=LinkSettings(), description="lines to the machines")
    vision: VisionSettings = Field(default=VisionSettings(), description="cameras")

    @model_validator(mode="after")
    def _consistent(self) -> Settings:
        for what, values in (
            ("id", [table.id.casefold() for table in self.tables]),
            ("serial", [table.serial for table in self.tables if table.serial is not None]),
        ):
            if twice := [value for value in values if values.count(value) > 1]:
                raise ValueError(f"tables: two tables have the {what} {twice[0]!r}; give each its own")
        if self.key_file.resolve().is_relative_to(self.data_dir.resolve()):
            raise ValueError(
                "key_file: lies inside data_dir; keep it elsewhere, or a copied folder opens its own seals"
            )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is passed in: `load_settings` merges file and environment, code that builds settings is exact."""
        return (init_settings,)


def load_settings(file: Path | None = None) -> Settings:
    """Settings from a TOML file and the environment, which wins. Blocking. Raises SettingsError.

    Without `file` the user's own file is read if there is one.
    """
    source = file or default_file()
    try:
        given = tomllib.loads(source.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if file is not None:
            raise SettingsError(str(file), "no such file", "name a TOML file (docs/settings.md)") from None
        given = {}
    except OSError as error:
        raise SettingsError(str(source), f"cannot be read ({error.strerror})", "name a readable file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(str(source), f"not TOML ({error})", "mend that line") from error
    try:
        environment = EnvSettingsSource(Settings)()
        return Settings(**_merged(given, environment))
    except ValidationError as error:
        raise _explain(error) from error
    except ValueError as error:  # the environment holds JSON that cannot be read
        raise SettingsError("environment", str(error).splitlines()[0], "mend or unset the DEALER_ variable") from error


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:  # TOML values
    both = dict(below)
    for key, value in above.items():
        old = both.get(key)
        both[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return both


def _explain(error: ValidationError) -> SettingsError:
    """The first thing wrong, as one line with its remedy."""
    first = error.errors(include_url=False)[0]
    place = first["loc"]
    key = ".".join(str(part) for part in place) or "file"
    if first["type"] == "extra_forbidden":
        known = list(_model_at(place[:-1]).model_fields)
        near = difflib.get_close_matches(str(place[-1]), known, 1, 0.5)
        remedy = f"did you mean {near[0]}?" if near else f"known here: {' '.join(known)}"
        return SettingsError(key, "unknown setting", remedy)
    wrong = " ".join(first["msg"].removeprefix("Value error, ").split())
    wrong, _, remedy = wrong.partition("; ")
    if not place and ": " in wrong:
        key, wrong = wrong.split(": ", 1)
    given = "" if first["type"] in {"missing", "value_error"} else f"{first['input']!r}: "
    return SettingsError(key, given + wrong, remedy or "see docs/settings.md")


def _model_at(place: tuple[int | str, ...]) -> type[BaseModel]:
    """The model whose field an unknown key was looked for in."""
    model: type[BaseModel] = Settings
    for part in place:
        if isinstance(part, str) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation) or model
    return model


def _model_in(hint: Any) -> type[BaseModel] | None:  # a type or a generic alias
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return hint
    return next((model for inner in typing.get_args(hint) if (model := _model_in(inner)) is not None), None)


def settings_page() -> str:
    """docs/settings.md."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Settings"
    yield ""
    yield "Made by `python -m dealer.settings`; a test fails when this page is stale."
    yield ""
    yield "`dealer serve` reads one TOML file: `--config FILE`, or `dealer.toml` in the user's configuration folder."
    yield "Any setting may also come from the environment, which wins: `DEALER_DATA_DIR`, `DEALER_API__PORT=9000`."
    yield "`DEALER_HOME` moves the data folder. Unknown names are refused."
    yield ""
    yield "```toml"
    yield "[api]"
    yield "port = 8765"
    yield ""
    yield "[[tables]]"
    yield 'id = "1"'
    yield 'serial = "/dev/serial/by-id/usb-table-1"'
    yield 'camera = "0"'
    yield "```"
    yield from _section("Top level", Settings)
    yield from _section("`[[tables]]`, one a table", TableSettings)
    yield from _section("`[api]`", ApiSettings)
    yield from _section("`[link]`", LinkSettings)
    yield from _section("`[vision]`", VisionSettings)


def _section(title: str, model: type[BaseModel]) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    yield (model.__doc__ or "").splitlines()[0]
    yield ""
    yield "| setting | default | meaning |"
    yield "|---|---|---|"
    for name, field in model.model_fields.items():
        if _model_in(field.annotation) is None:
            yield f"| `{name}` | {_default_words(field)} | {field.description}{_range_words(field)} |"


def _default_words(field: FieldInfo) -> str:
    if field.is_required():
        return "(must be given)"
    if field.default_factory is not None:
        return "(see meaning)"
    value = field.default
    if isinstance(value, tuple):
        return f"`{[seat.value for seat in value]}`".replace("'", '"')
    return "none" if value is None else f"`{value}`"


def _range_words(field: FieldInfo) -> str:
    limits = [f"{limit}".partition("(")[2].rstrip(")") for limit in field.metadata]
    bounds = dict(limit.split("=", 1) for limit in limits if limit.startswith(("ge=", "le=")))
    if "ge" in bounds and "le" in bounds:
        return f" ({bounds['ge']} to {bounds['le']})"
    choices = typing.get_args(field.annotation) if typing.get_origin(field.annotation) is Literal else ()
    return f" (one of {' '.join(f'`{choice}`' for choice in choices)})" if choices else ""


if __name__ == "__main__":
    sys.stdout.write(settings_page())
