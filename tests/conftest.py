"""Hygiene for every test: no leaked tasks, no leaked listening ports, no blocking call on the event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from blockbuster import BlockBuster, blockbuster_ctx

ROOMS = ["engine", "firmware_proto", "vision", "dealer", "api", "simulator"]
WITHOUT_A_LOOP = {"engine", "firmware_proto", "vision"}
SHARED = Path(__file__).resolve().parents[2] / "shared"


def _own_listeners() -> set[str]:
    """Inodes of TCP sockets of this process that are in the LISTEN state (Linux; elsewhere nothing is seen)."""
    try:
        rows = Path("/proc/self/net/tcp").read_text().splitlines()[1:]
        listening = {row.split()[9] for row in rows if row.split()[3] == "0A"}
        own = set()
        for entry in os.listdir("/proc/self/fd"):
            try:
                target = os.readlink(f"/proc/self/fd/{entry}")
            except OSError:
                continue
            if target.startswith("socket:["):
                own.add(target[8:-1])
    except OSError:
        return set()
    return listening & own


@pytest.fixture(autouse=True)
def no_leaked_port() -> Iterator[None]:
    """A test closes the ports that it opened."""
    before = _own_listeners()

    yield

    leaked = _own_listeners() - before
    assert not leaked, f"{len(leaked)} listening port(s) left open"


@pytest.fixture(autouse=True)
def blocking_guard(request: pytest.FixtureRequest) -> Iterator[BlockBuster | None]:
    """A blocking call made by one of our rooms on the event loop fails the test.

    Rooms without an event loop go without it: the guard patches built-in types, which now and then ends the interpreter
    by a segmentation fault after the last test.
    """
    if request.path.parent.name in WITHOUT_A_LOOP:
        yield None
        return
    with blockbuster_ctx(scanned_modules=ROOMS) as guard:
        yield guard


@pytest.fixture(autouse=True)
async def no_leaked_task() -> AsyncIterator[None]:
    """A test ends the tasks that it started."""
    yield

    await asyncio.sleep(0)
    leaked = [task for task in asyncio.all_tasks() if task is not asyncio.current_task() and not task.done()]
    assert not leaked, f"tasks left running: {leaked}"


@pytest.fixture
def shared() -> Path:
    """The shared folder beside the checkout; tests that need it say so when it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared folder is absent ({SHARED.name}/ beside the checkout)")
    return SHARED
