"""Sample messages for documents and golden encodings: each field gets a value that shows its place."""

from __future__ import annotations

from firmware_proto.schema.read import Field, MessageType


def sample_payload(message: MessageType) -> bytes:
    """A payload in which every byte is decided by its field; enum fields hold their first listed value."""
    at, parts = 0, []
    for field in message.fields:
        parts.append(_sample(field, at))
        at += field.size
    return b"".join(parts)


def _sample(field: Field, at: int) -> bytes:
    if field.base == "text":
        return field.name.encode()[: field.count].ljust(field.count, b"\0")
    if field.enum or field.code:
        return b"\x01"
    if field.name in {"seat", "pocket"}:
        return b"\x02"
    return bytes((at + offset + 1) & 0xFF for offset in range(field.size))
