"""`dealer bench`: how fast this machine runs each room, beside a calibration figure of the same run."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from dealer.cli.bench_engine import engine_figures
from dealer.cli.measure import REPEATS, Figure, best_us, calibration, figure
from dealer.clock import Clock, SystemClock
from dealer.errors import BadInput
from dealer.journal import Draft, Journal, Role
from firmware_proto.frame import Decoder, Frame, encode_frame


def bench(
    room: Annotated[str, typer.Argument(help="engine, link or journal")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
) -> None:
    """Measure a room; every figure says its unit and how many were measured."""
    rooms: dict[str, Callable[[Clock], dict[str, Figure]]] = {
        "engine": engine_figures,
        "link": _link,
        "journal": lambda clock: asyncio.run(_journal(clock)),
    }
    if room not in rooms:
        raise BadInput(f"bench {room}: no such room; choose one of {' '.join(rooms)}")
    figures = rooms[room](SystemClock())
    if as_json:
        print(json.dumps({"figures": figures}))
        return
    for name, found in figures.items():
        print(f"{name} {found['value']} {found['unit']} (n={found['n']})")


def _link(clock: Clock) -> dict[str, Figure]:
    payload = bytes(range(1, 25))
    frames = b"".join(
        encode_frame(Frame(type=0x40, seq=i & 255, ack=0, session=7, payload=payload)) for i in range(5000)
    )

    def decode() -> None:
        decoder = Decoder()
        count = sum(len(decoder.feed(frames[i : i + 512])) for i in range(0, len(frames), 512))
        assert count == 5000, "every frame comes out again"

    return {
        "sorted27_us": calibration(clock),
        "decode_frames_per_s": figure(5000 / best_us(clock, decode, 1) * 1e6, "1/s", 5000 * REPEATS),
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
        "append_p50_ms": figure(ranked[150], "ms", 300),
        "append_p99_ms": figure(ranked[296], "ms", 300),
    }
