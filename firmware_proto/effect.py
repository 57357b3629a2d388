"""What a link asks its owner to do, and what it counts. Source: PROTOCOL.md, section Link."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from firmware_proto.messages import Hello, HelloAck, Message


class Role(StrEnum):
    """Which end of the line."""

    HOST = "host"
    DEVICE = "device"


class DownReason(StrEnum):
    """Why a session ended."""

    NO_ACKNOWLEDGEMENT = "no acknowledgement"
    SILENT = "silent"
    RESTARTED = "device restarted"
    SESSION_LOST = "session lost"
    """The device is the same, but has given the session up."""
    NEW_SESSION = "host restarted"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Write:
    """Give these bytes to the line."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Deliver:
    """A message has arrived."""

    message: Message


@dataclass(frozen=True, slots=True)
class Up:
    """A session began; `peer` is what the other side said about itself."""

    peer: Hello | HelloAck


@dataclass(frozen=True, slots=True)
class Down:
    """A session ended, or could not be begun."""

    reason: DownReason


Effect = Write | Deliver | Up | Down


@dataclass(slots=True)
class LinkStats:
    """Counters since the link was built; they only grow."""

    frames_in: int = 0
    frames_out: int = 0
    retransmits: int = 0
    bad_frames: int = 0
    duplicates: int = 0
    strays: int = 0
    """Whole frames that fit no place: of another session, or out of the window."""
    naks_in: int = 0
    naks_out: int = 0
    sessions: int = 0
