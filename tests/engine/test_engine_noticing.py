"""Reports, ways to pass and the way a play lies: findings only where the table can notice them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_support import BOOK, E, N, S, Table, W, playing

from engine.facts import CountReported, Judgement, Passed
from engine.passing import PassForm
from engine.rulebook import Rulebook
from engine.rulebook_data import load_rulebook
from engine.state import NOTICED

NATIONAL, ANQING = load_rulebook("national-2017"), load_rulebook("anqing-2015")


def table_at(east: int, book: Rulebook = BOOK, notices: tuple[str, ...] = NOTICED) -> Table:
    """East is to lead from so many cards."""
    table = playing(E, sizes={E: east})
    assert table.match is not None
    return Table(replace(table.match, notices=frozenset(notices)), book)


def test_report_before_the_next_act_is_all_that_is_asked() -> None:
    table = table_at(11)
    assert table.lay(E, "3S") == []
    table.tell(CountReported(E, 10))

    assert table.passes(N) == []
    assert table.passes(W, S) == []
    assert table.lay(E, "4S") == []
    assert table.passes(N) == []


def test_missing_report_is_found_when_the_next_player_acts_and_only_once() -> None:
    table = table_at(11)
    table.lay(E, "3S")
    play = table.record

    assert table.passes(N) == ["report_missing"]
    assert (table.last[0].seat, table.last[0].record, table.detail) == (E, play, {"left": "10"})
    assert table.passes(W, S) == []
    table.lay(E, "4S")
    assert table.passes(N) == []


@pytest.mark.parametrize(("before", "laid"), [(12, "3S"), (1, "3S")])
def test_no_report_is_due_above_the_threshold_or_when_out(before: int, laid: str) -> None:
    table = table_at(before)
    table.lay(E, laid)
    assert table.passes(N) == []


def test_wrong_number_is_found() -> None:
    table = table_at(11)
    table.lay(E, "3S")
    table.tell(CountReported(E, 9))
    report = table.record

    assert table.passes(N) == ["report_wrong_count"]
    assert (table.last[0].record, table.detail) == (report, {"told": "9", "left": "10"})


def test_report_on_a_play_that_waits_for_its_meaning_is_judged_when_it_counts() -> None:
    """Seven sevens-and-eights with two wilds need a declaration; the card beside them counts the cards left."""
    table = table_at(16)
    assert table.lay(E, "7S 8D 2H 7C 8H 2H") == ["needs_declaration"]
    table.tell(CountReported(E, 10))
    table.rule(Judgement.LET_STAND, table.pending.record)

    assert table.passes(N) == []


def test_second_report_is_found_where_the_rulebook_forbids_it() -> None:
    table = table_at(11, NATIONAL)
    table.lay(E, "3S")
    table.tell(CountReported(E, 10))
    table.passes(N, W, S)
    table.lay(E, "4S")
    table.tell(CountReported(E, 9))

    assert table.passes(N) == ["report_repeat"]


def test_number_told_without_a_question_is_found_where_that_is_forbidden() -> None:
    table = table_at(7, ANQING)
    table.lay(E, "3S")
    table.tell(CountReported(E, 6))

    assert table.passes(N) == ["report_volunteered"]


def test_table_that_hears_no_reports_misses_none() -> None:
    table = table_at(11, notices=())
    table.lay(E, "3S")
    assert table.passes(N) == []


def test_a_play_taken_back_owes_no_report() -> None:
    table = table_at(11)
    table.lay(E, "3S")
    table.rule(Judgement.TAKE_BACK, table.record)
    assert table.lay(E, "3S 3C") == []
    table.tell(CountReported(E, 9))
    assert table.passes(N) == []


def test_a_play_that_lies_in_disorder_is_found() -> None:
    table = table_at(27)

    assert table.lay(E, "3S 4S 6D 5C 7S") == ["bad_arrangement"]
    assert table_at(27).lay(E, "3S 4S 5C 6D 7S") == []
    assert table_at(27, notices=()).lay(E, "3S 4S 6D 5C 7S") == []


@pytest.mark.parametrize(("book", "found"), [(BOOK, ["bad_arrangement"]), (NATIONAL, [])])
def test_either_block_of_a_full_house_may_come_first_in_some_rulebooks(book: Rulebook, found: list[str]) -> None:
    assert table_at(27, book).lay(E, "4S 4D 9S 9C 9D") == found


def test_pass_in_another_form_than_the_rulebook_wants_is_found() -> None:
    table = table_at(27)
    table.lay(E, "3S")
    table.tell(Passed(N, PassForm.KNOCK))

    assert (table.names, table.detail) == (["pass_form"], {"shown": "knock", "required": "pass_card"})
    assert table.deal.turn is W


def test_form_of_the_first_pass_binds_where_the_rulebook_says_so() -> None:
    table = table_at(27, NATIONAL)
    table.lay(E, "3S")
    table.tell(Passed(N, PassForm.KNOCK))
    table.tell(Passed(W, PassForm.SAY_PASS))
    table.tell(Passed(S, PassForm.KNOCK))
    assert not table.all
    table.lay(E, "4S")

    table.tell(Passed(N, PassForm.SAY_PASS))

    assert (table.names, table.detail["required"]) == (["pass_form"], "knock")
