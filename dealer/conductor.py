"""What the table's display should show and what the machine should do next, derived from how the table stands.

Pure. Steps name a wished state and are safe to ask for again, so a restart or a lost answer needs no memory here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from dealer.standing import Standing
from engine.cards import Seat
from engine.state import Deal, Phase
from firmware_proto.messages import DeviceState, DisplayMode

COUNTED = 4
"""Seats that have to take their hand and answer the 27-card question before play."""


@dataclass(frozen=True, slots=True)
class Display:
    """What the players are shown. `seat` is the seat meant, None where none is."""

    mode: DisplayMode
    seat: Seat | None = None

    def __str__(self) -> str:
        return self.mode.name.lower() + (f" {self.seat.value}" if self.seat is not None else "")


class Step(Enum):
    """The machine's next step."""

    NOTHING = auto()
    BEGIN = auto()
    """Draw a plan, record it, deal."""
    DEAL = auto()
    """The plan is recorded; the machine has not begun it."""
    RESUME = auto()
    """The machine paused in the deal that the record is in."""
    CHECK = auto()
    """All cards are in the pockets: record the counts and draw the leader."""
    PRESENT = auto()
    """Counts are right: open the pockets."""
    COLLECT = auto()
    """The deal is over: open the intake."""


def display(standing: Standing, blind: bool) -> Display:
    """What the players should be shown. `blind`: a camera should watch the play and cannot, so the players wait."""
    deal = standing.deal
    if deal is None:
        return Display(DisplayMode.IDLE)
    match deal.phase:
        case Phase.BEFORE:
            return Display(DisplayMode.IDLE)
        case Phase.DEALING:
            return Display(DisplayMode.DEALING)
        case Phase.TAKING:
            return _before_play(standing, deal)
        case Phase.TRIBUTE:
            return Display(DisplayMode.HOLD if standing.held or blind else DisplayMode.TRIBUTE)
        case Phase.PLAYING:
            return _in_play(standing, deal, blind)
        case Phase.OVER:
            return Display(DisplayMode.IDLE if standing.collected else DisplayMode.DEAL_OVER)


def _before_play(standing: Standing, deal: Deal) -> Display:
    if standing.held:
        return Display(DisplayMode.HOLD)
    if len(deal.taken) < COUNTED:
        return Display(DisplayMode.TAKE_HANDS)
    return Display(DisplayMode.COUNT)


def _in_play(standing: Standing, deal: Deal, blind: bool) -> Display:
    if standing.taking_back is not None:
        return Display(DisplayMode.TAKE_BACK, standing.taking_back)
    if standing.held or blind:
        return Display(DisplayMode.HOLD)
    if standing.questions:
        return Display(DisplayMode.ASK, next(iter(standing.questions.values())).seat)
    if deal.pending is not None and deal.pending.reason == "needs_declaration":
        return Display(DisplayMode.ASK, deal.pending.seat)
    return Display(DisplayMode.PLAY, deal.turn)


def counts_are_right(standing: Standing) -> bool:
    """Whether no fault of count (27 a seat, two whole packs) of this deal waits for a person."""
    wrong = {"hand_count", "deck_count"}
    return not any(
        alert.name in wrong and alert.deal == standing.deals_started and alert.status.is_open
        for alert in standing.alerts.values()
    )


def next_step(standing: Standing, state: DeviceState, machine_deal: int, deals_wanted: int) -> Step:
    """What the machine should do next. `machine_deal` is the number of the deal in the machine, 0 if none."""
    phase = standing.phase
    deal = standing.deal
    over = phase in {Phase.BEFORE, Phase.OVER}
    match state:
        case DeviceState.READY if over and standing.collected and standing.deals_started < deals_wanted:
            return Step.BEGIN
        case DeviceState.READY if phase is Phase.DEALING and machine_deal != standing.deals_started:
            return Step.DEAL
        case DeviceState.PAUSED if phase is Phase.DEALING:
            return Step.RESUME
        case DeviceState.DEALT if phase is Phase.TAKING and deal is not None:
            if deal.leader is None and deal.exchange is None:
                return Step.CHECK
            return Step.PRESENT if counts_are_right(standing) else Step.NOTHING
        case DeviceState.IN_PLAY | DeviceState.PRESENTED if phase is Phase.OVER and not standing.collected:
            return Step.COLLECT
        case _:
            return Step.NOTHING
