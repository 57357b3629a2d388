"""Reading a play: which cards lie in a zone, left to right, and how sure that is.

Every card is read by its index alone, so overlap does not matter. Nothing is guessed: shape, colour, the margin to
the runner-up and the geometry of the white outline must agree, else the reading says it is not sure and why.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import CARDS, Card, Suit
from vision.calibration import ZonePicture
from vision.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.observations import CardReading
from vision.paper import Sheet, find_sheets
from vision.templates import DENSITY, Fit, IndexTemplates

SURE: Final = 0.8
"""A card with less is not reported as read. Set on rendered plays: see docs/camera.md, figures."""
PITCH_MM: Final = (12.0, 31.0)
"""Between left edges of neighbours in one heap. Above, an index may be hidden in between; below, it is covered."""
EDGE_MM: Final = 5.0
"""How far outline and indices may disagree: cards turned by 3 degrees against each other reach this."""
HEIGHT_MM: Final = (84.0, 106.0)
AREA_SHARE: Final = 0.06
_INK: Final = 0.5


class Trouble(StrEnum):
    """Why a reading is not sure."""

    FOREIGN = "foreign"
    """White things that hold no index: cards face down, paper, a white sleeve."""
    RIM = "rim"
    """Runs out of the zone."""
    OUTLINE = "outline"
    """The outline's size does not match the indices found."""
    SPACING = "spacing"
    """Indices too close or too far apart."""
    DOUBT = "doubt"
    """An index that fits two cards, or none well."""


@dataclass(frozen=True, slots=True)
class PlayReading:
    """What lies in a play zone. Empty when there is neither card nor trouble."""

    cards: tuple[CardReading, ...]
    trouble: Trouble | None

    @property
    def is_empty(self) -> bool:
        return not self.cards and self.trouble is None

    @property
    def is_sure(self) -> bool:
        """Whether it may be reported as laid."""
        return bool(self.cards) and self.trouble is None

    @property
    def faces(self) -> tuple[Card | None, ...]:
        return tuple(reading.card for reading in self.cards)


def read_play(picture: ZonePicture, templates: IndexTemplates, min_white: float = 0.0) -> PlayReading:
    """The cards in a rectified zone (templates.DENSITY pixels per millimetre). min_white as in paper.find_sheets.

    Raises ValueError for another density.
    """
    if picture.px_per_mm != DENSITY:
        raise ValueError(f"a zone is read at {DENSITY} px/mm, not {picture.px_per_mm}")
    cards: list[CardReading] = []
    trouble: Trouble | None = None
    for sheet in find_sheets(picture, min_white):
        found = read_sheet(sheet, templates)
        trouble = trouble or check_sheet(sheet, found)
        cards.extend(_in_zone(picture, sheet, index) for index in found)
    return PlayReading(tuple(sorted(cards, key=lambda card: card.x_mm)), trouble)


@dataclass(frozen=True, slots=True)
class Index:
    """An index found on a sheet. left_mm, top_mm: corner of its card on the sheet; fit: 0..1 likeness to any index."""

    reading: CardReading
    left_mm: float
    top_mm: float
    fit: float


def read_sheet(sheet: Sheet, templates: IndexTemplates) -> tuple[Index, ...]:
    """Indices along the upper edge of a white region, left to right."""
    found: list[Index] = []
    for x, top in _anchors(sheet, templates):
        index = _read_index(sheet, templates, x, top)
        if index is None:
            continue
        if found and index.left_mm - found[-1].left_mm < PITCH_MM[0] / 2:  # two anchors in one index
            if index.fit > found[-1].fit:
                found[-1] = index
        else:
            found.append(index)
    return tuple(found)


def _anchors(sheet: Sheet, templates: IndexTemplates) -> list[tuple[float, float]]:
    """Middle and top (pixels) of ink that begins where an index begins below the upper edge, left to right."""
    s = sheet.px_per_mm
    inner = cv2.erode(sheet.mask, np.ones((3, 3), np.uint8))
    ink = ((sheet.darkness > _INK) & (inner > 0)).astype(np.uint8)
    first = np.argmax(sheet.mask > 0, axis=0)  # row of the upper edge in each column
    band = int(first[sheet.mask.any(axis=0)].max() + 40 * s) if sheet.mask.any() else 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink[:band], connectivity=8)
    boxes: list[tuple[int, int, int, int]] = []
    for x, y, w, h, _ in sorted(stats[1:].tolist()):
        below = (y - float(first[min(x + w // 2, len(first) - 1)])) / s
        style = templates.style
        if not (style.top - 2.4 <= below <= style.top + 6 and 0.8 * s <= w <= 10 * s and 4 * s <= h <= 22 * s):
            continue
        if boxes:
            px, py, pw, ph = boxes[-1]
            if x - (px + pw) < 2.2 * s and abs(y - py) < 1.5 * s and min(h, ph) > 8 * s and x + w - px < 9.5 * s:
                boxes[-1] = (px, min(y, py), x + w - px, max(h, ph))  # the two letters of a ten
                continue
        boxes.append((x, y, w, h))
    return [(x + w / 2, float(y)) for x, y, w, h in boxes]


def _read_index(sheet: Sheet, templates: IndexTemplates, x: float, top: float) -> Index | None:
    """The index whose ink starts at (x, top), None if nothing there is like one."""
    rank = templates.rank.fit(sheet.darkness, x, top)
    suit = templates.suit.fit(sheet.darkness, x, top)
    joker = templates.joker.fit(sheet.darkness, x, top)
    if rank is None or suit is None:
        return None
    plain = min(rank.score, suit.score)
    if max(plain, joker.score if joker else -1) < 0.7:
        return None
    if joker is not None and joker.score > plain:
        at = templates.joker.place(joker.shift, x, top)
        redness = _redness(sheet, at, 6.0, 24.0)
        reading = _joker(joker, plain, redness)
    else:
        at = templates.rank.place(rank.shift, x, top)
        redness = _redness(sheet, at, 9.0, 20.0)
        reading = _card(templates, rank, suit, joker.score if joker else -1, redness)
    style = templates.style
    left, upper = at[0] / sheet.px_per_mm - style.centre_x, at[1] / sheet.px_per_mm - style.top
    return Index(reading, left, upper, max(plain, joker.score if joker else -1))


def _card(templates: IndexTemplates, rank: Fit, suit: Fit, joker: float, redness: float | None) -> CardReading:
    red = redness is not None and redness > _RED_MIDDLE
    contrast = templates.red if red else templates.black
    value = contrast.value(suit.patch)
    better, worse = (contrast.first, contrast.second) if value > 0 else (contrast.second, contrast.first)
    of_colour = {int(Suit.HEART), int(Suit.DIAMOND)} if red else {int(Suit.SPADE), int(Suit.CLUB)}
    lost = float(suit.scores.max() - max(suit.scores[label] for label in of_colour))
    sure = min(
        _ramp(rank.margin, 0.01, 0.05) * _ramp(rank.score, 0.82, 0.94),
        _ramp(abs(value), 0.0, 0.45) * _ramp(suit.score, 0.82, 0.94),
        _colour_sure(redness),
        _ramp(0.08 - lost, 0.0, 0.05),
        _ramp(min(rank.score, suit.score) - joker, 0.02, 0.1),
    )
    ranks = [rank.labels[i] for i in np.argsort(-rank.scores)[:2]]
    best = CARDS[ranks[0] * 4 + better]
    other_suit, other_rank = CARDS[ranks[0] * 4 + worse], CARDS[ranks[1] * 4 + better]
    rest = ((other_suit, max(0.0, 0.5 - abs(value) / 2)), (other_rank, max(0.0, 0.5 - rank.margin * 4)))
    ordered = sorted(rest, key=lambda item: -item[1])
    return CardReading(best, sure, ((best, sure), *ordered), 0.0)


def _joker(joker: Fit, plain: float, redness: float | None) -> CardReading:
    big = redness is not None and redness > _RED_MIDDLE
    best, other = (CARDS[53], CARDS[52]) if big else (CARDS[52], CARDS[53])
    sure = min(_ramp(joker.score, 0.78, 0.92), _ramp(joker.score - plain, 0.05, 0.2), _colour_sure(redness))
    return CardReading(best, sure, ((best, sure), (other, max(0.0, 0.5 - sure / 2))), 0.0)


_RED_MIDDLE: Final = 0.35
"""Redness of print: black 0, red ink 0.6 to 1 in warm and cold light, less where the chroma of a JPEG is coarse."""


def _colour_sure(redness: float | None) -> float:
    return 0.0 if redness is None else _ramp(abs(redness - _RED_MIDDLE), 0.05, 0.16)


def _redness(sheet: Sheet, at: tuple[float, float], width: float, height: float) -> float | None:
    """How much darker green is than red in the ink around an index, relative to the paper beside it; None without ink.

    The slope of (red - green) over (1 - green), both as shares of local paper white, is the same for a blurred and a
    sharp stroke, since blur only mixes ink with paper.
    """
    s = sheet.px_per_mm
    x0, x1 = round(at[0] - width / 2 * s), round(at[0] + width / 2 * s)
    y0, y1 = round(at[1] - s), round(at[1] + (height - 1) * s)
    area = sheet.image[max(y0, 0) : y1, max(x0, 0) : x1].astype(np.float32)
    dark = sheet.darkness[max(y0, 0) : y1, max(x0, 0) : x1]
    ink, paper = dark > 0.4, dark < 0.1
    if np.count_nonzero(ink) < 40 or np.count_nonzero(paper) < 40:
        return None
    share = area / np.maximum(np.median(area[paper], axis=0), 1.0)
    green, red = share[ink][:, 1], share[ink][:, 2]
    depth = 1 - green
    return float((depth * (red - green)).sum() / max(float((depth * depth).sum()), 1e-3))


def check_sheet(sheet: Sheet, found: tuple[Index, ...]) -> Trouble | None:
    """Whether the outline and the indices tell the same story."""
    if sheet.touches_rim:
        return Trouble.RIM
    if not found:
        return Trouble.FOREIGN
    left, _, width, height = sheet.bounds_mm
    steps = np.diff([index.left_mm for index in found])
    if len(steps) and (steps.min() < PITCH_MM[0] or steps.max() > PITCH_MM[1]):
        return Trouble.SPACING
    right = found[-1].left_mm + CARD_WIDTH_MM
    if abs(found[0].left_mm - left) > EDGE_MM or abs(right - left - width) > EDGE_MM:
        return Trouble.OUTLINE
    expected = (CARD_WIDTH_MM + float(steps.sum())) * CARD_HEIGHT_MM
    if not HEIGHT_MM[0] <= height <= HEIGHT_MM[1] or abs(sheet.area_mm2 / expected - 1) > AREA_SHARE:
        return Trouble.OUTLINE
    if any(index.reading.sure < SURE for index in found):
        return Trouble.DOUBT
    return None


def _in_zone(picture: ZonePicture, sheet: Sheet, index: Index) -> CardReading:
    """The reading with its card's left edge in the seat view instead of on the sheet."""
    corner = np.array([index.left_mm * sheet.px_per_mm, index.top_mm * sheet.px_per_mm, 1.0])
    x: npt.NDArray[np.float64] = sheet.to_zone @ corner
    reading = index.reading
    return CardReading(
        reading.card, reading.sure, reading.candidates, round(picture.zone.left + float(x[0]) / picture.px_per_mm, 1)
    )


def _ramp(value: float, low: float, high: float) -> float:
    """0 at `low` and below, 1 at `high` and above."""
    return float(min(1.0, max(0.0, (value - low) / (high - low))))
