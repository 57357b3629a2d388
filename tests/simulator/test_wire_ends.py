"""The device's end of the line: pace, pieces, what is dropped, and what stays when the plug is pulled."""

from __future__ import annotations

import asyncio
import contextlib
import os
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from simulator.clock import RealClock
from simulator.wire import CHUNK_BYTES, LINE_BYTES_PER_S, MOST_WAITING_BYTES, Pacer, PtyWire, TcpWire


class FastClock:
    """Time that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def mono_ns(self) -> int:
        return round(self.time * 1e9)

    async def sleep(self, seconds: float) -> None:
        self.time += max(0.0, seconds)
        await asyncio.sleep(0)

    async def wait(self, future: asyncio.Future[object], seconds: float) -> bool:
        raise NotImplementedError


@asynccontextmanager
async def running(wire: PtyWire | TcpWire, got: bytearray) -> AsyncIterator[None]:
    await wire.start()
    task = asyncio.create_task(wire.run(got.extend))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def until(claim: object, seconds: float = 10.0) -> None:
    assert callable(claim)
    async with asyncio.timeout(seconds):
        while not claim():
            await asyncio.sleep(0.005)


def open_terminal(path: str) -> int:
    return os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)


def read_some(fd: int) -> bytes:
    try:
        return os.read(fd, 4096)
    except BlockingIOError:
        return b""


async def test_line_carries_11520_bytes_a_second_in_small_pieces() -> None:
    clock, pieces = FastClock(), list[bytes]()
    pacer = Pacer(clock, pieces.append)
    task = asyncio.create_task(pacer.run())

    pacer.put(bytes(range(256)) * 45)
    await until(lambda: sum(map(len, pieces)) == 256 * 45)
    task.cancel()
    await asyncio.wait((task,))

    assert clock.time == pytest.approx(256 * 45 / LINE_BYTES_PER_S, rel=0.01)
    assert b"".join(pieces) == bytes(range(256)) * 45
    assert max(map(len, pieces)) <= CHUNK_BYTES


async def test_bytes_beyond_the_limit_are_dropped_and_counted() -> None:
    pacer = Pacer(FastClock(), lambda data: None)

    pacer.put(bytes(MOST_WAITING_BYTES))
    pacer.put(bytes(100))

    assert pacer.full
    assert pacer.dropped == 100


@pytest.mark.alone
async def test_real_line_is_paced_both_ways(tmp_path: Path) -> None:
    """2,304 bytes take 0.2 s; the upper bound is loose, for a loaded machine."""
    got = bytearray()
    wire = PtyWire(RealClock(), tmp_path / "serial")
    async with running(wire, got):
        fd = open_terminal(wire.address)
        try:
            os.write(fd, b"\x55")
            await until(lambda: bool(got))
            start = asyncio.get_running_loop().time()
            os.write(fd, bytes(2304))
            await until(lambda: len(got) == 2305)
            inward = asyncio.get_running_loop().time() - start
            wire.write(bytes(2304))
            start, read = asyncio.get_running_loop().time(), 0
            while read < 2304:
                read += len(read_some(fd))
                await asyncio.sleep(0.002)
            outward = asyncio.get_running_loop().time() - start
        finally:
            os.close(fd)

    assert 0.19 <= inward <= 1.0
    assert 0.19 <= outward <= 1.0


async def test_terminal_is_raw(tmp_path: Path) -> None:
    every = bytes(range(256))
    got = bytearray()
    wire = PtyWire(RealClock(), tmp_path / "serial")
    async with running(wire, got):
        fd = open_terminal(wire.address)
        try:
            assert termios.tcgetattr(fd)[3] & (termios.ECHO | termios.ICANON | termios.ISIG) == 0
            os.write(fd, every)
            await until(lambda: bytes(got) == every)
            wire.write(every)
            back = bytearray()
            async with asyncio.timeout(5):
                while bytes(back) != every:
                    back += read_some(fd)
                    await asyncio.sleep(0.002)
        finally:
            os.close(fd)


async def test_bytes_without_a_controller_are_dropped(tmp_path: Path) -> None:
    got = bytearray()
    wire = PtyWire(RealClock(), tmp_path / "serial")
    async with running(wire, got):
        for _ in range(100):
            wire.write(bytes(1000))
        fd = open_terminal(wire.address)
        try:
            os.write(fd, b"hello")
            await until(lambda: bytes(got) == b"hello")

            assert read_some(fd) == b""
        finally:
            os.close(fd)


async def test_controller_that_never_reads_blocks_nobody(tmp_path: Path) -> None:
    got = bytearray()
    wire = PtyWire(RealClock(), tmp_path / "serial")
    async with running(wire, got):
        fd = open_terminal(wire.address)
        try:
            os.write(fd, b"a")
            await until(lambda: bool(got))
            for _ in range(30):
                wire.write(bytes(1000))
                await asyncio.sleep(0.01)
            os.write(fd, b"b")

            await until(lambda: bytes(got) == b"ab")
            assert wire.dropped > 0
        finally:
            os.close(fd)


async def test_unplugged_terminal_is_an_error_and_its_address_comes_back(tmp_path: Path) -> None:
    got = bytearray()
    wire = PtyWire(RealClock(), tmp_path / "serial")
    async with running(wire, got):
        first = open_terminal(wire.address)
        unplugging = asyncio.create_task(wire.unplug(0.1))
        await until(lambda: not os.path.lexists(wire.address))
        with pytest.raises(OSError, match=r"\[Errno 5\]"):
            os.write(first, b"x")
        os.close(first)
        await unplugging
        second = open_terminal(wire.address)
        try:
            os.write(second, b"again")

            await until(lambda: bytes(got) == b"again")
        finally:
            os.close(second)


@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_plug_is_not_put_in_again_after_the_end(tmp_path: Path, kind: str) -> None:
    wire = PtyWire(RealClock(), tmp_path / "serial") if kind == "pty" else TcpWire(RealClock())
    async with running(wire, bytearray()):
        unplugging = asyncio.create_task(wire.unplug(0.05))
        await asyncio.sleep(0)
    await unplugging

    assert not os.path.lexists(tmp_path / "serial")  # noqa: ASYNC240 - a test looks


async def test_terminal_without_a_link_has_its_own_path() -> None:
    wire = PtyWire(RealClock())
    async with running(wire, bytearray()):
        assert wire.address.startswith("/dev/")


async def test_unplugged_port_refuses_and_comes_back() -> None:
    got = bytearray()
    wire = TcpWire(RealClock())
    async with running(wire, got):
        port = int(wire.address.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        unplugging = asyncio.create_task(wire.unplug(0.2))
        with contextlib.suppress(ConnectionError):
            assert await reader.read(1) == b""
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        await unplugging
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"again")

        await until(lambda: bytes(got) == b"again")
        writer.close()


async def test_newest_client_wins() -> None:
    got = bytearray()
    wire = TcpWire(RealClock())
    async with running(wire, got):
        port = int(wire.address.rpartition(":")[2])
        reader, first = await asyncio.open_connection("127.0.0.1", port)
        _, second = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(ConnectionError):
            assert await reader.read(1) == b""
        second.write(b"mine")

        await until(lambda: bytes(got) == b"mine")
        first.close()
        second.close()


async def test_flood_from_the_controller_waits_instead_of_being_lost() -> None:
    """More than the line carries: the port stops reading and nothing is lost."""
    got = bytearray()
    wire = TcpWire(RealClock())
    flood = bytes(range(256)) * 60
    async with running(wire, got):
        port = int(wire.address.rpartition(":")[2])
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(flood)

        await until(lambda: len(got) == len(flood))
        assert bytes(got) == flood
        writer.close()
