"""Whether the camera can be relied on: no pictures, the same picture again, bad, dark, covered or blurred pictures."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.frames import Pixels
from vision.layout import TABLE_MARKER_CENTRES, TABLE_MARKER_SIDE_MM
from vision.observations import Condition

NO_FRAMES_S: Final = 1.2
RATE_S: Final = 2.0
"""Pictures are counted over so long."""
SLOW_FPS: Final = 4.0
"""With fewer pictures a second a PASS card may come and go unseen: it lies for a second, and three have to show it."""
FAST_FPS: Final = 6.0
"""With more a camera that was slow is good again."""
FROZEN_S: Final = 1.0
FROZEN_FRAMES: Final = 5
BAD_S: Final = 0.8
BAD_FRAMES: Final = 3
LOOKS_S: Final = 0.8
"""Dark, covered or blurred for so long; a sleeve in front of the lens is shorter."""
NO_MARKERS_S: Final = 2.0
LEAST_MARKERS: Final = 3

DARK_LEVEL: Final = 28.0
"""Brightest hundredth of a dark picture, grey levels: even white paper is not told from cloth by then."""
COVERED_SPREAD: Final = 6.0
"""Standard deviation of grey levels of a picture that shows nothing."""
BLURRED_EDGE: Final = 0.17
"""Steepest step between neighbouring pixels of a picture a quarter as large, as a share of its whole range.

A blur in which the markers are lost comes to 0.16 or less, a sharp picture of a table without markers to 0.3 or more.
"""
SOFT_MM: Final = 0.75
"""Blur (sigma) of the table markers' edges from which cards are no longer read; measured: half of the plays at 0.8."""
LEAST_CONTRAST: Final = 40.0
"""Grey levels between black and white of a marker that is measured."""
SOFT_LOOKS: Final = 2
"""So many soft pictures one after the other: one may be a knock against the table."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Simple measures of a reduced picture, grey levels; edge: 0..1."""

    bright: float
    spread: float
    edge: float


def measure(image: Pixels) -> Looks:
    """Measures of a (H, W, 3) picture. Cost: under a millisecond for 480 x 480."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    low, bright = (float(value) for value in np.percentile(small, (1, 99)))
    step = cv2.absdiff(grey[:, 1:], grey[:, :-1])
    edge = float(np.percentile(step, 99.8)) / max(bright - low, 1.0)
    return Looks(bright, float(small.std()), edge)


def judge_looks(looks: Looks, markers: int) -> Condition | None:
    """What is wrong with a picture in which so many table markers were found; visible markers clear it of all."""
    if markers >= LEAST_MARKERS:
        return None
    if looks.bright < DARK_LEVEL:
        return Condition.DARK
    if looks.spread < COVERED_SPREAD:
        return Condition.COVERED
    if looks.edge < BLURRED_EDGE:
        return Condition.BLURRED
    return Condition.NO_MARKERS


def softness_mm(image: Pixels, calibration: Calibration) -> float | None:
    """Blur of the table markers in a full picture: sigma in table millimetres; None if no marker can be measured.

    Across an edge blurred by sigma the steepest slope is contrast / (sigma * sqrt(2 pi)). A sharp picture comes to
    0.8 pixels, which is what two neighbours can resolve.
    """
    found = [_marker_blur_px(image, calibration, x, y) for x, y in TABLE_MARKER_CENTRES]
    measured = [blur for blur in found if blur is not None]
    return float(np.median(measured)) / calibration.px_per_mm if measured else None


def _marker_blur_px(image: Pixels, calibration: Calibration, x: float, y: float) -> float | None:
    reach = TABLE_MARKER_SIDE_MM * 0.62
    corners = calibration.pixels(np.array([(x + sx * reach, y + sy * reach) for sx in (-1, 1) for sy in (-1, 1)]))
    x0, y0 = np.floor(corners.min(axis=0)).astype(int)
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int)
    if x0 < 0 or y0 < 0 or x1 > image.shape[1] or y1 > image.shape[0]:
        return None
    grey = cv2.cvtColor(np.ascontiguousarray(image[y0:y1, x0:x1]), cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = (float(value) for value in np.percentile(grey, (5, 95)))
    if high - low < LEAST_CONTRAST:
        return None  # covered
    slope = np.concatenate((np.abs(grey[:, 2:] - grey[:, :-2]).ravel(), np.abs(grey[2:] - grey[:-2]).ravel())) / 2
    return (high - low) / (max(float(np.percentile(slope, 99)), 1.0) * math.sqrt(2 * math.pi))


class Health:
    """The condition of the camera over time. Feed it with what comes; ask `condition` at any time."""

    def __init__(self, start_ns: int) -> None:
        self._start_ns = start_ns
        self._last_ns = start_ns
        self._arrivals: deque[int] = deque()
        self._slow = False
        self._digest: int | None = None
        self._same_since_ns = start_ns
        self._same = 0
        self._bad_since_ns: int | None = None
        self._bad = 0
        self._looks: Condition | None = None
        self._looks_since_ns = start_ns
        self._markers_ok_ns = start_ns
        self._soft = 0

    def arrived(self, digest: int, mono_ns: int) -> bool:
        """A picture came. False if it is bit for bit the one before, which no living camera sends."""
        self._last_ns = mono_ns
        self._count(mono_ns)
        if digest == self._digest:
            self._same += 1
            return False
        self._digest, self._same, self._same_since_ns = digest, 1, mono_ns
        return True

    def _count(self, mono_ns: int) -> None:
        """Whether pictures come too seldom, from those of the last RATE_S."""
        if self._arrivals and mono_ns - self._arrivals[-1] > NO_FRAMES_S * 1e9:
            self._arrivals.clear()  # there were none, which is told by itself; the rate counts from here
        if not self._arrivals:
            self._start_ns = mono_ns
        self._arrivals.append(mono_ns)
        while mono_ns - self._arrivals[0] > RATE_S * 1e9:
            self._arrivals.popleft()
        if mono_ns - self._start_ns < RATE_S * 1e9:
            return
        fps = (len(self._arrivals) - 1) / RATE_S
        self._slow = fps < (FAST_FPS if self._slow else SLOW_FPS)

    def decoded(self, good: bool, mono_ns: int) -> None:
        """Whether the bytes of a picture made sense."""
        if good:
            self._bad, self._bad_since_ns = 0, None
            return
        self._bad += 1
        if self._bad_since_ns is None:
            self._bad_since_ns = mono_ns

    def looked(self, found: Condition | None, mono_ns: int) -> None:
        """What `judge_looks` said of a picture."""
        if found is None:
            self._markers_ok_ns = mono_ns
        if found is not self._looks:
            self._looks, self._looks_since_ns = found, mono_ns

    def focused(self, softness: float | None) -> None:
        """How soft (softness_mm) the markers were; None changes nothing."""
        if softness is not None:
            self._soft = self._soft + 1 if softness > SOFT_MM else 0

    @property
    def is_soft(self) -> bool:
        """Whether the last look found the picture soft, told or not yet."""
        return self._soft > 0

    def condition(self, now_ns: int) -> Condition | None:
        """What stands at `now_ns`; the most basic trouble first."""
        if now_ns - self._last_ns > NO_FRAMES_S * 1e9:
            return Condition.NO_FRAMES
        if self._same >= FROZEN_FRAMES and self._last_ns - self._same_since_ns >= FROZEN_S * 1e9:
            return Condition.FROZEN
        if self._slow:
            return Condition.SLOW
        if self._bad_since_ns is not None and self._bad >= BAD_FRAMES and now_ns - self._bad_since_ns >= BAD_S * 1e9:
            return Condition.BAD_PICTURE
        if self._looks in {Condition.DARK, Condition.COVERED, Condition.BLURRED}:
            return self._looks if now_ns - self._looks_since_ns >= LOOKS_S * 1e9 else None
        if self._soft >= SOFT_LOOKS:
            return Condition.BLURRED
        if self._looks is Condition.NO_MARKERS and now_ns - self._markers_ok_ns > NO_MARKERS_S * 1e9:
            return Condition.NO_MARKERS
        return None
