"""Waiting for bytes in a way that can be cut short, because there is something to send."""

from __future__ import annotations

import asyncio

from dealer.transport import ByteStream


class Alarm:
    """Wakes the one reader of a line."""

    def __init__(self) -> None:
        self._wait: asyncio.Timeout | None = None

    async def read(self, stream: ByteStream, longest_s: float) -> bytes:
        """Bytes from the stream; none after `longest_s`, or when the alarm rings. Raises StreamLost."""
        try:
            async with asyncio.timeout(longest_s) as self._wait:
                return await stream.read()
        except TimeoutError:
            return b""
        finally:
            self._wait = None

    def ring(self) -> None:
        """The reader has something else to do than to wait."""
        if self._wait is not None and not self._wait.expired():  # one that expires wakes the reader by itself
            self._wait.reschedule(asyncio.get_running_loop().time())
