"""The penalty ladder: how penalties add up, awarded defeats, stops and fouls."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import PLAY_ORDER, Level, Pair, Seat
from engine.ladder import (
    Counters,
    Penalty,
    StopExtent,
    awarded_levels,
    foul,
    give,
    is_disqualified,
    lead_instead,
    stop,
    tally,
)
from engine.levels import after_deal
from engine.rulebook_data import load_rulebook
from engine.state import Score

W, V, F = Penalty.WARNING, Penalty.VIOLATION, Penalty.FOUL
S, E, N, WEST = PLAY_ORDER
STEPS = st.lists(st.sampled_from([W, V, F]), max_size=12)


@pytest.mark.parametrize(
    ("given_penalties", "counters"),
    [
        ([W] * 3, Counters(3, 1, 0)),
        ([W] * 4, Counters(4, 2, 1)),
        ([W] * 8, Counters(8, 4, 2)),
        ([V, W, W], Counters(2, 2, 1)),
        ([F, V, V], Counters(0, 2, 2)),
        ([F, W, V], Counters(1, 1, 1)),
        ([Penalty.DISQUALIFICATION, Penalty.FORFEIT, Penalty.LEVEL_REDUCTION], Counters()),
    ],
)
def test_counters_follow_the_arithmetic_of_the_decision(given_penalties: list[Penalty], counters: Counters) -> None:
    assert tally(given_penalties) == counters


@given(STEPS)
def test_counters_are_sums_without_remainders_lost(penalties: list[Penalty]) -> None:
    counters = tally(penalties)

    assert counters.warnings == penalties.count(W)
    assert counters.violations == penalties.count(V) + counters.warnings // 2
    assert counters.fouls == penalties.count(F) + counters.violations // 2


@given(STEPS)
def test_order_of_penalties_does_not_change_the_counters(penalties: list[Penalty]) -> None:
    assert tally(penalties) == tally(list(reversed(penalties))) == tally(sorted(penalties))


@given(STEPS, st.integers(0, 11))
def test_ruling_taken_back_never_raises_a_counter(penalties: list[Penalty], at: int) -> None:
    all_of_them, without = tally(penalties), tally(penalties[:at] + penalties[at + 1 :])

    assert without.warnings <= all_of_them.warnings
    assert without.violations <= all_of_them.violations
    assert without.fouls <= all_of_them.fouls


def test_rise_names_every_step_that_one_warning_reaches() -> None:
    before = tally([F, V, W])

    rise = give(before, W)

    assert rise.reached == (V, F, Penalty.AWARDED_DEFEAT)
    assert rise.counters.awarded_defeat


def test_without_a_full_ladder_nothing_converts() -> None:
    assert tally([W] * 8, converts=False) == Counters(8, 0, 0)
    assert give(Counters(1, 1, 1), F, converts=False).reached == ()


@pytest.mark.parametrize(
    ("rounds", "out"),
    [
        ([Penalty.FORFEIT, Penalty.FORFEIT], True),
        ([Penalty.FORFEIT, None, Penalty.FORFEIT], False),
        ([Penalty.AWARDED_DEFEAT, None, Penalty.AWARDED_DEFEAT], True),
        ([Penalty.AWARDED_DEFEAT, Penalty.FORFEIT], False),
        ([None, None], False),
        ([], False),
    ],
)
def test_two_forfeits_running_or_two_awarded_defeats_cost_the_event(rounds: list[Penalty | None], out: bool) -> None:
    assert is_disqualified(rounds) is out


def test_awarded_defeat_is_a_win_by_four_levels_at_least() -> None:
    for offender, other in product(list(Level)[:13], repeat=2):
        after_offender, after_other = awarded_levels(offender, other)

        assert after_other - after_offender >= 4
        assert after_offender == min(offender, Level.JACK) or (after_offender, after_other) == (offender, other)
        assert awarded_levels(after_offender, after_other) == (after_offender, after_other)


def test_greater_lead_than_the_award_stands() -> None:
    assert awarded_levels(Level.THREE, Level.EIGHT) == (Level.THREE, Level.EIGHT)
    assert awarded_levels(Level.THREE, Level.SEVEN) == (Level.THREE, Level.SEVEN)


def test_stop_for_a_turn_is_the_right_hand_neighbours_choice_and_for_a_trick_nobodys() -> None:
    assert stop(E, PLAY_ORDER, StopExtent.TURN).chosen_by is N
    assert stop(E, PLAY_ORDER, StopExtent.TRICK).chosen_by is None


@pytest.mark.parametrize("order", [o for o in permutations(Seat) if o[0].partner is o[2]])
def test_lead_of_a_stopped_player_goes_to_the_other_side(order: tuple[Seat, ...]) -> None:
    neighbour = order[1]

    assert lead_instead(order[0], order, ()) is neighbour
    assert lead_instead(order[0], order, (neighbour,)) is neighbour.partner
    assert lead_instead(order[0], order, (neighbour, neighbour.partner)) is None


def test_foul_is_a_double_down_of_the_other_side_led_by_the_right_hand_neighbour() -> None:
    ended = foul(N, PLAY_ORDER)

    score = after_deal(Score(), None, ended.finish, load_rulebook("competitive-2022"))

    assert ended.next_leader is WEST
    assert score.levels == {Pair.EW: Level.FIVE, Pair.NS: Level.TWO}


def test_referee_may_name_the_leader_after_a_foul() -> None:
    assert foul(N, PLAY_ORDER, named=E).next_leader is E
