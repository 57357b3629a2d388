"""When an irregularity can no longer be penalised."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.findings import CATALOGUE
from engine.lapse import Lapse, Moment, Scope, lapse, pointed_out, scope
from engine.rulebook_data import load_rulebook

AT = Moment(3, 5)


@pytest.mark.parametrize(
    ("finding", "now", "lost"),
    [
        ("turn_order", Moment(3, 5), False),
        ("turn_order", Moment(3, 6), True),
        ("turn_order", Moment(4), True),
        ("bad_arrangement", Moment(3, 6), True),
        ("report_missing", Moment(3, 6), True),
        ("hand_count", Moment(3, 40), False),
        ("hand_count", Moment(4), True),
        ("tribute_wrong_card", Moment(3, 6), False),
        ("tribute_wrong_card", Moment(4), True),
        ("substitution", Moment(9, 9), False),
    ],
)
def test_play_lapses_with_the_next_trick_and_counts_with_the_next_deal(finding: str, now: Moment, lost: bool) -> None:
    assert lapse(finding, AT, now) is (Lapse.CALLED_TOO_LATE if lost else None)


@pytest.mark.parametrize("now", [AT, Moment(3, 9), Moment(5, 1)])
def test_call_in_time_keeps_the_right_while_the_referee_is_on_the_way(now: Moment) -> None:
    assert lapse("turn_order", AT, now, called=AT) is None


def test_machines_alert_points_out_only_where_the_event_lets_it_call() -> None:
    book = load_rulebook("competitive-2022")
    calling = replace(book, machine_may_call=True)
    late = Moment(3, 7)

    assert pointed_out(None, AT, book) is None
    assert pointed_out(late, AT, book) == late
    assert pointed_out(None, AT, calling) == AT
    assert pointed_out(late, AT, calling) == AT
    assert pointed_out(AT, late, calling) == AT
    assert lapse("turn_order", AT, late, called=pointed_out(None, AT, book)) is Lapse.CALLED_TOO_LATE
    assert lapse("turn_order", AT, late, called=pointed_out(None, AT, calling)) is None


def test_call_in_the_next_trick_is_too_late() -> None:
    assert lapse("turn_order", AT, Moment(3, 6), called=Moment(3, 6)) is Lapse.CALLED_TOO_LATE


def test_acting_before_calling_and_consulting_the_partner_lose_the_right() -> None:
    assert lapse("turn_order", AT, AT, called=AT, acted_first=True) is Lapse.ACTED_FIRST
    assert lapse("turn_order", AT, AT, called=AT, consulted_partner=True) is Lapse.CONSULTED_PARTNER


def test_conduct_does_not_lapse_because_somebody_played_on() -> None:
    assert lapse("illegal_signal", AT, Moment(4, 1), acted_first=True) is None


def test_findings_of_dealing_last_for_the_deal_and_those_of_play_for_the_trick() -> None:
    for kind in CATALOGUE.values():
        if kind.code.startswith("F1"):
            assert scope(kind.name) is Scope.DEAL
        if kind.code.startswith("F2") and kind.name != "card_not_in_hand":
            assert scope(kind.name) is Scope.TRICK
