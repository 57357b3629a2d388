"""From picture to millimetres: the plane found from the four table markers, and zones seen straight and upright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import Seat
from vision import layout
from vision.frames import Pixels, check_bgr
from vision.layout import Zone
from vision.markers import TABLE_IDS, Marker, find_markers

Matrix = npt.NDArray[np.float64]

MIN_PX_PER_MM: Final = 1.5
"""Below this the set-up is refused a clean bill (research/vision.md, camera recommendation)."""
MOVED_MM: Final = 4.0
"""Markers further than this from where they were: the camera was bumped."""


class NotCalibrated(Exception):
    """Too few table markers in a picture to know the plane."""

    def __init__(self, found: tuple[int, ...]) -> None:
        missing = [number for number in TABLE_IDS if number not in found]
        super().__init__(
            f"table markers {missing} are not in the picture (found {list(found)}); uncover all four and re-aim"
        )
        self.found = found


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Where the table plane is in the picture.

    matrix: (3, 3) float64 homography from table millimetres to pixels, centre of the top left pixel at (0, 0).
    """

    matrix: Matrix

    def __post_init__(self) -> None:
        if self.matrix.shape != (3, 3) or self.matrix.dtype != np.float64 or not np.all(np.isfinite(self.matrix)):
            raise ValueError(f"a calibration is a finite (3, 3) float64 matrix, not {self.matrix!r}")

    def pixels(self, points: Matrix) -> Matrix:
        """(n, 2) table millimetres -> (n, 2) pixels."""
        return np.asarray(
            cv2.perspectiveTransform(points.astype(np.float64).reshape(-1, 1, 2), self.matrix).reshape(-1, 2)
        )

    @property
    def px_per_mm(self) -> float:
        """Density at the table centre, the smaller of both directions."""
        centre, east, north = self.pixels(np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]]))
        return float(min(np.linalg.norm(east - centre), np.linalg.norm(north - centre)) / 10)

    def scaled(self, by: float) -> Calibration:
        """The same view in a picture `by` times as large (0.25 for a quarter-size decode)."""
        half = 0.5 * by - 0.5
        return Calibration(np.array([[by, 0, half], [0, by, half], [0, 0, 1]], np.float64) @ self.matrix)


@dataclass(frozen=True, slots=True, eq=False)
class ZonePicture:
    """A zone as its player sees it, upright and to scale.

    image: (H, W, 3) uint8 BGR. zone: the rectangle shown, seat view; its far left corner is the image's top left.
    """

    image: Pixels
    seat: Seat
    zone: Zone
    px_per_mm: float

    def __post_init__(self) -> None:
        check_bgr(self.image)


def calibrate(image: Pixels) -> Calibration:
    """The plane from a picture that shows all four table markers. Raises NotCalibrated."""
    return from_markers(find_markers(image))


def from_markers(found: tuple[Marker, ...]) -> Calibration:
    """The plane from all 16 corners of the four table markers. Raises NotCalibrated if one is missing."""
    by_id = {marker.id: marker for marker in found if marker.id in TABLE_IDS}
    if len(by_id) < len(TABLE_IDS):
        raise NotCalibrated(tuple(sorted(by_id)))
    plane = np.vstack([_corners_mm(number) for number in TABLE_IDS])
    seen = np.vstack([by_id[number].corners for number in TABLE_IDS]).astype(np.float64)
    matrix, _ = cv2.findHomography(plane, seen, 0)
    if matrix is None or not np.all(np.isfinite(matrix)):
        raise NotCalibrated(())
    return Calibration(np.asarray(matrix, np.float64))


def has_moved(calibration: Calibration, found: tuple[Marker, ...]) -> bool:
    """Whether any table marker seen lies more than MOVED_MM from where the calibration expects it."""
    limit = MOVED_MM * calibration.px_per_mm
    for marker in found:
        if marker.id in TABLE_IDS:
            expected = calibration.pixels(_corners_mm(marker.id))
            if float(np.linalg.norm(expected - marker.corners, axis=1).max()) > limit:
                return True
    return False


def rectify(image: Pixels, calibration: Calibration, seat: Seat, zone: Zone, px_per_mm: float = 3.0) -> ZonePicture:
    """The zone of `seat` seen straight from above, upright for its player.

    Parts outside the picture come out as the nearest pixel of its rim.
    """
    size = (round(zone.width * px_per_mm), round(zone.height * px_per_mm))
    turned = [layout.seat_to_table(seat, corner) for corner in zone.corners]
    source = calibration.pixels(np.array([(point.x, point.y) for point in turned], np.float64))
    w, h = size[0] - 0.5, size[1] - 0.5  # corners of the zone lie half a pixel outside the outer pixels' centres
    target = np.array([[-0.5, -0.5], [w, -0.5], [w, h], [-0.5, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target)
    flat = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return ZonePicture(np.asarray(flat, np.uint8), seat, zone, px_per_mm)


def _corners_mm(number: int) -> Matrix:
    """Corners of a table marker from its own top left clockwise; its up is North."""
    x, y = layout.TABLE_MARKER_CENTRES[number]
    half = layout.TABLE_MARKER_SIDE_MM / 2
    return np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])
