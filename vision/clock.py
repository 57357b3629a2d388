"""The only place of this room that asks for the time or waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol

SLICE_S: Final = 0.05
"""A pause that may be cut short looks up so often."""


class Clock(Protocol):
    """Monotonic time. A port, so that tests play hours in a moment."""

    def monotonic_ns(self) -> int:
        """Nanoseconds, comparable between the programs of one machine."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait; nothing for zero or less."""
        ...

    def pause(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """Wait, but only until `is_over` says so."""
        ...


class RealClock:
    """The machine's monotonic clock."""

    def monotonic_ns(self) -> int:
        return time.monotonic_ns()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)

    def pause(self, seconds: float, is_over: Callable[[], bool]) -> None:
        end = time.monotonic() + seconds
        while not is_over():
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(SLICE_S, left))
