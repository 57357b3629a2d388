"""One index as ink: its shape on the card in millimetres, and a picture of the corner that it stands in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from engine.cards import Card, Rank
from vision.cardface import WHITE, rank_letters
from vision.frames import Pixels
from vision.index_style import IndexStyle, Ink
from vision.joker_index import joker_index
from vision.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.shape import Box, Shape

OVERSAMPLING: Final = 3
"""Pixels drawn for each pixel given, a side; keeps thin strokes of small indices even."""
_LARGEST_PX_PER_MM: Final = 16.0
_ONE_OF_TEN: Final = 0.29
"""Width of the 1 in a ten, as share of the whole; a tenth is left between the two."""


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """The index in the upper left corner of a card, millimetres from the card's corner. A joker's has no suit."""

    rank: Shape
    suit: Shape | None

    @property
    def whole(self) -> Shape:
        return self.rank if self.suit is None else self.rank.joined(self.suit)

    @property
    def box(self) -> Box:
        """The exact box of the ink."""
        return self.whole.box


@dataclass(frozen=True, slots=True, eq=False)
class IndexPatch:
    """A picture of one index on white paper.

    image: (H, W, 3) uint8, BGR. coverage: (H, W) uint8, 255 where ink covers the whole pixel, to lay the index on other
    paper. box: of the ink, mm from the picture's upper left corner, which is the card's (x * px_per_mm is in pixels).
    """

    image: Pixels
    coverage: Pixels
    box: Box
    px_per_mm: float

    def __post_init__(self) -> None:
        if self.image.shape != (*self.coverage.shape, 3) or self.image.dtype != np.uint8:
            raise ValueError(f"an index picture is (H, W, 3) uint8, not {self.image.dtype} {self.image.shape}")
        self.image.flags.writeable = False
        self.coverage.flags.writeable = False


class IndexTooLarge(ValueError):
    """An index that leaves its corner of the card."""

    def __init__(self, card: Card, style: IndexStyle, box: Box) -> None:
        super().__init__(
            f"index style {style.name!r} prints {card} over {box.right:.1f} x {box.bottom:.1f} mm of the card; keep "
            f"it within {CARD_WIDTH_MM / 2:.1f} x {CARD_HEIGHT_MM / 2:.1f}: smaller ranks, suits or margins"
        )


@lru_cache(maxsize=4096)
def index_of(card: Card, style: IndexStyle) -> Index:
    """The index of `card` in the upper left corner. Raises IndexTooLarge if it leaves that quarter of the card."""
    index = Index(joker_index(card, style), None) if card.rank.is_joker else _rank_and_suit(card, style)
    box = index.box
    if box.right > CARD_WIDTH_MM / 2 or box.bottom > CARD_HEIGHT_MM / 2:
        raise IndexTooLarge(card, style, box)
    return index


def draw_index(card: Card, style: IndexStyle, px_per_mm: float = 4.0) -> IndexPatch:
    """The corner of the card down to 1 mm beyond the index. Raises ValueError unless 0.5 <= px_per_mm <= 16."""
    check_density(px_per_mm)
    index = index_of(card, style)
    size = math.ceil((index.box.right + 1) * px_per_mm), math.ceil((index.box.bottom + 1) * px_per_mm)
    drawn = np.zeros((size[1] * OVERSAMPLING, size[0] * OVERSAMPLING), dtype=np.uint8)
    index.whole.fill(drawn, px_per_mm * OVERSAMPLING, (255,))
    coverage = np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return IndexPatch(_inked(coverage, style.inks.of(card)), coverage, index.box, px_per_mm)


def check_density(px_per_mm: float) -> None:
    """Raises ValueError for a density at which no index is drawn."""
    if not 0.5 <= px_per_mm <= _LARGEST_PX_PER_MM:
        raise ValueError(f"cannot draw an index at {px_per_mm} px/mm; use 0.5 to {_LARGEST_PX_PER_MM:g}")


def _inked(coverage: Pixels, ink: Ink) -> Pixels:
    share = coverage[:, :, None].astype(np.float32) / 255
    paper = np.asarray(WHITE, dtype=np.float32)
    return np.rint(paper + (np.asarray(ink, dtype=np.float32) - paper) * share).astype(np.uint8)


def _rank_and_suit(card: Card, style: IndexStyle) -> Index:
    assert card.suit is not None  # jokers are drawn elsewhere
    rank = _rank(card.rank, style)
    suit_width = style.suit_height * style.suit_width
    column = _column(style, suit_width)
    middle = style.margin_x + column / 2
    rank = rank.moved(middle - (rank.box.left + rank.box.right) / 2, style.margin_y)
    if style.suit_beside:
        left = style.margin_x + column + style.gap
        # feet on one line, as letters stand
        bottom = style.margin_y + style.rank_height
        box = Box(left, bottom - style.suit_height, left + suit_width, bottom)
    else:
        top = style.margin_y + style.rank_height + style.gap
        box = Box(middle - suit_width / 2, top, middle + suit_width / 2, top + style.suit_height)
    return Index(rank, style.suits.shape(card.suit, box))


def _column(style: IndexStyle, suit_width: float) -> float:
    """Width of the column that every index of the style is centred in: its widest rank's or suit's."""
    widest = max(_rank(rank, style).box.width for rank in (Rank.TEN, Rank.QUEEN, Rank.KING, Rank.ACE))
    return widest if style.suit_beside else max(widest, suit_width)


@lru_cache(maxsize=1024)
def _rank(rank: Rank, style: IndexStyle) -> Shape:
    """The letters of a rank, upper edge at y = 0."""
    height = style.rank_height
    if rank is Rank.TEN:
        width = style.rank_width * style.ten_width
        one, nought = width * _ONE_OF_TEN, width * (0.9 - _ONE_OF_TEN)
        pen = style.pen(height, nought)
        shape = pen.write(style.letters.letter("1", "1" in style.alternates), Box(0.0, 0.0, one, height)).joined(
            pen.write(style.letters.letter("0", False), Box(width - nought, 0.0, width, height))
        )
    else:
        character = rank_letters(rank)
        letter = style.letters.letter(character, character in style.alternates)
        shape = style.pen(height, style.rank_width).write(
            letter, Box(0.0, 0.0, style.rank_width * letter.width, height)
        )
    return shape.slanted(style.slant)
