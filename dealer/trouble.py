"""What is wrong with a machine: conditions that come and go, collected until the table records them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

NEWS_LIMIT: Final = 128
"""Changes that may wait to be taken; the table takes them four times a second. Beyond it only the latest remain."""


class Troubles:
    """Conditions of one machine. A change is told once; whether one stands already is the journal's business."""

    def __init__(self) -> None:
        self._now: dict[str, bool] = {}
        self._news: list[tuple[str, bool]] = []

    def raised(self, name: str) -> bool:
        """Whether the condition stands."""
        return self._now.get(name, False)

    def set(self, name: str, stands: bool) -> bool:
        """Say whether a condition stands. Returns whether that is a change.

        The first word on a condition is told even when it does not stand: it may stand in the journal still.
        """
        if self._now.get(name) is stands:
            return False
        changed = stands or name in self._now
        self._now[name] = stands
        if len(self._news) >= NEWS_LIMIT:
            self._news = list(dict(self._news).items())
        self._news.append((name, stands))
        return changed

    def clear(self, names: Iterable[str]) -> None:
        """None of these stands."""
        for name in names:
            self.set(name, False)

    def take(self) -> list[tuple[str, bool]]:
        """Changes since the last call, in order."""
        news, self._news = self._news, []
        return news
