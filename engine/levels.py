"""Levels after a deal. Source: RULEBOOKS 3.5, decisions U-1 to U-4, U-6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.cards import Level, Pair, Seat
from engine.rulebook import Rulebook
from engine.state import Score


def partner_place(finish: tuple[Seat, ...]) -> int:
    """Place (2, 3, 4) of first's partner; `finish` holds four seats, or two after a double-down."""
    return finish.index(finish[0].partner) + 1 if finish[0].partner in finish else 4


def after_deal(score: Score, declarer: Pair | None, finish: tuple[Seat, ...], rulebook: Rulebook) -> Score:
    """The score after a deal at `declarer`'s level that ended in `finish`. Only the side of first gains (U-1).

    A side that fails at its own A for the last time that the rulebook allows falls to 2, whoever gains (U-6).
    """
    pair = finish[0].pair
    place = partner_place(finish)
    level = score.levels[pair]
    gained = Level(min(Level.PAST_ACE, level + rulebook.steps.for_place(place)))
    if rulebook.cap_at_a:
        if level < Level.ACE:
            gained = Level(min(Level.ACE, gained))
        elif not _passes_a(pair, declarer, place, rulebook):
            gained = level
    levels, failures = {**score.levels, pair: gained}, dict(score.a_failures)
    limit = rulebook.a_failures_limit
    if limit is not None and declarer is not None and score.levels[declarer] is Level.ACE:
        failures[declarer] += 1
        if levels[declarer] is Level.PAST_ACE:
            failures[declarer] = 0
        elif failures[declarer] >= limit:
            levels[declarer], failures[declarer] = Level.TWO, 0
    done = score.deals_done + 1
    return replace(
        score,
        levels=levels,
        reached={side: score.reached[side] if levels[side] == score.levels[side] else done for side in Pair},
        foul_leader=None,
        a_failures=failures,
        declarer=pair,
        deals_done=done,
        finishes=(*score.finishes, finish),
        winner=pair if gained is Level.PAST_ACE else score.winner,
    )


STREAK: Final = 3
"""Firsts, or lasts, from which on each moves a level more (U-3)."""


def after_streaks(score: Score, finishes: Sequence[tuple[Seat, ...]], rulebook: Rulebook) -> Score:
    """`score`, which `after_deal` gave, with the extra levels of `intro_streak_rule`; unchanged where it is off (U-3).

    finishes: all deals of the game in order, the one that gave `score` last. A side neither falls below 2 nor, where A
    must be played, rises past A by it; a match that is won stays as it is.
    """
    if not rulebook.intro_streak_rule or score.winner is not None:
        return score
    top = Level.ACE if rulebook.cap_at_a else Level.PAST_ACE
    change = streak_levels(finishes)
    levels = {pair: Level(max(Level.TWO, min(top, level + change[pair]))) for pair, level in score.levels.items()}
    winner = next((pair for pair, level in levels.items() if level is Level.PAST_ACE), None)
    now = score.deals_done
    reached = {side: score.reached[side] if levels[side] == score.levels[side] else now for side in Pair}
    return replace(score, levels=levels, reached=reached, winner=winner)


def streak_levels(finishes: Sequence[tuple[Seat, ...]]) -> dict[Pair, int]:
    """Levels that the last of `finishes` adds to each side, below 0 if it takes them (U-3).

    A player's third and each further first is one level up, his third and each further last one down. A double-down
    makes both losers last. Counted a player and a game, not in a row.
    """
    change = dict.fromkeys(Pair, 0)
    if not finishes:
        return change
    first = finishes[-1][0]
    if sum(finish[0] is first for finish in finishes) >= STREAK:
        change[first.pair] += 1
    for last in _lasts(finishes[-1]):
        if sum(last in _lasts(finish) for finish in finishes) >= STREAK:
            change[last.pair] -= 1
    return change


def _lasts(finish: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return finish[0].pair.other.seats if partner_place(finish) == 2 else (finish[3],)


def _passes_a(pair: Pair, declarer: Pair | None, place: int, rulebook: Rulebook) -> bool:
    if rulebook.only_declarer_passes_a and declarer is not pair:
        return False
    return place in rulebook.pass_a_partner_places


def reached_first(score: Score) -> Pair | None:
    """The side that came to its present level earlier; None if both came to theirs after the same deal."""
    ew, ns = (score.reached[pair] for pair in (Pair.EW, Pair.NS))
    return None if ew == ns else Pair.EW if ew < ns else Pair.NS
