"""The dealing machine as the table sees it: events in order and once each, orders that name a wished state.

Callers say what they want (`show`, `deal`, `present`, ...) as often as they like, and are never told about cables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import structlog

from dealer.clock import Clock
from dealer.errors import DeviceSilent
from dealer.line import DeliverEvent, MachineLine, RecallEvent
from dealer.settings import LinkSettings
from firmware_proto.messages import (
    NO_SEAT,
    Collect,
    Command,
    CommandResult,
    CommandStatus,
    DealStart,
    DeviceState,
    Display,
    DisplayMode,
    Plan,
    Present,
    Reason,
    Resume,
)
from firmware_proto.plan import plan_hash

log = structlog.stdlib.get_logger(__name__)

REPEAT_S: Final = 0.5
"""An order that was carried out is not given again for two heartbeats: until then the state shown may be older."""

AT_WORK_S: Final = 10.0
"""While its state stays the same, a machine that has taken an order, or is busy, gets this long to show the result
before the order is given again. Opening the pockets takes 4 s."""

REFUSED_S: Final = 1.0
"""A refused order is given again after this time, if it is still wished."""

REFUSALS: Final = 3
"""Refusals in a row that make a condition; a single one may be the machine changing its state at that moment."""


@dataclass(frozen=True, slots=True)
class _Order:
    """Something wished of the machine: commands to give in turn. Two orders with one `key` are the same wish."""

    name: str
    key: tuple[object, ...]
    commands: tuple[Callable[[int], Command], ...] = field(repr=False)


class DealingTable:
    """One dealing machine. `run` keeps it connected; everything else may be called at any time from the same loop."""

    def __init__(
        self, address: str | None, settings: LinkSettings, clock: Clock, *, simulator_only: bool = False
    ) -> None:
        """`address` as for `open_stream`; None: there is no machine. `simulator_only` refuses real machines."""
        self._clock = clock
        self._line = MachineLine(address, settings, clock, self._came_up, simulator_only=simulator_only)
        self._wished: Display | None = None
        self._shown: Display | None = None
        self._show_again = asyncio.Event()
        self._order: _Order | None = None
        self._order_busy = False
        self._order_after = 0.0
        self._at_work: tuple[DeviceState, float] | None = None
        """The state in which the machine went to work on the last order, and until when it is left to it."""
        self._ordered = asyncio.Event()
        self._refusals = 0

    async def run(self, deliver: DeliverEvent, consumed: int, recall: RecallEvent | None = None) -> None:
        """Stay connected until cancelled, delivering events after number `consumed` in order, each once.

        A `deliver` that waits makes the machine wait: it holds play at 1 s and pauses a deal at 2 s.
        `recall` is shown the last events up to `consumed` before the first delivery, perhaps more than once: a card
        may have been read before, and dropped after, the last event that is in the journal.
        """
        async with asyncio.TaskGroup() as group:
            group.create_task(self._line.run(deliver, consumed, recall))
            group.create_task(self._keep_shown())
            group.create_task(self._keep_orders())

    # -- what it is and how it stands ---------------------------------------------------------------------------

    @property
    def is_up(self) -> bool:
        """Whether the machine answers and fits this program."""
        return self._line.is_up

    @property
    def state(self) -> DeviceState:
        """What the machine does, as of the last event delivered; UNKNOWN while it is not connected or catching up."""
        return self._line.state

    @property
    def deal_no(self) -> int:
        """The deal in the machine, 0 if there is none."""
        return self._line.deal_no

    @property
    def device_id(self) -> str | None:
        """The machine's serial number; None before its first answer."""
        return self._line.machine.device_id

    @property
    def level(self) -> int | None:
        """Capability level 0..4 that the machine declared; None before its first answer."""
        return self._line.machine.level

    @property
    def is_simulator(self) -> bool | None:
        """Whether no real cards are at stake; None before the machine's first answer."""
        return self._line.machine.is_simulator

    def counts(self) -> dict[str, int]:
        """Frames both ways, frames repeated by this side and bad frames received, since the start."""
        return self._line.counts()

    def take_conditions(self) -> list[tuple[str, bool]]:
        """Conditions that came (True) or went (False) since the last call, in order; going may be told twice."""
        return self._line.take_conditions()

    def acknowledge(self, event_no: int) -> None:
        """Everything up to this event is in the journal."""
        self._line.acknowledge(event_no)

    # -- what is wished of it ---------------------------------------------------------------------------------------

    def show(self, mode: DisplayMode, seat: int | None) -> None:
        """The players should be shown this. Kept up over lost links; repeating it costs nothing."""
        wished = Display(0, mode, NO_SEAT if seat is None else seat, self.deal_no)
        if wished != self._wished:
            self._wished = wished
            self._show_again.set()

    def deal(self, deal_no: int, plan: bytes) -> None:
        """The cards should be dealt by this plan (27 bytes, secret)."""
        digest = plan_hash(plan)
        self._want(
            _Order(
                "deal",
                ("deal", deal_no, digest),
                (
                    lambda number: Plan(number, deal_no, plan, digest),
                    lambda number: DealStart(number, deal_no, digest, DeviceState.READY),
                ),
            )
        )

    def present(self) -> None:
        """The pockets should be open."""
        deal_no = self.deal_no
        self._want(_Order("present", ("present", deal_no), (lambda number: Present(number, deal_no),)))

    def collect(self) -> None:
        """The intake should be open for the played cards."""
        self._want(_Order("collect", ("collect", self.deal_no), (Collect,)))

    def resume(self) -> None:
        """A paused machine should go on; it does if this side has consumed all its events."""
        self._want(_Order("resume", ("resume",), (lambda number: Resume(number, self._line.delivered),)))

    async def command(self, build: Callable[[int], Command]) -> CommandResult:
        """Give one command; see MachineLine.command. Raises DeviceSilent."""
        return await self._line.command(build)

    def _want(self, order: _Order) -> None:
        if self._order is not None and self._order.key == order.key:
            if self._order_busy or self._now() < self._order_after or self._is_at_work():
                return
        elif self._order_busy:
            return  # one thing at a time; the table asks again
        self._order = order
        self._order_busy = True
        self._at_work = None
        self._ordered.set()

    def _is_at_work(self) -> bool:
        """Whether the machine is still to be left to the last order: its state changes when it has done it."""
        return self._at_work is not None and self.state is self._at_work[0] and self._now() < self._at_work[1]

    # -- keeping wishes ---------------------------------------------------------------------------------------------

    async def _keep_shown(self) -> None:
        """Give the display what is wished, the latest wish first, until the machine says that it is shown."""
        while True:
            await self._show_again.wait()
            self._show_again.clear()
            wished = self._wished
            if wished is None or wished == self._shown or not self.is_up:
                continue
            try:
                result = await self._line.command(partial(_renumbered, wished))
            except DeviceSilent:
                self._show_again.set()
                continue
            if result.status is CommandStatus.DONE:
                self._shown = wished
            else:
                log.warning("display refused", mode=wished.mode.name, reason=result.reason.name)
            if self._wished != wished:
                self._show_again.set()

    async def _keep_orders(self) -> None:
        while True:
            await self._ordered.wait()
            self._ordered.clear()
            order = self._order
            if order is not None:
                try:
                    wait_s = await self._carry_out(order)
                except DeviceSilent as error:
                    log.warning("order not answered", order=order.name, reason=str(error))
                    wait_s = REFUSED_S
                self._order_after = self._now() + wait_s
            self._order_busy = False

    async def _carry_out(self, order: _Order) -> float:
        """Give the commands of an order. Returns after how many seconds the same order makes sense again."""
        for build in order.commands:
            state = self.state
            result = await self._line.command(build)
            if result.status is CommandStatus.ACCEPTED or result.reason is Reason.BUSY:
                self._at_work = state, self._now() + AT_WORK_S
            if result.status in {CommandStatus.ACCEPTED, CommandStatus.DONE}:
                continue
            log.warning("order refused", order=order.name, reason=result.reason.name)
            if result.reason is not Reason.BUSY:
                self._refusals += 1
                self._line.report("order_refused", self._refusals >= REFUSALS)
            return REFUSED_S
        self._refusals = 0
        self._line.report("order_refused", False)
        log.info("order accepted", order=order.name, deal=self.deal_no)
        return REPEAT_S

    def _came_up(self) -> None:
        self._shown = None
        self._at_work = None  # a machine that was restarted has forgotten its order
        self._show_again.set()

    def _now(self) -> float:
        return self._clock.monotonic_ns() / 1e9


def _renumbered(display: Display, number: int) -> Display:
    return replace(display, cmd_id=number)
