"""A hand that changes card by card, and the options it has: fast enough to play a deal out in about a millisecond.

An option (option.py) is a reading with the least number of wilds that it takes; the cards themselves are looked up
only when one is chosen. Source: RULEBOOKS 2.3 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.cards import CARDS, BadLevel, Card, Rank, Suit, card_texts
from engine.combos import Reading, Type
from engine.option import (
    BOMBS,
    FULL_HOUSE,
    JOKER_BOMB,
    PAIR,
    PLATE,
    RANKS,
    SETS,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    TUBE,
    ByRank,
    ByStep,
    Option,
    flushes,
    windows,
)
from engine.order import LEVEL_STRENGTH, beats, strength

PACKS_OF_A_TABLE: Final = 2


class NotHeld(ValueError):
    """Cards that are to be taken out of a hand are not in it."""

    def __init__(self, cards: Iterable[Card]) -> None:
        super().__init__(f"{' '.join(card_texts(cards))} is not in the hand; play cards that it holds")


class ThirdCopy(ValueError):
    """More copies of a card than there are packs."""

    def __init__(self, card: Card) -> None:
        super().__init__(f"{card.text} is there three times or more; two packs hold each card twice")


_STEPS_OF: Final = tuple(1 << (rank + 1) | (rank is Rank.ACE) for rank in RANKS)
"""The steps of a rank as a mask."""


_ABOVE: Final = tuple(
    {
        at_least: tuple(
            int(rank)
            for rank in sorted(Rank, key=lambda rank: strength(rank, level))
            if strength(rank, level) > at_least
        )
        for at_least in range(-1, 16)
    }
    for level in RANKS
)
"""By level: the ranks above each strength, lowest first; above -1 are all."""


class Hand:
    """Cards of one seat under one level. `take` and `put` are each other's undo.

    Raises ThirdCopy, and BadLevel for a joker as level.
    """

    __slots__ = ("copies", "held", "level", "size", "steps", "wild", "wilds")

    def __init__(self, cards: Iterable[Card], level: Rank) -> None:
        if level.is_joker:
            raise BadLevel(level.text)
        self.level = level
        self.wild = level * 4 + 1
        self.copies = [0] * len(CARDS)
        """Copies of each face."""
        self.held = [0] * len(Rank)
        """Natural cards of each rank."""
        self.wilds = 0
        self.steps = [0, 0, 0, 0]
        """Of each suit, the steps of which a natural card is held, as a mask."""
        self.size = 0
        self.put(cards)
        if max(self.copies) > PACKS_OF_A_TABLE:
            raise ThirdCopy(CARDS[self.copies.index(max(self.copies))])

    def put(self, cards: Iterable[Card]) -> None:
        """Cards come into the hand."""
        copies, held, steps, wild = self.copies, self.held, self.steps, self.wild
        for card in cards:
            self.size += 1
            copies[card] += 1
            if card == wild:
                self.wilds += 1
            elif card < 52:
                held[card >> 2] += 1
                steps[card & 3] |= _STEPS_OF[card >> 2]
            else:
                held[card - 39] += 1

    def take(self, cards: Iterable[Card]) -> None:
        """Cards leave the hand. Raises NotHeld, and then nothing has changed."""
        cards = tuple(cards)
        copies, held, steps, wild = self.copies, self.held, self.steps, self.wild
        for done, card in enumerate(cards):
            if not copies[card]:
                self.put(cards[:done])
                raise NotHeld(cards)
            self.size -= 1
            copies[card] -= 1
            if card == wild:
                self.wilds -= 1
            elif card < 52:
                held[card >> 2] -= 1
                if not copies[card]:
                    steps[card & 3] &= ~_STEPS_OF[card >> 2]
            else:
                held[card - 39] -= 1

    def cards(self) -> tuple[Card, ...]:
        """All cards, in wire order."""
        return tuple(card for card in CARDS for _ in range(self.copies[card]))

    def cards_for(self, option: Option) -> tuple[Card, ...]:
        """Cards of the hand that lay one of its options, left to right as they should lie."""
        reading = option.reading
        kind, rank, high = reading.type, reading.rank, reading.high
        wilds = (CARDS[self.wild],) * option.wilds
        if rank is not None:
            if kind is Type.FULL_HOUSE:
                missing = 3 - self.held[rank] if self.held[rank] < 3 else 0
                three = self._naturals(rank, 3 - missing) + wilds[:missing]
                pair = reading.pair
                assert pair is not None
                return three + self._naturals(pair, 2 + missing - option.wilds) + wilds[missing:]
            size = option.size
            # Wilds first in a bomb: triple, wild, wild could also be a full house over a pair of level cards.
            natural = self._naturals(rank, size - option.wilds)
            return wilds + natural if kind is Type.BOMB else natural + wilds
        if high is None:
            return (CARDS[52], CARDS[52], CARDS[53], CARDS[53])
        if kind is Type.STRAIGHT or kind is Type.STRAIGHT_FLUSH:
            return self._five(high, reading.suit)
        copies, length = (2, 3) if kind is Type.TUBE else (3, 2)
        cards: tuple[Card, ...] = ()
        for back in range(length - 1, -1, -1):
            natural = self._naturals((high - back) % 13, copies)
            cards += natural + (CARDS[self.wild],) * (copies - len(natural))
        return cards

    def _naturals(self, rank: int, count: int) -> tuple[Card, ...]:
        """Up to `count` natural cards of a rank."""
        if rank > 12:
            return (CARDS[39 + rank],) * count
        found: list[Card] = []
        for card in range(rank * 4, rank * 4 + 4):
            if card != self.wild:
                found += [CARDS[card]] * self.copies[card]
        return tuple(found[:count])

    def _five(self, high: int, suit: Suit | None) -> tuple[Card, ...]:
        """A straight, or a flush of a suit; the natural cards of a straight are of two suits at least (C-4)."""
        wild, copies = self.wild, self.copies
        places: list[list[int]] = []
        for back in range(4, -1, -1):
            first = (high - back) % 13 * 4
            faces = range(first, first + 4) if suit is None else (first + suit,)
            places.append([card for card in faces if copies[card] and card != wild] or [wild])
        cards = [place[0] for place in places]
        if suit is None:
            suits = {card & 3 for card in cards if card != wild}
            if len(suits) == 1:
                for number, place in enumerate(places):
                    if len(place) > 1:
                        cards[number] = place[1]
                        break
        return tuple([CARDS[card] for card in cards])

    # -- options ----------------------------------------------------------------------------------------------------

    def leads(self, *, full_house_joker_pair: bool = True, max_cards: int = 10) -> list[Option]:
        """Every reading that the hand can lead, once each."""
        held, wilds = self.held, self.wilds
        found: list[Option] = []
        for sets, count in zip(SETS, held, strict=True):
            if count:
                found += sets[count][wilds]
        found += self._of_wilds_alone()
        found += self.full_houses(-1, full_house_joker_pair)
        found += self._straights(-1)
        found += self._runs(TUBE, 2, 3, -1)
        found += self._runs(PLATE, 3, 2, -1)
        found += self._flushes()
        if held[13] == held[14] == 2:
            found.append(JOKER_BOMB)
        return found if max_cards >= self.size or max_cards >= 10 else [o for o in found if o.size <= max_cards]

    def follows(self, current: Reading, *, full_house_joker_pair: bool = True, max_cards: int = 10) -> list[Option]:
        """Every reading that the hand can lay on `current`, once each; passing is not listed."""
        kind, rank, high = current.type, current.rank, current.high
        found: list[Option] = []
        # Identity instead of tables by type: hashing a member of an enum costs more than all of these comparisons.
        if kind is Type.BOMB or kind is Type.STRAIGHT_FLUSH or kind is Type.JOKER_BOMB:
            found = [option for option in self.bombs() if beats(option.reading, current, self.level)]
            return found if max_cards >= 10 else [option for option in found if option.size <= max_cards]
        if rank is not None:
            at_least = strength(rank, self.level)
            if kind is Type.SINGLE:
                found = self._same_rank(SINGLE, 1, at_least)
            elif kind is Type.PAIR:
                found = self._same_rank(PAIR, 2, at_least)
            elif kind is Type.TRIPLE:
                found = self._same_rank(TRIPLE, 3, at_least)
            else:
                found = self.full_houses(at_least, full_house_joker_pair)
        elif high is not None:
            if kind is Type.STRAIGHT:
                found = self._straights(high)
            elif kind is Type.TUBE:
                found = self._runs(TUBE, 2, 3, high)
            else:
                found = self._runs(PLATE, 3, 2, high)
        found += self.bombs()
        return found if max_cards >= 10 else [option for option in found if option.size <= max_cards]

    def bombs(self) -> list[Option]:
        """Bombs, straight flushes and the joker bomb."""
        held, wilds = self.held, self.wilds
        found: list[Option] = []
        least = 4 - wilds
        for rank in range(13):
            if held[rank] >= least:
                found += BOMBS[rank][held[rank]][wilds]
        found += self._flushes()
        if held[13] == held[14] == 2:
            found.append(JOKER_BOMB)
        return found

    def _of_wilds_alone(self) -> list[Option]:
        """A wild by itself is a level card (C-2); listed where no natural level card makes the same reading."""
        natural, wilds, level = self.held[self.level], self.wilds, self.level
        if natural or not wilds:
            return []
        return [SINGLE[level][1], PAIR[level][2]] if wilds == 2 else [SINGLE[level][1]]

    def _same_rank(self, options: ByRank, size: int, at_least: int) -> list[Option]:
        """Singles, pairs or triples of ranks above a strength."""
        held, wilds, level = self.held, self.wilds, self.level
        found = []
        for rank in _ABOVE[level][at_least]:
            natural = held[rank]
            if natural >= size:
                found.append(options[rank][0])
            elif natural and rank < 13 and natural + wilds >= size:
                found.append(options[rank][size - natural])
        if at_least < LEVEL_STRENGTH and size < 3 and wilds >= size and not held[level]:
            found.append(options[level][size])
        return found

    def full_houses(self, at_least: int, joker_pair: bool) -> list[Option]:
        """Full houses whose triple is stronger than `at_least`."""
        held, wilds, level = self.held, self.wilds, self.level
        pairs: list[list[int]] = [[], [], []]
        for rank in range(13):
            count = held[rank]
            if count >= 2:
                pairs[0].append(rank)
            elif count:
                pairs[1].append(rank)
        if not held[level]:
            pairs[2].append(level)
        if joker_pair:
            pairs[0] += [rank for rank in (13, 14) if held[rank] == 2]
        found: list[Option] = []
        for rank in _ABOVE[level][at_least]:
            count = held[rank]
            missing = 3 - count if count < 3 else 0
            if not count or missing > wilds or rank > 12:
                continue
            table = FULL_HOUSE[rank]
            for more in range(wilds - missing + 1):
                row = table[missing + more]
                found += [row[pair] for pair in pairs[more] if pair != rank]
        return found

    def _straights(self, above: int) -> list[Option]:
        """Plain straights higher than `above`: their natural cards must not all be of one suit (C-4)."""
        wilds = self.wilds
        a, b, c, d = self.steps
        found = []
        for low, missing, window in windows(a | b | c | d):
            if missing <= wilds and low + 3 > above:
                suits = bool(a & window) + bool(b & window) + bool(c & window) + bool(d & window)
                if suits > 1:
                    found.append(STRAIGHT[low][missing])
        return found

    def _flushes(self) -> list[Option]:
        wilds = self.wilds
        a, b, c, d = self.steps
        return [*flushes(0, a, wilds), *flushes(1, b, wilds), *flushes(2, c, wilds), *flushes(3, d, wilds)]

    def _runs(self, options: ByStep, copies: int, length: int, above: int) -> list[Option]:
        """Tubes or plates higher than `above`."""
        wilds, held = self.wilds, self.held
        missing = [copies - count if count < copies else 0 for count in (held[12], *held[:13])]
        found = []
        for low in range(max(0, above + 3 - length), 15 - length):
            need = missing[low] + missing[low + 1] + (missing[low + 2] if length == 3 else 0)
            if need <= wilds:
                found.append(options[low][need])
        return found
