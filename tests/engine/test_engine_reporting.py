"""The duty to report remaining cards, by rulebook."""

from __future__ import annotations

import pytest

from engine.reporting import Asker, question_duty, report_duty, report_fault
from engine.rulebook_data import known_rulebooks, load_rulebook

THRESHOLDS = {"national-2017": 10, "competitive-2022": 10, "jiangsu-simple": 10, "campus-2010": 6}
NO_DUTY = ("huaian-online", "intro", "anqing-2015", "anhui-league/qualifying", "anhui-league/final")


@pytest.mark.parametrize(("name", "threshold"), THRESHOLDS.items())
def test_report_is_due_on_the_first_play_at_or_below_the_threshold(name: str, threshold: int) -> None:
    book = load_rulebook(name)

    duties = {left: report_duty(threshold + 3, threshold + 3 - left, False, book) for left in range(threshold + 2)}

    assert [left for left, duty in duties.items() if duty.must_report] == list(range(1, threshold + 1))
    assert duties[0].count is None
    assert duties[threshold].count == threshold


@pytest.mark.parametrize("name", NO_DUTY)
def test_no_duty_to_report_by_oneself(name: str) -> None:
    book = load_rulebook(name)

    assert not any(report_duty(11, played, False, book).must_report for played in range(1, 11))


@pytest.mark.parametrize("name", known_rulebooks())
def test_nobody_reports_twice(name: str) -> None:
    assert not report_duty(9, 2, True, load_rulebook(name)).must_report


def test_report_that_was_missed_stays_due_and_is_overdue() -> None:
    book = load_rulebook("national-2017")

    assert not report_duty(11, 2, False, book).overdue
    assert report_duty(9, 2, False, book).must_report
    assert report_duty(9, 2, False, book).overdue


def test_pass_calls_for_no_report() -> None:
    assert not report_duty(9, 0, False, load_rulebook("competitive-2022")).must_report


@pytest.mark.parametrize(
    ("name", "asker", "left", "must", "forbidden"),
    [
        ("anqing-2015", Asker.OPPONENT, 6, True, False),
        ("anqing-2015", Asker.OPPONENT, 7, False, False),
        ("anqing-2015", Asker.OPPONENT, 0, False, False),
        ("anqing-2015", Asker.PARTNER, 6, False, True),
        ("anhui-league/final", Asker.OPPONENT, 7, True, False),
        ("anhui-league/final", Asker.PARTNER, 7, False, False),
        ("campus-2010", Asker.OPPONENT, 5, False, False),
        ("huaian-online", Asker.OPPONENT, 5, False, False),
    ],
)
def test_only_an_opponents_question_has_to_be_answered(
    name: str, asker: Asker, left: int, must: bool, forbidden: bool
) -> None:
    duty = question_duty(left, asker, False, load_rulebook(name))

    assert (duty.must_answer, duty.question_forbidden) == (must, forbidden)
    assert duty.count == (left if must else None)


@pytest.mark.parametrize("asker", Asker)
def test_nobody_may_ask_again_after_a_report(asker: Asker) -> None:
    book = load_rulebook("national-2017")

    assert question_duty(7, asker, True, book).question_forbidden
    assert not question_duty(7, asker, False, book).question_forbidden


@pytest.mark.parametrize(
    ("name", "before", "reported", "told", "fault"),
    [
        ("competitive-2022", 12, False, 7, None),
        ("competitive-2022", 12, False, None, "report_missing"),
        ("competitive-2022", 12, False, 6, "report_wrong_count"),
        ("competitive-2022", 20, False, None, None),
        ("national-2017", 10, True, 5, "report_repeat"),
        ("national-2017", 10, True, None, None),
        ("anqing-2015", 10, False, 5, "report_volunteered"),
        ("anhui-league/final", 10, False, 5, None),
        ("huaian-online", 10, False, None, None),
    ],
)
def test_what_a_player_told_after_playing_five(
    name: str, before: int, reported: bool, told: int | None, fault: str | None
) -> None:
    duty = report_duty(before, 5, reported, load_rulebook(name))

    assert report_fault(duty, told) == fault
