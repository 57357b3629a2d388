"""How a point of a rulebook is read: its group, and the check that turns a file's value into the engine's.

A reader takes the value as a TOML or JSON reader gives it and raises BadPoint for anything that no rule knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, TypeVar

from engine.cards import CARDS, Card, Level, Rank, card_texts, parse_cards
from engine.ladder import Penalty
from engine.ranking import Criterion

NOT_REGULATED: Final = "none"
"""How a file says that a point its parent has is not regulated."""


LARGEST: Final = 10**9
"""The largest number that a file may hold: above every count of cards, points, seconds and boards."""
MOST_LEFT: Final = 26
"""Cards that a play leaves at most: one less than a hand."""
SHOWN: Final = 80
"""Characters of a value that a refusal shows."""


def shown(value: object) -> str:
    """A value as a refusal names it: as Python writes it, its middle left out where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number with too many digits to be written; tables in tables
        return f"<{type(value).__name__}, too long to be shown>"
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}...{text[-SHOWN // 4 :]}"


class BadPoint(ValueError):
    """A value that a point cannot have. `wrong` continues a sentence that begins with the point's name."""

    def __init__(self, wrong: str, remedy: str = "mend it, or leave it out") -> None:
        super().__init__(f"{wrong}; {remedy}")
        self.wrong = wrong
        self.remedy = remedy


class Group(StrEnum):
    """What a point is about. A rulebook inherits, or borrows from another one than its parent, by group (G-1)."""

    DEAL = "deal"
    """Cut, first drawer, shufflers (RULEBOOKS 3.1)."""
    PLAY = "play"
    """Combinations, manner of play, passes (2.3, 3.2)."""
    TRIBUTE = "tribute"
    """Tribute and return (3.3)."""
    REPORT = "report"
    """Reports of remaining cards (3.4)."""
    LEVEL = "level"
    """Levels and A (3.5)."""
    END = "end"
    """How a match ends (3.5)."""
    SCORE = "score"
    """Match points, level points, ranking (3.6)."""
    TIME = "time"
    """Limits of seconds (3.7)."""
    ORGANISATION = "organisation"
    """Lateness and the length of a round (3.7)."""
    PENALTY = "penalty"
    """Ladder, forfeits, awards, calls (4, 5)."""


Reader = Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Point:
    """What is known of a point beside its name and type: its group, and the reader of its value."""

    group: Group
    read: Reader


def point(group: Group, read: Reader) -> Mapping[str, Point]:
    """Metadata of a field of Rulebook that is a point."""
    return {"point": Point(group, read)}


def as_plain(value: object) -> object:
    """A value of a point as JSON knows it: cards, ranks, levels and seats by their text, sets sorted."""
    if isinstance(value, Rank | Level | Card):
        return value.text
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset):
        return card_texts(sorted(value))
    if isinstance(value, tuple):
        return [as_plain(item) for item in value]
    return value


Value = TypeVar("Value")


def regulated(read: Callable[[object], Value]) -> Callable[[object], Value | None]:
    """A reader that also takes `none`: the point is not regulated."""
    return lambda value: None if value == NOT_REGULATED else read(value)


def one_of(*words: str) -> Callable[[object], str]:
    """A reader that takes one of `words`."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise BadPoint(f"is {shown(value)}, not one of {' '.join(words)}")
        return value

    return read


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise BadPoint(f"is {shown(value)}, not true or false")
    return value


def whole(value: object) -> int:
    """A whole number from 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadPoint(f"is {shown(value)}, not a whole number")
    if value > LARGEST:
        raise BadPoint(f"is {shown(value)}", f"write a number up to {LARGEST}")
    return value


def at_least_one(value: object) -> int:
    """A whole number from 1."""
    number = whole(value)
    if number == 0:
        raise BadPoint("is 0, so that nothing could be done", "write 1 or more")
    return number


def first_or_second(value: object) -> int:
    """1 or 2."""
    number = whole(value)
    if number not in (1, 2):
        raise BadPoint(f"is {shown(number)}, not 1 or 2")
    return number


def duration(value: object) -> float:
    """Seconds or minutes, more than 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LARGEST:
        raise BadPoint(f"is {shown(value)}, not a positive number", f"write a number up to {LARGEST}")
    return float(value)


def allowance(value: object) -> float:
    """Seconds, 0 for none."""
    return 0.0 if value == 0 and not isinstance(value, bool) else duration(value)


def rank(value: object) -> Rank:
    """A printed rank; a joker is none."""
    return Rank.parse(one_of(*"23456789TJQKA")(value))


def level(value: object) -> Level:
    """A level that is played; A+ is none."""
    return Level.parse(one_of(*"23456789TJQKA")(value))


def redrawn(value: object) -> frozenset[Card]:
    """Faces that are drawn anew; at least half of them are not, so that drawing ends. Raises BadCard too."""
    faces = frozenset(parse_cards(texts(value)))
    if len(faces) > len(CARDS) // 2:
        wrong = f"names {len(faces)} of {len(CARDS)} faces, so that hardly any card could be turned up"
        raise BadPoint(wrong, f"name {len(CARDS) // 2} or fewer")
    return faces


def count_of_hand(value: object) -> int:
    """A count of cards that a play may leave, 0 to 26."""
    number = whole(value)
    if number > MOST_LEFT:
        raise BadPoint(f"is {number}, more than a play leaves", f"write {MOST_LEFT} or less")
    return number


def partner_places(value: object) -> tuple[int, ...]:
    """Places that first's partner may take."""
    if not isinstance(value, list) or not all(type(item) is int and item in {2, 3, 4} for item in value):
        raise BadPoint(f"is {shown(value)}, not a list of 2, 3 and 4")
    if not value:
        raise BadPoint("is an empty list, so that A could never be passed", "name at least one of 2, 3 and 4")
    _refuse_repeated(value)
    return tuple(value)


def match_points(value: object) -> tuple[int, int | None, int]:
    """Win, draw, loss; a draw below 0 stands for "there is none", for which a file has no word."""
    win, draw, loss = _numbers(value, 3)
    in_order = [win, loss] if draw < 0 else [win, draw, loss]
    if sorted(in_order, reverse=True) != in_order:
        raise BadPoint(
            f"is {shown(value)}, where a worse result brings more", "write win, draw, loss, none above the last"
        )
    return win, draw if draw >= 0 else None, loss


def two_numbers(value: object) -> tuple[int, int]:
    """Points of the side that gets more, and of the other."""
    won, lost = _numbers(value, 2)
    return won, lost


def criteria(value: object) -> tuple[Criterion, ...]:
    """Criteria of a ranking, in order."""
    names = texts(value)
    if wrong := [name for name in names if name not in list(Criterion)]:
        raise BadPoint(f"names {shown(wrong[0])}, not one of {' '.join(Criterion)}")
    _refuse_repeated(names)
    return tuple(map(Criterion, names))


def penalties(value: object) -> tuple[Penalty, ...]:
    """Penalties by occurrence, the last for all further ones."""
    names = texts(value)
    if wrong := [name for name in names if name not in list(Penalty)]:
        raise BadPoint(f"names {shown(wrong[0])}, not one of {' '.join(Penalty)}")
    if not names:
        raise BadPoint("is an empty list", f'name a penalty for each occurrence, or write "{NOT_REGULATED}"')
    return tuple(map(Penalty, names))


def texts(value: object) -> Sequence[str]:
    """A list of texts."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadPoint(f"is {shown(value)}, not a list of texts")
    return value


def _refuse_repeated(values: Sequence[object]) -> None:
    if repeated := [value for place, value in enumerate(values) if value in values[:place]]:
        raise BadPoint(f"names {shown(repeated[0])} twice", "name each once")


def _numbers(value: object, length: int) -> Sequence[int]:
    if not isinstance(value, list) or len(value) != length or not all(type(item) is int for item in value):
        raise BadPoint(f"is {shown(value)}, not {length} whole numbers")
    if any(abs(number) > LARGEST for number in value):
        raise BadPoint(f"is {shown(value)}", f"write numbers up to {LARGEST}")
    return value
