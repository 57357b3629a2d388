"""Byte streams to machines: a serial device (or pty) by path, or `socket://HOST:PORT`.

A stream is opened, used and closed by one task of the event loop. It never blocks the loop: a serial port has a
reading and a writing thread of its own. Whatever goes wrong ends in StreamLost, after which it is opened anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import queue
import threading
from collections import deque
from typing import Final, Protocol

import serial

from dealer.clock import Clock
from dealer.errors import PortBusy, PortUnreadable, StreamLost

READ_WAIT_S: Final = 0.1
"""A reading thread looks this often whether it should end."""

WRITE_WAIT_S: Final = 2.0
"""Longest time in which the line takes nothing before the stream counts as lost."""

WRITE_LIMIT: Final = 16 * 1024
"""Bytes that may wait to be written: 1.4 s of a 115200 line, far more than the link's window of 8 frames."""

READ_LIMIT: Final = 64 * 1024
"""Bytes that may wait to be read; beyond it the reading thread waits and the operating system holds the line."""

_CHUNK: Final = 4096
_SOCKET: Final = "socket://"


class ByteStream(Protocol):
    """An open line to a machine."""

    @property
    def name(self) -> str:
        """What the line is called in words to people."""
        ...

    async def read(self) -> bytes:
        """Bytes as they come, at least one. May be cancelled without losing any. Raises StreamLost."""
        ...

    def write(self, data: bytes) -> None:
        """Queue bytes. Raises StreamLost when the line has stalled or is gone; a later `read` raises it too."""
        ...

    async def close(self) -> None:
        """Let go of the line; bytes still queued may be dropped. Safe to repeat."""
        ...


async def open_stream(address: str, baud_bps: int, clock: Clock) -> ByteStream:
    """Open a serial path (links are followed anew each time) or `socket://HOST:PORT`.

    Raises PortBusy, PortUnreadable.
    """
    if address.startswith(_SOCKET):
        return await _open_socket(address, clock)
    loop = asyncio.get_running_loop()
    opening = loop.run_in_executor(None, _open_serial, address, baud_bps, loop)
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        with contextlib.suppress(PortBusy, PortUnreadable):
            await (await opening).close()  # or the port would stay locked by nobody
        raise


def _open_serial(path: str, baud_bps: int, loop: asyncio.AbstractEventLoop) -> ByteStream:
    stream = _SerialStream(path, _open_port(path, baud_bps), loop)
    stream.start()
    return stream


def _open_port(path: str, baud_bps: int) -> serial.Serial:
    try:
        return serial.Serial(path, baudrate=baud_bps, timeout=READ_WAIT_S, write_timeout=WRITE_WAIT_S, exclusive=True)
    except (serial.SerialException, OSError, ValueError) as error:
        code = error.errno if isinstance(error, OSError) else None
        if code in {errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK}:
            raise PortBusy(path) from error
        raise PortUnreadable(path, os.strerror(code) if code else "not a serial port") from error


class _SerialStream:
    """A serial port with two threads. Threads and loop share two queues; only the loop touches the rest."""

    def __init__(self, name: str, port: serial.Serial, loop: asyncio.AbstractEventLoop) -> None:
        self._name = name
        self._port = port
        self._loop = loop
        self._arrived: deque[bytes] = deque()
        self._waiting_in = 0
        self._waiting_out = 0
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lost: str | None = None
        self._woken = asyncio.Event()
        self._ending = False
        self._threads = [
            threading.Thread(target=work, name=f"{what} {name}", daemon=True)
            for what, work in (("read", self._read_on), ("write", self._write_on))
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    @property
    def name(self) -> str:
        return self._name

    async def read(self) -> bytes:
        while not self._arrived:
            if self._lost is not None:
                raise StreamLost(self._name, self._lost)
            self._woken.clear()
            await self._woken.wait()
        data = b"".join(self._arrived)
        self._arrived.clear()
        self._waiting_in = 0
        return data

    def write(self, data: bytes) -> None:
        if self._lost is None and self._waiting_out + len(data) > WRITE_LIMIT:
            self._lose("the line takes no bytes")
        if self._lost is not None:
            raise StreamLost(self._name, self._lost)
        self._waiting_out += len(data)
        self._outgoing.put(data)

    async def close(self) -> None:
        self._ending = True
        self._lose("closed")
        self._outgoing.put(None)
        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        with contextlib.suppress(OSError, serial.SerialException, AttributeError):
            self._port.cancel_read()
            self._port.cancel_write()
        for thread in self._threads:
            thread.join(WRITE_WAIT_S + 1)
        with contextlib.suppress(OSError, serial.SerialException):
            self._port.close()

    # Called by the loop.

    def _take(self, data: bytes) -> None:
        self._arrived.append(data)
        self._waiting_in += len(data)
        self._woken.set()

    def _sent(self, count: int) -> None:
        self._waiting_out -= count

    def _lose(self, why: str) -> None:
        if self._lost is None:
            self._lost = why
        self._woken.set()

    # The threads.

    def _tell(self, what: str | bytes | int) -> bool:
        """Pass a thread's news to the loop. False if there is no loop any more."""
        try:
            match what:
                case str():
                    self._loop.call_soon_threadsafe(self._lose, what)
                case bytes():
                    self._loop.call_soon_threadsafe(self._take, what)
                case int():
                    self._loop.call_soon_threadsafe(self._sent, what)
        except RuntimeError:
            return False
        return True

    def _read_on(self) -> None:
        pause = threading.Event()
        try:
            while not self._ending:
                if self._waiting_in > READ_LIMIT:
                    pause.wait(READ_WAIT_S)
                    continue
                data = self._port.read(min(self._port.in_waiting or 1, _CHUNK))
                if data and not self._tell(data):
                    return
        except (serial.SerialException, OSError, TypeError):  # TypeError: the port was closed under the read
            self._tell("unplugged")

    def _write_on(self) -> None:
        try:
            while not self._ending and (data := self._outgoing.get()) is not None:
                self._port.write(data)
                if not self._tell(len(data)):
                    return
        except serial.SerialTimeoutException:
            self._tell(f"the line took no bytes for {WRITE_WAIT_S:g} s")
        except (serial.SerialException, OSError, TypeError):
            self._tell("unplugged")


async def _open_socket(address: str, clock: Clock) -> ByteStream:
    host, _, port = address.removeprefix(_SOCKET).rpartition(":")
    try:
        number = int(port)
    except ValueError:
        raise PortUnreadable(address, "write socket://HOST:PORT") from None
    try:
        async with asyncio.timeout(WRITE_WAIT_S):
            reader, writer = await asyncio.open_connection(host, number)
    except TimeoutError as error:
        raise PortUnreadable(address, "no connection in time") from error
    except OSError as error:
        raise PortUnreadable(address, os.strerror(error.errno) if error.errno else str(error)) from error
    return _SocketStream(address, reader, writer, clock)


class _SocketStream:
    """A TCP connection."""

    def __init__(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, clock: Clock) -> None:
        self._name = name
        self._reader = reader
        self._writer = writer
        self._clock = clock
        self._stuck_since: int | None = None
        self._lost: str | None = None

    @property
    def name(self) -> str:
        return self._name

    async def read(self) -> bytes:
        try:
            data = await self._reader.read(_CHUNK)
        except OSError as error:
            raise StreamLost(self._name, error.strerror or "connection lost") from error
        if not data:
            raise StreamLost(self._name, self._lost or "closed by the other side")
        return data

    def write(self, data: bytes) -> None:
        """Heartbeats call this four times a second, so a stalled line is noticed within 2.25 s."""
        waiting = self._writer.transport.get_write_buffer_size()
        now = self._clock.monotonic_ns()
        if waiting == 0:
            self._stuck_since = None
        elif self._stuck_since is None:
            self._stuck_since = now
        stuck = self._stuck_since is not None and now - self._stuck_since > WRITE_WAIT_S * 1e9
        if self._lost is None and (stuck or waiting + len(data) > WRITE_LIMIT):
            self._lost = "the line takes no bytes"
            self._writer.transport.abort()
        if self._lost is not None or self._writer.is_closing():
            raise StreamLost(self._name, self._lost or "closed")
        self._writer.write(data)

    async def close(self) -> None:
        self._writer.transport.abort()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
