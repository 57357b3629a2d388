"""The options that there are, made once and shared, so that listing those of a hand makes no objects.

Tables are by rank or lowest step, then by wilds. Source: RULEBOOKS 2.3 to 2.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.cards import Rank, Suit
from engine.combos import Reading, Type

WILDS: Final = 2
"""Wilds that a hand may hold."""
RANKS: Final = tuple(rank for rank in Rank if not rank.is_joker)
STEPS: Final = tuple(range(14))
"""Places of a sequence: 0 the low ace, 1 the two, 13 the ace."""
MOST_OF_A_RANK: Final = 8


@dataclass(frozen=True, slots=True)
class Option:
    """A reading that a hand can lay with so many wilds, and no fewer."""

    reading: Reading
    wilds: int

    @property
    def size(self) -> int:
        """Cards that it takes."""
        kind = self.reading.type
        return self.reading.size or {Type.SINGLE: 1, Type.PAIR: 2, Type.TRIPLE: 3, Type.JOKER_BOMB: 4}.get(
            kind, 6 if kind in {Type.TUBE, Type.PLATE} else 5
        )


ByRank = tuple[tuple[Option, ...], ...]
"""By rank and wilds."""
ByStep = tuple[tuple[Option, ...], ...]
"""By lowest step and wilds."""


def _each(kind: Type, rank: Rank) -> tuple[Option, ...]:
    return tuple(Option(Reading(kind, rank), wilds) for wilds in range(WILDS + 1))


SINGLE: Final = tuple(_each(Type.SINGLE, rank) for rank in Rank)
PAIR: Final = tuple(_each(Type.PAIR, rank) for rank in Rank)
TRIPLE: Final = tuple(_each(Type.TRIPLE, rank) for rank in RANKS)
FULL_HOUSE: Final = tuple(
    tuple(tuple(Option(Reading(Type.FULL_HOUSE, triple, pair), wilds) for pair in Rank) for wilds in range(WILDS + 1))
    for triple in RANKS
)
"""By triple, wilds and pair."""
JOKER_BOMB: Final = Option(Reading(Type.JOKER_BOMB), 0)


def _bombs(rank: Rank, held: int, wilds: int) -> tuple[Option, ...]:
    if not held:
        return ()
    return tuple(
        Option(Reading(Type.BOMB, rank, size=size), max(0, size - held)) for size in range(4, held + wilds + 1)
    )


BOMBS: Final = tuple(
    tuple(tuple(_bombs(rank, held, wilds) for wilds in range(WILDS + 1)) for held in range(MOST_OF_A_RANK + 1))
    for rank in RANKS
)
"""By rank, naturals and wilds."""


def _sets(rank: Rank, held: int, wilds: int) -> tuple[Option, ...]:
    """Single, pair, triple and bombs of a rank with at least one natural card."""
    if not held:
        return ()
    found = [SINGLE[rank][0]]
    for size, kind in ((2, PAIR), (3, TRIPLE)):
        if rank.is_joker and size == 3:
            continue
        missing = max(0, size - held)
        if missing == 0 or (missing <= wilds and not rank.is_joker):
            found.append(kind[rank][missing])
    return (*found, *(() if rank.is_joker else BOMBS[rank][held][wilds]))


SETS: Final = tuple(
    tuple(tuple(_sets(rank, held, wilds) for wilds in range(WILDS + 1)) for held in range(MOST_OF_A_RANK + 1))
    for rank in Rank
)
"""Single, pair, triple and bombs by rank, naturals and wilds."""


def _tops(kind: Type, suit: Suit | None = None) -> ByStep:
    """Options of a sequence by lowest step and wilds."""
    length = {Type.STRAIGHT: 5, Type.STRAIGHT_FLUSH: 5, Type.TUBE: 3, Type.PLATE: 2}[kind]
    return tuple(
        tuple(Option(Reading(kind, high=Rank(low + length - 2), suit=suit), wilds) for wilds in range(WILDS + 1))
        for low in range(len(STEPS) - length + 1)
    )


STRAIGHT: Final = _tops(Type.STRAIGHT)
_FLUSH: Final = tuple(_tops(Type.STRAIGHT_FLUSH, suit) for suit in Suit)
TUBE: Final = _tops(Type.TUBE)
PLATE: Final = _tops(Type.PLATE)


@cache
def windows(mask: int) -> tuple[tuple[int, int, int], ...]:
    """(lowest step, places missing, places as a mask) of each run of five that wilds can complete over `mask`."""
    found = []
    for low in range(10):
        window = 0b11111 << low
        missing = 5 - (mask & window).bit_count()
        if missing <= WILDS:
            found.append((low, missing, window))
    return tuple(found)


@cache
def flushes(suit: int, mask: int, wilds: int) -> tuple[Option, ...]:
    """Straight flushes over the steps held of a suit: a table of 8,192 masks, each filled in when first met."""
    return tuple(_FLUSH[suit][low][missing] for low, missing, _ in windows(mask) if missing <= wilds)
