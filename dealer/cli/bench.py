"""`dealer bench`: how fast this machine runs each room, beside a calibration figure of the same run."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from dealer.clock import Clock, SystemClock
from dealer.errors import BadInput
from dealer.journal import Draft, Journal, Role
from engine.cards import PACKS, Rank
from engine.combos import readings
from engine.legal import legal_plays
from engine.rulebook_data import DEFAULT, load_rulebook
from firmware_proto.frame import Decoder, Frame, encode_frame

Figure = dict[str, float | str | int]
REPEATS: Final = 7


def bench(
    room: Annotated[str, typer.Argument(help="engine, link or journal")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
) -> None:
    """Measure a room; every figure says its unit and how many were measured."""
    rooms: dict[str, Callable[[Clock], dict[str, Figure]]] = {
        "engine": _engine,
        "link": _link,
        "journal": lambda clock: asyncio.run(_journal(clock)),
    }
    if room not in rooms:
        raise BadInput(f"bench {room}: no such room; choose one of {' '.join(rooms)}")
    figures = rooms[room](SystemClock())
    if as_json:
        print(json.dumps({"figures": figures}))
        return
    for name, figure in figures.items():
        print(f"{name} {figure['value']} {figure['unit']} (n={figure['n']})")


def _figure(value: float, unit: str, n: int) -> Figure:
    return {"value": round(value, 3), "unit": unit, "n": n}


def _best_us(clock: Clock, work: Callable[[], object], number: int) -> float:
    """Microseconds of one call: best of REPEATS rounds of `number` calls."""
    best = float("inf")
    for _ in range(REPEATS):
        begun = clock.monotonic_ns()
        for _ in range(number):
            work()
        best = min(best, (clock.monotonic_ns() - begun) / number / 1000)
    return best


def _engine(clock: Clock) -> dict[str, Figure]:
    shuffled = [(i * 41) % 27 for i in range(27)]
    rng = random.Random(1)
    sets = [rng.sample(PACKS, rng.choice((1, 2, 3, 4, 5, 6))) for _ in range(2000)]
    hands = [rng.sample(PACKS, 27) for _ in range(20)]
    book = load_rulebook(DEFAULT)
    level = Rank.TWO
    per_set = _best_us(clock, lambda: [readings(cards, level) for cards in sets], 1) / len(sets)
    per_hand = _best_us(clock, lambda: [legal_plays(hand, level, None, book) for hand in hands], 1) / len(hands)
    return {
        "sorted27_us": _figure(_best_us(clock, lambda: sorted(shuffled), 20_000), "us", 20_000 * REPEATS),
        "classify_us": _figure(per_set, "us", len(sets) * REPEATS),
        "lead_us": _figure(per_hand, "us", len(hands) * REPEATS),
    }


def _link(clock: Clock) -> dict[str, Figure]:
    shuffled = [(i * 41) % 27 for i in range(27)]
    payload = bytes(range(1, 25))
    frames = b"".join(
        encode_frame(Frame(type=0x40, seq=i & 255, ack=0, session=7, payload=payload)) for i in range(5000)
    )

    def decode() -> None:
        decoder = Decoder()
        count = sum(len(decoder.feed(frames[i : i + 512])) for i in range(0, len(frames), 512))
        assert count == 5000, "every frame comes out again"

    return {
        "sorted27_us": _figure(_best_us(clock, lambda: sorted(shuffled), 20_000), "us", 20_000 * REPEATS),
        "decode_frames_per_s": _figure(5000 / _best_us(clock, decode, 1) * 1e6, "1/s", 5000 * REPEATS),
    }


async def _journal(clock: Clock) -> dict[str, Figure]:
    times: list[float] = []
    with tempfile.TemporaryDirectory(prefix="dealer-bench-") as folder:
        journal = await Journal.open(Path(folder) / "journal.db", clock)
        for number in range(300):
            begun = clock.monotonic_ns()
            await journal.append([Draft("system", Role.FACT, "bench", {"number": number})])
            times.append((clock.monotonic_ns() - begun) / 1e6)
        await journal.close()
    ranked = sorted(times)
    return {
        "append_p50_ms": _figure(ranked[150], "ms", 300),
        "append_p99_ms": _figure(ranked[296], "ms", 300),
    }
