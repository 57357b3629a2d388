"""The only place of the simulator that asks for the time or waits."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


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


class RealClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        return time.monotonic()

    def mono_ns(self) -> int:
        return time.monotonic_ns()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))
