"""The camera's process, started by `simulator.studio`: takes scenes from standard input, serves pictures over HTTP.

Prints one JSON line with its port when it is ready. Ends when standard input closes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pickle
import signal
import sys

import cv2

from simulator.brush import bitmap, everything
from simulator.camera import Camera, Picture
from simulator.clock import Clock, RealClock
from simulator.stream import Stream
from simulator.studio import LENGTH, Freeze, Told, TurnOff
from simulator.table import Scene


class Shooter:
    """Shoots what it is told the table looks like, as long as somebody looks."""

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
                (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
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
        shooter = Shooter(camera, stream, clock, fps)
        printing = asyncio.create_task(_print_deck())
        shooting = asyncio.create_task(shooter.shoot())
        listening = asyncio.create_task(shooter.listen(reader))
        done, pending = await asyncio.wait({shooting, listening}, return_when=asyncio.FIRST_COMPLETED)
        pending.add(printing)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        for task in done:
            task.result()


async def _print_deck() -> None:
    """Draw every card while the machine deals, so that no picture of the play has to wait for one."""
    for shown in everything():
        await asyncio.to_thread(bitmap, shown)


def main() -> None:
    """The process."""
    parser = argparse.ArgumentParser(prog="simulator.shooter")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--fps", type=float, required=True)
    parser.add_argument("--port", type=int, required=True)
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a keyboard's interrupt is for the parent, whose end is this one's
    asyncio.run(_work(given.seed, given.fps, given.port))


if __name__ == "__main__":
    main()
