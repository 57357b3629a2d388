"""Match points, level points, forfeits; points and titles of online play. Source: RULEBOOKS 3.6, S-2 to S-5, U-7."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards import Level, Pair
from engine.rulebook import Rulebook


class BadDifference(ValueError):
    """A difference of levels that a table of level points does not hold."""

    def __init__(self, difference: int, most: int) -> None:
        super().__init__(f"level difference {difference} is not in the table; give 0 to {most}")


class BadLevelNumber(ValueError):
    """A level number of an imported result that is none."""

    def __init__(self, number: int) -> None:
        super().__init__(f"{number} is not a level number; write 2 to 14 for 2 to A, 15 for A+, 16 past the joker")


LEVEL_POINTS: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "13_plus_d": tuple((13 + difference, 13 - difference) for difference in range(14)),
    "14_plus_d": tuple((14 + difference, 14 - difference) for difference in range(15)),
}
"""Level points of winner and loser by difference in levels (S-3, S-4); row 14 serves imported results alone (U-7)."""


def level_difference(levels: Mapping[Pair, Level]) -> int:
    """Levels between the two sides; A+ counts one above A."""
    return abs(levels[Pair.EW] - levels[Pair.NS])


def level_points(levels: Mapping[Pair, Level], rulebook: Rulebook) -> dict[Pair, int] | None:
    """Level points of both sides by final levels; None where the rulebook has no such points."""
    if rulebook.level_points is None:
        return None
    winner, loser = level_points_for(level_difference(levels), rulebook.level_points)
    higher = Pair.EW if levels[Pair.EW] >= levels[Pair.NS] else Pair.NS
    return {higher: winner, higher.other: loser}


def level_points_for(difference: int, table: str) -> tuple[int, int]:
    """Points of winner and loser for a difference, by the name of a table. Raises BadDifference."""
    rows = LEVEL_POINTS[table]
    if not 0 <= difference < len(rows):
        raise BadDifference(difference, len(rows) - 1)
    return rows[difference]


def match_points(winner: Pair | None, rulebook: Rulebook) -> dict[Pair, int] | None:
    """Match points of a game that was played; `winner` None: equal levels.

    None where the rulebook has no match points, or no draw for equal levels: then a winner has to be found first.
    """
    if rulebook.match_points is None:
        return None
    win, draw, loss = rulebook.match_points
    if winner is not None:
        return {winner: win, winner.other: loss}
    return None if draw is None else dict.fromkeys(Pair, draw)


def forfeit_match_points(side: Pair, rulebook: Rulebook) -> dict[Pair, int] | None:
    """Match points where `side` forfeits: who does not play gets nothing, whatever a loser gets (S-2, S4:203)."""
    return None if rulebook.match_points is None else {side.other: rulebook.match_points[0], side: 0}


def forfeit_level_points(side: Pair, rulebook: Rulebook) -> dict[Pair, int] | None:
    """Level points where `side` forfeits (S-2); None where no figure is printed."""
    if rulebook.forfeit_level_points is None:
        return None
    won, lost = rulebook.forfeit_level_points
    return {side.other: won, side: lost}


def imported_difference(one: int, other: int) -> int:
    """Levels between two level numbers of an imported result: 2 to 10, J 11 to K 13, A 14, A+ 15, past the joker 16.

    No rule tells how a joker level is played, so nothing else knows 16 (U-7). Raises BadLevelNumber.
    """
    for number in (one, other):
        if not 2 <= number <= 16:
            raise BadLevelNumber(number)
    return abs(one - other)


def leader_on_levels(levels: Mapping[Pair, Level]) -> Pair | None:
    """The side with the higher level; None if they are equal."""
    if levels[Pair.EW] == levels[Pair.NS]:
        return None
    return max(levels, key=levels.__getitem__)


class OnlineLoss(StrEnum):
    """Why a player of the online game loses points beside the deals."""

    QUIT = "quit"
    """Quit, or off-line for more than two minutes."""
    LEFT = "left"
    """Left in the middle of a game."""
    LEFT_HIGH = "left_high"
    """Left at level K or above."""


_ONLINE_LOSS: Final = {OnlineLoss.QUIT: -4, OnlineLoss.LEFT: -2, OnlineLoss.LEFT_HIGH: -10}
ONLINE_WIN: Final = 10
"""Points for winning at A; the loser of that deal loses none."""


def online_deal_points(levels_gained: int, won_at_a: bool = False) -> tuple[int, int]:
    """Changes of winner's and loser's online points after a deal. Source: RULEBOOKS 3.6 (S2:83-93)."""
    return (ONLINE_WIN, 0) if won_at_a else (levels_gained, -levels_gained)


def online_loss(reason: OnlineLoss) -> int:
    """Change of a player's online points for leaving a game. Source: RULEBOOKS 3.6 (S2:83-93)."""
    return _ONLINE_LOSS[reason]


@dataclass(frozen=True, slots=True)
class Title:
    """A title of the online game, by points. `up_to`: the most points that still carry it; None: no limit."""

    title_zh: str
    title_en: str
    up_to: int | None


TITLES: Final = (
    Title("笨蛋", "silly egg", 0),
    Title("坏蛋", "bad egg", 10),
    Title("鸡蛋", "hen's egg", 100),
    Title("活珠", "half-hatched egg", 200),
    Title("毛蛋", "unhatched chick", 500),
    Title("铁蛋", "iron egg", 1000),
    Title("银蛋", "silver egg", 2000),
    Title("金蛋", "golden egg", 5000),
    Title("超级掼蛋", "super Guandan", None),
)
"""Titles from low to high. Source: RULEBOOKS 3.6 (S2:97-113)."""


def online_title(points: int) -> Title:
    """The title that goes with online points; each limit still carries the lower title."""
    return next(title for title in TITLES if title.up_to is None or points <= title.up_to)
