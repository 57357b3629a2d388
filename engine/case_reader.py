"""Reads the parts of one case as data (RULEBOOKS section 11); every complaint names the case and the key."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, TypeGuard, TypeVar

from engine.cards import Card, Level, Pair, Rank, Seat, parse_cards
from engine.combos import Reading, readings
from engine.rulebook_points import LARGEST

Json = Mapping[str, Any]  # a parsed JSON object, checked key by key
Answer = dict[str, Any]  # the same on its way out
Word = TypeVar("Word", bound=StrEnum)


class BadCase(ValueError):
    """A case that cannot be judged because its form is wrong."""

    def __init__(self, case: object, wrong: str) -> None:
        super().__init__(f"case {case!r}: {wrong}")
        self.wrong = wrong


DEEPEST: Final = 32
"""Levels of lists and objects in a case; real ones have six."""


def parse_case(line: str) -> Json:
    """The case in a line of JSON. Raises BadCase for what is no JSON object, or nested too deeply to be one."""
    try:
        case = json.loads(line)
    except RecursionError:
        raise BadCase(None, f"nested more than {DEEPEST} deep") from None
    except json.JSONDecodeError as error:
        raise BadCase(None, f"not JSON ({error.msg})") from error
    except ValueError:  # digits beyond what Python converts
        raise BadCase(None, f"a number beyond {LARGEST}") from None
    if not isinstance(case, dict):
        raise BadCase(None, "not a JSON object")
    if _is_deeper(case, DEEPEST):
        raise BadCase(None, f"nested more than {DEEPEST} deep")
    return case


def _is_deeper(value: object, levels: int) -> bool:
    if not isinstance(value, list | dict):
        return False
    inner = value if isinstance(value, list) else value.values()
    return levels == 0 or any(_is_deeper(item, levels - 1) for item in inner)


_A_WHOLE_NUMBER: Final = f"a whole number up to {LARGEST}"


def _is_whole(value: object) -> TypeGuard[int]:
    return type(value) is int and abs(value) <= LARGEST


class CaseReader:
    """Reads the parts of one case; every complaint names it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _bad(self, key: str, what: str) -> BadCase:
        return BadCase(self.name, f"key {key!r} is missing or not {what}")

    def text(self, table: Json, key: str) -> str:
        value = table.get(key)
        if not isinstance(value, str):
            raise self._bad(key, "a text")
        return value

    def table(self, table: Json, key: str) -> Json:
        value = table.get(key)
        if not isinstance(value, Mapping):
            raise self._bad(key, "an object")
        return value

    def tables(self, table: Json, key: str) -> list[Json]:
        value = table.get(key)
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            raise self._bad(key, "a list of objects")
        return value

    def whole(self, table: Json, key: str, default: int | None = None) -> int:
        """A whole number; `default`, if one is given, where the key is missing."""
        value = table.get(key, default)
        if not _is_whole(value):
            raise self._bad(key, _A_WHOLE_NUMBER)
        return value

    def whole_numbers(self, table: Json, key: str, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """A list of whole numbers; `default`, if one is given, where the key is missing."""
        if key not in table and default is not None:
            return default
        value = table.get(key)
        if not isinstance(value, list) or not all(map(_is_whole, value)):
            raise self._bad(key, f"a list, each {_A_WHOLE_NUMBER}")
        return tuple(value)

    def number(self, table: Json, key: str) -> float:
        value = table.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:  # nor a NaN
            raise self._bad(key, f"a number up to {LARGEST}")
        return float(value)

    def flag(self, table: Json, key: str, default: bool | None = None) -> bool:
        """True or false; `default`, if one is given, where the key is missing."""
        value = table.get(key, default)
        if not isinstance(value, bool):
            raise self._bad(key, "true or false")
        return value

    def choice(self, table: Json, key: str, words: type[Word]) -> Word:
        """One of the words of an enumeration."""
        try:
            return words(self.text(table, key))
        except ValueError:
            raise self._bad(key, f"one of {' '.join(words)}") from None

    def choices(self, table: Json, key: str, words: type[Word]) -> tuple[Word, ...]:
        """A list of words of an enumeration."""
        return tuple(self.choice({key: text}, key, words) for text in self.texts(table, key))

    def texts(self, table: Json, key: str) -> list[str]:
        value = table.get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._bad(key, "a list of texts")
        return value

    def cards(self, table: Json, key: str) -> tuple[Card, ...]:
        cards = parse_cards(self.texts(table, key))
        if not cards or max(Counter(cards).values()) > 2:
            raise self._bad(key, "a list of at least one card, no face more than twice")
        return cards

    def level(self, table: Json) -> Rank:
        return Level.parse(self.text(table, "level")).rank

    def levels(self, table: Json) -> dict[Pair, Level]:
        levels = self.table(table, "levels")
        return {pair: Level.parse(self.text(levels, pair.value)) for pair in Pair}

    def seats(self, table: Json, key: str) -> tuple[Seat, ...]:
        seats = tuple(Seat.parse(text) for text in self.texts(table, key))
        if len(set(seats)) != len(seats):
            raise self._bad(key, "a list of different seats")
        return seats

    def finish(self, table: Json, key: str) -> tuple[Seat, ...]:
        """A finishing order: four seats, or two partners."""
        finish = self.seats(table, key)
        if len(finish) not in {2, 4} or (len(finish) == 2 and finish[0].partner is not finish[1]):
            raise self._bad(key, "four seats, or two partners after a double-down")
        return finish

    def pair(self, table: Json, key: str) -> Pair | None:
        value = table.get(key)
        if value is None and key in table:
            return None
        if value not in list(Pair):
            raise self._bad(key, "EW, NS or null")
        return Pair(value)

    def reading(self, table: Json, level: Rank) -> Reading:
        """The reading of `{"cards", "reading"}`. Raises BadCase if the cards do not make it."""
        reading = Reading.from_json(table.get("reading"))
        if reading not in readings(self.cards(table, "cards"), level):
            raise self._bad("reading", "one that the cards make")
        return reading
