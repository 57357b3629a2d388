"""What a hand can play: one play for each reading, with as few wilds as it takes.

Source: RULEBOOKS 2.3 to 2.5. Suits that make no difference are not told apart: a pair of nines is one play, whichever
nines are taken; straight flushes are told apart by suit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, Rank, Seat, Suit
from engine.combos import Reading, Type
from engine.order import BOMB_TYPES, beats
from engine.resolve import slots
from engine.rulebook import Rulebook
from engine.state import Match, Phase

_RANKS: Final = tuple(rank for rank in Rank if not rank.is_joker)
_RUN_TOPS: Final = {
    Type.STRAIGHT: _RANKS[3:],
    Type.STRAIGHT_FLUSH: _RANKS[3:],
    Type.TUBE: _RANKS[1:],
    Type.PLATE: _RANKS,
}
"""Highest ranks of the runs of each type; the lowest of them begins with a low ace."""


@dataclass(frozen=True, slots=True)
class Play:
    """Cards left to right as they should be laid, and what they are meant as."""

    cards: tuple[Card, ...]
    reading: Reading


class _Hand:
    """A hand sorted by rank, wilds apart."""

    def __init__(self, hand: Iterable[Card], level: Rank) -> None:
        self.level = level
        self.wilds: list[Card] = []
        self.of_rank: list[list[Card]] = [[] for _ in Rank]
        for card in hand:
            if card.is_wild(level):
                self.wilds.append(card)
            else:
                self.of_rank[card.rank].append(card)

    def group(self, rank: Rank, count: int, wilds_used: int = 0) -> list[Card] | None:
        """`count` cards that count as `rank`, natural ones first; None if the hand has not got them.

        At least one of them is natural; level cards alone may be all wild (C-2, C-5).
        """
        natural = self.of_rank[rank][:count]
        missing = count - len(natural)
        if missing == 0:
            return natural
        if rank.is_joker or missing > len(self.wilds) - wilds_used or (not natural and rank is not self.level):
            return None
        return natural + self.wilds[wilds_used : wilds_used + missing]


def legal_plays(hand: Iterable[Card], level: Rank, current: Reading | None, rulebook: Rulebook) -> list[Play]:
    """Every reading that `hand` can play as a lead (`current` None) or on `current`, once each; passing is not listed.

    Cards lie so that `resolve` picks the intended reading by placement, except for a full house over a pair of wilds
    where a bomb is legal too.
    """
    sorted_hand = _Hand(hand, level)
    found: list[Play] = []
    for kind, plays in _GENERATORS.items():
        if current is None:
            found += plays(sorted_hand, rulebook)
        elif kind is current.type or kind in BOMB_TYPES:
            found += [play for play in plays(sorted_hand, rulebook) if beats(play.reading, current, level)]
    return [play for play in found if len(play.cards) <= rulebook.max_cards_per_play]


def legal_for(match: Match, seat: Seat, rulebook: Rulebook) -> list[Play]:
    """What a seat may play as the match stands; empty if it is not in turn or its hand is not known."""
    deal = match.deal
    if deal is None or deal.phase is not Phase.PLAYING or deal.turn is not seat or deal.trick is None:
        return []
    hand = deal.hands.get(seat)
    best = deal.trick.current
    return legal_plays(hand, deal.level, best.reading if best is not None else None, rulebook) if hand else []


def _of_one_rank(kind: Type, count: int) -> Callable[[_Hand, Rulebook], Iterator[Play]]:
    def plays(hand: _Hand, _: Rulebook) -> Iterator[Play]:
        for rank in Rank if count < 3 else _RANKS:
            cards = hand.group(rank, count)
            if cards is not None and (count < 3 or hand.of_rank[rank]):
                yield Play(tuple(cards), Reading(kind, rank))

    return plays


def _full_houses(hand: _Hand, rulebook: Rulebook) -> Iterator[Play]:
    pairs = [rank for rank in Rank if hand.group(rank, 2) and (rulebook.full_house_joker_pair or not rank.is_joker)]
    for rank in _RANKS:
        triple = hand.group(rank, 3)
        if triple is None or not hand.of_rank[rank]:
            continue
        used = 3 - min(3, len(hand.of_rank[rank]))
        for pair in pairs:
            carried = hand.group(pair, 2, used) if pair is not rank else None
            if carried is not None:
                yield Play((*triple, *carried), Reading(Type.FULL_HOUSE, rank, pair))


def _bombs(hand: _Hand, _: Rulebook) -> Iterator[Play]:
    for rank in _RANKS:
        natural = hand.of_rank[rank]
        if not natural:
            continue
        for size in range(4, len(natural) + len(hand.wilds) + 1):
            missing = max(0, size - len(natural))
            # Wilds first: triple, wild, wild could also be a full house over a pair of level cards.
            yield Play((*hand.wilds[:missing], *natural[:size]), Reading(Type.BOMB, rank, size=size))


def _runs(kind: Type, copies: int) -> Callable[[_Hand, Rulebook], Iterator[Play]]:
    def plays(hand: _Hand, _: Rulebook) -> Iterator[Play]:
        for high in _RUN_TOPS[kind]:
            reading = Reading(kind, high=high)
            ranks = (slots(reading) or ())[::copies]
            cards = _fill(hand, [hand.of_rank[rank][:copies] for rank in ranks], copies)
            if cards is not None:
                yield Play(cards, reading)

    return plays


def _straights(hand: _Hand, _: Rulebook) -> Iterator[Play]:
    """Plain straights: naturals of one suit only would be a straight flush (C-4), so one place takes another suit."""
    for high in _RUN_TOPS[Type.STRAIGHT]:
        reading = Reading(Type.STRAIGHT, high=high)
        places = [hand.of_rank[rank] for rank in slots(reading) or ()]
        chosen = [cards[:1] for cards in places]
        suits = {card.suit for cards in chosen for card in cards}
        if len(suits) == 1:
            other = next(
                ((i, card) for i, cards in enumerate(places) for card in cards if card.suit not in suits), None
            )
            if other is None:
                continue
            chosen[other[0]] = [other[1]]
        cards = _fill(hand, chosen, 1)
        if cards is not None:
            yield Play(cards, reading)


def _straight_flushes(hand: _Hand, _: Rulebook) -> Iterator[Play]:
    for suit in Suit:
        places = [[card for card in cards if card.suit is suit][:1] for cards in hand.of_rank]
        for high in _RUN_TOPS[Type.STRAIGHT_FLUSH]:
            reading = Reading(Type.STRAIGHT_FLUSH, high=high, suit=suit)
            cards = _fill(hand, [places[rank] for rank in slots(reading) or ()], 1)
            if cards is not None:
                yield Play(cards, reading)


def _fill(hand: _Hand, places: list[list[Card]], copies: int) -> tuple[Card, ...] | None:
    """The cards of a run in order, wilds where naturals are missing; None if there are too few wilds."""
    missing = sum(copies - len(cards) for cards in places)
    if missing > len(hand.wilds):
        return None
    wilds = iter(hand.wilds)
    return tuple(card for cards in places for card in (*cards, *(next(wilds) for _ in range(copies - len(cards)))))


def _joker_bombs(hand: _Hand, _: Rulebook) -> Iterator[Play]:
    small, big = hand.of_rank[Rank.SMALL_JOKER], hand.of_rank[Rank.BIG_JOKER]
    if len(small) >= 2 and len(big) >= 2:
        yield Play((*small[:2], *big[:2]), Reading(Type.JOKER_BOMB))


_GENERATORS: Final[dict[Type, Callable[[_Hand, Rulebook], Iterator[Play]]]] = {
    Type.SINGLE: _of_one_rank(Type.SINGLE, 1),
    Type.PAIR: _of_one_rank(Type.PAIR, 2),
    Type.TRIPLE: _of_one_rank(Type.TRIPLE, 3),
    Type.FULL_HOUSE: _full_houses,
    Type.STRAIGHT: _straights,
    Type.TUBE: _runs(Type.TUBE, 2),
    Type.PLATE: _runs(Type.PLATE, 3),
    Type.BOMB: _bombs,
    Type.STRAIGHT_FLUSH: _straight_flushes,
    Type.JOKER_BOMB: _joker_bombs,
}
