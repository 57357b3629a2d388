"""The loop of one table: device events, observations, commands and time come in; facts go into the journal.

One task takes one item at a time from one inbox, so everything that happens at a table has one order: the order of
its records. After each item the loop says over the wire what the display should show and what the machine should do.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final, assert_never

import structlog

from dealer import conductor
from dealer.clock import Clock
from dealer.command import (
    Command,
    StartDeal,
)
from dealer.conductor import Step
from dealer.deals import SYSTEM, WIRE_SEATS, Generator, draw_turned_up, pack_plan, plan_hash, seat_sequence
from dealer.device import DealingTable
from dealer.errors import Conflict, DealerError
from dealer.eyes import Eyes
from dealer.intake import interpret
from dealer.ledger import Entry, Ledger
from dealer.orders import facts_for
from dealer.record import Record
from dealer.standing import Standing
from dealer.views import PublicView, RefereeView, Surroundings, public_view, referee_view
from engine.cards import Card, Seat
from engine.facts import (
    CardDealt,
    CardsCollected,
    DealCompleted,
    DealStarted,
    Fact,
    HandConfirmed,
    HandTaken,
    Held,
    LeaderDrawn,
    MatchStarted,
)
from firmware_proto.messages import (
    UNREADABLE,
    CardDropped,
    CardRead,
    Collected,
    DealDone,
    Event,
    Key,
    KeyPressed,
    Message,
)
from firmware_proto.messages import HandTaken as HandTakenEvent
from vision.observations import CameraState, Observation

log = structlog.get_logger()

INBOX: Final = 1024
"""Items that may wait: three deals' worth of device events; a full inbox makes the device client wait."""

TICK_S: Final = 0.25

LOOK_AROUND_S: Final = 1.5
"""A camera that sees again gets this long to look at every zone before play goes on (settling takes 0.3 s)."""

FOREVER: Final = 1 << 31
"""More deals than a table ever plays."""


@dataclass(frozen=True, slots=True)
class _Asked:
    command: Command
    answer: asyncio.Future[Record]


@dataclass(frozen=True, slots=True)
class _Tick:
    pass


_Item = Message | Observation | CameraState | _Asked | _Tick


@dataclass(frozen=True, slots=True)
class TableWish:
    """How a table is to be run. `deals`: how many to deal by itself; None: only when asked."""

    id: str
    deals: int = 0
    generator: Generator = SYSTEM


class Table:
    """One table at run time."""

    def __init__(self, wish: TableWish, ledger: Ledger, device: DealingTable, eyes: Eyes | None, clock: Clock) -> None:
        self.id = wish.id
        self.journal = ledger.journal
        self._wish = wish
        self._wanted = wish.deals
        self._ledger = ledger
        self._device = device
        self._eyes = eyes
        self._clock = clock
        self._inbox: asyncio.Queue[_Item] = asyncio.Queue(INBOX)
        self._camera: CameraState | None = None
        self._seeing_since_ns = 0
        self._read: dict[int, int] = {}
        """Faces reported at the window by feed index, until the card has dropped. Secret."""
        self._boot = ""

    @property
    def standing(self) -> Standing:
        """How the table stands; every part of it is durable. Holds hands: for the composition root, not for screens."""
        return self._ledger.standing

    # -- what others see -----------------------------------------------------------------------------------

    def view_public(self) -> PublicView:
        """The table as anyone in the room may see it."""
        return public_view(self._ledger.standing, self._around())

    def view_referee(self) -> RefereeView:
        """The table as its referee sees it."""
        return referee_view(self._ledger.standing, self._around())

    def alerts(self) -> list[dict[str, Any]]:  # JSON objects
        """All alerts of this table, oldest first."""
        return [alert.to_json() for alert in self._ledger.standing.alerts.values()]

    def link_counts(self) -> dict[str, int]:
        """Frames, retransmits and bad frames since the start."""
        return self._device.counts()

    def _around(self) -> Surroundings:
        standing = self._ledger.standing
        since = None
        if standing.last_act_ns is not None and standing.last_act_boot == self._boot:
            since = max(0.0, (self._clock.monotonic_ns() - standing.last_act_ns) / 1e9)
        camera = self._camera
        return Surroundings(
            link_up=self._device.is_up,
            level=f"L{self._device.level}" if self._device.level is not None else None,
            camera_ok=camera is not None and camera.ok,
            camera_condition=camera.condition.value if camera is not None and camera.condition is not None else None,
            display=str(conductor.display(standing, self._is_blind())),
            mode="no_camera" if self._eyes is None else "full",
            since_act_s=since,
        )

    # -- what others ask -----------------------------------------------------------------------------------

    async def submit(self, command: Command) -> Record:
        """Carry out a person's command; returns the record that it made.

        Raises NotFound, Conflict or BadCommand; then nothing was recorded.
        """
        answer: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        await self._inbox.put(_Asked(command, answer))
        return await answer

    # -- the loop ------------------------------------------------------------------------------------------

    async def restore(self) -> None:
        """Fold the journal. Before `run`."""
        self._boot = await asyncio.to_thread(self._clock.boot)
        await self._ledger.restore()

    async def run(self) -> None:
        """Run until cancelled. `restore` first."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._device.run(self._inbox.put, self._ledger.standing.consumed, self._recall))
            if self._eyes is not None:
                group.create_task(self._eyes.run(self._inbox.put))
            group.create_task(self._ticks())
            group.create_task(self._loop())

    async def _ticks(self) -> None:
        while True:
            await self._clock.sleep(TICK_S)
            if self._inbox.empty():
                await self._inbox.put(_Tick())

    async def _loop(self) -> None:
        while True:
            item = await self._inbox.get()
            try:
                await self._take(item)
                await self._drive()
            except DealerError as error:
                log.warning("table item refused", table=self.id, item=type(item).__name__, error=str(error))
                if isinstance(item, _Asked) and not item.answer.done():
                    item.answer.set_exception(error)

    async def _take(self, item: _Item) -> None:
        match item:
            case Observation():
                await self._observe(item)
            case CameraState():
                await self._camera_says(item)
            case _Asked(command, answer):
                record = await self._obey(command)
                if not answer.done():
                    answer.set_result(record)
            case _Tick():
                pass
            case _:
                await self._device_says(item)

    # -- camera --------------------------------------------------------------------------------------------

    async def _observe(self, seen: Observation) -> None:
        standing = self._ledger.standing
        intake = interpret(seen, standing.zones, standing.match)
        if intake.question is not None:
            await self._ledger.ask(intake.question, seen.settled_ns, seen.still)
        if intake.facts:
            await self._ledger.write(
                [Entry(fact, "camera", settled_ns=seen.settled_ns, still=seen.still) for fact in intake.facts]
            )

    async def _camera_says(self, state: CameraState) -> None:
        if state.ok and (self._camera is None or not self._camera.ok):
            self._seeing_since_ns = self._clock.monotonic_ns()
        self._camera = state
        current = f"camera_{state.condition.value}" if state.condition is not None else None
        for name in [name for name in self._ledger.standing.conditions if name.startswith("camera_")]:
            if name != current:
                await self._ledger.condition(name, False, "camera")
        if current is not None:
            await self._ledger.condition(current, True, "camera")

    def _is_blind(self) -> bool:
        """Whether play would go unseen: no camera sees, or it has not looked at every zone since it sees again."""
        if self._eyes is None:
            return False
        if self._camera is None or not self._camera.ok:
            return True
        return self._clock.monotonic_ns() - self._seeing_since_ns < LOOK_AROUND_S * 1e9

    # -- machine -------------------------------------------------------------------------------------------

    async def _device_says(self, message: Message) -> None:
        match message:
            case CardRead():
                self._remember_face(message)
            case CardDropped(event_no=event, deal_no=_, index=index, pocket=pocket):
                number = self._read.pop(index, UNREADABLE)
                face = None if number == UNREADABLE else Card(number)
                await self._machine_fact(CardDealt(index, WIRE_SEATS[pocket], face), event)
            case DealDone(event_no=event, counts=counts):
                await self._deal_done(tuple(zip(WIRE_SEATS, counts, strict=True)), event)
            case HandTakenEvent(event_no=event, seat=seat):
                await self._machine_fact(HandTaken(WIRE_SEATS[seat]), event)
            case KeyPressed(event_no=event, key=Key.COUNT_OK, seat=seat, value=count):
                await self._machine_fact(HandConfirmed(WIRE_SEATS[seat], count), event)
            case KeyPressed(event_no=event, key=Key.CALL, seat=seat):
                await self._machine_fact(Held(f"player:{WIRE_SEATS[seat].value}"), event)
            case Collected(event_no=event, count=count):
                await self._machine_fact(CardsCollected(count), event)
            case _:
                pass

    def _recall(self, event: Event) -> None:
        """Look again at an event that is in the journal: a card may be read before the one ahead of it has dropped."""
        if isinstance(event, CardRead) and event.deal_no == self._ledger.standing.deals_started:
            self._remember_face(event)

    def _remember_face(self, event: CardRead) -> None:
        deal = self._ledger.standing.deal
        if deal is None or event.index not in deal.feed:
            self._read[event.index] = event.card

    async def _machine_fact(self, fact: Fact, event: int) -> None:
        await self._ledger.write([Entry(fact, "machine", event=event)])
        self._device.acknowledge(event)

    async def _deal_done(self, counts: tuple[tuple[Seat, int], ...], event: int) -> None:
        """Record the counts and, if nothing is wrong with them, the leader, in one go: no restart redraws it."""
        await self._machine_fact(DealCompleted(counts), event)
        await self._draw_leader()

    async def _draw_leader(self) -> None:
        standing = self._ledger.standing
        deal = standing.deal
        if deal is None or deal.leader is not None or not conductor.counts_are_right(standing):
            return
        faces = {index: card for index, (_, card) in deal.feed.items()}
        index = draw_turned_up(faces, standing.rulebook.redraw_on, self._wish.generator)
        await self._ledger.write([Entry(LeaderDrawn(index, deal.feed[index][0]), "machine")])

    async def _drive(self) -> None:
        standing = self._ledger.standing
        shown = conductor.display(standing, self._is_blind())
        self._device.show(shown.mode, WIRE_SEATS.index(shown.seat) if shown.seat is not None else None)
        for name, raised in self._device.take_conditions():
            await self._ledger.condition(name, raised, "machine")
        if not self._device.is_up:
            return
        match conductor.next_step(standing, self._device.state, self._device.deal_no, self._wanted):
            case Step.NOTHING:
                pass
            case Step.BEGIN:
                await self._begin_deal("system")
            case Step.DEAL:
                if self._ledger.plan is not None:
                    self._device.deal(standing.deals_started, self._ledger.plan)
            case Step.RESUME:
                self._device.resume()
            case Step.CHECK:
                await self._draw_leader()
            case Step.PRESENT:
                self._device.present()
            case Step.COLLECT:
                self._device.collect()
            case other:
                assert_never(other)

    async def _begin_deal(self, source: str) -> list[Record]:
        """Draw the seat sequence and record it, sealed, before the machine hears of it."""
        standing = self._ledger.standing
        plan = pack_plan(seat_sequence(self._wish.generator))
        number = standing.deals_started + 1
        self._read.clear()
        book = standing.rulebook
        level = book.first_level
        start = DealStarted(number, level, None, self._wish.generator.name, plan_hash(plan).hex())
        return await self._ledger.write(
            [
                # A match per deal until the camera watches tributes: each deal stands for itself (decision 0004).
                Entry(MatchStarted(book.id, book.hash, book.play_order, level, level), source),
                Entry(start, source, secret={"plan": plan.hex()}),
            ]
        )

    # -- people --------------------------------------------------------------------------------------------

    async def _obey(self, command: Command) -> Record:
        if isinstance(command, StartDeal):
            if (
                conductor.next_step(self._ledger.standing, self._device.state, self._device.deal_no, FOREVER)
                != Step.BEGIN
            ):
                raise Conflict("start_deal: the machine is not ready for a deal", "put all 108 cards into the machine")
            return (await self._begin_deal(f"person:{command.by}"))[-1]
        facts = facts_for(command, self._ledger.standing)
        records = await self._ledger.write([Entry(fact, f"person:{command.by}") for fact in facts])
        return records[0]
