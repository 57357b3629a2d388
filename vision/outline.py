"""Outlines of cards that lie apart, in any picture: four straight sides, convex, about as long as a card is wide.

Nothing is known about the camera, so a card is found by its shape and not by its size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.frames import Pixels
from vision.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.paper import Contour, least_channel

Corners = npt.NDArray[np.float32]

MIN_SIDE_PX: Final = 44.0
"""Shortest short side: an index of a narrower card is under 6 px high and cannot be told."""
SIDE_RATIO: Final = (0.5, 0.98)
"""Short side over long side. A card has 0.716; foreshortening takes it to either end."""
SOLID: Final = 0.93
"""Area over area of the convex hull; two overlapped cards have less."""
FILLS: Final = (0.93, 1.04)
"""Area over area of the four-sided figure; rounded corners cost 0.2 percent, a round thing 21."""
SAME_SHARE: Final = 0.08
"""Two outlines whose corners are nearer than this share of the short side are one. The frame of a court card is not."""
MAX_OUTLINES: Final = 24
"""Reading one takes up to 0.2 s where nothing fits; the least card-like of more are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A card's four corners, pixels, clockwise on screen: (4, 2) float32. quality: 0..1, how well it is one."""

    corners: Corners
    quality: float

    def __post_init__(self) -> None:
        if self.corners.shape != (4, 2) or self.corners.dtype != np.float32:
            raise ValueError(f"an outline is (4, 2) float32, not {self.corners.shape} {self.corners.dtype}")

    @property
    def middle(self) -> tuple[float, float]:
        x, y = self.corners.mean(axis=0)
        return float(x), float(y)

    @property
    def sides(self) -> tuple[float, float]:
        """Mean length of the first and third, of the second and fourth side."""
        lengths = np.linalg.norm(np.roll(self.corners, -1, axis=0) - self.corners, axis=1)
        return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2

    def flatten(self, image: Pixels, first: int, px_per_mm: float) -> Pixels:
        """The card seen straight, corner number `first` as its upper left: 63 x 88 mm at `px_per_mm`."""
        w, h = round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm)
        target = np.array([[0, 0], [w - 1, 0], [w - 1, h - 1], [0, h - 1]], np.float32)
        matrix = cv2.getPerspectiveTransform(np.roll(self.corners, -first, axis=0), target)
        flat = cv2.warpPerspective(image, matrix, (w, h), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.uint8)

    def overlaps(self, other: Outline) -> bool:
        """Whether the middle of either lies well inside the other: two cards apart never do."""
        gap = float(np.hypot(self.middle[0] - other.middle[0], self.middle[1] - other.middle[1]))
        return gap < 0.45 * max(min(self.sides), min(other.sides))

    def upper_left_corners(self) -> tuple[int, ...]:
        """Corners that may be the card's upper left; a card and its half turn are both among them."""
        across, down = self.sides
        if across < 0.88 * down:
            return (0, 2)
        return (1, 3) if down < 0.88 * across else (0, 2, 1, 3)


def find_outlines(image: Pixels) -> tuple[Outline, ...]:
    """Every card-like outline, best first, on dark or light ground, in even or uneven light.

    Of nested ones (the frame printed on a court card) all are given.
    """
    found: list[Outline] = []
    for mask in _masks(image):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            outline = _outline(np.asarray(contour, np.int32), image.shape[1], image.shape[0])
            if outline is not None:
                found.append(outline)
    found.sort(key=lambda outline: -outline.quality)
    kept: list[Outline] = []
    for outline in found:
        if not any(_is_same(outline, other) for other in kept):
            kept.append(outline)
    return tuple(kept[:MAX_OUTLINES])


def _masks(image: Pixels) -> Iterator[Pixels]:
    """White against its surroundings: one threshold for all, then thresholds of neighbourhoods of two sizes."""
    low = np.asarray(cv2.GaussianBlur(least_channel(image), (3, 3), 0), np.uint8)
    level, mask = cv2.threshold(low, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield np.asarray(mask, np.uint8)
    brighter = level + 0.4 * (float(np.percentile(low, 99)) - level)
    yield np.asarray(cv2.threshold(low, brighter, 255, cv2.THRESH_BINARY)[1], np.uint8)
    small = cv2.resize(low, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    side = max(small.shape)
    for share in (0.5, 0.2):
        around = cv2.blur(small, (round(side * share) | 1,) * 2, borderType=cv2.BORDER_REFLECT)
        ground = cv2.resize(around, (low.shape[1], low.shape[0]), interpolation=cv2.INTER_LINEAR)
        local = np.where(low > ground.astype(np.float32) * 1.12 + 6, 255, 0).astype(np.uint8)
        yield np.asarray(cv2.morphologyEx(local, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _outline(contour: Contour, width: int, height: int) -> Outline | None:
    x, y, w, h = cv2.boundingRect(contour)
    if max(w, h) < MIN_SIDE_PX or (w >= width - 2 and h >= height - 2):
        return None
    if x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1:
        return None  # cut by the picture's edge: its sides are not a card's
    area = float(cv2.contourArea(contour))
    hull = np.asarray(cv2.convexHull(contour), np.int32)
    whole = float(cv2.contourArea(hull))
    if area < MIN_SIDE_PX**2 or area < SOLID * whole:
        return None
    corners = _four_corners(contour, hull)
    if corners is None:
        return None
    figure = float(cv2.contourArea(corners))
    outline = Outline(corners, 0.0)
    short, long = sorted(outline.sides)
    if short < MIN_SIDE_PX or not SIDE_RATIO[0] <= short / long <= SIDE_RATIO[1]:
        return None
    if not FILLS[0] <= area / max(figure, 1.0) <= FILLS[1]:
        return None
    return Outline(corners, min(1.0, area / whole) * min(1.0, area / figure))


def _four_corners(contour: Contour, hull: Contour) -> Corners | None:
    """Where lines through the four sides meet: the corners a card would have if they were not rounded."""
    rough: Contour | None = None
    for share in (0.02, 0.035, 0.05, 0.07):
        corners = np.asarray(cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True), np.int32)
        if len(corners) == 4:
            rough = corners
            break
    if rough is None:
        return None
    points = contour.reshape(-1, 2).astype(np.float32)
    ends = rough.reshape(4, 2).astype(np.float32)
    if _turns_left(ends):
        ends = ends[::-1].copy()
    lines = [_line(points, ends[i], ends[(i + 1) % 4]) for i in range(4)]
    if any(line is None for line in lines):
        return None
    met = [_meet(lines[i - 1], lines[i]) for i in range(4)]
    corners_found = np.array([point for point in met if point is not None], np.float32)
    if corners_found.shape != (4, 2) or not cv2.isContourConvex(corners_found.reshape(-1, 1, 2)):
        return None
    return corners_found


def _turns_left(ends: Corners) -> bool:
    """Whether the figure runs counter-clockwise on screen (y down)."""
    x, y = ends[:, 0], ends[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) < 0


Line = tuple[float, float, float]
"""a, b, c of a x + b y = c, (a, b) of unit length."""


def _line(points: Corners, start: Corners, end: Corners) -> Line | None:
    """Through the middle three quarters of a side; None if the side is not straight."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < MIN_SIDE_PX / 2:
        return None
    unit = along / length
    offset = points - start
    t = offset @ unit / length
    away = np.abs(offset @ np.array([-unit[1], unit[0]], np.float32))
    near = points[(t > 0.12) & (t < 0.88) & (away < max(3.0, 0.05 * length))]
    if len(near) < 0.5 * length:
        return None
    vx, vy, x, y = (float(v) for v in np.ravel(cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01)))
    return -vy, vx, -vy * x + vx * y


def _meet(one: Line | None, other: Line | None) -> tuple[float, float] | None:
    if one is None or other is None:
        return None
    det = one[0] * other[1] - one[1] * other[0]
    if abs(det) < 0.4:  # sides that meet at under 24 degrees are no card's
        return None
    x = (one[2] * other[1] - one[1] * other[2]) / det
    return x, (one[0] * other[2] - one[2] * other[0]) / det


def _is_same(one: Outline, other: Outline) -> bool:
    """Whether every corner of one lies near a corner of the other."""
    apart = np.linalg.norm(one.corners[:, None] - other.corners[None], axis=2)
    return bool(apart.min(axis=1).max() < SAME_SHARE * max(min(one.sides), min(other.sides)))
