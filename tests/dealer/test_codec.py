"""Facts as journal bodies: there and back for every kind, strict on the way back."""

from __future__ import annotations

import dataclasses
import json
import typing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.codec import FACT_OF_KIND, SECRET_FIELDS, decode, encode, kind_of
from dealer.errors import BadRecord
from engine import facts
from engine.cards import CARDS, PLAY_ORDER, Card, Level, Rank, Seat, Suit
from engine.combos import Reading, Type
from engine.facts import (
    CardDealt,
    CardReturned,
    CardsLaid,
    DealStarted,
    Declared,
    Fact,
    HandConfirmed,
    MatchStarted,
    Passed,
)
from engine.passing import PassForm

RANKS = list(Rank)[:13]

_readings = st.one_of(
    st.builds(Reading, st.just(Type.PAIR), st.sampled_from(list(Rank))),
    st.builds(Reading, st.just(Type.FULL_HOUSE), st.sampled_from(RANKS), st.sampled_from(list(Rank))),
    st.builds(
        lambda high, suit: Reading(Type.STRAIGHT_FLUSH, high=high, suit=suit),
        st.sampled_from(RANKS[3:]),
        st.sampled_from(list(Suit)),
    ),
    st.builds(lambda rank, size: Reading(Type.BOMB, rank, size=size), st.sampled_from(RANKS), st.integers(4, 10)),
)
st.register_type_strategy(Reading, _readings)
st.register_type_strategy(Card, st.sampled_from(CARDS))
st.register_type_strategy(str, st.text(st.characters(codec="utf-8"), max_size=12))


def _values(kind: str) -> st.SearchStrategy[Fact]:
    fact_type = FACT_OF_KIND[kind]
    hints = typing.get_type_hints(fact_type, vars(facts))
    made = {field.name: st.from_type(hints[field.name]) for field in dataclasses.fields(fact_type)}
    return st.builds(fact_type, **made)


@given(st.sampled_from(sorted(FACT_OF_KIND)).flatmap(_values))
def test_every_fact_comes_back_from_its_json_text(fact: Fact) -> None:
    form = encode(fact)

    body = json.loads(json.dumps(form.body))
    secret = None if form.secret is None else json.loads(json.dumps(form.secret))

    assert decode(form.kind, body, secret) == fact


def test_there_is_a_kind_for_every_fact() -> None:
    assert set(FACT_OF_KIND.values()) == set(typing.get_args(Fact))
    assert kind_of(CardsLaid) == "cards_laid"


def test_bodies_use_the_words_of_the_table() -> None:
    laid = encode(CardsLaid(Seat.E, (Card.parse("TH"), Card.parse("BJ"))))
    started = encode(DealStarted(3, Level.PAST_ACE, None, "system", "ab"))
    declared = encode(Declared(Seat.N, Reading(Type.BOMB, Rank.FIVE, size=6)))

    assert (laid.kind, laid.body, laid.secret) == ("cards_laid", {"seat": "E", "cards": ["TH", "BJ"]}, None)
    assert started.body["level"] == "A+"
    assert declared.body["reading"] == {"type": "bomb", "rank": "5", "size": 6}


def test_a_dealt_face_is_in_the_secret_part_only() -> None:
    form = encode(CardDealt(4, Seat.W, Card.parse("SJ")))

    assert form.body == {"index": 4, "seat": "W"}
    assert form.secret == {"card": "SJ"}
    assert "SJ" not in repr(form)
    back = encode(CardReturned(Seat.E, Seat.N, Card.parse("3D")))
    assert (back.body, back.secret) == ({"seat": "E", "to": "N"}, {"card": "3D"})
    assert set(SECRET_FIELDS) == {CardDealt, CardReturned}


@pytest.mark.parametrize(
    ("kind", "body", "wrong"),
    [
        ("card_eaten", {}, "no such fact"),
        ("passed", {"seat": "E", "why": "x"}, "unknown key 'why'"),
        ("passed", {}, "key 'seat' is missing"),
        ("passed", {"seat": "X"}, "key 'seat' has a bad value"),
        ("passed", {"seat": None}, "key 'seat' has a bad value"),
        ("passed", {"seat": ["E"]}, "key 'seat' has a bad value"),
        ("cards_laid", {"seat": "E", "cards": "TH"}, "key 'cards' has a bad value"),
        ("cards_laid", {"seat": "E", "cards": ["TH", 5]}, "key 'cards' has a bad value"),
        ("hand_confirmed", {"seat": "E", "count": True}, "key 'count' has a bad value"),
        ("hand_confirmed", {"seat": "E", "count": 27.0}, "key 'count' has a bad value"),
        ("deal_completed", {"counts": [["E", 27, 1]]}, "key 'counts' has a bad value"),
        ("declared", {"seat": "E", "reading": {"type": "pair"}}, "key 'reading' has a bad value"),
        ("declared", {"seat": "E", "reading": None}, "key 'reading' has a bad value"),
        ("deal_started", {"deal_no": 1, "level": 2}, "is missing"),
    ],
)
def test_what_is_not_known_is_refused(kind: str, body: dict[str, object], wrong: str) -> None:
    with pytest.raises(BadRecord, match=wrong):
        decode(kind, body)


@pytest.mark.parametrize("body", [None, [], [["seat", "E"]], "seat", 5])
def test_body_that_is_no_object_is_refused(body: Any) -> None:
    with pytest.raises(BadRecord, match="record 'passed': the body is not an object"):
        decode("passed", body)
    with pytest.raises(BadRecord, match="record 'passed': the body is not an object"):
        decode("passed", {"seat": "E"}, body if body is not None else 0)


def test_an_unsealed_part_is_missed() -> None:
    form = encode(CardDealt(4, Seat.W, Card.parse("SJ")))

    with pytest.raises(BadRecord, match="key 'card' is missing"):
        decode(form.kind, form.body)


def test_an_error_does_not_tell_a_secret_value() -> None:
    with pytest.raises(BadRecord) as caught:
        decode("card_dealt", {"index": 4, "seat": "W"}, {"card": "SJ?"})

    assert "SJ" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_optional_fields_keep_none_apart_from_absent() -> None:
    assert decode("card_dealt", {"index": 0, "seat": "S", "card": None}) == CardDealt(0, Seat.S, None)
    assert decode("hand_confirmed", {"seat": "S", "count": 26}) == HandConfirmed(Seat.S, 26)
    assert decode("passed", {"seat": "S"}) == Passed(Seat.S)
    assert decode("passed", {"seat": "S", "form": "knock"}) == Passed(Seat.S, PassForm.KNOCK)


def test_a_record_of_a_version_that_knew_fewer_keys_is_read() -> None:
    body = {"rulebook": "core", "rulebook_hash": "ab", "play_order": ["S", "E", "N", "W"]}

    assert decode("match_started", body) == MatchStarted("core", "ab", PLAY_ORDER)
