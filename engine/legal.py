"""What a hand can play: one play for each reading, with as few wilds as it takes.

Source: RULEBOOKS 2.3 to 2.5. Suits that make no difference are not told apart: a pair of nines is one play, whichever
nines are taken; straight flushes are told apart by suit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import Card, Rank, Seat
from engine.combos import Reading
from engine.hand import Hand
from engine.rulebook import Rulebook
from engine.state import Match, Phase


@dataclass(frozen=True, slots=True)
class Play:
    """Cards left to right as they should be laid, and what they are meant as."""

    cards: tuple[Card, ...]
    reading: Reading


def legal_plays(hand: Iterable[Card], level: Rank, current: Reading | None, rulebook: Rulebook) -> list[Play]:
    """Every reading that `hand` can play as a lead (`current` None) or on `current`, once each; passing is not listed.

    Cards lie so that `resolve` picks the intended reading by placement, except for a full house over a pair of wilds
    where a bomb is legal too.
    """
    held = Hand(hand, level)
    joker_pair, most = rulebook.full_house_joker_pair, rulebook.max_cards_per_play
    if current is None:
        options = held.leads(full_house_joker_pair=joker_pair, max_cards=most)
    else:
        options = held.follows(current, full_house_joker_pair=joker_pair, max_cards=most)
    return [Play(held.cards_for(option), option.reading) for option in options]


def legal_for(match: Match, seat: Seat, rulebook: Rulebook) -> list[Play]:
    """What a seat may play as the match stands; empty if it is not in turn or its hand is not known."""
    deal = match.deal
    if deal is None or deal.phase is not Phase.PLAYING or deal.turn is not seat or deal.trick is None:
        return []
    hand = deal.hands.get(seat)
    best = deal.trick.current
    return legal_plays(hand, deal.level, best.reading if best is not None else None, rulebook) if hand else []
