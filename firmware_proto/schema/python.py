"""Writes messages.py: enums, limits and one frozen dataclass a message."""

from __future__ import annotations

import re
import struct
import textwrap
from typing import Final

from firmware_proto.schema.read import EnumType, Field, MessageType, Schema

WIDTH: Final = 120

HEAD: Final = '''"""Messages of the dealing-table wire. Written from schema/table.toml by firmware_proto.generate.

Source: PROTOCOL.md, section Messages. Numbers are little-endian. A payload longer than known is read up to its known
length; a shorter one is filled with defaults from the first incomplete field on; neither is an error.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar, Final

from firmware_proto.errors import BadMessage

'''

TAIL: Final = '''

@dataclass(frozen=True, slots=True)
class Unknown:
    """A message of a later schema. It is delivered, never an error."""

    type: int
    payload: bytes

    def pack(self) -> bytes:
        """The payload as it came."""
        return self.payload


'''

CODEC: Final = '''

def decode(type_number: int, payload: bytes) -> Message:
    """The message in a frame. Total: every type and payload gives a message."""
    known = TYPES.get(type_number)
    return Unknown(type_number, payload) if known is None else known.unpack(payload)


def encode(message: Message) -> tuple[int, bytes]:
    """Type number and payload of a message. Raises BadMessage for a value that does not fit its field."""
    if isinstance(message, Unknown):
        return message.type, message.payload
    return message.TYPE, message.pack()


def _fit(payload: bytes, ends: tuple[int, ...], default: bytes) -> bytes:
    """Cut a longer payload, fill a shorter one with defaults from its first incomplete field on."""
    whole = max((end for end in ends if end <= len(payload)), default=0)
    return payload[:whole] + default[whole:]


def _misfit(message: str, cause: struct.error) -> BadMessage:
    """The error for a number that struct refuses. The value is not told: it may be a secret."""
    return BadMessage(message, f"holds a number that does not fit its field ({cause})")
'''


def _constant(name: str) -> str:
    return "_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


def _annotation(field: Field) -> str:
    if field.base == "bytes":
        return "bytes"
    if field.base == "text":
        return "str"
    if field.enum:
        return field.enum
    return f"tuple[{', '.join(['int'] * field.count)}]" if field.many else "int"


def _packed(field: Field) -> str:
    if field.base == "text":
        return f"self.{field.name}.encode()"
    return f"*self.{field.name}" if field.many and field.base != "bytes" else f"self.{field.name}"


def _unpacked(field: Field) -> str:
    if field.base == "text":
        return f'{field.name}.rstrip(b"\\0").decode(errors="replace")'
    if field.enum:
        return f"{field.enum}({field.name})"
    if field.many and field.base != "bytes":
        return f"({', '.join(f'{field.name}_{i}' for i in range(field.count))})"
    return field.name


def _targets(field: Field) -> str:
    if field.many and field.base not in {"bytes", "text"}:
        return ", ".join(f"{field.name}_{i}" for i in range(field.count))
    return field.name


def _literal(field: Field) -> str:
    if field.base == "text":
        return '""'
    if field.base == "bytes":
        return f"bytes({field.count})"
    return f"{field.enum}.UNKNOWN" if field.enum else str(field.default)


def default_bytes(message: MessageType) -> bytes:
    """Payload of a message with every field at its default."""
    parts = []
    for field in message.fields:
        if field.base in {"bytes", "text"}:
            parts.append(bytes(field.count))
        else:
            parts.append(struct.pack("<" + field.format, *[field.default] * field.count))
    return b"".join(parts)


def _write_enum(enum: EnumType) -> list[str]:
    doc = f"{enum.doc} A number that is not listed reads as UNKNOWN."
    lines = ["", "", f"class {enum.name}(IntEnum):", f'    """{doc}"""', ""]
    for value in enum.values:
        lines += [f"    {value.name} = {value.value}", f'    """{value.doc}"""']
    lines += ["", "    @classmethod"]
    lines += [f"    def _missing_(cls, value: object) -> {enum.name}:", "        return cls.UNKNOWN"]
    return lines


def _write_checks(message: MessageType) -> list[str]:
    checks = []
    for field in message.fields:
        if field.base == "bytes":
            checks += [
                f"        if len(self.{field.name}) != {field.count}:",
                f'            raise BadMessage("{message.name}", "needs {field.count} bytes of {field.name}")',
            ]
        if field.base == "text":
            checks += [
                f"        if len(self.{field.name}.encode()) > {field.count}:",
                f'            raise BadMessage("{message.name}", "has a longer {field.name} than {field.count} bytes")',
            ]
    return ["", "    def __post_init__(self) -> None:", *checks] if checks else []


def _wrapped(head: str, body: str, tail: str) -> list[str]:
    """`head body tail` on one line, or the body on lines of its own where that is too long."""
    if len(head + body + tail) <= WIDTH:
        return [head + body + tail]
    indent = " " * (len(head) - len(head.lstrip()))
    lines = textwrap.wrap(body, WIDTH, initial_indent=indent + "    ", subsequent_indent=indent + "    ")
    return [head, *lines, indent + tail]


def _default(field: Field) -> str:
    """The right side of a field's line in its class."""
    if field.secret:
        return f" = field(default={_literal(field)}, repr=False)" if field.optional else " = field(repr=False)"
    return f" = {_literal(field)}" if field.optional else ""


def _write_message(message: MessageType) -> list[str]:
    constant = _constant(message.name)
    ends, at = [], 0
    for field in message.fields:
        at += field.size
        ends.append(at)
    tail = "," if len(ends) == 1 else ""
    lines = [
        "",
        "",
        f'{constant}: Final = struct.Struct("<{"".join(field.format for field in message.fields)}")',
        f"{constant}_ENDS: Final = ({', '.join(map(str, ends))}{tail})",
        f'{constant}_DEFAULT: Final = bytes.fromhex("{default_bytes(message).hex()}")',
        "",
        "",
        "@dataclass(frozen=True, slots=True)",
        f"class {message.name}:",
        f'    """{message.doc}"""',
        "",
        f"    TYPE: ClassVar[int] = 0x{message.id:02X}",
    ]
    for field in message.fields:
        lines.append(f"    {field.name}: {_annotation(field)}{_default(field)}")
        doc = field.doc + (f" ({field.code})" if field.code else "")
        if doc:
            lines.append(f'    """{doc.strip()}"""')
    lines += _write_checks(message)
    packed = ", ".join(_packed(field) for field in message.fields)
    targets = ", ".join(_targets(field) for field in message.fields)
    lines += [
        "",
        "    def pack(self) -> bytes:",
        '        """Payload bytes. Raises BadMessage."""',
        "        try:",
        *_wrapped(f"            return {constant}.pack(", packed, ")"),
        "        except struct.error as cause:",
        f'            raise _misfit("{message.name}", cause) from None',
        "",
        "    @classmethod",
        f"    def unpack(cls, payload: bytes) -> {message.name}:",
        '        """The message in these payload bytes; any length is read."""',
        f"        if len(payload) != {message.size}:",
        f"            payload = _fit(payload, {constant}_ENDS, {constant}_DEFAULT)",
        *_wrapped("        (", targets + ("" if "," in targets else ","), f") = {constant}.unpack(payload)"),
        *_wrapped("        return cls(", ", ".join(_unpacked(field) for field in message.fields), ")"),
    ]
    return lines


def write_messages(schema: Schema) -> str:
    """The text of messages.py."""
    lines = [
        f"PROTOCOL_VERSION: Final = {schema.version}",
        f"SCHEMA_HASH: Final = 0x{schema.hash:08X}",
        '"""32 bits over names, numbers, types and defaults of all messages and enums."""',
    ]
    for limit in schema.limits:
        lines += [f"{limit.name}: Final = {limit.value}", f'"""{limit.doc}"""']
    for enum in schema.enums:
        lines += _write_enum(enum)
    for message in schema.messages:
        lines += _write_message(message)
    body = HEAD + "\n".join(lines) + TAIL
    groups = {"Command": "command", "Event": "event", "Answer": "answer"}
    for union, kind in groups.items():
        members = [m.name for m in schema.messages if m.kind == kind]
        body += "\n".join(_wrapped(f"{union} = (", " | ".join(members), ")")) + "\n"
    rest = [m.name for m in schema.messages if m.kind in {"link", "telemetry"}]
    body += f"Known = {' | '.join(rest)} | Command | Answer | Event\nMessage = Known | Unknown\n\n"
    body += "TYPES: Final[Mapping[int, type[Known]]] = {\n"
    body += "".join(f"    0x{m.id:02X}: {m.name},\n" for m in schema.messages) + "}\n"
    body += '"""Message number -> class."""\n'
    return body + CODEC
