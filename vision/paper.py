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

MIN_CONTRAST: Final = 1.5
"""Paper is at least this much brighter (least channel) than cloth, else a zone counts as one tone."""
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
    mask = _paper_mask(picture.image, min_white)
    if mask is None:
        return ()
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    least = MIN_AREA_MM2 * picture.px_per_mm**2
    large = [contour for contour in contours if cv2.contourArea(contour) >= least]
    sheets = [_upright(picture, np.asarray(contour, np.int32)) for contour in large]
    return tuple(sorted(sheets, key=lambda sheet: float(sheet.to_zone[0, 2])))


def least_channel(image: Pixels) -> Pixels:
    """(H, W) smallest of B, G, R: high only on white, whatever the cloth's colour; black and red ink are both low."""
    return np.asarray(cv2.min(cv2.min(image[:, :, 0], image[:, :, 1]), image[:, :, 2]), np.uint8)


def _paper_mask(image: Pixels, min_white: float) -> Pixels | None:
    low = cv2.GaussianBlur(least_channel(image), (3, 3), 0)
    threshold, mask = cv2.threshold(low, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    bright = mask > 0
    if not bright.any() or bright.all():
        return None
    white, cloth = float(low[bright].mean()), float(low[~bright].mean())
    if white < MIN_CONTRAST * max(cloth, 8.0) or white < min_white or threshold <= 0:
        return None
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def _upright(picture: ZonePicture, contour: npt.NDArray[np.int32]) -> Sheet:
    (cx, cy), _, angle = cv2.minAreaRect(contour)
    angle = (angle + 45) % 90 - 45  # OpenCV turns clockwise on screen
    if abs(angle + 45) < 1e-6:
        angle = 45.0
    # Rows and columns of the box swap when the angle is folded; the box of the turned contour is taken instead.
    turn = cv2.getRotationMatrix2D((cx, cy), angle, 1.0)
    turned = cv2.transform(contour.astype(np.float32), turn)
    x0, y0 = np.floor(turned.reshape(-1, 2).min(axis=0)) - 6
    x1, y1 = np.ceil(turned.reshape(-1, 2).max(axis=0)) + 7
    turn[:, 2] -= (x0, y0)
    size = (int(x1 - x0), int(y1 - y0))
    image = cv2.warpAffine(picture.image, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    filled = np.zeros(picture.image.shape[:2], np.uint8)
    cv2.drawContours(filled, [contour], -1, 255, cv2.FILLED)
    mask = np.asarray(cv2.warpAffine(filled, turn, size, flags=cv2.INTER_NEAREST), np.uint8)
    points = contour.reshape(-1, 2)
    rim = np.array(picture.image.shape[1::-1]) - 1
    touches = bool(np.any(points <= 0) or np.any(points >= rim))
    back = np.asarray(cv2.invertAffineTransform(turn), np.float64)
    upright = np.asarray(image, np.uint8)
    return Sheet(upright, mask, _darkness(upright, mask), -angle, back, picture.px_per_mm, touches)


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
