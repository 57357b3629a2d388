"""Frames: header, payload and checksum, coded so that a zero byte stands only between frames.

Source: PROTOCOL.md, section Frame.

    u8 flags | u8 type | u8 seq | u8 ack | u16 session | payload 0..220 | [8 bytes MAC] | u32 CRC-32   little-endian
    then COBS, then 0x00

The MAC is reserved: no key is agreed yet, so a frame that claims one is bad.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from enum import IntFlag, StrEnum
from typing import Final

from cobs import cobs

from firmware_proto.messages import MAX_FRAME, MAX_PAYLOAD

FRAMING_VERSION: Final = 1
"""Two bits of the flags; another layout of the header gets another number."""

_HEADER: Final = struct.Struct("<BBBBH")
_CRC: Final = struct.Struct("<I")
_SHORTEST: Final = _HEADER.size + _CRC.size
_LONGEST_RUN: Final = MAX_FRAME - 1


class Flag(IntFlag):
    """Bits of the flags byte above the framing version."""

    AUTH = 0x04
    """A MAC stands before the checksum. Reserved."""
    ENCRYPTED = 0x08
    """The payload is encrypted. Reserved."""
    ACK_ONLY = 0x10
    """No message: only the acknowledgement (type 0) or the request to repeat from `ack` on (type NAK)."""
    FIRST = 0x20
    """Frame number 0 of a session: Hello or HelloAck."""


NAK_TYPE: Final = 0x03
"""Type number of an ACK_ONLY frame that asks for repetition; never the number of a message."""

_KNOWN_FLAGS: Final = int(Flag.ACK_ONLY | Flag.FIRST)


class Badness(StrEnum):
    """Why bytes were thrown away."""

    TOO_LONG = "too long"
    TOO_SHORT = "too short"
    CODING = "coding"
    CHECKSUM = "checksum"
    FLAGS = "flags"
    STALE = "stale"
    """The rest of the frame did not come (Decoder.drop_partial)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. `ack` is the number of the next frame wanted from the other side."""

    type: int
    seq: int
    ack: int
    session: int
    payload: bytes = b""
    flags: int = 0


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes between two delimiters that are no frame."""

    reason: Badness


def encode_frame(frame: Frame) -> bytes:
    """The bytes of a frame, delimiter included.

    Raises ValueError for a payload of more than 220 bytes and struct.error for numbers that do not fit: both are
    mistakes of the link, not of its user.
    """
    if len(frame.payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload of {len(frame.payload)} bytes does not fit a frame")
    body = _HEADER.pack(frame.flags | FRAMING_VERSION, frame.type, frame.seq, frame.ack, frame.session) + frame.payload
    coded: bytes = cobs.encode(body + _CRC.pack(zlib.crc32(body)))
    return coded + b"\0"


def _decode(run: bytes) -> Frame | BadFrame:
    """The frame in the bytes between two delimiters."""
    if len(run) > _LONGEST_RUN:
        return BadFrame(Badness.TOO_LONG)
    try:
        body = cobs.decode(run)
    except cobs.DecodeError:
        return BadFrame(Badness.CODING)
    if len(body) < _SHORTEST:
        return BadFrame(Badness.TOO_SHORT)
    end = len(body) - 4
    if zlib.crc32(body[:end]) != _CRC.unpack_from(body, end)[0]:
        return BadFrame(Badness.CHECKSUM)
    flags, kind, seq, ack, session = _HEADER.unpack_from(body)
    if flags & 3 != FRAMING_VERSION or flags & ~3 & ~_KNOWN_FLAGS:
        return BadFrame(Badness.FLAGS)
    if end - _HEADER.size > MAX_PAYLOAD:
        return BadFrame(Badness.TOO_LONG)
    return Frame(kind, seq, ack, session, body[_HEADER.size : end], flags & ~3)


class Decoder:
    """Finds frames in a stream of bytes cut anywhere. Never raises; holds at most one frame's length of bytes."""

    __slots__ = ("_overlong", "_rest")

    def __init__(self) -> None:
        self._rest = b""
        self._overlong = False

    @property
    def has_partial(self) -> bool:
        """Whether bytes of an unfinished frame are held."""
        return bool(self._rest) or self._overlong

    def feed(self, data: bytes) -> list[Frame | BadFrame]:
        """Frames and bad frames that these bytes complete, in order. An overlong run counts once."""
        runs = (self._rest + data).split(b"\0")
        self._rest = runs.pop()
        found: list[Frame | BadFrame] = []
        for run in runs:
            if self._overlong:
                self._overlong = False
            elif run:
                found.append(_decode(run))
        if self._overlong:
            self._rest = b""
        elif len(self._rest) > _LONGEST_RUN:
            self._rest = b""
            self._overlong = True
            found.append(BadFrame(Badness.TOO_LONG))
        return found

    def drop_partial(self) -> list[Frame | BadFrame]:
        """Forget an unfinished frame, after a gap that no sender makes inside a frame."""
        if not self.has_partial:
            return []
        counted = bool(self._rest)
        self._rest = b""
        self._overlong = False
        return [BadFrame(Badness.STALE)] if counted else []
