"""Positions as text: what is printed reads back, and a position taken out of a deal goes on as that deal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_support import BOOK, E, N, S, Table, W, cards, said, second_deal
from hypothesis import given, settings
from hypothesis import strategies as st
from position_support import EXAMPLE, middle_of, position_of

from engine.advance import advance
from engine.cards import Level, Pair, Rank, Seat
from engine.facts import CardReturned, CardsLaid, JokersShown, Passed, TributeGiven
from engine.legal import legal_for
from engine.position import Position, Standing, write_position
from engine.position_reader import parse_position
from engine.position_setup import set_up
from engine.state import Deal, Match, Phase

MIDDLES = st.builds(middle_of, st.integers(0, 10_000), st.integers(0, 90)).filter(
    lambda match: match.deal is not None and not match.deal.is_over and match.deal.pending is None
)
SEATS = st.frozensets(st.sampled_from(list(Seat)))


def seen(deal: Deal | None) -> tuple[object, ...]:
    """What a position tells of a deal."""
    assert deal is not None
    assert deal.trick is not None
    best = deal.trick.current
    standing = (best.seat, best.cards, best.reading, deal.trick.passes) if best is not None else None
    return deal.phase, deal.level, deal.declarer, deal.hand_sizes, deal.finish, deal.turn, standing


def test_example_reads_as_it_says_and_prints_the_same() -> None:
    position = parse_position(EXAMPLE)

    assert position == Position(
        rulebook="competitive-2022",
        level=Rank.FIVE,
        levels={Pair.EW: Level.FIVE, Pair.NS: Level.TWO},
        declarer=Pair.EW,
        hands={S: cards("3S 3D 9C"), E: cards("7S 7H")},
        sizes={W: 12},
        laid=cards("9H 9D TS TH"),
        out=(N,),
        reported={E: 7},
        current=Standing(S, cards("6S 6H"), next(iter(said("pair 6")))),
        turn=E,
        notes=("East has two sevens left and is to play.",),
    )
    assert write_position(position) == EXAMPLE


@settings(max_examples=40)
@given(MIDDLES, SEATS)
def test_position_out_of_a_deal_reads_back_and_prints_the_same(match: Match, unknown: frozenset[Seat]) -> None:
    position = position_of(match, unknown)

    text = write_position(position)

    assert parse_position(text) == position
    assert write_position(parse_position(text)) == text


@settings(max_examples=40)
@given(MIDDLES)
def test_position_out_of_a_deal_goes_on_as_that_deal(match: Match) -> None:
    set_up_again = set_up(position_of(match), BOOK).state
    assert match.deal is not None
    turn = match.deal.turn
    assert turn is not None

    assert seen(set_up_again.deal) == seen(match.deal)
    assert legal_for(set_up_again, turn, BOOK) == legal_for(match, turn, BOOK)
    for fact in [Passed(turn), *(CardsLaid(turn, play.cards) for play in legal_for(match, turn, BOOK)[:3])]:
        here, there = advance(set_up_again, fact, BOOK), advance(match, fact, BOOK)
        assert seen(here.state.deal) == seen(there.state.deal)


def test_lines_stand_in_any_order_and_empty_ones_say_nothing() -> None:
    head, *rest = EXAMPLE.splitlines()
    shuffled = "\r\n".join([head, "", *reversed(rest), ""])

    assert parse_position(shuffled) == parse_position(EXAMPLE)


def test_meaning_may_be_left_out_where_there_is_only_one() -> None:
    assert parse_position(EXAMPLE.replace(" = pair 6", "")) == parse_position(EXAMPLE)


def test_hands_of_those_who_are_not_known_stay_unknown() -> None:
    deal = set_up(parse_position(EXAMPLE), BOOK).state.deal

    assert deal is not None
    assert (deal.hands[W], deal.hand_sizes[W]) == (None, 12)
    assert (deal.hands[N], deal.hand_sizes[N]) == ((), 0)
    assert deal.reported == {E: 7}


def before_play(finish: tuple[Seat, ...], hands: dict[Seat, str]) -> tuple[Position, Table]:
    """A position in which tribute is due, and a table that stands so."""
    table = second_deal(finish, hands)
    held = {seat: hand for seat, hand in table.deal.hands.items() if hand is not None}
    unread = {seat: 27 for seat in Seat if seat not in held}
    pair = finish[0].pair
    return Position(BOOK.id, Rank.TWO, declarer=pair, previous=finish, hands=held, sizes=unread), table


def test_exchange_goes_as_far_as_it_is_told_and_as_at_a_table() -> None:
    position, table = before_play((E, N, W, S), {S: "AS AH BJ", E: "3D"})
    for given_so_far in (TributeGiven(S, *cards("BJ")), CardReturned(E, S, *cards("3D"))):
        table.tell(given_so_far)
        position = replace(position, given=(*position.given, given_so_far))

        outcome = set_up(parse_position(write_position(position)), BOOK)

        deal = outcome.state.deal
        assert deal is not None
        assert (deal.phase, deal.hands, deal.turn) == (table.deal.phase, table.deal.hands, table.deal.turn)
        assert outcome.findings == ()
    assert deal.phase is Phase.PLAYING
    assert deal.turn is S


def test_tribute_that_is_not_the_largest_is_a_finding_and_no_contradiction() -> None:
    position, _ = before_play((E, N, W, S), {S: "AS AH BJ"})

    outcome = set_up(replace(position, given=(TributeGiven(S, *cards("AS")),)), BOOK)

    assert [finding.name for finding in outcome.findings] == ["tribute_wrong_card"]


def test_jokers_shown_cancel_the_tribute_and_first_leads() -> None:
    position, _ = before_play((E, W), {S: "BJ", N: "BJ"})

    deal = set_up(replace(position, given=(JokersShown((S, N)),)), BOOK).state.deal

    assert deal is not None
    assert (deal.phase, deal.turn) == (Phase.PLAYING, E)


def test_hand_that_is_not_known_may_give_any_card() -> None:
    position, _ = before_play((E, N, W, S), {S: "-"})

    outcome = set_up(replace(position, given=(TributeGiven(S, *cards("BJ")),)), BOOK)

    assert outcome.findings == ()


@pytest.mark.parametrize("order", ["S E N W", "E S W N"])
def test_turn_follows_the_order_of_play(order: str) -> None:
    after = {"S E N W": "E", "E S W N": "W"}[order]
    text = EXAMPLE.replace("order S E N W", f"order {order}").replace("turn E", f"turn {after}")

    assert parse_position(text).turn is Seat(after)
