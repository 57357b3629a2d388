"""The table without its cards: felt, rim, zone lines, the machine's opening, the table's markers, and the light.

All of it is painted once for a lens.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from engine.cards import Seat
from simulator.lens import Floats, Lens, Matrix, Patch, seat_turn, warp_into
from vision import markers
from vision.frames import Pixels
from vision.layout import TABLE_MARKER_CENTRES, TABLE_MARKER_SIDE_MM, TABLE_SIDE_MM, ZONES, Zone

Colour = tuple[int, int, int]

FELTS: Final[tuple[Colour, ...]] = ((66, 78, 30), (84, 62, 26), (74, 72, 28))
"""Dark green, dark blue and between (BGR)."""
FLOOR: Final[Colour] = (46, 52, 58)
RIM: Final[Colour] = (34, 42, 62)
PLATE: Final[Colour] = (44, 42, 40)
SLOT: Final[Colour] = (16, 15, 15)
PLATE_SIDE_MM: Final = 190.0
"""The machine's plate; it ends well short of the play zones."""
LINE_MM: Final = 3.0
"""Zone lines run this far outside the zones, so that no card covers one."""


def paint_table(lens: Lens, felt: Colour, rng: np.random.Generator) -> Pixels:
    """The empty table under even light: (side, side, 3) uint8 BGR."""
    side = lens.side_px
    image = np.full((side, side, 3), FLOOR, np.uint8)
    half = TABLE_SIDE_MM / 2
    _rectangle(image, lens, Zone(-half, half, -half, half), RIM)
    inner = half - 10
    _rectangle(image, lens, Zone(-inner, inner, -inner, inner), felt)
    _weave(image, rng)
    for seat in Seat:
        for zone in ZONES.values():
            _outline(image, lens, seat, zone.widened(LINE_MM), felt)
    _machine(image, lens)
    for number, (x, y) in enumerate(TABLE_MARKER_CENTRES):
        _marker(image, lens, number, x, y)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.5), dtype=np.uint8)


def fall_of_light(lens: Lens, rng: np.random.Generator) -> Floats:
    """(side, side, 1) float32 around 1: a slanting light and a little fall-off to the corners."""
    side = lens.side_px
    steps = np.linspace(-1, 1, side, dtype=np.float32)
    x, y = steps[None, :], steps[:, None]
    angle, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.06)
    slant = np.float32(slope) * (x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle)))
    edge = np.float32(0.05) * (x * x + y * y) / 2
    return np.asarray((1 + slant - edge)[:, :, None], dtype=np.float32)


def lamp_patch(lens: Lens, seat: Seat) -> Patch:
    """The lit lamp before a slot."""
    place = lens.seat_px(seat, np.array([(0.0, -72.0)]))[0]
    radius = 16
    left, top = round(float(place[0])) - radius, round(float(place[1])) - radius
    glow = np.zeros((2 * radius + 1, 2 * radius + 1), np.float32)
    cv2.circle(glow, (radius, radius), 7, 1.0, -1, cv2.LINE_AA)
    glow = np.asarray(np.clip(glow + 0.5 * cv2.GaussianBlur(glow, (0, 0), 4), 0, 1), dtype=np.float32)[:, :, None]
    return Patch(left, top, 1 - glow, glow * np.array((110, 235, 170), np.float32))


def _machine(image: Pixels, lens: Lens) -> None:
    """A dark plate with a slot toward each player, its unlit lamps, and a round lid."""
    half = PLATE_SIDE_MM / 2
    _rectangle(image, lens, Zone(-half, half, -half, half), PLATE)
    for seat in Seat:
        turn = seat_turn(seat)
        slot = np.array([(-38.0, -86.0), (38.0, -86.0), (38.0, -78.0), (-38.0, -78.0)])
        _polygon(image, lens, slot @ turn[:2, :2].T, SLOT)
        centre = lens.seat_px(seat, np.array([(0.0, -72.0)]))[0]
        cv2.circle(image, _whole(centre), 7, (60, 58, 56), -1, cv2.LINE_AA)
    centre = lens.px(np.array([(0.0, 0.0)]))[0]
    scale = lens.px_per_mm
    cv2.circle(image, _whole(centre), round(54 * scale), (56, 54, 52), -1, cv2.LINE_AA)
    cv2.circle(image, _whole(centre), round(54 * scale), (30, 29, 28), round(1.2 * scale), cv2.LINE_AA)
    cv2.circle(image, _whole(centre), round(20 * scale), (40, 38, 37), -1, cv2.LINE_AA)


def _marker(image: Pixels, lens: Lens, number: int, x: float, y: float) -> None:
    """A table marker with its white margin of one module."""
    pattern = markers.draw_marker(number, 240).image
    tile = np.full((320, 320, 4), 255, np.uint8)
    tile[40:280, 40:280, :3] = pattern[:, :, None]
    tile[:, :, :3] = np.round(tile[:, :, :3] * 0.9 + 8).astype(np.uint8)
    mm = TABLE_MARKER_SIDE_MM / 240
    place = lens.world @ np.array([[mm, 0, x - 159.5 * mm], [0, -mm, y + 159.5 * mm], [0, 0, 1]])
    reach = TABLE_MARKER_SIDE_MM * 320 / 240 / 2
    corners = lens.px(np.array([(x - reach, y - reach), (x + reach, y + reach)]))
    low, high = corners.min(axis=0) - 3, corners.max(axis=0) + 3
    box = (
        max(round(float(low[0])), 0), max(round(float(low[1])), 0),
        min(round(float(high[0])), lens.side_px), min(round(float(high[1])), lens.side_px),
    )  # fmt: skip
    seen = warp_into(tile, np.asarray(place, dtype=np.float64), box)
    alpha = seen[:, :, 3:] / 255
    here = (slice(box[1], box[3]), slice(box[0], box[2]))
    image[here] = np.round(image[here] * (1 - alpha) + seen[:, :, :3] * alpha).astype(np.uint8)


def _weave(image: Pixels, rng: np.random.Generator) -> None:
    """Fibres: fine grain and faint larger clouds, the same in every picture."""
    side = image.shape[0]
    grain = cv2.GaussianBlur(rng.normal(0, 5.5, (side, side)).astype(np.float32), (0, 0), 0.8)
    small = rng.normal(0, 2.2, (side // 48 + 2, side // 48 + 2)).astype(np.float32)
    cloud = cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC)
    mixed = image.astype(np.float32) + (grain + cloud)[:, :, None]
    image[:] = np.clip(mixed, 0, 255).astype(np.uint8)


def _outline(image: Pixels, lens: Lens, seat: Seat, zone: Zone, felt: Colour) -> None:
    """A line woven into the felt, a little lighter than it."""
    corners = np.array([(p.x, p.y) for p in zone.corners])
    pixels = np.round(lens.seat_px(seat, corners) * 16).astype(np.int32)
    b, g, r = (min(255, round(value * 1.22 + 4)) for value in felt)
    cv2.polylines(image, [pixels], True, (b, g, r), max(1, round(lens.px_per_mm)), cv2.LINE_AA, 4)


def _rectangle(image: Pixels, lens: Lens, zone: Zone, colour: Colour) -> None:
    _polygon(image, lens, np.array([(p.x, p.y) for p in zone.corners]), colour)


def _polygon(image: Pixels, lens: Lens, points: Matrix, colour: Colour) -> None:
    cv2.fillPoly(image, [np.round(lens.px(points) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def _whole(point: Matrix) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
