"""One reader's place in the feeds: what it has had, what it is to get next, as SSE bytes.

Pure but for the feeds that it reads: time comes in as a number, bytes go out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Final

from fastapi.sse import format_sse_event

from api.access import Role
from api.feed import AlertState, Feeds, TableFeed
from api.house import Document
from api.words import quoted

_ENTRY: Final = re.compile(r"([^\s,:]{1,64}):(\d{1,15})")
_LONGEST_CURSOR: Final = 8192
BEHIND_WAIT_NS: Final = 2_000_000
"""A record is told a moment before its table has folded it; the view is looked at again after this time."""


class BadCursor(ValueError):
    """A Last-Event-ID that this server did not give."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{quoted(text)} is not a place in the stream; send back the last id as it came (TABLE:RECORD, several "
            "joined by commas), or leave the header out"
        )


Cursor = dict[str, int]
"""Per table, the journal number up to which the reader has had every alert."""


def parse_cursor(text: str) -> Cursor:
    """The cursor written `1:57` or `1:57,2:33`. Raises BadCursor."""
    cursor: Cursor = {}
    for entry in text.split(",") if len(text) <= _LONGEST_CURSOR else [text]:
        found = _ENTRY.fullmatch(entry)
        if found is None:
            raise BadCursor(text)
        cursor[found[1]] = int(found[2])
    return cursor


@dataclass(slots=True)
class _Had:
    """What one reader has had of one table. `revision` is None before its first look."""

    version: int = -1
    conditions: int = 0
    revision: int | None = None
    settled_ns: int | None = None
    table_at_ns: int | None = None


@dataclass(slots=True)
class Reader:
    """A reader of all tables under one role. `gap_ns` is the least time between two states of one table."""

    feeds: Feeds
    role: Role
    cursor: Cursor
    ping_ns: int
    gap_ns: int
    _had: dict[str, _Had] = field(default_factory=dict)
    _pinged_ns: int | None = None

    def take(self, now_ns: int) -> list[bytes]:
        """Everything that is due: alerts first, then conditions, then tables, then a ping."""
        self.feeds.look(now_ns)
        frames: list[bytes] = []
        if self.role is Role.REFEREE:
            for key, feed in self.feeds.tables.items():
                frames += self._alerts(key, feed, now_ns)
        for key, feed in self.feeds.tables.items():
            frames += self._states(key, feed, now_ns)
        if self._pinged_ns is None or now_ns - self._pinged_ns >= self.ping_ns:
            self._pinged_ns = now_ns
            frames.append(_frame("ping", {"server_mono_ns": now_ns}))
        return frames

    def wait_ns(self, now_ns: int) -> int:
        """How long there is nothing to send unless a table changes."""
        if self.feeds.is_behind(now_ns):
            return BEHIND_WAIT_NS
        dues = [(self._pinged_ns or now_ns) + self.ping_ns, now_ns + 1_000_000_000]
        for key, feed in self.feeds.tables.items():
            had = self._had[key]
            if self._version(feed) != had.version and had.table_at_ns is not None:
                dues.append(had.table_at_ns + self.gap_ns)
        return max(0, min(dues) - now_ns)

    def _alerts(self, key: str, feed: TableFeed, now_ns: int) -> list[bytes]:
        had = self._had.setdefault(key, _Had())
        due = sorted((state for state in feed.alerts.values() if self._wants(key, feed, had, state)), key=_age)
        had.revision = feed.revision
        before, self.cursor[key] = self._id(), feed.number
        after = self._id()
        # Only the last alert of a batch moves the cursor: a reader cut off in the middle gets the batch again.
        return [
            _frame("alert", {**state.document, "server_mono_ns": now_ns}, after if state is due[-1] else before)
            for state in due
        ]

    def _wants(self, key: str, feed: TableFeed, had: _Had, state: AlertState) -> bool:
        if had.revision is not None:
            return state.revision > had.revision
        seen = self.cursor.get(key)
        if seen is None or seen > feed.number:  # a first visit, or a place in another journal
            return state.is_open
        return state.number > seen

    def _states(self, key: str, feed: TableFeed, now_ns: int) -> list[bytes]:
        had = self._had.setdefault(key, _Had())
        referee = self.role is Role.REFEREE
        frames: list[bytes] = []
        document = feed.referee if referee else feed.public
        if had.conditions != feed.conditions_version:
            if had.version >= 0:  # a first state holds the conditions anyway
                frames.append(
                    _frame("condition", {"table": key, "conditions": document.get("conditions", [])}, self._id())
                )
            had.conditions = feed.conditions_version
        settled_ns = document.get("settled_ns")  # referees only: what the camera saw settle waits for no gap
        early = had.table_at_ns is not None and now_ns - had.table_at_ns < self.gap_ns and settled_ns == had.settled_ns
        if self._version(feed) != had.version and not early:
            had.version, had.table_at_ns, had.settled_ns = self._version(feed), now_ns, settled_ns
            if not referee:
                self.cursor[key] = feed.public_version
            frames.append(_frame("table", document, self._id()))
        return frames

    def _version(self, feed: TableFeed) -> int:
        return feed.version if self.role is Role.REFEREE else feed.public_version

    def _id(self) -> str | None:
        return ",".join(f"{key}:{number}" for key, number in self.cursor.items()) or None


def _age(state: AlertState) -> int:
    return state.revision


def _frame(event: str, document: Document, cursor: str | None = None) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return format_sse_event(data_str=text, event=event, id=cursor)
