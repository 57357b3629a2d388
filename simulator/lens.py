"""Where the simulated camera sees the table, and how patches of paint meet its picture.

A camera hangs above the table and is not quite level. Everything is painted once, in the camera's own pixels, and
moved by whole pixels afterwards: at this distance the picture of a card does not change its shape within one reach.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import Seat
from vision.frames import Pixels
from vision.layout import DEFAULT_PX_PER_MM, SEAT_ANGLE_DEG, VIEW_SIDE_MM, Point

Floats = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

HEIGHT_MM: Final = 1200.0
"""Distance of the camera from the table."""
TILT_DEG: Final = 1.0
"""Most that the camera is off level, about each of its three axes."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """Maps the table plane (mm) to a square picture. world: (3, 3) float64 homography, table mm -> px."""

    world: Matrix
    side_px: int

    def __post_init__(self) -> None:
        if self.world.shape != (3, 3) or self.world.dtype != np.float64:
            raise ValueError(f"a homography is (3, 3) float64, not {self.world.dtype} {self.world.shape}")
        self.world.flags.writeable = False

    @property
    def px_per_mm(self) -> float:
        return self.side_px / VIEW_SIDE_MM

    def px(self, points: npt.NDArray[np.floating]) -> Matrix:
        """Pixels of table points: (n, 2) in, (n, 2) float64 out; (0, 0) is the centre of the top left pixel."""
        homogeneous = np.column_stack((points, np.ones(len(points)))) @ self.world.T
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], dtype=np.float64)

    def seat_px(self, seat: Seat, points: npt.NDArray[np.floating]) -> Matrix:
        """Pixels of points in the view of a seat: (n, 2) in, (n, 2) float64 out."""
        return self.px(points @ seat_turn(seat)[:2, :2].T)

    def shift_px(self, seat: Seat, at: Point, by: Point) -> tuple[int, int]:
        """Whole pixels by which something at `at` moves when it is moved by `by`; both in the view of a seat."""
        there = self.seat_px(seat, np.array([(at.x, at.y), (at.x + by.x, at.y + by.y)]))
        return round(float(there[1, 0] - there[0, 0])), round(float(there[1, 1] - there[0, 1]))


def hang_camera(rng: random.Random, side_px: int, tilt_deg: float = TILT_DEG) -> Lens:
    """A camera over the table's centre, off level by up to `tilt_deg` about each axis; its axis meets the centre."""
    pitch, roll, yaw = (math.radians(rng.uniform(-tilt_deg, tilt_deg)) for _ in range(3))
    focal = HEIGHT_MM * side_px / VIEW_SIDE_MM
    turn = _about(2, yaw) @ _about(1, roll) @ _about(0, pitch)
    middle = (side_px - 1) / 2
    # Camera axes: x right (East), y down the picture (South), z from the camera to the table.
    down = np.diag([1.0, -1.0, -1.0])
    to_camera = down @ turn
    inner = np.array([[focal, 0, middle], [0, focal, middle], [0, 0, 1]])
    outer = np.column_stack((to_camera[:, 0], to_camera[:, 1], np.array([0.0, 0.0, HEIGHT_MM])))
    world = inner @ outer
    return Lens(np.ascontiguousarray(world / world[2, 2]), side_px)


def default_lens(side_px: int = round(DEFAULT_PX_PER_MM * VIEW_SIDE_MM)) -> Lens:
    """The level camera of vision.layout."""
    return hang_camera(random.Random(0), side_px, 0.0)


def seat_turn(seat: Seat) -> Matrix:
    """(3, 3) float64: view of the seat -> table plane, mm."""
    return turn_about(SEAT_ANGLE_DEG[seat], 0.0, 0.0)


def turn_about(degrees: float, x: float, y: float) -> Matrix:
    """(3, 3) float64: turn counter-clockwise by `degrees`, then move the origin to (x, y)."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin, x], [sin, cos, y], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Paint for a part of the picture: what is below is multiplied by `keep`, then `add` is put on.

    keep: (h, w, 1) float32, 0..1. add: (h, w, 3) float32, BGR 0..255 under even light. left, top: place, px.
    """

    left: int
    top: int
    keep: Floats
    add: Floats

    def __post_init__(self) -> None:
        h, w = self.keep.shape[:2]
        if self.keep.shape != (h, w, 1) or self.add.shape != (h, w, 3) or self.keep.dtype != self.add.dtype:
            raise ValueError(f"a patch is (h, w, 1) and (h, w, 3) float32, not {self.keep.shape} {self.add.shape}")

    def put_on(self, image: Pixels, light: Floats, dx: int = 0, dy: int = 0) -> None:
        """Paint on `image` (H, W, 3), moved by whole pixels; parts outside fall away. light: (H, W, 1) float32."""
        left, top = self.left + dx, self.top + dy
        h, w = self.keep.shape[:2]
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + w, image.shape[1]), min(top + h, image.shape[0])
        if x1 <= x0 or y1 <= y0:
            return
        own = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        here = (slice(y0, y1), slice(x0, x1))
        mixed = image[here] * self.keep[own] + self.add[own] * light[here]
        image[here] = np.minimum(mixed + 0.5, 255.0).astype(np.uint8)


def warp_into(tile: Pixels, place: Matrix, box: tuple[int, int, int, int]) -> Floats:
    """A BGRA tile seen through `place` (3, 3: tile px -> picture px) in the box left, top, right, bottom.

    (h, w, 4) float32, colours and alpha 0..255. Drawn at twice the density and halved, so that print does not alias.
    """
    left, top, right, bottom = box
    shift = np.array([[2.0, 0.0, 0.5 - 2 * left], [0.0, 2.0, 0.5 - 2 * top], [0.0, 0.0, 1.0]])
    size = ((right - left) * 2, (bottom - top) * 2)
    double = cv2.warpPerspective(tile, shift @ place, size, flags=cv2.INTER_LINEAR)
    half = cv2.resize(double, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    return np.asarray(half, dtype=np.float32)


def box_around(points: Matrix, margin_px: int) -> tuple[int, int, int, int]:
    """Left, top, right, bottom (whole px, right and bottom excluded) around points (n, 2)."""
    low, high = points.min(axis=0), points.max(axis=0)
    return (
        math.floor(float(low[0])) - margin_px,
        math.floor(float(low[1])) - margin_px,
        math.ceil(float(high[0])) + margin_px + 1,
        math.ceil(float(high[1])) + margin_px + 1,
    )


def _about(axis: int, angle: float) -> Matrix:
    i, j = ((1, 2), (2, 0), (0, 1))[axis]
    turn = np.eye(3)
    turn[i, i] = turn[j, j] = math.cos(angle)
    turn[i, j], turn[j, i] = -math.sin(angle), math.sin(angle)
    return turn
