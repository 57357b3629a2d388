"""The device's end of the serial line: a pseudo terminal or a TCP port, both as slow as 115200 baud.

Bytes that nobody takes are dropped, as on a real line; nothing here blocks or raises when the controller leaves.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from simulator.clock import Clock

LINE_BYTES_PER_S: Final = 11_520
"""115200 baud, eight data bits, one start and one stop bit."""
CHUNK_BYTES: Final = 32
"""Bytes handed on at once: 2.8 ms of line, about what a small receive buffer holds."""
MOST_WAITING_BYTES: Final = 16_384
"""Bytes that may wait for the line in one direction; more are dropped (out) or not read yet (in)."""
LOOK_S: Final = 0.05
"""How often an unused pseudo terminal is looked at for a controller."""
LISTEN_TRIES: Final = 50
"""Tries, a tenth of a second apart, to listen on the same port again after being unplugged."""

OnBytes = Callable[[bytes], None]


class Wire(Protocol):
    """One end of a line. A port of the simulator: pseudo terminal or TCP."""

    @property
    def address(self) -> str:
        """What a controller opens; stays the same when unplugged and plugged in again."""
        ...

    def write(self, data: bytes) -> None:
        """Queue bytes for the controller. Never blocks; drops what finds no room or no controller."""
        ...

    async def start(self) -> None:
        """Make the address exist."""
        ...

    async def run(self, on_bytes: OnBytes) -> None:
        """Carry bytes until cancelled; then the address is gone."""
        ...

    async def unplug(self, seconds: float) -> None:
        """Pull the plug, wait, and put it in again, unless the run has ended. Calls while it is out do nothing."""
        ...


class Pacer:
    """One direction of the line: takes bytes at once, hands them on in chunks at line rate."""

    def __init__(self, clock: Clock, deliver: OnBytes, drained: Callable[[], None] = lambda: None) -> None:
        self._clock = clock
        self._deliver = deliver
        self._drained = drained
        self._waiting = bytearray()
        self._filled = asyncio.Event()
        self._free = clock.now()
        self.dropped = 0
        """Bytes that found no room."""

    @property
    def full(self) -> bool:
        """Whether the giver should wait before giving more."""
        return len(self._waiting) >= MOST_WAITING_BYTES // 2

    def put(self, data: bytes) -> None:
        """Take bytes; those beyond the limit are dropped."""
        taken = data[: max(0, MOST_WAITING_BYTES - len(self._waiting))]
        self.dropped += len(data) - len(taken)
        self._waiting += taken
        self._filled.set()

    def clear(self) -> None:
        """Forget what is on the way, as when the plug is pulled."""
        self._waiting.clear()

    async def run(self) -> None:
        """Hand bytes on until cancelled."""
        while True:
            if not self._waiting:
                self._filled.clear()
                await self._filled.wait()
            count = min(CHUNK_BYTES, len(self._waiting))
            now = self._clock.now()
            self._free = max(self._free, now) + count / LINE_BYTES_PER_S
            await self._clock.sleep(self._free - now)
            chunk = bytes(self._waiting[:count])
            del self._waiting[:count]
            if chunk:
                self._deliver(chunk)
            if not self.full:
                self._drained()


class PtyWire:
    """A pseudo terminal. `link` is a path that always points at the present terminal; it is the address."""

    def __init__(self, clock: Clock, link: Path | None = None) -> None:
        self._clock = clock
        self._link = link
        self._path = ""
        self._master: int | None = None
        self._present = False
        self._unplugged = False
        self._over = False
        self._out = Pacer(clock, self._write_now)
        self._in: Pacer | None = None

    @property
    def address(self) -> str:
        return str(self._link) if self._link is not None else self._path

    @property
    def dropped(self) -> int:
        """Bytes for the controller that found no room."""
        return self._out.dropped

    def write(self, data: bytes) -> None:
        if self._present:
            self._out.put(data)

    async def start(self) -> None:
        self._master, self._path = await asyncio.to_thread(_make_pty, self._link)

    async def run(self, on_bytes: OnBytes) -> None:
        self._in = Pacer(self._clock, on_bytes, self._read_again)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._out.run())
                group.create_task(self._in.run())
                group.create_task(self._look_for_controller())
        finally:
            self._over = True
            self._let_go()
            await asyncio.to_thread(_remove, self._link)

    async def unplug(self, seconds: float) -> None:
        if self._unplugged:
            return
        self._unplugged = True
        try:
            self._let_go()
            await asyncio.to_thread(_remove, self._link)
            await self._clock.sleep(seconds)
            if not self._over:
                await self.start()
        finally:
            self._unplugged = False

    async def _look_for_controller(self) -> None:
        """Notice that somebody has opened the terminal; its closing shows in `_readable`."""
        looker = select.poll()
        while True:
            if self._master is not None and not self._present:
                looker.register(self._master, select.POLLIN)
                there = not any(bits & select.POLLHUP for _, bits in looker.poll(0))
                looker.unregister(self._master)
                if there:
                    self._present = True
                    self._read_again()
            await self._clock.sleep(LOOK_S)

    def _read_again(self) -> None:
        if self._master is not None and self._present:
            asyncio.get_running_loop().add_reader(self._master, self._readable)

    def _readable(self) -> None:
        """Bytes have come, or the controller has closed the terminal (EIO)."""
        if self._master is None or self._in is None:
            return
        try:
            data = os.read(self._master, 4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
            self._present = False
            self._out.clear()
            return
        self._in.put(data)
        if self._in.full:
            asyncio.get_running_loop().remove_reader(self._master)

    def _write_now(self, data: bytes) -> None:
        if self._master is not None and self._present:
            with contextlib.suppress(OSError):
                os.write(self._master, data)

    def _let_go(self) -> None:
        """Close the terminal: the controller sees an error."""
        master, self._master, self._present = self._master, None, False
        if master is not None:
            asyncio.get_running_loop().remove_reader(master)
            os.close(master)
        self._out.clear()
        if self._in is not None:
            self._in.clear()


def _make_pty(link: Path | None) -> tuple[int, str]:
    """Open a raw pseudo terminal that nobody uses yet; returns its master and the path of its slave."""
    master, slave = os.openpty()
    try:
        tty.setraw(slave)
        path = os.ttyname(slave)
    finally:
        os.close(slave)
    os.set_blocking(master, False)
    if link is not None:
        beside = link.with_name(link.name + ".next")
        beside.unlink(missing_ok=True)
        beside.symlink_to(path)
        beside.replace(link)
    return master, path


def _remove(link: Path | None) -> None:
    if link is not None:
        link.unlink(missing_ok=True)


class TcpWire:
    """A TCP port on this machine; one controller at a time, the newest wins."""

    def __init__(self, clock: Clock, port: int = 0) -> None:
        self._clock = clock
        self._port = port
        self._server: asyncio.Server | None = None
        self._client: asyncio.Transport | None = None
        self._unplugged = False
        self._over = False
        self._out = Pacer(clock, self._write_now)
        self._in: Pacer | None = None

    @property
    def address(self) -> str:
        return f"socket://127.0.0.1:{self._port}"

    @property
    def dropped(self) -> int:
        """Bytes for the controller that found no room."""
        return self._out.dropped

    def write(self, data: bytes) -> None:
        if self._client is not None:
            self._out.put(data)

    async def start(self) -> None:
        """Listen. Raises OSError if the port stays taken."""
        loop = asyncio.get_running_loop()
        for left in reversed(range(LISTEN_TRIES)):
            try:
                self._server = await loop.create_server(lambda: _Client(self), "127.0.0.1", self._port)
                break
            except OSError:
                if not left:
                    raise
                await self._clock.sleep(0.1)
        assert self._server is not None
        self._port = int(self._server.sockets[0].getsockname()[1])

    async def run(self, on_bytes: OnBytes) -> None:
        self._in = Pacer(self._clock, on_bytes, self._read_again)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._out.run())
                group.create_task(self._in.run())
        finally:
            self._over = True
            self._let_go()

    async def unplug(self, seconds: float) -> None:
        if self._unplugged:
            return
        self._unplugged = True
        try:
            self._let_go()
            await self._clock.sleep(seconds)
            if not self._over:
                await self.start()
        finally:
            self._unplugged = False

    def accept(self, client: asyncio.Transport) -> None:
        """A controller has connected; an earlier one is cut off."""
        if self._client is not None:
            self._client.abort()
        self._client = client
        self._out.clear()

    def lose(self, client: asyncio.Transport) -> None:
        """A controller has gone."""
        if self._client is client:
            self._client = None
            self._out.clear()

    def take(self, client: asyncio.Transport, data: bytes) -> None:
        """Bytes have come from a controller."""
        if self._client is client and self._in is not None:
            self._in.put(data)
            if self._in.full:
                client.pause_reading()

    def _read_again(self) -> None:
        if self._client is not None and not self._client.is_closing():
            self._client.resume_reading()

    def _write_now(self, data: bytes) -> None:
        client = self._client
        if client is not None and client.get_write_buffer_size() < MOST_WAITING_BYTES:
            client.write(data)

    def _let_go(self) -> None:
        """Stop listening and cut the controller off."""
        server, self._server = self._server, None
        client, self._client = self._client, None
        if server is not None:
            server.close()
        if client is not None:
            client.abort()
        self._out.clear()
        if self._in is not None:
            self._in.clear()


class _Client(asyncio.Protocol):
    """One connection to a TcpWire."""

    def __init__(self, wire: TcpWire) -> None:
        self._wire = wire
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._wire.accept(transport)

    def data_received(self, data: bytes) -> None:
        if self._transport is not None:
            self._wire.take(self._transport, data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._wire.lose(self._transport)
