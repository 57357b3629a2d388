"""What moves inside the pretend dealing machine: cards, time and the events that its sensors cause.

Source of the timing: research on dealing machines, club profile, four cards a second. Every one of the 108 cards
is in exactly one place: hopper, path, a pocket, outside (with the players) or intake; `places` proves it.

The state is a value; with the same seed and the same calls it takes the same course.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from firmware_proto.messages import (
    EVENT_RING,
    NO_SEAT,
    PLAN_CARDS,
    RESULT_RING,
    Boot,
    BootCause,
    CardDropped,
    CardFed,
    CardRead,
    Collected,
    CommandResult,
    CommandStatus,
    DealDone,
    DeviceState,
    DisplayMode,
    Event,
    Message,
    Reason,
    StateChanged,
    StateReason,
)

HOLD_AFTER_S: Final = 1.0
"""Silence of the host after which the display asks the players to wait."""
PAUSE_AFTER_S: Final = 2.0
"""Silence of the host after which dealing stops at the next card boundary."""


@dataclass(frozen=True, slots=True)
class Span:
    """A duration: mean and standard deviation in seconds; a draw stays within three deviations."""

    mean_s: float
    deviation_s: float

    def draw(self, source: random.Random) -> float:
        spread = max(-3.0, min(3.0, source.gauss(0.0, 1.0)))
        return max(0.001, self.mean_s + spread * self.deviation_s)


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the machine's movements take."""

    feed: Span
    """Roller ramp to grip, hopper to entry sensor."""
    read: Span
    """Past the entry sensor, to the window, expose, recognise; the next card starts when this ends."""
    drop: Span
    """Set the gate, window to pocket sensor."""
    present_s: float
    stack_s: float
    """From the last card in the intake to a stacked hopper."""
    patience_s: float
    """Waiting for further cards in the intake while some are outside."""


CLUB: Final = Timing(
    feed=Span(0.040 + 0.060, 0.013),
    read=Span(0.060 + 0.068 + 0.027, 0.009),
    drop=Span(0.035 + 0.110, 0.016),
    present_s=4.0,
    stack_s=4.0,
    patience_s=30.0,
)
"""108 cards in about 27.7 s."""


class Stage(Enum):
    """Where a card in the path is."""

    FEEDING = "feeding"
    READING = "reading"
    DROPPING = "dropping"


@dataclass(frozen=True, slots=True)
class Carried:
    """A card in the path; `due` is when its stage ends."""

    card: int
    index: int
    stage: Stage
    due: float


@dataclass(frozen=True, slots=True)
class Shown:
    """What the display shows. `seat` is 0..3 (S E N W) or NO_SEAT."""

    mode: DisplayMode
    seat: int = NO_SEAT
    deal_no: int = 0


@dataclass(frozen=True, slots=True)
class HeldPlan:
    """A plan in the machine's memory, checked when it came."""

    deal_no: int
    seats: tuple[int, ...]
    hash: bytes


Four = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
NOTHING: Final[Four] = ((), (), (), ())


@dataclass(frozen=True, slots=True)
class MachineState:
    """The machine at one instant. Cards are physical numbers 0..107; the face is the number divided by two."""

    seed: int
    speed: float
    timing: Timing
    boot_id: int
    last_heard: float
    hopper: tuple[int, ...]
    """Feed order, next card first."""
    draws: int = 0
    status: DeviceState = DeviceState.READY
    reason: StateReason = StateReason.POWER_ON
    path: tuple[Carried, ...] = ()
    pockets: Four = NOTHING
    outside: tuple[int, ...] = ()
    intake: tuple[int, ...] = ()
    dealt: Four = NOTHING
    """The hands of the last complete deal, as they fell."""
    plan: HeldPlan | None = None
    deal_no: int = 0
    fed: int = 0
    stop: StateReason | None = None
    """Why no further card is fed; takes effect when the path is empty."""
    deal_cmd: int | None = None
    """The DealStart that is being carried out."""
    work_cmd: int | None = None
    """The Pause, Abort, Present or Collect that is being carried out."""
    work_due: float | None = None
    """When presenting or stacking ends."""
    fault: int | None = None
    before_fault: DeviceState = DeviceState.UNKNOWN
    fault_since: float = 0.0
    display: Shown = Shown(DisplayMode.IDLE)
    """What the host last asked for; see `shown`."""
    holding: bool = False
    results: tuple[CommandResult, ...] = ()
    events: tuple[Event, ...] = ()
    head_event: int = 0


def face(card: int) -> int:
    """The face 0..53 of a physical card."""
    return card // 2


def shown(state: MachineState) -> Shown:
    """What the players see: HOLD while the host is silent, whatever it asked for before."""
    return replace(state.display, mode=DisplayMode.HOLD) if state.holding else state.display


def places(state: MachineState) -> dict[int, str]:
    """Card -> place. Raises AssertionError unless each of the 108 cards is in exactly one place."""
    found: dict[int, str] = {}
    groups = {"hopper": state.hopper, "outside": state.outside, "intake": state.intake}
    groups |= {f"pocket {'SENW'[seat]}": cards for seat, cards in enumerate(state.pockets)}
    groups["path"] = tuple(carried.card for carried in state.path)
    for place, cards in groups.items():
        for card in cards:
            assert card not in found, f"card in {place} and {found[card]}"
            found[card] = place
    assert set(found) == set(range(PLAN_CARDS)), f"{PLAN_CARDS - len(found)} cards are nowhere"
    return found


def silence_due(state: MachineState) -> float | None:
    """When silence of the host has its next consequence."""
    if not state.holding:
        return state.last_heard + HOLD_AFTER_S
    if state.status is DeviceState.DEALING and state.stop is None:
        return state.last_heard + PAUSE_AFTER_S
    return None


def next_due(state: MachineState) -> float | None:
    """When something happens next without anybody's doing."""
    times = [] if state.fault is not None else [carried.due for carried in state.path]
    if state.work_due is not None and state.fault is None:
        times.append(state.work_due)
    silence = silence_due(state)
    if silence is not None:
        times.append(silence)
    return min(times, default=None)


class Turn:
    """One step of the machine: the state as it changes and the messages that it causes."""

    def __init__(self, state: MachineState) -> None:
        self.state = state
        self.out: list[Message] = []

    def event(self, make: Callable[[int], Event]) -> None:
        """Number an event, keep it in the ring and send it."""
        number = self.state.head_event + 1
        event = make(number)
        self.state = replace(self.state, head_event=number, events=(*self.state.events, event)[-EVENT_RING:])
        self.out.append(event)

    def enter(self, status: DeviceState, reason: StateReason) -> None:
        """Change the state of the device and say so."""
        self.state = replace(self.state, status=status, reason=reason)
        self.event(lambda number: StateChanged(number, status, reason))

    def answer(self, cmd_id: int, status: CommandStatus, reason: Reason = Reason.NONE) -> None:
        """Answer a command and remember the answer; the oldest finished ones are forgotten."""
        result = CommandResult(cmd_id, status, reason)
        results = [*(known for known in self.state.results if known.cmd_id != cmd_id), result]
        while len(results) > RESULT_RING:
            finished = (at for at, known in enumerate(results) if known.status is not CommandStatus.ACCEPTED)
            results.pop(next(finished, 0))
        self.state = replace(self.state, results=tuple(results))
        self.out.append(result)

    def finish_work(self) -> None:
        """Answer DONE to the Pause, Abort, Present or Collect that is being carried out."""
        cmd_id = self.state.work_cmd
        self.state = replace(self.state, work_cmd=None, work_due=None)
        if cmd_id is not None:
            self.answer(cmd_id, CommandStatus.DONE)

    def source(self) -> random.Random:
        """A generator of its own for each draw, so that the state stays a value."""
        self.state = replace(self.state, draws=self.state.draws + 1)
        return random.Random(f"{self.state.seed}:{self.state.draws}")

    def take_time(self, span: Span) -> float:
        """Seconds that a movement takes this time."""
        return span.draw(self.source()) / self.state.speed

    def run(self, now: float) -> None:
        """Let everything happen that is due by `now`, in order."""
        while (due := next_due(self.state)) is not None and due <= now:
            self._happen(due)

    def _happen(self, due: float) -> None:
        """Let one thing happen that is due."""
        if silence_due(self.state) == due:
            if not self.state.holding:
                self.state = replace(self.state, holding=True)
            else:
                self.state = replace(self.state, stop=StateReason.LINK_LOST)
                self.settle(due)
        elif self.state.work_due == due:
            self._work_done()
        else:
            self._move(next(carried for carried in self.state.path if carried.due == due))

    def feed(self, now: float) -> None:
        """Start the next card if dealing and the window is free."""
        state = self.state
        dropping = all(carried.stage is Stage.DROPPING for carried in state.path)
        if state.status is DeviceState.DEALING and state.stop is None and state.hopper and dropping:
            due = now + self.take_time(state.timing.feed)
            carried = Carried(state.hopper[0], state.fed, Stage.FEEDING, due)
            self.state = replace(self.state, hopper=state.hopper[1:], path=(*state.path, carried), fed=state.fed + 1)

    def _move(self, carried: Carried) -> None:
        """Bring a card to its next stage."""
        state = self.state
        deal_no, index = state.deal_no, carried.index
        rest = tuple(other for other in state.path if other is not carried)
        if carried.stage is Stage.FEEDING:
            due = carried.due + self.take_time(state.timing.read)
            self.state = replace(self.state, path=(*rest, replace(carried, stage=Stage.READING, due=due)))
            self.event(lambda number: CardFed(number, deal_no, index))
        elif carried.stage is Stage.READING:
            due = carried.due + self.take_time(state.timing.drop)
            self.state = replace(self.state, path=(*rest, replace(carried, stage=Stage.DROPPING, due=due)))
            self.event(lambda number: CardRead(number, deal_no, index, face(carried.card)))
            self.feed(carried.due)
        else:
            self._drop(carried, rest)

    def _drop(self, carried: Carried, rest: tuple[Carried, ...]) -> None:
        """Let a card fall into the pocket that the plan names."""
        assert self.state.plan is not None
        seat = self.state.plan.seats[carried.index]
        s, e, n, w = (
            (*cards, carried.card) if pocket == seat else cards for pocket, cards in enumerate(self.state.pockets)
        )
        self.state = replace(self.state, path=rest, pockets=(s, e, n, w))
        count, deal_no = len(self.state.pockets[seat]), self.state.deal_no
        self.event(lambda number: CardDropped(number, deal_no, carried.index, seat, count))
        self.settle(carried.due)

    def settle(self, now: float) -> None:
        """With an empty path: the deal is done, or a wished stop takes effect."""
        state = self.state
        if state.status is not DeviceState.DEALING or state.path:
            return
        if state.fed == PLAN_CARDS and state.stop is not StateReason.ABORTED:
            s, e, n, w = (len(cards) for cards in state.pockets)
            self.state = replace(self.state, dealt=state.pockets, stop=None)
            self.event(lambda number: DealDone(number, state.deal_no, (s, e, n, w)))
            self.enter(DeviceState.DEALT, StateReason.DONE)
            self.finish_deal(CommandStatus.DONE, Reason.NONE)
            if state.work_cmd is not None:
                self.finish_work()
        elif state.stop is StateReason.ABORTED:
            self.empty_pockets(now)
        elif state.stop is not None:
            reason = state.stop
            self.state = replace(self.state, stop=None)
            self.enter(DeviceState.PAUSED, reason)
            self.finish_work()

    def finish_deal(self, status: CommandStatus, reason: Reason) -> None:
        """Answer the DealStart that is being carried out."""
        cmd_id = self.state.deal_cmd
        self.state = replace(self.state, deal_cmd=None)
        if cmd_id is not None:
            self.answer(cmd_id, status, reason)

    def empty_pockets(self, now: float) -> None:
        """Give a deal up: what is in the pockets goes to the intake."""
        cards = tuple(card for pocket in self.state.pockets for card in pocket)
        self.state = replace(self.state, pockets=NOTHING, intake=self.state.intake + cards, stop=None)
        self.finish_deal(CommandStatus.FAILED, Reason.ABORTED)
        self.enter(DeviceState.COLLECTING, StateReason.ABORTED)
        self.wait_for_cards(now)

    def wait_for_cards(self, now: float) -> None:
        """While collecting: stack when all cards are in, or after patience when no more come."""
        timing = self.state.timing
        if self.state.status is DeviceState.COLLECTING and (self.state.intake or not self.state.outside):
            wait_s = timing.patience_s if self.state.outside else timing.stack_s
            self.state = replace(self.state, work_due=now + wait_s / self.state.speed)

    def _work_done(self) -> None:
        """Presenting or stacking ends."""
        if self.state.status is DeviceState.DEALT:
            self.enter(DeviceState.PRESENTED, StateReason.DONE)
        else:
            stack = list(self.state.hopper + self.state.intake)
            self.source().shuffle(stack)
            self.state = replace(self.state, hopper=tuple(stack), intake=(), fed=0, deal_no=0)
            self.event(lambda number: Collected(number, len(stack)))
            full = len(stack) == PLAN_CARDS
            self.enter(DeviceState.READY if full else DeviceState.IDLE, StateReason.DONE)
        self.finish_work()


def fresh(seed: int, now: float, *, speed: float = 1.0, timing: Timing = CLUB, boot_id: int = 1) -> MachineState:
    """A machine that was switched on with 108 shuffled cards in its hopper. Its first two events are in the ring."""
    stack = list(range(PLAN_CARDS))
    random.Random(f"{seed}:0").shuffle(stack)
    turn = Turn(MachineState(seed, speed, timing, boot_id, now, tuple(stack)))
    turn.event(lambda number: Boot(number, boot_id, BootCause.POWER_ON))
    turn.enter(DeviceState.READY, StateReason.POWER_ON)
    return turn.state
