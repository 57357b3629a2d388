"""What a journal keeps when its writer is killed and when its files are cut, overwritten or lost."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from journal_support import CountingClock, draft, everything, journal, numbers, write_whole

from dealer.errors import JournalBusy, JournalCorrupt, JournalForeign
from dealer.journal import Journal, iterate, verify_file
from dealer.journal_file import Damage, JournalFile, companions
from dealer.journal_salvage import Opened, open_files
from dealer.journal_text import text_path
from dealer.record import Row

WRITER = Path(__file__).with_name("journal_writer.py")
ROOT = Path(__file__).parents[2]


def _start(path: Path) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    writer = subprocess.Popen([sys.executable, str(WRITER), str(path)], stdout=subprocess.PIPE, env=environment)
    assert writer.stdout is not None
    return writer, writer.stdout


def test_nothing_acknowledged_is_missing_after_a_dozen_kills(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    chance = random.Random(11)
    promised = 0
    for _ in range(12):
        writer, out = _start(path)
        try:
            found = int(out.readline().split()[1])
            assert found >= promised
            for _ in range(chance.randrange(0, 25)):
                promised = int(out.readline())
            writer.send_signal(signal.SIGKILL)
            told = [int(line) for line in out.read().split(b"\n") if line]
        finally:
            writer.kill()
            writer.wait()
            out.close()
        promised = max([promised, found, *told])

    verdict = verify_file(path)
    assert verdict.ok or verdict.first_bad is None
    assert verdict.records >= promised > 0
    assert not list(tmp_path.glob("*.damaged-*"))


def test_a_killed_owner_frees_the_journal_at_once(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    writer, out = _start(path)
    try:
        out.readline()
        with pytest.raises(JournalBusy, match=str(writer.pid)):
            asyncio.run(Journal.open(path, CountingClock()))
        writer.send_signal(signal.SIGKILL)
        writer.wait()

        async def reopen() -> None:
            async with journal(path):
                pass

        asyncio.run(reopen())
    finally:
        writer.kill()
        writer.wait()
        out.close()


# -- damaged files ----------------------------------------------------------------------------------------------------

COUNT = 60


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed journal of COUNT records with its text copy; never written to."""
    path = tmp_path_factory.mktemp("whole") / "j.db"
    write_whole(path, COUNT)
    return path


def _copy(whole: Path, folder: Path, *, text: bool = True) -> Path:
    shutil.copy(whole, folder / "j.db")
    if text:
        shutil.copy(text_path(whole), folder / "j.jsonl")
    return folder / "j.db"


def _reopen(path: Path) -> tuple[Opened, list[Row]]:
    opened = open_files(path)
    rows = list(opened.file.rows_after(0))
    opened.file.close()
    if opened.text is not None:
        opened.text.close()
    return opened, rows


def _originals(whole: Path) -> list[Row]:
    file = JournalFile(whole)
    try:
        return list(file.rows_after(0))
    finally:
        file.close()


def test_a_database_cut_anywhere_is_made_whole_from_its_text_copy(whole: Path, tmp_path: Path) -> None:
    size = whole.stat().st_size
    originals = _originals(whole)
    for at, cut in enumerate([*range(0, size, size // 25), size - 1, size - 100, 1, 99, 512]):
        folder = tmp_path / str(at)
        folder.mkdir()
        path = _copy(whole, folder)
        os.truncate(path, cut)

        opened, rows = _reopen(path)

        assert rows == originals, cut
        assert opened.salvage is not None or cut > size - 4096
        assert verify_file(path).ok
        if opened.salvage is not None:
            assert opened.salvage.cut == 0
            assert cut == 0 or (folder / opened.salvage.set_aside).stat().st_size == cut


def test_garbage_anywhere_in_the_database_is_made_good_from_the_text_copy(whole: Path, tmp_path: Path) -> None:
    size = whole.stat().st_size
    originals = _originals(whole)
    chance = random.Random(5)
    for at in range(30):
        folder = tmp_path / str(at)
        folder.mkdir()
        path = _copy(whole, folder)
        junk = chance.choice([bytes(512), chance.randbytes(64), chance.randbytes(4096)])
        with path.open("r+b") as file:
            file.seek(chance.randrange(0, size - 16))
            file.write(junk)

        _, rows = _reopen(path)

        assert rows == originals, at


def test_without_a_text_copy_the_provable_prefix_is_kept_and_the_cut_is_told(whole: Path, tmp_path: Path) -> None:
    size = whole.stat().st_size
    originals = _originals(whole)
    kept: set[int] = set()
    for at, place in enumerate(range(4096, size, size // 25)):
        folder = tmp_path / str(at)
        folder.mkdir()
        path = _copy(whole, folder, text=False)
        with path.open("r+b") as file:
            file.seek(place)
            file.write(random.Random(at).randbytes(300))
        damaged = path.read_bytes()

        opened, rows = _reopen(path)

        assert rows == originals[: len(rows)]
        kept.add(len(rows))
        if len(rows) < COUNT:
            assert opened.salvage is not None
            assert opened.salvage.kept == len(rows)
            assert (folder / opened.salvage.set_aside).read_bytes() == damaged
    assert len(kept) > 2


def test_a_text_copy_cut_at_every_byte_of_its_last_records_is_brought_up_to_date(whole: Path, tmp_path: Path) -> None:
    path = _copy(whole, tmp_path)
    text = text_path(path).read_bytes()
    start = len(b"".join(text.splitlines(keepends=True)[:-3]))
    for cut in range(start, len(text), 7):
        text_path(path).write_bytes(text[:cut])

        opened, rows = _reopen(path)

        assert opened.salvage is None
        assert len(rows) == COUNT
        assert text_path(path).read_bytes() == text


@pytest.mark.parametrize("junk", [bytes(512), random.Random(1).randbytes(64), b"\n\n{}\n", b'{"number": 61}\n'])
def test_junk_after_the_last_line_of_the_text_copy_is_cut_off(whole: Path, tmp_path: Path, junk: bytes) -> None:
    path = _copy(whole, tmp_path)
    text = text_path(path).read_bytes()
    text_path(path).write_bytes(text + junk)

    opened, _ = _reopen(path)

    assert opened.salvage is None
    assert text_path(path).read_bytes() == text


def test_a_text_copy_of_another_journal_is_put_aside(whole: Path, tmp_path: Path) -> None:
    path = _copy(whole, tmp_path)
    (tmp_path / "other").mkdir()
    write_whole(tmp_path / "other" / "j.db", 7)
    lines = text_path(tmp_path / "other" / "j.db").read_bytes().replace(b'"mono_ns":7', b'"mono_ns":8')
    text = text_path(path).read_bytes()
    text_path(path).write_bytes(lines)

    opened, rows = _reopen(path)

    assert opened.salvage is None
    assert len(rows) == COUNT
    assert text_path(path).read_bytes() == text
    assert (tmp_path / "j.jsonl.damaged-1").read_bytes() == lines


def test_records_that_only_the_text_copy_still_has_come_back(whole: Path, tmp_path: Path) -> None:
    """As when the write-ahead log was deleted: the database is sound and short."""
    write_whole(tmp_path / "j.db", 40)
    short = (tmp_path / "j.db").read_bytes()
    path = _copy(whole, tmp_path)
    path.write_bytes(short)

    opened, rows = _reopen(path)

    assert rows == _originals(whole)
    assert opened.salvage is not None
    assert (opened.salvage.kept, opened.salvage.cut, opened.salvage.from_text) == (COUNT, 0, 20)
    assert "ends at record 40, its text copy at 60" in opened.salvage.why


def test_a_lost_database_comes_back_from_its_text_copy(whole: Path, tmp_path: Path) -> None:
    path = _copy(whole, tmp_path)
    path.unlink()

    _, rows = _reopen(path)

    assert rows == _originals(whole)


def test_a_torn_write_ahead_log_is_made_good(tmp_path: Path) -> None:
    """The database as a killed writer leaves it: most of it still in the log, which is then cut."""
    live = tmp_path / "live"
    live.mkdir()

    async def write() -> None:
        async with journal(live / "j.db") as opened:
            for n in range(20):
                await opened.append([draft(n)])
            for file in live.iterdir():
                await asyncio.to_thread(shutil.copy, file, tmp_path / file.name)

    asyncio.run(write())
    wal = companions(tmp_path / "j.db")[1].read_bytes()
    assert len(wal) > 4096
    for at, cut in enumerate(range(0, len(wal), len(wal) // 12)):
        folder = tmp_path / f"cut{at}"
        folder.mkdir()
        for name in ("j.db", "j.jsonl"):
            shutil.copy(tmp_path / name, folder / name)
        (folder / "j.db-wal").write_bytes(wal[:cut])

        _, rows = _reopen(folder / "j.db")

        assert len(rows) == 20


async def test_a_salvage_says_so_in_the_record(whole: Path, tmp_path: Path) -> None:
    path = await asyncio.to_thread(_copy, whole, tmp_path, text=False)
    damaged = bytearray(path.read_bytes())
    place = damaged.find(b'{"number":33')
    damaged[place : place + 12] = b'{"number":34'
    path.write_bytes(damaged)

    async with journal(path) as opened:
        last = (await everything(opened))[-1]

        assert last.kind == "journal_salvaged"
        assert last.body["kept"] == 32
        assert last.body["cut"] == COUNT - 32
        assert last.body["set_aside"] == "j.db.damaged-1"
        assert last.number == 33
        assert (await opened.append([draft(1)]))[0].number == 34
        assert (await opened.verify()).ok
    assert (tmp_path / "j.db.damaged-1").read_bytes() == damaged


def test_a_salvage_that_is_interrupted_anywhere_can_be_done_again(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every call that changes the folder fails once in turn, as if the program had been killed there."""
    originals = _originals(whole)
    interrupted = 0
    for spare in range(12):
        folder = tmp_path / str(spare)
        folder.mkdir()
        path = _copy(whole, folder)
        with path.open("r+b") as file:
            file.write(b"overwritten head of the file")
        left = [spare]

        def failing(name: str, left: list[int] = left) -> object:
            real = getattr(os, name)

            def call(*arguments: object, **more: object) -> object:
                if left[0] == 0:
                    left[0] = -1
                    raise KeyboardInterrupt
                left[0] -= left[0] > 0
                return real(*arguments, **more)

            return call

        with monkeypatch.context() as patch:
            for name in ("replace", "unlink", "rename", "fsync"):
                patch.setattr(f"os.{name}", failing(name))
            try:
                open_files(path)
            except KeyboardInterrupt:
                interrupted += 1

        _, rows = _reopen(path)
        assert rows == originals, spare
    assert interrupted >= 6


async def test_damage_that_a_running_writer_meets_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The damage is made good from the text copy, the batch is written, and a record after it tells."""
    path = tmp_path / "j.db"
    async with journal(path) as opened:
        await opened.append([draft(n) for n in range(1, 200)])
        written = await opened.append([draft(200)])

        original, broken = JournalFile.append, [True]

        def append_once_broken(file: JournalFile, rows: list[Row]) -> None:
            if broken:
                broken.clear()
                raise Damage(0, "database disk image is malformed")
            original(file, rows)

        monkeypatch.setattr(JournalFile, "append", append_once_broken)
        [record] = await opened.append([draft(201)])

        assert record.number == written[-1].number + 1
        assert await numbers(opened) == list(range(1, 202))
        assert (await everything(opened))[-1].kind == "journal_salvaged"
        assert (await opened.verify()).ok
        assert opened.salvage is not None
        assert opened.salvage.cut == 0


async def test_damage_in_the_middle_is_found_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    async with journal(path) as opened:
        await opened.append([draft(n) for n in range(1, 1001)])
    content = bytearray(path.read_bytes())
    place = content.find(b'{"number":500')
    content[place : place + 13] = b'{"number":501'
    path.write_bytes(content)

    with pytest.raises(JournalCorrupt, match="record 500"):
        await asyncio.to_thread(lambda: list(iterate(path)))
    verdict = await asyncio.to_thread(verify_file, path)
    assert (verdict.first_bad, verdict.text_first_bad) == (500, None)
    async with journal(path) as opened:
        assert opened.salvage is not None
        assert opened.salvage.cut == 0


def test_a_file_with_nothing_provable_is_refused(whole: Path, tmp_path: Path) -> None:
    path = _copy(whole, tmp_path, text=False)
    with path.open("r+b") as file:
        file.write(b"overwritten head")

    with pytest.raises(JournalForeign, match="move that file away"):
        open_files(path)
