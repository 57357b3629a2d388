"""The text copy of a journal: one record a line, appended after each commit, not synced.

It costs one write per batch and is read only when the database lost something (journal_salvage.py) or by a
person with a pager. It may lag behind the database after a power cut; opening brings it up to date.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dealer.record import GENESIS, Row, row_hash

_TAIL_BYTES: Final = 1 << 20  # longer than the longest line (record.MAX_BODY_BYTES, twice, in base64)


def text_path(path: Path) -> Path:
    """Where the text copy of the journal at `path` lies."""
    return path.with_suffix(".jsonl")


@dataclass(frozen=True, slots=True)
class Tail:
    """The last intact line of a text copy (None: no such line), and the number of bytes up to its end."""

    row: Row | None
    end: int
    size: int


def find_tail(path: Path) -> Tail:
    """The last intact line; its hash is checked, its place in the chain is not.

    An absent file is empty, one that cannot be read has no intact line.
    """
    size = start = 0
    block = b""
    with contextlib.suppress(OSError):
        size = path.stat().st_size
        with path.open("rb") as file:
            start = max(0, size - _TAIL_BYTES)
            file.seek(start)
            block = file.read()
    end = len(block)
    while end > 0:
        stop = block.rfind(b"\n", 0, end)
        if stop < 0:
            break
        begin = block.rfind(b"\n", 0, stop) + 1
        row = Row.from_line(block[begin:stop])
        if row is not None and row.hash == row_hash(row):
            return Tail(row, start + stop + 1, size)
        end = stop
    return Tail(None, 0, size)


class TextIndex:
    """Where the line of each record number starts; lines are read and parsed when asked for."""

    def __init__(self, path: Path) -> None:
        """Index a text copy. An absent or unreadable file has no line."""
        self._path = path
        self._start: dict[int, int] = {}
        with contextlib.suppress(OSError), path.open("rb") as file:
            start = 0
            for line in file:
                row = Row.from_line(line)
                if row is not None:
                    self._start[row.number] = start
                start += len(line)

    @property
    def last(self) -> int:
        """Highest record number seen, 0 if none."""
        return max(self._start, default=0)

    def row_at(self, number: int) -> Row | None:
        """The row of a number, unchecked; None if there is no such line."""
        start = self._start.get(number)
        if start is None:
            return None
        with self._path.open("rb") as file:
            file.seek(start)
            return Row.from_line(file.readline())


def first_bad_line(path: Path) -> int | None:
    """Number of the first record that the text copy does not hold intact and in order; None if it is all good."""
    number, prev = 0, GENESIS
    try:
        with path.open("rb") as file:
            for line in file:
                row = Row.from_line(line)
                if row is None or not row.follows(number, prev):
                    return number + 1
                number, prev = row.number, row.hash
    except OSError:
        return number + 1
    return None


class TextCopy:
    """The text copy, open for appending. A failing disk stops the copy, not the journal."""

    def __init__(self, path: Path, last: int) -> None:
        """Open for appending after record `last`. Raises OSError."""
        self.last = last
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def append(self, rows: Iterable[Row]) -> None:
        """Append the lines of rows that follow `last`. Raises OSError; a torn line is cut off again."""
        rows = list(rows)
        before = os.fstat(self._fd).st_size
        left = memoryview(b"".join(row.to_line() for row in rows))
        try:
            while left:
                left = left[os.write(self._fd, left) :]
        except OSError:
            os.ftruncate(self._fd, before)
            raise
        if rows:
            self.last = rows[-1].number

    def sync(self) -> None:
        """Make what was appended durable; needed only where the copy is about to be the sole holder."""
        os.fsync(self._fd)

    def close(self) -> None:
        os.close(self._fd)
