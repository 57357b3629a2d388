"""Cards in a picture of any table: what `dealer read` uses.

Two ways. A picture that shows the four table markers is read zone by zone, like the camera's. In any other picture
white regions are taken for cards or rows of overlapped cards, each tried upright and upside down; what does not fit
in every respect is listed as unsure, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import Card, Seat
from vision.calibration import Calibration, NotCalibrated, calibrate, rectify
from vision.cardface import DEFAULT_STYLE
from vision.frames import Pixels
from vision.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM, ZONES, Area, Point, seat_to_table
from vision.observations import CardReading
from vision.paper import Contour, Sheet, find_sheets, lies_turned, lift, paper_mask
from vision.read import SURE, Index, Trouble, check_sheet, read_sheet
from vision.templates import DENSITY, IndexTemplates, index_templates

MOST_SIDE_PX: Final = 4096
"""Larger pictures are reduced: they hold no more to read, only more to search."""
LEAST_REGION: Final = 0.004
"""Share of the picture below which a white region is no card."""
LEAST_PX_PER_MM: Final = 1.0
"""Below, indices are too small to be sure of (research: rank height of ten pixels)."""
SINGLE: Final = (1.25, 1.55)
"""Long side over short side of a lone card, 1.40, seen a little from the side."""
WORTH_NAMING: Final = 0.80
"""Likeness to an index from which an unsure reading is listed."""
_AROUND_MM: Final = 8.0


class BadPicture(Exception):
    """A file that is missing or is no picture."""

    def __init__(self, path: str | Path, why: str) -> None:
        super().__init__(f"{path}: {why}; give a JPEG, PNG or another picture file")
        self.path = Path(path)


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card read surely. at: its index in the picture, pixels x and y."""

    card: Card
    sure: float
    at: tuple[int, int]

    def to_json(self) -> dict[str, object]:
        return {"card": self.card.text, "sure": round(self.sure, 3), "at": list(self.at)}


@dataclass(frozen=True, slots=True)
class UnsureCard:
    """Something like an index. guess: the card that it fits best."""

    guess: Card
    sure: float
    at: tuple[int, int]

    def to_json(self) -> dict[str, object]:
        return {"guess": self.guess.text, "sure": round(self.sure, 3), "at": list(self.at)}


@dataclass(frozen=True, slots=True)
class PictureReading:
    """What a picture shows, each physical card once; file as it was given."""

    file: str
    cards: tuple[FoundCard, ...]
    unsure: tuple[UnsureCard, ...]

    def to_json(self) -> dict[str, object]:
        """The entry of `dealer read --json`."""
        return {
            "file": self.file,
            "cards": [found.to_json() for found in self.cards],
            "unsure": [found.to_json() for found in self.unsure],
        }


def read_picture(path: str | Path, annotate: Path | None = None) -> PictureReading:
    """The cards in the picture at `path`. annotate: a folder for a marked copy, made if need be.

    Raises BadPicture for a file that is missing or no picture, and where the copy cannot be written.
    """
    image = _load(path)
    cards, unsure = read_image(image)
    reading = PictureReading(str(path), cards, unsure)
    if annotate is not None:
        _annotate(image, reading, annotate / f"{Path(path).stem}.read.png")
    return reading


def read_image(image: Pixels) -> tuple[tuple[FoundCard, ...], tuple[UnsureCard, ...]]:
    """Sure and unsure cards of a (H, W, 3) BGR picture; cards of one row stay together, left to right."""
    scale = min(1.0, MOST_SIDE_PX / max(image.shape[:2]))
    small = image if scale == 1.0 else np.asarray(cv2.resize(image, None, fx=scale, fy=scale), np.uint8)
    try:
        plane = calibrate(small)
    except NotCalibrated:
        found, unsure = _read_anywhere(small)
    else:
        found, unsure = _read_zones(small, plane)
    if scale != 1.0:
        found = [FoundCard(card.card, card.sure, _scaled(card.at, scale)) for card in found]
        unsure = [UnsureCard(card.guess, card.sure, _scaled(card.at, scale)) for card in unsure]
    return tuple(found), tuple(unsure)


Lists = tuple[list[FoundCard], list[UnsureCard]]


def _load(path: str | Path) -> Pixels:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadPicture(path, error.strerror or "cannot be read") from error
    if not data:
        raise BadPicture(path, "the file is empty")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None or min(image.shape[:2]) < 16:
        raise BadPicture(path, "not a picture that can be read")
    return np.asarray(image, np.uint8)


def _read_zones(image: Pixels, plane: Calibration) -> Lists:
    """The four play zones of a calibrated table."""
    templates = index_templates()
    found: list[FoundCard] = []
    unsure: list[UnsureCard] = []
    for seat in Seat:
        picture = rectify(image, plane, seat, ZONES[Area.PLAY].widened(_AROUND_MM), DENSITY)
        for sheet in find_sheets(picture):
            indices = read_sheet(sheet, templates)
            _sort_out(indices, check_sheet(sheet, indices), _zone_to_picture(plane, seat, sheet), found, unsure)
    return found, unsure


def _read_anywhere(image: Pixels) -> Lists:
    found: list[FoundCard] = []
    unsure: list[UnsureCard] = []
    mask = paper_mask(image)
    if mask is None:
        return found, unsure
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    templates = index_templates()
    for contour in sorted(contours, key=lambda contour: cv2.boundingRect(contour)[1::-1]):
        if cv2.contourArea(contour) >= LEAST_REGION * mask.size:
            _read_region(image, np.asarray(contour, np.int32), templates, found, unsure)
    return found, unsure


def _read_region(
    image: Pixels, contour: Contour, templates: IndexTemplates, found: list[FoundCard], unsure: list[UnsureCard]
) -> None:
    """Try a white region as what its shape allows and keep the reading that fits best."""
    best: tuple[float, Sheet, tuple[Index, ...], Trouble | None] | None = None
    for turned, px_per_mm in _guesses(contour):
        if px_per_mm < LEAST_PX_PER_MM:
            continue
        sheet = lift(image, contour, turned, DENSITY / px_per_mm, DENSITY)
        indices = read_sheet(sheet, templates)
        trouble = check_sheet(sheet, indices)
        worth = sum(index.fit for index in indices) + (100 if trouble is None else 0)
        if indices and (best is None or worth > best[0]):
            if best is not None and best[3] is None and trouble is None and not _same(best[2], indices):
                trouble = Trouble.DOUBT  # upright and upside down read differently, and both look right
            best = (worth, sheet, indices, trouble)
    if best is not None:
        _, sheet, indices, trouble = best
        _sort_out(indices, trouble, lambda at: np.asarray(sheet.to_zone @ (*at, 1.0), np.float64), found, unsure)


def _guesses(contour: Contour) -> list[tuple[float, float]]:
    """Clockwise turn that makes it upright (degrees) and density, for a lone card and for a row of cards."""
    _, sides, _ = cv2.minAreaRect(contour)
    short, long = sorted(sides)
    turn = lies_turned(contour)
    moved = cv2.transform(contour.astype(np.float32), cv2.getRotationMatrix2D((0.0, 0.0), -turn, 1.0)).reshape(-1, 2)
    width, height = moved.max(axis=0) - moved.min(axis=0)
    out: list[tuple[float, float]] = []
    if SINGLE[0] <= long / max(short, 1) <= SINGLE[1]:
        upright = 0.0 if height > width else 90.0
        out += [(turn + upright + half, float(short) / CARD_WIDTH_MM) for half in (0.0, 180.0)]
    # A row of cards is 88 mm high; with the first few cards it is still higher than wide.
    for side, quarter in ((height, 0.0), (width, 90.0)):
        other = width if quarter == 0.0 else height
        if other > 0.8 * side and not (quarter and width == height):
            out += [(turn + quarter + half, float(side) / CARD_HEIGHT_MM) for half in (0.0, 180.0)]
    return out


def _same(a: tuple[Index, ...], b: tuple[Index, ...]) -> bool:
    return [index.reading.card for index in a] == [index.reading.card for index in b]


Placer = Callable[[tuple[float, float]], npt.NDArray[np.float64]]
"""Sheet pixels -> picture pixels."""


def _sort_out(
    indices: tuple[Index, ...], trouble: Trouble | None, place: Placer, found: list[FoundCard],
    unsure: list[UnsureCard],
) -> None:  # fmt: skip
    """Cards of one region into what is sure and what is worth naming."""
    style = DEFAULT_STYLE
    for index in indices:
        card: CardReading = index.reading
        if card.card is None:
            continue
        middle = (
            (index.left_mm + style.centre_x) * DENSITY,
            (index.top_mm + style.top + style.rank_height / 2) * DENSITY,
        )
        x, y = (round(float(value)) for value in place(middle)[:2])
        if trouble is None and card.sure >= SURE:
            found.append(FoundCard(card.card, card.sure, (x, y)))
        elif index.fit >= WORTH_NAMING:
            unsure.append(UnsureCard(card.card, min(card.sure, SURE - 0.01), (x, y)))


def _zone_to_picture(plane: Calibration, seat: Seat, sheet: Sheet) -> Placer:
    """From pixels of a sheet in a play zone to pixels of the whole picture."""
    zone = ZONES[Area.PLAY].widened(_AROUND_MM)

    def place(at: tuple[float, float]) -> npt.NDArray[np.float64]:
        x, y = sheet.to_zone @ (*at, 1.0)
        point = seat_to_table(seat, Point(zone.left + x / DENSITY, zone.far - y / DENSITY))
        return plane.pixels(np.array([[point.x, point.y]])).reshape(2)

    return place


def _scaled(at: tuple[int, int], scale: float) -> tuple[int, int]:
    return round(at[0] / scale), round(at[1] / scale)


def _annotate(image: Pixels, reading: PictureReading, path: Path) -> None:
    marked = image.copy()
    size = max(0.5, max(image.shape[:2]) / 1600)
    marks = [(found.card.text, found.at, (0, 160, 0)) for found in reading.cards]
    marks += [(f"{card.guess.text}?", card.at, (0, 120, 255)) for card in reading.unsure]
    for text, at, colour in marks:
        cv2.circle(marked, at, round(9 * size), colour, max(1, round(2 * size)), cv2.LINE_AA)
        place = (at[0] + round(10 * size), at[1])
        cv2.putText(
            marked, text, place, cv2.FONT_HERSHEY_SIMPLEX, size * 0.8, colour, max(1, round(2 * size)), cv2.LINE_AA
        )
    good, data = cv2.imencode(".png", marked)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.tobytes() if good else b"")
    except OSError as error:
        raise BadPicture(path, f"the marked copy cannot be written ({error.strerror})") from error
