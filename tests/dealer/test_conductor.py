"""What the display shows and what the machine does next follow from how the table stands."""

from __future__ import annotations

import pytest

from dealer.conductor import Display, Step, display, next_step
from dealer.standing import Standing, fold_fact
from engine.cards import Level, Seat, parse_cards
from engine.facts import (
    CardDealt,
    CardsLaid,
    DealCompleted,
    DealStarted,
    Fact,
    HandConfirmed,
    HandTaken,
    Held,
    Judgement,
    LeaderDrawn,
    MatchStarted,
    Ruled,
    ZoneCleared,
)
from engine.rulebook_data import load_rulebook
from firmware_proto.messages import DeviceState, DisplayMode

BOOK = load_rulebook("competitive-2022")
STARTED: list[Fact] = [
    MatchStarted(BOOK.id, BOOK.hash, BOOK.play_order),
    DealStarted(1, Level.TWO, None, "seeded", ""),
]
DEALT: list[Fact] = [
    *STARTED,
    *[CardDealt(index, tuple(Seat)[index % 4], None) for index in range(108)],
    DealCompleted(tuple((seat, 27) for seat in Seat)),
]
LED: list[Fact] = [*DEALT, LeaderDrawn(0, Seat.E)]
TAKEN: list[Fact] = [*LED, *[HandTaken(seat) for seat in Seat]]
PLAYING: list[Fact] = [*TAKEN, *[HandConfirmed(seat) for seat in Seat]]


def after(facts: list[Fact]) -> Standing:
    standing = Standing("1", BOOK)
    for number, fact in enumerate(facts, 1):
        standing = fold_fact(standing, fact, number, {}, 0, "").standing
    return standing


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ([], Display(DisplayMode.IDLE)),
        (STARTED, Display(DisplayMode.DEALING)),
        (LED, Display(DisplayMode.TAKE_HANDS)),
        (TAKEN, Display(DisplayMode.COUNT)),
        (PLAYING, Display(DisplayMode.PLAY, Seat.E)),
        ([*PLAYING, Held("referee")], Display(DisplayMode.HOLD)),
    ],
)
def test_the_display_follows_the_deal(facts: list[Fact], shown: Display) -> None:
    assert display(after(facts), blind=False) == shown


def test_players_wait_while_the_camera_cannot_see() -> None:
    assert display(after(PLAYING), blind=True) == Display(DisplayMode.HOLD)


def test_a_play_ruled_to_go_back_is_asked_for_until_the_zone_is_empty() -> None:
    laid: list[Fact] = [*PLAYING, CardsLaid(Seat.E, parse_cards(["9S", "TS"]))]
    ruled: list[Fact] = [*laid, Ruled("1-1", len(laid), Seat.E, Judgement.TAKE_BACK, "referee")]

    assert display(after(ruled), blind=False) == Display(DisplayMode.TAKE_BACK, Seat.E)
    assert display(after([*ruled, ZoneCleared(Seat.E)]), blind=False) == Display(DisplayMode.PLAY, Seat.E)


@pytest.mark.parametrize(
    ("facts", "state", "in_machine", "step"),
    [
        ([], DeviceState.READY, 0, Step.BEGIN),
        ([], DeviceState.IDLE, 0, Step.NOTHING),
        (STARTED, DeviceState.READY, 0, Step.DEAL),
        (STARTED, DeviceState.PAUSED, 1, Step.RESUME),
        (DEALT, DeviceState.DEALT, 1, Step.CHECK),
        (LED, DeviceState.DEALT, 1, Step.PRESENT),
        (PLAYING, DeviceState.IN_PLAY, 1, Step.NOTHING),
    ],
)
def test_the_machine_does_the_step_that_the_record_calls_for(
    facts: list[Fact], state: DeviceState, in_machine: int, step: Step
) -> None:
    assert next_step(after(facts), state, in_machine, deals_wanted=1) is step


def test_no_second_deal_is_begun_unasked() -> None:
    assert next_step(after(PLAYING), DeviceState.READY, 1, deals_wanted=1) is Step.NOTHING
