"""The end of a match: past A, time, deals, ties, forfeits and awards. Source: RULEBOOKS 3.5, 3.6, 4.3, M-1 to M-4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.cards import Level, Pair
from engine.ladder import awarded_levels
from engine.rulebook import Rulebook
from engine.scores import forfeit_level_points, forfeit_match_points, leader_on_levels, level_points, match_points


@dataclass(frozen=True, slots=True)
class End:
    """Whether a match is over, and what it brings. `tie_break_required`: one extra deal, unless a referee chooses."""

    over: bool
    levels: Mapping[Pair, Level]
    winner: Pair | None = None
    match_points: Mapping[Pair, int] | None = None
    level_points: Mapping[Pair, int] | None = None
    tie_break_required: bool = False


def match_end(
    levels: Mapping[Pair, Level],
    rulebook: Rulebook,
    *,
    time_out: bool = False,
    deals_out: bool = False,
    knock_out: bool = False,
    reached_first: Pair | None = None,
    sealed_first: Pair | None = None,
) -> End:
    """How a match stands at `levels`, those after the last completed deal; without a limit it ends past A (M-2).

    reached_first: who stood on equal levels first. sealed_first: side of first in the deal that time-out sealed; it
    gains where the rulebook says so, else that deal does not count (M-1). Equal levels draw, or call for one extra
    deal where there has to be a winner (M-3, M-4).
    """
    if Level.PAST_ACE not in levels.values():
        if not (time_out or deals_out):
            return End(False, levels)
        if time_out and sealed_first is not None and rulebook.sealed_deal_bonus:
            top = Level.ACE if rulebook.cap_at_a else Level.PAST_ACE
            raised = Level(min(top, levels[sealed_first] + rulebook.sealed_deal_bonus))
            if raised != levels[sealed_first]:
                reached_first = sealed_first.other
            levels = {**levels, sealed_first: raised}
    winner = leader_on_levels(levels)
    if winner is None and rulebook.reached_first_wins:
        winner = reached_first
    if winner is None and (knock_out or rulebook.reached_first_wins):
        return End(False, levels, tie_break_required=True)
    return End(True, levels, winner, match_points(winner, rulebook), level_points(levels, rulebook))


def extra_deal(levels: Mapping[Pair, Level], first: Pair, rulebook: Rulebook) -> End:
    """The end after an extra deal on equal levels: the side of first wins, levels stand (M-3)."""
    return End(True, levels, first, match_points(first, rulebook), level_points(levels, rulebook))


def forfeited(levels: Mapping[Pair, Level], side: Pair, rulebook: Rulebook, *, withdrew: bool = False) -> End:
    """The end where `side` forfeits (S-2), or withdrew before the start."""
    points = forfeit_level_points(side, rulebook)
    if withdrew and rulebook.withdrawal_level_points is not None:
        won, lost = rulebook.withdrawal_level_points
        points = {side.other: won, side: lost}
    return End(True, levels, side.other, forfeit_match_points(side, rulebook), points)


def awarded(levels: Mapping[Pair, Level], offender: Pair, rulebook: Rulebook) -> End:
    """The end by an awarded defeat: levels and points by 4.3; the loser gets no match points, whatever a loser gets."""
    own, others = awarded_levels(levels[offender], levels[offender.other], rulebook.award_levels)
    after, winner = {offender: own, offender.other: others}, offender.other
    return End(True, after, winner, forfeit_match_points(offender, rulebook), level_points(after, rulebook))
