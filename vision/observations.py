"""What the camera room tells the table: readings, observations and the camera's own state.

Values only; they are pickled from the worker process to the controller, and check themselves when built, so that a
nonsense value stops where it was made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards import Card, Seat

_SHA: Final = re.compile(r"[0-9a-f]{64}")


class Kind(StrEnum):
    """What happened in a zone."""

    LAID = "laid"
    """Cards lie still in the play zone and every one was read surely."""
    CLEARED = "cleared"
    """The play zone that held cards is empty."""
    PASS_SHOWN = "pass_shown"
    PASS_GONE = "pass_gone"
    REPORT_SHOWN = "report_shown"
    UNCLEAR = "unclear"
    """Something lies still in the play zone that could not be read surely; candidates are given where there are any."""


class Condition(StrEnum):
    """Why the camera cannot be relied on."""

    DARK = "dark"
    BLURRED = "blurred"
    FROZEN = "frozen"
    COVERED = "covered"
    NO_FRAMES = "no_frames"
    SLOW = "slow"
    NO_MARKERS = "no_markers"
    BAD_PICTURE = "bad_picture"


@dataclass(frozen=True, slots=True)
class CardReading:
    """One card as read.

    card: None where nothing can be said. sure: 0..1, agreement of shape, colour and margin to the runner-up.
    candidates: best first, with their scores 0..1. x_mm: left edge of the card, seat view.
    """

    card: Card | None
    sure: float
    candidates: tuple[tuple[Card, float], ...]
    x_mm: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.sure <= 1.0:
            raise ValueError(f"sure {self.sure} is outside 0..1")
        if any(not 0.0 <= score <= 1.0 for _, score in self.candidates):
            raise ValueError(f"a candidate's score is outside 0..1: {self.candidates}")


@dataclass(frozen=True, slots=True)
class Observation:
    """A change of one zone, reported once.

    cards: left to right as the player sees them; only with LAID (never empty, every card known) and UNCLEAR (may be
    empty). count: 1..10, only with REPORT_SHOWN. settled_ns: when the zone was declared settled; first_moved_ns: first
    movement that led to it; both on the monotonic clock. frame: number of the last picture used.
    still: SHA-256 of the JPEG of the zone. initial: found at start or at the first look after blindness.
    """

    seat: Seat
    kind: Kind
    cards: tuple[CardReading, ...]
    count: int | None
    settled_ns: int
    first_moved_ns: int
    frame: int
    still: str | None = None
    initial: bool = False

    def __post_init__(self) -> None:
        if self.kind is Kind.LAID:
            if not self.cards or any(reading.card is None for reading in self.cards):
                raise ValueError("a laid play holds at least one card and knows each of them")
        elif self.cards and self.kind is not Kind.UNCLEAR:
            raise ValueError(f"{self.kind} carries no cards")
        if (self.count is not None) != (self.kind is Kind.REPORT_SHOWN):
            raise ValueError(f"a count belongs to report_shown and to nothing else, not to {self.kind}")
        if self.count is not None and not 1 <= self.count <= 10:
            raise ValueError(f"report count {self.count} is outside 1..10")
        if self.settled_ns < self.first_moved_ns:
            raise ValueError("a zone cannot settle before it moved")
        if self.still is not None and not _SHA.fullmatch(self.still):
            raise ValueError(f"still {self.still!r} is not a SHA-256 in hex")


@dataclass(frozen=True, slots=True)
class CameraState:
    """Sign of life of the worker, at least two a second.

    fps: pictures used per second over the last seconds. frame_age_ms: age of the newest picture (0 if none came yet).
    """

    ok: bool
    condition: Condition | None
    fps: float
    frame_age_ms: float
    mono_ns: int

    def __post_init__(self) -> None:
        if self.ok != (self.condition is None):
            raise ValueError("a camera is ok exactly when it has no condition")
        if self.fps < 0 or self.frame_age_ms < 0:
            raise ValueError(f"fps {self.fps} or frame age {self.frame_age_ms} is negative")


Message = Observation | CameraState
