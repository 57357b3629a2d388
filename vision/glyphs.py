"""Rank letters and suit shapes as plain geometry, so that faces need no font file and look alike everywhere.

A glyph is strokes (centre lines, drawn with a round pen) in a unit box, x right, y down. A suit is closed polygons in
the same kind of box.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.cards import Suit

Path = tuple[tuple[float, float], ...]


def arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> Path:
    """Points of an ellipse from `start` to `end` degrees; 0 is right, 90 is down, either direction."""
    steps = max(6, round(abs(end - start) / 6))
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return tuple((cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles)


def _turned(path: Path) -> Path:
    return tuple((1 - x, 1 - y) for x, y in path)


_SIX: Final[tuple[Path, ...]] = (
    arc(0.5, 0.69, 0.5, 0.31, 0, 360),
    (*arc(0.92, 0.66, 0.92, 0.66, 180, 262),),
)

STROKES: Final[dict[str, tuple[Path, ...]]] = {
    "2": ((*arc(0.5, 0.28, 0.5, 0.28, 190, 390), (0.0, 1.0), (1.0, 1.0)),),
    "3": ((*arc(0.47, 0.25, 0.47, 0.25, 195, 450),), (*arc(0.47, 0.73, 0.53, 0.27, 270, 515),)),
    "4": (((0.74, 1.0), (0.74, 0.0), (0.0, 0.7), (1.0, 0.7)),),
    "5": (((0.93, 0.0), (0.15, 0.0), (0.08, 0.46), *arc(0.46, 0.69, 0.54, 0.31, 225, 515)),),
    "6": _SIX,
    "7": (((0.0, 0.0), (1.0, 0.0), (0.36, 1.0)),),
    "8": (arc(0.5, 0.24, 0.43, 0.24, 0, 360), arc(0.5, 0.74, 0.5, 0.26, 0, 360)),
    "9": tuple(_turned(path) for path in _SIX),
    "0": (arc(0.5, 0.5, 0.5, 0.5, 0, 360),),
    "1": (((0.1, 0.2), (0.6, 0.0), (0.6, 1.0)),),
    "J": (((0.3, 0.0), (0.95, 0.0)), ((0.72, 0.0), *arc(0.36, 0.72, 0.36, 0.28, 0, 170))),
    "Q": (arc(0.5, 0.47, 0.5, 0.47, 0, 360), ((0.55, 0.68), (1.0, 1.0))),
    "K": (((0.0, 0.0), (0.0, 1.0)), ((0.98, 0.0), (0.0, 0.62)), ((0.32, 0.42), (1.0, 1.0))),
    "A": (((0.0, 1.0), (0.5, 0.0), (1.0, 1.0)), ((0.18, 0.68), (0.82, 0.68))),
    "O": (arc(0.5, 0.5, 0.5, 0.5, 0, 360),),
    "E": (((1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (1.0, 1.0)), ((0.0, 0.48), (0.8, 0.48))),
    "R": (((0.0, 1.0), (0.0, 0.0), *arc(0.55, 0.27, 0.45, 0.27, 270, 450), (0.0, 0.54)), ((0.5, 0.54), (1.0, 1.0))),
    "P": (((0.0, 1.0), (0.0, 0.0), *arc(0.55, 0.28, 0.45, 0.28, 270, 450), (0.0, 0.56)),),
    "S": ((*arc(0.5, 0.25, 0.5, 0.25, 330, 90), *arc(0.5, 0.75, 0.5, 0.25, -90, 150)),),
}
"""Centre lines by letter. A ten is written with `1` and `0` side by side."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A centre line in millimetres."""

    points: Path


def word(text: str, width: float, height: float, gap: float) -> tuple[Stroke, ...]:
    """Centre lines of letters set side by side in a box of `width` x `height` with `gap` between neighbours (mm).

    A `1` takes 0.55 of the width of other letters. Raises KeyError for a letter without strokes.
    """
    shares = [0.55 if letter == "1" else 1.0 for letter in text]
    unit = (width - gap * (len(text) - 1)) / sum(shares)
    strokes: list[Stroke] = []
    left = 0.0
    for letter, share in zip(text, shares, strict=True):
        strokes.extend(
            Stroke(tuple((left + x * unit * share, y * height) for x, y in path)) for path in STROKES[letter]
        )
        left += unit * share + gap
    return tuple(strokes)


@cache
def suit_polygons(suit: Suit) -> tuple[Path, ...]:
    """Closed polygons of a suit in the unit box."""
    match suit:
        case Suit.HEART:
            return (_heart(),)
        case Suit.SPADE:
            body = tuple((x, 0.80 * (1 - y)) for x, y in _heart())
            return body, _stem()
        case Suit.DIAMOND:
            return (_diamond(),)
        case Suit.CLUB:
            return (
                arc(0.5, 0.24, 0.235, 0.24, 0, 360),
                arc(0.235, 0.575, 0.235, 0.24, 0, 360),
                arc(0.765, 0.575, 0.235, 0.24, 0, 360),
                ((0.4, 0.35), (0.6, 0.35), (0.7, 0.6), (0.3, 0.6)),
                _stem(),
            )


def star(points: int = 5, inner: float = 0.42) -> Path:
    """A star in the unit box."""
    out = []
    for i in range(2 * points):
        radius = 0.5 if i % 2 == 0 else 0.5 * inner
        angle = math.pi * i / points - math.pi / 2
        out.append((0.5 + radius * math.cos(angle), 0.5 + radius * math.sin(angle)))
    return tuple(out)


def _heart() -> Path:
    points = []
    for i in range(120):
        t = 2 * math.pi * i / 120
        x = 16 * math.sin(t) ** 3
        y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((0.5 + x / 32, (11.9 - y) / 28.9))
    return tuple(points)


def _diamond() -> Path:
    """Four slightly hollow sides."""
    corners = ((0.5, 0.0), (0.9, 0.5), (0.5, 1.0), (0.1, 0.5))
    points = []
    for i, (x0, y0) in enumerate(corners):
        x1, y1 = corners[(i + 1) % 4]
        for step in range(8):
            t = step / 8
            x, y = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
            pull = 0.16 * t * (1 - t)
            points.append((x + (0.5 - x) * pull, y + (0.5 - y) * pull))
    return tuple(points)


def _stem() -> Path:
    return ((0.47, 0.45), (0.53, 0.45), (0.56, 0.85), (0.72, 1.0), (0.28, 1.0), (0.44, 0.85))
