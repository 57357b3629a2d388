"""Paint for what moves on the table: cards with their shadows, hands with their sleeves.

Colours are BGR 0..255 under even light; the lens turns table millimetres into pixels.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, assert_never

import cv2
import numpy as np

from engine.cards import CARDS, PLAY_ORDER, Seat
from simulator.lens import Floats, Lens, Matrix, Patch, box_around, seat_turn, turn_about, warp_into
from simulator.table import FaceDown, FaceUp, Lying, Packet, PassSign, Print, ReportSign
from vision.cardface import draw_back, draw_card, draw_pass_card, draw_report_card
from vision.frames import Pixels
from vision.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.markers import REPORT_COUNTS

Colour = tuple[int, int, int]

PRINT_PX_PER_MM: Final = 4.0
"""Density of a card's bitmap before it is seen through the lens; twice the picture's."""
SHADOW_MM: Final = 1.0
"""How far a card's shadow falls: a card on felt stands up by a few tenths of a millimetre, light comes at a slant."""
SHADOW_DEPTH: Final = 0.30
PAPER: Final = 0.93
"""Share of the light that a card's white gives back; leaves room below 255 so that lit print is not burnt out."""

SLEEVES: Final[tuple[Colour, ...]] = ((70, 46, 38), (52, 50, 58), (92, 70, 48), (40, 40, 96))
SKINS: Final[tuple[Colour, ...]] = ((126, 158, 214), (104, 138, 198), (140, 172, 224), (92, 124, 182))


@dataclass(frozen=True, slots=True)
class Brush:
    """Makes patches for one lens."""

    lens: Lens

    def packet(self, seat: Seat, cards: Packet) -> Patch:
        """Cards lying on each other, in order, with shadows on the felt and on each other.

        Raises ValueError for no card.
        """
        if not cards:
            raise ValueError("a packet without cards cannot be painted")
        shapes = [(card, self._quad(seat, card)) for card in cards]
        reach = math.ceil(4 * SHADOW_MM * self.lens.px_per_mm)
        left, top, right, bottom = box = box_around(np.vstack([quad for _, quad in shapes]), reach)
        paint = np.zeros((bottom - top, right - left, 3), np.float32)
        cover = np.zeros((bottom - top, right - left, 1), np.float32)
        shade = np.ones_like(cover)
        for card, quad in shapes:
            own = _clip(box_around(quad, reach), box)
            tile = warp_into(bitmap(card.shown), self._place(seat, card), own)
            alpha = tile[:, :, 3:] / np.float32(255)
            dark = 1 - SHADOW_DEPTH * self._shadow(alpha)
            here = (slice(own[1] - top, own[3] - top), slice(own[0] - left, own[2] - left))
            paint[here] = paint[here] * dark * (1 - alpha) + tile[:, :, :3] * (PAPER * alpha)
            cover[here] += alpha * (1 - cover[here])
            shade[here] = np.minimum(shade[here], dark)
        return Patch(left, top, (1 - cover) * shade, paint)

    def hand(self, seat: Seat) -> Patch:
        """The hand and forearm of `seat`, palm over the table's centre; every seat has its own sleeve."""
        number = PLAY_ORDER.index(seat)
        lean = (-5.0, 4.0, -3.0, 6.0)[number]
        return _hand(self.lens, seat, lean, SKINS[number], SLEEVES[number])

    def _place(self, seat: Seat, card: Lying) -> Matrix:
        """(3, 3): pixels of the card's bitmap -> picture px."""
        mm = 1 / PRINT_PX_PER_MM
        local = np.array(
            [[mm, 0, mm / 2 - CARD_WIDTH_MM / 2], [0, -mm, CARD_HEIGHT_MM / 2 - mm / 2], [0, 0, 1]], np.float64
        )
        return np.asarray(self.lens.world @ seat_turn(seat) @ turn_about(card.turn_deg, card.x, card.y) @ local)

    def _quad(self, seat: Seat, card: Lying) -> Matrix:
        return self.lens.seat_px(seat, np.array([(p.x, p.y) for p in card.corners]))

    def _shadow(self, alpha: Floats) -> Floats:
        """(h, w, 1) 0..1: the shape moved down and to the right, with soft edges."""
        step = SHADOW_MM * self.lens.px_per_mm
        shift = np.array([[1, 0, step * 0.7], [0, 1, step]], np.float64)
        moved = cv2.warpAffine(alpha[:, :, 0], shift, (alpha.shape[1], alpha.shape[0]))
        return np.asarray(cv2.GaussianBlur(moved, (0, 0), step), dtype=np.float32)[:, :, None]


def everything() -> tuple[Print, ...]:
    """Whatever can lie on a table."""
    signs: tuple[Print, ...] = (FaceDown(), PassSign(), *(ReportSign(count) for count in REPORT_COUNTS))
    return (*(FaceUp(card) for card in CARDS), *signs)


@lru_cache(maxsize=128)
def bitmap(shown: Print) -> Pixels:
    """A card as printed, BGRA at PRINT_PX_PER_MM. Drawing it for the first time takes tens of milliseconds."""
    match shown:
        case FaceUp(card):
            return draw_card(card, PRINT_PX_PER_MM).image
        case FaceDown():
            return draw_back(PRINT_PX_PER_MM).image
        case PassSign():
            return draw_pass_card(PRINT_PX_PER_MM).image
        case ReportSign(count):
            return draw_report_card(count, PRINT_PX_PER_MM).image
        case _:
            assert_never(shown)


def _clip(inner: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return (
        max(inner[0], outer[0]), max(inner[1], outer[1]), min(inner[2], outer[2]), min(inner[3], outer[3]),
    )  # fmt: skip


def _hand(lens: Lens, seat: Seat, lean_deg: float, skin: Colour, sleeve: Colour) -> Patch:
    """Millimetres here are hand-local: origin at the palm's centre, y along the fingers."""
    scale = lens.px_per_mm
    rng = random.Random(f"hand {seat.value}")
    bare, cloth = _HandShape(rng), _SLEEVE
    turn = seat_turn(seat) @ turn_about(lean_deg, 0.0, 0.0)
    outline = np.vstack([cloth, np.array([(-75.0, -80.0), (75.0, 110.0)])]) @ turn[:2, :2].T
    left, top, right, bottom = box_around(lens.px(outline), round(14 * scale))
    shape = (bottom - top, right - left)

    def pixels(points: Matrix) -> Matrix:
        return lens.px(points @ turn[:2, :2].T) - (left, top)

    flesh, fabric = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for path, width in bare.strokes:
        _stroke(flesh, pixels(path), width * scale)
    _fill(flesh, pixels(bare.palm))
    lines = np.zeros(shape, np.uint8)
    for path in bare.creases:
        _stroke(lines, pixels(path), 1.6 * scale)
    _fill(fabric, pixels(cloth))
    both = np.maximum(flesh, fabric)
    cover = both.astype(np.float32)[:, :, None] / 255
    round_off = cv2.GaussianBlur(both, (0, 0), 6 * scale).astype(np.float32)[:, :, None] / 255
    folds = cv2.GaussianBlur(lines, (0, 0), 0.8 * scale).astype(np.float32)[:, :, None] / 255
    cloth_share = fabric.astype(np.float32)[:, :, None] / 255
    colour = (
        np.array(skin, np.float32) * (1 - cloth_share) * (1 - 0.25 * folds) + np.array(sleeve, np.float32) * cloth_share
    )
    paint = colour * (0.55 + 0.45 * round_off) * cover
    fall = np.array([[1, 0, 6 * scale], [0, 1, 9 * scale]], np.float64)
    shadow = cv2.GaussianBlur(cv2.warpAffine(both, fall, (shape[1], shape[0])), (0, 0), 5 * scale)
    keep = (1 - cover) * (1 - 0.4 * shadow.astype(np.float32)[:, :, None] / 255)
    return Patch(left, top, keep.astype(np.float32), paint.astype(np.float32))


class _HandShape:
    """A right hand seen from above, palm down: strokes (centre line, width in mm), palm outline, creases."""

    def __init__(self, rng: random.Random) -> None:
        size = rng.uniform(0.95, 1.06)
        tips = ((-27.0, 74.0), (-9.0, 90.0), (9.0, 94.0), (26.0, 84.0))
        roots = ((-27.0, 18.0), (-10.0, 26.0), (8.0, 26.0), (24.0, 20.0))
        fingers = [np.array([root, tip]) * size for root, tip in zip(roots, tips, strict=True)]
        thumb = np.array([(-26.0, -26.0), (-46.0, 2.0), (-52.0, 34.0)]) * size
        self.strokes = [(finger, 16.5 * size) for finger in fingers] + [(thumb, 19.0 * size)]
        self.palm = _PALM * size
        between = [(roots[i], tips[i], roots[i + 1], tips[i + 1]) for i in range(3)]
        self.creases = [
            size * np.array([((a[0] + c[0]) / 2, 24.0), ((b[0] + d[0]) / 2, min(b[1], d[1]) - 2)])
            for a, b, c, d in between
        ]


_PALM: Final = np.array(
    (
        *((-38, 14), (-34, 30), (-10, 36), (12, 36), (32, 28), (37, 6)),
        *((34, -34), (26, -60), (25, -110), (-25, -110), (-27, -62), (-36, -34)),
    ),
    np.float64,
)
_SLEEVE: Final = np.array(
    [(-35, -82), (35, -82), (40, -120), (52, -330), (58, -620), (-58, -620), (-52, -330), (-40, -120)], np.float64
)


def _fill(image: Pixels, points: Matrix) -> None:
    cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)


def _stroke(image: Pixels, points: Matrix, width_px: float) -> None:
    pixels = np.round(points * 16).astype(np.int32)
    cv2.polylines(image, [pixels], False, 255, max(1, round(width_px)), cv2.LINE_AA, 4)
