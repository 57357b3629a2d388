"""Cards, ranks, suits, seats, pairs and levels: the words that every room shares.

A card is one of 54 faces; a table holds two packs, so each face exists twice and the two copies are written
alike. Where one physical card matters (dealing, first leader) it is named by its feed index, not by its face.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum, IntEnum, StrEnum
from typing import Final


class BadCard(ValueError):
    """A text or number that names no card."""

    def __init__(self, value: object) -> None:
        super().__init__(f"{value!r} is not a card; write rank 23456789TJQKA and suit SHDC, or SJ, BJ")


class BadLevel(ValueError):
    """A text that names no level."""

    def __init__(self, value: object) -> None:
        super().__init__(f"{value!r} is not a level; write one of 2 3 4 5 6 7 8 9 T J Q K A A+")


class BadSeat(ValueError):
    """A text that names no seat."""

    def __init__(self, value: object) -> None:
        super().__init__(f"{value!r} is not a seat; write S, E, N or W")


class Rank(IntEnum):
    """Printed rank, 2 lowest, jokers above the ace; the value orders ranks when no level is in play."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12
    SMALL_JOKER = 13
    BIG_JOKER = 14

    @property
    def text(self) -> str:
        """`2`..`A`, `SJ` or `BJ`."""
        return _RANK_TEXT[self]

    @property
    def is_joker(self) -> bool:
        return self >= Rank.SMALL_JOKER

    @classmethod
    def parse(cls, text: str) -> Rank:
        """The rank written `text`. Raises BadCard."""
        try:
            return _RANK_OF_TEXT[text]
        except KeyError:
            raise BadCard(text) from None


_RANK_TEXT: Final[tuple[str, ...]] = (*"23456789TJQKA", "SJ", "BJ")
_RANK_OF_TEXT: Final = {text: Rank(i) for i, text in enumerate(_RANK_TEXT)}


class Suit(IntEnum):
    """Suits in wire order (DESIGN section 3)."""

    SPADE = 0
    HEART = 1
    DIAMOND = 2
    CLUB = 3

    @property
    def text(self) -> str:
        return "SHDC"[self]

    @classmethod
    def parse(cls, text: str) -> Suit:
        """The suit written `S H D C`. Raises BadCard."""
        if len(text) != 1 or text not in "SHDC":
            raise BadCard(text)
        return cls("SHDC".index(text))


class Card(int):
    """One of the 54 faces; the integer is the wire number: rank 2..A x suit S H D C, then SJ 52, BJ 53."""

    __slots__ = ()

    def __new__(cls, number: int) -> Card:
        if not 0 <= number < 54:
            raise BadCard(number)
        return super().__new__(cls, number)

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written `TH`, `SJ`, `BJ`. Raises BadCard."""
        try:
            return _CARD_OF_TEXT[text]
        except (KeyError, TypeError):
            raise BadCard(text) from None

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Card:
        """The card of a rank 2..A and a suit. Raises BadCard for a joker rank."""
        if rank.is_joker:
            raise BadCard(f"{rank.text}{suit.text}")
        return CARDS[rank * 4 + suit]

    @property
    def rank(self) -> Rank:
        return _CARD_RANK[self]

    @property
    def suit(self) -> Suit | None:
        """None for a joker."""
        return None if self >= 52 else Suit(self & 3)

    @property
    def text(self) -> str:
        return _CARD_TEXT[self]

    def is_wild(self, level: Rank) -> bool:
        """Whether this is the heart level card (逢人配). Source: RULEBOOKS 2.1."""
        return int(self) == level * 4 + 1

    def __repr__(self) -> str:
        return f"Card({_CARD_TEXT[self]!r})"

    def __str__(self) -> str:
        return _CARD_TEXT[self]


_CARD_TEXT: Final = (*(r + s for r in "23456789TJQKA" for s in "SHDC"), "SJ", "BJ")
_CARD_RANK: Final = tuple(Rank(min(i // 4, 13) if i < 53 else 14) for i in range(54))
CARDS: Final = tuple(Card(i) for i in range(54))
"""All 54 faces in wire order."""
_CARD_OF_TEXT: Final = {text: card for text, card in zip(_CARD_TEXT, CARDS, strict=True)}

PACKS: Final = tuple(sorted(CARDS * 2))
"""The 108 cards of a table in wire order: two of each face."""


class Pair(StrEnum):
    """The two partnerships."""

    EW = "EW"
    NS = "NS"

    @property
    def other(self) -> Pair:
        return Pair.NS if self is Pair.EW else Pair.EW

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return (Seat.E, Seat.W) if self is Pair.EW else (Seat.N, Seat.S)


class Seat(Enum):
    """Compass seats in default order of play, counter-clockwise: the next player sits at one's right (C-1)."""

    S = "S"
    E = "E"
    N = "N"
    W = "W"

    @classmethod
    def parse(cls, text: str) -> Seat:
        """The seat written `S E N W`. Raises BadSeat."""
        try:
            return cls(text)
        except ValueError:
            raise BadSeat(text) from None

    @property
    def partner(self) -> Seat:
        return _PARTNER[self]

    @property
    def pair(self) -> Pair:
        return Pair.EW if self in {Seat.E, Seat.W} else Pair.NS


_PARTNER: Final = {Seat.S: Seat.N, Seat.N: Seat.S, Seat.E: Seat.W, Seat.W: Seat.E}

PLAY_ORDER: Final = (Seat.S, Seat.E, Seat.N, Seat.W)
"""Default order of play (C-1); a table may be configured otherwise."""


class Level(IntEnum):
    """A side's level, 2..A and A+ once past A; values count steps from 2."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12
    PAST_ACE = 13

    @property
    def text(self) -> str:
        return "A+" if self is Level.PAST_ACE else _RANK_TEXT[self]

    @property
    def rank(self) -> Rank:
        """The rank of the level cards. Raises BadLevel past A, where no deal is played."""
        if self is Level.PAST_ACE:
            raise BadLevel("A+")
        return Rank(int(self))

    @classmethod
    def parse(cls, text: str) -> Level:
        """The level written `2`..`A` or `A+`. Raises BadLevel."""
        if text == "A+":
            return cls.PAST_ACE
        if len(text) != 1 or text not in "23456789TJQKA":
            raise BadLevel(text)
        return cls("23456789TJQKA".index(text))


def parse_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """The cards written in `texts`, order kept. Raises BadCard naming the first bad one."""
    return tuple(Card.parse(text) for text in texts)


def card_texts(cards: Iterable[Card]) -> list[str]:
    """Notation of `cards`, order kept."""
    return [_CARD_TEXT[card] for card in cards]


def surplus(cards: Iterable[Card], held: Iterable[Card]) -> tuple[Card, ...]:
    """Cards of `cards` beyond those in `held`, as multisets, in wire order."""
    return tuple(sorted((Counter(cards) - Counter(held)).elements()))
