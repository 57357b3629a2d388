"""Contact sheets of index styles, for a person to look at: `python -m vision.style_sheet FILE.png [STYLE...]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Final

import cv2
import numpy as np

from engine.cards import Card
from vision.frames import Pixels
from vision.index_patch import draw_index
from vision.index_style import IndexStyle
from vision.styled_face import draw_styled_card
from vision.styles import STYLES

_ROW: Final = "2S 3H 4C 5D 6S 7H 8C 9D TS TH JC JD QS QH KC KD AS AH AC AD SJ BJ"
_FACES: Final = "AS 3H 9D TC JH QS KD SJ BJ"


def index_sheet(styles: Sequence[IndexStyle], px_per_mm: float = 4.0) -> Pixels:
    """One row a style: every rank in both inks, every suit, both jokers; (H, W, 3) uint8, BGR, name on the left."""
    return _rows(
        [(style.name, [draw_index(card, style, px_per_mm).image for card in _cards(_ROW)]) for style in styles]
    )


def face_sheet(styles: Sequence[IndexStyle], px_per_mm: float = 3.0) -> Pixels:
    """One row a style of whole faces; (H, W, 3) uint8, BGR."""
    return _rows(
        [
            (style.name, [_on_grey(draw_styled_card(card, style, px_per_mm).face.image) for card in _cards(_FACES)])
            for style in styles
        ]
    )


def main(arguments: Sequence[str]) -> int:
    """Writes FILE.png with indices and FILE-faces.png with faces of the named styles, all by default; 2 on bad use."""
    known = {style.name: style for style in STYLES}
    if not arguments or not arguments[0].endswith(".png"):
        sys.stderr.write("name the picture to write: python -m vision.style_sheet FILE.png [STYLE...]\n")
        return 2
    for name in arguments[1:]:
        if name not in known:
            sys.stderr.write(f"{name!r} is no style; one of {' '.join(known)}\n")
            return 2
    styles = [known[name] for name in arguments[1:]] or STYLES
    file = FilePath(arguments[0])
    for path, sheet in ((file, index_sheet(styles)), (file.with_stem(f"{file.stem}-faces"), face_sheet(styles))):
        path.write_bytes(cv2.imencode(".png", sheet)[1].tobytes())
    return 0


def _cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


def _on_grey(face: Pixels) -> Pixels:
    share = face[:, :, 3:].astype(np.float32) / 255
    return np.rint(face[:, :, :3] * share + 110 * (1 - share)).astype(np.uint8)


def _rows(rows: list[tuple[str, list[Pixels]]]) -> Pixels:
    label = 30
    width = max(sum(picture.shape[1] + 4 for picture in pictures) for _, pictures in rows)
    strips = []
    for name, pictures in rows:
        strip = np.full((max(picture.shape[0] for picture in pictures) + label, width, 3), 200, dtype=np.uint8)
        cv2.putText(strip, name, (4, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (0, 0, 0), 1, cv2.LINE_AA)
        left = 0
        for picture in pictures:
            strip[label : label + picture.shape[0], left : left + picture.shape[1]] = picture
            left += picture.shape[1] + 4
        strips.append(strip)
    return np.vstack(strips)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
