"""Rulebooks as a person names them: a published id, or the path of an event's regulation (a TOML file)."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any, Final

from dealer.errors import BadInput
from dealer.text_file import read_text
from engine.regulation import build_regulation, is_regulation_id
from engine.rulebook import BadRulebook, Rulebook, UnknownRulebook
from engine.rulebook_data import known_rulebooks, load_rulebook, packaged_layers
from engine.rulebook_points import NOT_REGULATED

MOST_BYTES: Final = 1024 * 1024
"""A regulation is a few pages."""


def rulebook_of(id_or_path: str) -> Rulebook:
    """The published rulebook with this id, or the regulation in this file. A published id wins over a file so named.

    A relative path is sought from the working folder. Raises BadInput, which names the value, or the file and the key.
    """
    if id_or_path in known_rulebooks():
        return load_rulebook(id_or_path)
    if not is_regulation_path(id_or_path):
        unknown = UnknownRulebook(id_or_path, known_rulebooks())
        raise BadInput(str(unknown), "or give the path of a regulation, as event.toml")
    path = Path(id_or_path)
    try:
        return build_regulation(_read(path), packaged_layers)
    except BadRulebook as error:
        raise BadInput(f"{path}: {error.wrong}", error.remedy) from error


def is_regulation_path(text: str) -> bool:
    """Whether `text` is to be read as a file: no published id, and it ends in .toml or is a file."""
    return text not in known_rulebooks() and (text.endswith(".toml") or _is_file(text))


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name; a NUL in it
        return False


def _read(path: Path) -> dict[str, Any]:  # a parsed TOML file
    text = read_text(path, MOST_BYTES, "give a regulation's file")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: is not TOML ({error})", "mend that place") from error
    except RecursionError as error:
        raise BadInput(f"{path}: cannot be read (nested too deeply)", "write each value as a plain list") from error
    except ValueError as error:  # the only one that the parser lets through: digits beyond what Python converts
        raise BadInput(f"{path}: cannot be read (a number has too many digits)", "write a smaller one") from error


def write_template(path: Path, extends: str) -> Rulebook:
    """Write a new regulation that changes nothing yet and shows how to; returns what it holds.

    Its id is the file's name without .toml, blanks as `-`. Raises BadInput, and then has written nothing, for an
    unknown `extends`, a name that makes no id, and a file that is already there.
    """
    try:
        parent = load_rulebook(extends)
    except UnknownRulebook as error:
        raise BadInput(f"--extends: {error}") from error
    name = "-".join(path.name.removesuffix(".toml").split())
    if not path.name.endswith(".toml") or not is_regulation_id(name) or name in known_rulebooks():
        raise BadInput(f"{path}: makes no id of an event", "name it as spring-cup.toml")
    text = template(name, parent)
    try:
        _write_new(path, text)
    except FileExistsError as error:
        raise BadInput(f"{path}: is already there", "choose another name") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"{path}: cannot be written ({reason})", "choose another place") from error
    return rulebook_of(str(path))


def _write_new(path: Path, text: str) -> None:
    """Write beside and rename, so that a full disk or a lost process leaves no half of a file under the name."""
    if os.path.lexists(path):
        raise FileExistsError(path)
    beside = path.with_name(f".new-{os.getpid()}.part")  # short: the name itself may fill what the disk allows
    try:
        with beside.open("x", encoding="utf-8") as file:
            file.write(text)
        beside.rename(path)
    finally:
        beside.unlink(missing_ok=True)


def template(name: str, parent: Rulebook) -> str:
    """A regulation `name` as TOML that loads as it is; every point stands in a comment with the value of `parent`."""
    points = "\n".join(f"#   {point} = {as_toml(parent, point)}" for point in parent.points())
    return f"""\
# A regulation 比赛规程: what this event settles otherwise than the rulebook that it extends.
# Check it with `dealer rules show` and the name of this file.
id = {json.dumps(name, ensure_ascii=False)}
extends = {json.dumps(parent.id)}
title_en = {json.dumps(name, ensure_ascii=False)}
title_zh = {json.dumps(name, ensure_ascii=False)}

# For each point that the event changes write a table like this one, without the # signs: the value, what the
# regulation says in both languages, and who approved it. All four are needed.
#
# [overrides.play_s]
# value = 30
# text_zh = "每手牌限时三十秒。"
# text_en = "Thirty seconds for each play."
# approver = "Chief referee, name"
#
# All points, with the values of {parent.id}; they are explained in docs/rules.md.
# {json.dumps(NOT_REGULATED)} says that a point is not regulated.
#
{points}
"""


def as_toml(book: Rulebook, point: str) -> str:
    """The value of a point as a regulation's file would write it."""
    value = book.points()[point]
    if value is None:
        return json.dumps(NOT_REGULATED)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {number}" for key, number in value.items()) + " }"
    if point == "match_points" and book.match_points is not None:
        win, draw, loss = book.match_points
        value = [win, -1 if draw is None else draw, loss]  # a file has no other word for "there is no draw"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False)
