"""Frame sources by address: a camera of this machine, a video file, a folder of pictures, motion JPEG over HTTP."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from vision.clock import Clock, RealClock
from vision.frames import FrameSource, Shot
from vision.mjpeg import MjpegSource
from vision.shots import ImageShot, JpegShot, NewestSlot

log = logging.getLogger(__name__)

PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
VIDEOS: Final = frozenset({".avi", ".mkv", ".mov", ".mp4", ".mpg", ".webm"})
FOLDER_FPS: Final = 10.0
START_S: Final = 45.0
"""A device may take so long for its first picture; after that RUN_S holds."""
RUN_S: Final = 3.0
RETRY_S: Final = (0.25, 0.5, 1.0, 2.0, 3.0)
"""Pauses between attempts to open a device; the last one repeats. A driver that fails at once must not be hammered."""


class BadSource(ValueError):
    """An address that names no frame source."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"camera {url!r}: {why}; give camera:0, http://HOST/PATH, a video file or a picture folder")


def open_source(url: str | int, clock: Clock | None = None) -> FrameSource:
    """The source that `url` names: `camera:0` or a number, `http://...`, a video file, a folder of pictures.

    A camera or stream that is not there yet is waited for, for ever; a file that is not there raises BadSource.
    """
    clock = clock or RealClock()
    text = str(url)
    if text.startswith(("http://", "https://")):
        return MjpegSource(text, clock)
    device = text.removeprefix("camera:")
    if device.isdigit():
        return CameraSource(text, clock, lambda: cv2.VideoCapture(int(device)))
    path = Path(text.removeprefix("file://"))
    if path.is_dir():
        return FolderSource(path, clock)
    if path.is_file() and path.suffix.lower() in VIDEOS:
        return VideoSource(path, clock)
    raise BadSource(text, "there is no such file, folder, camera or stream")


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def read(self) -> tuple[bool, object]: ...

    def release(self) -> None: ...


class CameraSource:
    """A camera of this machine, read by a thread that is left behind when the driver blocks for ever.

    A blocked read cannot be interrupted, so a watchdog starts another thread; `limit_s` bounds a running camera and
    `start_s` one that has not sent its first picture.
    """

    def __init__(
        self, name: str, clock: Clock, open_capture: Callable[[], Capture], limit_s: float = RUN_S,
        start_s: float = START_S,
    ) -> None:  # fmt: skip
        self._name = name
        self._clock = clock
        self._open = open_capture
        self._limit_ns, self._start_ns = round(limit_s * 1e9), round(start_s * 1e9)
        self._slot = NewestSlot()
        self._lock = threading.Lock()
        self._turn = 0  # of the thread that may deliver; others are left behind and end by themselves
        self._number = 0
        self._heard_ns = clock.monotonic_ns()
        self._running = False
        self._closed = threading.Event()
        self.opened = 0
        """How often the device was opened."""
        self._begin()

    @property
    def name(self) -> str:
        return self._name

    def newest(self, after: int, wait_s: float) -> Shot | None:
        silent_ns = self._clock.monotonic_ns() - self._heard_ns
        if silent_ns > (self._limit_ns if self._running else self._start_ns):
            log.warning("camera does not answer: %s; opening it again", self._name)
            self._begin()
        return self._slot.newest(after, wait_s)

    def ended(self) -> bool:
        return False

    def close(self) -> None:
        with self._lock:
            self._turn += 1
        self._closed.set()
        self._slot.close()

    def _begin(self) -> None:
        with self._lock:
            self._turn += 1
            self._heard_ns = self._clock.monotonic_ns()
            self._running = False
            turn = self._turn
        threading.Thread(target=self._run, args=(turn,), name="camera", daemon=True).start()

    def _run(self, turn: int) -> None:
        failures = 0
        while self._is_on(turn):
            self.opened += 1
            capture = self._open()
            taken = self._drain(capture, turn)
            capture.release()
            if not self._is_on(turn):
                return
            failures = 1 if taken else failures + 1
            if failures == 1:
                log.warning("camera gives no picture: %s; trying again", self._name)
            self._clock.pause(RETRY_S[min(failures - 1, len(RETRY_S) - 1)], lambda: not self._is_on(turn))
            with self._lock:
                if turn == self._turn:
                    self._heard_ns = self._clock.monotonic_ns()  # it answers, if only with a failure

    def _drain(self, capture: Capture, turn: int) -> bool:
        """Deliver pictures until one fails; whether there was any."""
        taken = False
        while self._is_on(turn):
            ok, image = capture.read()
            if not ok or not _is_bgr(image):
                break
            with self._lock:
                if turn != self._turn:
                    break
                self._number += 1
                self._heard_ns = self._clock.monotonic_ns()
                self._running = taken = True
                shot = ImageShot(np.asarray(image, np.uint8), self._number, self._heard_ns, self._name)
            self._slot.put(shot)
        return taken

    def _is_on(self, turn: int) -> bool:
        return turn == self._turn and not self._closed.is_set()


class VideoSource:
    """A video file at its own pace, every picture once, then ended."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._capture = cv2.VideoCapture(str(path))
        fps = float(self._capture.get(cv2.CAP_PROP_FPS))
        if not self._capture.isOpened():
            raise BadSource(str(path), "it cannot be played")
        self._pace = _Pace(clock, fps if 1 <= fps <= 240 else 25.0)
        self._ended = False

    @property
    def name(self) -> str:
        return self._path.name

    def newest(self, after: int, wait_s: float) -> Shot | None:
        if self._ended or not self._pace.wait(wait_s):
            return None
        ok, image = self._capture.read()
        if not ok or not _is_bgr(image):
            self._ended = True
            return None
        return ImageShot(np.asarray(image, np.uint8), self._pace.number, self._pace.mono_ns, self.name)

    def ended(self) -> bool:
        return self._ended

    def close(self) -> None:
        self._ended = True
        self._capture.release()


class FolderSource:
    """Pictures of a folder in the order of their names, ten a second, every picture once, then ended."""

    def __init__(self, path: Path, clock: Clock, fps: float = FOLDER_FPS) -> None:
        self._path = path
        self._files = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES)
        if not self._files:
            raise BadSource(str(path), "the folder holds no pictures")
        self._pace = _Pace(clock, fps)

    @property
    def name(self) -> str:
        return self._path.name

    def newest(self, after: int, wait_s: float) -> Shot | None:
        if self.ended() or not self._pace.wait(wait_s):
            return None
        try:
            data = self._files[self._pace.number - 1].read_bytes()
        except OSError:
            data = b""  # a picture that cannot be read is a bad picture, not the end of the show
        return JpegShot(data, self._pace.number, self._pace.mono_ns, self.name)

    def ended(self) -> bool:
        return self._pace.number >= len(self._files)

    def close(self) -> None:
        self._files = []


class _Pace:
    """When the next picture is due."""

    def __init__(self, clock: Clock, fps: float) -> None:
        self._clock = clock
        self._step_ns = round(1e9 / fps)
        self._start_ns = clock.monotonic_ns()
        self.number = 0

    @property
    def mono_ns(self) -> int:
        return self._start_ns + self.number * self._step_ns

    def wait(self, at_most_s: float) -> bool:
        """Whether the next picture falls due within the time given; if so it is counted."""
        left_s = (self.mono_ns + self._step_ns - self._clock.monotonic_ns()) / 1e9
        self._clock.sleep(min(left_s, at_most_s))
        if left_s > at_most_s:
            return False
        self.number += 1
        return True


def _is_bgr(image: object) -> bool:
    return (
        isinstance(image, np.ndarray)
        and image.dtype == np.uint8
        and image.ndim == 3
        and image.shape[2] == 3
        and min(image.shape[:2]) >= 16
    )
