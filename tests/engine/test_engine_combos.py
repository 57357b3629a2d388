"""Readings: the definitions, the decisions C-2 to C-9, and a brute-force check."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest
from engine_support import TWO, cards, said

from engine.cards import CARDS, PACKS, Card, Rank, Suit
from engine.combos import BadReading, Reading, Type, readings

NATURAL = "A23456789TJQKA"


@pytest.mark.parametrize(
    "text", ["KS AD 2C 3S 4D", "KS KD AS AD 2C 2D", "KS KD KC AS AD AC 2S", "QS KD AC 2S 3D", "AS AD AC KS KD QS"]
)
def test_sequences_do_not_wrap_around_the_ace(text: str) -> None:
    assert readings(cards(text), Rank.SEVEN) == ()


def test_level_cards_keep_their_natural_place_in_a_straight() -> None:
    assert readings(cards("3S 4D 5C 6S 7D"), Rank.SEVEN) == (Reading(Type.STRAIGHT, high=Rank.SEVEN),)
    assert readings(cards("JS QD KC AS 2D"), Rank.TWO) == ()


def test_five_in_suit_by_help_of_a_wild_is_never_a_plain_straight() -> None:
    assert {r.type for r in readings(cards("4S 5S 6S 7S 2H"), TWO)} == {Type.STRAIGHT_FLUSH}
    assert {r.type for r in readings(cards("4S 5S 6S 7D 2H"), TWO)} == {Type.STRAIGHT}


def test_wild_is_never_a_joker() -> None:
    assert readings(cards("BJ 2H"), TWO) == ()
    assert readings(cards("BJ BJ SJ 2H"), TWO) == ()


def test_full_house_may_be_barred_from_carrying_jokers() -> None:
    laid = cards("8S 8D 8C BJ BJ")

    assert readings(laid, TWO) == (Reading(Type.FULL_HOUSE, Rank.EIGHT, Rank.BIG_JOKER),)
    assert readings(laid, TWO, full_house_joker_pair=False) == ()


def test_no_card_is_no_combination() -> None:
    assert readings((), TWO) == ()


def test_more_cards_than_any_combination_has_are_none() -> None:
    assert readings(cards("3S") * 11, TWO) == ()


def test_readings_do_not_depend_on_the_order_of_cards() -> None:
    random = Random(3)
    for text in ("7S 7D 8C 8D 2H 2H", "8S 8D 8C 2H 2H", "4S 5D 6C 7S 2H"):
        laid = list(cards(text))
        first = readings(laid, TWO)
        random.shuffle(laid)

        assert readings(laid, TWO) == first


def test_reading_has_a_json_form_that_reads_back() -> None:
    for text in ("single BJ", "pair 9", "full_house K over 6", "straight 5", "straight_flush 9 S", "bomb 5 x6"):
        (reading,) = said(text)

        assert Reading.from_json(reading.to_json()) == reading
        assert str(reading) == text


@pytest.mark.parametrize(
    "form",
    [
        None,
        [],
        {},
        {"type": "royal"},
        {"type": "pair"},
        {"type": "pair", "rank": "1"},
        {"type": "pair", "rank": 9},
        {"type": "pair", "rank": ["9"]},
        {"type": "pair", "rank": "9", "size": 2},
        {"type": "bomb", "rank": "9", "size": 11},
        {"type": "bomb", "rank": "9", "size": True},
        {"type": ["pair"], "rank": "9"},
        {"type": "straight_flush", "high": "9", "suit": "X"},
    ],
)
def test_json_form_that_is_no_reading_is_refused_by_value(form: object) -> None:
    with pytest.raises(BadReading) as caught:
        Reading.from_json(form)

    assert repr(form) in str(caught.value)


# -- brute force: put every card in the place of every wild, then apply the printed definitions -----------------------


def _concrete(faces: list[Card]) -> set[Reading]:
    """What cards without any wild among them are, by the letter of RULEBOOKS 2.3 (C-4 apart)."""
    ranks = Counter(card.rank.text for card in faces)
    size = len(faces)
    found: set[Reading] = set()
    jokers = ranks["SJ"] + ranks["BJ"]
    if sorted(card.text for card in faces) == ["BJ", "BJ", "SJ", "SJ"]:
        found.add(Reading(Type.JOKER_BOMB))
    if len(ranks) == 1:
        rank = faces[0].rank
        if size <= 2:
            found.add(Reading(Type.SINGLE if size == 1 else Type.PAIR, rank))
        elif not jokers and size == 3:
            found.add(Reading(Type.TRIPLE, rank))
        elif not jokers and size <= 10:
            found.add(Reading(Type.BOMB, rank, size=size))
    if sorted(ranks.values()) == [2, 3]:
        triple, pair = (rank for rank, _ in ranks.most_common())
        if triple not in {"SJ", "BJ"}:
            found.add(Reading(Type.FULL_HOUSE, Rank.parse(triple), Rank.parse(pair)))
    for kind, length, copies in ((Type.STRAIGHT, 5, 1), (Type.TUBE, 3, 2), (Type.PLATE, 2, 3)):
        for start in range(len(NATURAL) - length + 1):
            run = NATURAL[start : start + length]
            if ranks == Counter(dict.fromkeys(run, copies)):
                found.add(Reading(kind, high=Rank.parse(run[-1])))
    suits = {card.suit for card in faces}
    if len(suits) == 1 and any(reading.type is Type.STRAIGHT for reading in found):
        (suit,) = suits
        found = {Reading(Type.STRAIGHT_FLUSH, high=reading.high, suit=suit) for reading in found}
    return found


def _by_brute_force(laid: tuple[Card, ...], level: Rank) -> set[Reading]:
    natural = [card for card in laid if not card.is_wild(level)]
    wilds = len(laid) - len(natural)
    if not natural:  # C-2
        return _concrete(list(laid))
    found: set[Reading] = set()
    for stand_ins in combinations_with_replacement(CARDS[:52], wilds):
        for reading in _concrete([*natural, *stand_ins]):
            carried = [card for card in natural if card.rank is reading.pair]
            # C-5: a carried pair made of two wilds is a pair of level cards.
            if reading.type is Type.FULL_HOUSE and not carried and reading.pair is not level:
                continue
            found.add(reading)
    spans = {reading.high for reading in found if reading.type is Type.STRAIGHT_FLUSH}
    return {r for r in found if r.type is not Type.STRAIGHT or r.high not in spans}  # C-4


def _dense(random: Random, level: Rank, size: int) -> list[Card]:
    """Cards of few neighbouring ranks, so that most subsets are nearly something."""
    start = random.randrange(13)
    ranks = {Rank((start + i) % 13) for i in range(6)} | {level}
    pool = [card for card in PACKS if card.rank in ranks or card.rank.is_joker]
    wilds = [Card.of(level, Suit.HEART)] * random.choice((0, 1, 1, 2))
    pool = [card for card in pool if not card.is_wild(level)]
    return wilds + random.sample(pool, size - len(wilds))


@pytest.mark.parametrize("seed", range(4))
def test_readings_agree_with_brute_force_on_dense_sets(seed: int) -> None:
    random = Random(seed)
    combos = checked = 0
    for _ in range(6):
        level = random.choice(list(Rank)[:13])
        hand = _dense(random, level, 11)
        subsets = [subset for size in range(1, 8) for subset in combinations(hand, size)]
        likely = [s for s in subsets if readings(s, level)]
        chosen = random.sample(likely, min(40, len(likely))) + random.sample(subsets, 40)
        for laid in chosen:
            if sum(card.is_wild(level) for card in laid) == 2 and random.random() < 0.9:
                continue  # 1,378 stand-ins each
            assert set(readings(laid, level)) == _by_brute_force(laid, level), (seed, level, laid)
            combos += bool(readings(laid, level))
            checked += 1

    assert combos > 30
    assert checked > combos
