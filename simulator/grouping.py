"""How a player sorts a hand: into the sets that he means to play, few of them, bombs kept whole.

A quick sort as a person does it, not a search for the least number of sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.cards import Card, Rank, Suit
from engine.combos import RUNS_OF_2, RUNS_OF_3, RUNS_OF_5, Reading, Type
from engine.legal import Play
from engine.order import strength

SINGLES_FOR_A_STRAIGHT: Final = 2
"""A straight pays if it takes along at least so many cards that would be single."""
LOOSE_FOR_A_WILD: Final = 1
"""A wild makes a straight flush if that takes along at least so many cards that would be single."""
RANKS: Final = tuple(Rank)[:13]


class _Sorter:
    """Takes sets out of a hand until nothing is left."""

    def __init__(self, hand: Iterable[Card], level: Rank) -> None:
        self.level = level
        self.wilds = [card for card in hand if card.is_wild(level)]
        self.of_rank: dict[Rank, list[Card]] = {rank: [] for rank in Rank}
        self.groups: list[Play] = []

    def count(self, rank: Rank) -> int:
        return len(self.of_rank[rank])

    def take(self, rank: Rank, count: int) -> list[Card]:
        """`count` cards of a rank leave the hand."""
        taken = self.of_rank[rank][:count]
        del self.of_rank[rank][:count]
        return taken

    def add(self, cards: Iterable[Card], reading: Reading) -> None:
        self.groups.append(Play(tuple(cards), reading))

    def joker_bomb(self) -> None:
        if self.count(Rank.SMALL_JOKER) == self.count(Rank.BIG_JOKER) == 2:
            self.add([*self.take(Rank.SMALL_JOKER, 2), *self.take(Rank.BIG_JOKER, 2)], Reading(Type.JOKER_BOMB))

    def straight_flushes(self) -> None:
        """Five in suit that cost no bomb and no more than two triples."""
        for suit in Suit:
            for high, run in reversed(RUNS_OF_5):
                held = [[card for card in self.of_rank[rank] if card.suit is suit] for rank in run]
                if not all(held) or sum(self.count(rank) >= 4 for rank in run):
                    continue
                if sum(self.count(rank) == 3 for rank in run) > 2:
                    continue
                cards = _ascending([cards[0] for cards in held], high)
                for card in cards:
                    self.of_rank[card.rank].remove(card)
                self.add(cards, Reading(Type.STRAIGHT_FLUSH, high=high, suit=suit))

    def wild_straight_flushes(self) -> None:
        """Four in suit that cost no bomb and take a loose card along become five with a wild."""
        for suit in Suit:
            for high, run in reversed(RUNS_OF_5):
                held = {rank: card for rank in run for card in self.of_rank[rank] if card.suit is suit}
                if not self.wilds or len(held) != 4 or any(self.count(rank) > 3 for rank in held):
                    continue
                if sum(self.count(rank) == 1 for rank in held) < LOOSE_FOR_A_WILD:
                    continue
                wild = self.wilds.pop()
                cards = [held.get(rank, wild) for rank in _in_order(run, high)]
                for card in held.values():
                    self.of_rank[card.rank].remove(card)
                self.add(cards, Reading(Type.STRAIGHT_FLUSH, high=high, suit=suit))

    def bombs(self, small: bool) -> None:
        """Four or more of a rank; unless they are to be small, with all wilds in the highest."""
        highest = max(
            (rank for rank in RANKS if self.count(rank) >= 4), key=lambda r: strength(r, self.level), default=None
        )
        for rank in RANKS:
            if self.count(rank) < 4:
                continue
            cards = self.take(rank, self.count(rank))
            if not small and rank is highest and rank is not self.level:
                cards, self.wilds = [*self.wilds, *cards], []
            self.add(cards, Reading(Type.BOMB, rank, size=len(cards)))

    def wild_bombs(self) -> None:
        """A wild makes the highest triple a bomb; two wilds may make a pair one."""
        for rank in sorted(RANKS, key=lambda rank: strength(rank, self.level), reverse=True):
            if self.wilds and self.count(rank) == 3:
                self.add([self.wilds.pop(), *self.take(rank, 3)], Reading(Type.BOMB, rank, size=4))

    def wild_straights(self) -> None:
        """Four loose cards in a row, or nearly, become a straight with a wild."""
        for high, run in reversed(RUNS_OF_5):
            held = [rank for rank in run if self.count(rank)]
            loose = sum(self.count(rank) == 1 for rank in held)
            if not self.wilds or self.level in run or len(held) != 4 or loose < 4:
                continue
            cards = {rank: self.of_rank[rank][-1] for rank in held}
            if len({card.suit for card in cards.values()}) == 1:
                continue  # that is a straight flush
            wild = self.wilds.pop()
            for card in cards.values():
                self.of_rank[card.rank].remove(card)
            self.add([cards.get(rank, wild) for rank in _in_order(run, high)], Reading(Type.STRAIGHT, high=high))

    def straights(self) -> None:
        while True:
            best = max(RUNS_OF_5, key=lambda run: self._gain(run[1]))
            if self._gain(best[1]) < SINGLES_FOR_A_STRAIGHT:
                return
            cards = [self._other_suit(rank) for rank in best[1]]
            if len({card.suit for card in cards}) == 1:
                return  # would be a straight flush, which the sorter has left alone
            for card in cards:
                self.of_rank[card.rank].remove(card)
            self.add(_ascending(cards, best[0]), Reading(Type.STRAIGHT, high=best[0]))

    def _gain(self, run: frozenset[Rank]) -> int:
        """Loose cards that a straight takes along, less the pairs and triples that it spoils; -9 if it is not there."""
        counts = [self.count(rank) for rank in run]
        if not all(counts) or any(count > 3 for count in counts):
            return -9
        return sum(count == 1 for count in counts)

    def _other_suit(self, rank: Rank) -> Card:
        return self.of_rank[rank][-1]

    def plates(self) -> None:
        """Two triples in a row, unless each of them may take a pair along."""
        if sum(self.count(rank) == 2 for rank in RANKS if rank < Rank.ACE) > 2:
            return
        for high, run in RUNS_OF_2:
            if all(self.count(rank) == 3 for rank in run):
                self.add(self._by_rank(run, high, 3), Reading(Type.PLATE, high=high))

    def tubes(self) -> None:
        for high, run in RUNS_OF_3:
            if all(self.count(rank) == 2 for rank in run):
                self.add(self._by_rank(run, high, 2), Reading(Type.TUBE, high=high))

    def _by_rank(self, run: frozenset[Rank], high: Rank, copies: int) -> list[Card]:
        return [card for rank in _in_order(run, high) for card in self.take(rank, copies)]

    def full_houses(self) -> None:
        """Triples take the lowest pairs along, but none that may win a trick by itself."""
        triples = [rank for rank in RANKS if self.count(rank) == 3 and rank != self.level]
        for triple in triples:
            pairs = [rank for rank in RANKS if self.count(rank) == 2 and rank < Rank.NINE and rank != self.level]
            if pairs:
                cards = [*self.take(triple, 3), *self.take(pairs[0], 2)]
                self.add(cards, Reading(Type.FULL_HOUSE, triple, pairs[0]))

    def rest(self) -> None:
        kinds = {1: Type.SINGLE, 2: Type.PAIR, 3: Type.TRIPLE}
        for rank in Rank:
            count = self.count(rank)
            if count:
                self.add(self.take(rank, count), Reading(kinds[count], rank))
        if self.wilds:
            cards, self.wilds = self.wilds, []
            self.add(cards, Reading(kinds[len(cards)], self.level))


def group(hand: Iterable[Card], level: Rank, *, small_bombs: bool = True) -> list[Play]:
    """The sets that a player sees in his hand; together they are the whole hand.

    small_bombs: a wild makes one bomb more; else it makes the highest bomb larger.
    """
    cards = sorted(hand)
    sorter = _Sorter(cards, level)
    for card in cards:
        if not card.is_wild(level):
            sorter.of_rank[card.rank].append(card)
    sorter.joker_bomb()
    sorter.bombs(small=small_bombs)
    sorter.straight_flushes()
    sorter.wild_straight_flushes()
    sorter.wild_straights()
    sorter.wild_bombs()
    sorter.straights()
    sorter.plates()
    sorter.tubes()
    sorter.full_houses()
    sorter.rest()
    return sorter.groups


def _in_order(run: frozenset[Rank], high: Rank) -> list[Rank]:
    """Ranks of a run, lowest first; an ace stands below 2 unless it is the highest."""
    return sorted(run, key=lambda rank: -1 if rank is Rank.ACE and high is not Rank.ACE else int(rank))


def _ascending(cards: Iterable[Card], high: Rank) -> list[Card]:
    return sorted(cards, key=lambda card: -1 if card.rank is Rank.ACE and high is not Rank.ACE else int(card.rank))
