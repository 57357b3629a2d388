"""Time as this room sees it. Nobody else here asks the system for the time or waits."""

from __future__ import annotations

import asyncio
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

_BOOT_FILE: Final = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    """A monotonic clock for durations and order, a wall clock for people."""

    def monotonic_ns(self) -> int:
        """Nanoseconds that never go back; comparable only within one `boot()`."""
        ...

    def utc(self) -> datetime:
        """The wall clock, aware, UTC. May jump; never compute a duration with it."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`; at once, but not before other tasks ran, when <= 0."""
        ...

    async def sleep_until(self, mono_ns: int) -> None:
        """Return at `mono_ns` of this clock; at once when it is past."""
        ...

    def boot(self) -> str:
        """Names the run of the machine in which `monotonic_ns` counts. Reads a file: not for the event loop."""
        ...


class SystemClock:
    """The clock of the machine."""

    def monotonic_ns(self) -> int:
        return time.monotonic_ns()

    def utc(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    async def sleep_until(self, mono_ns: int) -> None:
        await self.sleep((mono_ns - time.monotonic_ns()) / 1e9)

    def boot(self) -> str:
        try:
            return _BOOT_FILE.read_text(encoding="ascii").strip()
        except OSError:
            return uuid.uuid4().hex  # no way to tell: then only times of one call's holder are comparable


def iso_utc(moment: datetime) -> str:
    """`2030-05-01T12:00:00.123456Z`: fixed width, so that texts sort as times."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
