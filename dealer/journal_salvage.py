"""Opening a journal whatever happened to it: what can be proven is kept, what was cut is said.

The database and its text copy hold the same chained records. A damaged or shortened database is copied aside
as it was found, then built anew from the longest prefix that either copy can prove. Nothing is dropped in
silence: the rebuilt journal gets a `journal_salvaged` record.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from dealer.errors import JournalForeign, StorageFull
from dealer.journal_file import (
    Damage,
    Head,
    JournalFile,
    companions,
    connect,
    last_number,
    replace_file,
    row_at,
    sync_folder,
)
from dealer.journal_text import TextCopy, TextIndex, find_tail, text_path
from dealer.record import GENESIS, Draft, Role, Row

log = structlog.stdlib.get_logger(__name__)

_CHUNK: Final = 1000  # rows in one transaction of a rebuilt journal


@dataclass(frozen=True, slots=True)
class Salvage:
    """What a salvage kept and cut. `from_text` of the kept records came from the text copy."""

    kept: int
    cut: int
    from_text: int
    why: str
    set_aside: str

    def to_draft(self) -> Draft:
        """The record that tells it."""
        body = {
            "raised": True,
            "kept": self.kept,
            "cut": self.cut,
            "from_text": self.from_text,
            "why": self.why,
            "set_aside": self.set_aside,
        }
        return Draft("system", Role.CONDITION, "journal_salvaged", body)


@dataclass(frozen=True, slots=True)
class Opened:
    """An open journal: its database, its text copy (None: that cannot be written), and the salvage if there was one."""

    file: JournalFile
    text: TextCopy | None
    salvage: Salvage | None


def open_files(path: Path) -> Opened:
    """Open the journal at `path`, salvaging it if need be. Raises JournalForeign, StorageRefused, StorageFull.

    The caller owns the lock.
    """
    try:
        file = _open_whole(path)
    except JournalForeign:
        first = TextIndex(text_path(path)).row_at(1)
        if first is None or not first.follows(0, GENESIS):
            raise
        return _reopen(path, "the head of the database is overwritten")
    except Damage as damage:
        return _reopen(path, damage.why)
    try:
        return Opened(file, bring_up_to_date(file), None)
    except Damage as damage:
        file.close()
        return _reopen(path, damage.why)


def _reopen(path: Path, why: str) -> Opened:
    salvage = rebuild(path, why)
    file = JournalFile(path)
    return Opened(file, bring_up_to_date(file), salvage)


def _open_whole(path: Path) -> JournalFile:
    """The database, if it holds all that its text copy holds. Raises Damage and what JournalFile raises."""
    file = JournalFile(path)
    tail = find_tail(text_path(path))
    if tail.row is not None and tail.row.number > file.head.number:
        following = TextIndex(text_path(path)).row_at(file.head.number + 1)
        if following is not None and following.follows(file.head.number, file.head.hash):
            file.close()
            why = f"the database ends at record {file.head.number}, its text copy at {tail.row.number}"
            raise Damage(file.head.number + 1, why)
    return file


def bring_up_to_date(file: JournalFile) -> TextCopy | None:
    """The text copy, open and level with the database. None, with a log line, if the disk refuses it.

    A torn end is cut off; a copy that does not belong to this database is put aside. Raises Damage if the
    database turns out to be damaged.
    """
    path = text_path(file.path)
    try:
        tail = find_tail(path)
        twin = file.row_at(tail.row.number) if tail.row is not None else None
        if tail.row is not None and twin is not None and twin.hash == tail.row.hash:
            if tail.end < tail.size:
                os.truncate(path, tail.end)
                log.warning("text copy cut", file=path.name, bytes=tail.size - tail.end)
            copy = TextCopy(path, tail.row.number)
        else:
            if tail.size > 0:
                aside = _free_name(path)
                path.rename(aside)
                log.warning("text copy put aside", file=path.name, aside=aside.name)
            copy = TextCopy(path, 0)
        catch_up(copy, file)
    except OSError as error:
        log.error("text copy stopped", file=path.name, reason=error.strerror)
        return None
    return copy


def catch_up(copy: TextCopy, file: JournalFile) -> None:
    """Append what the copy lacks. Raises OSError, Damage."""
    if copy.last == file.head.number:
        return
    rows: list[Row] = []
    for row in file.rows_after(copy.last):
        rows.append(row)
        if len(rows) == _CHUNK:
            copy.append(rows)
            rows = []
    copy.append(rows)


def rebuild(path: Path, why: str) -> Salvage:
    """Copy the damaged files aside and put a journal of the provable prefix in their place. Raises StorageFull.

    The text copy is replaced first and synced, so that a kill at any point leaves one whole prefix.
    """
    try:
        aside = _set_aside(path)
        text = TextIndex(text_path(path))
        with contextlib.ExitStack() as stack:
            source = _damaged_source(path)
            if source is not None:
                stack.callback(source.close)
            highest = max(text.last, _highest(source))
            from_text = _write_prefix(path, source, text)
    except OSError as error:
        raise StorageFull(path, error.strerror or "unknown") from error
    head = _swap_in(path)
    salvage = Salvage(head.number, max(0, highest - head.number), from_text, why, aside.name)
    log.error("journal salvaged", file=path.name, kept=salvage.kept, cut=salvage.cut, aside=aside.name, reason=why)
    return salvage


def _fresh(path: Path) -> Path:
    return path.with_name(path.name + ".rebuilt")


def _write_prefix(path: Path, source: sqlite3.Connection | None, text: TextIndex) -> int:
    """Write the provable prefix to the files named `_fresh`; returns how many rows only the text copy had."""
    for leftover in [*companions(_fresh(path)), _fresh(text_path(path))]:
        leftover.unlink(missing_ok=True)
    from_text = 0
    with (
        contextlib.closing(JournalFile(_fresh(path))) as file,
        contextlib.closing(TextCopy(_fresh(text_path(path)), 0)) as copy,
    ):
        rows: list[Row] = []
        for row, is_text in _good_rows(source, text):
            rows.append(row)
            from_text += is_text
            if len(rows) == _CHUNK:
                file.append(rows)
                copy.append(rows)
                rows = []
        file.append(rows)
        copy.append(rows)
        copy.sync()
    return from_text


def _good_rows(source: sqlite3.Connection | None, text: TextIndex) -> Iterator[tuple[Row, bool]]:
    """The longest chained prefix, each row from the database, or (True) from the text copy."""
    number, prev = 0, GENESIS
    while True:
        row = row_at(source, number + 1) if source is not None else None
        is_text = row is None or not row.follows(number, prev)
        if is_text:
            row = text.row_at(number + 1)
        if row is None or not row.follows(number, prev):
            return
        yield row, is_text
        number, prev = row.number, row.hash


def _swap_in(path: Path) -> Head:
    _fresh(text_path(path)).replace(text_path(path))
    sync_folder(path.parent)
    with contextlib.closing(JournalFile(_fresh(path))) as file:
        head = file.head
    replace_file(_fresh(path), path)
    return head


def _damaged_source(path: Path) -> sqlite3.Connection | None:
    try:
        return connect(path, read_only=True)
    except sqlite3.Error:
        return None


def _highest(source: sqlite3.Connection | None) -> int:
    if source is None:
        return 0
    try:
        return last_number(source)
    except sqlite3.Error:
        return 0


def _set_aside(path: Path) -> Path:
    """Copy the database, its log and its text copy to `NAME.damaged-N`. Raises OSError."""
    aside = _free_name(path)
    database, wal, _ = companions(path)
    for source, target in (
        (database, aside),
        (wal, companions(aside)[1]),
        (text_path(path), text_path(path).with_name(text_path(path).name + aside.name.removeprefix(path.name))),
    ):
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(source, target)
    sync_folder(path.parent)
    return aside


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside
