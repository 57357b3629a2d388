"""The cards in any picture: a photo of a table, a frame of the camera, nothing known about how it was taken."""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import Card, Seat
from vision.calibration import Calibration, NotCalibrated, calibrate, rectify
from vision.frames import BadFrame, Pixels, check_bgr
from vision.glimpse import paper_level
from vision.layout import CARD_WIDTH_MM, ZONES, Area, Point, seat_to_table
from vision.lone import LoneCard, read_lone
from vision.outline import Outline, find_outlines
from vision.read import SURE as PLAY_SURE
from vision.read import read_play
from vision.templates import DENSITY, index_templates
from vision.zone import AROUND_MM, WHITE_SHARE

SURE: Final = 0.7
"""A card apart with less is unsure. Measured: docs/reader.md."""
WORTH_MENTION: Final = 0.02
"""An outline whose best name has less is left out: it is more likely a box or a tile than a card."""
MAX_MEGAPIXELS: Final = 100
MAX_FILE_BYTES: Final = 300_000_000
WORK_SIDE_PX: Final = 2000
"""Photos are read at no more than this length; a card across a sixth of it still has 4 px/mm."""
COPIES: Final = 2
"""A table's two packs hold each face twice."""


class BadPicture(ValueError):
    """A file that cannot be read as a picture."""

    def __init__(self, file: str, what: str, remedy: str) -> None:
        super().__init__(f"{file}: {what}; {remedy}")
        self.file = file


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card read surely. sure: 0..1. at: its middle, pixels from the picture's upper left."""

    card: Card
    sure: float
    at: tuple[float, float]

    def __post_init__(self) -> None:
        _check(self.sure, self.at)


@dataclass(frozen=True, slots=True)
class UnsureCard:
    """Something like a card, and the best guess at its name. sure, at: as FoundCard."""

    guess: Card
    sure: float
    at: tuple[float, float]

    def __post_init__(self) -> None:
        _check(self.sure, self.at)


@dataclass(frozen=True, slots=True)
class PictureReading:
    """What lies in one picture. file: as the caller wrote it. Both lists left to right; no face thrice in `cards`."""

    file: str
    cards: tuple[FoundCard, ...]
    unsure: tuple[UnsureCard, ...]

    def __post_init__(self) -> None:
        most = max(Counter(found.card for found in self.cards).values(), default=0)
        if most > COPIES:
            raise ValueError(f"{self.file}: a face is read {most} times, two packs hold it {COPIES} times")

    def to_json(self) -> dict[str, object]:
        """The entry of `dealer read --json`."""
        return {
            "file": self.file,
            "cards": [{"card": f.card.text, "sure": round(f.sure, 3), "at": list(f.at)} for f in self.cards],
            "unsure": [{"guess": u.guess.text, "sure": round(u.sure, 3), "at": list(u.at)} for u in self.unsure],
        }


def read_picture(path: str, annotate: Path | None = None) -> PictureReading:
    """The cards of a picture file. annotate: folder (made if absent) for a marked copy, `<name of the file>.png`.

    A picture that shows the four table markers is read by play zone; any other by the cards that lie apart.
    Raises BadPicture.
    """
    image, scale = _load(path)
    try:
        found = _read_zones(image, calibrate(image))
    except NotCalibrated:
        found = _read_apart(image)
    reading = _sort_out(path, found, scale)
    if annotate is not None:
        _write_marked(image, scale, reading, annotate)
    return reading


@dataclass(frozen=True, slots=True)
class _Find:
    """A card at a place in the working picture, named (or guessed when not clear)."""

    card: Card
    sure: float
    clear: bool
    at: tuple[float, float]


def _read_apart(image: Pixels) -> list[_Find]:
    """One find a physical card: of nested outlines the one that reads best."""
    read = [(outline, read_lone(image, outline)) for outline in find_outlines(image)]
    named = [(outline, lone) for outline, lone in read if lone is not None and lone.sure >= WORTH_MENTION]
    kept: list[tuple[Outline, LoneCard]] = []
    for outline, lone in sorted(named, key=lambda item: -item[1].sure):
        if not any(outline.overlaps(other) for other, _ in kept):
            kept.append((outline, lone))
    return [_Find(lone.card, lone.sure, lone.sure >= SURE, outline.middle) for outline, lone in kept]


def _read_zones(image: Pixels, calibration: Calibration) -> list[_Find]:
    found: list[_Find] = []
    zone = ZONES[Area.PLAY].widened(AROUND_MM)
    paper = WHITE_SHARE * paper_level(image, calibration)
    for seat in Seat:
        play = read_play(rectify(image, calibration, seat, zone, DENSITY), index_templates(), paper)
        for reading in play.cards:
            if reading.card is None:
                continue
            place = seat_to_table(seat, Point(reading.x_mm + CARD_WIDTH_MM / 2, zone.centre.y))
            x, y = calibration.pixels(np.array([[place.x, place.y]]))[0]
            clear = play.trouble is None and reading.sure >= PLAY_SURE
            found.append(_Find(reading.card, reading.sure, clear, (float(x), float(y))))
    return found


def _sort_out(file: str, found: list[_Find], scale: float) -> PictureReading:
    """Clear cards and the rest. Of more than two copies of one face the surest two stay."""
    cards: list[FoundCard] = []
    unsure: list[UnsureCard] = []
    copies: Counter[Card] = Counter()
    for find in sorted(found, key=lambda find: -find.sure):
        at = (round(find.at[0] / scale, 1), round(find.at[1] / scale, 1))
        if find.clear and copies[find.card] < COPIES:
            copies[find.card] += 1
            cards.append(FoundCard(find.card, find.sure, at))
        else:
            unsure.append(UnsureCard(find.card, find.sure, at))
    return PictureReading(
        file, tuple(sorted(cards, key=lambda card: card.at)), tuple(sorted(unsure, key=lambda card: card.at))
    )


def _load(file: str) -> tuple[Pixels, float]:
    """The picture, reduced to WORK_SIDE_PX where longer, and its size as a share of the file's."""
    try:
        size = Path(file).stat().st_size
        data = Path(file).read_bytes() if size <= MAX_FILE_BYTES else b""
    except FileNotFoundError:
        raise BadPicture(file, "there is no such file", "check the name") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        raise BadPicture(file, f"cannot be opened ({error})", "give a picture file that may be read") from error
    if size > MAX_FILE_BYTES:
        raise BadPicture(file, f"{size} bytes is too large", f"give a picture under {MAX_MEGAPIXELS} megapixels")
    if not data:
        raise BadPicture(file, "the file is empty", "take or copy the picture again")
    _refuse_large(file, *(_stated_size(data) or (0, 0)))
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise BadPicture(file, "cannot be decoded", "give a JPEG or PNG picture") from error
    if image is None:
        raise BadPicture(file, "is not a picture or is damaged", "give a JPEG or PNG picture")
    pixels = np.asarray(image, np.uint8)
    _refuse_large(file, pixels.shape[1], pixels.shape[0])
    try:
        check_bgr(pixels)
    except BadFrame as error:
        raise BadPicture(file, str(error), "give a colour picture of at least 16 x 16 pixels") from error
    scale = min(1.0, WORK_SIDE_PX / max(pixels.shape[:2]))
    if scale < 1.0:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        if min(pixels.shape[:2]) < 16:
            raise BadPicture(file, "is a sliver, far longer than wide", "give a picture of a table")
    return pixels, scale


def _refuse_large(file: str, width: int, height: int) -> None:
    if width * height > MAX_MEGAPIXELS * 1_000_000:
        what = f"{width} x {height} pixels is too large"
        raise BadPicture(file, what, f"reduce it to under {MAX_MEGAPIXELS} megapixels")


def _stated_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a PNG or JPEG claims, before memory is spent on it; None for other kinds.

    Source: PNG specification 11.2.2 (IHDR); ITU-T T.81 B.2.2 (frame header).
    """
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + max(length, 2)
    return None


def _write_marked(image: Pixels, scale: float, reading: PictureReading, folder: Path) -> None:
    """A copy with every card boxed and named: solid and plain for sure, with a question mark for unsure."""
    marked = image.copy()
    size = max(0.5, max(marked.shape[:2]) / 1400)
    reach = round(34 * size)
    labels = [(f.at, f.card.text, (0, 160, 0)) for f in reading.cards]
    labels += [(u.at, f"{u.guess.text}?", (0, 120, 255)) for u in reading.unsure]
    for at, text, colour in labels:
        x, y = round(at[0] * scale), round(at[1] * scale)
        cv2.rectangle(marked, (x - reach, y - reach // 2), (x + reach, y + reach // 2), (255, 255, 255), cv2.FILLED)
        cv2.rectangle(marked, (x - reach, y - reach // 2), (x + reach, y + reach // 2), colour, max(1, round(2 * size)))
        place = (x - round(reach * 0.8), y + round(10 * size))
        cv2.putText(marked, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, max(1, round(2 * size)), cv2.LINE_AA)
    target = folder / f"{Path(reading.file).stem}.png"
    done, data = cv2.imencode(".png", marked)
    if not done:
        raise BadPicture(reading.file, "its marked copy cannot be compressed", "leave out --annotate")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.tobytes())
    except OSError as error:
        remedy = f"choose a folder that may be written ({error})"
        raise BadPicture(reading.file, f"its marked copy {target} cannot be written", remedy) from error


def _check(sure: float, at: tuple[float, float]) -> None:
    if not 0.0 <= sure <= 1.0:
        raise ValueError(f"sure {sure} is outside 0..1")
    if not all(np.isfinite(at)) or min(at) < 0:
        raise ValueError(f"a card cannot lie at {at}")
