"""The pretend device: the machine behind a link and a wire, and the hooks by which players use it.

    async with Device(PtyWire(clock, link), clock, seed=1) as device:
        await device.wait_display(lambda shown: shown.mode is DisplayMode.TAKE_HANDS, 60)
        hand = device.take_hand(Seat.S)

All of it runs in one event loop; nothing here blocks, and a controller that comes, goes or talks nonsense raises
nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

from engine.cards import Card, Seat
from firmware_proto.link import Deliver, Effect, Link, LinkStats, Role, Write
from firmware_proto.messages import (
    EVENT_RING,
    NO_SEAT,
    PROTOCOL_VERSION,
    SCHEMA_HASH,
    BootCause,
    CommandResult,
    CommandStatus,
    DealStart,
    DeviceState,
    EventsFrom,
    Heartbeat,
    HelloAck,
    Key,
    Message,
    Reason,
    Zone,
)
from firmware_proto.plan import SEATS
from simulator import machine
from simulator.clock import Clock
from simulator.errors import DisplayTimeout
from simulator.machine import MachineState, Shown, Step
from simulator.mechanics import HeldPlan, face
from simulator.wire import Wire

FW_VERSION: Final = "sim-1.0"
LEVEL: Final = 4
"""Reads, then routes (PROTOCOL.md, capability levels)."""
SIMULATOR: Final = 0x01
"""The flag of HelloAck by which a controller knows that no real cards are at stake."""
MOST_OUTBOX: Final = 2 * EVENT_RING
"""Messages that may wait for the link: a full repetition beside a deal. With more, the session is given up."""
STALL_S: Final = 0.2
"""Lateness of this program after which bytes that have come meanwhile are read before silence is judged."""
CATCH_UP_S: Final = 0.05

SEAT_OF_NUMBER: Final = tuple(Seat(letter) for letter in SEATS)
"""Seat of a pocket or seat number on the wire."""
NUMBER_OF_SEAT: Final[Mapping[Seat, int]] = {seat: number for number, seat in enumerate(SEAT_OF_NUMBER)}

Stacker = Callable[[HeldPlan, tuple[int, ...]], tuple[int, ...]]
"""Gives the feed order to use for a plan, out of the order that shuffling left; the same cards, 0..107."""

_HEARD: Final = Heartbeat(DeviceState.UNKNOWN, 0, 0, 0)
"""Tells the machine that the host is there, whatever it said."""


class Device:
    """A dealing table's machine as its controller and its players meet it. Enter it to switch it on."""

    def __init__(
        self,
        wire: Wire,
        clock: Clock,
        *,
        seed: int,
        speed: float = 1.0,
        device_id: str = "sim-1",
        boot_id: int = 1,
        stacker: Stacker | None = None,
    ) -> None:
        """`speed` divides the times of mechanical movements, not those of the line or of silence.

        `stacker` lets a scenario decide who gets which card although the host chooses the seats.
        """
        self._wire = wire
        self._clock = clock
        self._device_id = device_id
        self._seed = seed
        self._stacker = stacker
        self._started = clock.now()
        self._state = machine.fresh(seed, self._started, speed=speed, boot_id=boot_id)
        self._machine_wake: float | None = None
        self._link = self._make_link()
        self._outbox: deque[Message] = deque()
        self._shown = machine.shown(self._state)
        self._waiters: list[tuple[Callable[[Shown], bool], asyncio.Future[Shown]]] = []
        self._nudge: asyncio.Future[None] | None = None
        self._group = asyncio.TaskGroup()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self._wire.start()
        await self._group.__aenter__()
        self._act(self._link.open(self._clock.now()))
        self._tasks = [
            self._group.create_task(self._wire.run(self._on_bytes)),
            self._group.create_task(self._run()),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        for _, future in self._waiters:
            future.cancel()
        await self._group.__aexit__(kind, error, trace)

    @property
    def address(self) -> str:
        """What a controller opens."""
        return self._wire.address

    @property
    def display(self) -> Shown:
        """What the players see. `seat` is a number on the wire; SEAT_OF_NUMBER translates."""
        return self._shown

    @property
    def display_seat(self) -> Seat | None:
        """The seat that the display names."""
        return None if self._shown.seat == NO_SEAT else SEAT_OF_NUMBER[self._shown.seat]

    @property
    def state(self) -> MachineState:
        """The machine at this instant, cards and all: the truth for tests and reports."""
        return self._state

    @property
    def hands(self) -> Mapping[Seat, tuple[Card, ...]]:
        """The hands of the last complete deal, in the order in which they fell; empty before the first."""
        return {
            SEAT_OF_NUMBER[number]: tuple(Card(face(card)) for card in cards)
            for number, cards in enumerate(self._state.dealt)
            if cards
        }

    @property
    def stats(self) -> LinkStats:
        """Counters of the link, over restarts too."""
        return self._link.stats

    @property
    def link_up(self) -> bool:
        """Whether a controller has a session."""
        return self._link.up

    async def wait_display(self, predicate: Callable[[Shown], bool], timeout_s: float) -> Shown:
        """Wait until the display shows what is wished, even if only for an instant; returns what it showed.

        Raises DisplayTimeout.
        """
        if predicate(self._shown):
            return self._shown
        future: asyncio.Future[Shown] = asyncio.get_running_loop().create_future()
        waiter = (predicate, future)
        self._waiters.append(waiter)
        try:
            if not await self._clock.wait(future, timeout_s):
                raise DisplayTimeout(timeout_s, self._shown.mode.name)
            return future.result()
        finally:
            self._waiters.remove(waiter)

    def take_hand(self, seat: Seat) -> tuple[Card, ...]:
        """A player takes his cards. Raises HandNotThere unless the pockets are open and his is full."""
        number = NUMBER_OF_SEAT[seat]
        hand = self._state.pockets[number]
        self._play(machine.take_hand(self._state, self._clock.now(), number))
        return tuple(Card(face(card)) for card in hand)

    def press(self, key: Key, seat: Seat, value: int = 0) -> None:
        """A player presses a key at his seat."""
        self._play(machine.press(self._state, self._clock.now(), key, NUMBER_OF_SEAT[seat], value))

    def return_cards(self, cards: Iterable[Card]) -> None:
        """Players put cards into the intake, all at once or in parts. Raises BadReturn for cards they do not have.

        The machine stacks them once the controller has sent Collect; Collected is the event that follows.
        """
        self._play(machine.put_back(self._state, self._clock.now(), [int(card) for card in cards]))

    def break_down(self, code: int, zone: Zone = Zone.UNKNOWN) -> None:
        """Something in the machine fails; `code` may be one that nobody knows."""
        self._play(machine.break_down(self._state, self._clock.now(), code, zone))

    def restart(self, cause: BootCause = BootCause.RESET) -> None:
        """The machine's controller starts again: the session is gone, the cards are where they were."""
        now = self._clock.now()
        self._started = now
        stats = self._link.stats
        self._outbox.clear()
        self._take(machine.restart(self._state, now, cause))
        self._link = self._make_link()
        self._link.stats = stats
        self._act(self._link.open(now))
        self._wake_up()

    async def unplug(self, seconds: float) -> None:
        """Pull the plug of the line and put it in again after so long."""
        await self._wire.unplug(seconds)

    # -- the loop ---------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Do what is due, when it is due."""
        loop = asyncio.get_running_loop()
        while True:
            now = self._clock.now()
            self._take(machine.update(self._state, now, None))
            self._act(self._link.tick(now))
            self._pump()
            self._nudge = loop.create_future()
            times = [time for time in (self._link.next_wake(now), self._machine_wake) if time is not None]
            wake = min(times, default=now + 1.0)
            await self._clock.wait(self._nudge, wake - now)
            if self._clock.now() - max(wake, now) > STALL_S:
                await self._clock.sleep(CATCH_UP_S)

    def _on_bytes(self, data: bytes) -> None:
        """Bytes have come from the controller."""
        now = self._clock.now()
        heard = self._link.last_heard
        effects = self._link.receive(data, now)
        if self._link.last_heard > heard:
            self._take(machine.update(self._state, now, _HEARD))
        self._act(effects)
        self._pump()
        self._wake_up()

    def _play(self, step: Step) -> None:
        """Take a step that a player or a mishap caused."""
        self._take(step)
        self._pump()
        self._wake_up()

    def _wake_up(self) -> None:
        """Make the loop look at its times again."""
        if self._nudge is not None and not self._nudge.done():
            self._nudge.set_result(None)

    def _take(self, step: Step) -> None:
        """Make a step of the machine the present: its messages wait for the link, its display shows."""
        self._state, messages, self._machine_wake = step
        if self._link.up:
            self._outbox.extend(messages)
        self._link.heartbeat = self._beat()
        shown = machine.shown(self._state)
        if shown != self._shown:
            self._shown = shown
            for predicate, future in self._waiters:
                if not future.done() and predicate(shown):
                    future.set_result(shown)

    def _act(self, effects: Iterable[Effect]) -> None:
        """Do what the link says."""
        for effect in effects:
            if isinstance(effect, Write):
                self._wire.write(effect.data)
            elif isinstance(effect, Deliver):
                self._deliver(effect.message)
            else:
                # A session begins or ends. Events are asked for by number, answers by cmd_id: none may linger.
                self._outbox.clear()

    def _deliver(self, message: Message) -> None:
        """Give a message of the host to the machine, unless it asks for more than can wait."""
        if isinstance(message, EventsFrom) and len(self._outbox) > EVENT_RING // 2:
            self._outbox.append(CommandResult(message.cmd_id, CommandStatus.REJECTED, Reason.BUSY))
            return
        if isinstance(message, DealStart):
            self._stack()
        self._take(machine.update(self._state, self._clock.now(), message))

    def _stack(self) -> None:
        """Let the scenario put the cards into another order, while all of them wait for a deal to begin."""
        state = self._state
        if self._stacker is None or state.plan is None or state.status is not DeviceState.READY:
            return
        hopper = self._stacker(state.plan, state.hopper)
        if sorted(hopper) != sorted(state.hopper):
            raise ValueError("a stacker gave back other cards than it was given")
        self._state = replace(state, hopper=hopper)

    def _pump(self) -> None:
        """Give the link what it has room for."""
        now = self._clock.now()
        if len(self._outbox) > MOST_OUTBOX:
            self._act(self._link.close())
            self._act(self._link.open(now))
        while self._outbox and self._link.up and self._link.room:
            self._act(self._link.send(self._outbox.popleft(), now))

    def _beat(self) -> Heartbeat:
        state = self._state
        uptime_ms = int((self._clock.now() - self._started) * 1000) & 0xFFFFFFFF
        return Heartbeat(state.status, state.deal_no, state.head_event, uptime_ms, state.boot_id)

    def _make_link(self) -> Link:
        """A link as it is after switching on."""
        boot_id = self._state.boot_id
        nonce = hashlib.sha256(f"{self._seed}:{boot_id}".encode()).digest()[:16]
        hello = HelloAck(
            nonce=nonce,
            device_id=self._device_id,
            fw_version=FW_VERSION,
            schema_hash=SCHEMA_HASH,
            boot_id=boot_id,
            head_event=self._state.head_event,
            level=LEVEL,
            flags=SIMULATOR,
            version=PROTOCOL_VERSION,
        )
        return Link(Role.DEVICE, hello, self._beat())
