"""Which reading beats which: printed examples, nearest counter-examples, and order laws."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from engine_support import said
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Rank, Suit
from engine.combos import Reading, Type
from engine.order import BOMB_TYPES, beats, is_bomb, key

RANKS = [rank for rank in Rank if not rank.is_joker]


def one(text: str) -> Reading:
    (reading,) = said(text)
    return reading


def every_reading() -> list[Reading]:
    """One reading of each type and key; pairs of full houses and suits of straight flushes are thinned out."""
    return [
        *(Reading(kind, rank) for kind in (Type.SINGLE, Type.PAIR) for rank in Rank),
        *(Reading(Type.TRIPLE, rank) for rank in RANKS),
        *(
            Reading(Type.FULL_HOUSE, a, b)
            for a, b in product(RANKS, (Rank.TWO, Rank.ACE, Rank.BIG_JOKER))
            if a is not b
        ),
        *(Reading(Type.STRAIGHT, high=high) for high in RANKS[3:]),
        *(Reading(Type.TUBE, high=high) for high in RANKS[1:]),
        *(Reading(Type.PLATE, high=high) for high in RANKS),
        *(Reading(Type.BOMB, rank, size=size) for rank in RANKS for size in range(4, 11)),
        *(Reading(Type.STRAIGHT_FLUSH, high=high, suit=suit) for high in RANKS[3:] for suit in (Suit.SPADE, Suit.CLUB)),
        Reading(Type.JOKER_BOMB),
    ]


READINGS = st.sampled_from(every_reading())
LEVELS = st.sampled_from(RANKS)
TWO_OF_A_TYPE = st.one_of(
    [
        st.tuples(of_a_type, of_a_type)
        for kind in Type
        for of_a_type in [st.sampled_from([reading for reading in every_reading() if reading.type is kind])]
    ]
)


@given(READINGS, READINGS, LEVELS)
def test_two_readings_never_beat_each_other(a: Reading, b: Reading, level: Rank) -> None:
    assert not (beats(a, b, level) and beats(b, a, level))
    assert not beats(a, a, level)


@given(READINGS, READINGS, READINGS, LEVELS)
def test_beating_is_transitive(a: Reading, b: Reading, c: Reading, level: Rank) -> None:
    if beats(a, b, level) and beats(b, c, level):
        assert beats(a, c, level)


@given(TWO_OF_A_TYPE, READINGS, LEVELS)
def test_readings_of_one_type_stand_in_line(two: tuple[Reading, Reading], c: Reading, level: Rank) -> None:
    """Within a type one of two is higher or they are equal, and equals are equal to the same readings."""
    a, b = two
    equal = not beats(a, b, level) and not beats(b, a, level)

    assert equal is (key(a, level) == key(b, level))
    if equal:
        assert beats(a, c, level) is beats(b, c, level)
        assert beats(c, a, level) is beats(c, b, level)


@pytest.mark.parametrize("level", RANKS)
def test_bombs_are_a_chain_in_which_the_lowest_of_a_class_beats_the_highest_of_the_class_below(level: Rank) -> None:
    top, bottom = level, Rank.THREE if level is Rank.TWO else Rank.TWO
    four, five, *longer = [
        (Reading(Type.BOMB, bottom, size=size), Reading(Type.BOMB, top, size=size)) for size in range(4, 11)
    ]
    lowest, highest = (Reading(Type.STRAIGHT_FLUSH, high=high, suit=Suit.CLUB) for high in (Rank.FIVE, Rank.ACE))
    jokers = Reading(Type.JOKER_BOMB)
    chain = [four, five, (lowest, highest), *longer, (jokers, jokers)]

    for number, (weakest, _) in enumerate(chain):
        for _, strongest in chain[:number]:
            assert beats(weakest, strongest, level)
            assert not beats(strongest, weakest, level)


@given(READINGS, LEVELS)
def test_a_four_card_bomb_beats_every_ordinary_reading_and_none_beats_it(reading: Reading, level: Rank) -> None:
    bomb = Reading(Type.BOMB, Rank.THREE if level is Rank.TWO else Rank.TWO, size=4)

    assert beats(bomb, reading, level) is (not is_bomb(reading))
    assert beats(reading, bomb, level) is (is_bomb(reading) and reading != bomb)


@pytest.mark.parametrize("level", RANKS)
def test_point_order_takes_the_level_rank_out_of_its_place(level: Rank) -> None:
    order = sorted((Reading(Type.SINGLE, rank) for rank in Rank), key=lambda single: key(single, level))

    others = [rank for rank in RANKS if rank is not level]
    assert [single.rank for single in order] == [*others, level, Rank.SMALL_JOKER, Rank.BIG_JOKER]
    assert all(beats(above, below, level) for below, above in pairwise(order))


@given(READINGS, READINGS, LEVELS)
def test_ordinary_types_beat_their_own_type_only(a: Reading, b: Reading, level: Rank) -> None:
    if beats(a, b, level) and not is_bomb(a):
        assert a.type is b.type


@given(READINGS, READINGS, LEVELS)
def test_every_bomb_beats_every_ordinary_type(a: Reading, b: Reading, level: Rank) -> None:
    if a.type in BOMB_TYPES and b.type not in BOMB_TYPES:
        assert beats(a, b, level)


@pytest.mark.parametrize(
    ("level", "stronger", "weaker"),
    [
        ("2", "joker_bomb", "bomb 8 x10"),
        ("2", "joker_bomb", "straight_flush A S"),
        ("2", "bomb 3 x6", "straight_flush A S"),
        ("2", "straight_flush 5 S", "bomb A x5"),
        ("2", "bomb 3 x5", "bomb 2 x4"),
        ("6", "bomb 6 x4", "bomb A x4"),
        ("2", "bomb 2 x4", "bomb A x4"),
        ("7", "single 7", "single A"),
        ("7", "single SJ", "single 7"),
        ("7", "single BJ", "single SJ"),
        ("A", "single A", "single K"),
        ("2", "pair 2", "pair A"),
        ("5", "full_house 5 over 3", "full_house A over K"),
        ("5", "plate A", "plate 6"),
        ("7", "straight 8", "straight 7"),
        ("2", "tube 4", "tube 3"),
        ("2", "plate 3", "plate 2"),
        ("2", "straight 6", "straight 5"),
    ],
)
def test_stronger_beats_weaker_and_not_the_other_way(level: str, stronger: str, weaker: str) -> None:
    assert beats(one(stronger), one(weaker), Rank.parse(level))
    assert not beats(one(weaker), one(stronger), Rank.parse(level))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("straight_flush 9 S", "straight_flush 9 H"),
        ("full_house 9 over 2", "full_house 9 over A"),
        ("pair 9", "single 3"),
        ("full_house 9 over 3", "triple 3"),
        ("tube 9", "plate 4"),
        ("bomb 9 x4", "bomb 9 x4"),
    ],
)
def test_equal_or_unlike_readings_do_not_beat_each_other(a: str, b: str) -> None:
    assert not beats(one(a), one(b), Rank.TWO)
    assert not beats(one(b), one(a), Rank.TWO)
