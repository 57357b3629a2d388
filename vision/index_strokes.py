"""Letters of printed indices as centre lines, without and with serifs; drawn with a nib, so that no font is needed.

A letter stands in a unit box, x right, y down; where its lines end elsewhere it is stretched to the box it is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from vision.glyphs import Path, arc
from vision.shape import Box, Nib, Shape, bezier


@dataclass(frozen=True, slots=True)
class Serif:
    """A short bar at the end of a stroke: from (x, y) so many serif lengths to each side."""

    x: float
    y: float
    left: float = 0.0
    right: float = 0.0
    up: float = 0.0
    down: float = 0.0


@dataclass(frozen=True, slots=True)
class Letter:
    """Centre lines, serifs, and the middles of round stroke ends (`balls`).

    width, weight: of the letter and of its strokes as shares of a common letter's.
    """

    lines: tuple[Path, ...]
    width: float = 1.0
    serifs: tuple[Serif, ...] = ()
    balls: tuple[tuple[float, float], ...] = ()
    weight: float = 1.0

    def upside_down(self) -> Letter:
        """Half a turn: a six becomes a nine."""
        return Letter(
            tuple(tuple((1 - x, 1 - y) for x, y in line) for line in self.lines),
            self.width,
            tuple(Serif(1 - s.x, 1 - s.y, s.right, s.left, s.down, s.up) for s in self.serifs),
            tuple((1 - x, 1 - y) for x, y in self.balls),
            self.weight,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Alphabet:
    """The letters 0-9 J O K E R Q A, and a second form of some of them."""

    name: str
    letters: Mapping[str, Letter]
    alternates: Mapping[str, Letter]

    def letter(self, character: str, alternate: bool) -> Letter:
        """Raises KeyError for a character without strokes."""
        return self.alternates[character] if alternate else self.letters[character]


@dataclass(frozen=True, slots=True)
class Pen:
    """A nib, and the serifs that go with it: length and thickness in millimetres, length 0 for none."""

    nib: Nib
    serif_length: float = 0.0
    serif_thickness: float = 0.0

    def write(self, letter: Letter, box: Box) -> Shape:
        """The letter with its ink filling `box`."""
        nib = replace(self.nib, width=self.nib.width * letter.weight, height=self.nib.height * letter.weight)
        xs = [x for line in letter.lines for x, _ in line]
        ys = [y for line in letter.lines for _, y in line]
        around = Shape.of_arrays([nib.outline()]).box
        x_scale = (box.width - around.width) / (max(xs) - min(xs))
        y_scale = (box.height - around.height) / (max(ys) - min(ys))

        def place(x: float, y: float) -> tuple[float, float]:
            return (x - min(xs)) * x_scale + around.width / 2, (y - min(ys)) * y_scale + around.height / 2

        shape = nib.drawn_along([tuple(place(*point) for point in line) for line in letter.lines])
        if self.serif_length:
            bars = [self._bar(serif, *place(serif.x, serif.y), around, box.height) for serif in letter.serifs]
            dots = [self._ball(*place(*ball), box) for ball in letter.balls]
            shape = shape.joined(*bars, *dots)
        return shape.fitted(box)

    def _bar(self, serif: Serif, x: float, y: float, around: Box, height: float) -> Shape:
        half, length = self.serif_thickness / 2, self.serif_length
        if serif.y == 0.0 and not serif.up:
            y = half  # flush with the upper or lower edge of the letter, whatever the nib
        elif serif.y == 1.0 and not serif.down:
            y = height - half
        side = around.width / 2 if serif.left or serif.right else half
        left, right = x - side - serif.left * length, x + side + serif.right * length
        top, bottom = y - half - serif.up * length, y + half + serif.down * length
        return Shape.of((((left, top), (right, top), (right, bottom), (left, bottom)),))

    def _ball(self, x: float, y: float, box: Box) -> Shape:
        radius = min(0.62 * self.nib.width, 0.13 * box.height, 0.19 * box.width)
        x = min(max(x, radius), box.width - radius)
        y = min(max(y, radius), box.height - radius)
        return Shape.of((arc(x, y, radius, radius, 0, 360),))


_BOWL: Final = arc(0.5, 0.69, 0.5, 0.31, 0, 360)
_ROUND: Final = arc(0.5, 0.5, 0.5, 0.5, 0, 360)
_SIX: Final = Letter((_BOWL, arc(0.92, 0.66, 0.92, 0.66, 180, 262)))
_CURLED_SIX: Final = Letter((_BOWL, ((0.0, 0.69), (0.0, 0.34), *arc(0.5, 0.3, 0.5, 0.3, 180, 335))))
_FLAT_THREE: Final = ((0.06, 0.0), (0.94, 0.0), (0.44, 0.41), *arc(0.46, 0.70, 0.54, 0.30, 275, 512))
_CURVED_SEVEN: Final = ((0.0, 0.0), (1.0, 0.0), *bezier((1.0, 0.02), (0.62, 0.34, 0.4, 0.62, 0.38, 1.0)))
_NECKED_TWO: Final = (
    *arc(0.5, 0.27, 0.5, 0.27, 190, 370),
    *bezier((0.99, 0.32), (0.95, 0.58, 0.1, 0.72, 0.0, 1.0)),
    (1.0, 1.0),
)

_CLOSED_FOUR: Final = ((0.74, 1.0), (0.74, 0.0), (0.0, 0.7), (1.0, 0.7))
_OPEN_FOUR: Final = (((0.36, 0.0), (0.0, 0.66), (1.0, 0.66)), ((0.72, 0.32), (0.72, 1.0)))
_THREE: Final = (arc(0.47, 0.25, 0.47, 0.25, 200, 450), arc(0.47, 0.74, 0.53, 0.26, 270, 512))
_FIVE: Final = ((0.93, 0.0), (0.15, 0.0), (0.08, 0.46), *arc(0.46, 0.69, 0.54, 0.31, 225, 512))
_EIGHT: Final = (arc(0.5, 0.24, 0.43, 0.24, 0, 360), arc(0.5, 0.74, 0.5, 0.26, 0, 360))
_HOOK: Final = ((0.92, 0.0), (0.92, 0.7), *arc(0.46, 0.71, 0.46, 0.29, 0, 170))
_TAIL: Final = ((0.56, 0.68), (1.0, 1.0))
_LONG_TAIL: Final = ((0.44, 0.78), (0.62, 0.82), (0.98, 1.12))
_KAY: Final = (((0.0, 0.0), (0.0, 1.0)), ((0.98, 0.0), (0.0, 0.62)), ((0.32, 0.42), (1.0, 1.0)))
_AYE: Final = (((0.0, 1.0), (0.5, 0.0), (1.0, 1.0)), ((0.16, 0.7), (0.84, 0.7)))
_AYE_WEIGHT: Final = 0.78
"""Full strokes would close the triangle of a bold A."""
_EE: Final = (((1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (1.0, 1.0)), ((0.0, 0.48), (0.8, 0.48)))
_AR: Final = (
    ((0.0, 1.0), (0.0, 0.0), *arc(0.55, 0.27, 0.42, 0.27, 270, 450), (0.0, 0.54)),
    ((0.5, 0.54), (1.0, 1.0)),
)

SANS: Final = Alphabet(
    "sans",
    {
        "0": Letter((_ROUND,)),
        "1": Letter((((0.0, 0.22), (0.6, 0.0), (0.6, 1.0)),), 0.5),
        "2": Letter(((*arc(0.5, 0.28, 0.5, 0.28, 190, 390), (0.0, 1.0), (1.0, 1.0)),)),
        "3": Letter(_THREE),
        "4": Letter((_CLOSED_FOUR,), 1.08),
        "5": Letter((_FIVE,)),
        "6": _SIX,
        "7": Letter((((0.0, 0.0), (1.0, 0.0), (0.36, 1.0)),)),
        "8": Letter(_EIGHT),
        "9": _SIX.upside_down(),
        "J": Letter((_HOOK,), 0.85),
        "Q": Letter((_ROUND, _TAIL), 1.08),
        "K": Letter(_KAY, 1.08),
        "A": Letter(_AYE, 1.12, weight=_AYE_WEIGHT),
        "O": Letter((_ROUND,), 1.05),
        "E": Letter(_EE, 0.9),
        "R": Letter(_AR),
    },
    {
        "1": Letter((((0.1, 0.2), (0.5, 0.0), (0.5, 1.0)), ((0.0, 1.0), (1.0, 1.0))), 0.7),
        "2": Letter((_NECKED_TWO,)),
        "3": Letter((_FLAT_THREE,)),
        "4": Letter(_OPEN_FOUR, 1.05),
        "6": _CURLED_SIX,
        "7": Letter((_CURVED_SEVEN,)),
        "9": _CURLED_SIX.upside_down(),
        "J": Letter((_HOOK, ((0.5, 0.0), (1.25, 0.0)))),
        "Q": Letter((_ROUND, _LONG_TAIL), 1.05),
        "A": Letter(
            (((0.0, 1.0), (0.41, 0.0), (0.59, 0.0), (1.0, 1.0)), ((0.14, 0.69), (0.86, 0.69))), 1.12, weight=_AYE_WEIGHT
        ),
    },
)
"""Plain strokes, as on most casino and Chinese packs."""

_ROMAN_SIX: Final = Letter((_BOWL, arc(0.92, 0.66, 0.92, 0.66, 180, 268)), balls=((0.86, 0.1),))
_ROMAN_CURLED_SIX: Final = Letter(_CURLED_SIX.lines, balls=((0.9, 0.2),))

ROMAN: Final = Alphabet(
    "roman",
    {
        "0": Letter((_ROUND,)),
        "1": Letter((((0.12, 0.17), (0.5, 0.0), (0.5, 1.0)),), 0.6, (Serif(0.5, 1.0, 1.0, 1.0),)),
        "2": Letter(
            ((*arc(0.5, 0.27, 0.46, 0.27, 190, 385), (0.0, 1.0), (1.0, 1.0)),),
            serifs=(Serif(1.0, 1.0, up=1.2),),
            balls=((0.12, 0.24),),
        ),
        "3": Letter(_THREE, balls=((0.1, 0.2), (0.08, 0.83))),
        "4": Letter((_CLOSED_FOUR,), 1.1, (Serif(0.74, 1.0, 1.0, 1.0),)),
        "5": Letter((_FIVE,), balls=((0.06, 0.83),), serifs=(Serif(0.93, 0.0, up=0.0, down=0.5),)),
        "6": _ROMAN_SIX,
        "7": Letter((((0.0, 0.0), (1.0, 0.0), (0.36, 1.0)),), serifs=(Serif(0.0, 0.0, down=1.3),)),
        "8": Letter(_EIGHT),
        "9": _ROMAN_SIX.upside_down(),
        "J": Letter((_HOOK,), 0.95, (Serif(0.92, 0.0, 1.2, 0.9),), ((0.06, 0.78),)),
        "Q": Letter((_ROUND, _TAIL), 1.15),
        "K": Letter(
            _KAY,
            1.2,
            (
                Serif(0.0, 0.0, 0.6, 0.8),
                Serif(0.0, 1.0, 0.6, 0.8),
                Serif(0.98, 0.0, 0.8, 0.5),
                Serif(1.0, 1.0, 0.8, 0.5),
            ),
        ),
        "A": Letter(_AYE, 1.2, (Serif(0.0, 1.0, 0.7, 0.7), Serif(1.0, 1.0, 0.7, 0.7))),
        "O": Letter((_ROUND,), 1.1),
        "E": Letter(
            _EE,
            1.0,
            (
                Serif(0.0, 0.0, 0.7),
                Serif(0.0, 1.0, 0.7),
                Serif(1.0, 0.0, down=1.0),
                Serif(1.0, 1.0, up=1.0),
            ),
        ),
        "R": Letter(_AR, 1.15, (Serif(0.0, 0.0, 0.7), Serif(0.0, 1.0, 0.7, 0.7), Serif(1.0, 1.0, 0.3, 0.6))),
    },
    {
        "2": Letter((_NECKED_TWO,), serifs=(Serif(1.0, 1.0, up=1.2),), balls=((0.1, 0.24),)),
        "3": Letter((_FLAT_THREE,), serifs=(Serif(0.06, 0.0, down=1.2),), balls=((0.08, 0.84),)),
        "4": Letter(_OPEN_FOUR, 1.08, (Serif(0.72, 1.0, 1.0, 1.0),)),
        "6": _ROMAN_CURLED_SIX,
        "7": Letter((_CURVED_SEVEN,), serifs=(Serif(0.0, 0.0, down=1.3),)),
        "9": _ROMAN_CURLED_SIX.upside_down(),
        "Q": Letter((_ROUND, _LONG_TAIL), 1.12),
    },
)
"""Thick and thin strokes with serifs and round ends, as on the standard English pattern."""
