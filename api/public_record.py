"""The journal as anybody may read it: only what lay open, under its own count.

Fail-closed: a kind or field that is not listed here is left out. Record numbers, hashes and times on the
machine's clock are left out as well, since referee-only records take part in all of them.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Mapping
from typing import Final

from api.house import Document, JournalLike
from dealer.codec import kind_of
from dealer.record import Record, Role
from engine.facts import (
    Answered,
    CardReturned,
    CardsCollected,
    CardsLaid,
    CountReported,
    DealAwarded,
    DealCompleted,
    DealStarted,
    Declared,
    FinishEntered,
    HandTaken,
    Held,
    JokersShown,
    LeaderDrawn,
    LeaderNamed,
    MatchAwarded,
    MatchForfeited,
    MatchStarted,
    Passed,
    Resumed,
    TimeCalled,
    TributeGiven,
    ZoneCleared,
)

OPEN_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    kind_of(MatchStarted): (
        "rulebook",
        "rulebook_hash",
        "play_order",
        "level_ew",
        "level_ns",
        "deals_limit",
        "knock_out",
    ),
    kind_of(DealStarted): ("deal_no", "level", "declarer", "generator"),
    kind_of(DealCompleted): ("counts",),
    kind_of(LeaderDrawn): ("seat",),
    kind_of(HandTaken): ("seat",),
    kind_of(TributeGiven): ("seat", "card"),
    kind_of(CardReturned): ("seat", "to"),
    kind_of(JokersShown): ("seats",),
    kind_of(LeaderNamed): ("seat",),
    kind_of(CardsLaid): ("seat", "cards"),
    kind_of(Passed): ("seat",),
    kind_of(Declared): ("seat", "reading"),
    kind_of(CountReported): ("seat", "count"),
    kind_of(ZoneCleared): ("seat",),
    kind_of(Held): (),
    kind_of(Resumed): (),
    kind_of(Answered): ("seat", "cards"),
    kind_of(FinishEntered): ("order",),
    kind_of(DealAwarded): ("offender", "leader"),
    kind_of(TimeCalled): (),
    kind_of(MatchForfeited): ("side", "withdrew"),
    kind_of(MatchAwarded): ("offender",),
    kind_of(CardsCollected): ("count",),
}
"""Kinds of facts that anybody may know, each with its open fields."""

_PAGE: Final = 2000


def is_open(record: Record) -> bool:
    """Whether anybody may know that this record exists."""
    return record.role is Role.FACT and record.kind in OPEN_FIELDS


class PublicJournal:
    """Open records of one journal, numbered 1, 2, 3 without gaps. Readers take turns."""

    def __init__(self, journal: JournalLike) -> None:
        self._journal = journal
        self._numbers = array("Q")
        self._scanned = 0
        self._turn = asyncio.Lock()

    async def read(self, after: int, limit: int) -> list[Document]:
        """At most `limit` open records after the `after`-th."""
        async with self._turn:
            await self._scan()
        wanted = set(self._numbers[after : after + limit])
        if not wanted:
            return []
        documents: list[Document] = []
        at, last = min(wanted) - 1, max(wanted)
        while at < last:
            page = await self._journal.read(after=at, limit=min(_PAGE, last - at))
            if not page:
                break
            documents += [
                _document(after + len(documents) + i, record)
                for i, record in enumerate((r for r in page if r.number in wanted), start=1)
            ]
            at = page[-1].number
        return documents

    async def _scan(self) -> None:
        while page := await self._journal.read(after=self._scanned, limit=_PAGE):
            self._numbers.extend(record.number for record in page if is_open(record))
            self._scanned = page[-1].number


def _document(count: int, record: Record) -> Document:
    fact = record.body["fact"]
    body = {key: fact[key] for key in OPEN_FIELDS[record.kind] if key in fact}
    return {"number": count, "at_utc": record.at_utc, "kind": record.kind, "body": body}


def referee_record(record: Record) -> Document:
    """A record as a referee may read it: its readable body, never its sealed part."""
    return {
        "number": record.number,
        "at_utc": record.at_utc,
        "mono_ns": record.mono_ns,
        "source": record.source,
        "role": record.role,
        "kind": record.kind,
        "body": record.body,
        "sealed": record.sealed is not None,
        "prev": record.prev,
        "hash": record.hash,
    }
