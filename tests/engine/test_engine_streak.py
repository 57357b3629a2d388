"""The introduction's rule of firsts and lasts (U-3): off unless an event switches it on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Level, Pair, Seat
from engine.levels import after_deal, after_streaks, streak_levels
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.state import Score

S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W
ON = replace(load_rulebook("intro"), intro_streak_rule=True)
LAST_N = (E, S, W, N)
LAST_S = (E, N, W, S)


def moved(*finishes: tuple[Seat, ...]) -> tuple[int, int]:
    """Levels for EW and NS after the last of `finishes`."""
    change = streak_levels(finishes)
    return change[Pair.EW], change[Pair.NS]


def test_third_and_each_further_first_and_last_count() -> None:
    assert [moved(*[LAST_N] * deals) for deals in range(5)] == [(0, 0), (0, 0), (0, 0), (1, -1), (1, -1)]


def test_counts_are_of_the_player_not_of_the_side() -> None:
    assert moved((E, S, W, N), (W, N, E, S), (E, S, W, N)) == (0, 0)


def test_counts_need_not_be_in_a_row() -> None:
    assert moved(LAST_N, LAST_N, (S, E, N, W), LAST_N) == (1, -1)
    assert moved(LAST_N, LAST_N, LAST_N, (S, E, N, W)) == (0, 0)


@pytest.mark.parametrize("double_down", [(E, W), (E, W, S, N), (W, E)])
def test_double_down_makes_both_losers_last(double_down: tuple[Seat, ...]) -> None:
    assert moved(LAST_N, LAST_N, double_down)[1] == -1
    assert moved(LAST_N, LAST_S, LAST_N, LAST_S, double_down)[1] == -2


def scored(ew: Level, ns: Level, deals: int, on: bool = True) -> tuple[Level, Level]:
    """Levels of EW and NS after deal number `deals`, all of which ended alike, beginning it at `ew` and `ns`."""
    book = replace(ON, intro_streak_rule=on)
    score = after_deal(Score({Pair.EW: ew, Pair.NS: ns}), Pair.EW, LAST_N, book)
    after = after_streaks(score, [LAST_N] * deals, book)
    return after.levels[Pair.EW], after.levels[Pair.NS]


def test_extra_level_comes_on_top_of_the_gain() -> None:
    assert scored(Level.FIVE, Level.SIX, deals=2) == (Level.SEVEN, Level.SIX)
    assert scored(Level.FIVE, Level.SIX, deals=3) == (Level.EIGHT, Level.FIVE)


def test_nobody_falls_below_two_or_rises_past_an_ace_that_must_be_played() -> None:
    assert scored(Level.KING, Level.TWO, deals=3) == (Level.ACE, Level.TWO)


def test_match_that_is_won_stays_as_it_is() -> None:
    assert scored(Level.ACE, Level.FIVE, deals=3) == (Level.PAST_ACE, Level.FIVE)


def test_where_a_is_no_obstacle_the_extra_level_may_win() -> None:
    book = replace(ON, cap_at_a=False)
    score = after_deal(Score({Pair.EW: Level.QUEEN, Pair.NS: Level.FIVE}), Pair.EW, LAST_N, book)

    after = after_streaks(score, [LAST_N] * 3, book)

    assert (after.levels[Pair.EW], after.winner) == (Level.PAST_ACE, Pair.EW)


@pytest.mark.parametrize("name", known_rulebooks())
def test_rule_is_off_in_every_published_rulebook(name: str) -> None:
    score = Score({Pair.EW: Level.FIVE, Pair.NS: Level.SIX})

    assert after_streaks(score, [LAST_N] * 9, load_rulebook(name)) == score
