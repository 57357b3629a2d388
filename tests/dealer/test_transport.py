"""Byte streams over real pseudo terminals and real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import tty
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from dealer.clock import SystemClock
from dealer.errors import PortBusy, PortUnreadable, StreamLost
from dealer.transport import WRITE_LIMIT, ByteStream, open_stream


class Pty:
    """A pseudo terminal whose far side the test holds."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)

    def unplug(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1


@pytest.fixture
def pty() -> Iterator[Pty]:
    made = Pty()
    yield made
    made.unplug()


@contextlib.asynccontextmanager
async def opened(address: str) -> AsyncIterator[ByteStream]:
    stream = await open_stream(address, 115_200, SystemClock())
    try:
        yield stream
    finally:
        await stream.close()


async def read_all(stream: ByteStream, count: int) -> bytes:
    data = b""
    async with asyncio.timeout(5):
        while len(data) < count:
            data += await stream.read()
    return data


async def test_bytes_go_both_ways_over_a_pty(pty: Pty) -> None:
    async with opened(pty.path) as stream:
        os.write(pty.master, bytes(range(256)))
        stream.write(b"there\0")

        assert await read_all(stream, 256) == bytes(range(256))
        assert await asyncio.to_thread(os.read, pty.master, 100) == b"there\0"
        assert stream.name == pty.path


async def test_a_cancelled_read_loses_no_byte(pty: Pty) -> None:
    async with opened(pty.path) as stream:
        data = b""
        for number in range(100):
            os.write(pty.master, bytes([number]) * 3)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.001 * (number % 3)):
                    data += await stream.read()
        data += await read_all(stream, 300 - len(data))

    assert data == b"".join(bytes([number]) * 3 for number in range(100))


async def test_a_link_is_followed_anew_each_time(tmp_path: Path, pty: Pty) -> None:
    link = tmp_path / "machine"
    link.symlink_to("/dev/null/nowhere")
    with pytest.raises(PortUnreadable):
        await open_stream(str(link), 115_200, SystemClock())
    link.unlink()
    link.symlink_to(pty.path)

    async with opened(str(link)) as stream:
        os.write(pty.master, b"x")
        assert await read_all(stream, 1) == b"x"


async def test_unplugging_is_noticed_by_the_reader_within_a_second(pty: Pty) -> None:
    async with opened(pty.path) as stream:
        reading = asyncio.create_task(stream.read())
        await asyncio.sleep(0)
        pty.unplug()

        async with asyncio.timeout(1.0):
            with pytest.raises(StreamLost, match="unplugged"):
                await reading
        with pytest.raises(StreamLost):
            stream.write(b"x")
        with pytest.raises(StreamLost):
            await stream.read()


async def test_a_second_program_is_refused(pty: Pty) -> None:
    async with opened(pty.path):
        with pytest.raises(PortBusy, match="close that program"):
            await open_stream(pty.path, 115_200, SystemClock())
    async with opened(pty.path):
        pass


@pytest.mark.parametrize("name", ["absent", "folder", "file"])
async def test_what_is_no_port_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(PortUnreadable) as caught:
        await open_stream(str(tmp_path / name), 115_200, SystemClock())

    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "check the cable" in caught.value.remedy


async def write_on(stream: ByteStream, size: int, pause_s: float) -> float:
    """Write until the stream is lost; returns the longest turn of the loop that a write took."""
    loop, worst = asyncio.get_running_loop(), 0.0
    for _ in range(10_000):
        turn = loop.time()
        try:
            stream.write(bytes(size))
        except StreamLost:
            return worst
        worst = max(worst, loop.time() - turn)
        await asyncio.sleep(pause_s)
    raise AssertionError("the stream takes everything")


async def test_a_line_that_takes_nothing_is_lost_and_blocks_nobody(pty: Pty) -> None:
    """Nobody reads the far side: its buffer fills, then ours."""
    async with opened(pty.path) as stream:
        assert await write_on(stream, 250, 0.002) < 0.2


async def test_a_stalled_write_is_lost_within_its_time(pty: Pty) -> None:
    """Less waits than our buffer takes, and nothing more is written."""
    async with opened(pty.path) as stream:
        for _ in range(15):
            stream.write(bytes(1000))
        blocked = False
        for _ in range(60):
            await asyncio.sleep(0.002)
            with contextlib.suppress(StreamLost):
                stream.write(bytes(200))
                blocked = True
        assert blocked

        async with asyncio.timeout(3):
            with pytest.raises(StreamLost, match="bytes"):
                await stream.read()


async def test_more_than_may_wait_is_lost_at_once(pty: Pty) -> None:
    async with opened(pty.path) as stream:
        with pytest.raises(StreamLost, match="takes no bytes"):
            stream.write(bytes(WRITE_LIMIT + 1))


async def test_a_flood_is_read_whole_and_in_order(pty: Pty) -> None:
    block = bytes(range(256)) * 4
    count = 300

    def flood() -> None:
        for _ in range(count):
            left = memoryview(block)
            while left:
                left = left[os.write(pty.master, left) :]

    async with opened(pty.path) as stream:
        writing = asyncio.create_task(asyncio.to_thread(flood))
        data = await read_all(stream, count * len(block))
        await writing

    assert data == block * count


async def test_closing_ends_the_threads(pty: Pty) -> None:
    async with opened(pty.path):
        assert [thread for thread in threading.enumerate() if pty.path in thread.name]

    assert not [thread for thread in threading.enumerate() if pty.path in thread.name]


async def test_an_opening_that_is_cancelled_leaves_the_port_free(pty: Pty) -> None:
    opening = asyncio.create_task(open_stream(pty.path, 115_200, SystemClock()))
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening

    async with opened(pty.path):
        pass


# -- sockets ----------------------------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def server(read: bool = True) -> AsyncIterator[tuple[str, list[asyncio.StreamWriter], bytearray]]:
    writers: list[asyncio.StreamWriter] = []
    heard = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(OSError):
            while read and (data := await reader.read(4096)):
                heard.extend(data)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1024)
    try:
        yield f"socket://127.0.0.1:{listening.sockets[0].getsockname()[1]}", writers, heard
    finally:
        for writer in writers:
            writer.transport.abort()
        listening.close()
        await listening.wait_closed()
        await asyncio.sleep(0.01)


async def until(what: Callable[[], object]) -> None:
    for _ in range(1000):
        if what():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it does not come")


async def test_bytes_go_both_ways_over_a_socket() -> None:
    async with server() as (address, writers, heard), opened(address) as stream:
        stream.write(b"hello")
        await until(lambda: heard == b"hello")
        writers[0].write(b"there")
        assert await read_all(stream, 5) == b"there"


async def test_a_closed_socket_is_lost() -> None:
    async with server() as (address, writers, _), opened(address) as stream:
        await until(lambda: writers)
        writers[0].transport.abort()
        with pytest.raises(StreamLost):
            await stream.read()


async def test_a_socket_that_takes_nothing_is_lost() -> None:
    async with server(read=False) as (address, _, _heard), opened(address) as stream:
        assert await write_on(stream, 4000, 0) < 0.2


@pytest.mark.parametrize("address", ["socket://127.0.0.1:1", "socket://127.0.0.1", "socket://:x", "socket://"])
async def test_an_address_where_nobody_is_is_refused(address: str) -> None:
    with pytest.raises(PortUnreadable, match="socket://"):
        await open_stream(address, 115_200, SystemClock())


def test_the_serial_library_has_one_door() -> None:
    root = Path(__file__).parents[2]
    rooms = ("engine", "firmware_proto", "vision", "dealer", "api", "simulator")
    doors = [
        str(file.relative_to(root))
        for room in rooms
        for file in sorted((root / room).rglob("*.py"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith(("import serial", "from serial"))
    ]

    assert doors == ["dealer/transport.py"]
