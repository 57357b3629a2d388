"""Where things lie on the table: the plane in millimetres, zones of each seat, table markers, the default view.

Table plane: origin at the centre, x to East, y to North, right-handed as seen from above. A *seat view* has the same
origin, x to that player's right and y away from him, so the seat view of S is the table plane itself and every zone
has the same seat-view numbers at every seat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards import Seat

TABLE_SIDE_MM: Final = 900.0
"""Side of the square table; the player at S sits at y = -450."""
CARD_WIDTH_MM: Final = 63.0
CARD_HEIGHT_MM: Final = 88.0
VIEW_SIDE_MM: Final = 960.0
"""Side of the square that the default camera sees, centred on the table."""
DEFAULT_PX_PER_MM: Final = 2.0
PITCH_MM: Final = (18.0, 24.0)
"""Distance between the left edges of neighbouring cards in a lay-down."""

TABLE_MARKER_SIDE_MM: Final = 50.0
CARD_MARKER_SIDE_MM: Final = 40.0
TABLE_MARKER_CENTRES: Final = ((-410.0, -410.0), (410.0, -410.0), (410.0, 410.0), (-410.0, 410.0))
"""Centres of table markers 0..3 (SW, SE, NE, NW); their own up is North."""

SEAT_ANGLE_DEG: Final = {Seat.S: 0.0, Seat.E: 90.0, Seat.N: 180.0, Seat.W: 270.0}
"""Counter-clockwise turn, seen from above, that carries the seat view of S to that of the seat."""


class Area(StrEnum):
    """The three zones of a seat."""

    PLAY = "play"
    NOTICE = "notice"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Point:
    """A place in millimetres, in the table plane or a seat view as the text beside it says."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Zone:
    """An upright rectangle in a seat view, millimetres."""

    left: float
    right: float
    near: float
    far: float

    def __post_init__(self) -> None:
        if not (self.left < self.right and self.near < self.far):
            raise ValueError(f"zone {self} is empty; give left < right and near < far")

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.far - self.near

    @property
    def centre(self) -> Point:
        return Point((self.left + self.right) / 2, (self.near + self.far) / 2)

    def widened(self, by_mm: float) -> Zone:
        """The same rectangle with `by_mm` more on every side."""
        return Zone(self.left - by_mm, self.right + by_mm, self.near - by_mm, self.far + by_mm)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Far left, far right, near right, near left: clockwise from the top left of the upright picture."""
        return (
            Point(self.left, self.far),
            Point(self.right, self.far),
            Point(self.right, self.near),
            Point(self.left, self.near),
        )


ZONES: Final = {
    Area.PLAY: Zone(-150, 150, -260, -150),
    Area.NOTICE: Zone(100, 250, -410, -290),
    Area.DISCARD: Zone(-250, -100, -410, -290),
}
"""Zones in every seat's own view."""

PASS_PLACE: Final = Point(141.5, -350.0)
"""Centre of a PASS card, seat view: left half of the notice zone."""
REPORT_PLACE: Final = Point(211.5, -350.0)
"""Centre of a report card, seat view: right half of the notice zone."""


def seat_to_table(seat: Seat, point: Point) -> Point:
    """The table-plane place of a point given in the view of `seat`."""
    return _turned(point, SEAT_ANGLE_DEG[seat])


def table_to_seat(seat: Seat, point: Point) -> Point:
    """The place, in the view of `seat`, of a point of the table plane."""
    return _turned(point, -SEAT_ANGLE_DEG[seat])


def table_to_default_px(point: Point, px_per_mm: float = DEFAULT_PX_PER_MM) -> tuple[float, float]:
    """Where the default camera (straight above, North up) sees a table point.

    Pixels are counted so that the centre of the top left pixel is (0, 0).
    """
    half = VIEW_SIDE_MM / 2
    return ((point.x + half) * px_per_mm - 0.5, (half - point.y) * px_per_mm - 0.5)


def _turned(point: Point, degrees: float) -> Point:
    quarter = round(degrees / 90) % 4
    if math.isclose(
        degrees / 90, round(degrees / 90)
    ):  # exact, so that zones of different seats never differ by rounding
        cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
        return Point(point.x * cos - point.y * sin, point.x * sin + point.y * cos)
    radians = math.radians(degrees)
    return Point(
        point.x * math.cos(radians) - point.y * math.sin(radians),
        point.x * math.sin(radians) + point.y * math.cos(radians),
    )
