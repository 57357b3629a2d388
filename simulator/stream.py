"""The camera's pictures over HTTP: motion JPEG at /stream.mjpg, the newest picture at /snapshot.jpg.

Every client gets the newest picture when it is ready for one; what it was too slow for is left out, and it slows
nobody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from types import TracebackType
from typing import Final, Self

from simulator.camera import Picture
from simulator.clock import Clock
from simulator.web import MOST_HEAD_BYTES, BadRequest, answer, head, read_request

BOUNDARY: Final = "picture"
SEND_S: Final = 5.0
"""A client that takes longer over one picture is cut off."""
SEND_BUFFER_BYTES: Final = 262_144
"""Less than one picture waits in the kernel for a client, so that a slow one sees the present, not the past."""
FIRST_PICTURE_S: Final = 5.0


class Stream:
    """The HTTP server of one camera. Enter it to listen on 127.0.0.1."""

    def __init__(self, clock: Clock, port: int = 0) -> None:
        self._clock = clock
        self._port = port
        self._server: asyncio.Server | None = None
        self._picture: Picture | None = None
        self._number = 0
        self._fresh = asyncio.Condition()
        self._off_until_s = float("-inf")
        self._clients: set[asyncio.StreamWriter] = set()
        self._talks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.waiting = 0
        """Clients that want pictures at the moment."""

    async def __aenter__(self) -> Self:
        """Raises OSError if the port is taken."""
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", self._port, limit=MOST_HEAD_BYTES)
        self._port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._closing = True
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def port(self) -> int:
        return self._port

    @property
    def is_off(self) -> bool:
        return self._clock.now() < self._off_until_s

    def turn_off(self, seconds: float) -> None:
        """Cut every client off and refuse all for so long."""
        self._off_until_s = self._clock.now() + seconds
        for writer in self._clients:
            writer.transport.abort()

    async def publish(self, picture: Picture) -> None:
        """A picture is there for all who wait."""
        async with self._fresh:
            self._picture = picture
            self._number += 1
            self._fresh.notify_all()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        try:
            with contextlib.suppress(BadRequest, TimeoutError, OSError):
                await self._serve(reader, writer)
        except asyncio.CancelledError:
            if not self._closing:  # a talk that is cut off with its server has nothing more to say
                raise
        finally:
            self._talks.discard(task)
            self._clients.discard(writer)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await read_request(reader)
        if self.is_off:
            await self._send(writer, answer(503, "text/plain", b"the camera is off\n"))
        elif request.path not in {"/stream.mjpg", "/snapshot.jpg"}:
            await self._send(writer, answer(404, "text/plain", b"see /stream.mjpg or /snapshot.jpg\n"))
        elif request.method != "GET":
            await self._send(writer, answer(405, "text/plain", b"GET only\n"))
        else:
            self._clients.add(writer)
            self.waiting += 1
            try:
                await (self._snapshot(writer) if request.path == "/snapshot.jpg" else self._pictures(writer))
            finally:
                self.waiting -= 1

    async def _snapshot(self, writer: asyncio.StreamWriter) -> None:
        """The first picture that is shot after the request."""
        async with asyncio.timeout(FIRST_PICTURE_S):
            _, picture = await self._next(self._number)
        await self._send(writer, answer(200, "image/jpeg", picture.jpeg))

    async def _pictures(self, writer: asyncio.StreamWriter) -> None:
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        await self._send(writer, head(200, f"multipart/x-mixed-replace; boundary={BOUNDARY}"))
        number = self._number
        while True:
            number, picture = await self._next(number)
            fields = (
                f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture.jpeg)}\r\n"
                f"X-Mono-Ns: {picture.mono_ns}\r\n\r\n"
            )
            await self._send(writer, fields.encode("ascii") + picture.jpeg + b"\r\n")

    async def _next(self, after: int) -> tuple[int, Picture]:
        """The newest picture with a number above `after`."""
        async with self._fresh:
            await self._fresh.wait_for(lambda: self._number > after)
            assert self._picture is not None
            return self._number, self._picture

    async def _send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        writer.write(data)
        async with asyncio.timeout(SEND_S):
            await writer.drain()
