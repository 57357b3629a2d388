"""Journals for tests: a clock that counts, small drafts, whole journals on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dealer.journal import Draft, Journal, Record, Role
from dealer.journal_file import JournalFile
from dealer.journal_text import TextCopy, text_path
from dealer.record import GENESIS, Stamp, canonical_body, chain


class CountingClock:
    """Time that passes by one millisecond a look."""

    def __init__(self, start_ns: int = 0) -> None:
        self.ns = start_ns

    def monotonic_ns(self) -> int:
        self.ns += 1_000_000
        return self.ns

    def utc(self) -> datetime:
        return datetime(2030, 5, 1, tzinfo=UTC) + timedelta(microseconds=self.ns // 1000)

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("a journal does not wait")

    async def sleep_until(self, mono_ns: int) -> None:
        raise AssertionError("a journal does not wait")

    def boot(self) -> str:
        return "boot-1"


def draft(number: int, sealed: bytes | None = None) -> Draft:
    return Draft("machine", Role.FACT, "card_dealt", {"number": number, "words": '中文 " \\ \n'}, sealed)


@asynccontextmanager
async def journal(path: Path) -> AsyncIterator[Journal]:
    opened = await Journal.open(path, CountingClock())
    try:
        yield opened
    finally:
        await opened.close()


async def numbers(opened: Journal) -> list[int]:
    return [record.body["number"] for record in await everything(opened) if record.kind == "card_dealt"]


async def everything(opened: Journal) -> list[Record]:
    records: list[Record] = []
    while page := await opened.read(len(records), 500):
        records += page
    return records


def write_whole(path: Path, count: int, *, text: bool = True) -> None:
    """A closed journal of `count` drafts, written without the asynchronous part."""
    drafts = [draft(n, b"sealed" if n % 3 == 0 else None) for n in range(1, count + 1)]
    rows = chain([(d, canonical_body(d)) for d in drafts], 0, GENESIS, Stamp("2030-05-01T00:00:00.000000Z", 7, "b"))
    file = JournalFile(path)
    file.append(rows)
    file.close()
    if text:
        copy = TextCopy(text_path(path), 0)
        copy.append(rows)
        copy.close()


def raw(path: Path) -> sqlite3.Connection:
    """A connection that a careless person would open."""
    return sqlite3.connect(path, isolation_level=None)
