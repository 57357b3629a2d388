"""Pictures of every index as a camera would blur and turn it, and how well a patch of paper fits them.

Scores are normalised cross-correlations of darkness (0 paper, 1 ink), so brightness and contrast do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import Card, Rank, Suit
from vision.cardface import DEFAULT_STYLE, PrintStyle, draw_card
from vision.paper import Darkness, least_channel

DENSITY: Final = 3.0
"""Pixels per millimetre at which indices are compared."""
ANGLES_DEG: Final = (-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0)
BLURS_PX: Final = (1.0, 1.7, 2.5)
"""Sigma at DENSITY: a sharp, a soft and a poor camera at 2 px/mm."""
SHIFT_PX: Final = 3
"""How far an index is looked for around where its ink was found."""
_FACE_DENSITY: Final = 6.0
_NOISE: Final = 0.05
"""Grey noise (share of white) per pixel that a contrast must bear: sigma 4 of 255 at half brightness, doubled."""
_PAPER: Final = 250.0

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle around an index part: millimetres, relative to the top centre of the index's ink."""

    centre_y: float
    width: float
    height: float

    @property
    def size_px(self) -> tuple[int, int]:
        """Width, height."""
        return round(self.width * DENSITY), round(self.height * DENSITY)


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """Templates of one index part.

    vectors: (d, n) float32, zero mean and unit length down each column; owner: (n,) int, index into labels.
    """

    window: Window
    labels: tuple[int, ...]
    vectors: Matrix
    owner: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        w, h = self.window.size_px
        if self.vectors.shape != (w * h, len(self.owner)) or self.vectors.dtype != np.float32:
            raise ValueError(f"bank of {w} x {h} patches holds {self.vectors.shape} {self.vectors.dtype}")

    def fit(self, darkness: Darkness, x: float, top: float) -> Fit | None:
        """How well each label fits an index whose ink starts at pixel (x, top); x is the middle of the ink.

        None where the window with its shifts does not lie on the picture.
        """
        w, h = self.window.size_px
        left = round(x - w / 2) - SHIFT_PX
        upper = round(top + self.window.centre_y * DENSITY - h / 2) - SHIFT_PX
        right, lower = left + w + 2 * SHIFT_PX, upper + h + 2 * SHIFT_PX
        if left < 0 or upper < 0 or right > darkness.shape[1] or lower > darkness.shape[0]:
            return None
        patches = np.lib.stride_tricks.sliding_window_view(darkness[upper:lower, left:right], (h, w))
        rows = patches.reshape(-1, w * h)
        rows = rows - rows.mean(axis=1, keepdims=True)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-3)
        table = rows @ self.vectors
        scores = np.full(len(self.labels), -1, np.float32)
        np.maximum.at(scores, self.owner, table.max(axis=0))
        best = int(np.argmax(table.max(axis=1)))
        return Fit(self.labels, scores, np.ascontiguousarray(rows[best]), best)

    def place(self, best: int, x: float, top: float) -> tuple[float, float]:
        """Ink middle and top, in pixels, that the shift numbered `best` of a fit at (x, top) stands for."""
        w, h = self.window.size_px
        row, column = divmod(best, 2 * SHIFT_PX + 1)
        left = round(x - w / 2) - SHIFT_PX + column
        upper = round(top + self.window.centre_y * DENSITY - h / 2) - SHIFT_PX + row
        return left + w / 2, upper + h / 2 - self.window.centre_y * DENSITY


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Best correlation of each label, -1..1; the normalised patch at the best shift and that shift's number."""

    labels: tuple[int, ...]
    scores: Matrix
    patch: Matrix
    shift: int

    @property
    def best(self) -> int:
        """The label that fits best."""
        return self.labels[int(np.argmax(self.scores))]

    @property
    def score(self) -> float:
        return float(self.scores.max())

    @property
    def margin(self) -> float:
        """Distance to the runner-up."""
        ordered = np.sort(self.scores)
        return float(ordered[-1] - ordered[-2])


@dataclass(frozen=True, slots=True, eq=False)
class Contrast:
    """Tells two alike labels apart where plain correlation is near equal: Fisher's linear discriminant.

    value(patch) is about +1 for `first` and -1 for `second`; near 0 it is neither.
    """

    first: int
    second: int
    weights: Matrix
    offset: float

    def value(self, patch: Matrix) -> float:
        return float(patch @ self.weights) - self.offset


@dataclass(frozen=True, slots=True, eq=False)
class IndexTemplates:
    """The three banks of one index style. Rank labels are Rank values, suit labels Suit values, joker has one."""

    style: PrintStyle
    rank: Bank
    suit: Bank
    joker: Bank
    black: Contrast
    red: Contrast


@cache
def index_templates(style: PrintStyle = DEFAULT_STYLE) -> IndexTemplates:
    """Templates of a style; about a second, once."""
    rank_window = Window(style.rank_height / 2, 10.0, style.rank_height + 2)
    suit_window = Window(style.rank_height + style.gap + style.suit_height / 2, 8.4, style.suit_height + 2)
    joker_height = 3 * style.joker_letter_height + 2 * style.joker_gap
    joker_window = Window(joker_height / 2, 7.4, joker_height + 2)
    ranks = [rank for rank in Rank if not rank.is_joker]
    return IndexTemplates(
        style,
        _bank(style, rank_window, [(int(rank), Card.of(rank, Suit.SPADE)) for rank in ranks]),
        _bank(style, suit_window, [(int(suit), Card.of(Rank.EIGHT, suit)) for suit in Suit]),
        _bank(style, joker_window, [(0, Card.parse("SJ"))]),
        _contrast(style, suit_window, Suit.SPADE, Suit.CLUB),
        _contrast(style, suit_window, Suit.HEART, Suit.DIAMOND),
    )


def _bank(style: PrintStyle, window: Window, members: Sequence[tuple[int, Card]]) -> Bank:
    columns: list[Matrix] = []
    owner: list[int] = []
    for position, (_, card) in enumerate(members):
        for blur in BLURS_PX:
            ink = _ink(card, style, blur)
            for angle in ANGLES_DEG:
                columns.append(_normal(_patch(ink, style, window, angle)))
                owner.append(position)
    labels = tuple(label for label, _ in members)
    return Bank(window, labels, np.ascontiguousarray(np.stack(columns, axis=1)), np.array(owner, np.int64))


def _contrast(style: PrintStyle, window: Window, first: Suit, second: Suit) -> Contrast:
    """The direction that parts two suits however they are turned, blurred, scaled and placed within half a pixel."""
    clouds = []
    for suit in (first, second):
        rows = [
            _normal(_patch(ink, style, window, angle, scale, (dx, dy)))
            for blur in (0.8, 1.3, 1.9, 2.5)
            for ink in [_ink(Card.of(Rank.EIGHT, suit), style, blur)]
            for angle in ANGLES_DEG
            for scale in (0.95, 1.0, 1.05)
            for dx in (-0.6, 0.0, 0.6)
            for dy in (-0.6, 0.0, 0.6)
        ]
        clouds.append(np.stack(rows).astype(np.float64))
    means = [cloud.mean(axis=0) for cloud in clouds]
    spread = sum((cloud - mean).T @ (cloud - mean) / len(cloud) for cloud, mean in zip(clouds, means, strict=True)) / 2
    contrast = 0.35 * np.sqrt(window.size_px[0] * window.size_px[1])  # typical length of a patch before normalising
    ridge = np.eye(len(means[0])) * (_NOISE / contrast) ** 2
    direction = np.linalg.solve(spread + ridge, means[0] - means[1])
    reach = float(direction @ (means[0] - means[1])) / 2
    offset = float(direction @ (means[0] + means[1])) / 2 / reach
    return Contrast(int(first), int(second), (direction / reach).astype(np.float32), offset)


def _normal(patch: Darkness) -> Matrix:
    row = patch.reshape(-1) - patch.mean()
    return np.asarray(row / np.linalg.norm(row), np.float32)


def _ink(card: Card, style: PrintStyle, blur: float) -> Darkness:
    """Darkness of a face at _FACE_DENSITY, softened by `blur` pixels of DENSITY."""
    image = np.ascontiguousarray(draw_card(card, _FACE_DENSITY, style).image[:, :, :3])
    ink = np.clip(1 - least_channel(image).astype(np.float32) / _PAPER, 0, 1)
    corner = ink[: round(40 * _FACE_DENSITY), : round(24 * _FACE_DENSITY)]
    return np.asarray(cv2.GaussianBlur(corner, (0, 0), blur * _FACE_DENSITY / DENSITY), np.float32)


def _patch(
    ink: Darkness, style: PrintStyle, window: Window, angle: float, scale: float = 1.0,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Darkness:  # fmt: skip
    """The window of a card turned by `angle` about the window's own centre, moved by `shift` pixels."""
    w, h = window.size_px
    centre = (style.centre_x * _FACE_DENSITY - 0.5, (style.top + window.centre_y) * _FACE_DENSITY - 0.5)
    matrix = cv2.getRotationMatrix2D(centre, angle, scale * DENSITY / _FACE_DENSITY)
    matrix[0, 2] += (w - 1) / 2 - centre[0] + shift[0]
    matrix[1, 2] += (h - 1) / 2 - centre[1] + shift[1]
    patch = cv2.warpAffine(ink, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.float32)
