"""What a hand can play, against all its subsets."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from engine_support import BOOK, TWO, cards, said

from engine.cards import PACKS, Card, Rank, Suit, surplus
from engine.combos import Reading, Type, readings
from engine.legal import legal_plays
from engine.order import beats


def dense_hand(random: Random, level: Rank, size: int) -> list[Card]:
    start = random.randrange(13)
    ranks = {Rank((start + i) % 13) for i in range(5)} | {level}
    wild = Card.of(level, Suit.HEART)
    wilds = [wild] * random.choice((0, 1, 2))
    pool = [card for card in PACKS if (card.rank in ranks or card.rank.is_joker) and card != wild]
    return wilds + random.sample(pool, size - len(wilds))


@pytest.mark.parametrize("seed", range(8))
def test_legal_plays_are_exactly_the_readings_of_all_subsets(seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        level = random.choice(list(Rank)[:13])
        hand = dense_hand(random, level, 10)
        possible = {r for size in range(1, 11) for subset in combinations(hand, size) for r in readings(subset, level)}
        current = random.choice([None, *sorted(possible, key=str)])

        lead = [play.reading for play in legal_plays(hand, level, None, BOOK)]
        follow = {play.reading for play in legal_plays(hand, level, current, BOOK)}

        assert set(lead) == possible
        assert len(lead) == len(set(lead))
        assert follow == {r for r in possible if current is None or beats(r, current, level)}


@pytest.mark.parametrize("seed", range(3))
def test_legal_plays_lay_cards_of_the_hand_with_as_few_wilds_as_it_takes(seed: int) -> None:
    random = Random(seed)
    level = random.choice(list(Rank)[:13])
    hand = dense_hand(random, level, 9)
    fewest: dict[Reading, int] = {}
    for size in range(1, 10):
        for subset in combinations(hand, size):
            wilds = sum(card.is_wild(level) for card in subset)
            for reading in readings(subset, level):
                fewest[reading] = min(wilds, fewest.get(reading, 9))

    for play in legal_plays(hand, level, None, BOOK):
        assert surplus(play.cards, hand) == ()
        assert play.reading in readings(play.cards, level)
        assert sum(card.is_wild(level) for card in play.cards) == fewest[play.reading]


def test_lowest_tube_is_offered_beside_kings() -> None:
    plays = legal_plays(cards("AS AD KS KD 2S 2D 3S 3D"), Rank.NINE, None, BOOK)

    assert {play.reading for play in plays if play.reading.type is Type.TUBE} == said("tube 3")


def test_bombs_of_all_sizes_up_to_ten_are_offered() -> None:
    plays = legal_plays(cards("8S 8S 8D 8D 8C 8C 8H 8H 2H 2H"), TWO, said("bomb A x4").pop(), BOOK)

    assert {play.reading.size for play in plays} == {5, 6, 7, 8, 9, 10}


def test_nothing_beats_the_joker_bomb() -> None:
    assert legal_plays(PACKS, TWO, Reading(Type.JOKER_BOMB), BOOK) == []


def test_empty_hand_plays_nothing() -> None:
    assert legal_plays((), TWO, None, BOOK) == []


def test_rulebook_limits_cards_and_joker_pairs() -> None:
    book = replace(BOOK, max_cards_per_play=4, full_house_joker_pair=False)
    hand = cards("8S 8S 8D 8D 8C BJ BJ")

    plays = legal_plays(hand, TWO, None, book)

    assert {play.reading for play in plays} == said(
        "single 8", "single BJ", "pair 8", "pair BJ", "triple 8", "bomb 8 x4"
    )
    assert said("full_house 8 over BJ") <= {play.reading for play in legal_plays(hand, TWO, None, BOOK)}
