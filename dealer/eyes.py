"""The camera room seen from the table: a worker process that is restarted when it dies or falls silent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from typing import Final

import structlog

from dealer.clock import Clock
from vision.observations import CameraState, Condition, Message
from vision.worker import VisionWorker, WorkerConfig

log = structlog.get_logger()

QUIET_S: Final = 2.0
"""Silence after which the camera counts as not to be relied on: a running worker speaks at least twice a second."""

HUNG_S: Final = 10.0
"""Silence after which the worker is ended: shorter ones are a busy machine, and a new worker would be slower still."""

START_S: Final = 20.0
"""Longest silence of a worker that is starting: importing and warming up on a busy machine takes a few seconds."""

PAUSE_S: Final = 0.5
QUEUE: Final = 256


class _Quiet(Enum):
    QUIET = auto()


_QUIET: Final = _Quiet.QUIET


class Eyes:
    """Delivers what the worker says, in order, and keeps a worker alive."""

    def __init__(self, config: WorkerConfig, clock: Clock) -> None:
        self._config = config
        self._clock = clock

    async def run(self, deliver: Callable[[Message], Awaitable[None]]) -> None:
        """Run until cancelled; the worker ends with it."""
        while True:
            worker = VisionWorker(self._config)
            await asyncio.to_thread(worker.start)
            try:
                await self._listen(worker, deliver)
            finally:
                await asyncio.to_thread(worker.stop)
            log.warning("camera worker restarted", url=self._config.url)
            await deliver(self._unseen())
            await self._clock.sleep(PAUSE_S)

    def _unseen(self) -> CameraState:
        return CameraState(False, Condition.NO_FRAMES, 0.0, 0.0, self._clock.monotonic_ns())

    async def _listen(self, worker: VisionWorker, deliver: Callable[[Message], Awaitable[None]]) -> None:
        """Deliver until the worker dies or falls silent."""
        loop = asyncio.get_running_loop()
        heard: asyncio.Queue[Message | None] = asyncio.Queue(QUEUE)
        stop = threading.Event()
        thread = threading.Thread(target=_pump, args=(worker, loop, heard, stop), name="eyes", daemon=True)
        thread.start()
        quiet_s, hung_s = START_S, START_S
        try:
            while True:
                message = await self._hear(heard, quiet_s)
                if message is _QUIET:
                    await deliver(self._unseen())
                    message = await self._hear(heard, hung_s - quiet_s)
                if message is None or message is _QUIET:
                    return
                quiet_s, hung_s = QUIET_S, HUNG_S
                await deliver(message)
        finally:
            stop.set()
            await asyncio.to_thread(thread.join, 2.0)

    @staticmethod
    async def _hear(heard: asyncio.Queue[Message | None], wait_s: float) -> Message | _Quiet | None:
        """The next message; None if the worker is gone, _QUIET if it says nothing for `wait_s`."""
        try:
            async with asyncio.timeout(wait_s):
                return await heard.get()
        except TimeoutError:
            return _QUIET


def _pump(
    worker: VisionWorker,
    loop: asyncio.AbstractEventLoop,
    heard: asyncio.Queue[Message | None],
    stop: threading.Event,
) -> None:
    """Bring messages from the pipe to the loop, waiting where the queue is full; None says that the worker is gone."""
    connection = worker.connection
    try:
        while not stop.is_set():
            if connection.poll(0.1):
                message: Message = connection.recv()
                asyncio.run_coroutine_threadsafe(heard.put(message), loop).result(10.0)
    except (EOFError, OSError):
        asyncio.run_coroutine_threadsafe(heard.put(None), loop)
    except (TimeoutError, RuntimeError):
        pass  # the loop is stuck or closed: the listener ends by its own deadline
