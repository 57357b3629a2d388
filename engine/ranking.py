"""Order of teams after rounds, with every tie-break. Source: RULEBOOKS 3.6 and section 8, decision S-1.

Criteria are taken one after the other, the higher number first; teams that are equal in all of them draw lots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, groupby
from typing import Final


class Criterion(StrEnum):
    """What teams are ranked by."""

    TOTAL = "total"
    """Sum of match points."""
    PROGRESSIVE = "progressive"
    """Sum of the running totals from round 2 on (累进分)."""
    WINS = "wins"
    """Rounds won."""
    LEVEL_POINTS = "level_points"
    UPGRADES = "upgrades"
    """Levels gained in all rounds."""
    OPPONENTS_TOTAL = "opponents_total"
    """Sum of the match points of all opponents met."""


BY_PROGRESSIVE: Final = (
    Criterion.TOTAL,
    Criterion.PROGRESSIVE,
    Criterion.WINS,
    Criterion.LEVEL_POINTS,
    Criterion.UPGRADES,
)
"""Order of criteria of `jiangsu-simple` and of all that inherit it."""
BY_OPPONENTS: Final = (Criterion.TOTAL, Criterion.OPPONENTS_TOTAL)
"""Order of criteria of `anqing-2015`."""
LOTS: Final = "lots"
"""What decides between teams that no criterion separates."""


class BadTeams(ValueError):
    """Results that cannot be ranked."""

    def __init__(self, team: object, wrong: str) -> None:
        super().__init__(f"team {team!r}: {wrong}")


@dataclass(frozen=True, slots=True)
class Results:
    """A team's rounds in order. Lists of level points and upgrades may be empty where they do not decide."""

    team: str
    points: tuple[int, ...]
    """Match points."""
    level_points: tuple[int, ...] = ()
    upgrades: tuple[int, ...] = ()
    opponents_total: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """One team's place from 1; teams that have to draw lots share it. `decided_by`: what set it below the one above.

    `decided_by` is `lots` where that is still open, and None for the team at the top.
    """

    place: int
    team: str
    figures: Mapping[Criterion, int]
    decided_by: str | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """All teams in order; those that share a place stand as they were given."""

    standings: tuple[Standing, ...]
    criteria: tuple[Criterion, ...]

    @property
    def order(self) -> tuple[str, ...] | None:
        """Teams from first to last; None while lots have to be drawn."""
        return None if self.lots else tuple(standing.team for standing in self.standings)

    @property
    def lots(self) -> tuple[tuple[str, ...], ...]:
        """Groups of teams that have to draw lots."""
        groups = groupby(self.standings, key=lambda standing: standing.place)
        shared = (tuple(standing.team for standing in group) for _, group in groups)
        return tuple(group for group in shared if len(group) > 1)

    @property
    def decided_by(self) -> str | None:
        """The last criterion that had to be looked at to separate anybody; `lots` if that was not enough."""
        used = {standing.decided_by for standing in self.standings}
        if LOTS in used:
            return LOTS
        return next((criterion.value for criterion in reversed(self.criteria) if criterion.value in used), None)


def progressive(points: Sequence[int], from_round: int = 1) -> int:
    """Sum of the running totals from round 2 on (S-1).

    `from_round`: the round with which the running totals begin; 2 leaves out the points of round 1.
    """
    return sum(accumulate(points)) - points[0] * (1 if from_round == 1 else len(points)) if points else 0


def figures(results: Results, win_points: int = 2, from_round: int = 1) -> dict[Criterion, int]:
    """Every criterion of one team. A win is a round with `win_points` match points."""
    return {
        Criterion.TOTAL: sum(results.points),
        Criterion.PROGRESSIVE: progressive(results.points, from_round),
        Criterion.WINS: sum(points == win_points for points in results.points),
        Criterion.LEVEL_POINTS: sum(results.level_points),
        Criterion.UPGRADES: sum(results.upgrades),
        Criterion.OPPONENTS_TOTAL: results.opponents_total,
    }


def rank(
    teams: Iterable[Results],
    criteria: tuple[Criterion, ...] = BY_PROGRESSIVE,
    win_points: int = 2,
    from_round: int = 1,
) -> Ranking:
    """Rank teams by `criteria` in order; `from_round`: see `progressive`.

    Raises BadTeams for a team given twice or lists of different lengths.
    """
    given = tuple(teams)
    _check(given)
    counted = [(results.team, figures(results, win_points, from_round)) for results in given]
    counted.sort(key=lambda team: [-team[1][criterion] for criterion in criteria])
    standings: list[Standing] = []
    for number, (team, own) in enumerate(counted, 1):
        above = standings[-1] if standings else None
        parted = next((c for c in criteria if above is not None and above.figures[c] != own[c]), None)
        decided_by = parted.value if parted is not None else (LOTS if above is not None else None)
        place = above.place if above is not None and parted is None else number
        standings.append(Standing(place, team, own, decided_by))
    return Ranking(tuple(standings), criteria)


def _check(teams: tuple[Results, ...]) -> None:
    seen: set[str] = set()
    rounds = max((len(results.points) for results in teams), default=0)
    for results in teams:
        if results.team in seen:
            raise BadTeams(results.team, "is given twice; name each team once")
        seen.add(results.team)
        if len(results.points) != rounds:
            raise BadTeams(results.team, f"has {len(results.points)} rounds, others {rounds}; enter the missing ones")
        for name, listed in (("level points", results.level_points), ("upgrades", results.upgrades)):
            if listed and len(listed) != rounds:
                raise BadTeams(results.team, f"has {name} of {len(listed)} rounds out of {rounds}")


def opponents_totals(totals: Mapping[str, int], met: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Each team's sum of the match points of those it met, a team met twice counting twice.

    Raises BadTeams for an opponent without a total.
    """
    sums = {}
    for team, opponents in met.items():
        listed = tuple(opponents)
        if unknown := next((opponent for opponent in listed if opponent not in totals), None):
            raise BadTeams(team, f"met {unknown!r}, which has no total")
        sums[team] = sum(totals[opponent] for opponent in listed)
    return sums
