"""The answer that never ends by itself: one reader's events over HTTP, with a deadline on every write."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import structlog
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from api.feed import Feeds
from api.reader import Reader
from dealer.clock import Clock

_log = structlog.get_logger()
RETRY_MS: Final = 1000
"""How long a client is asked to wait before it comes back."""


class EventStream(Response):
    """Sends what a reader is due whenever a table changes, until the client leaves, stalls or the server stops."""

    media_type = "text/event-stream"

    def __init__(
        self, feeds: Feeds, reader: Reader, clock: Clock, deadline_s: float, ended: Callable[[], None]
    ) -> None:
        """`deadline_s` bounds every write; a client that takes nothing for so long is closed."""
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]  # the end of the stream is the end of the connection
        self._feeds = feeds
        self._reader = reader
        self._clock = clock
        self._deadline_s = deadline_s
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        nudge = self._feeds.subscribe()
        try:
            async with asyncio.TaskGroup() as group:
                left = group.create_task(_leave(receive, nudge))
                await self._pump(send, nudge, left)
                left.cancel()
        except* TimeoutError:
            _log.warning("slow client closed", deadline_s=self._deadline_s)
        finally:
            self._feeds.unsubscribe(nudge)
            self._ended()

    async def _pump(self, send: Send, nudge: asyncio.Event, left: asyncio.Task[None]) -> None:
        await self._write(send, {"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await self._write(send, _body(f"retry: {RETRY_MS}\n\n".encode()))
        while not (self._feeds.closed or left.done()):
            nudge.clear()
            for frame in self._reader.take(self._clock.monotonic_ns()):
                await self._write(send, _body(frame))
            wait_s = self._reader.wait_ns(self._clock.monotonic_ns()) / 1e9
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await nudge.wait()
        if not left.done():
            await self._write(send, {"type": "http.response.body", "body": b"", "more_body": False})

    async def _write(self, send: Send, message: Message) -> None:
        async with asyncio.timeout(self._deadline_s):
            await send(message)


async def _leave(receive: Receive, nudge: asyncio.Event) -> None:
    """Wait for the client to go."""
    while (await receive())["type"] != "http.disconnect":
        pass
    nudge.set()


def _body(data: bytes) -> Message:
    return {"type": "http.response.body", "body": data, "more_body": True}
