"""Writes vectors.json: golden encodings for every implementation of the protocol, in whatever language."""

from __future__ import annotations

import json
from typing import Any

from firmware_proto.frame import Flag, Frame, encode_frame
from firmware_proto.messages import Hello, HelloAck
from firmware_proto.schema.read import MessageType, Schema
from firmware_proto.schema.sample import sample_payload


def frame_of(message: MessageType, payload: bytes) -> Frame:
    """A frame that carries a payload, with header fields that tell themselves apart."""
    flags = Flag.FIRST if message.id in {Hello.TYPE, HelloAck.TYPE} else 0
    return Frame(message.id, 0 if flags else 5, 9, 0x1234, payload, int(flags))


def write_vectors(schema: Schema) -> str:
    """The text of vectors.json. Payloads are hex; frames are hex as on the wire, delimiter included."""
    messages = []
    for message in schema.messages:
        payload = sample_payload(message)
        frame = frame_of(message, payload)
        longer = encode_frame(frame_of(message, payload + b"\xab\xcd"))
        messages.append(
            {
                "name": message.name,
                "type": message.id,
                "payload": payload.hex(),
                "frame": encode_frame(frame).hex(),
                "frame_with_longer_payload": longer.hex(),
            }
        )
    control = [
        {"name": "acknowledgement", "frame": encode_frame(Frame(0, 5, 9, 0x1234, b"", Flag.ACK_ONLY)).hex()},
        {"name": "request to repeat", "frame": encode_frame(Frame(3, 5, 9, 0x1234, b"", Flag.ACK_ONLY)).hex()},
    ]
    document: dict[str, Any] = {  # Any: JSON
        "made_by": "python -m firmware_proto.generate",
        "version": schema.version,
        "schema_hash": schema.hash,
        "header": {"seq": "5, or 0 for Hello and HelloAck", "ack": 9, "session": 0x1234},
        "messages": messages,
        "control": control,
        "bad": _bad_frames(),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _bad_frames() -> list[dict[str, str]]:
    """Bytes that a receiver has to count as bad."""
    good = encode_frame(Frame(0x29, 5, 9, 0x1234, b"\x01\x02\x03\x04"))
    return [
        {"why": "checksum", "frame": (good[:-3] + bytes([good[-3] ^ 0x10]) + good[-2:]).hex()},
        {"why": "coding", "frame": "0801020300"},
        {"why": "too short", "frame": "0401020300"},
        {"why": "flags", "frame": encode_frame(Frame(0x29, 5, 9, 0x1234, b"", Flag.AUTH)).hex()},
        {"why": "flags", "frame": encode_frame(Frame(0x29, 5, 9, 0x1234, b"", Flag.ENCRYPTED)).hex()},
        {"why": "flags", "frame": encode_frame(Frame(0x29, 5, 9, 0x1234, b"", 0x40)).hex()},
        {"why": "too long", "frame": (b"\x01" * 300 + b"\0").hex()},
    ]
