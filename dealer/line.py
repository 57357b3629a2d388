"""The line to a dealing machine: kept open, events delivered in order and once each, commands given until answered.

The line opens its address again whenever it is lost, asks for the events that it has not delivered, and gives every
pending command again under its number. What goes wrong becomes conditions (trouble.py), never an exception.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from dealer.alarm import Alarm
from dealer.clock import Clock
from dealer.conditions import CONDITIONS, fault_name
from dealer.errors import DeviceSilent, PortBusy, PortUnreadable, StreamLost
from dealer.identity import Identity, Meeting
from dealer.line_quality import LineQuality
from dealer.settings import LinkSettings
from dealer.transport import ByteStream, open_stream
from dealer.trouble import Troubles
from dealer.unanswered import Unanswered
from firmware_proto.errors import QueueFull
from firmware_proto.link import Deliver, Down, DownReason, Effect, Link, Role, Up, Write
from firmware_proto.messages import (
    PROTOCOL_VERSION,
    SCHEMA_HASH,
    Command,
    CommandResult,
    CommandStatus,
    DeviceState,
    Event,
    EventsFrom,
    EventsLost,
    Fault,
    FaultCleared,
    GetState,
    Heartbeat,
    Hello,
    HelloAck,
    Message,
    Reason,
    StateChanged,
    StateReport,
    Unknown,
)

log = structlog.stdlib.get_logger(__name__)

WAKE_S: Final = 0.25
"""The line is looked after at least this often, data or not."""

PAUSED_S: Final = 3.0
"""A pause longer than this is a condition; the table ends a pause after a lost link by itself in well under it."""

TOLD_S: Final = 5.0
"""Longest wait for the table to record that the machine was replaced, before that machine's events follow."""

_LINK_TROUBLES: Final = ("link_lost", "device_silent", "port_busy", "device_rejected")
_FAULTS: Final = tuple(name for name, kind in CONDITIONS.items() if kind.code < "C250" and kind.code[1] == "2")
_PASSING: Final = ("device_restarted", "device_replaced", "events_lost")
"""Conditions about the deal that was in the machine; they end with the next deal, or when it has been ready a while."""

READY_S: Final = 3.0
"""Time of being ready that ends them: long enough to be seen."""

_SELF_HEALING: Final = {DownReason.RESTARTED, DownReason.SESSION_LOST}
"""Ends after which the link begins a session by itself on the same line."""

RECALL_EVENTS: Final = 32
"""Events before the last consumed one that a starting consumer may look at again; a card makes three."""

DeliverEvent = Callable[[Message], Awaitable[None]]
RecallEvent = Callable[[Event], None]


class MachineLine:
    """The line to one machine, for one event loop. `run` keeps it."""

    def __init__(
        self,
        address: str | None,
        settings: LinkSettings,
        clock: Clock,
        on_up: Callable[[], None],
        *,
        simulator_only: bool,
    ) -> None:
        """`on_up` is called whenever the machine has answered anew. Other parameters as for DealingTable."""
        self.troubles = Troubles()
        self.machine = Identity(simulator_only=simulator_only)
        self.deal_no = 0
        self.delivered = 0
        """Number of the last event delivered."""
        self._address = address
        self._settings = settings
        self._clock = clock
        self._on_up = on_up
        hello = Hello(os.urandom(16), PROTOCOL_VERSION, SCHEMA_HASH)
        self._link = Link(Role.HOST, hello, Heartbeat(DeviceState.UNKNOWN, 0, 0, 0))
        self._stream: ByteStream | None = None
        self._alarm = Alarm()
        self._accepted = False
        self._over = False
        self._deliver: DeliverEvent | None = None
        self._recall: RecallEvent | None = None
        self._asking: int | None = None
        self._caught_up = False
        self._state = DeviceState.UNKNOWN
        self._state_since = 0.0
        self._up_since = 0.0
        self._last_event = 0.0
        self._quality = LineQuality()
        self._taken = asyncio.Event()
        self._unanswered = Unanswered()

    @property
    def is_up(self) -> bool:
        """Whether the machine answers and fits this program."""
        return self._accepted and self._link.up

    @property
    def state(self) -> DeviceState:
        """What the machine does, as of the last event delivered; UNKNOWN while it is not connected or catching up."""
        return self._state if self.is_up and self._caught_up else DeviceState.UNKNOWN

    def counts(self) -> dict[str, int]:
        """Frames both ways, frames repeated by this side and bad frames received, since the start."""
        stats = self._link.stats
        return {
            "frames": stats.frames_in + stats.frames_out,
            "retransmits": stats.retransmits,
            "bad_frames": stats.bad_frames,
        }

    def take_conditions(self) -> list[tuple[str, bool]]:
        """Changes of conditions since the last call, in order."""
        self._taken.set()
        return self.troubles.take()

    def acknowledge(self, event_no: int) -> None:
        """Everything up to this event is in the journal."""
        self._link.heartbeat = Heartbeat(DeviceState.UNKNOWN, 0, event_no, self._clock.monotonic_ns() // 10**6 % 2**32)

    async def command(self, build: Callable[[int], Command]) -> CommandResult:
        """Give one command, again after each reconnection under the same number, until it is answered.

        `build` makes the command from its number. Returns the first answer: accepted, done, rejected or failed.
        Raises DeviceSilent after the time that the settings give.
        """
        with self._unanswered.ask(build) as (message, answer):
            self._send(message)
            try:
                async with asyncio.timeout(self._settings.answer_s):
                    return await answer
            except TimeoutError:
                raise DeviceSilent(type(message).__name__, self._settings.answer_s) from None

    async def run(self, deliver: DeliverEvent, consumed: int, recall: RecallEvent | None) -> None:
        """Stay connected until cancelled; see DealingTable.run."""
        self._deliver = deliver
        self._recall = recall
        self.delivered = consumed
        self.acknowledge(consumed)
        if self._address is not None:
            await self._keep_connected(self._address)

    async def _keep_connected(self, address: str) -> None:
        wait_s = self._settings.retry_first_s
        while True:
            try:
                stream = await open_stream(address, self._settings.baud_bps, self._clock)
            except PortBusy as error:
                self._trouble("port_busy", str(error))
            except PortUnreadable as error:
                self._trouble("link_lost", str(error))
            else:
                if await self._converse(stream):
                    wait_s = self._settings.retry_first_s
            await self._clock.sleep(wait_s)
            wait_s = min(2 * wait_s, self._settings.retry_longest_s)

    async def _converse(self, stream: ByteStream) -> bool:
        """Talk over one open line until it is lost. Returns whether the machine ever answered."""
        sessions = self._link.stats.sessions
        self._stream = stream
        self._over = False
        try:
            await self._apply(self._link.open(self._now()))
            while not self._over:
                data = await self._read(stream)
                now = self._now()
                effects = self._link.receive(data, now) if data else []
                await self._apply(effects + self._link.tick(now))
                self._watch(self._now())
        except StreamLost as error:
            self._trouble("link_lost", str(error))
        finally:
            self._stream = None
            for effect in self._link.close():
                if isinstance(effect, Down):
                    self._went_down(effect.reason)
            await stream.close()
        return self._link.stats.sessions > sessions

    async def _read(self, stream: ByteStream) -> bytes:
        """Bytes from the line, or none when the link has something to do."""
        now = self._now()
        wake = self._link.next_wake(now)
        wait_s = WAKE_S if wake is None else min(WAKE_S, max(0.0, wake - now))
        return await self._alarm.read(stream, wait_s)

    async def _apply(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Write(data):
                    if self._stream is not None:
                        self._stream.write(data)
                case Deliver(message):
                    await self._hear(message)
                case Up(peer):
                    if isinstance(peer, HelloAck):
                        await self._came_up(peer)
                case Down(reason):
                    self._went_down(reason)

    def _send(self, message: Message) -> None:
        """Send if there is a session; what is pending goes out again with the next one."""
        if not self.is_up or self._stream is None:
            return
        try:
            for effect in self._link.send(message, self._now()):
                if isinstance(effect, Write):
                    self._stream.write(effect.data)
        except (StreamLost, QueueFull) as error:
            log.info("message not sent", message=type(message).__name__, reason=str(error))
        self._alarm.ring()

    # -- sessions ---------------------------------------------------------------------------------------------------

    async def _came_up(self, peer: HelloAck) -> None:
        why = self.machine.unfit(peer)
        if why is not None:
            self._trouble("device_rejected", why)
            self._over = True
            return
        self._accepted = True
        self._up_since = self._now()
        self.troubles.clear(_LINK_TROUBLES)
        log.info("machine connected", address=self._address, device=peer.device_id, firmware=peer.fw_version)
        meeting = self.machine.meet(peer, self.delivered)
        if meeting is Meeting.REPLACED:
            await self._replaced()
        elif meeting is Meeting.RESTARTED:
            self._trouble("device_restarted", f"boot {peer.boot_id}")
        self._ask_events()
        self._send(GetState(self._unanswered.next_id()))
        for command in self._unanswered.commands():
            self._send(command)
        self._on_up()

    async def _replaced(self) -> None:
        """Another machine, or one without its memory, counts its events anew. The journal has to know first."""
        self._taken.clear()
        self._trouble("device_replaced", f"device {self.machine.device_id}")
        self.delivered = 0
        self._recall = None
        self.acknowledge(0)
        try:
            async with asyncio.timeout(TOLD_S):
                await self._taken.wait()
        except TimeoutError:
            log.warning("replaced machine not recorded in time", device=self.machine.device_id)

    def _went_down(self, reason: DownReason) -> None:
        was_up, self._accepted = self._accepted, False
        self._caught_up = False
        self._asking = None
        if reason in _SELF_HEALING:
            log.info("session ended", address=self._address, reason=reason.value)
            return
        self._over = True
        if was_up and reason is not DownReason.CLOSED:
            self._trouble("link_lost", reason.value)
        elif reason is DownReason.NO_ACKNOWLEDGEMENT:
            self._trouble("device_silent", reason.value)

    # -- what the machine says --------------------------------------------------------------------------------------

    async def _hear(self, message: Message) -> None:
        match message:
            case CommandResult():
                self._answered(message)
            case (
                Heartbeat(state=state, deal_no=deal_no, head_event=head)
                | StateReport(state=state, deal_no=deal_no, head_event=head)
            ):
                if self._caught_up and head <= self.delivered:
                    self._stands(state)
                    self.deal_no = deal_no
            case EventsLost(first=first, last=last):
                if first <= self.delivered + 1 <= last:
                    self._trouble("events_lost", f"{self.delivered + 1} to {last}")
                    self.delivered = last
            case Unknown(type=kind):
                log.warning("unknown message", type=kind, device=self.machine.device_id)
            case _ if isinstance(message, Event):
                await self._happened(message)
            case _:
                log.warning("unexpected message", message=type(message).__name__, device=self.machine.device_id)

    def _answered(self, result: CommandResult) -> None:
        if result.cmd_id == self._asking:
            self._asking = None
            self._caught_up = result.status is CommandStatus.DONE
            if self._caught_up:
                self._recall = None
            else:
                if result.reason is not Reason.BUSY:
                    self._trouble("events_lost", f"the machine does not repeat its events ({result.reason.name})")
                self._over = True  # connecting anew asks again
            return
        if not self._unanswered.settle(result) and result.status is CommandStatus.FAILED:
            log.warning("order failed", reason=result.reason.name, device=self.machine.device_id)

    def _ask_events(self) -> None:
        self._asking = self._unanswered.next_id()
        back = RECALL_EVENTS if self._recall is not None else 0
        self._send(EventsFrom(self._asking, max(1, self.delivered + 1 - back)))

    async def _happened(self, event: Event) -> None:
        """Deliver an event if it is the next one. One that is ahead is asked for again with those before it."""
        if event.event_no <= self.delivered:
            if self._recall is not None:
                self._recall(event)
            return
        if event.event_no > self.delivered + 1:
            if self._asking is None:
                self._ask_events()
            return
        if self._deliver is not None:
            await self._deliver(event)
        self.delivered = event.event_no
        self._last_event = self._now()
        match event:
            case StateChanged(state=state):
                self._stands(state)
                if state is DeviceState.DEALING:
                    self.troubles.clear(_PASSING)
            case Fault(code=code):
                self._trouble(fault_name(code), f"fault {code}")
            case FaultCleared(code=code):
                self.troubles.set(fault_name(code), False)
            case _:
                pass

    def _stands(self, state: DeviceState) -> None:
        if state is not self._state:
            self._state = state
            self._state_since = self._now()
        if state is not DeviceState.FAULT:
            self.troubles.clear(_FAULTS)

    def _watch(self, now: float) -> None:
        """Conditions that time makes."""
        state = self.state
        if state is DeviceState.UNKNOWN:
            return
        if state is DeviceState.READY and now - max(self._state_since, self._up_since) >= READY_S:
            self.troubles.clear(_PASSING)
        paused = state is DeviceState.PAUSED and now - self._state_since >= PAUSED_S
        self.report("machine_paused", paused)
        quiet_since = max(self._last_event, self._state_since)
        self.report("no_events", state is DeviceState.DEALING and now - quiet_since >= self._settings.stall_s)
        poor = self._quality.judge(now, self.counts())
        if poor is not None:
            self.report("link_poor", poor)

    # -- small things -----------------------------------------------------------------------------------------------

    def _trouble(self, name: str, why: str) -> None:
        if self.troubles.set(name, True):
            log.warning("condition raised", condition=name, address=self._address, why=why)

    def report(self, name: str, stands: bool) -> None:
        """Say whether a condition stands."""
        if self.troubles.set(name, stands):
            log.warning("condition raised" if stands else "condition cleared", condition=name, address=self._address)

    def _now(self) -> float:
        return self._clock.monotonic_ns() / 1e9
