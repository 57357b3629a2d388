"""The live state of every table, kept once for any number of readers.

Each reader pulls what it has not had yet; nothing is queued for it, so a reader that stalls costs nothing. Alerts
are kept with the journal number at which they changed, so a reader that names the last number it saw gets every
alert that changed since, in its latest state; table states are only ever sent as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import structlog

from api.house import Document, HouseLike, TableLike, public_document, referee_document
from dealer.clock import Clock

STALE_NS: Final = 1_000_000_000
"""Views hold things that no record tells (camera rate, clocks); they are looked at again after this time."""
BEHIND_NS: Final = 2_000_000_000
"""A record is told before the table has folded it; for this long the view is expected to catch up."""
OPEN_STATUSES: Final = frozenset({"raised", "called", "acknowledged"})
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class AlertState:
    """An alert as last seen. `revision` counts changes in this feed; `number` is the journal number they showed at."""

    document: Document
    revision: int
    number: int

    @property
    def is_open(self) -> bool:
        return self.document["status"] in OPEN_STATUSES


@dataclass(slots=True)
class TableFeed:
    """One table's latest views. `version` counts changes of the referee's view, `public_version` of the public one."""

    table: TableLike
    number: int = 0
    version: int = 0
    public_version: int = 0
    conditions_version: int = 0
    revision: int = 0
    referee: Document = field(default_factory=dict)
    public: Document = field(default_factory=dict)
    alerts: dict[str, AlertState] = field(default_factory=dict)
    _followed: int = 0
    _followed_ns: int = 0
    _looked_ns: int | None = None

    def told(self, number: int, now_ns: int) -> None:
        """The journal holds record `number`."""
        self._followed, self._followed_ns = number, now_ns

    def is_behind(self, now_ns: int) -> bool:
        """Whether the view does not show a record yet that the journal told a moment ago."""
        return self.number < self._followed and now_ns - self._followed_ns < BEHIND_NS

    def look(self, now_ns: int) -> None:
        """Take the table's views again if there is a reason to."""
        fresh = self._looked_ns is not None and now_ns - self._looked_ns < STALE_NS
        if fresh and self.number >= self._followed:
            return
        self._looked_ns = now_ns
        referee, public = referee_document(self.table), public_document(self.table)
        first, self.number = self.number == 0, int(referee["record"])
        self._note_alerts(referee["alerts"], first)
        if referee.get("conditions") != self.referee.get("conditions"):
            self.conditions_version += 1
        if _without_clock(referee) != _without_clock(self.referee):
            self.version += 1
        if _without_clock(public) != _without_clock(self.public):
            self.public_version += 1
        self.referee, self.public = referee, public

    def _note_alerts(self, documents: list[Document], first: bool) -> None:
        for document in documents:
            known = self.alerts.get(document["id"])
            if known is not None and known.document == document:
                continue
            self.revision += 1
            # Found at start: a raised alert changed when it was raised, any other at an unknown time up to now.
            untouched = first and document["status"] == "raised"
            number = int(document["record"]) if untouched else self.number
            self.alerts[document["id"]] = AlertState(document, self.revision, number)


def _without_clock(document: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in document.items() if key != "clock"}


class Feeds:
    """The feeds of a house, and the wake-up of their readers."""

    def __init__(self, house: HouseLike, clock: Clock) -> None:
        self._clock = clock
        self._nudges: set[asyncio.Event] = set()
        self.tables: Mapping[str, TableFeed] = {key: TableFeed(table) for key, table in house.tables.items()}
        self.closed = False
        self.failed: set[str] = set()
        """Tables whose journal could no longer be followed."""

    async def run(self) -> None:
        """Follow every table's journal until cancelled."""
        async with asyncio.TaskGroup() as group:
            for key, feed in self.tables.items():
                group.create_task(self._follow(key, feed), name=f"feed {key}")

    def look(self, now_ns: int) -> None:
        """Bring every table's feed up to date."""
        for feed in self.tables.values():
            feed.look(now_ns)

    def is_behind(self, now_ns: int) -> bool:
        return any(feed.is_behind(now_ns) for feed in self.tables.values())

    def subscribe(self) -> asyncio.Event:
        """An event that is set at every change, until `unsubscribe`."""
        nudge = asyncio.Event()
        self._nudges.add(nudge)
        return nudge

    def unsubscribe(self, nudge: asyncio.Event) -> None:
        self._nudges.discard(nudge)

    @property
    def readers(self) -> int:
        return len(self._nudges)

    def close(self) -> None:
        """Tell every reader to end. Safe to repeat."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        for nudge in self._nudges:
            nudge.set()

    async def _follow(self, key: str, feed: TableFeed) -> None:
        feed.look(self._clock.monotonic_ns())
        try:
            async for record in feed.table.journal.follow(after=feed.number):
                feed.told(record.number, self._clock.monotonic_ns())
                self._wake()
        except Exception:
            # One table's broken journal must not silence the others; health tells it.
            _log.exception("journal no longer followed", table=key)
            self.failed.add(key)
            self._wake()
