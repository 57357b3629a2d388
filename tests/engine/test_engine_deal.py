"""Dealing, taking hands, and whole deals through `advance`."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from engine_support import BOOK, E, N, S, Table, W, cards, opening, play_out, playing, shuffled

from engine.advance import start
from engine.cards import PLAY_ORDER, Card, Level, Pair, Rank, Seat, parse_cards
from engine.facts import (
    Acknowledged,
    CardDealt,
    CardsCollected,
    CardsLaid,
    CountReported,
    DealCompleted,
    DealStarted,
    Dismissed,
    Fact,
    FinishEntered,
    HandConfirmed,
    HandTaken,
    Held,
    LeaderDrawn,
    MatchStarted,
    Resumed,
    ZoneCleared,
)
from engine.findings import Severity
from engine.state import Phase, Told

FULL = tuple((seat, 27) for seat in PLAY_ORDER)


def dealt(
    table: Table, feed: list[Card | None] | None = None, counts: tuple[tuple[Seat, int], ...] = FULL
) -> list[str]:
    """Deal number 1 at level 2 up to DealCompleted; returns the findings on that."""
    faces, seats = shuffled(Random(5))
    table.tell(MatchStarted(BOOK.id, BOOK.hash, PLAY_ORDER))
    table.tell(DealStarted(1, Level.TWO, None, "seeded", ""))
    for index, (seat, card) in enumerate(zip(seats, feed or faces, strict=True)):
        table.tell(CardDealt(index, seat, card))
    table.tell(DealCompleted(counts))
    return table.names


# -- dealing ----------------------------------------------------------------------------------------------------------


def test_right_deal_has_no_finding_and_known_hands() -> None:
    table = Table()

    assert dealt(table) == []

    assert table.deal.phase is Phase.TAKING
    assert table.deal.hand_sizes == dict.fromkeys(Seat, 27)
    assert all(hand is not None and len(hand) == 27 for hand in table.deal.hands.values())
    assert all(len(hand) == 27 for hand in table.deal.dealt.values())


def test_wrong_pocket_count_is_found_and_those_hands_are_not_relied_on() -> None:
    table = Table()

    assert dealt(table, counts=((S, 27), (E, 28), (N, 26), (W, 27))) == ["hand_count"]

    assert table.detail == {"E": "28", "N": "26"}
    assert [seat for seat in PLAY_ORDER if table.deal.hands[seat] is None] == [E, N]


def test_hands_that_are_really_too_long_or_short_are_not_relied_on() -> None:
    faces, seats = shuffled(Random(5))
    seats[seats.index(N)] = E
    table = Table()
    table.tell(DealStarted(1, Level.TWO, None, "seeded", ""))
    for index, (seat, card) in enumerate(zip(seats, faces, strict=True)):
        table.tell(CardDealt(index, seat, card))

    table.tell(DealCompleted(((S, 27), (E, 28), (N, 26), (W, 27))))

    assert table.names == ["hand_count"]
    assert [seat for seat in PLAY_ORDER if table.deal.hands[seat] is None] == [E, N]


def test_third_copy_of_a_face_is_found_when_all_cards_are_read() -> None:
    feed: list[Card | None] = list(shuffled(Random(5))[0])
    feed[0] = feed[1]
    table = Table()

    assert dealt(table, feed) == ["deck_count"]

    assert table.detail == {"faces_too_many": "1"}
    assert set(table.deal.hands.values()) == {None}


def test_unread_card_says_nothing_about_the_packs() -> None:
    faces, seats = shuffled(Random(5))
    feed: list[Card | None] = [*faces]
    feed[0] = None
    table = Table()

    assert dealt(table, feed) == []

    assert [seat for seat in Seat if table.deal.hands[seat] is None] == [seats[0]]


def test_machine_that_does_not_count_is_believed_to_deal_right() -> None:
    table = Table()

    assert dealt(table, [None] * 108, counts=()) == []
    assert table.deal.hand_sizes == dict.fromkeys(Seat, 27)


def test_play_begins_when_every_hand_is_taken_and_counted() -> None:
    table = Table()
    dealt(table)
    table.tell(LeaderDrawn(0, N))
    for seat in Seat:
        table.tell(HandTaken(seat))
    for seat in (S, E, N):
        table.tell(HandConfirmed(seat))
    assert table.deal.phase is Phase.TAKING
    assert table.deal.turn is None

    table.tell(HandConfirmed(W))

    assert table.deal.phase is Phase.PLAYING
    assert table.deal.turn is table.deal.leader is N


def test_player_who_counts_another_number_is_found_and_play_waits() -> None:
    table = Table()
    dealt(table)
    for seat in Seat:
        table.tell(HandTaken(seat))
        table.tell(HandConfirmed(seat, 26 if seat is E else 27))
        assert table.names == (["hand_count"] if seat is E else [])
    assert table.deal.phase is Phase.TAKING
    assert table.deal.hands[E] is None

    table.tell(HandConfirmed(E))

    assert table.deal.phase is Phase.PLAYING


def test_right_count_by_the_player_stands_over_the_machine() -> None:
    table = Table()
    dealt(table, counts=((S, 27), (E, 28), (N, 26), (W, 27)))

    table.tell(HandConfirmed(E, 27))

    assert table.deal.hand_sizes[E] == 27


def test_first_play_begins_even_if_confirmations_never_come() -> None:
    table = Table()
    dealt(table)
    table.tell(LeaderDrawn(0, N))

    assert table.passes(N) == []
    assert table.deal.phase is Phase.TAKING
    hand = table.deal.hands[N]
    assert hand is not None
    table.tell(CardsLaid(N, hand[:1]))
    assert table.last == ()
    assert table.deal.phase is Phase.PLAYING
    assert table.deal.turn is W


def test_drawn_leader_holds_the_lead_against_an_early_bird() -> None:
    table = Table()
    dealt(table)
    table.tell(LeaderDrawn(0, N))
    hand = table.deal.hands[S]
    assert hand is not None

    table.tell(CardsLaid(S, hand[:1]))

    assert table.names == ["first_leader"]


def test_hands_are_not_checked_without_the_machines_word() -> None:
    table = Table()
    table.tell(DealStarted(1, Level.TWO, None, "seeded", ""))

    assert table.lay(S, "BJ") == []
    assert table.deal.turn is E


def test_without_a_drawn_leader_whoever_begins_is_right() -> None:
    table = Table()
    dealt(table, [None] * 108)

    assert table.lay(W, "5S") == []
    assert table.trick.leader is W


@pytest.mark.parametrize("face", ["BJ", "SJ", "2H"])
def test_turned_up_card_that_has_to_be_redrawn_makes_no_leader(face: str) -> None:
    table = Table()
    dealt(table)
    index = next(i for i, (_, card) in table.deal.feed.items() if card == cards(face)[0])

    table.tell(LeaderDrawn(index, E))

    assert table.names == ["cut_redraw"]
    assert table.deal.leader is None


def test_leader_drawn_during_play_changes_nothing() -> None:
    table = playing(S)
    table.lay(S, "5S")
    before = table.match

    table.tell(LeaderDrawn(3, W))

    assert table.match == before


def test_facts_that_name_nothing_of_the_deal_change_nothing() -> None:
    table = playing(S)
    table.lay(S, "5S")
    before = table.match
    facts: list[Fact] = [
        ZoneCleared(S),
        Acknowledged("1-1", "referee"),
        Dismissed("1-1", "referee", "unfounded"),
        CardsCollected(108),
        CardDealt(3, S, None),
        DealCompleted(FULL),
        HandTaken(S),
        HandConfirmed(S, 20),
    ]

    for fact in facts:
        table.tell(fact)

        assert table.match == before
        assert table.last == ()


def test_hold_and_report_change_only_what_they_name() -> None:
    table = playing(S)
    before = table.deal

    table.tell(Held("player:S"))
    assert table.deal == replace(before, held=True)
    table.tell(Resumed("referee"))
    assert table.deal == before
    table.tell(CountReported(E, 10))
    assert table.deal == replace(before, reported={E: 10}, told={E: Told(10, 3, again=False)})


def test_match_order_that_is_none_gives_way_to_the_default() -> None:
    assert start(MatchStarted("core", "", (S, E, W, N))).play_order == PLAY_ORDER
    assert start(MatchStarted("core", "", (E, S, W, N))).play_order == (E, S, W, N)


def test_deal_past_a_is_played_at_a() -> None:
    table = Table()

    table.tell(DealStarted(1, Level.PAST_ACE, Pair.EW, "seeded", ""))

    assert table.deal.level is Rank.ACE


def test_person_ends_a_deal_that_was_not_played_by_its_finishing_order() -> None:
    table = Table()
    dealt(table)

    table.tell(FinishEntered((E, N, W, S), "referee"))

    assert table.names == ["finish_order", "level_change"]
    assert table.deal.finish == (E, N, W, S)
    assert table.deal.is_over


# -- whole deals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_lawful_deal_ends_without_a_finding_above_info(seed: int) -> None:
    random = Random(seed)
    table = Table()
    for fact in opening(random, Level(seed * 4)):
        table.tell(fact)

    play_out(table, random)

    serious = [f.name for f in table.all if f.kind.severity is not Severity.INFO and f.name != "needs_declaration"]
    assert serious == []
    assert table.deal.is_over
    assert len(table.deal.finish) == (2 if table.deal.double_down else 4)
    out = [seat for seat in Seat if table.deal.hand_sizes[seat] == 0]
    assert set(out) <= set(table.deal.finish)
    for seat in Seat:
        hand = table.deal.hands[seat]
        assert hand is not None
        assert len(hand) == table.deal.hand_sizes[seat]


def test_replay_gives_the_same_match_and_findings() -> None:
    random = Random(9)
    facts = opening(random)
    first = Table()
    for fact in facts:
        first.tell(fact)
    facts += play_out(first, random)

    again = Table()
    for fact in facts:
        again.tell(fact)

    assert again.match == first.match
    assert again.all == first.all


def test_hidden_cards_do_not_show_when_a_match_is_printed() -> None:
    table = Table()
    dealt(table)

    shown = repr(table.match)

    assert "Card(" not in shown


def test_a_third_copy_is_found_however_many_faces_were_not_read() -> None:
    faces, _ = shuffled(Random(5))
    feed: list[Card | None] = [parse_cards(["3S"])[0] if card.text == "4S" else card for card in faces]
    feed[feed.index(parse_cards(["KD"])[0])] = None
    table = Table()

    assert "deck_count" in dealt(table, feed)
    assert table.deal.hands == dict.fromkeys(Seat)


def test_a_hand_counted_wrong_leaves_no_hand_that_anybody_is_accused_on() -> None:
    table = Table()
    dealt(table)
    table.tell(HandConfirmed(S, 28))

    assert table.names == ["hand_count"]
    assert table.deal.hands == dict.fromkeys(Seat)
