"""The file of a journal: SQLite with every commit on the disk, a text copy beside it, one owner.

Synchronous; one thread owns a `JournalFile`. The database decides; the text copy (`NAME.jsonl`, one record a
line, not synced) is a second place to find records that the database lost.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from dealer.errors import JournalBusy, JournalCorrupt, JournalForeign, StorageFull, StorageRefused
from dealer.record import GENESIS, Row

APPLICATION_ID: Final = 0x47444A31  # "GDJ1"
SCHEMA_VERSION: Final = 1

_SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE record (
  number INTEGER PRIMARY KEY, at_utc TEXT NOT NULL, mono_ns INTEGER NOT NULL, boot TEXT NOT NULL,
  source TEXT NOT NULL, role TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, sealed BLOB,
  prev TEXT NOT NULL, hash TEXT NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER record_never_changes BEFORE UPDATE ON record
  BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER record_never_goes BEFORE DELETE ON record
  BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER record_comes_next BEFORE INSERT ON record
  WHEN NEW.number <> (SELECT ifnull(max(number), 0) + 1 FROM record)
  BEGIN SELECT RAISE(ABORT, 'record numbers have no gap'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""
TAIL_RECORDS: Final = 20_000
"""Records whose chain is checked when a journal opens: more than a day's play, checked in well under a second."""

_COLUMNS: Final = "number, at_utc, mono_ns, boot, source, role, kind, body, sealed, prev, hash"
_INSERT: Final = f"INSERT INTO record ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_MOVE_AWAY: Final = "move that file away, or name another data folder"
_BUSY_TIMEOUT_MS: Final = 5000  # only a backup tool can hold the write lock; longer means that it hangs
_CORRUPT: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_DISK: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}


class Damage(Exception):
    """The file is a journal of ours, but not whole. Caught by salvage; never leaves this room."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(why)
        self.number = number
        self.why = why


class Ownership:
    """The exclusive right to write a journal: an OS lock on `NAME.lock`, freed by any end of the process.

    A child made by fork would inherit the lock and keep it: start children by spawn.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock. Raises JournalBusy."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.pread(self._fd, 20, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self._fd)
            raise JournalBusy(path, owner) from None
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)  # for people; the lock itself is the kernel's

    def release(self) -> None:
        os.close(self._fd)


def is_corrupt(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file itself is damaged."""
    return _code(error) in _CORRUPT


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """A connection for the calling thread. Raises sqlite3.Error."""
    mode = "ro" if read_only else "rw"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    try:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def create(path: Path) -> None:
    """Put an empty journal at `path`, readable by its owner only, in one step: it is whole or absent."""
    fresh = path.with_name(path.name + ".new")
    for leftover in companions(fresh):
        leftover.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    with contextlib.closing(connect(fresh, read_only=False)) as connection:
        make_durable(connection, path)
        connection.executescript(_SCHEMA)
    replace_file(fresh, path)


def companions(path: Path) -> list[Path]:
    """The database file and the files that SQLite keeps beside it."""
    return [path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")]


def replace_file(fresh: Path, path: Path) -> None:
    """Put a closed database in the place of another. A stale write-ahead log must go first: it would be replayed."""
    for companion in companions(path)[1:]:
        companion.unlink(missing_ok=True)
    fresh.replace(path)
    sync_folder(path.parent)


def make_durable(connection: sqlite3.Connection, path: Path) -> None:
    """Switch to WAL with a sync on each commit, and verify that both are in force. Raises StorageRefused."""
    try:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        connection.execute("PRAGMA synchronous = FULL")
        (level,) = connection.execute("PRAGMA synchronous").fetchone()
    except sqlite3.OperationalError as error:
        if is_corrupt(error):
            raise
        raise StorageRefused(path, f"write-ahead logging cannot be used here ({error})") from error
    if mode != "wal" or level != 2:
        raise StorageRefused(path, f"write-ahead logging is not in force (journal mode {mode}, sync level {level})")


def identify(connection: sqlite3.Connection, path: Path) -> None:
    """Check that this is a journal of this version. Raises JournalForeign, or Damage if only the table is gone."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if application != APPLICATION_ID:
        raise JournalForeign(path, "not a journal of this program", _MOVE_AWAY)
    if version != SCHEMA_VERSION:
        wrong = f"journal of version {version}; this program knows version {SCHEMA_VERSION}"
        raise JournalForeign(path, wrong, "use the version of the program that wrote it")
    if "record" not in tables:
        raise Damage(1, "the table of records is gone")


def read_rows(connection: sqlite3.Connection, after: int, limit: int) -> list[Row]:
    """Up to `limit` rows after number `after`, in order. Hashes are not checked. Raises sqlite3.Error."""
    query = f"SELECT {_COLUMNS} FROM record WHERE number > ? ORDER BY number LIMIT ?"
    return [Row(*values) for values in connection.execute(query, (after, limit))]


def row_at(connection: sqlite3.Connection, number: int) -> Row | None:
    """One row. None if it is absent or its page cannot be read."""
    try:
        values = connection.execute(f"SELECT {_COLUMNS} FROM record WHERE number = ?", (number,)).fetchone()
    except sqlite3.Error:
        return None
    return None if values is None else Row(*values)


def last_number(connection: sqlite3.Connection) -> int:
    """Number of the last row, 0 if there is none. Raises sqlite3.Error."""
    (number,) = connection.execute("SELECT ifnull(max(number), 0) FROM record").fetchone()
    return int(number)


def check_chain(connection: sqlite3.Connection, after: int) -> Iterator[Row]:
    """Rows after number `after`, each checked against its hash and the one before. Raises Damage at a bad one."""
    prev = GENESIS
    if after > 0:
        before = row_at(connection, after)
        if before is None:
            raise Damage(after, "the record cannot be read")
        prev = before.hash
    while True:
        try:
            rows = read_rows(connection, after, 500)
        except sqlite3.Error as error:
            raise Damage(after + 1, str(error)) from error
        if not rows:
            return
        for row in rows:
            if not row.follows(after, prev):
                raise Damage(after + 1, "the hash chain breaks")
            after, prev = row.number, row.hash
            yield row


@dataclass(frozen=True, slots=True)
class Head:
    """The last record: its number and hash."""

    number: int = 0
    hash: str = GENESIS


def find_head(connection: sqlite3.Connection) -> Head:
    """The last row, its chain checked over TAIL_RECORDS. Raises Damage, sqlite3.Error."""
    head = Head()
    for row in check_chain(connection, max(0, last_number(connection) - TAIL_RECORDS)):
        head = Head(row.number, row.hash)
    return head


class JournalFile:
    """An open journal database for writing; every append is on the disk when it returns."""

    def __init__(self, path: Path) -> None:
        """Open or create. Raises Damage, JournalForeign, StorageRefused, StorageFull. The caller owns the lock.

        The check reads only, so that a damaged file stays as it was found.
        """
        self.path = path
        try:
            if not path.exists() or path.stat().st_size == 0:
                create(path)
            with contextlib.closing(connect(path, read_only=True)) as reader:
                identify(reader, path)
                self.head = find_head(reader)
            self._connection = connect(path, read_only=False)
            try:
                make_durable(self._connection, path)
            except BaseException:
                self._connection.close()
                raise
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_NOTADB:
                raise JournalForeign(path, "not a database", _MOVE_AWAY) from error
            raise self._translate(error) from error
        except OSError as error:
            raise StorageFull(path, error.strerror or "unknown") from error

    def append(self, rows: Iterable[Row]) -> None:
        """Write rows that follow the head, all or none. Raises StorageFull, Damage."""
        rows = list(rows)
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_INSERT, [astuple(row) for row in rows])
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise self._translate(error) from error
        if rows:
            self.head = Head(rows[-1].number, rows[-1].hash)

    def rows_after(self, number: int) -> Iterator[Row]:
        """Rows after `number`, checked. Raises Damage."""
        return check_chain(self._connection, number)

    def row_at(self, number: int) -> Row | None:
        return row_at(self._connection, number)

    def close(self) -> None:
        """Close; the write-ahead log is folded into the database."""
        self._connection.close()

    def _translate(self, error: sqlite3.Error) -> Exception:
        if is_corrupt(error):
            return Damage(0, str(error))
        if _code(error) in _DISK or isinstance(error, sqlite3.OperationalError):
            return StorageFull(self.path, str(error))
        return JournalCorrupt(self.path, 0, str(error))


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 if the error came from Python's own checks."""
    try:
        return error.sqlite_errorcode & 0xFF
    except AttributeError:
        return 0
