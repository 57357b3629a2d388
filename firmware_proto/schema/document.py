"""Writes PROTOCOL.md: rules, worked examples and the byte table of every message."""

from __future__ import annotations

from firmware_proto.frame import Flag, Frame, encode_frame
from firmware_proto.messages import SCHEMA_HASH, CardDropped, Hello
from firmware_proto.schema.read import Field, MessageType, Schema
from firmware_proto.schema.sample import sample_payload

KINDS = {
    "link": "Link",
    "telemetry": "Unreliable",
    "command": "Commands (host to device)",
    "answer": "Answers (device to host)",
    "event": "Events (device to host)",
}


def write_document(schema: Schema, rules: str) -> str:
    """The text of PROTOCOL.md. `rules`: the hand-written sections on frame and link."""
    parts = [
        f"# {schema.title}, version {schema.version}",
        "",
        "Written by `python -m firmware_proto.generate` from `schema/table.toml` and `schema/link_rules.md`.",
        f"SCHEMA_HASH {schema.hash:#010x}. Golden encodings of every message: `vectors.json`.",
        "",
        "Serial line 115200 baud, 8N1, no flow control. One host, one device.",
        "Cards are numbered 0..53: rank 2..A times suit S H D C, then small joker 52, big joker 53. Seats and pockets",
        "are numbered S 0, E 1, N 2, W 3. Capability levels: 0 start, done and faults; 1 and counts of the pockets;",
        "2 and the seat of every card; 3 and its face; 4 and routing by face.",
        "",
        rules.strip(),
        "",
        *_examples(),
        *_messages(schema),
        *_enums(schema),
        *_limits(schema),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _hex(data: bytes) -> str:
    return data.hex(" ").upper()


def _examples() -> list[str]:
    """Three frames, taken apart."""
    dropped = CardDropped(event_no=258, deal_no=1, index=7, pocket=2, count_in_pocket=3)
    event = Frame(CardDropped.TYPE, 5, 9, 0x1234, dropped.pack())
    hello = Frame(Hello.TYPE, 0, 0, 0x0100, Hello(bytes(range(16)), 1, SCHEMA_HASH).pack(), Flag.FIRST)
    ack = Frame(0, 6, 10, 0x1234, b"", Flag.ACK_ONLY)
    rows = [
        ("Card 7 of deal 1 fell into pocket N, the third there; event 258, frame 5, wanting 9, session 0x1234", event),
        ("The host begins session 0x0100", hello),
        ("A bare acknowledgement: frame 9 has come, 10 is wanted", ack),
    ]
    lines = ["## Worked examples", ""]
    for words, frame in rows:
        lines += [
            f"**{words}.**",
            "",
            "```",
            f"payload  {_hex(frame.payload) or '(none)'}",
            f"on wire  {_hex(encode_frame(frame))}",
            "```",
            "",
        ]
    return lines


def _messages(schema: Schema) -> list[str]:
    lines = ["## Messages", ""]
    for kind, title in KINDS.items():
        lines += [f"### {title}", ""]
        for message in (m for m in schema.messages if m.kind == kind):
            lines += _message(message)
    return lines


def _message(message: MessageType) -> list[str]:
    lines = [f"#### {message.name} 0x{message.id:02X}", "", message.doc, ""]
    lines += ["| offset | type | field | default | meaning |", "|---|---|---|---|---|"]
    at = 0
    for field in message.fields:
        lines.append(f"| {at} | {field.type_text} | {field.name} | {_default(field)} | {_meaning(field)} |")
        at += field.size
    example = sample_payload(message)
    values = ", ".join(f"{field.name} {_value(message, field)}" for field in message.fields)
    return [*lines, "", f"{at} bytes. Example: `{_hex(example)}`", f"is {values}.", ""]


def _value(message: MessageType, field: Field) -> str:
    """A field of the example in words; read from the bytes, so that the document cannot say otherwise."""
    payload = sample_payload(message)
    at = sum(other.size for other in message.fields[: message.fields.index(field)])
    raw = payload[at : at + field.size]
    if field.base == "text":
        return repr(raw.rstrip(b"\0").decode())
    if field.base == "bytes":
        return f"{raw[:2].hex().upper()}..{raw[-1:].hex().upper()}"
    if field.many:
        return "/".join(map(str, raw))
    return str(int.from_bytes(raw, "little"))


def _default(field: Field) -> str:
    return "empty" if field.base == "text" else "zeros" if field.base == "bytes" else str(field.default)


def _meaning(field: Field) -> str:
    words = [field.enum or field.code or "", "secret" if field.secret else "", field.doc]
    return "; ".join(word for word in words if word)


def _enums(schema: Schema) -> list[str]:
    lines = ["## Enums", "", "0 is UNKNOWN in each.", ""]
    for enum in schema.enums:
        lines += [f"### {enum.name}", "", enum.doc, "", "| value | name | meaning |", "|---|---|---|"]
        lines += [f"| {value.value} | {value.name} | {value.doc} |" for value in enum.values if value.value]
        lines.append("")
    return lines


def _limits(schema: Schema) -> list[str]:
    lines = ["## Limits", "", "| name | value | meaning |", "|---|---|---|"]
    return [*lines, *(f"| {limit.name} | {limit.value} | {limit.doc} |" for limit in schema.limits)]
