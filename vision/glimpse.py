"""A cheap look at a zone in a reduced picture: did anything move, is there paper, is there a hand.

Colours are scaled so that the cloth's green is 100, which takes drifting light and exposure out of every comparison.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import Seat
from vision.calibration import Calibration, rectify
from vision.frames import Pixels
from vision.layout import TABLE_MARKER_CENTRES, TABLE_MARKER_SIDE_MM, ZONES, Area, Zone
from vision.paper import least_channel

Scaled = npt.NDArray[np.float32]

PX_PER_MM: Final = 0.5
APPROACH_MM: Final = 36.0
"""A hand that waits this near to its play zone has not finished."""
STEP: Final = 22.0
"""A pixel has changed when a channel differs by more; noise of a dark camera stays below 8 at this density."""
MOVED_PX: Final = 12
"""Changed pixels (4 mm2 each) that make a movement; the tip of a finger covers 80."""
DIFFERENT_PX: Final = 16
TINT: Final = 18.0
"""A pixel is not cloth when its colour differs by more from that of cloth in any light."""
SHADE: Final = (0.45, 1.4)
"""Cloth in the shadow of a hand, and in a reflection, against cloth in the open."""
HAND_PX: Final = 45
PAPER_SHARE: Final = 0.72
"""Paper in a zone is at least so bright against the paper of the table markers; the palest hand reaches 0.62."""
CLOTH_MOST: Final = 200.0
"""Paper and glints are brighter than this in their least channel, cloth never is."""
BARE_SHARE: Final = 0.985

WATCHED: Final = {
    Area.PLAY: Zone(
        ZONES[Area.PLAY].left, ZONES[Area.PLAY].right, ZONES[Area.PLAY].near - APPROACH_MM, ZONES[Area.PLAY].far
    ),
    Area.NOTICE: ZONES[Area.NOTICE],
}


def light_level(image: Pixels) -> float:
    """Brightness of the cloth, grey levels of green: the commonest tone of a picture of the table."""
    counts = cv2.calcHist([image[::2, ::2]], [1], None, [256], [0, 256]).reshape(-1)
    middle = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
    tones = np.arange(max(middle - 12, 0), min(middle + 13, 256))
    return max(float((counts[tones] * tones).sum() / counts[tones].sum()), 4.0)


def paper_level(image: Pixels, calibration: Calibration) -> float:
    """Brightness of the white margins of the table markers in a (reduced) picture, grey levels of the least channel."""
    low = least_channel(image)
    reach = TABLE_MARKER_SIDE_MM * 0.62
    levels = []
    for x, y in TABLE_MARKER_CENTRES:
        corners = np.array([(x + sx * reach, y + sy * reach) for sx in (-1, 1) for sy in (-1, 1)], np.float64)
        pixels = calibration.pixels(corners)
        x0, y0 = np.maximum(np.round(pixels.min(axis=0)).astype(int), 0)
        x1, y1 = np.round(pixels.max(axis=0)).astype(int)
        part = low[y0:y1, x0:x1]
        if part.size:
            levels.append(float(np.percentile(part, 85)))
    return float(np.median(levels)) if levels else 200.0


@dataclass(frozen=True, slots=True, eq=False)
class Matter:
    """What lies in a zone. paper_px: pixels (4 mm2 each) that are paper. foreign_px: neither paper nor cloth."""

    paper_px: int
    foreign_px: int

    @property
    def is_bare(self) -> bool:
        return self.paper_px < MOVED_PX and self.foreign_px < HAND_PX // 2

    @property
    def has_hand(self) -> bool:
        return self.foreign_px >= HAND_PX

    @property
    def paper_mm2(self) -> float:
        return self.paper_px / PX_PER_MM**2


def differs_px(one: Scaled, other: Scaled) -> int:
    """Pixels in which two looks at a zone differ."""
    return int(np.count_nonzero(_largest(cv2.absdiff(one, other)) > STEP))


@dataclass(slots=True, eq=False)
class Cloth:
    """What a zone looks like with nothing on it; taken from the cloth's common colour until it has been seen bare."""

    seat: Seat
    area: Area
    known: Scaled | None = None
    _common: Scaled | None = field(default=None)

    def look(self, image: Pixels, reduced: Calibration, level: float) -> Scaled:
        """The zone in a reduced picture. reduced: calibration of that picture; level: its cloth's brightness."""
        picture = rectify(image, reduced, self.seat, WATCHED[self.area], PX_PER_MM)
        return picture.image.astype(np.float32) * np.float32(100 / level)

    def matter(self, scaled: Scaled, paper: float) -> Matter:
        """What lies in the zone. paper: brightness of paper on the scale of the look."""
        blue, green, red = cv2.split(scaled)
        white = np.asarray(cv2.min(cv2.min(blue, green), red) > PAPER_SHARE * paper, np.uint8)
        white = np.asarray(cv2.morphologyEx(white, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        filled = np.zeros_like(white)
        cv2.drawContours(filled, contours, -1, 1, cv2.FILLED)
        strange = self._strange(scaled) & (cv2.dilate(filled, np.ones((5, 5), np.uint8)) == 0)
        opened = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        return Matter(int(np.count_nonzero(filled)), int(np.count_nonzero(opened)))

    def learn(self, image: Scaled) -> None:
        """The zone is bare and looks like this."""
        self.known = image if self.known is None else self.known * np.float32(0.9) + image * np.float32(0.1)

    def _strange(self, scaled: Scaled) -> npt.NDArray[np.bool_]:
        """Pixels that are not cloth in whatever light; paper is strange, too."""
        cloth = self.known if self.known is not None else self._guess(scaled)
        share = (scaled * cloth).sum(axis=2) / np.maximum((cloth * cloth).sum(axis=2), 1.0)
        rest = _largest(np.abs(scaled - share[:, :, None] * cloth))
        return np.asarray((rest > TINT) | (share < SHADE[0]) | (share > SHADE[1]), np.bool_)

    def _guess(self, scaled: Scaled) -> Scaled:
        """The cloth's colour from the pixels that are neither paper nor far from the picture's common tone."""
        flat = scaled.reshape(-1, 3)
        cloth = flat[(np.abs(flat[:, 1] - 100) < 25) & (flat.min(axis=1) < CLOTH_MOST)]
        if len(cloth) >= 0.2 * len(flat):
            self._common = np.asarray(np.median(cloth, axis=0), np.float32).reshape(1, 1, 3)
        elif self._common is None:
            self._common = np.full((1, 1, 3), 100, np.float32)
        return self._common


def _largest(image: cv2.typing.MatLike) -> Scaled:
    """(H, W): the largest channel of each pixel. Much faster than a maximum over the last axis."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
