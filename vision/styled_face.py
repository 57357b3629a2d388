"""Whole card faces in any index style: pips, patterned court panels, jokers; rounded corners, two or four indices."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from engine.cards import Card, Rank, Suit
from vision.cardface import BLUE, CORNER_RADIUS_MM, EDGE, GOLD, PIP_ROWS, WHITE, Face
from vision.frames import Pixels
from vision.glyphs import Path, arc, star
from vision.index_patch import OVERSAMPLING, Index, check_density, index_of
from vision.index_style import IndexStyle, Ink
from vision.joker_index import jester
from vision.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.shape import Box, Nib, Shape

_MIDDLE: Final = CARD_WIDTH_MM / 2
_FABRIC: Final[tuple[Ink, ...]] = (BLUE, GOLD, (40, 40, 190), (60, 60, 60), (120, 190, 240), (90, 130, 40))
"""Colours of court robes."""


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """Where an index is printed: box of its ink in mm on the card, and whether it stands upright there."""

    box: Box
    upright: bool


@dataclass(frozen=True, slots=True, eq=False)
class StyledFace:
    """A drawn card and its indices: upper left, lower right, then upper right, lower left where there are four."""

    face: Face
    indices: tuple[IndexPlace, ...]


def draw_styled_card(card: Card, style: IndexStyle, px_per_mm: float = 4.0) -> StyledFace:
    """The face of `card` printed in `style`; the same pixels each time.

    Raises ValueError unless 0.5 <= px_per_mm <= 16, IndexTooLarge for a style that does not fit a card.
    """
    check_density(px_per_mm)
    index = index_of(card, style)
    ink = style.inks.of(card)
    sheet = _Sheet(px_per_mm)
    room = _room(index, style)
    if card.rank in PIP_ROWS:
        _draw_pips(sheet, card, style, room, ink)
    elif card.rank is Rank.ACE:
        assert card.suit is not None  # only jokers have none
        side = min(28.0, 2 * (_MIDDLE - room.left))
        sheet.fill(_suit(style, card.suit, _MIDDLE, CARD_HEIGHT_MM / 2, side * 0.9, side), ink)
    else:
        _draw_panel(sheet, card, style, room, ink)
    places = []
    for shape, upright in _printed(index, style.corners):
        sheet.fill(shape, ink)
        places.append(IndexPlace(shape.box, upright))
    return StyledFace(sheet.face(), tuple(places))


class _Sheet:
    """A card under the pen."""

    def __init__(self, px_per_mm: float) -> None:
        self._px_per_mm = px_per_mm
        paper, self._alpha = _blank(px_per_mm)
        self._image = paper.copy()

    def fill(self, shape: Shape, ink: Ink) -> None:
        shape.fill(self._image, self._px_per_mm * OVERSAMPLING, ink)

    def fill_twice(self, shape: Shape, ink: Ink) -> None:
        """Also upside down in the other half, as on every double-headed card."""
        self.fill(shape, ink)
        self.fill(shape.upside_down(CARD_WIDTH_MM, CARD_HEIGHT_MM), ink)

    def face(self) -> Face:
        size = self._alpha.shape[1], self._alpha.shape[0]
        small = cv2.resize(self._image, size, interpolation=cv2.INTER_AREA)
        return Face(np.dstack((np.asarray(small, dtype=np.uint8), self._alpha)), self._px_per_mm)


@lru_cache(maxsize=2)
def _blank(px_per_mm: float) -> tuple[Pixels, Pixels]:
    """An unprinted card, oversampled, and the coverage of its outline at the density asked for."""
    width, height = round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm)
    shape = height * OVERSAMPLING, width * OVERSAMPLING
    alpha = np.zeros(shape, dtype=np.uint8)
    _card_outline(0.0).fill(alpha, px_per_mm * OVERSAMPLING, (255,))
    paper = np.full((*shape, 3), EDGE, dtype=np.uint8)
    _card_outline(0.25).fill(paper, px_per_mm * OVERSAMPLING, WHITE)
    return paper, np.asarray(cv2.resize(alpha, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _card_outline(inset: float) -> Shape:
    radius = CORNER_RADIUS_MM - inset
    right, bottom = CARD_WIDTH_MM - CORNER_RADIUS_MM, CARD_HEIGHT_MM - CORNER_RADIUS_MM
    corners = ((right, CORNER_RADIUS_MM, -90), (right, bottom, 0), (CORNER_RADIUS_MM, bottom, 90),
               (CORNER_RADIUS_MM, CORNER_RADIUS_MM, 180))  # fmt: skip
    return Shape.of((tuple(p for x, y, start in corners for p in arc(x, y, radius, radius, start, start + 90)),))


def _printed(index: Index, corners: int) -> list[tuple[Shape, bool]]:
    left = index.whole
    printed = [(left, True), (left.upside_down(CARD_WIDTH_MM, CARD_HEIGHT_MM), False)]
    if corners == 4:
        right = left.moved(CARD_WIDTH_MM - index.box.right - index.box.left, 0.0)
        printed += [(right, True), (right.upside_down(CARD_WIDTH_MM, CARD_HEIGHT_MM), False)]
    return printed


def _room(index: Index, style: IndexStyle) -> Box:
    """The middle of the card, clear of the indices at its sides, or below them where they are wide."""
    left = index.box.right + 1.0
    top = 8.0
    if left > 0.62 * _MIDDLE:
        left, top = 0.5 * _MIDDLE, min(index.box.bottom + 1.5, 0.42 * CARD_HEIGHT_MM)
    elif style.corners == 4:
        left = max(left, 0.3 * _MIDDLE)
    return Box(left, top, CARD_WIDTH_MM - left, CARD_HEIGHT_MM - top)


def _suit(style: IndexStyle, suit: Suit, x: float, y: float, width: float, height: float) -> Shape:
    return style.suits.shape(suit, Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2))


def _draw_pips(sheet: _Sheet, card: Card, style: IndexStyle, room: Box, ink: Ink) -> None:
    assert card.suit is not None  # jokers have no pips
    width = min(9.5, 0.3 * room.width)
    height = min(width / max(style.suit_width, 0.8), 0.24 * room.height)
    for column, row in PIP_ROWS[card.rank]:
        x = _MIDDLE + column * (room.width - width) / 2
        y = room.top + height / 2 + row * (room.height - height) / 6
        pip = _suit(style, card.suit, x, y, width, height)
        if row > 3:
            pip = pip.upside_down(2 * x, 2 * y)
        sheet.fill(pip, ink)


def _rectangle(left: float, top: float, right: float, bottom: float) -> Path:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _draw_panel(sheet: _Sheet, card: Card, style: IndexStyle, room: Box, ink: Ink) -> None:
    """Busy art in a frame, that must not be taken for indices: robes, bands, rings, strokes like letters."""
    chance = random.Random(f"{style.name} {card}")
    half = Box(room.left, room.top, room.right, CARD_HEIGHT_MM / 2)
    if card.rank.is_joker:
        _draw_joker_art(sheet, card, half, ink)
        return
    sheet.fill_twice(Shape.of((_rectangle(half.left, half.top, half.right, half.bottom),)), (225, 240, 248))
    for _ in range(6):
        _draw_fabric(sheet, chance, half)
    for _ in range(4):
        _draw_scribble(sheet, chance, half, chance.choice((ink, (30, 30, 30), BLUE)))
    _draw_head(sheet, card.rank, half)
    assert card.suit is not None  # jokers are drawn above
    small = min(7.0, half.width / 4)
    sheet.fill_twice(_suit(style, card.suit, half.left + small * 0.7, half.top + small * 0.8, small * 0.9, small), ink)
    frame = Nib(0.5, 0.5).drawn_along(
        [(*_rectangle(room.left, room.top, room.right, room.bottom), (room.left, room.top))]
    )
    sheet.fill(frame, BLUE)


def _draw_head(sheet: _Sheet, rank: Rank, half: Box) -> None:
    """A face under a crown, a coronet or a cap."""
    head = min(6.0, half.width / 5)
    middle = half.top + head + 5
    sheet.fill_twice(Shape.of((arc(_MIDDLE, middle, head, head * 1.15, 0, 360),)), (175, 205, 240))
    if rank in {Rank.KING, Rank.QUEEN}:
        teeth = 3 if rank is Rank.KING else 5
        points = [
            (_MIDDLE + head * (2 * i / (2 * teeth) - 1), middle - head * (1.9 if i % 2 else 0.9))
            for i in range(2 * teeth + 1)
        ]
        sheet.fill_twice(Shape.of((tuple(points),)), GOLD)
    else:
        sheet.fill_twice(Shape.of((arc(_MIDDLE, middle - head, head * 1.3, head * 0.5, 0, 360),)), (60, 60, 60))


def _draw_fabric(sheet: _Sheet, chance: random.Random, half: Box) -> None:
    """A patch of stripes, rings or lozenges within the half."""
    width, height = chance.uniform(0.3, 0.7) * half.width, chance.uniform(0.25, 0.6) * half.height
    left = chance.uniform(half.left, half.right - width)
    top = chance.uniform(half.top, half.bottom - height)
    ground, thread = chance.sample(_FABRIC, 2)
    sheet.fill_twice(Shape.of((_rectangle(left, top, left + width, top + height),)), ground)
    kind, count = chance.randrange(3), chance.randint(3, 6)
    woven: list[Path] = []
    holes: list[Path] = []
    middle = top + height / 2
    for i in range(count):
        x, y = left + width * (i + 0.5) / count, top + height * (i + 0.5) / count
        if kind == 0:
            band = height / count / 4
            woven.append(_rectangle(left, y - band, left + width, y + band))
        elif kind == 1:
            radius = min(width, height) / count / 2
            woven.append(arc(x, middle, radius, radius, 0, 360))
            holes.append(arc(x, middle, max(0.1, radius - 0.5), max(0.1, radius - 0.5), 0, 360))
        else:
            step = width / count / 2
            woven.append(((x, top), (x + step, middle), (x, top + height), (x - step, middle)))
    sheet.fill_twice(Shape.of(woven), thread)
    if holes:
        sheet.fill_twice(Shape.of(holes), ground)


def _draw_scribble(sheet: _Sheet, chance: random.Random, half: Box, ink: Ink) -> None:
    """A few connected strokes of an index's size and weight."""
    side = min(6.0, half.width / 4)
    left, top = chance.uniform(half.left, half.right - side), chance.uniform(half.top, half.bottom - side)
    points = tuple((left + side * chance.random(), top + side * chance.random()) for _ in range(4))
    bow = arc(left + side / 2, top + side / 2, side / 2, side / 3, chance.uniform(0, 180), chance.uniform(200, 360))
    pen = chance.uniform(0.5, 1.2)
    sheet.fill_twice(Nib(pen, pen).drawn_along([points, bow]), ink)


def _draw_joker_art(sheet: _Sheet, card: Card, half: Box, ink: Ink) -> None:
    """A jester over a star; in colours for the big joker, in greys for the small one."""
    colours = (GOLD, (40, 40, 190)) if card.rank is Rank.BIG_JOKER else ((200, 200, 200), (110, 110, 110))
    side = min(30.0, half.width, 2 * (half.bottom - half.top))
    middle = CARD_HEIGHT_MM / 2
    outer = Shape.of((star(8, 0.6),)).fitted(
        Box(_MIDDLE - side / 2, middle - side / 2, _MIDDLE + side / 2, middle + side / 2)
    )
    sheet.fill(outer, colours[0])
    inner = Shape.of((star(8, 0.6),)).fitted(
        Box(_MIDDLE - side / 3, middle - side / 3, _MIDDLE + side / 3, middle + side / 3)
    )
    sheet.fill(inner, colours[1])
    figure = jester(side * 0.6)
    box = figure.box
    sheet.fill(figure.moved(_MIDDLE - (box.left + box.right) / 2, middle - (box.top + box.bottom) / 2), ink)
    turns = [math.radians(angle) for angle in range(0, 360, 30)]
    ring = [(_MIDDLE + 0.55 * side * math.cos(turn), middle + 0.55 * side * math.sin(turn)) for turn in turns]
    sheet.fill(Shape.of([arc(x, y, 0.8, 0.8, 0, 360) for x, y in ring]), colours[1])
