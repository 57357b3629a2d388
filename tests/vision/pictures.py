"""Small pictures, time that passes by being waited for, and the newest shot of a source."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cv2
import numpy as np

from vision.frames import FrameSource, Shot

WAIT_S = 10.0


def jpeg(level: int, side: int = 64) -> bytes:
    ok, data = cv2.imencode(".jpg", np.full((side, side, 3), level, np.uint8))
    assert ok
    return data.tobytes()


class FakeClock:
    """Time that passes by being waited for, up to an end at which everybody stops."""

    def __init__(self, end_s: float = float("inf")) -> None:
        self._now_ns = 0
        self._lock = threading.Lock()
        self._end_s = end_s
        self.ended = threading.Event()

    def monotonic_ns(self) -> int:
        with self._lock:
            return self._now_ns

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._now_ns += max(0, round(seconds * 1e9))
            over = self._now_ns >= self._end_s * 1e9
        if over:
            self.ended.set()

    def pause(self, seconds: float, is_over: Callable[[], bool]) -> None:
        self.sleep(seconds)
        while self.ended.is_set() and not is_over():
            threading.Event().wait(0.01)


def next_shot(source: FrameSource, after: int = 0) -> Shot:
    shot = source.newest(after, WAIT_S)
    assert shot is not None
    return shot


def level_of(shot: Shot) -> int:
    frame = shot.decode()
    assert frame is not None
    return round(float(frame.image.mean()))
