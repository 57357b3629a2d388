"""A table at observation level: real journal, real bytes over TCP, simulated people; a camera room that never errs.

The stand-in for the camera looks at the simulated scene itself: loop, rules and record are tested without pixels.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from dealer.clock import SystemClock
from dealer.deals import Generator
from dealer.device import DealingTable
from dealer.eyes import Eyes
from dealer.journal import Journal
from dealer.ledger import Ledger
from dealer.seal import Sealer
from dealer.settings import LinkSettings
from dealer.standing import Standing
from dealer.table import Table, TableWish
from engine.cards import Seat
from engine.rulebook_data import load_rulebook
from simulator.clock import RealClock
from simulator.device import Device
from simulator.game import Game
from simulator.hands import Hands
from simulator.people import PACES, People
from simulator.scenarios import SCENARIOS
from simulator.table import FaceUp, ReportSign, Scene
from simulator.wire import TcpWire
from vision.observations import CameraState, CardReading, Kind, Message, Observation

BOOK = load_rulebook("competitive-2022")
SPEED = 10.0
HASTE = 10.0
"""People of this table live so many times as fast: no camera has to follow their hands."""
PATIENCE_S = 600.0
"""In their own time; nobody acts unasked because the machine that runs the test is busy."""


class HastyClock(RealClock):
    """The monotonic clock; waiting is shorter than it says."""

    def now(self) -> float:
        return super().now() * HASTE

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds / HASTE)

    async def wait(self, future: asyncio.Future[Any], seconds: float) -> bool:
        return await super().wait(future, seconds / HASTE)


@dataclass
class KeenEyes:
    """Tells every change of a zone as soon as the hand has left it."""

    clock: SystemClock
    heard: asyncio.Queue[Message] = field(default_factory=asyncio.Queue)
    told: dict[Seat, tuple[object, bool, int | None]] = field(default_factory=dict)

    def look(self, scene: Scene) -> None:
        for seat in Seat:
            place = scene.at(seat)
            if place.hand is not None:
                continue
            cards = tuple(lying.shown.card for lying in place.play if isinstance(lying.shown, FaceUp))
            sign = place.report.shown if place.report is not None else None
            count = sign.count if isinstance(sign, ReportSign) else None
            now = (cards, place.passing is not None, count)
            before = self.told.get(seat, ((), False, None))
            if now == before:
                continue
            self.told[seat] = now
            if cards != before[0]:
                self._tell(seat, Kind.LAID if cards else Kind.CLEARED, cards)
            if now[1] != before[1]:
                self._tell(seat, Kind.PASS_SHOWN if now[1] else Kind.PASS_GONE)
            if count is not None and count != before[2]:
                self._tell(seat, Kind.REPORT_SHOWN, count=count)

    def _tell(self, seat: Seat, kind: Kind, cards: tuple[Any, ...] = (), count: int | None = None) -> None:
        read = tuple(CardReading(card, 1.0, ((card, 1.0),), 0.0) for card in cards)
        now = self.clock.monotonic_ns()
        self.heard.put_nowait(Observation(seat, kind, read, count, now, now, 0))

    async def run(self, deliver: Callable[[Message], Awaitable[None]]) -> None:
        await deliver(CameraState(True, None, 10.0, 10.0, self.clock.monotonic_ns()))
        while True:
            await deliver(await self.heard.get())


class Memory:
    """Keeps the simulator's account."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    async def write(self, line: Any) -> None:
        self.lines.append(dict(line))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["kind"] == kind]


@dataclass
class Observed:
    """A running table and who plays at it."""

    table: Table
    account: Memory
    people: People
    device: Device


async def open_table(folder: Path, address: str, eyes: KeenEyes | None, deals: int = 1) -> Table:
    clock = SystemClock()
    sealer = await asyncio.to_thread(Sealer.open, folder / "key" / "seal.key")
    journal = await Journal.open(folder / "journal.db", clock)
    ledger = Ledger(journal, sealer.of("1"), Standing("1", BOOK))
    wish = TableWish("1", deals, Generator("seeded", random.Random(4)))
    device = DealingTable(address, LinkSettings(), clock, simulator_only=True)
    table = Table(wish, ledger, device, cast(Eyes | None, eyes), clock)  # KeenEyes behaves like Eyes
    await table.restore()
    return table


@asynccontextmanager
async def observed_table(folder: Path, scenario: str, seed: int) -> AsyncIterator[Observed]:
    """A table with people at it; the caller awaits `people.run(1)`."""
    clock = RealClock()
    kind = SCENARIOS[scenario]
    eyes = KeenEyes(SystemClock())
    account = Memory()
    manners = random.Random(f"manners {seed}")
    pace = PACES["quick"]
    haste = HastyClock()
    async with Device(TcpWire(clock), clock, seed=seed, speed=SPEED, stacker=kind.stacker(seed)) as device:
        people = People(
            machine=device,
            hands=Hands(haste, manners, pace.reach_s, eyes.look),
            game=Game(BOOK),
            director=kind.director(random.Random(f"choices {seed}")),
            account=account,
            clock=haste,
            rng=manners,
            pace=pace,
            patience_s=PATIENCE_S,
        )
        table = await open_table(folder, device.address, eyes)
        running = asyncio.create_task(table.run())
        try:
            yield Observed(table, account, people, device)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await table.journal.close()
