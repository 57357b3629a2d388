"""A rulebook: the points in which published rules differ, as one checked value.

Source: RULEBOOKS section 12. A point that a text leaves open has the value of its parent (G-1).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.cards import PLAY_ORDER, BadCard, BadSeat, Card, Seat, card_texts, parse_cards

Plain = Mapping[str, object]  # a table as a TOML or JSON reader gives it


class UnknownRulebook(ValueError):
    """An id that names no rulebook."""

    def __init__(self, value: object, known: Iterable[str]) -> None:
        super().__init__(f"{value!r} is not a rulebook; choose one of {' '.join(known)}")


class BadRulebook(ValueError):
    """A rulebook's content that cannot be used."""

    def __init__(self, rulebook: object, wrong: str) -> None:
        super().__init__(f"rulebook {rulebook!r}: {wrong}")


@dataclass(frozen=True, slots=True)
class Steps:
    """Levels that the side of first gains, by the place of his partner. Source: RULEBOOKS 3.5."""

    second: int = 3
    third: int = 2
    last: int = 1

    def for_place(self, place: int) -> int:
        """Levels gained when the partner finishes at `place` (2, 3 or 4)."""
        return {2: self.second, 3: self.third}.get(place, self.last)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook. Seconds are limits that include their last moment (X-2); None: not regulated."""

    id: str
    title_en: str
    title_zh: str
    source: str
    play_order: tuple[Seat, ...] = PLAY_ORDER
    redraw_on: frozenset[Card] = frozenset()
    """Turned-up cards that are drawn anew (D-2)."""
    full_house_joker_pair: bool = True
    """Whether a full house may carry a pair of jokers (C-9)."""
    max_cards_per_play: int = 10
    steps: Steps = Steps()
    cap_at_a: bool = True
    """Whether gains stop at A, which must be played (U-1)."""
    pass_a_partner_places: tuple[int, ...] = (2, 3)
    """Places of first's partner with which A is passed."""
    only_declarer_passes_a: bool = True
    """Whether A is passed only in a deal at one's own A (U-4)."""
    report_threshold: int | None = 10
    """A play that leaves 1 to this many cards calls for a report."""
    first_lead_s: float | None = None
    play_s: float | None = None

    def points(self) -> dict[str, object]:
        """Every point by name, as JSON values."""
        return {
            "play_order": [seat.value for seat in self.play_order],
            "redraw_on": card_texts(sorted(self.redraw_on)),
            "full_house_joker_pair": self.full_house_joker_pair,
            "max_cards_per_play": self.max_cards_per_play,
            "steps": {"second": self.steps.second, "third": self.steps.third, "last": self.steps.last},
            "cap_at_a": self.cap_at_a,
            "pass_a_partner_places": list(self.pass_a_partner_places),
            "only_declarer_passes_a": self.only_declarer_passes_a,
            "report_threshold": self.report_threshold,
            "first_lead_s": self.first_lead_s,
            "play_s": self.play_s,
        }

    def to_json(self) -> dict[str, object]:
        """Identity, hash and every point; keys in a fixed order."""
        return {
            "id": self.id,
            "title_en": self.title_en,
            "title_zh": self.title_zh,
            "source": self.source,
            "hash": self.hash,
            "points": self.points(),
        }

    @property
    def hash(self) -> str:
        """SHA-256, hex, of identity and points as JSON with sorted keys and no spaces. Equal hash: same rules."""
        content = {"id": self.id, "source": self.source, "points": self.points()}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def is_play_order(order: tuple[Seat, ...]) -> bool:
    """Whether `order` names each seat once with partners opposite each other (C-1)."""
    return len(order) == 4 and len(set(order)) == 4 and order[0].partner is order[2]


def build_rulebook(layers: Iterable[Plain]) -> Rulebook:
    """The rulebook of `layers`, parent first: a later layer overrides points of an earlier one, and names the whole.

    Raises BadRulebook for an unknown or missing point and for a value of the wrong kind.
    """
    points: dict[str, object] = {}
    last: Plain = {}
    for last in layers:
        given = last.get("points", {})
        if not isinstance(given, Mapping):
            raise BadRulebook(last.get("id"), "`points` is not a table")
        points.update(given)
    name = _text(last, last, "id")
    if unknown := sorted(set(points) - set(Rulebook("", "", "", "").points())):
        raise BadRulebook(name, f"unknown point {unknown[0]!r}")
    try:
        return Rulebook(
            id=name,
            title_en=_text(last, last, "title_en"),
            title_zh=_text(last, last, "title_zh"),
            source=_text(last, last, "source"),
            play_order=_play_order(last, points),
            redraw_on=frozenset(parse_cards(_texts(last, points, "redraw_on"))),
            full_house_joker_pair=_flag(last, points, "full_house_joker_pair"),
            max_cards_per_play=_whole(last, points, "max_cards_per_play"),
            steps=_steps(last, points),
            cap_at_a=_flag(last, points, "cap_at_a"),
            pass_a_partner_places=_places(last, points),
            only_declarer_passes_a=_flag(last, points, "only_declarer_passes_a"),
            report_threshold=None if "report_threshold" not in points else _whole(last, points, "report_threshold"),
            first_lead_s=_seconds(last, points, "first_lead_s"),
            play_s=_seconds(last, points, "play_s"),
        )
    except (BadCard, BadSeat) as error:
        raise BadRulebook(name, str(error)) from error


_PLACES: Final = frozenset({2, 3, 4})


def _value(book: Plain, table: Plain, key: str) -> object:
    if key not in table:
        raise BadRulebook(book.get("id"), f"point {key!r} is missing")
    return table[key]


def _text(book: Plain, table: Plain, key: str) -> str:
    value = _value(book, table, key)
    if not isinstance(value, str) or not value:
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not a text")
    return value


def _flag(book: Plain, table: Plain, key: str) -> bool:
    value = _value(book, table, key)
    if not isinstance(value, bool):
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not true or false")
    return value


def _whole(book: Plain, table: Plain, key: str) -> int:
    value = _value(book, table, key)
    if type(value) is not int or value < 0:
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not a whole number")
    return value


def _seconds(book: Plain, table: Plain, key: str) -> float | None:
    if key not in table:
        return None
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not a positive number of seconds")
    return float(value)


def _texts(book: Plain, table: Plain, key: str) -> list[str]:
    value = _value(book, table, key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not a list of texts")
    return value


def _play_order(book: Plain, points: Plain) -> tuple[Seat, ...]:
    order = tuple(Seat.parse(text) for text in _texts(book, points, "play_order"))
    if not is_play_order(order):
        raise BadRulebook(book.get("id"), "play_order must name four seats with partners opposite each other")
    return order


def _steps(book: Plain, points: Plain) -> Steps:
    table = _value(book, points, "steps")
    if not isinstance(table, Mapping) or set(table) != {"second", "third", "last"}:
        raise BadRulebook(book.get("id"), "steps must give second, third and last")
    return Steps(_whole(book, table, "second"), _whole(book, table, "third"), _whole(book, table, "last"))


def _places(book: Plain, points: Plain) -> tuple[int, ...]:
    value = _value(book, points, "pass_a_partner_places")
    if not isinstance(value, list) or not set(value) <= _PLACES:
        raise BadRulebook(book.get("id"), f"pass_a_partner_places is {value!r}, not a list of 2, 3 and 4")
    return tuple(value)
