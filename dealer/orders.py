"""From a person's command to facts, or to a refusal. Pure: the same standing gives the same answer."""

from __future__ import annotations

from typing import assert_never

from dealer.alerts import Alert
from dealer.command import (
    Acknowledge,
    Answer,
    Command,
    Declare,
    Dismiss,
    EnterFinish,
    Hold,
    Resume,
    Rule,
    StartDeal,
)
from dealer.errors import BadCommand, Conflict, NotFound
from dealer.standing import Standing
from engine.cards import Seat
from engine.facts import (
    Acknowledged,
    Answered,
    Declared,
    Dismissed,
    Fact,
    FinishEntered,
    Held,
    Judgement,
    Resumed,
    Ruled,
)
from engine.state import Phase


def facts_for(command: Command, standing: Standing) -> list[Fact]:
    """The facts that a command makes, in order. Raises NotFound, Conflict or BadCommand.

    A ruling or dismissal also ends the hold that it answers. `StartDeal` makes no fact: the loop draws a plan.
    """
    match command:
        case Hold(by, alert):
            _require_play(standing, "hold")
            if alert is not None:
                _open_alert(standing, alert)
            return [Held(by, alert)]
        case Resume(by):
            if not standing.held:
                raise Conflict("resume: the table is not held", "nothing has to be done")
            return [Resumed(by)]
        case Acknowledge(alert, by):
            _open_alert(standing, alert)
            return [Acknowledged(alert, by)]
        case Dismiss():
            return _dismiss(command, standing)
        case Rule(alert, judgement, by, penalty):
            found = _open_alert(standing, alert)
            return [Ruled(alert, found.cause, _seat(found), judgement, by, penalty), *_release(standing, by)]
        case Declare():
            return _declare(command, standing)
        case Answer(question, cards, by):
            if question not in standing.questions:
                raise NotFound(f"question {question}: not open", "see the open questions of the table")
            return [Answered(question, standing.questions[question].seat, cards, by)]
        case EnterFinish():
            return _enter_finish(command, standing)
        case StartDeal():
            return []
    assert_never(command)


def _dismiss(command: Dismiss, standing: Standing) -> list[Fact]:
    reason = command.reason.strip()
    if not reason:
        raise BadCommand("reason: empty", "say why the alert is unfounded")
    _open_alert(standing, command.alert)
    return [Dismissed(command.alert, command.by, reason), *_release(standing, command.by)]


def _declare(command: Declare, standing: Standing) -> list[Fact]:
    found = _open_alert(standing, command.alert)
    seat = _seat(found)
    if seat is None or command.reading.to_json() not in [dict(given) for given in found.readings]:
        raise BadCommand("reading: not one that these cards allow", "choose one of the alert's readings")
    return [
        Declared(seat, command.reading),
        Ruled(command.alert, found.cause, seat, Judgement.NOTED, command.by),
        *_release(standing, command.by),
    ]


def _enter_finish(command: EnterFinish, standing: Standing) -> list[Fact]:
    _require_play(standing, "finish")
    order = command.order
    if len(set(order)) != len(order) or len(order) not in {2, 4}:
        raise BadCommand(
            f"order {' '.join(seat.value for seat in order)}: not a finishing order",
            "name four different seats, or two after a double-down",
        )
    return [FinishEntered(order, command.by)]


def _release(standing: Standing, by: str) -> list[Fact]:
    return [Resumed(by)] if standing.held else []


def _require_play(standing: Standing, what: str) -> None:
    if standing.phase not in {Phase.TAKING, Phase.PLAYING}:
        raise Conflict(f"{what}: no deal is being played", "wait for the next deal")


def _open_alert(standing: Standing, alert: str) -> Alert:
    found = standing.alerts.get(alert)
    if found is None:
        raise NotFound(f"alert {alert}: unknown", "see the alerts of the table")
    if not found.status.is_open:
        raise Conflict(f"alert {alert}: already {found.status.value}", "nothing has to be done")
    return found


def _seat(alert: Alert) -> Seat | None:
    return Seat.parse(alert.seat) if alert.seat is not None else None
