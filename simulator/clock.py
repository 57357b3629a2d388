"""The only place of the simulator that asks for the time or waits."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Protocol  # Any: what a future gives does not matter to one who waits for it


class Clock(Protocol):
    """Monotonic time. A port, so that a run can take place in virtual time."""

    def now(self) -> float:
        """Monotonic seconds; only differences mean something."""
        ...

    def mono_ns(self) -> int:
        """The same time in nanoseconds, comparable with other programs on this machine."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; zero or less gives others a turn."""
        ...

    async def wait(self, future: asyncio.Future[Any], seconds: float) -> bool:
        """Wait until the future is done, at most so long; whether it is done. The future is not cancelled."""
        ...


class RealClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        return time.monotonic()

    def mono_ns(self) -> int:
        return time.monotonic_ns()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    async def wait(self, future: asyncio.Future[Any], seconds: float) -> bool:
        done, _ = await asyncio.wait((future,), timeout=max(0.0, seconds))
        return bool(done)
