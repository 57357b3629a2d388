"""The journal: numbered, chained, durable before shown, append-only, followed by many."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import sqlite3
from pathlib import Path

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from journal_support import draft, everything, journal, numbers, raw, write_whole

from dealer.clock import SystemClock, iso_utc
from dealer.errors import BadRecord, Conflict, JournalBusy, JournalForeign, NotFound, StorageFull, StorageRefused
from dealer.journal import Draft, Journal, Role, Verdict, iterate, verify_file
from dealer.journal_file import JournalFile, make_durable
from dealer.journal_text import text_path
from dealer.record import DOMAIN, GENESIS, Row, Stamp, canonical, canonical_body, chain, row_hash


async def test_records_are_numbered_from_one_without_a_gap_and_chained(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        await opened.append([draft(1), draft(2)])
        await opened.append([draft(3)])
        records = await everything(opened)

    assert [record.number for record in records] == [1, 2, 3]
    assert records[0].prev == GENESIS
    assert [record.prev for record in records[1:]] == [record.hash for record in records[:-1]]
    assert {record.boot for record in records} == {"boot-1"}
    assert all(record.at_utc.endswith("Z") for record in records)


async def test_what_append_returns_is_what_is_read(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        written = await opened.append([draft(1, b"blob"), draft(2)])
        read = await opened.read()

    assert read == written
    assert [record.sealed for record in read] == [b"blob", None]


async def test_an_acknowledged_record_is_in_the_database_already(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        await opened.append([draft(1)])

        seen = await asyncio.to_thread(lambda: [record.number for record in iterate(tmp_path / "j.db")])

    assert seen == [1]


async def test_the_last_number_survives_closing(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        await opened.append([draft(n) for n in range(1, 8)])
    async with journal(tmp_path / "j.db") as opened:
        assert opened.last == 7
        assert opened.salvage is None
        [record] = await opened.append([draft(8)])
        assert record.number == 8
        assert (await opened.verify()).ok


async def test_a_bad_draft_spoils_its_own_batch_only(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        results = await asyncio.gather(
            opened.append([draft(1)]),
            opened.append([draft(2), Draft("machine", Role.FACT, "x", {"no": object()})]),
            opened.append([Draft("machine", Role.FACT, "x", {"no": float("nan")})]),
            opened.append([Draft("machine\ud800", Role.FACT, "x", {})]),
            opened.append([Draft("machine", Role.FACT, "x", {"text": "y" * 70_000})]),
            opened.append([draft(3)]),
            return_exceptions=True,
        )

        assert [type(result) for result in results] == [list, BadRecord, BadRecord, BadRecord, BadRecord, list]
        assert await numbers(opened) == [1, 3]


async def test_batches_of_many_callers_share_commits_and_stay_whole(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        batches = await asyncio.gather(*(opened.append([draft(n), draft(-n)]) for n in range(1, 201)))

        assert all(b.number == a.number + 1 for a, b in batches)
        assert opened.last == 400
        assert (await opened.verify()).ok


async def test_followers_get_every_record_once_and_in_order(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        await opened.append([draft(n) for n in range(1, 300)])
        seen: dict[int, list[int]] = {0: [], 100: [], 299: []}

        async def follow(after: int) -> None:
            async for record in opened.follow(after):
                seen[after].append(record.number)
                if record.number == 400:
                    return

        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            for after in seen:
                group.create_task(follow(after))
            for n in range(300, 401):
                await opened.append([draft(n)])

        assert seen == {after: list(range(after + 1, 401)) for after in seen}


async def test_a_slow_follower_costs_one_page_and_holds_nobody_up(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        follower = opened.follow(0)
        await opened.append([draft(0)])
        await anext(follower)
        for _ in range(10):
            await opened.append([draft(n) for n in range(100)])
        ahead = [await anext(follower) for _ in range(1000)]

        assert [record.number for record in ahead] == list(range(2, 1002))
        await follower.aclose()


async def test_closing_ends_followers_and_refuses_more(tmp_path: Path) -> None:
    opened = await Journal.open(tmp_path / "j.db", SystemClock())
    follower = asyncio.create_task(_collect(opened))
    await opened.append([draft(1)])
    await asyncio.sleep(0)
    await opened.close()
    await opened.close()

    async with asyncio.timeout(5):
        assert await follower in ([1], [])
    with pytest.raises(Conflict):
        await opened.append([draft(2)])
    with pytest.raises(Conflict):
        await opened.read()


async def _collect(opened: Journal) -> list[int]:
    return [record.number async for record in opened.follow(0)]


async def test_a_cancelled_caller_leaves_the_journal_usable(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        tasks = [asyncio.create_task(opened.append([draft(n)])) for n in range(50)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await opened.append([draft(999)])

        kept = await numbers(opened)
        assert set(range(1, 50, 2)) <= set(kept)
        assert kept[-1] == 999
        assert (await opened.verify()).ok


async def test_a_second_writer_is_refused_with_a_remedy(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        with pytest.raises(JournalBusy, match="stop that one"):
            await Journal.open(tmp_path / "j.db", SystemClock())
        await opened.append([draft(1)])
    async with journal(tmp_path / "j.db") as opened:
        assert opened.last == 1


def test_write_ahead_logging_that_is_not_in_force_is_refused(tmp_path: Path) -> None:
    """A database in memory answers `memory`, as some file systems answer `delete`: without an error."""
    refused = pytest.raises(StorageRefused, match="journal mode memory")
    with contextlib.closing(sqlite3.connect(":memory:")) as connection, refused:
        make_durable(connection, tmp_path / "j.db")


def test_write_ahead_log_and_full_sync_are_in_force(tmp_path: Path) -> None:
    file = JournalFile(tmp_path / "j.db")

    mode = file._connection.execute("PRAGMA journal_mode").fetchone()
    level = file._connection.execute("PRAGMA synchronous").fetchone()
    file.close()

    assert (mode, level) == (("wal",), (2,))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET body = '{}' WHERE number = 2",
        "DELETE FROM record WHERE number = 3",
        "INSERT OR REPLACE INTO record SELECT 2, at_utc, mono_ns, boot, source, role, kind, '{}', NULL, prev, 'x' "
        "FROM record WHERE number = 2",
        "INSERT INTO record SELECT 9, at_utc, mono_ns, boot, source, role, kind, body, NULL, prev, 'x' "
        "FROM record WHERE number = 2",
    ],
)
def test_the_database_itself_refuses_changes(tmp_path: Path, statement: str) -> None:
    write_whole(tmp_path / "j.db", 5)

    with contextlib.closing(raw(tmp_path / "j.db")) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)

    assert verify_file(tmp_path / "j.db").ok


@pytest.mark.parametrize(
    "column", ["at_utc", "mono_ns", "boot", "source", "role", "kind", "body", "sealed", "prev", "hash"]
)
def test_a_change_of_any_field_is_found(tmp_path: Path, column: str) -> None:
    path = tmp_path / "j.db"
    write_whole(path, 9)
    with contextlib.closing(raw(path)) as connection:
        connection.execute("DROP TRIGGER record_never_changes")
        value = {"mono_ns": 8, "sealed": b"other", "body": '{"number":7}', "role": "finding"}.get(column, "other")
        connection.execute(f"UPDATE record SET {column} = ? WHERE number = 6", (value,))

    verdict = verify_file(path)

    assert (verdict.ok, verdict.first_bad) == (False, 6)


async def test_the_text_copy_holds_the_same_records(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        await opened.append([draft(n, b"x" if n == 2 else None) for n in range(1, 4)])
        records = await everything(opened)

    rows = [Row.from_line(line) for line in text_path(tmp_path / "j.db").read_bytes().splitlines()]
    assert [row.to_record() for row in rows if row is not None] == records


async def test_a_text_copy_on_a_failing_disk_stops_alone_and_catches_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk refuses half a line twice; the third time it takes everything that is missing."""
    write, refusals = os.write, [5, 9]

    def unwilling(fd: int, data: bytes | memoryview) -> int:
        if not refusals:
            return write(fd, data)
        write(fd, bytes(data)[: refusals.pop()])
        raise OSError(errno.ENOSPC, "No space left on device")

    async with journal(tmp_path / "j.db") as opened:
        monkeypatch.setattr("dealer.journal_text.os.write", unwilling)
        for n in range(1, 5):
            await opened.append([draft(n)])

        assert await numbers(opened) == [1, 2, 3, 4]
        assert await opened.verify() == Verdict(True, 4, None, None)
    assert len(text_path(tmp_path / "j.db").read_bytes().splitlines()) == 4


async def test_a_full_disk_refuses_the_batch_whole_and_a_freed_one_takes_it(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        await opened.append([draft(1)])
        database = opened._files().file._connection
        pages = await opened._in(opened._writer, lambda: database.execute("PRAGMA page_count").fetchone()[0])
        await opened._in(opened._writer, lambda: database.execute(f"PRAGMA max_page_count = {pages}").fetchone())

        with pytest.raises(StorageFull, match="free some space"):
            await opened.append([draft(n) for n in range(2, 500)])
        assert await numbers(opened) == [1]
        assert opened.last == 1

        await opened._in(opened._writer, lambda: database.execute("PRAGMA max_page_count = 100000").fetchone())
        await opened.append([draft(n) for n in range(2, 500)])
        assert await numbers(opened) == list(range(1, 500))
        assert (await opened.verify()).ok


async def test_a_backup_tool_that_holds_the_write_lock_only_delays(tmp_path: Path) -> None:
    async with journal(tmp_path / "j.db") as opened:
        await opened.append([draft(1)])
        with contextlib.closing(raw(tmp_path / "j.db")) as tool:
            tool.execute("BEGIN IMMEDIATE")
            waiting = asyncio.create_task(opened.append([draft(2)]))
            await asyncio.sleep(0.2)
            assert not waiting.done()
            assert await numbers(opened) == [1]
            tool.execute("ROLLBACK")
            await waiting

        assert await numbers(opened) == [1, 2]


def test_files_are_for_their_owner_only(tmp_path: Path) -> None:
    write_whole(tmp_path / "j.db", 2)

    assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be read as one" * 20, b"\0" * 4096])
async def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "j.db"
    path.write_bytes(content)

    with pytest.raises(JournalForeign):
        await Journal.open(path, SystemClock())

    assert path.read_bytes() == content


async def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with contextlib.closing(raw(tmp_path / "j.db")) as connection:
        connection.execute("CREATE TABLE games (id)")

    with pytest.raises(JournalForeign, match="not a journal of this program"):
        await Journal.open(tmp_path / "j.db", SystemClock())


async def test_a_journal_of_a_later_version_is_refused(tmp_path: Path) -> None:
    await asyncio.to_thread(write_whole, tmp_path / "j.db", 3, text=False)
    with contextlib.closing(raw(tmp_path / "j.db")) as connection:
        connection.execute("PRAGMA user_version = 2")

    with pytest.raises(JournalForeign, match="version 2"):
        await Journal.open(tmp_path / "j.db", SystemClock())


async def test_a_folder_that_takes_no_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "j.db").mkdir()

    with pytest.raises((StorageFull, JournalForeign)):
        await Journal.open(tmp_path / "j.db", SystemClock())


def test_reading_an_absent_journal_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        list(iterate(tmp_path / "j.db"))

    assert list(tmp_path.iterdir()) == []


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(codec="utf-8"), max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('abcé中\n"', max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    body=st.dictionaries(st.text("abc_", min_size=1, max_size=4), _json, max_size=4),
    sealed=st.none() | st.binary(max_size=9),
)
def test_the_hash_is_that_of_the_rfc_8785_form(body: dict[str, object], sealed: bytes | None) -> None:
    import hashlib

    one = Draft('person:李 "x"', Role.QUESTION, "kind", body, sealed)
    [row] = chain([(one, canonical_body(one))], 41, "p" * 64, Stamp("2030-05-01T00:00:00.000000Z", 5, "b"))
    fields = {
        "number": 42,
        "at_utc": row.at_utc,
        "mono_ns": 5,
        "boot": "b",
        "source": one.source,
        "role": "question",
        "kind": "kind",
        "body": body,
        "prev": "p" * 64,
        "sealed_sha256": None if sealed is None else hashlib.sha256(sealed).hexdigest(),
    }

    assert row.hash == hashlib.sha256(DOMAIN + rfc8785.dumps(fields)).hexdigest()
    assert Row.from_line(row.to_line()) == row
    assert json.loads(row.to_line())["body"] == body
    assert row.follows(41, "p" * 64)


def test_nanoseconds_beyond_two_to_the_53_are_kept_exactly() -> None:
    """A machine that has not been restarted for 104 days counts beyond what RFC 8785 allows."""
    value = {"settled_ns": 2**53 + 1, "a": 1}

    assert json.loads(canonical(value)) == value
    one = Draft("camera", Role.FACT, "x", value)
    [row] = chain([(one, canonical_body(one))], 0, GENESIS, Stamp("t", 2**60, "b"))
    assert row.hash == row_hash(row)
    assert Row.from_line(row.to_line()) == row


@given(line=st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_a_line_of_anything_is_read_as_nothing(line: bytes) -> None:
    assert Row.from_line(line) is None


def test_times_are_fixed_width_utc() -> None:
    from datetime import datetime, timedelta, timezone

    moment = datetime(2030, 1, 2, 8, 0, tzinfo=timezone(timedelta(hours=8)))

    assert iso_utc(moment) == "2030-01-02T00:00:00.000000Z"
