"""When a zone has come to rest: pure bookkeeping for one zone, in the time of its pictures.

A zone is calm or busy. What makes it busy is movement, or a look that differs from the settled one. A busy zone in
which nothing moves and no hand lies is read in successive pictures; readings that agree settle it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, TypeVar

Content = TypeVar("Content", bound=Hashable)

SETTLE_S: Final = 0.3
FUSE_S: Final = 0.12
"""Readings begin so long before a zone may settle, so that the second one is there when it may."""
LATE_S: Final = 0.02
"""Pictures come a little unevenly; so much may be missing from SETTLE_S."""
GAP_S: Final = 0.5
"""After so long without a picture nobody knows what happened in between: calm counts from the next picture."""
GIVE_UP_S: Final = 1.2
"""A calm zone that cannot be read surely for so long is reported as unclear."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What a cheap look at a zone tells.

    moved: differs from the picture before. same: looks as it did when it settled. hand: something that is neither
    cloth nor paper lies in it.
    """

    moved: bool
    same: bool
    hand: bool


class Wish(Enum):
    """What a zone needs after a glance."""

    NOTHING = "nothing"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Settled(Generic[Content]):
    """A zone has come to rest. `sure` is False where readings did not agree in time."""

    content: Content
    sure: bool
    first_moved_ns: int
    settled_ns: int
    initial: bool


class ZoneWatch(Generic[Content]):
    """The rest and movement of one zone. Feed `glance` with every picture, `judge` with every reading wished for."""

    def __init__(self, settle_s: float = SETTLE_S) -> None:
        self._settle_ns = round((settle_s - LATE_S) * 1e9)
        self._read_ns = round((settle_s - FUSE_S) * 1e9)
        self._first_moved_ns: int | None = None
        self._calm_since_ns = 0
        self._last_ns: int | None = None
        self._read_since_ns: int | None = None
        self._before: Content | None = None
        self._initial = True

    @property
    def first_moved_ns(self) -> int | None:
        """When the movement under way began; None while the zone is calm."""
        return self._first_moved_ns

    def forget(self) -> None:
        """Nobody has been looking: what lies there has to be found out anew."""
        self._initial = True
        self._first_moved_ns = self._last_ns = self._read_since_ns = self._before = None

    def glance(self, look: Glance, now_ns: int) -> Wish:
        """Whether the picture taken at `now_ns` should be read."""
        gap = self._last_ns is None or now_ns - self._last_ns > GAP_S * 1e9
        self._last_ns = now_ns
        if self._first_moved_ns is None:
            if not self._initial and not look.moved and look.same:
                return Wish.NOTHING
            self._first_moved_ns = self._calm_since_ns = now_ns
        if look.moved or look.hand or gap:
            self._calm_since_ns = now_ns
            self._read_since_ns = self._before = None
            return Wish.NOTHING
        calm_ns = now_ns - self._calm_since_ns
        if look.same and not self._initial:
            if calm_ns >= self._settle_ns:
                self._rest()
            return Wish.NOTHING
        return Wish.READ if calm_ns >= self._read_ns else Wish.NOTHING

    def judge(self, content: Content, sure: bool, now_ns: int) -> Settled[Content] | None:
        """A reading of the picture at `now_ns`; the settled zone once two successive sure readings agree."""
        if self._first_moved_ns is None:
            return None
        if self._read_since_ns is None:
            self._read_since_ns = now_ns
        agree = sure and content == self._before
        self._before = content if sure else None
        calm_ns = now_ns - self._calm_since_ns
        late = now_ns - self._read_since_ns >= GIVE_UP_S * 1e9
        if calm_ns < self._settle_ns or not (agree or late):
            return None
        settled = Settled(content, agree, self._first_moved_ns, now_ns, self._initial)
        self._rest()
        return settled

    def _rest(self) -> None:
        self._initial = False
        self._first_moved_ns = self._read_since_ns = self._before = None
