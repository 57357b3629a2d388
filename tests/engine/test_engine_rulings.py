"""Rulings on plays through `advance`: taken back, let stand, noted, and what each leaves of the trick."""

from __future__ import annotations

import pytest
from engine_support import E, N, S, W, cards, playing

from engine.cards import Level, Pair
from engine.facts import Judgement
from engine.state import Phase


def test_play_taken_back_leaves_the_turn_where_it_was() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(E, "8S")

    table.rule(Judgement.TAKE_BACK, table.record)

    assert table.deal.pending is None
    assert table.deal.turn is E
    assert table.lay(E, "TS") == []


def test_play_let_stand_counts_with_its_best_reading() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(N, "TS")

    table.rule(Judgement.LET_STAND, table.record)

    assert table.trick.current is not None
    assert table.trick.current.seat is N
    assert table.deal.turn is W


def test_illegal_play_let_stand_goes_by_like_a_pass() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(E, "8S")

    table.rule(Judgement.LET_STAND, table.record)

    assert table.trick.current is not None
    assert table.trick.current.seat is S
    assert table.deal.turn is N
    assert table.passes(N, W) == []
    assert table.deal.turn is S


def test_noted_ruling_changes_nothing() -> None:
    table = playing(S)
    table.lay(S, "3S 4S")
    before = table.match

    table.rule(Judgement.NOTED, table.record)

    assert table.match == before


@pytest.mark.parametrize("judgement", list(Judgement))
def test_ruling_on_another_record_changes_nothing(judgement: Judgement) -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(E, "8S")
    before = table.match

    table.rule(judgement, 99)

    assert table.match == before


def test_last_act_that_counted_can_be_taken_back() -> None:
    table = playing(S, hands={S: "5S 6S 7S"})
    before = table.deal
    table.lay(S, "5S")

    table.rule(Judgement.TAKE_BACK, table.record)

    assert table.deal == before


def test_last_pass_of_a_trick_can_be_taken_back() -> None:
    table = playing(S)
    table.lay(S, "5S")
    table.passes(E, N)
    before = table.deal
    table.passes(W)

    table.rule(Judgement.TAKE_BACK, table.record)

    assert table.deal == before


def test_end_of_a_deal_can_be_taken_back_with_its_levels() -> None:
    table = playing(S, sizes={S: 1}, finish=(N,))
    before = table.deal
    table.lay(S, "5S")
    assert table.deal.phase is Phase.OVER
    assert table.match is not None
    assert table.match.deals_done == 1

    table.rule(Judgement.TAKE_BACK, table.record)

    assert table.deal == before
    assert table.match.deals_done == 0
    assert table.match.levels[Pair.NS] is Level.TWO


def test_foreign_card_let_stand_makes_the_hand_unknown() -> None:
    table = playing(S, hands={S: "5S 6S 7S"})
    table.lay(S, "8S")

    table.rule(Judgement.LET_STAND, table.record)

    assert table.deal.hands[S] is None
    assert table.deal.hand_sizes[S] == 2
    assert table.deal.turn is E


def test_illegal_play_that_was_played_over_can_still_be_taken_back_in_the_trick() -> None:
    table = playing(S, hands={E: "8S TS"})
    table.lay(S, "9S")
    table.lay(E, "8S")
    refused = table.record
    table.lay(N, "TS")

    table.rule(Judgement.TAKE_BACK, refused)

    assert table.deal.hand_sizes[E] == 2
    assert table.deal.hands[E] == cards("8S TS")
    assert table.deal.turn is W


def test_play_out_of_turn_waits_for_its_ruling_while_others_go_on() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(N, "QS")
    early = table.record
    table.lay(E, "JS")
    assert table.pending.record == early

    table.rule(Judgement.LET_STAND, early)

    assert table.trick.current is not None
    assert table.trick.current.seat is N
    assert table.deal.turn is W
