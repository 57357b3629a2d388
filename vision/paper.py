"""White paper on coloured cloth: which parts of a zone are cards, how they lie, and the ink on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import ZonePicture
from vision.frames import Pixels

Darkness = npt.NDArray[np.float32]
Contour = npt.NDArray[np.int32]
"""(n, 1, 2) pixels around a region."""

MIN_CONTRAST: Final = 1.5
"""Paper is at least this much brighter (least channel) than cloth, else a zone counts as one tone."""
SHADOW: Final = 0.4
"""Paper in the deepest shadow that is still read, as a share of lit paper."""
PALE: Final = 0.80
"""Least over greatest channel, as a share of that of lit paper: above is paper, below is skin (0.55 to 0.65)."""
MIN_AREA_MM2: Final = 400.0
"""Bright spots under this size are specks and glints; a card is 5544."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A white region turned upright.

    image: (H, W, 3) uint8 BGR; mask: (H, W) uint8, 255 on the region with its ink filled in; both with a rim around.
    darkness: (H, W) float32, 0 paper to 1 black or full red ink. turned_deg: how far the region lies turned
    counter-clockwise from upright. to_zone: (2, 3) affine from sheet pixels to zone pixels.
    touches_rim: it runs out of the zone picture, as a hand in a white sleeve or a misplaced card does.
    """

    image: Pixels
    mask: Pixels
    darkness: Darkness
    turned_deg: float
    to_zone: npt.NDArray[np.float64]
    px_per_mm: float
    touches_rim: bool

    def __post_init__(self) -> None:
        if self.mask.shape != self.image.shape[:2] or self.darkness.shape != self.mask.shape:
            raise ValueError("a sheet's image, mask and darkness have one size")

    @property
    def area_mm2(self) -> float:
        return float(np.count_nonzero(self.mask)) / self.px_per_mm**2

    @property
    def bounds_mm(self) -> tuple[float, float, float, float]:
        """Left, top, width, height of the region within the sheet."""
        x, y, w, h = cv2.boundingRect(self.mask)
        s = self.px_per_mm
        return x / s, y / s, w / s, h / s


def find_sheets(picture: ZonePicture, min_white: float = 0.0) -> tuple[Sheet, ...]:
    """White regions of a zone picture, left to right. min_white: least brightness (0..255) that paper can have here."""
    mask = paper_mask(picture.image, min_white)
    if mask is None:
        return ()
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    least = MIN_AREA_MM2 * picture.px_per_mm**2
    large = [np.asarray(contour, np.int32) for contour in contours if cv2.contourArea(contour) >= least]
    sheets = [lift(picture.image, contour, lies_turned(contour), 1.0, picture.px_per_mm) for contour in large]
    return tuple(sorted(sheets, key=lambda sheet: float(sheet.to_zone[0, 2])))


def least_channel(image: Pixels) -> Pixels:
    """(H, W) smallest of B, G, R: high only on white, whatever the cloth's colour; black and red ink are both low."""
    return np.asarray(cv2.min(cv2.min(image[:, :, 0], image[:, :, 1]), image[:, :, 2]), np.uint8)


def paper_mask(image: Pixels, min_white: float = 0.0) -> Pixels | None:
    """(H, W) uint8, 255 on white paper without its ink; None where the picture shows one tone only."""
    low = cv2.GaussianBlur(least_channel(image), (3, 3), 0)
    _, mask = cv2.threshold(low, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    bright = mask > 0
    if not bright.any() or bright.all():
        return None
    white, cloth = float(low[bright].mean()), float(np.median(low[~bright]))
    if white < MIN_CONTRAST * max(float(low[~bright].mean()), 8.0) or white < min_white:
        return None
    # Otsu parts lit paper from the rest. Paper in shadow is darker than that, but as colourless as the lit paper,
    # while skin, which is as bright, is not.
    least = max((max(cloth, 8.0) * white) ** 0.5, SHADOW * white)
    high = cv2.GaussianBlur(cv2.max(cv2.max(image[:, :, 0], image[:, :, 1]), image[:, :, 2]), (3, 3), 0)
    share = low.astype(np.float32) / np.maximum(high, 1)
    pale = share > PALE * float(np.median(share[bright]))
    mask = np.where(bright | ((low > least) & pale), 255, 0).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def lift(image: Pixels, contour: Contour, turned_deg: float, scale: float, px_per_mm: float) -> Sheet:
    """The region inside `contour`, turned clockwise by `turned_deg` and enlarged by `scale` to `px_per_mm`."""
    points = contour.reshape(-1, 2)
    middle = points.mean(axis=0)
    turn = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), -turned_deg, scale)
    moved = cv2.transform(contour.astype(np.float32), turn).reshape(-1, 2)
    low, high = np.floor(moved.min(axis=0)) - 6, np.ceil(moved.max(axis=0)) + 7
    turn[0, 2] -= low[0]
    turn[1, 2] -= low[1]
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    lifted = cv2.warpAffine(image, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(moved - low).astype(np.int32)], 255)
    rim = np.array(image.shape[1::-1]) - 1
    touches = bool(np.any(points <= 0) or np.any(points >= rim))
    back = np.asarray(cv2.invertAffineTransform(turn), np.float64)
    upright = np.asarray(lifted, np.uint8)
    return Sheet(upright, mask, _darkness(upright, mask), turned_deg, back, px_per_mm, touches)


def lies_turned(contour: Contour) -> float:
    """How far a region lies turned counter-clockwise from upright, -45..45 degrees."""
    _, _, angle = cv2.minAreaRect(contour)
    folded = (float(angle) + 45) % 90 - 45  # OpenCV counts clockwise on screen
    return -folded


def _darkness(image: Pixels, mask: Pixels) -> Darkness:
    """1 - least channel / local paper white. Local, so that a shadow or a light gradient does not look like ink.

    White is taken per 4 x 4 block maximum and then the mean of a wide neighbourhood of the brighter blocks.
    """
    low = least_channel(image)
    low = np.where(mask > 0, low, 0).astype(np.uint8)
    small = cv2.resize(low, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    white = cv2.dilate(small, np.ones((5, 5), np.uint8))
    white = cv2.erode(cv2.dilate(white, np.ones((9, 9), np.uint8)), np.ones((9, 9), np.uint8))
    smooth = cv2.GaussianBlur(white, (0, 0), 3)
    full = cv2.resize(smooth, (low.shape[1], low.shape[0]), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    plain = least_channel(image).astype(np.float32)
    return np.asarray(np.clip(1 - plain / np.maximum(full, 16.0), 0, 1), np.float32)
