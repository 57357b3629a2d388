"""Flat shapes in millimetres: filled polygons that are moved, fitted, slanted and put on a picture.

Origin at the top left, x right, y down, as on a card.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.glyphs import Path

_SHIFT: Final = 4
"""Binary places of a pixel that OpenCV keeps when it fills a polygon."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The union of filled polygons, never empty.

    corners: (n, 2) float64, x and y in millimetres, of all polygons one after the other; sizes: corners of each, >= 3.
    """

    corners: NDArray[np.float64]
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.corners.dtype != np.float64 or self.corners.ndim != 2 or self.corners.shape[1] != 2:
            raise ValueError(f"corners are (n, 2) float64, not {self.corners.dtype} {self.corners.shape}")
        if not self.sizes or min(self.sizes) < 3 or sum(self.sizes) != len(self.corners):
            raise ValueError(f"{len(self.corners)} corners are no polygons of {self.sizes}; give at least 3 to each")

    @classmethod
    def of(cls, paths: Iterable[Path]) -> Shape:
        """The polygons whose corners are given."""
        return cls.of_arrays([np.asarray(path, dtype=np.float64) for path in paths])

    @classmethod
    def of_arrays(cls, polygons: Sequence[NDArray[np.float64]]) -> Shape:
        """The polygons, each (n, 2) float64."""
        return cls(np.concatenate(polygons), tuple(len(polygon) for polygon in polygons))

    @property
    def box(self) -> Box:
        """The smallest box that holds the shape."""
        (left, top), (right, bottom) = self.corners.min(axis=0), self.corners.max(axis=0)
        return Box(float(left), float(top), float(right), float(bottom))

    def joined(self, *others: Shape) -> Shape:
        every = (self, *others)
        return Shape(
            np.concatenate([shape.corners for shape in every]), tuple(n for shape in every for n in shape.sizes)
        )

    def moved(self, dx: float, dy: float) -> Shape:
        return self._mapped(((1.0, 0.0), (0.0, 1.0)), dx, dy)

    def fitted(self, box: Box) -> Shape:
        """Stretched so that its box is `box`."""
        own = self.box
        x, y = box.width / own.width, box.height / own.height
        return self._mapped(((x, 0.0), (0.0, y)), box.left - own.left * x, box.top - own.top * y)

    def slanted(self, degrees: float) -> Shape:
        """Leaning to the right about its foot, like an italic; heights stay."""
        lean = math.tan(math.radians(degrees))
        return self._mapped(((1.0, -lean), (0.0, 1.0)), lean * self.box.bottom, 0.0)

    def turned_down(self) -> Shape:
        """A quarter turn clockwise about the origin: a word then reads from top to bottom."""
        return self._mapped(((0.0, -1.0), (1.0, 0.0)), 0.0, 0.0)

    def upside_down(self, width: float, height: float) -> Shape:
        """Half a turn about the middle of a card of `width` x `height`."""
        return self._mapped(((-1.0, 0.0), (0.0, -1.0)), width, height)

    def fill(self, image: NDArray[np.uint8], px_per_mm: float, ink: tuple[int, ...]) -> None:
        """Put the shape on `image` (H, W) or (H, W, 3), whose top left corner is the origin."""
        # OpenCV counts from the middle of the first pixel, millimetres from its corner
        corners = np.rint((self.corners * px_per_mm - 0.5) * (1 << _SHIFT)).astype(np.int32)
        start = 0
        for size in self.sizes:
            # one by one: polygons given together would cancel each other where they overlap
            cv2.fillPoly(image, [corners[start : start + size]], ink, cv2.LINE_AA, _SHIFT)
            start += size

    def _mapped(self, matrix: tuple[tuple[float, float], tuple[float, float]], dx: float, dy: float) -> Shape:
        turn, shift = np.asarray(matrix).T, np.asarray((dx, dy))
        return Shape(self.corners @ turn + shift, self.sizes)


@dataclass(frozen=True, slots=True)
class Nib:
    """The end of the pen: an oval `width` x `height` mm, its long side raised by `stress` degrees to the right.

    `squareness` 2 is an ellipse; higher is closer to a rectangle, whose strokes end flat.
    """

    width: float
    height: float
    stress: float = 0.0
    squareness: float = 2.0

    def outline(self) -> NDArray[np.float64]:
        """(20, 2) corners about the origin."""
        angle = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
        power = 2.0 / self.squareness
        x = self.width / 2 * np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** power
        y = self.height / 2 * np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** power
        turn = math.radians(self.stress)
        return np.stack((x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)), axis=1)

    def drawn_along(self, paths: Iterable[Path]) -> Shape:
        """What the nib covers when it is led along centre lines of at least two points each."""
        nib = self.outline()
        pieces = []
        for path in paths:
            for start, end in pairwise(_thinned(path, 0.015 * max(self.width, self.height))):
                both = np.concatenate((nib + start, nib + end)).astype(np.float32)
                pieces.append(cv2.convexHull(both)[:, 0].astype(np.float64))
        return Shape.of_arrays(pieces)


def _thinned(path: Path, tolerance: float) -> NDArray[np.float32]:
    """The points of a line that matter by more than `tolerance`; halves apart, for a closed line has no chord."""
    points = np.asarray(path, dtype=np.float32)
    middle = len(points) // 2
    first = cv2.approxPolyDP(points[: middle + 1, None], tolerance, False)[:, 0]
    second = cv2.approxPolyDP(points[middle:, None], tolerance, False)[:, 0]
    return np.concatenate((first, second[1:])).astype(np.float32)


def bezier(start: tuple[float, float], *curves: tuple[float, float, float, float, float, float]) -> Path:
    """Points of cubic curves set end to end; each is two handles and an end point."""
    points = [start]
    for ax, ay, bx, by, ex, ey in curves:
        sx, sy = points[-1]
        for step in range(1, 13):
            t = step / 12
            u = 1 - t
            w = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
            points.append(
                (w[0] * sx + w[1] * ax + w[2] * bx + w[3] * ex, w[0] * sy + w[1] * ay + w[2] * by + w[3] * ey)
            )
    return tuple(points)
