"""Pictures that have arrived but are not decoded yet, and the slot in which only the newest is kept."""

from __future__ import annotations

import threading
import zlib
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.frames import Frame, Pixels, Shot

_FLAGS: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
"""A JPEG decodes at a half, a quarter or an eighth for a fraction of the cost."""


@dataclass(frozen=True, slots=True)
class JpegShot:
    """A compressed picture as it came."""

    data: bytes
    number: int
    mono_ns: int
    source: str

    @property
    def digest(self) -> int:
        return zlib.crc32(self.data) ^ len(self.data)

    def decode(self, reduce: int = 1) -> Frame | None:
        """The picture at 1/reduce of its size; None if it cannot be decoded. Raises ValueError for another reduce."""
        if reduce not in _FLAGS:
            raise ValueError(f"cannot decode at 1/{reduce}; use 1, 2, 4 or 8")
        # A JPEG that was cut off still decodes, with grey below the cut; its end marker tells.
        if len(self.data) < 64 or (self.data.startswith(b"\xff\xd8") and b"\xff\xd9" not in self.data[-64:]):
            return None
        try:
            image = cv2.imdecode(np.frombuffer(self.data, np.uint8), _FLAGS[reduce])
        except cv2.error:
            return None
        if image is None or min(image.shape[:2]) < 16:
            return None
        return Frame(np.asarray(image, np.uint8), self.number, self.mono_ns, self.source)


@dataclass(frozen=True, slots=True, eq=False)
class ImageShot:
    """A picture that came decoded, from a camera driver or a video."""

    image: Pixels
    number: int
    mono_ns: int
    source: str

    @property
    def digest(self) -> int:
        return zlib.crc32(np.ascontiguousarray(self.image[::3]).data)

    def decode(self, reduce: int = 1) -> Frame | None:
        """The picture at 1/reduce of its size."""
        if reduce == 1:
            return Frame(self.image, self.number, self.mono_ns, self.source)
        h, w = self.image.shape[:2]
        if min(h, w) // reduce < 16:
            return None
        small = cv2.resize(self.image, (w // reduce, h // reduce), interpolation=cv2.INTER_AREA)
        return Frame(np.asarray(small, np.uint8), self.number, self.mono_ns, self.source)


class NewestSlot:
    """Holds the newest shot between the thread that receives and the one that looks; older ones are dropped."""

    def __init__(self) -> None:
        self._fresh = threading.Condition()
        self._shot: Shot | None = None
        self._closed = False

    def put(self, shot: Shot) -> None:
        with self._fresh:
            self._shot = shot
            self._fresh.notify_all()

    def close(self) -> None:
        """Nobody waits any longer."""
        with self._fresh:
            self._closed = True
            self._fresh.notify_all()

    def newest(self, after: int, wait_s: float) -> Shot | None:
        """The shot held if its number is above `after`, else the next one within `wait_s`, else None."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._closed or self._has(after), wait_s)
            return self._shot if self._has(after) else None

    def _has(self, after: int) -> bool:
        return self._shot is not None and self._shot.number > after
