"""Intake: sure readings become facts once, doubtful ones questions, and nobody is accused of what was not watched."""

from __future__ import annotations

import pytest

from dealer.intake import Intake, ZoneMemory, Zones, empty_zones, interpret, remember
from engine.advance import advance
from engine.cards import Card, Level, Rank, Seat, parse_cards
from engine.facts import (
    CardDealt,
    CardsLaid,
    CountReported,
    DealCompleted,
    DealStarted,
    Fact,
    HandConfirmed,
    HandTaken,
    LeaderDrawn,
    MatchStarted,
    Passed,
    ZoneCleared,
)
from engine.rulebook_data import load_rulebook
from engine.state import Match
from vision.observations import CardReading, Kind, Observation

BOOK = load_rulebook("competitive-2022")


def match_led_by(leader: Seat) -> Match:
    facts: list[Fact] = [
        MatchStarted(BOOK.id, BOOK.hash, BOOK.play_order),
        DealStarted(1, Level.TWO, None, "seeded", ""),
        *[CardDealt(index, tuple(Seat)[index % 4], None) for index in range(108)],
        DealCompleted(tuple((seat, 27) for seat in Seat)),
        LeaderDrawn(0, leader),
        *[HandTaken(seat) for seat in Seat],
        *[HandConfirmed(seat) for seat in Seat],
    ]
    match: Match | None = None
    for number, fact in enumerate(facts, 1):
        match = advance(match, fact, BOOK, number).state
    assert match is not None
    return match


def sure(text: str) -> CardReading:
    return CardReading(Card.parse(text), 0.99, ((Card.parse(text), 0.99),), 0.0)


def seen(seat: Seat, kind: Kind, *texts: str, initial: bool = False, count: int | None = None) -> Observation:
    return Observation(seat, kind, tuple(sure(t) for t in texts), count, 2_000, 1_000, 7, None, initial)


def zones_with(seat: Seat, *texts: str) -> Zones:
    return empty_zones() | {seat: ZoneMemory(parse_cards(texts))}


MATCH = match_led_by(Seat.E)


def test_sure_cards_become_a_play() -> None:
    assert interpret(seen(Seat.E, Kind.LAID, "9S", "9D"), empty_zones(), MATCH) == Intake(
        (CardsLaid(Seat.E, parse_cards(["9S", "9D"])),)
    )


@pytest.mark.parametrize("again", [("9D", "9S"), ("9S",)], ids=["squared up", "partly covered"])
def test_cards_that_lie_there_already_are_not_a_second_play(again: tuple[str, ...]) -> None:
    assert interpret(seen(Seat.E, Kind.LAID, *again), zones_with(Seat.E, "9S", "9D"), MATCH) == Intake()


def test_cards_added_to_a_play_are_a_question_not_an_accusation() -> None:
    intake = interpret(seen(Seat.E, Kind.LAID, "9S", "9D", "9C"), zones_with(Seat.E, "9S", "9D"), MATCH)

    assert intake.facts == ()
    assert intake.question is not None


def test_an_unsure_card_is_a_question_that_names_the_doubtful_place() -> None:
    doubtful = CardReading(Card.parse("8S"), 0.4, ((Card.parse("8S"), 0.4), (Card.parse("3S"), 0.3)), 20.0)
    unclear = Observation(Seat.E, Kind.UNCLEAR, (sure("9S"), doubtful), None, 2_000, 1_000, 7)

    intake = interpret(unclear, empty_zones(), MATCH)

    assert intake.facts == ()
    assert intake.question is not None
    assert intake.question.unsure == (1,)
    assert intake.question.candidates[1] == parse_cards(["8S", "3S"])


def test_after_blindness_only_the_seat_in_turn_has_acted() -> None:
    in_turn = interpret(seen(Seat.E, Kind.LAID, "9S", initial=True), empty_zones(), MATCH)
    other = interpret(seen(Seat.W, Kind.LAID, "9S", initial=True), empty_zones(), MATCH)

    assert in_turn.facts == (CardsLaid(Seat.E, parse_cards(["9S"])),)
    assert other.facts == ()
    assert other.question is not None


def test_a_pass_card_found_again_after_a_restart_is_the_pass_that_is_recorded() -> None:
    played = advance(MATCH, CardsLaid(Seat.E, parse_cards(["9S"])), BOOK, 50).state
    passed = advance(played, Passed(Seat.N), BOOK, 51).state
    zones = remember(empty_zones(), Passed(Seat.N))

    assert interpret(seen(Seat.N, Kind.PASS_SHOWN, initial=True), zones, passed) == Intake()
    assert interpret(seen(Seat.W, Kind.PASS_SHOWN, initial=True), zones, passed) == Intake((Passed(Seat.W),))


def test_every_showing_of_the_pass_card_is_a_pass() -> None:
    assert interpret(seen(Seat.N, Kind.PASS_SHOWN), empty_zones(), MATCH) == Intake((Passed(Seat.N),))


def test_a_report_card_is_reported_once() -> None:
    first = interpret(seen(Seat.E, Kind.REPORT_SHOWN, count=8), empty_zones(), MATCH)
    zones = remember(empty_zones(), CountReported(Seat.E, 8))

    assert first.facts == (CountReported(Seat.E, 8),)
    assert interpret(seen(Seat.E, Kind.REPORT_SHOWN, count=8), zones, MATCH) == Intake()


def test_an_empty_zone_is_news_only_if_cards_lay_there() -> None:
    assert interpret(seen(Seat.E, Kind.CLEARED), empty_zones(), MATCH) == Intake()
    assert interpret(seen(Seat.E, Kind.CLEARED), zones_with(Seat.E, "9S"), MATCH) == Intake((ZoneCleared(Seat.E),))


def test_nothing_is_a_fact_before_a_deal() -> None:
    assert interpret(seen(Seat.E, Kind.LAID, "9S"), empty_zones(), None) == Intake()


def test_the_level_rank_is_two_in_these_tests() -> None:
    assert MATCH.deal is not None
    assert MATCH.deal.level is Rank.TWO
