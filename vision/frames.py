"""One picture of the camera, and the port through which pictures come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]


class BadFrame(ValueError):
    """An array that cannot be a picture."""

    def __init__(self, what: str) -> None:
        super().__init__(f"not a BGR picture: {what}")


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A decoded picture.

    image: (H, W, 3) uint8, BGR, at least 16 x 16. number: counts up from 1 within one source, gaps are skipped frames.
    mono_ns: monotonic clock when the last byte of the picture had arrived.
    """

    image: Pixels
    number: int
    mono_ns: int
    source: str

    def __post_init__(self) -> None:
        check_bgr(self.image)

    @property
    def width(self) -> int:
        return int(self.image.shape[1])

    @property
    def height(self) -> int:
        return int(self.image.shape[0])


class Shot(Protocol):
    """The newest picture of a source, not decoded yet, so that a picture nobody looks at costs nothing."""

    @property
    def number(self) -> int: ...

    @property
    def mono_ns(self) -> int: ...

    @property
    def digest(self) -> int:
        """Equal for bit-identical pictures; tells a frozen camera from a quiet table."""
        ...

    def decode(self, reduce: int = 1) -> Frame | None:
        """The picture at 1/reduce (1, 2, 4 or 8) of its size; None if its bytes are no picture."""
        ...


class FrameSource(Protocol):
    """Where pictures come from: camera, video file, folder, motion-JPEG over HTTP."""

    @property
    def name(self) -> str: ...

    def newest(self, after: int, wait_s: float) -> Shot | None:
        """The newest shot with a number above `after`, waiting at most `wait_s`; None if none comes. Never raises."""
        ...

    def ended(self) -> bool:
        """Whether no further picture can come (end of a file or folder)."""
        ...

    def close(self) -> None: ...


def check_bgr(image: Pixels) -> None:
    """Raises BadFrame unless `image` is (H, W, 3) uint8 with H, W >= 16."""
    if image.dtype != np.uint8:
        raise BadFrame(f"dtype {image.dtype}")
    if image.ndim != 3 or image.shape[2] != 3 or min(image.shape[:2]) < 16:
        raise BadFrame(f"shape {image.shape}")
