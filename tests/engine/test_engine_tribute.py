"""Tribute, return and cut as pure functions, by the examples of RULEBOOKS 3.1 and 3.2."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_support import BOOK

from engine.cards import PLAY_ORDER, Card, Rank, Seat, parse_cards
from engine.cut import first_drawer, first_leader
from engine.rulebook_data import load_rulebook
from engine.tribute import Pairing, is_anti_tribute, pair_tributes, payers, return_options, tribute_options

S, E, N, W = Seat.parse("S"), Seat.parse("E"), Seat.parse("N"), Seat.parse("W")


NATIONAL, ONLINE = load_rulebook("national-2017"), load_rulebook("huaian-online")


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text.split())


def test_last_player_owes_even_to_his_own_partner() -> None:
    assert payers((E, S, N, W)) == (W,)


def test_both_losers_of_a_double_down_owe() -> None:
    assert set(payers((E, W))) == {S, N}
    assert set(payers((E, W, S, N))) == {S, N}


@pytest.mark.parametrize(
    ("owing", "jokers", "anti"),
    [
        ((S, N), {S: 1, N: 1}, True),
        ((S, N), {N: 2}, True),
        ((S, N), {N: 1, W: 1}, False),
        ((S,), {S: 1, N: 1}, False),
        ((S,), {S: 2}, True),
        ((S,), {}, False),
    ],
)
def test_anti_tribute_needs_both_big_jokers_with_those_who_owe(
    owing: tuple[Seat, ...], jokers: dict[Seat, int], anti: bool
) -> None:
    assert is_anti_tribute(owing, jokers, BOOK) is anti


def test_tribute_is_the_largest_card_but_never_a_wild() -> None:
    assert tribute_options(cards("7H 7S AD AC"), Rank.SEVEN) == cards("7S")
    assert set(tribute_options(cards("7H AD AC KS"), Rank.SEVEN)) == set(cards("AD AC"))
    assert tribute_options(cards("7H 7H"), Rank.SEVEN) == ()


def test_return_without_a_limit_may_be_any_card() -> None:
    assert set(return_options(cards("BJ 8H 3D"), Rank.EIGHT, S, W, NATIONAL)) == set(cards("BJ 8H 3D"))


@pytest.mark.parametrize(
    ("hand", "level", "may"),
    [
        ("BJ AS KD TC 9S 3D", Rank.TWO, "TC 9S 3D"),
        ("AS KD TC 5S 5H 4D", Rank.FIVE, "TC 4D"),
        ("AS TS 9C 8D", Rank.TEN, "9C 8D"),
        ("BJ AS QD 3S", Rank.THREE, "QD"),
        ("BJ AS KD QC JS JD", Rank.TWO, "JS JD"),
    ],
)
def test_return_up_to_ten_is_judged_in_point_order(hand: str, level: Rank, may: str) -> None:
    assert set(return_options(cards(hand), level, S, W, BOOK)) == set(cards(may))


def test_first_takes_the_larger_tribute() -> None:
    given = dict(zip((S, N), cards("AD SJ"), strict=True))

    assert pair_tributes(E, given, Rank.TWO, PLAY_ORDER, BOOK) == Pairing(N, S, leader=N)


@pytest.mark.parametrize(("first", "payer"), [(S, E), (E, N), (N, W), (W, S)])
def test_equal_tributes_go_clockwise(first: Seat, payer: Seat) -> None:
    given = dict(zip((payer, payer.partner), cards("7S 7C"), strict=True))

    assert pair_tributes(first, given, Rank.SEVEN, PLAY_ORDER, BOOK) == Pairing(payer, payer.partner, leader=payer)


def test_equal_tribute_tendered_first_goes_to_first_but_his_right_hand_neighbour_leads() -> None:
    given = dict(zip((S, N), cards("KS KD"), strict=True))

    assert pair_tributes(E, given, Rank.TWO, PLAY_ORDER, ONLINE) == Pairing(S, N, leader=N)


@pytest.mark.parametrize(
    ("rank", "drawer"), [(Rank.ACE, S), (Rank.TWO, E), (Rank.SEVEN, N), (Rank.JACK, N), (Rank.QUEEN, W), (Rank.KING, S)]
)
def test_count_of_the_cut_begins_with_the_cutter(rank: Rank, drawer: Seat) -> None:
    assert first_drawer(S, rank, PLAY_ORDER, BOOK) is drawer


def test_ace_counts_as_the_rulebook_says() -> None:
    assert first_drawer(S, Rank.ACE, PLAY_ORDER, replace(BOOK, ace_count=14)) is E


@pytest.mark.parametrize("name", ["huaian-online", "intro", "anqing-2015", "campus-2010"])
def test_card_that_only_names_the_leader_names_no_first_drawer(name: str) -> None:
    assert first_drawer(S, Rank.TWO, PLAY_ORDER, load_rulebook(name)) is None


def test_joker_names_no_first_drawer() -> None:
    assert first_drawer(S, Rank.BIG_JOKER, PLAY_ORDER, BOOK) is None


@pytest.mark.parametrize(("drawer", "index", "leader"), [(E, 0, E), (N, 37, W), (S, 107, W)])
def test_holder_of_the_turned_up_card_leads(drawer: Seat, index: int, leader: Seat) -> None:
    assert first_leader(drawer, index, PLAY_ORDER) is leader


def test_switches_change_what_may_go_back_who_leads_and_whether_jokers_cancel() -> None:
    hand = cards("BJ AS KD")
    assert return_options(hand, Rank.TWO, S, W, BOOK) == cards("KD")
    assert set(return_options(hand, Rank.TWO, S, W, replace(BOOK, return_fallback="any"))) == set(hand)
    leads_who_paid = replace(ONLINE, equal_double_leader="payer_to_first")
    given = {S: Card.parse("AS"), N: Card.parse("AH")}
    assert pair_tributes(E, given, Rank.TWO, PLAY_ORDER, leads_who_paid) == Pairing(S, N, leader=S)
    assert not is_anti_tribute((S,), {S: 2}, replace(BOOK, anti_tribute=None))
