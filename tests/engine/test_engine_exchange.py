"""Tribute and return at the table: who owes, what is found, whose hand holds what, who leads. RULEBOOKS 3.3."""

from __future__ import annotations

from random import Random

import pytest
from engine_support import BOOK, E, N, S, W, second_deal
from exchange_support import HIGH, assert_all_cards_are_held, card, held, low

from engine.cards import PACKS, Seat
from engine.facts import (
    CardReturned,
    CardsLaid,
    Fact,
    JokersShown,
    Judgement,
    LeaderNamed,
    Passed,
    TributeGiven,
)
from engine.findings import CATALOGUE
from engine.rulebook_data import load_rulebook
from engine.state import Phase

ANQING, NATIONAL, ONLINE = (load_rulebook(name) for name in ("anqing-2015", "national-2017", "huaian-online"))


def test_last_gives_his_largest_card_first_returns_one_and_last_leads() -> None:
    table = second_deal((S, E, N, W), HIGH)
    assert (table.names, table.detail) == (["tribute_due"], {"payers": "W"})
    assert (table.deal.phase, table.deal.turn) == (Phase.TRIBUTE, None)

    table.tell(TributeGiven(W, card("SJ")))
    assert table.names == []
    assert card("SJ") not in held(table, W)
    assert held(table, S).count(card("SJ")) == 1

    back = low(table, S)
    table.tell(CardReturned(S, W, back))

    assert table.names == []
    assert (table.deal.phase, table.deal.turn) == (Phase.PLAYING, W)
    assert back in held(table, W)
    assert_all_cards_are_held(table)


def test_after_a_double_down_the_larger_tribute_goes_to_first_and_its_payer_leads() -> None:
    table = second_deal((E, W), HIGH)
    table.tell(TributeGiven(N, card("KS")))
    table.tell(TributeGiven(S, card("BJ")))
    assert held(table, E).count(card("BJ")) == 2
    table.tell(CardReturned(W, N, low(table, W)))
    table.tell(CardReturned(E, S, low(table, E)))

    assert not table.all[1:]
    assert table.deal.turn is S
    assert_all_cards_are_held(table)


@pytest.mark.parametrize(("book", "taker"), [(BOOK, E), (ONLINE, W)], ids=["clockwise", "first_tendered"])
def test_equal_tributes_go_clockwise_or_to_first_by_time(book, taker) -> None:
    """East is first: his right-hand neighbour North leads either way (T-4, T-5)."""
    table = second_deal((E, W), {S: "AS", N: "AH", E: "BJ BJ SJ SJ"}, book)
    table.tell(TributeGiven(S, card("AS")))
    table.tell(TributeGiven(N, card("AH")))
    table.tell(CardReturned(taker, N, low(table, taker)))
    assert table.names == []
    table.tell(CardReturned(taker.partner, S, low(table, taker.partner)))

    assert table.names == []
    assert table.deal.turn is N
    assert_all_cards_are_held(table)


@pytest.mark.parametrize("hands", [{S: "BJ", N: "BJ"}, {N: "BJ BJ"}])
def test_both_big_jokers_of_those_who_owe_cancel_the_tribute(hands) -> None:
    table = second_deal((E, W), hands)
    assert table.names == ["tribute_due", "anti_tribute"]
    assert CATALOGUE["anti_tribute"].hidden
    assert table.deal.leader is None, "the display would tell who holds the jokers"

    table.tell(JokersShown(tuple(hands)))

    assert table.names == []
    assert (table.deal.phase, table.deal.turn) == (Phase.PLAYING, E)
    assert_all_cards_are_held(table)


def test_first_may_begin_at_once_where_the_jokers_were_shown_unseen() -> None:
    table = second_deal((E, W), {N: "BJ BJ"})

    assert table.lay(E, low(table, E).text) == []
    assert table.deal.turn is N


def test_jokers_that_were_not_dealt_cannot_be_shown() -> None:
    table = second_deal((E, W), {N: "BJ", E: "BJ"})

    table.tell(JokersShown((N, S)))

    assert table.names == ["card_not_in_hand"]
    assert table.last[0].seat is S
    assert table.deal.phase is Phase.TRIBUTE


def test_tribute_despite_both_jokers_is_noted_and_followed() -> None:
    table = second_deal((E, W), {N: "BJ", S: "BJ"})
    table.tell(TributeGiven(S, card("BJ")))
    assert table.names == ["tribute_due"]
    table.tell(TributeGiven(N, card("BJ")))
    assert table.names == []
    table.tell(CardReturned(E, N, low(table, E)))
    table.tell(CardReturned(W, S, low(table, W)))
    assert_all_cards_are_held(table)


@pytest.mark.parametrize(
    ("book", "finish", "returned", "wrong"),
    [
        (BOOK, (S, E, N, W), "BJ", True),
        (BOOK, (S, E, W, N), "JD", True),
        (NATIONAL, (S, E, N, W), "BJ", False),
        (NATIONAL, (S, E, W, N), "JD", True),
        (NATIONAL, (S, E, W, N), "2D", True),
        (NATIONAL, (S, E, W, N), "TD", False),
    ],
)
def test_return_above_ten_is_found_where_the_rulebook_limits_it(book, finish, returned, wrong) -> None:
    payer = finish[3]
    table = second_deal(finish, {S: "BJ JD TD 2D", payer: "BJ"}, book)
    table.tell(TributeGiven(payer, card("BJ")))

    table.tell(CardReturned(S, payer, card(returned)))

    assert table.names == (["return_wrong_card"] if wrong else [])
    assert table.deal.phase is Phase.PLAYING
    assert_all_cards_are_held(table)


def test_return_to_the_wrong_payer_is_found_and_the_hands_follow_the_cards() -> None:
    table = second_deal((E, W), HIGH)
    table.tell(TributeGiven(N, card("KS")))
    table.tell(TributeGiven(S, card("BJ")))

    table.tell(CardReturned(E, N, low(table, E)))
    assert (table.names, table.detail) == (["tribute_pairing"], {"expected": "S", "to": "N"})
    table.tell(CardReturned(W, S, card("AD")))

    assert "tribute_pairing" in table.names
    assert held(table, W).count(card("BJ")) == 1, "second took the tribute that he gave a card for"
    assert_all_cards_are_held(table)


def test_two_returns_to_one_payer_leave_hands_that_nobody_is_accused_on() -> None:
    table = second_deal((E, W), HIGH)
    table.tell(TributeGiven(N, card("KS")))
    table.tell(TributeGiven(S, card("BJ")))
    table.tell(CardReturned(E, S, low(table, E)))
    table.tell(CardReturned(W, S, low(table, W)))

    assert table.deal.hands == dict.fromkeys(Seat)
    assert table.deal.turn is S


def test_cards_that_were_not_dealt_cannot_be_given() -> None:
    table = second_deal((S, E, N, W), HIGH)
    table.tell(TributeGiven(W, card("BJ")))
    assert table.names == ["card_not_in_hand"]
    assert table.deal.hands[W] is None


def test_unread_hands_are_judged_by_the_wild_alone() -> None:
    table = second_deal((S, E, N, W), {W: "-", S: "-"})
    assert table.names == ["tribute_due"]
    assert table.deal.exchange is not None
    assert table.deal.exchange.anti is None

    table.tell(TributeGiven(W, card("3D")))
    assert table.names == []
    table.tell(TributeGiven(W, card("2H")))
    assert table.names == ["tribute_wrong_card"]
    table.tell(TributeGiven(W, card("AD")))
    table.tell(CardReturned(S, W, card("KD")))

    assert table.names == []
    assert table.deal.turn is W


def test_a_big_joker_in_another_hand_says_that_the_tribute_is_due() -> None:
    table = second_deal((S, E, N, W), {W: "-", N: "BJ"})
    assert table.deal.exchange is not None
    assert table.deal.exchange.anti is False


def test_one_who_owes_nothing_gives_a_card() -> None:
    table = second_deal((S, E, N, W), HIGH)

    table.tell(TributeGiven(N, card("KS")))

    assert (table.names, table.detail) == (["tribute_due"], {"owes": "nothing"})
    assert table.deal.phase is Phase.TRIBUTE


def test_play_before_the_exchange_is_done_goes_on_with_hands_unknown() -> None:
    table = second_deal((E, W), HIGH)
    table.tell(TributeGiven(N, card("KS")))

    assert table.lay(S, "AS") == ["tribute_due"]

    assert table.detail == {"owing": "S N"}
    assert table.deal.hands == dict.fromkeys(Seat)
    assert table.deal.hand_sizes[S] == 26
    assert table.deal.turn is E


def test_after_a_single_tribute_last_leads_even_if_the_camera_missed_the_exchange() -> None:
    table = second_deal((S, E, N, W), HIGH)

    assert table.lay(N, "KS") == ["tribute_due", "leader_wrong"]


def test_rulebook_without_tribute_lets_first_lead() -> None:
    table = second_deal((S, E, N, W), HIGH, ANQING)

    assert table.names == []
    assert (table.deal.phase, table.deal.turn) == (Phase.PLAYING, S)


def test_leader_that_a_person_names_comes_before_the_rule() -> None:
    table = second_deal((S, E, N, W), HIGH, ANQING)
    table.tell(LeaderNamed(N, "referee"))
    assert table.deal.turn is N
    table.lay(N, "KS")
    table.tell(LeaderNamed(S, "referee"))
    assert table.deal.leader is N

    table = second_deal((S, E, N, W), HIGH)
    table.tell(LeaderNamed(N, "referee"))
    table.tell(TributeGiven(W, card("SJ")))
    table.tell(CardReturned(S, W, low(table, S)))
    assert table.deal.turn is N


def test_a_pass_does_not_end_the_exchange() -> None:
    table = second_deal((S, E, N, W), HIGH)

    table.tell(Passed(W))

    assert table.deal.phase is Phase.TRIBUTE


@pytest.mark.parametrize("seed", range(60))
def test_any_facts_during_the_exchange_are_taken_and_sizes_stay_whole(seed: int) -> None:
    rng = Random(seed)
    finish = rng.choice([(E, W), (S, E, N, W), (N, E, W, S)])
    table = second_deal(finish, {seat: "-" if rng.random() < 0.2 else "" for seat in Seat} | {S: "BJ", N: "SJ"})
    for _ in range(12):
        seat, other, one = rng.choice(list(Seat)), rng.choice(list(Seat)), rng.choice(PACKS)
        hand = table.deal.hands[seat]
        one = rng.choice(hand) if hand else one
        facts: list[Fact] = [TributeGiven(seat, one), CardReturned(seat, other, one), JokersShown((seat, other))]
        fact = rng.choice(facts) if rng.random() < 0.9 else CardsLaid(seat, (one,))
        table.tell(fact)
        if rng.random() < 0.2:
            table.rule(Judgement.TAKE_BACK, rng.randrange(table.record))
        deal = table.deal
        for held_by, cards_held in deal.hands.items():
            assert cards_held is None or len(cards_held) == deal.hand_sizes[held_by], (seed, fact)
        laid = sum(len(act.cards) for act in (deal.trick.plays if deal.trick else ()))
        if deal.phase is Phase.PLAYING:
            assert sum(deal.hand_sizes.values()) + laid == 108
