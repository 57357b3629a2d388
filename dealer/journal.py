"""The journal of one table: append-only, numbered, hash-chained; storage, message bus and replay at once.

`append` returns when the records are on the disk. SQLite runs in two threads of the journal's own, one that
writes and one that reads, never on the event loop. Batches that wait while a commit runs share the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import structlog

from dealer.clock import Clock, iso_utc
from dealer.errors import Conflict, JournalCorrupt, JournalError, NotFound
from dealer.journal_file import Damage, JournalFile, Ownership, check_chain, connect, identify, read_rows
from dealer.journal_salvage import Opened, Salvage, bring_up_to_date, catch_up, open_files, rebuild
from dealer.journal_text import first_bad_line, text_path
from dealer.record import GENESIS, Draft, Record, Role, Row, Stamp, canonical_body, chain, row_hash

__all__ = ["Draft", "Journal", "Record", "Role", "Verdict", "iterate", "verify_file"]

log = structlog.stdlib.get_logger(__name__)

FOLLOW_PAGE: Final = 200
"""Records that a follower holds at most; it reads on from the database when it has handed them out."""

_T = TypeVar("_T")
_Prepared = list[tuple[Draft, str]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether every record follows from the one before. `first_bad`, `text_first_bad`: numbers, None if all is well."""

    ok: bool
    records: int
    first_bad: int | None
    text_first_bad: int | None


class Journal:
    """An open journal. Made by `Journal.open`; belongs to the event loop that opened it."""

    def __init__(self, path: Path, clock: Clock, loop: asyncio.AbstractEventLoop) -> None:
        self.path = path
        self.last = 0
        """Number of the last durable record, 0 if there is none."""
        self.boot = ""
        """The run of the machine that stamps this journal's records (Clock.boot)."""
        self.salvage: Salvage | None = None
        """What the last salvage did; None if the journal was whole."""
        self._clock = clock
        self._loop = loop
        self._writer = ThreadPoolExecutor(1, thread_name_prefix=f"journal-write-{path.stem}")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix=f"journal-read-{path.stem}")
        self._waiting: deque[tuple[_Prepared, Future[list[Record]]]] = deque()
        self._woken: set[asyncio.Future[None]] = set()
        self._closed = False
        self._generation = 0
        self._read_generation = -1
        self._read_connection: sqlite3.Connection | None = None
        self._ownership: Ownership | None = None
        self._open: Opened | None = None

    @classmethod
    async def open(cls, path: Path, clock: Clock) -> Journal:
        """Open or create the journal at `path` for writing.

        Raises JournalBusy if another process has it, JournalForeign, StorageRefused, StorageFull. A damaged
        journal is salvaged (journal_salvage.py) and says so in its next record.
        """
        journal = cls(path, clock, asyncio.get_running_loop())
        try:
            await journal._in(journal._writer, journal._start)
        except BaseException:
            await journal.close()
            raise
        return journal

    async def append(self, drafts: Sequence[Draft]) -> list[Record]:
        """Record drafts: all of them or none, numbered on without a gap, durable on return.

        Raises BadRecord before anything is queued, StorageFull if the disk refuses, JournalCorrupt if records
        were lost under way. If the calling task is cancelled meanwhile, the batch may still be written. Callers
        wait for their own batch, so no more batches wait than there are callers.
        """
        if self._closed:
            raise Conflict(f"{self.path}: the journal is closed")
        if not drafts:
            return []
        prepared = [(draft, canonical_body(draft)) for draft in drafts]
        future: Future[list[Record]] = Future()
        self._waiting.append((prepared, future))
        self._writer.submit(self._commit_waiting)
        return await asyncio.wrap_future(future)

    async def read(self, after: int = 0, limit: int = FOLLOW_PAGE) -> list[Record]:
        """Up to `limit` records after number `after`, in order, hashes checked. Raises JournalCorrupt."""
        if self._closed:
            raise Conflict(f"{self.path}: the journal is closed")
        return await self._in(self._reader, lambda: self._read(after, limit))

    async def follow(self, after: int = 0) -> AsyncIterator[Record]:
        """Every record after number `after`, then each one as it becomes durable; ends when the journal closes.

        Holds one page of records, however slow its taker is. Raises JournalCorrupt.
        """
        while not self._closed:
            if after >= self.last:
                await self._commit_after(after)
                continue
            for record in await self.read(after, FOLLOW_PAGE):
                yield record
                after = record.number

    async def verify(self) -> Verdict:
        """Check every record of the database and of the text copy."""
        return await self._in(self._reader, lambda: verify_file(self.path))

    async def close(self) -> None:
        """Finish what waits, end followers, close the files and let go of the lock. Safe to repeat."""
        if self._closed:
            return
        self._closed = True
        self._wake()
        await self._in(self._reader, self._close_reader)
        await self._in(self._writer, self._close_writer)
        self._reader.shutdown(wait=False)
        self._writer.shutdown(wait=False)

    # The event loop's side.

    async def _in(self, thread: ThreadPoolExecutor, work: Callable[[], _T]) -> _T:
        return await self._loop.run_in_executor(thread, work)

    async def _commit_after(self, after: int) -> None:
        woken: asyncio.Future[None] = self._loop.create_future()
        self._woken.add(woken)
        try:
            if after >= self.last and not self._closed:
                await woken
        finally:
            self._woken.discard(woken)

    def _wake(self) -> None:
        for woken in self._woken:
            if not woken.done():
                woken.set_result(None)

    # The writing thread's side.

    def _start(self) -> None:
        self._ownership = Ownership(self.path)
        self.boot = self._clock.boot()
        self._open = open_files(self.path)
        self.salvage = self._open.salvage
        self.last = self._open.file.head.number
        if self.salvage is not None:
            self._commit([_prepare(self.salvage.to_draft())])

    def _commit_waiting(self) -> None:
        batches: list[tuple[_Prepared, Future[list[Record]]]] = []
        while self._waiting:
            prepared, future = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                batches.append((prepared, future))
        if not batches:
            return
        try:
            records = iter(self._commit([entry for prepared, _ in batches for entry in prepared]))
        except Exception as error:
            for _, future in batches:
                future.set_exception(error)
            return
        for prepared, future in batches:
            future.set_result([next(records) for _ in prepared])

    def _commit(self, entries: _Prepared) -> list[Record]:
        try:
            return self._commit_once(entries)
        except Damage as damage:
            salvage = self._salvage(damage)
            if salvage.kept < self.last:
                raise JournalCorrupt(self.path, salvage.kept + 1, damage.why) from damage
            try:
                return self._commit_once([*entries, _prepare(salvage.to_draft())])[: len(entries)]
            except Damage as again:
                raise JournalCorrupt(self.path, again.number, again.why) from again

    def _commit_once(self, entries: _Prepared) -> list[Record]:
        file = self._files().file
        stamp = Stamp(iso_utc(self._clock.utc()), self._clock.monotonic_ns(), self.boot)
        rows = chain(entries, file.head.number, file.head.hash, stamp)
        file.append(rows)
        self.last = file.head.number
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody follows
            self._loop.call_soon_threadsafe(self._wake)
        self._copy(rows)
        return [row.to_record() for row in rows]

    def _copy(self, rows: list[Row]) -> None:
        """Append to the text copy. Its failure is logged once and made good when the disk takes it again."""
        opened = self._files()
        if opened.text is None:
            return
        try:
            if opened.text.last == rows[0].number - 1:
                opened.text.append(rows)
            else:
                catch_up(opened.text, opened.file)
                log.info("text copy resumed", file=self.path.name)
        except (OSError, Damage) as error:
            if opened.text.last == rows[0].number - 1:
                log.error("text copy stopped", file=self.path.name, reason=str(error))

    def _salvage(self, damage: Damage) -> Salvage:
        opened = self._files()
        self._open = None
        salvage = rebuild(self.path, damage.why)
        opened.file.close()
        if opened.text is not None:
            opened.text.close()
        file = JournalFile(self.path)
        self._open = Opened(file, bring_up_to_date(file), salvage)
        self.salvage = salvage
        self._generation += 1
        return salvage

    def _files(self) -> Opened:
        if self._open is None:
            raise JournalError(f"{self.path}: the journal could not be opened again", "start the table again")
        return self._open

    def _close_writer(self) -> None:
        self._commit_waiting()
        if self._open is not None:
            self._open.file.close()
            if self._open.text is not None:
                self._open.text.close()
            self._open = None
        if self._ownership is not None:
            self._ownership.release()
            self._ownership = None

    # The reading thread's side.

    def _read(self, after: int, limit: int) -> list[Record]:
        try:
            rows = read_rows(self._reading(), after, limit)
        except sqlite3.Error as error:
            raise JournalCorrupt(self.path, after + 1, str(error)) from error
        return _checked(self.path, rows, after)

    def _reading(self) -> sqlite3.Connection:
        if self._read_connection is None or self._read_generation != self._generation:
            self._close_reader()
            self._read_generation = self._generation
            self._read_connection = connect(self.path, read_only=True)
        return self._read_connection

    def _close_reader(self) -> None:
        if self._read_connection is not None:
            self._read_connection.close()
            self._read_connection = None


def iterate(path: Path, after: int = 0) -> Iterator[Record]:
    """Records of a journal that need not be open; works while a controller writes it, changes nothing.

    Blocking. Raises NotFound, JournalForeign, JournalCorrupt.
    """
    if not path.is_file():
        raise NotFound(f"{path}: no such journal", "give the data folder that holds it")
    try:
        with contextlib.closing(connect(path, read_only=True)) as connection:
            identify(connection, path)
            for row in check_chain(connection, after):
                yield row.to_record()
    except Damage as damage:
        raise JournalCorrupt(path, damage.number, damage.why) from damage
    except sqlite3.Error as error:
        raise JournalCorrupt(path, after + 1, str(error)) from error


def verify_file(path: Path) -> Verdict:
    """Check every record of a journal and of its text copy. Blocking. Raises NotFound, JournalForeign."""
    records, first_bad = 0, None
    try:
        for record in iterate(path):
            records = record.number
    except JournalCorrupt as error:
        first_bad = max(1, error.number)
    text_bad = first_bad_line(text_path(path))
    return Verdict(first_bad is None and text_bad is None, records, first_bad, text_bad)


def _checked(path: Path, rows: list[Row], after: int) -> list[Record]:
    """Records of consecutive rows; each row's own hash and its link to the one before are checked."""
    prev = rows[0].prev if rows else GENESIS  # the first row's link lies outside this page
    records = []
    for row in rows:
        if row.number != after + 1 or row.prev != prev or row.hash != row_hash(row):
            raise JournalCorrupt(path, after + 1, "the hash chain breaks")
        records.append(row.to_record())
        after, prev = row.number, row.hash
    return records


def _prepare(draft: Draft) -> tuple[Draft, str]:
    return draft, canonical_body(draft)
