"""Draws docs/images/cards.png: six cards of the default deck on dark felt (give the path to write)."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import Card
from vision.cardface import draw_card

CARDS = ("AS", "TH", "7D", "QC", "2H", "BJ")
TURNS_DEG = (0.0, 7.0, -12.0, 25.0, 0.0, -4.0)


def felt(width: int, height: int) -> npt.NDArray[np.uint8]:
    return np.full((height, width, 3), (58, 74, 30), np.uint8)


def draw(cards: Sequence[str] = CARDS, turns: Sequence[float] = TURNS_DEG) -> npt.NDArray[np.uint8]:
    """Cards in rows of three, each turned about its middle, 3 px/mm."""
    image = felt(900, 390 * -(-len(cards) // 3))
    for i, (text, turn) in enumerate(zip(cards, turns, strict=True)):
        face = draw_card(Card.parse(text), 6.0).image
        h, w = face.shape[:2]
        matrix = cv2.getRotationMatrix2D((w / 2, h / 2), turn, 0.5)
        matrix[:, 2] += np.array([150 + 300 * (i % 3) - w / 2, 195 + 390 * (i // 3) - h / 2])
        laid = cv2.warpAffine(face, matrix, (image.shape[1], image.shape[0]), flags=cv2.INTER_AREA)
        alpha = laid[:, :, 3:].astype(np.float32) / 255
        image = np.round(laid[:, :, :3] * alpha + image * (1 - alpha)).astype(np.uint8)
    return image


if __name__ == "__main__":
    cv2.imwrite(sys.argv[1], draw())
