"""A hand that changes card by card is, after any changes, the hand that is made of its cards afresh."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import PACKS, Card, Rank, surplus
from engine.hand import Hand
from engine.physical import physical_plays

LEVELS = tuple(Rank)[:13]
FULL_HANDS = st.lists(st.sampled_from(range(108)), min_size=1, max_size=27, unique=True).map(
    lambda places: tuple(PACKS[place] for place in places)
)


def parts(hand: Hand) -> tuple[object, ...]:
    """All that a hand keeps."""
    return hand.copies, hand.held, hand.wilds, hand.steps, hand.size, hand.cards(), hand.leads()


@given(FULL_HANDS, st.sampled_from(LEVELS), st.data())
@settings(max_examples=60)
def test_any_cards_taken_and_put_in_turn_leave_what_a_new_hand_has(
    cards: tuple[Card, ...], level: Rank, data: st.DataObject
) -> None:
    hand, away = Hand(cards, level), ()
    for _ in range(4):
        taken = tuple(data.draw(st.permutations(hand.cards()))[: data.draw(st.integers(0, hand.size))])
        hand.take(taken)
        away = (*away, *taken)
        assert parts(hand) == parts(Hand(surplus(cards, away), level))

        back = tuple(data.draw(st.permutations(away))[: data.draw(st.integers(0, len(away)))])
        hand.put(back)
        away = surplus(away, back)
        assert parts(hand) == parts(Hand(surplus(cards, away), level))


@pytest.mark.parametrize("seed", range(13))
def test_a_play_taken_and_put_back_restores_the_hand(seed: int) -> None:
    rng = Random(seed)
    cards = rng.sample(PACKS, 27)
    hand, fresh = Hand(cards, LEVELS[seed]), Hand(cards, LEVELS[seed])

    for laid, _ in rng.sample(physical_plays(hand), 60):
        hand.take(laid)
        assert parts(hand) == parts(Hand(hand.cards(), LEVELS[seed]))
        hand.put(laid)
        assert parts(hand) == parts(fresh)
