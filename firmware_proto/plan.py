"""The seat sequence of a deal as 27 bytes. Source: PROTOCOL.md, message Plan.

Card number i of the feed order goes to seat i of the sequence. A plan together with the feed order names every
hand, so it is as secret as the cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from firmware_proto.errors import BadPlan
from firmware_proto.messages import HAND_CARDS, PLAN_BYTES, PLAN_CARDS

SEATS: Final = "SENW"
"""Seat number -> letter, on the wire and for pockets."""


def pack_seats(seats: Iterable[int]) -> bytes:
    """108 seat numbers 0..3 as 27 bytes, four a byte, the first in the lowest bits. Raises BadPlan."""
    numbers = tuple(seats)
    if len(numbers) != PLAN_CARDS or any(not 0 <= number <= 3 for number in numbers):
        raise BadPlan(f"a plan has {PLAN_CARDS} seats numbered 0..3")
    return bytes(
        numbers[at] | numbers[at + 1] << 2 | numbers[at + 2] << 4 | numbers[at + 3] << 6
        for at in range(0, PLAN_CARDS, 4)
    )


def unpack_seats(plan: bytes) -> tuple[int, ...]:
    """The 108 seat numbers of a plan. Raises BadPlan unless it is 27 bytes long."""
    if len(plan) != PLAN_BYTES:
        raise BadPlan(f"a plan has {PLAN_BYTES} bytes, not {len(plan)}")
    return tuple(byte >> shift & 3 for byte in plan for shift in (0, 2, 4, 6))


def is_even(plan: bytes) -> bool:
    """Whether the plan holds 27 cards for each seat. Raises BadPlan unless it is 27 bytes long."""
    seats = unpack_seats(plan)
    return all(seats.count(seat) == HAND_CARDS for seat in range(4))


def plan_hash(plan: bytes) -> bytes:
    """SHA-256 over the 27 bytes: the commitment that DealStart repeats."""
    return hashlib.sha256(plan).digest()
