"""The pretend dealing machine: what it does when a command comes, when time passes and when a player acts.

Pure: `update` and its siblings take a state and the time and give a state, the messages to send and when to call
again. A capable machine: it reads each face and routes each card (level 4 of PROTOCOL.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from firmware_proto.errors import BadPlan
from firmware_proto.messages import (
    NO_INDEX,
    NO_SEAT,
    Abort,
    Boot,
    BootCause,
    ClearFault,
    Collect,
    Command,
    CommandStatus,
    DealStart,
    DeviceState,
    Display,
    DisplayMode,
    EventsFrom,
    EventsLost,
    Fault,
    FaultCleared,
    GetState,
    HandTaken,
    Heartbeat,
    Key,
    KeyPressed,
    Message,
    Pause,
    Plan,
    Present,
    Reason,
    Resume,
    StateReason,
    StateReport,
    Unknown,
    Zone,
)
from firmware_proto.plan import SEATS, is_even, plan_hash, unpack_seats
from simulator.errors import BadReturn, HandNotThere
from simulator.mechanics import (
    NOTHING,
    HeldPlan,
    MachineState,
    Shown,
    Turn,
    face,
    fresh,
    next_due,
    places,
    shown,
)

__all__ = [
    "MachineState",
    "Shown",
    "Step",
    "break_down",
    "fresh",
    "places",
    "press",
    "put_back",
    "restart",
    "shown",
    "take_hand",
    "update",
]

Step = tuple[MachineState, list[Message], float | None]
"""The state after a step, the messages that it causes, and when to call `update` again."""

COMMAND_TYPES: Final = range(0x20, 0x40)
"""Type numbers of commands, for those that this machine does not know."""

_DEALT_STATES: Final = {DeviceState.DEALT, DeviceState.PRESENTED}
_MOVING_STATES: Final = {DeviceState.DEALING, DeviceState.PAUSED}


def update(state: MachineState, now: float, command: Message | None) -> Step:
    """Let time pass up to `now`, then obey a message of the host.

    Any message, a Heartbeat too, shows that the host is there; it counts before the time that has passed, so that
    a stall of this program is not taken for silence of the host. A repeated cmd_id is answered again and not
    obeyed again.
    """
    turn = Turn(state)
    if command is not None:
        turn.state = replace(turn.state, last_heard=now, holding=False)
    turn.run(now)
    match command:
        case None | Heartbeat():
            pass
        case Unknown(kind, payload) if kind in COMMAND_TYPES and len(payload) >= 4:
            turn.answer(int.from_bytes(payload[:4], "little"), CommandStatus.REJECTED, Reason.NOT_SUPPORTED)
        case (
            Plan() | DealStart() | Pause() | Resume() | Abort() | Present() | Collect() | Display() | EventsFrom()
            | GetState() | ClearFault()
        ):  # fmt: skip
            known = next((result for result in turn.state.results if result.cmd_id == command.cmd_id), None)
            if known is not None:
                turn.out.append(known)
            else:
                _obey(turn, now, command)
        case _:
            pass
    turn.run(now)
    return _step(turn)


def _step(turn: Turn) -> Step:
    return turn.state, turn.out, next_due(turn.state)


def _obey(turn: Turn, now: float, command: Command) -> None:
    """Carry a command out or reject it."""
    reason: Reason | None
    match command:
        case Plan():
            reason = _take_plan(turn, command)
        case DealStart():
            reason = _start_deal(turn, now, command)
        case Pause():
            reason = _pause(turn, now, command.cmd_id)
        case Resume():
            reason = _resume(turn, now, command)
        case Abort():
            reason = _abort(turn, now, command.cmd_id)
        case Present():
            reason = _present(turn, now, command)
        case Collect():
            reason = _collect(turn, now, command.cmd_id)
        case Display():
            reason = _display(turn, command)
        case EventsFrom():
            reason = _repeat_events(turn, command)
        case GetState():
            turn.out.append(report(turn.state))
            reason = Reason.NONE
        case ClearFault():
            reason = _clear_fault(turn, now)
    if reason is None:
        return
    turn.answer(command.cmd_id, CommandStatus.DONE if reason is Reason.NONE else CommandStatus.REJECTED, reason)


# Each of the following gives NONE (done), a reason to reject, or None when it has answered itself.


def _take_plan(turn: Turn, plan: Plan) -> Reason:
    state = turn.state
    if state.status in _MOVING_STATES or state.fault is not None:
        return Reason.WRONG_STATE
    if plan_hash(plan.seats) != plan.hash:
        return Reason.PLAN_HASH
    try:
        if not is_even(plan.seats):
            return Reason.PLAN_COUNTS
    except BadPlan:
        return Reason.PLAN_COUNTS
    turn.state = replace(state, plan=HeldPlan(plan.deal_no, unpack_seats(plan.seats), plan.hash))
    return Reason.NONE


def _start_deal(turn: Turn, now: float, start: DealStart) -> Reason | None:
    state = turn.state
    if state.status is not DeviceState.READY or start.expect_state is not state.status:
        return Reason.WRONG_STATE
    if state.plan is None:
        return Reason.NO_PLAN
    if state.plan.deal_no != start.deal_no:
        return Reason.WRONG_DEAL
    if state.plan.hash != start.plan_hash:
        return Reason.PLAN_HASH
    turn.state = replace(state, deal_no=start.deal_no, fed=0, deal_cmd=start.cmd_id, stop=None)
    turn.answer(start.cmd_id, CommandStatus.ACCEPTED)
    turn.enter(DeviceState.DEALING, StateReason.COMMAND)
    turn.feed(now)
    return None


def _pause(turn: Turn, now: float, cmd_id: int) -> Reason | None:
    state = turn.state
    if state.status is DeviceState.PAUSED:
        return Reason.NONE
    if state.status is not DeviceState.DEALING:
        return Reason.WRONG_STATE
    if state.work_cmd is not None:
        return Reason.BUSY
    turn.state = replace(state, stop=state.stop or StateReason.COMMAND, work_cmd=cmd_id)
    turn.answer(cmd_id, CommandStatus.ACCEPTED)
    turn.settle(now)
    return None


def _resume(turn: Turn, now: float, resume: Resume) -> Reason:
    if turn.state.status is not DeviceState.PAUSED:
        return Reason.WRONG_STATE
    if resume.expect_event != turn.state.head_event:
        return Reason.STALE_EVENT
    turn.enter(DeviceState.DEALING, StateReason.COMMAND)
    turn.feed(now)
    turn.settle(now)
    return Reason.NONE


def _abort(turn: Turn, now: float, cmd_id: int) -> Reason | None:
    state = turn.state
    if state.status in {DeviceState.IDLE, DeviceState.READY}:
        return Reason.NONE
    if state.status not in _MOVING_STATES | _DEALT_STATES:
        return Reason.WRONG_STATE
    if state.work_cmd is not None:
        return Reason.BUSY
    turn.state = replace(state, work_cmd=cmd_id, stop=StateReason.ABORTED)
    turn.answer(cmd_id, CommandStatus.ACCEPTED)
    if state.status is DeviceState.DEALING:
        turn.settle(now)
    else:
        turn.empty_pockets(now)
    return None


def _present(turn: Turn, now: float, present: Present) -> Reason | None:
    state = turn.state
    if state.deal_no != present.deal_no:
        return Reason.WRONG_DEAL
    if state.status is DeviceState.PRESENTED:
        return Reason.NONE
    if state.status is not DeviceState.DEALT:
        return Reason.WRONG_STATE
    if state.work_cmd is not None:
        return Reason.BUSY
    due = now + state.timing.present_s / state.speed
    turn.state = replace(state, work_cmd=present.cmd_id, work_due=due)
    turn.answer(present.cmd_id, CommandStatus.ACCEPTED)
    return None


def _collect(turn: Turn, now: float, cmd_id: int) -> Reason | None:
    state = turn.state
    if state.status is DeviceState.READY:
        return Reason.NONE
    if state.status not in {DeviceState.IN_PLAY, DeviceState.IDLE}:
        return Reason.BUSY if state.work_cmd is not None else Reason.WRONG_STATE
    turn.state = replace(state, work_cmd=cmd_id)
    turn.answer(cmd_id, CommandStatus.ACCEPTED)
    turn.enter(DeviceState.COLLECTING, StateReason.COMMAND)
    turn.wait_for_cards(now)
    return None


def _display(turn: Turn, display: Display) -> Reason:
    if display.mode is DisplayMode.UNKNOWN or display.seat not in {0, 1, 2, 3, NO_SEAT}:
        return Reason.BAD_VALUE
    turn.state = replace(turn.state, display=Shown(display.mode, display.seat, display.deal_no))
    return Reason.NONE


def _repeat_events(turn: Turn, wanted: EventsFrom) -> Reason:
    state = turn.state
    if wanted.event_no > state.head_event + 1:
        return Reason.STALE_EVENT
    oldest = state.head_event - len(state.events) + 1
    first = max(1, wanted.event_no)
    if first < oldest:
        turn.out.append(EventsLost(first, oldest - 1))
        first = oldest
    turn.out.extend(state.events[first - oldest :])
    return Reason.NONE


def _clear_fault(turn: Turn, now: float) -> Reason:
    state = turn.state
    if state.fault is None:
        return Reason.NONE
    code, waited = state.fault, now - state.fault_since
    dealing = state.before_fault in _MOVING_STATES
    turn.state = replace(
        state,
        fault=None,
        path=tuple(replace(carried, due=carried.due + waited) for carried in state.path),
        work_due=None if state.work_due is None else state.work_due + waited,
        stop=(state.stop or StateReason.FAULT) if dealing else state.stop,
    )
    turn.event(lambda number: FaultCleared(number, code))
    turn.enter(DeviceState.DEALING if dealing else state.before_fault, StateReason.COMMAND)
    turn.settle(now)
    if turn.state.work_due is None:
        turn.wait_for_cards(now)
    return Reason.NONE


def report(state: MachineState) -> StateReport:
    """Where the cards are, as the machine counts them."""
    s, e, n, w = (len(cards) for cards in state.pockets)
    return StateReport(
        state=state.status,
        reason=state.reason,
        deal_no=state.deal_no,
        fed=state.fed,
        hopper=len(state.hopper),
        path=len(state.path),
        pockets=(s, e, n, w),
        intake=len(state.intake),
        outside=len(state.outside),
        head_event=state.head_event,
        first_event=state.head_event - len(state.events) + 1,
    )


# ---- what people and mishap do to the machine -----------------------------------------------------------------


def take_hand(state: MachineState, now: float, seat: int) -> Step:
    """A player takes the cards out of his pocket. Raises HandNotThere unless the pockets are open and his is full."""
    turn = Turn(state)
    turn.run(now)
    hand = turn.state.pockets[seat]
    if turn.state.status is not DeviceState.PRESENTED or not hand:
        raise HandNotThere(SEATS[seat])
    s, e, n, w = (() if pocket == seat else cards for pocket, cards in enumerate(turn.state.pockets))
    turn.state = replace(turn.state, pockets=(s, e, n, w), outside=turn.state.outside + hand)
    turn.event(lambda number: HandTaken(number, state.deal_no, seat))
    if turn.state.pockets == NOTHING:
        turn.enter(DeviceState.IN_PLAY, StateReason.DONE)
    return _step(turn)


def press(state: MachineState, now: float, key: Key, seat: int, value: int) -> Step:
    """A player presses a key."""
    turn = Turn(state)
    turn.run(now)
    turn.event(lambda number: KeyPressed(number, key, seat, value))
    return _step(turn)


def put_back(state: MachineState, now: float, faces: Iterable[int]) -> Step:
    """Players put cards into the intake; they wait there until the machine collects. Raises BadReturn."""
    turn = Turn(state)
    turn.run(now)
    outside, back, missing = list(turn.state.outside), [], 0
    for wanted in faces:
        card = next((card for card in outside if face(card) == wanted), None)
        if card is None:
            missing += 1
        else:
            outside.remove(card)
            back.append(card)
    if missing:
        raise BadReturn(missing)
    turn.state = replace(turn.state, outside=tuple(outside), intake=turn.state.intake + tuple(back))
    turn.wait_for_cards(now)
    return _step(turn)


def break_down(state: MachineState, now: float, code: int, zone: Zone = Zone.UNKNOWN) -> Step:
    """A fault stops the motors where they are, until ClearFault. `code` may be a number that no list holds."""
    turn = Turn(state)
    turn.run(now)
    if turn.state.fault is None:
        index = turn.state.path[0].index if turn.state.path else NO_INDEX
        turn.state = replace(turn.state, fault=code, before_fault=turn.state.status, fault_since=now)
        turn.event(lambda number: Fault(number, code, zone, index))
        turn.enter(DeviceState.FAULT, StateReason.FAULT)
    return _step(turn)


def restart(state: MachineState, now: float, cause: BootCause) -> Step:
    """The controller of the machine starts again: display and command results are lost, cards and events are not.

    A deal that was running is PAUSED when the cards in the path have fallen.
    """
    turn = Turn(state)
    turn.run(now)
    boot_id = (turn.state.boot_id + 1) & 0xFFFFFFFF
    turn.state = replace(
        turn.state,
        boot_id=boot_id,
        last_heard=now,
        holding=False,
        results=(),
        deal_cmd=None,
        work_cmd=None,
        display=Shown(DisplayMode.IDLE),
    )
    turn.event(lambda number: Boot(number, boot_id, cause))
    if turn.state.status is DeviceState.DEALING:
        stop = StateReason.ABORTED if turn.state.stop is StateReason.ABORTED else StateReason.POWER_LOST
        turn.state = replace(turn.state, stop=stop)
        turn.settle(now)
    return _step(turn)
