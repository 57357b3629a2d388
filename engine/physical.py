"""Every distinct set of cards that a hand can lay, with each of its readings: copies of one face are not told apart.

Cards stand left to right as they should be laid. Source: RULEBOOKS 2.3 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, product, repeat
from typing import Final

from engine.cards import CARDS, Card, Rank, Suit
from engine.combos import Reading, Type
from engine.hand import Hand

Cards = tuple[Card, ...]
Choice = tuple[Cards, ...]

_NOTHING: Final[Choice] = ((),)


Play = tuple[Cards, Reading]
"""Cards left to right as they should be laid, and what they are meant as."""


def physical_plays(
    hand: Hand, current: Reading | None = None, *, full_house_joker_pair: bool = True, max_cards: int = 10
) -> list[Play]:
    """All plays of `hand` as a lead (`current` None) or on `current`, each set of cards once a reading.

    A hand of 27 leads some 360 plays without a wild, 1,100 with one and 2,200 with two.
    """
    if current is None:
        options = hand.leads(full_house_joker_pair=full_house_joker_pair, max_cards=max_cards)
    else:
        options = hand.follows(current, full_house_joker_pair=full_house_joker_pair, max_cards=max_cards)
    found: list[Play] = []
    pairs: dict[int, list[Choice]] = {}
    triples: dict[int, list[Choice]] = {}
    for option in options:
        reading = option.reading
        if reading.pair is not None and reading.rank is not None:
            sets = _full_houses(hand, _kept(triples, hand, reading.rank, 3), _kept(pairs, hand, reading.pair, 2))
        else:
            sets = sets_of(hand, reading)
        found += zip(sets, repeat(reading))
    return found


def _kept(kept: dict[int, list[Choice]], hand: Hand, rank: int, size: int) -> list[Choice]:
    """The choices of a rank: each pair is carried by every triple, so they are made once."""
    found = kept.get(rank)
    if found is None:
        found = kept[rank] = list(_of_rank(hand, rank, size))
    return found


def sets_of(hand: Hand, reading: Reading) -> list[Cards]:
    """All distinct sets of cards of the hand that can mean `reading`, in the order in which they should be laid."""
    kind, rank, high = reading.type, reading.rank, reading.high
    if kind is Type.JOKER_BOMB:
        return [(CARDS[52], CARDS[52], CARDS[53], CARDS[53])]
    if rank is not None:
        if kind is Type.FULL_HOUSE:
            assert reading.pair is not None
            return _full_houses(hand, list(_of_rank(hand, rank, 3)), list(_of_rank(hand, reading.pair, 2)))
        size = reading.size or (1 if kind is Type.SINGLE else 2 if kind is Type.PAIR else 3)
        # Wilds first in a bomb: triple, wild, wild could also be a full house over a pair of level cards.
        return list(chain.from_iterable(_of_rank(hand, rank, size, kind is Type.BOMB)))
    assert high is not None
    if kind is Type.STRAIGHT:
        return _straights(hand, high)
    if kind is Type.STRAIGHT_FLUSH:
        return _flushes(hand, high, reading.suit)
    return _runs(hand, high, 2, 3) if kind is Type.TUBE else _runs(hand, high, 3, 2)


@cache
def _chosen(rank: int, copies: tuple[int, ...], count: int) -> Choice:
    """Distinct choices of `count` cards of a rank, from so many copies of each suit (of one joker: of suit 0)."""
    if not count:
        return _NOTHING
    first = 52 + rank - 13 if rank > 12 else rank * 4
    cards = [CARDS[first + suit] for suit, number in enumerate(copies) for _ in range(number)]
    return tuple(dict.fromkeys(combinations(cards, count)))


def _naturals(hand: Hand, rank: int, count: int) -> Choice:
    """Choices of `count` natural cards of a rank; () if there are not so many."""
    if hand.held[rank] < count:
        return ()
    copies = hand.copies
    if rank > 12:
        return _chosen(rank, (copies[39 + rank],), count)
    first = rank * 4
    if rank == hand.level:
        return _chosen(rank, (copies[first], 0, copies[first + 2], copies[first + 3]), count)
    return _chosen(rank, tuple(copies[first : first + 4]), count)


def _of_rank(hand: Hand, rank: int, size: int, wilds_first: bool = False) -> Iterator[Choice]:
    """Choices of `size` cards that count as `rank`, by the number of wilds among them.

    At least one card is natural, but one or two wilds alone are level cards (C-2).
    """
    yield _naturals(hand, rank, size)
    if rank > 12:
        return
    for wilds in range(1, min(hand.wilds, size) + 1):
        if wilds == size and rank != hand.level:
            return
        added = (CARDS[hand.wild],) * wilds
        natural = _naturals(hand, rank, size - wilds)
        yield tuple([added + cards for cards in natural] if wilds_first else [cards + added for cards in natural])


def _full_houses(hand: Hand, triples: list[Choice], pairs: list[Choice]) -> list[Cards]:
    """Triple first. triples, pairs: choices by the wilds among them."""
    found: list[Cards] = []
    wilds = hand.wilds
    for used, threes in enumerate(triples):
        for twos in pairs[: wilds - used + 1]:
            if len(twos) == 1:
                two = twos[0]
                found += [three + two for three in threes]
            else:
                found += [three + two for three in threes for two in twos]
    return found


def _steps(high: Rank, length: int) -> list[int]:
    """Ranks of a sequence, lowest first; an ace below the two is the low one."""
    return [(high - back) % 13 for back in range(length - 1, -1, -1)]


def _straights(hand: Hand, high: Rank) -> list[Cards]:
    """Straights on one span, without those whose natural cards are all of one suit (C-4)."""
    places = [[cards[0] for cards in _naturals(hand, rank, 1)] for rank in _steps(high, 5)]
    suits = [sum(1 << (card & 3) for card in place) for place in places]
    """Suits held at each place, as a mask."""
    found: list[Cards] = []
    for filled in _with_wilds(hand, places):
        common = 0b1111
        for place, mine, held in zip(filled, places, suits, strict=True):
            if place is mine:
                common &= held
        if not common:
            found += product(*filled)
            continue
        one_suit = {
            tuple(
                next(card for card in place if card & 3 == suit) if place is mine else place[0]
                for place, mine in zip(filled, places, strict=True)
            )
            for suit in range(4)
            if common >> suit & 1
        }
        found += [cards for cards in product(*filled) if cards not in one_suit]
    return found


def _flushes(hand: Hand, high: Rank, suit: Suit | None) -> list[Cards]:
    assert suit is not None
    copies, wild = hand.copies, hand.wild
    cards = [CARDS[rank * 4 + suit] for rank in _steps(high, 5)]
    places = [[card] if copies[card] and card != wild else [] for card in cards]
    return [tuple(place[0] for place in filled) for filled in _with_wilds(hand, places)]


def _with_wilds(hand: Hand, places: list[list[Card]]) -> Iterator[list[list[Card]]]:
    """The places with wilds in each set of them that covers the empty ones."""
    empty = [number for number, place in enumerate(places) if not place]
    full = [number for number, place in enumerate(places) if place]
    wild = [CARDS[hand.wild]]
    for more in range(hand.wilds - len(empty) + 1):
        for chosen in combinations(full, more):
            filled = list(places)
            for number in (*empty, *chosen):
                filled[number] = wild
            yield filled


def _runs(hand: Hand, high: Rank, copies: int, length: int) -> list[Cards]:
    """Tubes (three times two) or plates (twice three) on one span."""
    wild, wilds = (CARDS[hand.wild],), hand.wilds
    ranks = [
        [
            [cards + wild * used for cards in _naturals(hand, rank, copies - used)]
            for used in range(min(wilds, copies) + 1)
        ]
        for rank in _steps(high, length)
    ]
    """By rank and wilds used for it."""
    found: list[Cards] = []
    for used in product(*(range(len(rank)) for rank in ranks)):
        if sum(used) > wilds:
            continue
        sets = [rank[number] for rank, number in zip(ranks, used, strict=True)]
        if length == 3:
            found += [a + b + c for a in sets[0] for b in sets[1] for c in sets[2]]
        else:
            found += [a + b for a in sets[0] for b in sets[1]]
    return found
