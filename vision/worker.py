"""The camera room as a process of its own: pictures are read there, messages come back over a pipe."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import cv2

from vision.clock import Clock, RealClock
from vision.frames import FrameSource
from vision.observations import Message
from vision.pipeline import Pipeline
from vision.settle import SETTLE_S
from vision.sources import BadSource, open_source
from vision.stills import Stills
from vision.templates import index_templates

WAIT_S: Final = 0.1
"""Longest wait for a picture: signs of life and the watch over a parent that may be gone go on without one."""
END_S: Final = 1.0
THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """url: as sources.open_source takes it. stills_dir: where pictures of zones are kept; made if need be."""

    url: str
    stills_dir: Path
    settle_s: float = SETTLE_S

    def __post_init__(self) -> None:
        if not 0.1 <= self.settle_s <= 5.0:
            raise ValueError(f"settle_s {self.settle_s} is outside 0.1..5")


class VisionWorker:
    """Starts and ends the process. `connection` gives vision.observations.Message values; EOFError when it has died."""

    def __init__(self, config: WorkerConfig) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, self._far = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(config, self._far, os.getpid()), name="vision", daemon=True)

    def start(self) -> None:
        """Start the process; its first message comes within some seconds."""
        with _one_thread_each():
            self._process.start()
        self._far.close()  # the only writer is the worker, so that its death is heard as the end of the pipe

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        self._process.kill()

    def stop(self) -> None:
        """End the process, at the latest after two seconds. May be called again."""
        self.connection.close()
        if self._process.pid is None:
            return
        self._process.terminate()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(END_S)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Matrix libraries read these when they are loaded, which in a spawned process is before any code of ours.

    With more threads than free cores they spin for each other: reading ten cards takes 0.6 s instead of 0.04 s.
    """
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _work(config: WorkerConfig, connection: Connection, parent: int) -> None:
    """The process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a keyboard's interrupt is for the parent, whose end is this one's
    cv2.setNumThreads(1)  # the other cores belong to the table
    clock = RealClock()
    index_templates()
    try:
        source: FrameSource | None = open_source(config.url, clock)
    except BadSource:
        source = None  # said as the condition no_frames; the next start looks again
    try:
        _watch(source, Pipeline(Stills(config.stills_dir).keep, clock.monotonic_ns(), config.settle_s), connection,
               clock, parent)  # fmt: skip
    finally:
        if source is not None:
            source.close()


def _watch(source: FrameSource | None, pipeline: Pipeline, connection: Connection, clock: Clock, parent: int) -> None:
    """Look and tell until the parent is gone."""
    number = 0
    while os.getppid() == parent:
        shot = None if source is None else source.newest(number, WAIT_S)
        if shot is None and (source is None or source.ended()):
            clock.sleep(WAIT_S)
        if shot is not None:
            number = shot.number
        messages: list[Message] = pipeline.step(shot, clock.monotonic_ns())
        try:
            for message in messages:
                connection.send(message)
        except OSError:
            return
