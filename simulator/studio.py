"""The camera as a process of its own: it paints, compresses and serves pictures, so that the serial line never waits.

`simulator.shooter` is the process; it is told over its standard input what the table looks like, and ends when that
closes. This is the other end.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import struct
import sys
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from simulator.table import Scene

START_S: Final = 30.0
"""Painting felt and cards for the first time takes a second; much more on a busy machine."""
END_S: Final = 1.0
LENGTH: Final = struct.Struct("<I")
"""Before each thing told: its length, pickled. Both ends are this program."""


@dataclass(frozen=True, slots=True)
class Freeze:
    """Send the same picture for so long."""

    seconds: float


@dataclass(frozen=True, slots=True)
class TurnOff:
    """No pictures for so long."""

    seconds: float


Told = Scene | Freeze | TurnOff


class StudioFailed(RuntimeError):
    """The camera's process did not start, or ended by itself."""

    def __init__(self, how: str) -> None:
        super().__init__(f"the camera's process {how}; its last words are above")


class Studio:
    """A running camera process. Enter it to start it."""

    def __init__(self, seed: int, fps: float, port: int = 0) -> None:
        self._arguments = ("--seed", str(seed), "--fps", str(fps), "--port", str(port))
        self._process: asyncio.subprocess.Process | None = None
        self._scene: Scene | None = None
        self._orders: list[Told] = []
        self._told = asyncio.Event()
        self._port = 0

    async def __aenter__(self) -> Self:
        """Raises StudioFailed."""
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "simulator.shooter", *self._arguments,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            async with asyncio.timeout(START_S):
                self._port = int(json.loads(await process.stdout.readline())["port"])
        except (TimeoutError, ValueError) as error:
            await self._end()
            raise StudioFailed("did not start") from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    @property
    def url(self) -> str:
        """Where the pictures are."""
        return f"http://127.0.0.1:{self._port}/stream.mjpg"

    def show(self, scene: Scene) -> None:
        """The table looks like this; only the newest scene matters."""
        self._scene = scene
        self._told.set()

    def order(self, told: Freeze | TurnOff) -> None:
        """Something happens to the camera."""
        self._orders.append(told)
        self._told.set()

    async def run(self) -> None:
        """Carry scenes to the process until cancelled. Raises StudioFailed if it ends."""
        assert self._process is not None
        assert self._process.stdin is not None
        stdin = self._process.stdin
        try:
            while True:
                await self._told.wait()
                self._told.clear()
                orders, self._orders = self._orders, []
                scene, self._scene = self._scene, None
                for told in (*orders, *((scene,) if scene is not None else ())):
                    data = pickle.dumps(told)
                    stdin.write(LENGTH.pack(len(data)) + data)
                await stdin.drain()
        except OSError as error:
            raise StudioFailed(f"ended with {self._process.returncode}") from error

    async def _end(self) -> None:
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(END_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
