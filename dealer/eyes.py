"""The camera room seen from the table: a worker process that is restarted when it dies or falls silent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from dealer.clock import Clock
from vision.observations import CameraState, Condition, Message
from vision.worker import VisionWorker, WorkerConfig

log = structlog.get_logger()

SILENT_S: Final = 3.0
"""Longest silence of a running worker: it speaks twice a second, so this is six missed signs of life."""

START_S: Final = 20.0
"""Longest silence of a worker that is starting: importing and warming up on a busy machine takes a few seconds."""

PAUSE_S: Final = 0.5
QUEUE: Final = 256


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
            await deliver(CameraState(False, Condition.NO_FRAMES, 0.0, 0.0, self._clock.monotonic_ns()))
            await self._clock.sleep(PAUSE_S)

    async def _listen(self, worker: VisionWorker, deliver: Callable[[Message], Awaitable[None]]) -> None:
        """Deliver until the worker dies or falls silent."""
        loop = asyncio.get_running_loop()
        heard: asyncio.Queue[Message | None] = asyncio.Queue(QUEUE)
        stop = threading.Event()
        thread = threading.Thread(target=_pump, args=(worker, loop, heard, stop), name="eyes", daemon=True)
        thread.start()
        limit_s = START_S
        try:
            while True:
                async with asyncio.timeout(limit_s):
                    message = await heard.get()
                if message is None:
                    return
                limit_s = SILENT_S
                await deliver(message)
        except TimeoutError:
            return
        finally:
            stop.set()
            await asyncio.to_thread(thread.join, 2.0)


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
