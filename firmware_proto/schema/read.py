"""Reads and checks the schema file."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from typing import Any, Final, Literal

from firmware_proto.errors import BadSchema

Kind = Literal["link", "command", "answer", "event", "telemetry"]
KINDS: Final = ("link", "command", "answer", "event", "telemetry")
SIZES: Final = {"u8": 1, "u16": 2, "u32": 4}
LETTERS: Final = {"u8": "B", "u16": "H", "u32": "I"}


@dataclass(frozen=True, slots=True)
class Value:
    """One number of an enum."""

    name: str
    value: int
    doc: str


@dataclass(frozen=True, slots=True)
class EnumType:
    """A named set of numbers of one byte; UNKNOWN = 0 is always there."""

    name: str
    doc: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message. `base` is u8 u16 u32 bytes text; `count` its length, 1 for a plain number.

    `optional` fields were appended and may be left out when building; `secret` ones stay out of repr.
    """

    name: str
    base: str
    count: int
    many: bool
    enum: str | None
    code: str | None
    default: int
    optional: bool
    secret: bool
    doc: str

    @property
    def size(self) -> int:
        """Bytes on the wire."""
        return SIZES.get(self.base, 1) * self.count

    @property
    def format(self) -> str:
        """The struct format of this field."""
        if self.base in {"bytes", "text"}:
            return f"{self.count}s"
        return f"{self.count}{LETTERS[self.base]}" if self.many else LETTERS[self.base]

    @property
    def type_text(self) -> str:
        """The type as the schema writes it."""
        return f"{self.base}:{self.count}" if self.many else self.base


@dataclass(frozen=True, slots=True)
class MessageType:
    """One message."""

    name: str
    id: int
    kind: Kind
    doc: str
    fields: tuple[Field, ...]

    @property
    def size(self) -> int:
        return sum(field.size for field in self.fields)


@dataclass(frozen=True, slots=True)
class Limit:
    """A number that both sides have to know."""

    name: str
    value: int
    doc: str


@dataclass(frozen=True, slots=True)
class Schema:
    """The whole schema. `hash` is 32 bits over everything that changes bytes (not over the words)."""

    title: str
    version: int
    limits: tuple[Limit, ...]
    enums: tuple[EnumType, ...]
    messages: tuple[MessageType, ...]
    hash: int


# Values that come out of tomllib are Any; each is checked or converted here, so nothing untyped leaves this module.
def read_schema(text: str) -> Schema:
    """The schema written in `text`. Raises BadSchema naming the first contradiction."""
    raw = tomllib.loads(text)
    limits = tuple(Limit(name, int(row["value"]), str(row["doc"])) for name, row in raw["limits"].items())
    enums = tuple(_enum(name, row) for name, row in raw["enums"].items())
    messages = tuple(_message(row) for row in raw["messages"])
    schema = Schema(
        str(raw["protocol"]["title"]), int(raw["protocol"]["version"]), limits, enums, messages, _hash(enums, messages)
    )
    _check(schema)
    return schema


def _enum(name: str, row: dict[str, Any]) -> EnumType:  # Any: a TOML table
    values = tuple(Value(str(v["name"]), int(v["value"]), str(v["doc"])) for v in row["values"])
    unknown = Value("UNKNOWN", 0, "a value that the receiver does not know")
    return EnumType(name, str(row["doc"]), (unknown, *values))


def _message(row: dict[str, Any]) -> MessageType:  # Any: a TOML table
    kind: Kind = row["kind"]
    if kind not in KINDS:
        raise BadSchema(f"{row['name']}: {kind!r} is not a kind; use one of {', '.join(KINDS)}")
    return MessageType(
        str(row["name"]), int(row["id"]), kind, str(row["doc"]), tuple(_field(field) for field in row["fields"])
    )


def _field(row: dict[str, Any]) -> Field:  # Any: a TOML table
    base, _, count = str(row["type"]).partition(":")
    if base not in SIZES and base not in {"bytes", "text"}:
        raise BadSchema(f"{row['name']}: {row['type']!r} is not a field type")
    return Field(
        name=str(row["name"]),
        base=base,
        count=int(count or "1"),
        many=bool(count),
        enum=row.get("enum"),
        code=row.get("code"),
        default=int(row.get("default", 0)),
        optional=bool(row.get("optional", False)),
        secret=bool(row.get("secret", False)),
        doc=str(row.get("doc", "")),
    )


def _check(schema: Schema) -> None:
    """Raise BadSchema where two parts contradict each other."""
    names = {enum.name for enum in schema.enums}
    limits = {limit.name: limit.value for limit in schema.limits}
    ids: dict[int, str] = {}
    for message in schema.messages:
        if message.id in ids:
            raise BadSchema(f"{message.name} and {ids[message.id]} have the same number {message.id:#04x}")
        ids[message.id] = message.name
        if not 1 <= message.id <= 255 or (message.kind == "telemetry") != (message.id >= limits["UNRELIABLE_TYPE"]):
            raise BadSchema(f"{message.name}: number {message.id:#04x} does not suit kind {message.kind}")
        if message.size > limits["MAX_PAYLOAD"]:
            raise BadSchema(f"{message.name}: {message.size} bytes do not fit a frame")
        seen_optional = False
        for field in message.fields:
            if (field.enum or field.code or next(iter(names))) not in names:
                raise BadSchema(f"{message.name}.{field.name}: unknown enum {field.enum or field.code}")
            if seen_optional and not field.optional:
                raise BadSchema(f"{message.name}.{field.name}: follows an optional field")
            seen_optional = field.optional
    for enum in schema.enums:
        if len({v.value for v in enum.values} | {v.name for v in enum.values}) != 2 * len(enum.values):
            raise BadSchema(f"{enum.name}: a name or number stands twice")
        if any(not 0 <= v.value <= 255 for v in enum.values):
            raise BadSchema(f"{enum.name}: a number does not fit one byte")


def _hash(enums: tuple[EnumType, ...], messages: tuple[MessageType, ...]) -> int:
    content = {
        "enums": {enum.name: {value.name: value.value for value in enum.values} for enum in enums},
        "messages": {
            m.name: [m.id, m.kind, [[f.name, f.type_text, f.enum, f.default] for f in m.fields]] for m in messages
        },
    }
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    return int.from_bytes(hashlib.sha256(canonical).digest()[:4], "little")
