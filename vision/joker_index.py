"""What stands in the corner of a joker: the word three ways, 大王 and 小王 as strokes, a star, a jester's head."""

from __future__ import annotations

from typing import Final, assert_never

from engine.cards import Card, Rank
from vision.glyphs import Path, arc, star
from vision.index_style import IndexStyle, JokerIndex
from vision.shape import Box, Nib, Shape, bezier

_BIG: Final[tuple[Path, ...]] = (
    ((0.04, 0.34), (0.96, 0.34)),
    bezier((0.5, 0.0), (0.5, 0.45, 0.44, 0.78, 0.0, 1.0)),
    bezier((0.5, 0.36), (0.56, 0.66, 0.74, 0.88, 1.0, 1.0)),
)
_SMALL: Final[tuple[Path, ...]] = (
    ((0.52, 0.0), (0.52, 1.0), (0.36, 0.9)),
    bezier((0.26, 0.34), (0.24, 0.5, 0.14, 0.66, 0.0, 0.78)),
    bezier((0.76, 0.32), (0.82, 0.46, 0.94, 0.6, 1.0, 0.76)),
)
_KING: Final[tuple[Path, ...]] = (
    ((0.06, 0.0), (0.94, 0.0)),
    ((0.12, 0.48), (0.88, 0.48)),
    ((0.0, 1.0), (1.0, 1.0)),
    ((0.5, 0.0), (0.5, 1.0)),
)
"""大, 小 and 王: centre lines in the unit box."""

_CAP: Final[Path] = (
    *bezier((0.2, 0.62), (0.2, 0.3, 0.08, 0.2, 0.0, 0.36)),
    *bezier((0.0, 0.36), (0.0, 0.1, 0.3, 0.1, 0.38, 0.3)),
    (0.5, 0.04),
    (0.62, 0.3),
    *bezier((0.62, 0.3), (0.7, 0.1, 1.0, 0.1, 1.0, 0.36)),
    *bezier((1.0, 0.36), (0.92, 0.2, 0.8, 0.3, 0.8, 0.62)),
)
_FACE: Final[tuple[Path, ...]] = (
    ((0.2, 0.62), (0.8, 0.62), *arc(0.5, 0.66, 0.3, 0.34, 0, 180), (0.2, 0.62)),
    ((0.38, 0.72), (0.39, 0.74)),
    ((0.62, 0.72), (0.61, 0.74)),
    arc(0.5, 0.76, 0.16, 0.14, 150, 30),
)


def joker_index(card: Card, style: IndexStyle) -> Shape:
    """The shape of a joker's index, its box starting at the style's margins. `card` is SJ or BJ."""
    left, top = style.margin_x, style.margin_y
    match style.joker:
        case JokerIndex.HORIZONTAL:
            shape = _word(style)
        case JokerIndex.VERTICAL:
            shape = _word(style).turned_down()
        case JokerIndex.STACKED:
            shape = _stack(style)
        case JokerIndex.CHINESE:
            shape = _chinese(card.rank is Rank.BIG_JOKER, style)
        case JokerIndex.STAR:
            side = max(style.rank_height, 6.0)
            shape = Shape.of((star(5, 0.4),)).fitted(Box(0.0, 0.0, side, side))
        case JokerIndex.FIGURE:
            shape = jester(max(style.rank_height, 8.0))
        case _:
            assert_never(style.joker)
    box = shape.box
    return shape.moved(left - box.left, top - box.top)


def jester(height: float) -> Shape:
    """A jester's head with a cap of three horns and bells, `height` mm high."""
    width = 0.9 * height
    pen = Nib(0.07 * height, 0.07 * height)
    bells = [
        Shape.of((arc(x * width, y * height, 0.08 * height, 0.08 * height, 0, 360),))
        for x, y in ((0.03, 0.4), (0.5, 0.06), (0.97, 0.4))
    ]
    cap = Shape.of((tuple((x * width, y * height) for x, y in _CAP),))
    face = pen.drawn_along([tuple((x * width, y * height) for x, y in line) for line in _FACE])
    return cap.joined(face, *bells)


def _letters(style: IndexStyle, height: float, width: float) -> list[Shape]:
    """J, O, K, E, R side by side from the origin, each at x = 0."""
    pen = style.pen(height, width)
    letters = [style.letters.letter(character, character in style.alternates) for character in "JOKER"]
    return [pen.write(letter, Box(0.0, 0.0, width * letter.width, height)) for letter in letters]


def _word(style: IndexStyle) -> Shape:
    height = style.joker_height
    across = 0.0
    placed = []
    for letter in _letters(style, height, height * style.squeeze):
        placed.append(letter.moved(across, 0.0))
        across += letter.box.width + 0.16 * height
    return placed[0].joined(*placed[1:]).slanted(style.slant)


def _stack(style: IndexStyle) -> Shape:
    height = style.joker_height
    width = height * max(style.squeeze, 0.55)
    step = height * 1.22
    placed = [
        letter.moved((width - letter.box.width) / 2, i * step)
        for i, letter in enumerate(_letters(style, height, width))
    ]
    return placed[0].joined(*placed[1:])


def _chinese(big: bool, style: IndexStyle) -> Shape:
    side = max(1.5 * style.joker_height, 5.0)
    thick = min(style.weight, 0.14) * side
    nib = Nib(thick, max(0.7, style.contrast) * thick, squareness=style.squareness)
    strokes = (_BIG if big else _SMALL, _KING)
    written = [
        nib.drawn_along([tuple((x * side, y * side) for x, y in line) for line in character]).fitted(
            Box(0.0, i * 1.2 * side, side, (i * 1.2 + 1) * side)
        )
        for i, character in enumerate(strokes)
    ]
    return written[0].joined(written[1])
