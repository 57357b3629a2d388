"""The camera as a process of its own: it paints, compresses and serves pictures, so that the serial line never waits.

`python -m simulator.studio` is the process; it is told over its standard input what the table looks like, and ends
when that closes. `Studio` is the other end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pickle
import signal
import struct
import sys
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import cv2

from simulator.camera import Camera, Picture
from simulator.clock import Clock, RealClock
from simulator.stream import Stream
from simulator.table import Scene

START_S: Final = 30.0
"""Painting felt and cards for the first time takes a second; much more on a busy machine."""
END_S: Final = 1.0
_LENGTH: Final = struct.Struct("<I")


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
            sys.executable, "-m", "simulator.studio", *self._arguments,
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
                    stdin.write(_LENGTH.pack(len(data)) + data)
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


class _Shooter:
    """The inside of the process."""

    def __init__(self, camera: Camera, stream: Stream, clock: Clock, fps: float) -> None:
        self._camera = camera
        self._stream = stream
        self._clock = clock
        self._fps = fps
        self._scene = Scene()
        self._frozen_until_s = float("-inf")
        self._last: Picture | None = None

    async def listen(self, reader: asyncio.StreamReader) -> None:
        """Take what is told until the teller is gone."""
        while True:
            try:
                (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
                told: Told = pickle.loads(await reader.readexactly(length))
            except asyncio.IncompleteReadError:
                return
            match told:
                case Scene():
                    self._scene = told
                case Freeze(seconds):
                    self._frozen_until_s = self._clock.now() + seconds
                case TurnOff(seconds):
                    self._stream.turn_off(seconds)

    async def shoot(self) -> None:
        """Shoot at an even pace while somebody looks, until cancelled."""
        due_s = self._clock.now()
        while True:
            due_s = max(due_s + 1 / self._fps, self._clock.now() - 1 / self._fps)
            await self._clock.sleep(due_s - self._clock.now())
            if not self._stream.waiting:
                continue
            now_ns = self._clock.mono_ns()
            if self._last is not None and self._clock.now() < self._frozen_until_s:
                self._last = Picture(self._last.jpeg, now_ns)
            else:
                self._last = await asyncio.to_thread(self._camera.picture, self._scene, now_ns)
            await self._stream.publish(self._last)


async def _work(seed: int, fps: float, port: int) -> None:
    cv2.setNumThreads(1)  # the other core reads the cards
    clock = RealClock()
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    camera = await asyncio.to_thread(Camera, seed)
    async with Stream(clock, port) as stream:
        sys.stdout.write(json.dumps({"port": stream.port}) + "\n")
        sys.stdout.flush()
        shooter = _Shooter(camera, stream, clock, fps)
        shooting = asyncio.create_task(shooter.shoot())
        listening = asyncio.create_task(shooter.listen(reader))
        done, pending = await asyncio.wait({shooting, listening}, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        for task in done:
            task.result()


def main() -> None:
    """The process."""
    parser = argparse.ArgumentParser(prog="simulator.studio")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--fps", type=float, required=True)
    parser.add_argument("--port", type=int, required=True)
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a keyboard's interrupt is for the parent, whose end is this one's
    asyncio.run(_work(given.seed, given.fps, given.port))


if __name__ == "__main__":
    main()
