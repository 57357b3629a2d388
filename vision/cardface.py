"""The default deck: faces, back, PASS card and report cards, drawn from geometry at any density.

The simulator's camera and the reader's templates both come from here. Sizes in millimetres, origin at the top left
corner of the card, x right, y down; a card is 63 x 88.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from engine.cards import Card, Rank, Suit
from vision import markers
from vision.frames import Pixels
from vision.glyphs import Path, Stroke, star, suit_polygons, word
from vision.layout import CARD_HEIGHT_MM, CARD_MARKER_SIDE_MM, CARD_WIDTH_MM

Colour = tuple[int, int, int]

BLACK: Final[Colour] = (28, 24, 24)
RED: Final[Colour] = (38, 24, 200)
WHITE: Final[Colour] = (250, 250, 250)
EDGE: Final[Colour] = (150, 150, 150)
BLUE: Final[Colour] = (140, 70, 30)
GOLD: Final[Colour] = (60, 190, 240)

CORNER_RADIUS_MM: Final = 3.2
_MASTER_PX_PER_MM: Final = 8
"""Density at which faces are drawn before they are reduced; 4 times the default camera keeps edges smooth."""


@dataclass(frozen=True, slots=True)
class PrintStyle:
    """How the index in a card's corner is printed. Lengths in millimetres, boxes include the pen's width."""

    name: str
    rank_height: float = 10.0
    rank_width: float = 6.6
    ten_width: float = 7.6
    pen: float = 1.5
    suit_height: float = 7.0
    suit_width: float = 6.2
    gap: float = 1.2
    centre_x: float = 6.4
    top: float = 3.4
    joker_letter_height: float = 5.4
    joker_letter_width: float = 4.6
    joker_gap: float = 1.3
    joker_pen: float = 1.15

    @property
    def suit_top(self) -> float:
        return self.top + self.rank_height + self.gap

    @property
    def bottom(self) -> float:
        """Lower end of the suit under the rank."""
        return self.suit_top + self.suit_height


DEFAULT_STYLE: Final = PrintStyle("default")


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A drawn card: image (H, W, 4) uint8 BGRA, alpha 0 outside the rounded corners; H = 88, W = 63 times px_per_mm."""

    image: Pixels
    px_per_mm: float

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 4:
            raise ValueError(f"a face is (H, W, 4) uint8, not {self.image.dtype} {self.image.shape}")
        self.image.flags.writeable = False


@cache
def draw_card(card: Card, px_per_mm: float = 2.0, style: PrintStyle = DEFAULT_STYLE) -> Face:
    """The face of `card`. Raises ValueError unless 0.5 <= px_per_mm <= 8."""
    sheet = _Sheet()
    if card.rank.is_joker:
        _draw_joker(sheet, card, style)
    else:
        suit = card.suit
        assert suit is not None  # only jokers have none
        ink = ink_of(card)
        _draw_index(sheet, card.rank, suit, ink, style)
        sheet.turn()
        _draw_index(sheet, card.rank, suit, ink, style)
        sheet.turn()
        _draw_centre(sheet, card.rank, suit, ink)
    return sheet.face(px_per_mm)


@cache
def draw_back(px_per_mm: float = 2.0) -> Face:
    """A card lying face down: white rim, blue lattice."""
    sheet = _Sheet()
    sheet.box(4, 4, 59, 84, BLUE)
    for i in range(-88, 63, 5):
        sheet.line(((float(i), 4.0), (float(i + 80), 84.0)), 0.7, (215, 180, 150))
        sheet.line(((float(i + 80), 4.0), (float(i), 84.0)), 0.7, (215, 180, 150))
    for left, top, right, bottom in (
        (0.3, 0.3, 62.7, 3.8),
        (0.3, 84.2, 62.7, 87.7),
        (0.3, 3, 3.8, 85),
        (59.2, 3, 62.7, 85),
    ):
        sheet.box(left, top, right, bottom, WHITE)
    sheet.frame(4, 4, 59, 84, 0.8, BLUE)
    return sheet.face(px_per_mm)


@cache
def draw_pass_card(px_per_mm: float = 2.0) -> Face:
    """The card a player shows to pass: marker 10 and the word PASS, readable from both sides."""
    return _draw_marker_card(markers.PASS_ID, "PASS", 34.0, (90, 110, 0), px_per_mm)


@cache
def draw_report_card(count: int, px_per_mm: float = 2.0) -> Face:
    """The card that reports `count` cards left, 1..10. Raises ValueError for another count."""
    text = str(count)
    return _draw_marker_card(markers.report_id(count), text, 8.0 * len(text), (140, 60, 130), px_per_mm)


def ink_of(card: Card) -> Colour:
    """Printing colour of the index."""
    red = card.rank is Rank.BIG_JOKER or card.suit in {Suit.HEART, Suit.DIAMOND}
    return RED if red else BLACK


def rank_letters(rank: Rank) -> str:
    """Letters printed for a rank 2..A."""
    return "10" if rank is Rank.TEN else rank.text


class _Sheet:
    """A card under the pen, at master density; millimetres in, pixels inside."""

    def __init__(self) -> None:
        scale = _MASTER_PX_PER_MM
        self.scale = scale
        shape = (round(CARD_HEIGHT_MM * scale), round(CARD_WIDTH_MM * scale))
        self.alpha = np.zeros(shape, dtype=np.uint8)
        self.image = np.full((*shape, 3), EDGE, dtype=np.uint8)
        self._rounded(self.alpha, 0.0, (255, 255, 255))
        self._rounded(self.image, 0.3, WHITE)

    def turn(self) -> None:
        self.image = np.ascontiguousarray(self.image[::-1, ::-1])

    def face(self, px_per_mm: float) -> Face:
        if not 0.5 <= px_per_mm <= _MASTER_PX_PER_MM:
            raise ValueError(f"cannot draw a card at {px_per_mm} px/mm; use 0.5 to {_MASTER_PX_PER_MM}")
        size = (round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm))
        whole = np.dstack((self.image, self.alpha))
        small = whole if px_per_mm == self.scale else cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
        return Face(np.asarray(small, dtype=np.uint8), px_per_mm)

    def strokes(self, strokes: tuple[Stroke, ...], left: float, top: float, pen: float, ink: Colour) -> None:
        for stroke in strokes:
            self.line(tuple((left + x, top + y) for x, y in stroke.points), pen, ink)

    def line(self, points: Path, pen: float, ink: Colour) -> None:
        pixels = self._pixels(points)
        cv2.polylines(self.image, [pixels], False, ink, max(1, round(pen * self.scale)), cv2.LINE_AA, 4)

    def fill(self, path: Path, left: float, top: float, width: float, height: float, ink: Colour) -> None:
        cv2.fillPoly(
            self.image,
            [self._pixels(tuple((left + x * width, top + y * height) for x, y in path))],
            ink,
            cv2.LINE_AA,
            4,
        )

    def box(self, left: float, top: float, right: float, bottom: float, ink: Colour) -> None:
        self.fill(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), left, top, right - left, bottom - top, ink)

    def frame(self, left: float, top: float, right: float, bottom: float, pen: float, ink: Colour) -> None:
        self.line(((left, top), (right, top), (right, bottom), (left, bottom), (left, top)), pen, ink)

    def _pixels(self, points: Path) -> cv2.typing.MatLike:
        return np.asarray([(round(x * self.scale * 16), round(y * self.scale * 16)) for x, y in points], dtype=np.int32)

    def _rounded(self, image: Pixels, inset: float, ink: Colour) -> None:
        low, right, bottom = inset, CARD_WIDTH_MM - inset, CARD_HEIGHT_MM - inset
        radius = CORNER_RADIUS_MM - inset
        corners = (
            (right - radius, low + radius, -90), (right - radius, bottom - radius, 0),
            (low + radius, bottom - radius, 90), (low + radius, low + radius, 180),
        )  # fmt: skip
        points = [
            (x + radius * np.cos(np.radians(start + step * 9)), y + radius * np.sin(np.radians(start + step * 9)))
            for x, y, start in corners
            for step in range(11)
        ]
        pixels = self._pixels(tuple((float(x), float(y)) for x, y in points))
        cv2.fillPoly(image, [pixels], ink if image.ndim == 3 else 255, cv2.LINE_AA, 4)


def _draw_letters(
    sheet: _Sheet, text: str, centre_x: float, top: float, width: float, height: float, pen: float, ink: Colour
) -> None:
    """Letters whose inked box is `width` x `height`."""
    strokes = word(text, width - pen, height - pen, pen * 1.75)
    sheet.strokes(strokes, centre_x - width / 2 + pen / 2, top + pen / 2, pen, ink)


def _draw_suit(sheet: _Sheet, suit: Suit, cx: float, cy: float, width: float, height: float, ink: Colour) -> None:
    for path in suit_polygons(suit):
        sheet.fill(path, cx - width / 2, cy - height / 2, width, height, ink)


def _draw_index(sheet: _Sheet, rank: Rank, suit: Suit, ink: Colour, style: PrintStyle) -> None:
    width = style.ten_width if rank is Rank.TEN else style.rank_width
    pen = style.pen * (0.9 if rank is Rank.TEN else 1.0)
    _draw_letters(sheet, rank_letters(rank), style.centre_x, style.top, width, style.rank_height, pen, ink)
    middle = style.suit_top + style.suit_height / 2
    _draw_suit(sheet, suit, style.centre_x, middle, style.suit_width, style.suit_height, ink)


PIP_ROWS: Final[dict[Rank, tuple[tuple[float, float], ...]]] = {
    Rank.TWO: ((0, 0), (0, 6)),
    Rank.THREE: ((0, 0), (0, 3), (0, 6)),
    Rank.FOUR: ((-1, 0), (1, 0), (-1, 6), (1, 6)),
    Rank.FIVE: ((-1, 0), (1, 0), (0, 3), (-1, 6), (1, 6)),
    Rank.SIX: ((-1, 0), (1, 0), (-1, 3), (1, 3), (-1, 6), (1, 6)),
    Rank.SEVEN: ((-1, 0), (1, 0), (0, 1.5), (-1, 3), (1, 3), (-1, 6), (1, 6)),
    Rank.EIGHT: ((-1, 0), (1, 0), (0, 1.5), (-1, 3), (1, 3), (0, 4.5), (-1, 6), (1, 6)),
    Rank.NINE: ((-1, 0), (1, 0), (-1, 2), (1, 2), (0, 3), (-1, 4), (1, 4), (-1, 6), (1, 6)),
    Rank.TEN: ((-1, 0), (1, 0), (0, 1), (-1, 2), (1, 2), (-1, 4), (1, 4), (0, 5), (-1, 6), (1, 6)),
}
"""Pips: column -1, 0, 1 and row 0 (top) to 6 (bottom)."""


def _draw_centre(sheet: _Sheet, rank: Rank, suit: Suit, ink: Colour) -> None:
    if rank in PIP_ROWS:
        for column, row in PIP_ROWS[rank]:
            if row > 3:  # the lower half is printed upside down, as on every real pack
                sheet.turn()
            _draw_suit(
                sheet,
                suit,
                31.5 + 12.5 * (-column if row > 3 else column),
                15 + (6 - row if row > 3 else row) * 58 / 6,
                9.5,
                10.5,
                ink,
            )
            if row > 3:
                sheet.turn()
    elif rank is Rank.ACE:
        _draw_suit(sheet, suit, 31.5, 44, 27, 30, ink)
    else:
        _draw_court(sheet, rank, suit, ink)


def _draw_court(sheet: _Sheet, rank: Rank, suit: Suit, ink: Colour) -> None:
    """A frame, a robe in bands, a head with the headgear of the rank; twice, heads outward."""
    sheet.frame(14.5, 10, 48.5, 78, 0.5, BLUE)
    for _ in range(2):
        sheet.fill(((0.5, 0.0), (1.0, 1.0), (0.0, 1.0)), 17, 26, 29, 18, ink)
        sheet.fill(((0.5, 0.0), (1.0, 1.0), (0.0, 1.0)), 22, 29, 19, 15, GOLD)
        sheet.fill(((0.5, 0.0), (1.0, 1.0), (0.0, 1.0)), 26.5, 33, 10, 11, BLUE)
        sheet.fill(tuple((0.5 + x, 0.5 + y) for x, y in _circle()), 26.5, 18, 10, 12, (170, 205, 240))
        match rank:
            case Rank.KING:
                crown: Path = ((0.0, 1.0), (0.0, 0.0), (0.25, 0.6), (0.5, 0.0), (0.75, 0.6), (1.0, 0.0), (1.0, 1.0))
            case Rank.QUEEN:
                crown = ((0.0, 1.0), (0.15, 0.4), (0.5, 0.0), (0.85, 0.4), (1.0, 1.0))
            case _:
                crown = ((0.0, 1.0), (0.0, 0.5), (1.0, 0.2), (1.0, 1.0))
        sheet.fill(crown, 26, 12.5, 11, 7, GOLD)
        _draw_suit(sheet, suit, 20, 17, 7, 8, ink)
        sheet.turn()
    sheet.line(((14.5, 44.0), (48.5, 44.0)), 0.5, BLUE)


def _draw_joker(sheet: _Sheet, card: Card, style: PrintStyle) -> None:
    big = card.rank is Rank.BIG_JOKER
    ink = ink_of(card)
    height, width = style.joker_letter_height, style.joker_letter_width
    for _ in range(2):
        top = style.top
        for letter in "JOKER":
            _draw_letters(sheet, letter, style.centre_x, top, width, height, style.joker_pen, ink)
            top += height + style.joker_gap
        sheet.turn()
    sheet.fill(star(), 14.5, 25, 34, 34, ink)
    if big:
        sheet.fill(star(), 21.5, 32, 20, 20, GOLD)
        sheet.fill(tuple((0.5 + x, 0.5 + y) for x, y in _circle()), 27, 37.5, 9, 9, RED)
    else:
        sheet.fill(star(), 19.5, 30, 24, 24, WHITE)
        sheet.fill(star(), 25, 35.5, 13, 13, BLACK)


def _circle() -> Path:
    return tuple((0.5 * float(np.cos(a)), 0.5 * float(np.sin(a))) for a in np.linspace(0, 2 * np.pi, 48))


def _draw_marker_card(marker_id: int, text: str, text_width: float, ink: Colour, px_per_mm: float) -> Face:
    sheet = _Sheet()
    for _ in range(2):
        _draw_letters(sheet, text, CARD_WIDTH_MM / 2, 4.5, text_width, 10.5, 1.9, ink)
        sheet.turn()
    side = round(CARD_MARKER_SIDE_MM * sheet.scale)
    left = round((CARD_WIDTH_MM - CARD_MARKER_SIDE_MM) / 2 * sheet.scale)
    top = round((CARD_HEIGHT_MM - CARD_MARKER_SIDE_MM) / 2 * sheet.scale)
    pattern = markers.draw_marker(marker_id, side).image
    sheet.image[top : top + side, left : left + side] = pattern[:, :, None]
    return sheet.face(px_per_mm)
