"""What every bench shares: figures, the best of some rounds, and the calibration by which machines are compared."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from typing import Final

from dealer.clock import Clock

Figure = dict[str, float | str | int]
REPEATS: Final = 7
SORTS: Final = 20_000


def figure(value: float, unit: str, n: int) -> Figure:
    """One figure: its value, its unit, and how many were measured."""
    return {"value": round(value, 3), "unit": unit, "n": n}


def best_us(clock: Clock, work: Callable[[], object], number: int) -> float:
    """Microseconds of one call: best of REPEATS rounds of `number` calls."""
    return best_of_all(clock, {"": (work, number)}, REPEATS)[""]


def best_of_all(clock: Clock, works: Mapping[str, tuple[Callable[[], object], int]], rounds: int) -> dict[str, float]:
    """Microseconds of one call of each work, best of all rounds. works: by name, with how many calls make a round.

    All works take turns in every round: a shared machine is slow for seconds at a time, and then slow for all of them.
    """
    best = dict.fromkeys(works, float("inf"))
    collects = gc.isenabled()
    gc.collect()
    gc.disable()  # as timeit does: what lies about from other measurements must not count
    try:
        for _ in range(rounds):
            for name, (work, number) in works.items():
                begun = clock.monotonic_ns()
                for _ in range(number):
                    work()
                best[name] = min(best[name], (clock.monotonic_ns() - begun) / number / 1000)
    finally:
        if collects:
            gc.enable()
    return best


def sort_27() -> Callable[[], object]:
    """The calibration: sorting 27 numbers in disorder. Other figures are told as multiples of it."""
    shuffled = [(i * 41) % 27 for i in range(27)]
    return lambda: sorted(shuffled)


def calibration(clock: Clock) -> Figure:
    """The calibration by itself."""
    return figure(best_us(clock, sort_27(), SORTS), "us", SORTS * REPEATS)
