"""All readings of a set of cards as a combination, given the level.

A wild (the heart level card) may stand for any card but a joker. Every reading is listed; which one counts is
decided by `engine.resolve`. Source: RULEBOOKS 2.3 and decisions C-2 to C-9.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from engine.cards import CARDS, BadCard, BadLevel, Card, Rank, Suit


class BadReading(ValueError):
    """A JSON form that is not a reading."""

    def __init__(self, value: object, wrong: str) -> None:
        super().__init__(f"{value!r} is not a reading: {wrong}")


class Type(StrEnum):
    """The types of combination; values as RULEBOOKS 2.3."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    FULL_HOUSE = "full_house"
    STRAIGHT = "straight"
    TUBE = "tube"
    PLATE = "plate"
    BOMB = "bomb"
    STRAIGHT_FLUSH = "straight_flush"
    JOKER_BOMB = "joker_bomb"


KEYS: Final[Mapping[Type, tuple[str, ...]]] = {
    Type.SINGLE: ("rank",),
    Type.PAIR: ("rank",),
    Type.TRIPLE: ("rank",),
    Type.FULL_HOUSE: ("rank", "pair"),
    Type.STRAIGHT: ("high",),
    Type.TUBE: ("high",),
    Type.PLATE: ("high",),
    Type.BOMB: ("rank", "size"),
    Type.STRAIGHT_FLUSH: ("high", "suit"),
    Type.JOKER_BOMB: (),
}
"""The keys that tell readings of one type apart."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a set of cards. Only the keys of its type are set; `pair` is the carried pair of a full house."""

    type: Type
    rank: Rank | None = None
    pair: Rank | None = None
    high: Rank | None = None
    suit: Suit | None = None
    size: int | None = None

    def to_json(self) -> dict[str, str | int]:
        """The form of RULEBOOKS section 11."""
        form: dict[str, str | int] = {"type": self.type.value}
        for name, value in (("rank", self.rank), ("pair", self.pair), ("high", self.high), ("suit", self.suit)):
            if value is not None:
                form[name] = value.text
        if self.size is not None:
            form["size"] = self.size
        return form

    @classmethod
    def from_json(cls, form: object) -> Reading:
        """The reading of a JSON form. Raises BadReading for a wrong type, a missing or a superfluous key."""
        if not isinstance(form, Mapping):
            raise BadReading(form, "not an object")
        try:
            kind = Type(str(form.get("type")))
        except ValueError:
            raise BadReading(form, f"no such type; choose one of {' '.join(Type)}") from None
        if set(form) != {"type", *KEYS[kind]}:
            raise BadReading(form, f"a {kind.value} has exactly the keys {' '.join(('type', *KEYS[kind]))}")
        try:
            ranks = {key: Rank.parse(form[key]) for key in ("rank", "pair", "high") if key in form}
            suit = Suit.parse(form["suit"]) if "suit" in form else None
        except (BadCard, TypeError) as error:
            raise BadReading(form, str(error)) from None
        size = form.get("size")
        if size is not None and (type(size) is not int or not 4 <= size <= 10):
            raise BadReading(form, "a bomb has 4 to 10 cards")
        return cls(kind, ranks.get("rank"), ranks.get("pair"), ranks.get("high"), suit, size)

    def __str__(self) -> str:
        """Short words for a screen: `pair 9`, `full_house K over 6`, `tube 8`, `straight_flush 9 S`, `bomb 5 x6`."""
        words = [self.type.value]
        if self.rank is not None:
            words.append(self.rank.text)
        if self.pair is not None:
            words += ["over", self.pair.text]
        if self.high is not None:
            words.append(self.high.text)
        if self.suit is not None:
            words.append(self.suit.text)
        if self.size is not None:
            words.append(f"x{self.size}")
        return " ".join(words)


def _windows(length: int) -> tuple[tuple[Rank, frozenset[Rank]], ...]:
    """(highest rank, ranks) of every run of `length` consecutive ranks; the ace is low or high, never in between."""
    order = (Rank.ACE, *(Rank(i) for i in range(13)))
    return tuple(
        (order[start + length - 1], frozenset(order[start : start + length])) for start in range(14 - length + 1)
    )


RUNS_OF_5: Final = _windows(5)
RUNS_OF_3: Final = _windows(3)
RUNS_OF_2: Final = _windows(2)


MOST_CARDS: Final = 10
"""The largest play: a bomb of eight naturals and two wilds (C-8)."""


def readings(cards: Collection[Card], level: Rank, *, full_house_joker_pair: bool = True) -> tuple[Reading, ...]:
    """Every reading of `cards` under `level`, ordinary types first, low keys first; () if they are no combination.

    A set of cards is one number: how many of each rank and how many wilds. A table made once a level knows what every
    such number that is playable may mean; only five different ranks need a look at the suits. Raises BadLevel for a
    joker as level.
    """
    if len(cards) > MOST_CARDS:
        return ()
    table = _TABLES[full_house_joker_pair][level] or _table(level, full_house_joker_pair)
    found = table.get(sum(map(table.weights, cards)), ())
    if isinstance(found, tuple):
        return found
    suit, wild = -1, table.wild
    for card in cards:
        if card != wild and card & 3 != suit:
            if suit >= 0:
                return found.straights
            suit = card & 3
    return found.flushes[suit]


_WILDS_SHIFT: Final = 4 * len(Rank)


class _Five:
    """Five different ranks, wilds counted: a straight or, in one suit, a straight flush and never a plain one (C-4)."""

    __slots__ = ("flushes", "straights")

    def __init__(self, highs: Iterable[Rank]) -> None:
        self.straights = tuple(Reading(Type.STRAIGHT, high=high) for high in highs)
        self.flushes = tuple(
            tuple(Reading(Type.STRAIGHT_FLUSH, high=reading.high, suit=suit) for reading in self.straights)
            for suit in Suit
        )


class _Table(dict[int, "tuple[Reading, ...] | _Five"]):
    """What each playable number of cards by rank means under one level. weights: what a card adds to that number."""

    def __init__(self, level: Rank, full_house_joker_pair: bool) -> None:
        self.wild = level * 4 + 1
        shifts = [4 * card.rank if card != self.wild else _WILDS_SHIFT for card in CARDS]
        self.weights = [1 << shift for shift in shifts].__getitem__
        super().__init__(
            (number, found)
            for number, counts, wilds in _patterns()
            if (found := _meaning(counts, wilds, level, full_house_joker_pair))
        )


_TABLES: Final[tuple[list[_Table | None], list[_Table | None]]] = ([None] * len(Rank), [None] * len(Rank))
"""By whether a full house may carry jokers and by level; made when first needed, and never for a joker."""


def _table(level: Rank, full_house_joker_pair: bool) -> _Table:
    if level.is_joker:
        raise BadLevel(level.text)
    table = _TABLES[full_house_joker_pair][level] = _Table(level, full_house_joker_pair)
    return table


@cache
def _patterns() -> tuple[tuple[int, Mapping[Rank, int], int], ...]:
    """(number, cards of each rank, wilds) of everything that might be playable."""
    whole: list[dict[Rank, int]] = [{rank: size} for rank in Rank for size in range(1, MOST_CARDS + 1)]
    whole += [{triple: 3, pair: 2} for triple in Rank for pair in Rank if triple is not pair]
    for runs, copies in ((RUNS_OF_5, 1), (RUNS_OF_3, 2), (RUNS_OF_2, 3)):
        whole += [dict.fromkeys(sorted(run), copies) for _, run in runs]
    whole += [{Rank.SMALL_JOKER: 2, Rank.BIG_JOKER: 2}, {}]
    found: dict[int, tuple[Mapping[Rank, int], int]] = {}
    for counts in whole:
        found |= dict(_with_wilds(counts, 0))
    found |= {wilds << _WILDS_SHIFT: ({}, wilds) for wilds in (1, 2)}
    return tuple((number, counts, wilds) for number, (counts, wilds) in found.items())


def _with_wilds(counts: Mapping[Rank, int], wilds: int) -> Iterator[tuple[int, tuple[Mapping[Rank, int], int]]]:
    """The pattern and those with up to two of its cards made wild."""
    yield sum(count << 4 * rank for rank, count in counts.items()) + (wilds << _WILDS_SHIFT), (counts, wilds)
    if wilds < 2:
        for rank in counts:
            left = {other: count - (other is rank) for other, count in counts.items()}
            yield from _with_wilds({other: count for other, count in left.items() if count}, wilds + 1)


def _meaning(
    counts: Mapping[Rank, int], wilds: int, level: Rank, full_house_joker_pair: bool
) -> tuple[Reading, ...] | _Five:
    """All readings of so many cards of each rank and so many wilds; () if there are none."""
    held = sum(counts.values())
    size = held + wilds
    if any(rank.is_joker for rank in counts):
        return _with_jokers(counts, wilds, size, full_house_joker_pair)
    if not counts:
        return _only_wilds(wilds, level)
    if size == 5 and len(counts) == held and held > 2:
        return _Five([high for high, run in RUNS_OF_5 if counts.keys() <= run])
    found: list[Reading] = []
    if len(counts) == 1:
        found += _of_one_rank(next(iter(counts)), held, wilds, level)
    elif size == 5 and len(counts) == 2:
        found += _full_houses(counts)
    elif size == 6:
        found += _runs(counts)
    return tuple(found)


def _only_wilds(wilds: int, level: Rank) -> tuple[Reading, ...]:
    """Wilds alone are read at face value (C-2)."""
    if wilds == 1:
        return (Reading(Type.SINGLE, level),)
    if wilds == 2:
        return (Reading(Type.PAIR, level),)
    return ()


def _of_one_rank(rank: Rank, held: int, wilds: int, level: Rank) -> list[Reading]:
    size = held + wilds
    if size == 1:
        return [Reading(Type.SINGLE, rank)]
    if size == 2:
        return [Reading(Type.PAIR, rank)]
    if size == 3:
        return [Reading(Type.TRIPLE, rank)]
    if size > 10:
        return []
    found = []
    if held == 3 and wilds == 2 and rank != level:  # a carried pair of two wilds is a pair of level cards (C-5)
        found.append(Reading(Type.FULL_HOUSE, rank, level))
    found.append(Reading(Type.BOMB, rank, size=size))
    return found


def _full_houses(counts: Mapping[Rank, int]) -> list[Reading]:
    """Two natural ranks in five cards: either may be the triple if it is short enough."""
    low, high = sorted(counts)
    found = []
    for triple, pair in ((low, high), (high, low)):
        if counts[triple] <= 3 and counts[pair] <= 2:
            found.append(Reading(Type.FULL_HOUSE, triple, pair))
    return found


def _runs(counts: Mapping[Rank, int]) -> list[Reading]:
    """Six cards: three consecutive pairs, two consecutive triples. Level cards keep their natural place (C-6)."""
    ranks = frozenset(counts)
    most = max(counts.values())
    found = []
    if most <= 2:
        found += [Reading(Type.TUBE, high=high) for high, run in RUNS_OF_3 if ranks <= run]
    if most <= 3:
        found += [Reading(Type.PLATE, high=high) for high, run in RUNS_OF_2 if ranks <= run]
    return found


def _with_jokers(counts: Mapping[Rank, int], wilds: int, size: int, full_house_joker_pair: bool) -> tuple[Reading, ...]:
    """Jokers are singles, pairs of one colour, a carried pair (C-9) and the joker bomb; a wild is never a joker."""
    jokers = [rank for rank in counts if rank.is_joker]
    if len(jokers) == 2:
        both = counts.get(Rank.SMALL_JOKER) == counts.get(Rank.BIG_JOKER) == 2
        return (Reading(Type.JOKER_BOMB),) if both and size == 4 else ()
    joker = jokers[0]
    if size == 1:
        return (Reading(Type.SINGLE, joker),)
    if counts[joker] != 2:
        return ()
    if size == 2:
        return (Reading(Type.PAIR, joker),)
    others = [rank for rank in counts if rank is not joker]
    if full_house_joker_pair and size == 5 and len(others) == 1 and counts[others[0]] + wilds == 3:
        return (Reading(Type.FULL_HOUSE, others[0], joker),)
    return ()
