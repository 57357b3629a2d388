"""The engine against an independent checker: all readings and both lists of plays of dense hands, at every level."""

from __future__ import annotations

from random import Random

import brute
import pytest

from engine.cards import CARDS, PACKS, Card, Rank, Suit
from engine.combos import KEYS, Reading, readings
from engine.hand import Hand, NotHeld
from engine.order import beats
from engine.physical import physical_plays

LEVELS = tuple(Rank)[:13]
SHORT, LONG = range(39), range(39, 2067)


def said(reading: Reading) -> brute.Said:
    """A reading in the checker's words."""
    form = reading.to_json()
    return (str(form["type"]), *(str(form[key]) for key in KEYS[reading.type]))


def dense_hand(seed: int) -> tuple[tuple[Card, ...], Rank]:
    """Eleven cards of six neighbouring ranks, with 0, 1 or 2 wilds; every level comes in turn."""
    rng, level, wilds = Random(seed), LEVELS[seed % 13], seed // 13 % 3
    low = rng.randrange(13)
    ranks = {(low + step) % 13 for step in range(6)}
    wild = Card.of(level, Suit.HEART)
    pool = [c for c in PACKS if c != wild and (int(c.rank) in ranks or (c.rank.is_joker and rng.random() < 0.5))]
    return tuple(rng.sample(pool, 11 - wilds)) + (wild,) * wilds, level


@pytest.mark.parametrize(
    "seeds",
    [SHORT, *(pytest.param(range(start, start + 169), marks=pytest.mark.sweep) for start in LONG[::169])],
    ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}",
)
@pytest.mark.timeout(600)
def test_readings_and_both_lists_agree_with_the_definitions(seeds: range) -> None:
    for seed in seeds:
        cards, level = dense_hand(seed)
        wanted = brute.sets_with_readings(tuple(card.text for card in cards), level.text)
        hand = Hand(cards, level)

        physical = [(tuple(sorted(c.text for c in laid)), said(reading)) for laid, reading in physical_plays(hand)]
        options = hand.leads()

        assert len(physical) == len(set(physical)), seed
        assert set(physical) == wanted, seed
        assert sorted(said(option.reading) for option in options) == sorted({meant for _, meant in wanted}), seed
        wild = Card.of(level, Suit.HEART).text
        for option in options:
            fewest = min(laid.count(wild) for laid, meant in wanted if meant == said(option.reading))
            assert option.wilds == fewest, (seed, option)
            lies = hand.cards_for(option)
            assert option.reading in readings(lies, level), (seed, option)
            assert (tuple(sorted(card.text for card in lies)), said(option.reading)) in wanted, (seed, option)
        current = Random(seed).choice(options).reading
        over = {option.reading for option in options if beats(option.reading, current, level)}
        assert {option.reading for option in hand.follows(current)} == over, seed
        assert {reading for _, reading in physical_plays(hand, current)} == over, seed


@pytest.mark.parametrize("seed", range(13))
def test_a_play_taken_and_put_back_restores_the_hand(seed: int) -> None:
    rng = Random(seed)
    cards = rng.sample(PACKS, 27)
    hand, fresh = Hand(cards, LEVELS[seed]), Hand(cards, LEVELS[seed])

    for laid, _ in rng.sample(physical_plays(hand), 60):
        hand.take(laid)
        left = Hand(hand.cards(), LEVELS[seed])
        assert hand.leads() == left.leads()
        hand.put(laid)
        assert hand.cards() == fresh.cards()
    assert hand.leads() == fresh.leads()


def test_cards_that_are_not_held_are_named_and_nothing_changes() -> None:
    hand = Hand(CARDS[:5], Rank.SEVEN)

    with pytest.raises(NotHeld, match="3D"):
        hand.take((CARDS[0], CARDS[6]))
    assert hand.cards() == CARDS[:5]


def test_a_third_copy_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="TH"):
        Hand((Card.parse("TH"),) * 3, Rank.TWO)
