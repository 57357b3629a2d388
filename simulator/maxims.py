"""Maxims of the strategy guide as switches of the simulated players. Source: RULEBOOKS section 7 and its article."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Maxim(StrEnum):
    """A piece of advice that players follow or not."""

    RETURN_A_HEART = "return_a_heart"
    """Return a heart: two of its level cards are wilds, so the payer makes fewer straight flushes with it."""
    PAIRS_AGAINST_FIVE = "pairs_against_five"
    """Lead pairs against an opponent with five cards left: a set of five would take him out, a pair spoils it."""
    BOMBS_OF_FOUR = "bombs_of_four"
    """Keep bombs to four cards: a wild makes a bomb of its own rather than a larger one."""
    TAKE_OVER = "take_over"
    """Take over what the partner passes you: a low lead of his asks for one's own next set."""
    SPARE_THE_PARTNER = "spare_the_partner"
    """Do not overtake the partner without need."""


ALL_MAXIMS: Final = frozenset(Maxim)
