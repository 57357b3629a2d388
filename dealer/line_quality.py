"""Whether a line carries its frames well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SPAN_S: Final = 10.0
POOR_SHARE: Final = 0.05
"""Share of bad and repeated frames in SPAN_S that makes a line poor; a good line has none."""
POOR_LEAST: Final = 5


class LineQuality:
    """Judges a line by the frames of each SPAN_S."""

    def __init__(self) -> None:
        self._since = 0.0
        self._frames = 0
        self._wrong = 0

    def judge(self, now: float, counts: Mapping[str, int]) -> bool | None:
        """Whether the line was poor over the span that ends at `now` (s); None before it ends. The first one is good.

        counts: `frames`, `retransmits` and `bad_frames` since the start.
        """
        if now - self._since < SPAN_S:
            return None
        is_first = self._since == 0
        frames, wrong = counts["frames"], counts["retransmits"] + counts["bad_frames"]
        is_poor = wrong - self._wrong >= max(POOR_LEAST, POOR_SHARE * (frames - self._frames))
        self._since, self._frames, self._wrong = now, frames, wrong
        return is_poor and not is_first
