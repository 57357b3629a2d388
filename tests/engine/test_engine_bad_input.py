"""What is no card, level, seat or hand is refused by the error that names the value, and says what to write."""

from __future__ import annotations

import pytest
from engine_support import BOOK, TWO, cards
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import (
    CARDS,
    PACKS,
    BadCard,
    BadLevel,
    BadSeat,
    Card,
    Level,
    Rank,
    Seat,
    Suit,
    card_texts,
    parse_cards,
)
from engine.combos import readings
from engine.hand import Hand, NotHeld, ThirdCopy
from engine.legal import legal_plays
from engine.rulebook import UnknownRulebook
from engine.rulebook_data import known_rulebooks, load_rulebook

WORDS = {card.text for card in CARDS}


@pytest.mark.parametrize("text", ["ZZ", "HT", "th", "10H", "1H", "T", "", " TH", "TH ", "TX", "JB", "joker", "红心"])
def test_text_that_is_no_card_is_named(text: str) -> None:
    with pytest.raises(BadCard) as caught:
        Card.parse(text)

    assert str(caught.value).startswith(f"{text!r} is not a card; write rank ")


@given(st.text(max_size=4))
def test_only_the_54_words_are_cards(text: str) -> None:
    if text in WORDS:
        assert Card.parse(text).text == text
        return
    with pytest.raises(BadCard):
        Card.parse(text)


def test_first_bad_card_of_a_list_is_named() -> None:
    with pytest.raises(BadCard, match="'1S' is not a card"):
        parse_cards(["TH", "1S", "ZZ"])


@pytest.mark.parametrize("number", [-1, 54, 108])
def test_number_that_is_no_card_is_named(number: int) -> None:
    with pytest.raises(BadCard, match=f"^{number} is not a card"):
        Card(number)


def test_joker_has_no_suit() -> None:
    with pytest.raises(BadCard, match="BJH"):
        Card.of(Rank.BIG_JOKER, Suit.HEART)


@pytest.mark.parametrize("text", ["1", "10", "", "a", "B", "SJ", "A++", "A+ ", "2 "])
def test_text_that_is_no_level_is_named(text: str) -> None:
    with pytest.raises(BadLevel) as caught:
        Level.parse(text)

    assert str(caught.value) == f"{text!r} is not a level; write one of 2 3 4 5 6 7 8 9 T J Q K A A+"


def test_nothing_is_played_past_a() -> None:
    with pytest.raises(BadLevel, match=r"'A\+'"):
        _ = Level.PAST_ACE.rank


@pytest.mark.parametrize("joker", [Rank.SMALL_JOKER, Rank.BIG_JOKER])
def test_joker_is_no_level(joker: Rank) -> None:
    """Without a check the cards would be read under a level whose wild is a joker."""
    with pytest.raises(BadLevel, match=f"'{joker.text}' is not a level"):
        Hand(cards("3S 4S"), joker)
    with pytest.raises(BadLevel, match=f"'{joker.text}' is not a level"):
        readings(cards("3S 3D"), joker)
    with pytest.raises(BadLevel, match=f"'{joker.text}' is not a level"):
        legal_plays(cards("3S 3D"), joker, None, BOOK)


@pytest.mark.parametrize("text", ["s", "X", "", "NS", "South"])
def test_text_that_is_no_seat_is_named(text: str) -> None:
    with pytest.raises(BadSeat) as caught:
        Seat.parse(text)

    assert str(caught.value) == f"{text!r} is not a seat; write S, E, N or W"


@pytest.mark.parametrize("text", ["X", "", "SH", "s"])
def test_text_that_is_no_suit_is_named(text: str) -> None:
    with pytest.raises(BadCard, match=repr(text)):
        Suit.parse(text)


@pytest.mark.parametrize("card", CARDS, ids=card_texts(CARDS))
def test_two_copies_of_each_card_exist_and_a_third_is_refused_by_name(card: Card) -> None:
    assert Hand((card, card), TWO).cards() == (card, card)

    with pytest.raises(ThirdCopy, match=f"^{card.text} is there three times or more; two packs hold each card twice"):
        legal_plays((card, card, card), TWO, None, BOOK)


def test_both_packs_are_a_hand_and_one_card_more_is_none() -> None:
    assert Hand(PACKS, TWO).size == 108

    with pytest.raises(ThirdCopy, match="9C"):
        Hand((*PACKS, Card.parse("9C")), TWO)


def test_cards_that_a_hand_lacks_are_named_and_it_stays_as_it_was() -> None:
    hand = Hand(cards("3S 3S 4D 2H SJ"), TWO)

    for lacking in ("3S 3S 3S", "4D 5D", "2H 2H", "SJ BJ"):
        with pytest.raises(NotHeld, match=lacking):
            hand.take(cards(lacking))
        assert hand.cards() == Hand(cards("3S 3S 4D 2H SJ"), TWO).cards()
        assert hand.leads() == Hand(cards("3S 3S 4D 2H SJ"), TWO).leads()


@pytest.mark.parametrize("name", ["house-rules", "", "anhui-league", "Competitive-2022", "../core", "core.toml"])
def test_rulebook_that_is_not_known_is_named_beside_those_that_are(name: str) -> None:
    with pytest.raises(UnknownRulebook) as caught:
        load_rulebook(name)

    assert repr(name) in str(caught.value)
    assert all(known in str(caught.value) for known in known_rulebooks())
