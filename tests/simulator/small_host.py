"""A small controller for the pretend machine: raw bytes, a link, events once each by number."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable

from firmware_proto.link import Deliver, Down, DownReason, Effect, Link, Role, Up, Write
from firmware_proto.messages import (
    PROTOCOL_VERSION,
    SCHEMA_HASH,
    CommandResult,
    CommandStatus,
    DeviceState,
    Event,
    EventsFrom,
    EventsLost,
    Heartbeat,
    Hello,
    Message,
)


class Port:
    """Raw bytes of a pseudo terminal or TCP address, without blocking."""

    def __init__(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[], None]) -> None:
        self.on_bytes = on_bytes
        self.on_lost = on_lost
        self.fd: int | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.reading: asyncio.Task[None] | None = None

    async def open(self, address: str) -> None:
        if address.startswith("socket://"):
            name, _, number = address.removeprefix("socket://").partition(":")
            reader, self.writer = await asyncio.open_connection(name, int(number))
            self.reading = asyncio.create_task(self._read(reader))
        else:
            self.fd = await asyncio.to_thread(os.open, address, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            asyncio.get_running_loop().add_reader(self.fd, self._readable)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                self.on_bytes(data)
        self.on_lost()

    def _readable(self) -> None:
        assert self.fd is not None
        try:
            data = os.read(self.fd, 4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.on_bytes(data)
        else:
            asyncio.get_running_loop().remove_reader(self.fd)
            self.on_lost()

    def write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):
            if self.fd is not None:
                os.write(self.fd, data)
            elif self.writer is not None:
                self.writer.write(data)

    async def close(self) -> None:
        if self.fd is not None:
            asyncio.get_running_loop().remove_reader(self.fd)
            os.close(self.fd)
            self.fd = None
        if self.writer is not None:
            self.writer.close()
        if self.reading is not None:
            self.reading.cancel()
            await asyncio.wait((self.reading,))


class Host:
    """A small controller: opens the address, keeps the link, takes events once each by number."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.link = Link(
            Role.HOST, Hello(os.urandom(16), PROTOCOL_VERSION, SCHEMA_HASH), Heartbeat(DeviceState(0), 0, 0, 0)
        )
        self.port = Port(self._on_bytes, self._on_lost)
        self.messages: list[Message] = []
        self.events: list[Message] = []
        self.gaps = 0
        self.last_event = 0
        self.next_cmd = 1000
        self.downs: list[DownReason] = []
        self.lost = asyncio.Event()
        self.changed = asyncio.Event()
        self.ticking: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Open the address, trying again while it is not there, and wait for a session."""
        async with asyncio.timeout(10):
            while True:
                with contextlib.suppress(OSError):
                    await self.port.open(self.address)
                    break
                await asyncio.sleep(0.02)
            self.lost.clear()
            self._act(self.link.open(self._now()))
            if self.ticking is None:
                self.ticking = asyncio.create_task(self._tick())
            await self.until(lambda: self.link.up)

    async def close(self) -> None:
        if self.ticking is not None:
            self.ticking.cancel()
            await asyncio.wait((self.ticking,))
            self.ticking = None
        await self.port.close()

    def send(self, message: Message) -> None:
        self._act(self.link.send(message, self._now()))

    def command(self) -> int:
        self.next_cmd += 1
        return self.next_cmd

    async def until(self, claim: Callable[[], bool], seconds: float = 20.0) -> None:
        async with asyncio.timeout(seconds):
            while not claim():
                self.changed.clear()
                await self.changed.wait()

    async def result(self, cmd_id: int, status: CommandStatus) -> None:
        await self.until(
            lambda: any(
                isinstance(m, CommandResult) and m.cmd_id == cmd_id and m.status is status for m in self.messages
            )
        )

    def of(self, kind: type[Message]) -> list[Message]:
        return [event for event in self.events if isinstance(event, kind)]

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _on_bytes(self, data: bytes) -> None:
        self._act(self.link.receive(data, self._now()))

    def _on_lost(self) -> None:
        self._act(self.link.close())
        self.lost.set()
        self.changed.set()

    async def _tick(self) -> None:
        """Tick the link; after a stall of this process, what has come meanwhile is read first."""
        while True:
            before = self._now()
            await asyncio.sleep(0.01)
            if self._now() - before > 0.2:
                await asyncio.sleep(0.1)
            self._act(self.link.tick(self._now()))

    def _act(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Write(data):
                    self.port.write(data)
                case Down(reason):
                    self.downs.append(reason)
                case Up():
                    self.send(EventsFrom(self.command(), self.last_event + 1))
                case Deliver(message):
                    self._take(message)
        self.changed.set()

    def _take(self, message: Message) -> None:
        """Events exactly once and in order, whatever is repeated."""
        if isinstance(message, EventsLost):
            self.last_event = max(self.last_event, message.last)
        if not isinstance(message, Event):
            self.messages.append(message)
            return
        number = message.event_no
        if number == self.last_event + 1:
            self.last_event = number
            self.events.append(message)
        elif number > self.last_event + 1:
            self.gaps += 1
