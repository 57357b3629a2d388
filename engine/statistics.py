"""Statistics of play: how many plays, of which kinds, what wilds and bombs were used for.

Source: RULEBOOKS section 7, which gives the strategy guide's figures to compare with. A pass is not a play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.cards import Rank, Seat
from engine.combos import Reading, Type
from engine.order import BOMB_TYPES
from engine.state import Action

BOMBS: Final = "bombs"
"""Bombs, straight flushes and joker bombs together, as the guide counts them."""
KINDS: Final = (*(kind.value for kind in Type if kind not in BOMB_TYPES), BOMBS)

GUIDE_SHARE_PERCENT: Final[Mapping[str, float]] = {
    "single": 41.7,
    "pair": 19.7,
    "triple": 2.7,
    "full_house": 8.3,
    "straight": 5.0,
    "tube": 2.3,
    "plate": 0.8,
    BOMBS: 19.5,
}
GUIDE: Final[Mapping[str, float]] = {
    "plays_per_deal": 38.3,
    "deals_below_30_plays_percent": 3.3,
    "deals_30_to_50_plays_percent": 90.0,
    "plays_by_first": 9.6,
    "plays_by_second": 10.6,
    "plays_by_third": 11.1,
    "plays_by_last": 8.2,
    "bombs_per_deal": 7.5,
    "straight_flushes_percent_of_bombs": 19.2,
    "joker_bombs_percent_of_bombs": 0.7,
    "four_card_percent_of_rank_bombs": 82.4,
    "wilds_in_bombs_percent": 85.0,
    "wilds_in_others_percent": 11.7,
    "wilds_as_level_cards_percent": 3.3,
}
"""Figures of the strategy guide by the names of `Statistics.figures`."""


def kind_of(reading: Reading) -> str:
    """The kind under which a play is counted."""
    return BOMBS if reading.type in BOMB_TYPES else reading.type.value


@dataclass(slots=True)
class Statistics:
    """Counts over deals; feed it with `add`."""

    deals: int = 0
    double_downs: int = 0
    plays: list[int] = field(default_factory=list)
    """Plays of each deal."""
    by_kind: Counter[str] = field(default_factory=Counter)
    by_place: list[list[int]] = field(default_factory=lambda: [[], [], [], []])
    """Plays of the first, second, third and last of each deal that was played to its end."""
    bombs: Counter[str] = field(default_factory=Counter)
    """Bombs by size, `straight_flush` and `joker_bomb`."""
    wilds: Counter[str] = field(default_factory=Counter)
    """Wilds laid in `bombs`, in `others`, and as plain `level_cards`."""

    def add(self, level: Rank, acts: Iterable[Action], finish: tuple[Seat, ...]) -> None:
        """Count one deal: its acts that counted, in order, and its finishing order (two seats after a double-down)."""
        played = [act for act in acts if act.reading is not None]
        of_seat = Counter(act.seat for act in played)
        self.deals += 1
        self.plays.append(len(played))
        if len(finish) == 2:
            self.double_downs += 1
        else:
            for place, seat in enumerate(finish):
                self.by_place[place].append(of_seat[seat])
        for act in played:
            if act.reading is not None:
                self._play(level, act, act.reading)

    def _play(self, level: Rank, act: Action, reading: Reading) -> None:
        kind = kind_of(reading)
        self.by_kind[kind] += 1
        if kind == BOMBS:
            self.bombs[f"of {reading.size}" if reading.type is Type.BOMB else reading.type.value] += 1
        wilds = sum(card.is_wild(level) for card in act.cards)
        if wilds:
            plain = len(act.cards) <= 2 and reading.rank == level
            self.wilds["bombs" if kind == BOMBS else "level_cards" if plain else "others"] += wilds

    def share_percent(self) -> dict[str, float]:
        """Share of plays by kind; empty before the first play."""
        return {kind: _percent(self.by_kind[kind], sum(self.plays)) for kind in KINDS} if any(self.plays) else {}

    def figures(self) -> dict[str, float]:
        """What the guide gives figures of, by the names of GUIDE; empty before the first deal."""
        if not self.deals:
            return {}
        bombs = sum(self.bombs.values())
        of_rank = sum(count for name, count in self.bombs.items() if name.startswith("of "))
        wilds = sum(self.wilds.values())
        places = ("first", "second", "third", "last")
        return {
            "plays_per_deal": _mean(self.plays),
            "deals_below_30_plays_percent": _percent(sum(count < 30 for count in self.plays), self.deals),
            "deals_30_to_50_plays_percent": _percent(sum(30 <= count <= 50 for count in self.plays), self.deals),
            **{f"plays_by_{name}": _mean(self.by_place[place]) for place, name in enumerate(places)},
            "bombs_per_deal": round(bombs / self.deals, 2),
            "straight_flushes_percent_of_bombs": _percent(self.bombs["straight_flush"], bombs),
            "joker_bombs_percent_of_bombs": _percent(self.bombs["joker_bomb"], bombs),
            "four_card_percent_of_rank_bombs": _percent(self.bombs["of 4"], of_rank),
            "wilds_in_bombs_percent": _percent(self.wilds["bombs"], wilds),
            "wilds_in_others_percent": _percent(self.wilds["others"], wilds),
            "wilds_as_level_cards_percent": _percent(self.wilds["level_cards"], wilds),
        }


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def _mean(counts: list[int]) -> float:
    return round(sum(counts) / len(counts), 2) if counts else 0.0
