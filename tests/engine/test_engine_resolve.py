"""Which reading counts (C-10): declaration, placement, the only one, the highest of one type, or ask."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from engine_support import BOOK, TWO, cards, said

from engine.cards import PACKS, Rank
from engine.combos import BadReading, Reading, Type
from engine.legal import legal_plays
from engine.resolve import Resolution, arrange, highest, resolve


def judged(laid: str, current: str | None = None, declared: str | None = None, placed: bool = True) -> Resolution:
    on = next(iter(said(current))) if current is not None else None
    means = next(iter(said(declared))) if declared is not None else None
    return resolve(cards(laid), TWO, on, BOOK, means, placed)


def chosen(laid: str, current: str | None = None, declared: str | None = None) -> str:
    return str(judged(laid, current, declared).chosen)


def test_a_legal_declaration_comes_before_the_placement() -> None:
    assert chosen("7S 7D 8C 8D 2H 2H") == "tube 9"
    assert chosen("7S 7D 8C 8D 2H 2H", declared="plate 8") == "plate 8"


def test_a_declaration_that_the_cards_cannot_satisfy_is_illegal() -> None:
    found = judged("7S 7D 8C 8D 2H 2H", declared="tube T")

    assert found.chosen is None
    assert found.reason == "not_a_combination"
    assert not found.needs_declaration


def test_a_declaration_that_does_not_beat_the_play_is_too_low() -> None:
    assert judged("7S 7D 8C 8D 2H 2H", "tube 8", "tube 8").reason == "not_higher"
    assert judged("7S 7D 8C 8D 2H 2H", "tube 7", "plate 8").reason == "type_mismatch"


@pytest.mark.parametrize(
    ("laid", "reading"),
    [
        ("4S 5C 6D 7H 2H", "straight 8"),
        ("2H 4S 5C 6D 7H", "straight 7"),
        ("4S 5C 2H 7H 8S", "straight 8"),
        ("KS KC 2H 6D 6S", "full_house K over 6"),
        ("6D 6S 2H KS KC", "full_house 6 over K"),
        ("7S 7D 8C 8D 2H 2H", "tube 9"),
        ("2H 2H 7S 7D 8C 8D", "tube 8"),
        ("7S 7D 2H 8C 8D 2H", "plate 8"),
        ("2H 2H 8S 8D 8C", "bomb 8 x5"),
        ("AS 2C 3D 4S 2H", "straight 5"),
    ],
)
def test_the_wild_stands_for_the_place_where_it_lies(laid: str, reading: str) -> None:
    found = judged(laid)

    assert str(found.chosen) == reading
    assert not found.assumed


def test_an_arrangement_that_fits_no_reading_leaves_the_highest_of_one_type() -> None:
    found = judged("4S 7H 5C 6D 2H")

    assert str(found.chosen) == "straight 8"
    assert found.assumed


def test_only_readings_that_beat_the_play_are_legal() -> None:
    found = judged("2H 4S 5C 6D 7H", "straight 7")

    assert set(found.legal) == said("straight 8")
    assert str(found.chosen) == "straight 8"
    assert not found.assumed


def test_readings_of_several_types_need_a_declaration() -> None:
    found = judged("8S 8D 8C 2H 2H")

    assert found.needs_declaration
    assert found.chosen is None
    assert set(found.legal) == said("bomb 8 x5", "full_house 8 over 2")


def test_placement_does_not_resolve_where_the_order_is_not_known() -> None:
    assert judged("7S 7D 8C 8D 2H 2H", placed=False).needs_declaration


@pytest.mark.parametrize(
    ("laid", "current", "reason"),
    [
        ("3S 4D", None, "not_a_combination"),
        ("3S 3D", "single 9", "type_mismatch"),
        ("3S 3D", "bomb 9 x4", "type_mismatch"),
        ("3S", "single 3", "not_higher"),
        ("3S 3D 3C 3H", "bomb 3 x4", "bomb_too_small"),
        ("3S 4S 5S 6S 7S", "bomb 3 x6", "bomb_too_small"),
        ("8S 8D 8C 2H 2H", "straight_flush 7 S", "bomb_too_small"),
    ],
)
def test_an_illegal_play_has_a_reason(laid: str, current: str | None, reason: str) -> None:
    found = judged(laid, current)

    assert found.reason == reason
    assert found.legal == ()
    assert found.chosen is None


def test_a_rulebook_may_limit_the_cards_of_a_play() -> None:
    small = replace(BOOK, max_cards_per_play=6)
    bomb = cards("3S 3S 3D 3D 3C 3C 3H")

    assert resolve(bomb, TWO, None, small).reason == "too_many_cards"
    assert resolve(bomb[:6], TWO, None, small).reason is None
    assert resolve(bomb, TWO, None, BOOK).reason is None


def test_highest_prefers_bombs_then_strength() -> None:
    assert highest(said("full_house 8 over 2", "bomb 8 x5"), TWO) == Reading(Type.BOMB, Rank.EIGHT, size=5)
    assert highest(said("full_house A over 2", "full_house 2 over A"), TWO).rank is Rank.TWO


def test_arranged_cards_are_read_as_meant() -> None:
    random = Random(11)
    for _ in range(60):
        level = random.choice(list(Rank)[:13])
        hand = random.sample(PACKS, 27)
        for play in legal_plays(hand, level, None, BOOK):
            mixed = random.sample(play.cards, len(play.cards))
            laid = arrange(mixed, play.reading, level)
            found = resolve(laid, level, None, BOOK)

            assert sorted(laid) == sorted(play.cards)
            if play.reading.type is Type.FULL_HOUSE and found.needs_declaration:
                assert play.reading.pair is level  # triple and two wilds lie alike as a full house and as a bomb
            else:
                assert found.chosen == play.reading


def test_cards_that_do_not_make_the_reading_cannot_be_arranged() -> None:
    (pair,) = said("pair 9")

    with pytest.raises(BadReading, match="pair 9"):
        arrange(cards("9S 8S"), pair, TWO)
