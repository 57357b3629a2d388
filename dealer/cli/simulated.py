"""The simulated table as a child process: started, spoken to by address, never orphaned."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dealer.errors import BadInput

READY_S: Final = 30.0
"""Longest wait for the ready line: drawing the deck once takes a few seconds on a busy machine."""

END_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What to simulate. `speed` above 1 is faster; `pace` is `quick` or `human`."""

    seed: int
    deals: int
    scenario: str
    truth: Path
    speed: float
    pace: str
    camera: bool
    rulebook: str
    """What the players keep to: an id or a path."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Addresses of a running simulated table."""

    serial: str
    camera: str | None
    control: str
    process: asyncio.subprocess.Process


@asynccontextmanager
async def simulated_table(wish: Wish) -> AsyncIterator[Simulated]:
    """Run `python -m simulator serve` for the length of the block; its end is ours (its standard input closes)."""
    arguments = [
        "-m", "simulator", "serve",
        "--seed", str(wish.seed), "--deals", str(wish.deals), "--scenario", wish.scenario,
        "--truth", str(wish.truth), "--speed", str(wish.speed), "--pace", wish.pace, "--rulebook", wish.rulebook,
    ]  # fmt: skip
    if not wish.camera:
        arguments.append("--no-camera")
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield await _ready(process)
    finally:
        await _end(process)


async def _ready(process: asyncio.subprocess.Process) -> Simulated:
    assert process.stdout is not None
    try:
        async with asyncio.timeout(READY_S):
            line = await process.stdout.readline()
        addresses = json.loads(line)
        return Simulated(addresses["serial"], addresses.get("camera"), addresses["control"], process)
    except (TimeoutError, ValueError, KeyError) as error:
        raise BadInput(
            f"simulator: not ready in {READY_S:g} s ({type(error).__name__}); see its messages above"
        ) from error


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(END_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
