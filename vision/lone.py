"""Reading one card that lies apart: both of its indices, in either direction, in the print of several decks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.cards import Card
from vision.cardface import DEFAULT_STYLE, PrintStyle
from vision.frames import Pixels
from vision.outline import Outline
from vision.paper import Contour, lift
from vision.read import Index, read_sheet
from vision.templates import DENSITY, index_templates

NARROW_STYLE: Final = PrintStyle(
    "narrow", rank_height=7.6, rank_width=4.7, ten_width=6.0, pen=1.0, suit_height=5.6, suit_width=5.2, gap=1.0,
    centre_x=5.4, top=4.0,
)  # fmt: skip
"""Western decks of standard index: smaller and thinner than the default deck's."""
STYLES: Final = (DEFAULT_STYLE, NARROW_STYLE)
CORNER_MM: Final = (24.0, 42.0)
"""Width and height of the corner that is looked at."""
PLACE_MM: Final = 4.0
"""How far an index may lie from where its style prints it."""
LONE_SHARE: Final = 0.6
"""Worth of a single index whose fellow could not be read at all."""


CERTAIN: Final = 0.9
"""No other print or direction is tried after this."""


@dataclass(frozen=True, slots=True)
class LoneCard:
    """The best name for an outline. sure: 0..1, low when the indices disagree or only one was read."""

    card: Card
    sure: float
    fit: float


def read_lone(image: Pixels, outline: Outline) -> LoneCard | None:
    """The card inside an outline; None if neither corner holds anything like an index."""
    best: LoneCard | None = None
    corners = outline.upper_left_corners()
    for first, second in zip(corners[::2], corners[1::2], strict=True):
        for style in STYLES:
            one = _index(outline.flatten(image, first, DENSITY), style)
            other = _index(outline.flatten(image, second, DENSITY), style)
            read = _join(one, other)
            if read is not None and (best is None or (read.sure, read.fit) > (best.sure, best.fit)):
                best = read
            if best is not None and best.sure > CERTAIN:
                return best
    return best


def _index(flat: Pixels, style: PrintStyle) -> Index | None:
    """The index in the upper left corner of a flattened card."""
    w, h = round(CORNER_MM[0] * DENSITY), round(CORNER_MM[1] * DENSITY)
    corner = np.ascontiguousarray(flat[:h, :w])
    contour: Contour = np.array([[[0, 0]], [[w - 1, 0]], [[w - 1, h - 1]], [[0, h - 1]]], np.int32)
    sheet = lift(corner, contour, 0.0, 1.0, DENSITY)
    left, top, _, _ = sheet.bounds_mm
    near = [
        index
        for index in read_sheet(sheet, index_templates(style))
        if abs(index.left_mm - left) < PLACE_MM and abs(index.top_mm - top) < PLACE_MM
    ]
    return max(near, key=lambda index: index.fit, default=None)


def _named(*indices: Index | None) -> Iterator[LoneCard]:
    for index in indices:
        if index is not None and index.reading.card is not None:
            yield LoneCard(index.reading.card, index.reading.sure, index.fit)


def _join(one: Index | None, other: Index | None) -> LoneCard | None:
    """Two indices of one card: agreement makes sure, contradiction makes unsure."""
    read = sorted(_named(one, other), key=lambda card: -card.sure)
    if not read:
        return None
    if len(read) == 1:
        return LoneCard(read[0].card, LONE_SHARE * read[0].sure, read[0].fit)
    better, worse = read
    fit = (better.fit + worse.fit) / 2
    if better.card == worse.card:
        return LoneCard(better.card, better.sure + (1 - better.sure) * worse.sure, fit)
    return LoneCard(better.card, max(0.0, 0.5 * better.sure - worse.sure), fit)
