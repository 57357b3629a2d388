"""The deal id: one number for each distinct deal of two packs to four seats, as 43 hex digits.

Distinct deals are ranked seat by seat (E, N, W; S gets the rest) and face by face in wire order, giving 0, 1 or 2
copies of a face to a seat in that order. The id decodes into the hands, so it is as secret as they are until the
deal is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from math import comb
from typing import Final

from engine.cards import CARDS, PACKS, Card, Seat

SEATS: Final = (Seat.E, Seat.N, Seat.W, Seat.S)
HAND: Final = 27
DIGITS: Final = 43


class BadDeal(ValueError):
    """Hands that are not two whole packs of 27 a seat, or a number that names no deal."""


@cache
def _deals(seats_left: int, pairs: int, singles: int) -> int:
    """Ways to deal faces with two copies left (`pairs`) and one (`singles`) to the last `seats_left` seats."""
    if seats_left == 1:
        return 1
    return _ways(seats_left, pairs, singles, HAND, 0, 0)


@cache
def _ways(seats_left: int, pairs: int, singles: int, need: int, kept_pairs: int, kept_singles: int) -> int:
    """Ways to go on when the seat at work still has to look at `pairs` and `singles` and to take `need` cards.

    `kept_*` count faces that it has passed by and that stay for the seats after it.
    """
    total = 0
    for both in range(min(pairs, need // 2) + 1):
        for one in range(min(pairs - both, need - 2 * both) + 1):
            lone = need - 2 * both - one
            if lone > singles:
                continue
            rest = _deals(seats_left - 1, kept_pairs + pairs - both - one, kept_singles + one + singles - lone)
            total += comb(pairs, both) * comb(pairs - both, one) * comb(singles, lone) * rest
    return total


def count_deals() -> int:
    """How many distinct deals there are (about 2^169)."""
    return _deals(4, len(CARDS), 0)


def deal_id(hands: Mapping[Seat, Iterable[Card]]) -> str:
    """The id of a deal, 43 hex digits. Raises BadDeal unless the hands are two packs, 27 a seat."""
    held = {seat: Counter(hands[seat]) for seat in SEATS}
    if any(sum(hand.values()) != HAND for hand in held.values()) or sum(held.values(), Counter()) != Counter(PACKS):
        raise BadDeal("hands are not two whole packs of 27 cards a seat")
    number = 0
    left = dict.fromkeys(CARDS, 2)
    for place, seat in enumerate(SEATS[:3]):
        number += _rank_seat(4 - place, held[seat], left)
    return f"{number:0{DIGITS}x}"


def _rank_seat(seats_left: int, hand: Counter[Card], left: dict[Card, int]) -> int:
    number, need = 0, HAND
    pairs = sum(1 for copies in left.values() if copies == 2)
    singles = sum(1 for copies in left.values() if copies == 1)
    kept_pairs = kept_singles = 0
    for card in CARDS:
        copies, taken = left[card], hand[card]
        if copies == 0:
            continue
        pairs -= copies == 2
        singles -= copies == 1
        for fewer in range(taken):
            over = copies - fewer
            number += _ways(
                seats_left, pairs, singles, need - fewer, kept_pairs + (over == 2), kept_singles + (over == 1)
            )
        need -= taken
        left[card] = copies - taken
        kept_pairs += left[card] == 2
        kept_singles += left[card] == 1
    return number
