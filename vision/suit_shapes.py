"""Spades, hearts, clubs and diamonds in the forms that printers use, as polygons in a unit box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.cards import Suit
from vision.glyphs import Path, arc
from vision.shape import Box, Shape, bezier

_UNIT: Final = Box(0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class SuitShapes:
    """One set of four suits, each filling the unit box; `narrow` is the width of a diamond beside the others'."""

    name: str
    spade: Shape
    heart: Shape
    club: Shape
    diamond: Shape
    narrow: float = 0.86

    def shape(self, suit: Suit, box: Box) -> Shape:
        """The suit filling the height of `box`, in the middle of its width."""
        width = box.width * (self.narrow if suit is Suit.DIAMOND else 1.0)
        middle = (box.left + box.right) / 2
        return self._of(suit).fitted(Box(middle - width / 2, box.top, middle + width / 2, box.bottom))

    def _of(self, suit: Suit) -> Shape:
        match suit:
            case Suit.SPADE:
                return self.spade
            case Suit.HEART:
                return self.heart
            case Suit.CLUB:
                return self.club
            case Suit.DIAMOND:
                return self.diamond


def mirrored(right: Path) -> Path:
    """A closed outline from its right half, which runs from top to bottom on the middle line x = 0.5."""
    return (*right, *((1 - x, y) for x, y in reversed(right[1:-1])))


def unit(*paths: Path) -> Shape:
    """The paths as one shape that fills the unit box."""
    return Shape.of(paths).fitted(_UNIT)


def _disc(x: float, y: float, radius: float) -> Path:
    return arc(x, y, radius, radius, 0, 360)


def _flared_stem(top: float, neck: float, foot: float) -> Path:
    return mirrored(
        bezier((0.5, top), (0.5 + neck, top, 0.5 + neck, 0.9, 0.5 + foot, 1.0), (0.5, 1.0, 0.5, 1.0, 0.5, 1.0))
    )


def _wedge_stem(top: float, foot: float) -> Path:
    return ((0.5, top), (0.5 + foot, 1.0), (0.5 - foot, 1.0))


_ROUND_HEART: Final = mirrored(
    bezier(
        (0.5, 0.24),
        (0.54, 0.06, 0.68, 0.0, 0.77, 0.0),
        (0.92, 0.0, 1.0, 0.12, 1.0, 0.28),
        (1.0, 0.56, 0.62, 0.72, 0.5, 1.0),
    )
)
_STRAIGHT_HEART: Final = mirrored(
    bezier(
        (0.5, 0.16),
        (0.58, 0.02, 0.68, 0.0, 0.76, 0.0),
        (0.9, 0.0, 1.0, 0.12, 1.0, 0.27),
        (1.0, 0.42, 0.9, 0.5, 0.5, 1.0),
    )
)
_DEEP_HEART: Final = mirrored(
    bezier(
        (0.5, 0.32), (0.52, 0.1, 0.62, 0.0, 0.76, 0.0), (0.9, 0.0, 1.0, 0.1, 1.0, 0.3), (1.0, 0.62, 0.7, 0.78, 0.5, 1.0)
    )
)
_ROUND_SPADE: Final = mirrored(
    bezier(
        (0.5, 0.0),
        (0.6, 0.24, 1.0, 0.36, 1.0, 0.62),
        (1.0, 0.76, 0.9, 0.84, 0.78, 0.84),
        (0.66, 0.84, 0.56, 0.78, 0.5, 0.66),
    )
)
_STRAIGHT_SPADE: Final = mirrored(
    bezier(
        (0.5, 0.0), (0.8, 0.3, 1.0, 0.42, 1.0, 0.6), (1.0, 0.74, 0.9, 0.8, 0.8, 0.8), (0.68, 0.8, 0.58, 0.74, 0.5, 0.64)
    )
)
_TALL_SPADE: Final = mirrored(
    bezier(
        (0.5, 0.0),
        (0.52, 0.2, 1.0, 0.4, 1.0, 0.66),
        (1.0, 0.8, 0.88, 0.86, 0.76, 0.84),
        (0.64, 0.82, 0.56, 0.76, 0.5, 0.62),
    )
)


def _diamond(pull: float) -> Shape:
    """Sides bent inwards by `pull`, outwards if it is negative."""
    corners = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))
    points: list[tuple[float, float]] = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        mx, my = (ax + bx) / 2, (ay + by) / 2
        hx, hy = mx + (0.5 - mx) * pull, my + (0.5 - my) * pull
        points.extend(bezier((ax, ay), (hx, hy, hx, hy, bx, by))[:-1])
    return unit(tuple(points))


ROUND: Final = SuitShapes(
    "round",
    unit(_ROUND_SPADE, _flared_stem(0.6, 0.04, 0.24)),
    unit(_ROUND_HEART),
    unit(
        _disc(0.5, 0.24, 0.24),
        _disc(0.24, 0.58, 0.24),
        _disc(0.76, 0.58, 0.24),
        _disc(0.5, 0.5, 0.12),
        _flared_stem(0.45, 0.04, 0.24),
    ),
    _diamond(0.18),
)
"""Full curves, a flared foot, hollow diamond: the standard English pattern."""

STRAIGHT: Final = SuitShapes(
    "straight",
    unit(_STRAIGHT_SPADE, _wedge_stem(0.5, 0.2)),
    unit(_STRAIGHT_HEART),
    unit(
        _disc(0.5, 0.25, 0.25),
        _disc(0.23, 0.62, 0.23),
        _disc(0.77, 0.62, 0.23),
        ((0.4, 0.4), (0.6, 0.4), (0.64, 0.7), (0.36, 0.7)),
        _wedge_stem(0.45, 0.2),
    ),
    _diamond(0.0),
    0.78,
)
"""Plain geometry with a wedge for a foot: large-print and Chinese packs."""

SPREAD: Final = SuitShapes(
    "spread",
    unit(_TALL_SPADE, _flared_stem(0.6, 0.02, 0.3)),
    unit(_DEEP_HEART),
    unit(
        _disc(0.5, 0.2, 0.2),
        _disc(0.2, 0.6, 0.2),
        _disc(0.8, 0.6, 0.2),
        ((0.46, 0.3), (0.54, 0.3), (0.56, 0.55), (0.8, 0.57), (0.8, 0.63), (0.2, 0.63), (0.2, 0.57), (0.44, 0.55)),
        _flared_stem(0.5, 0.03, 0.28),
    ),
    _diamond(0.3),
    0.9,
)
"""Small lobes far apart, deep notches, a sharp diamond: older European packs."""

PLUMP: Final = SuitShapes(
    "plump",
    unit(_ROUND_SPADE, _wedge_stem(0.55, 0.26)),
    unit(_DEEP_HEART),
    unit(
        _disc(0.5, 0.25, 0.25),
        _disc(0.25, 0.62, 0.25),
        _disc(0.75, 0.62, 0.25),
        _disc(0.5, 0.52, 0.13),
        _wedge_stem(0.5, 0.26),
    ),
    _diamond(-0.14),
    0.92,
)
"""Heavy lobes and bulging diamonds: cheap and jumbo packs."""
