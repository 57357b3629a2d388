"""Tournament penalties of RULEBOOKS 10, O2: off everywhere, and what they take away where an event switches them on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Seat
from engine.combos import Type
from engine.ladder import Penalty
from engine.proposals import Circumstances, DrawState, proposal
from engine.restriction import (
    FREE,
    after_pass_out_of_turn,
    after_play_out_of_turn,
    after_wrong_tribute,
)
from engine.rulebook_data import known_rulebooks, load_rulebook

S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W
OFF = load_rulebook("jiangsu-simple")
ON = replace(OFF, penalties_o2=True)
STARTED = Circumstances(play_started=True)


def test_play_out_of_turn_bars_the_offender_alone_and_his_type_from_his_partners_lead() -> None:
    taken = after_play_out_of_turn(E, Type.PAIR, ON)

    assert [seat for seat in Seat if not taken.may_act(seat)] == [E]
    assert not taken.may_lead_next(W, Type.PAIR)
    assert taken.may_lead_next(W, Type.SINGLE)
    assert all(taken.may_lead_next(seat, Type.PAIR) for seat in (S, E, N))


def test_cards_that_are_no_combination_forbid_no_type() -> None:
    taken = after_play_out_of_turn(E, None, ON)

    assert not taken.may_act(E)
    assert all(taken.may_lead_next(seat, kind) for seat in Seat for kind in Type)


def test_pass_out_of_turn_bars_offender_and_partner() -> None:
    taken = after_pass_out_of_turn(N, ON)

    assert {seat for seat in Seat if not taken.may_act(seat)} == {N, S}


def test_wrong_tribute_costs_the_hand_only_once_play_has_begun() -> None:
    taken = after_wrong_tribute(W, True, ON)

    assert taken.void_hand is W
    assert not taken.may_act(W)
    assert not taken.may_lead_next(W, Type.SINGLE)
    assert after_wrong_tribute(W, False, ON) == FREE


@pytest.mark.parametrize("name", known_rulebooks())
def test_nobody_is_restricted_under_a_published_rulebook(name: str) -> None:
    book = load_rulebook(name)

    assert after_play_out_of_turn(E, Type.PAIR, book) == FREE
    assert after_pass_out_of_turn(E, book) == FREE
    assert after_wrong_tribute(E, True, book) == FREE


@pytest.mark.parametrize(
    ("finding", "about", "off", "on"),
    [
        ("draw_out_of_turn", Circumstances(), None, None),
        ("draw_out_of_turn", Circumstances(draw_state=DrawState.CARD_SEEN), Penalty.WARNING, Penalty.WARNING),
        ("draw_out_of_turn", Circumstances(draw_state=DrawState.IN_HAND), Penalty.VIOLATION, Penalty.WARNING),
        ("tribute_wrong_card", STARTED, Penalty.FOUL, None),
        ("return_wrong_card", STARTED, Penalty.FOUL, Penalty.FOUL),
        ("return_wrong_card", Circumstances(), Penalty.WARNING, Penalty.WARNING),
    ],
)
def test_penalties_of_the_page_stand_in_place_of_the_rulebooks(
    finding: str, about: Circumstances, off: Penalty | None, on: Penalty | None
) -> None:
    assert proposal(finding, OFF, about=about).penalty is off
    assert proposal(finding, ON, about=about).penalty is on


def test_asking_again_is_warned_each_time_and_says_where_that_stands() -> None:
    national = replace(load_rulebook("national-2017"), penalties_o2=True)

    again = proposal("report_repeat", national, occurrence=2)

    assert again.penalty is Penalty.WARNING
    assert again.stops is None
    assert again.sanction is not None
    assert "section 10, O2" in again.sanction.source
    assert again.sanction.inherited_from is None
    assert proposal("report_repeat", replace(national, penalties_o2=False), occurrence=2).penalty is Penalty.VIOLATION
