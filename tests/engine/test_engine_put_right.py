"""Tribute and return put right: taken back, given anew, named late; and what is too late. RULEBOOKS 3.3, I7, I8."""

from __future__ import annotations

from engine_support import E, N, S, Table, W, second_deal
from exchange_support import HIGH, assert_all_cards_are_held, card, held, low

from engine.cards import Seat
from engine.facts import (
    CardReturned,
    FinishEntered,
    JokersShown,
    Judgement,
    LeaderDrawn,
    LeaderNamed,
    TributeGiven,
)
from engine.state import Phase


def test_wrong_tribute_is_found_taken_back_and_given_right() -> None:
    table = second_deal((S, E, N, W), HIGH)
    table.tell(TributeGiven(W, card("AD")))
    assert (table.names, table.detail) == (["tribute_wrong_card"], {"given": "AD"})

    table.rule(Judgement.TAKE_BACK, table.record)
    assert card("AD") in held(table, W)
    assert len(held(table, W)) == 27
    table.tell(TributeGiven(W, card("SJ")))

    assert table.names == []


def test_a_second_card_in_the_place_of_the_first_is_the_first_put_right() -> None:
    table = second_deal((S, E, N, W), HIGH)
    table.tell(TributeGiven(W, card("AD")))
    table.tell(TributeGiven(W, card("SJ")))

    assert table.names == []
    assert card("AD") in held(table, W)
    assert card("SJ") not in held(table, W)


def test_return_is_taken_back_as_long_as_nobody_has_played() -> None:
    table = second_deal((S, E, N, W), HIGH)
    table.tell(TributeGiven(W, card("SJ")))
    table.tell(CardReturned(S, W, card("BJ")))
    wrong = table.record
    assert table.deal.turn is W

    table.rule(Judgement.TAKE_BACK, wrong)
    assert (table.deal.phase, table.deal.turn) == (Phase.TRIBUTE, None)
    table.tell(CardReturned(S, W, low(table, S)))
    assert table.names == []
    assert_all_cards_are_held(table)

    table.lay(W, low(table, W).text)
    before = table.match
    table.rule(Judgement.TAKE_BACK, wrong)
    assert table.match == before


def tribute_exchanged() -> tuple[Table, int]:
    """A single tribute of West that was too low, returned on; and the record of the tribute."""
    table = second_deal((S, E, N, W), HIGH)
    table.tell(TributeGiven(W, card("AD")))
    wrong = table.record
    table.tell(CardReturned(S, W, low(table, S)))
    return table, wrong


def test_tribute_is_put_right_after_the_return_too_and_nobody_is_accused_on_it() -> None:
    table, _ = tribute_exchanged()

    table.tell(TributeGiven(W, card("SJ")))

    assert table.names == []
    assert (table.deal.phase, table.deal.turn) == (Phase.PLAYING, W)
    assert_all_cards_are_held(table)
    assert table.lay(W, "AD") == []


def test_nothing_of_the_exchange_is_taken_back_after_the_first_trick_or_the_deal() -> None:
    table, wrong = tribute_exchanged()
    table.lay(W, low(table, W).text)
    table.passes(S, E, N)
    before = table.match
    table.rule(Judgement.TAKE_BACK, wrong)
    assert table.match == before

    table, wrong = tribute_exchanged()
    table.tell(FinishEntered((S, N), "scorer"))
    before = table.match
    table.rule(Judgement.TAKE_BACK, wrong)
    assert table.match == before


def test_a_leader_is_not_named_between_two_tricks() -> None:
    table, _ = tribute_exchanged()
    table.lay(W, low(table, W).text)
    table.passes(S, E, N)
    before = table.match

    table.tell(LeaderNamed(N, "referee"))
    assert table.match == before
    table.tell(LeaderDrawn(0, N))
    assert table.match == before


def test_a_lead_taken_back_opens_the_exchange_again() -> None:
    table = second_deal((S, E, N, W), HIGH)
    table.lay(W, low(table, W).text)

    table.rule(Judgement.TAKE_BACK, table.record)

    assert table.deal.phase is Phase.TRIBUTE
    table.tell(TributeGiven(W, card("SJ")))
    table.tell(CardReturned(S, W, low(table, S)))
    assert table.names == []
    assert_all_cards_are_held(table)


def test_a_return_to_the_rightful_payer_before_the_other_tribute_lies_is_right() -> None:
    table = second_deal((E, W), HIGH)
    table.tell(TributeGiven(S, card("BJ")))
    table.tell(CardReturned(E, S, low(table, E)))
    assert table.names == []
    table.tell(TributeGiven(N, card("KS")))
    table.tell(CardReturned(W, N, low(table, W)))

    assert table.names == []
    assert table.deal.turn is S
    assert_all_cards_are_held(table)


def test_a_return_that_a_later_tribute_shows_to_be_wrong_is_found_then() -> None:
    table = second_deal((E, W), HIGH)
    table.tell(TributeGiven(N, card("KS")))
    table.tell(CardReturned(E, N, low(table, E)))
    early = table.record
    table.tell(TributeGiven(S, card("BJ")))

    assert [(finding.name, finding.record) for finding in table.last] == [("tribute_pairing", early)]


def test_card_of_one_who_owes_nothing_makes_every_hand_unsure() -> None:
    table = second_deal((S, E, N, W), HIGH)
    table.tell(TributeGiven(N, card("KS")))
    assert table.deal.hands == dict.fromkeys(Seat)


def test_a_joker_shown_by_the_one_while_his_partner_holds_the_other_is_genuine() -> None:
    table = second_deal((E, W), {S: "BJ", N: "BJ"})
    table.tell(JokersShown((S,)))
    assert table.names == []
    assert table.deal.turn is E


def test_cards_that_went_face_down_stand_in_no_printed_state() -> None:
    table = second_deal((E, W), HIGH)
    table.tell(TributeGiven(S, card("BJ")))
    table.tell(TributeGiven(N, card("KS")))
    back = CardReturned(E, S, low(table, E))
    table.tell(back)

    assert "Card(" not in repr(back)
    assert "Card(" not in repr(table.match)


def test_a_tribute_taken_back_after_its_return_is_given_anew_and_the_return_stands() -> None:
    table = second_deal((E, W), HIGH)
    table.tell(TributeGiven(S, card("AS")))
    wrong = table.record
    table.tell(CardReturned(E, S, low(table, E)))
    table.rule(Judgement.TAKE_BACK, wrong)
    assert (table.deal.hand_sizes[E], table.deal.hand_sizes[S]) == (26, 28)

    table.tell(TributeGiven(S, card("BJ")))
    table.tell(TributeGiven(N, card("KS")))
    table.tell(CardReturned(W, N, low(table, W)))

    assert table.names == []
    assert table.deal.turn is S
    assert_all_cards_are_held(table)
