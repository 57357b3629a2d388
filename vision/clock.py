"""The only place of this room that asks for the time or waits."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Monotonic time. A port, so that tests play hours in a moment."""

    def monotonic_ns(self) -> int:
        """Nanoseconds, comparable between the programs of one machine."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait; nothing for zero or less."""
        ...


class RealClock:
    """The machine's monotonic clock."""

    def monotonic_ns(self) -> int:
        return time.monotonic_ns()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)
