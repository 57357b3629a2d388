"""Mistakes of a caller of the simulator. What goes wrong inside the pretend machine is data: events of the wire."""

from __future__ import annotations


class BadReturn(ValueError):
    """Cards are given back that no player has. Says how many, not which: they may be hidden."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} of the cards given back are not outside the machine")


class HandNotThere(RuntimeError):
    """A hand is taken from a pocket that is closed or empty."""

    def __init__(self, seat: str) -> None:
        super().__init__(f"the pocket of seat {seat} is closed or empty; wait for TAKE_HANDS")


class DisplayTimeout(TimeoutError):
    """The display did not show what was waited for."""

    def __init__(self, seconds: float, shown: str) -> None:
        super().__init__(f"the display shows {shown} after {seconds:g} s of waiting for something else")
