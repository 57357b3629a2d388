"""Random deals: the only place of this program that draws by lot for real.

A random deal is a uniformly random seat sequence, 27 of each seat, over the feed order of the 108 physical cards:
whatever order the pack lies in, every distribution of the cards is equally likely. The system's secure generator
draws; `demo` and `simulate` put a seeded one in its place, which the journal says (`generator: seeded`).
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.cards import Card, Seat
from firmware_proto import plan as wire

HAND: Final = 27
CARDS: Final = 108
WIRE_SEATS: Final = (Seat.S, Seat.E, Seat.N, Seat.W)
"""Seat numbers on the wire. Source: PROTOCOL.md, message Plan."""


@dataclass(frozen=True, slots=True)
class Generator:
    """Where chance comes from. `name` stands in the journal; a seeded one is for simulators only."""

    name: Literal["system", "seeded"]
    source: random.Random = field(repr=False)

    def __post_init__(self) -> None:
        if (self.name == "system") != isinstance(self.source, random.SystemRandom):
            raise ValueError(f"a generator named {self.name} cannot draw from {type(self.source).__name__}")


SYSTEM: Final = Generator("system", secrets.SystemRandom())
"""The operating system's secure generator; holds no state of its own."""


def seat_sequence(generator: Generator) -> tuple[Seat, ...]:
    """108 seats, 27 of each, every arrangement equally likely (Fisher-Yates without modulo bias). Secret."""
    seats = [seat for seat in WIRE_SEATS for _ in range(HAND)]
    for last in range(CARDS - 1, 0, -1):
        other = generator.source.randrange(last + 1)  # randrange draws by rejection: no seat is favoured
        seats[last], seats[other] = seats[other], seats[last]
    return tuple(seats)


def pack_plan(seats: tuple[Seat, ...]) -> bytes:
    """27 bytes for the machine, in wire order. Raises firmware_proto.errors.BadPlan unless there are 108 seats."""
    return wire.pack_seats(WIRE_SEATS.index(seat) for seat in seats)


def unpack_plan(plan: bytes) -> tuple[Seat, ...]:
    """The seat sequence of a packed plan. Raises firmware_proto.errors.BadPlan unless it has 27 bytes."""
    return tuple(WIRE_SEATS[number] for number in wire.unpack_seats(plan))


def plan_hash(plan: bytes) -> bytes:
    """SHA-256 over the packed plan: what the journal and the machine commit to before the first card falls."""
    return wire.plan_hash(plan)


def draw_turned_up(faces: Mapping[int, Card | None], redraw_on: Collection[Card], generator: Generator) -> int:
    """The feed index of the turned-up card, whose holder leads deal 1. Source: RULEBOOKS D-1, D-2, D-7.

    Uniform among the physical cards whose face is not in `redraw_on`, which is what drawing again until it fits
    gives. An unread face cannot be in `redraw_on`. Raises ValueError if no card is left to draw.
    """
    eligible = sorted(index for index, face in faces.items() if face is None or face not in redraw_on)
    if not eligible:
        raise ValueError(f"none of {len(faces)} cards can be the turned-up card")
    return eligible[generator.source.randrange(len(eligible))]
