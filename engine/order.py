"""Which reading beats which. Source: RULEBOOKS 2.2, 2.4, decisions C-6 to C-8."""

from __future__ import annotations

from engine.cards import Rank
from engine.combos import Reading, Type

LEVEL_STRENGTH = 13
"""Strength of the level rank: above the ace (12), below the small joker (14)."""

BOMB_TYPES = frozenset({Type.BOMB, Type.STRAIGHT_FLUSH, Type.JOKER_BOMB})


def strength(rank: Rank, level: Rank) -> int:
    """Place of a rank in the point order under `level`: 2 is 0 or 1, the big joker 15."""
    if rank is level:
        return LEVEL_STRENGTH
    return rank + 1 if rank.is_joker else int(rank)


def run_strength(reading: Reading) -> int:
    """Natural place of a sequence's highest rank; with a low ace that is 5, 3 or 2 (C-6). 0 for other types."""
    return int(reading.high) if reading.high is not None else 0


def bomb_class(reading: Reading) -> int:
    """0 for an ordinary type; among bombs, more is stronger: 4, 5, straight flush, 6 .. 10, joker bomb."""
    match reading.type:
        case Type.JOKER_BOMB:
            return 12
        case Type.STRAIGHT_FLUSH:
            return 6
        case Type.BOMB:
            size = reading.size or 4
            return size if size <= 5 else size + 1
        case _:
            return 0


def key(reading: Reading, level: Rank) -> tuple[int, int]:
    """Sorts readings of one ordinary type, and all bombs, by strength."""
    inner = run_strength(reading) if reading.rank is None else strength(reading.rank, level)
    return bomb_class(reading), inner


def beats(over: Reading, under: Reading, level: Rank) -> bool:
    """Whether `over` may be played on `under`. Equal strength never beats; the carried pair never counts."""
    if bomb_class(over) == 0 and over.type is not under.type:
        return False
    return key(over, level) > key(under, level)


def is_bomb(reading: Reading) -> bool:
    """Whether the reading is a bomb of any kind (same rank, straight flush, jokers)."""
    return reading.type in BOMB_TYPES
