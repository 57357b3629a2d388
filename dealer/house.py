"""All tables of one controller: opened, run, watched, closed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import structlog

from dealer.clock import Clock
from dealer.deals import Generator
from dealer.device import DealingTable
from dealer.eyes import Eyes
from dealer.journal import Journal
from dealer.ledger import Ledger
from dealer.regulation import rulebook_of
from dealer.seal import Sealer
from dealer.settings import Settings, TableSettings
from dealer.standing import Standing
from dealer.table import Table, TableWish
from vision.worker import WorkerConfig

log = structlog.get_logger()


class House:
    """The tables of one controller. `async with` runs them; leaving it closes their journals."""

    def __init__(self, settings: Settings, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        self.stills_dir = stills_folder(settings)
        self._running: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, settings: Settings, clock: Clock, generator: Generator) -> Self:
        """Open every table's journal and fold it. Raises the error of the first table that cannot be opened."""
        await asyncio.to_thread(stills_folder(settings).mkdir, parents=True, exist_ok=True)
        sealer = await asyncio.to_thread(Sealer.open, settings.key_file)
        tables: dict[str, Table] = {}
        try:
            for wish in settings.tables:
                tables[wish.id] = await _open_table(wish, settings, sealer, clock, generator)
        except BaseException:
            for table in tables.values():
                await table.journal.close()
            raise
        return cls(settings, tables)

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run(), name="house")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        for table in self.tables.values():
            await table.journal.close()

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for table in self.tables.values():
                group.create_task(table.run(), name=f"table {table.id}")


async def _open_table(
    wish: TableSettings, settings: Settings, sealer: Sealer, clock: Clock, generator: Generator
) -> Table:
    rulebook = await asyncio.to_thread(rulebook_of, wish.rulebook)
    folder = settings.data_dir / "tables" / wish.id
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    journal = await Journal.open(folder / "journal.db", clock)
    try:
        ledger = Ledger(journal, sealer.of(wish.id), Standing(wish.id, rulebook))
        device = DealingTable(wish.serial, settings.link, clock, simulator_only=generator.name == "seeded")
        eyes = None
        if wish.camera is not None:
            eyes = Eyes(
                WorkerConfig(url=wish.camera, stills_dir=stills_folder(settings), settle_s=settings.vision.settle_s),
                clock,
            )
        table = Table(TableWish(wish.id, wish.deals, generator), ledger, device, eyes, clock)
        await table.restore()
    except BaseException:
        await journal.close()
        raise
    return table


def stills_folder(settings: Settings) -> Path:
    """Where the evidence pictures of all tables lie, named by their hash."""
    return settings.data_dir / "stills"
