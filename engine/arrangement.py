"""How a play lies on the table. Source: RULEBOOKS 3.2 (arrangement, wild's place), decisions C-10.2, P-7, I10.

Left and right are the player's own. Sequences ascend; a wild lies at the place it stands for; the blocks of a full
house do not mix. Whether its triple has to lie on the left differs (P-7).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.combos import Reading, Type, readings
from engine.resolve import lies_as
from engine.rulebook import Rulebook

TRIPLE_LEFT = "triple_left"
"""Value of `Rulebook.full_house_layout` that wants the triple on the left; otherwise either block may come first."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How cards lie. `fitting`: readings that the arrangement shows; none makes it a wrong manner of play."""

    fitting: tuple[Reading, ...]

    @property
    def ok(self) -> bool:
        return bool(self.fitting)

    @property
    def reading(self) -> Reading | None:
        """What the arrangement says the play is; None if it says nothing or leaves several."""
        return self.fitting[0] if len(self.fitting) == 1 else None


def is_laid_as(cards: tuple[Card, ...], reading: Reading, level: Rank, rulebook: Rulebook) -> bool:
    """Whether `cards`, left to right, lie as `reading` has to lie under the rulebook."""
    if lies_as(cards, reading, level):
        return True
    if reading.type is not Type.FULL_HOUSE or rulebook.full_house_layout == TRIPLE_LEFT:
        return False
    return lies_as((*cards[2:], *cards[:2]), reading, level)


def judge_arrangement(cards: tuple[Card, ...], level: Rank, rulebook: Rulebook) -> Arrangement:
    """The readings that `cards` show by the way they lie; for cards that are no combination there are none."""
    found = readings(cards, level, full_house_joker_pair=rulebook.full_house_joker_pair)
    return Arrangement(tuple(reading for reading in found if is_laid_as(cards, reading, level, rulebook)))
