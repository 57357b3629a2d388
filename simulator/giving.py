"""Which card a player gives as tribute, and which he returns. Source: RULEBOOKS section 7 and its article."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from engine.cards import Card, Rank, Suit
from engine.combos import RUNS_OF_5
from engine.order import strength
from simulator.grouping import group
from simulator.maxims import Maxim


def choose_tribute(hand: Iterable[Card], options: Sequence[Card]) -> Card:
    """Of equal largest cards the copy that is least use for a straight flush. Raises ValueError without options."""
    held = set(hand)
    return min(options, key=lambda card: (_neighbours(card, held), card))


def choose_return(
    hand: Iterable[Card], level: Rank, options: Sequence[Card], maxims: frozenset[Maxim], rng: random.Random
) -> Card:
    """A card that one can do without: a lone low one, and a heart if the maxim is kept.

    Of hearts the level cards are wilds, so that fewer straight flushes can be made with one than with another suit.
    Raises ValueError without options.
    """
    held = tuple(hand)
    loose = {card for play in group(held, level) if len(play.cards) == 1 for card in play.cards}
    hearts = Maxim.RETURN_A_HEART in maxims

    def regret(card: Card) -> tuple[bool, bool, float]:
        wanted = hearts and card.suit is not Suit.HEART
        return card not in loose, wanted, strength(card.rank, level) + rng.uniform(0, 3)

    return min(options, key=regret)


def _neighbours(card: Card, held: set[Card]) -> int:
    """The most cards of its suit that a run of five around it holds."""
    if card.rank.is_joker:
        return 0
    runs = [run for _, run in RUNS_OF_5 if card.rank in run]
    return max(sum(Card.of(rank, card.suit) in held for rank in run) for run in runs) if card.suit is not None else 0
