"""Limits of time include their last moment; countdowns, lateness, and when a clock starts and stops."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ladder import Penalty
from engine.proposals import proposal
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.timing import (
    Moments,
    Timed,
    clock_start_s,
    elapsed_s,
    is_time_up,
    judge_both_late,
    judge_lateness,
    judge_time,
    limit_s,
)

JIANGSU = load_rulebook("jiangsu-simple")
SORTING = replace(JIANGSU, sort_allowance_s=30)
W, F, OUT = Penalty.WARNING, Penalty.FOUL, Penalty.FORFEIT
ALL_LIMITS = [
    (name, action) for name in known_rulebooks() for action in Timed if limit_s(action, load_rulebook(name)) is not None
]


@pytest.mark.parametrize(("name", "action"), ALL_LIMITS)
def test_last_moment_is_in_time_and_the_next_is_not(name: str, action: Timed) -> None:
    book = load_rulebook(name)
    limit = limit_s(action, book)
    assert limit is not None

    assert not judge_time(action, limit, book).overtime
    assert judge_time(action, limit + 0.001, book).overtime


def test_there_are_limits_in_each_family() -> None:
    assert {name for name, _ in ALL_LIMITS} >= {"competitive-2022", "jiangsu-simple", "anqing-2015"}


@pytest.mark.parametrize("action", Timed)
def test_rulebook_without_limits_never_finds_overtime(action: Timed) -> None:
    assert not judge_time(action, 1e9, load_rulebook("national-2017")).overtime


def test_countdown_includes_its_last_moment_too() -> None:
    assert judge_time(Timed.PLAY, 30.0, JIANGSU).response == "countdown"
    assert judge_time(Timed.PLAY, 30.0, JIANGSU).penalty is None
    assert judge_time(Timed.PLAY, 30.001, JIANGSU).penalty is W


def test_table_knows_better_than_arithmetic_whether_the_countdown_has_run_out() -> None:
    assert judge_time(Timed.PLAY, 100.0, JIANGSU, countdown_finished=False).penalty is None
    assert judge_time(Timed.PLAY, 21.0, JIANGSU, countdown_finished=True).penalty is W


@pytest.mark.parametrize(
    ("rulebook", "penalties"),
    [
        ("anhui-league/qualifying", [W, W, Penalty.DISQUALIFICATION, Penalty.DISQUALIFICATION]),
        ("anqing-2015", [W, Penalty.LEVEL_REDUCTION, Penalty.LEVEL_REDUCTION]),
    ],
)
def test_repeated_overtime_is_dearer(rulebook: str, penalties: list[Penalty]) -> None:
    book = load_rulebook(rulebook)

    assert [judge_time(Timed.PLAY, 31, book, n).penalty for n in range(1, len(penalties) + 1)] == penalties


@pytest.mark.parametrize(
    ("rulebook", "minutes", "penalty"),
    [
        ("jiangsu-simple", 0, None),
        ("jiangsu-simple", 0.1, W),
        ("jiangsu-simple", 5, W),
        ("jiangsu-simple", 5.1, F),
        ("jiangsu-simple", 10, F),
        ("jiangsu-simple", 10.1, OUT),
        ("anqing-2015", 9.9, None),
        ("anqing-2015", 10, OUT),
        ("campus-2010", 10, OUT),
        ("huaian-online", 15, None),
        ("huaian-online", 15.1, OUT),
        ("anhui-league/final", 0, None),
        ("anhui-league/final", 0.1, Penalty.DISQUALIFICATION),
        ("intro", 60, None),
    ],
)
def test_lateness_is_judged_to_the_moment(rulebook: str, minutes: float, penalty: Penalty | None) -> None:
    assert judge_lateness(minutes, load_rulebook(rulebook)).penalty is penalty


def test_where_both_are_late_the_earlier_side_is_only_warned() -> None:
    assert [late.penalty for late in judge_both_late(7, 12, JIANGSU)] == [W, OUT]
    assert [late.penalty for late in judge_both_late(12, 7, JIANGSU)] == [OUT, W]
    assert [late.penalty for late in judge_both_late(7, 7, JIANGSU)] == [F, F]
    assert [late.penalty for late in judge_both_late(0, 7, JIANGSU)] == [None, F]


def test_events_own_list_of_overtime_goes_before_the_rulebooks_and_the_console_says_whose_it_is() -> None:
    own = replace(JIANGSU, overtime=(W, F))

    assert [judge_time(Timed.PLAY, 31, own, n).penalty for n in (1, 2, 3)] == [W, F, F]
    assert [proposal("play_late", own, n).penalty for n in (1, 2, 3)] == [W, F, F]
    assert [proposal("play_late", JIANGSU, n).penalty for n in (1, 2, 3)] == [W, W, W]
    final = proposal("play_late", load_rulebook("anhui-league/final"), 3).sanction
    assert final is not None
    assert (final.measure.penalty, final.inherited_from) == (Penalty.DISQUALIFICATION, "anhui-league/qualifying")
    assert final.source.startswith("安徽掼蛋联赛规程 四 17")


@pytest.mark.parametrize(
    ("rulebook", "minutes"), [("national-2017", 60), ("anqing-2015", 50), ("anhui-league/final", 120)]
)
def test_round_is_over_when_its_minutes_are_reached(rulebook: str, minutes: float) -> None:
    book = load_rulebook(rulebook)

    assert not is_time_up(minutes - 0.01, book)
    assert is_time_up(minutes, book)


def test_round_without_a_length_is_never_over_by_time() -> None:
    assert not is_time_up(1e9, load_rulebook("competitive-2022"))


def test_deal_that_is_being_played_puts_time_out_off_only_where_it_is_to_be_finished() -> None:
    book = load_rulebook("national-2017")
    finishing = replace(book, finish_current_deal=True)

    assert is_time_up(61, book, deal_open=True)
    assert not is_time_up(61, finishing, deal_open=True)
    assert is_time_up(61, finishing, deal_open=False)


def test_clocks_of_a_deal_with_tribute_start_one_after_the_other() -> None:
    moments = Moments(hands_confirmed_s=100, tribute_seen_s=115, returns_seen_s=140, last_act_s=160)

    starts = [clock_start_s(action, moments, has_tribute=True, rulebook=SORTING) for action in Timed]

    assert starts == [130, 115, 140, 160]


def test_without_tribute_the_first_lead_runs_from_the_fourth_hand() -> None:
    moments = Moments(hands_confirmed_s=100)

    assert clock_start_s(Timed.FIRST_LEAD, moments, has_tribute=False, rulebook=SORTING) == 130
    assert clock_start_s(Timed.TRIBUTE, moments, has_tribute=False, rulebook=SORTING) is None
    assert clock_start_s(Timed.PLAY, moments, has_tribute=False, rulebook=SORTING) is None
    assert clock_start_s(Timed.FIRST_LEAD, Moments(), has_tribute=False, rulebook=SORTING) is None


@pytest.mark.parametrize(
    ("holds", "elapsed"),
    [
        ([], 60),
        ([(110, 120)], 50),
        ([(90, 110)], 50),
        ([(150, None)], 50),
        ([(110, 130), (120, 140)], 30),
        ([(120, 140), (110, 130)], 30),
        ([(50, 90)], 60),
        ([(170, 180)], 60),
        ([(50, None)], 0),
    ],
)
def test_clock_stops_while_play_is_held(holds: list[tuple[float, float | None]], elapsed: float) -> None:
    assert elapsed_s(100, 160, holds) == elapsed


@given(st.lists(st.tuples(st.integers(0, 50), st.one_of(st.none(), st.integers(0, 80))), max_size=6))
def test_clock_counts_the_seconds_that_no_hold_covers(holds: list[tuple[int, int | None]]) -> None:
    free = [s for s in range(10, 60) if not any(begin <= s < (60 if end is None else end) for begin, end in holds)]

    assert elapsed_s(10, 60, holds) == len(free)
