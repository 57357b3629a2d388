"""The deal id: a published vector, the corners of the range, and refusal of what is no deal."""

from __future__ import annotations

import random

import pytest

from dealer.dealid import BadDeal, count_deals, deal_id
from engine.cards import CARDS, PACKS, Card, Seat

VECTOR = (
    "E:AKJT8765.AJT432.A997544.AT9532+- N:QQ6542.AQQ552.AKJ6.AKJ876632+rb "
    "W:AJT9983.KKT88766.QT875322.KQQ4+- S:K7432.J99743.KQJT863.JT98754+rb"
)


def hands_of(text: str) -> dict[Seat, list[Card]]:
    hands = {}
    for part in text.split():
        seat, _, rest = part.partition(":")
        suits, _, jokers = rest.partition("+")
        cards = [
            Card.parse(r + s) for s, ranks in zip("SHDC", suits.split("."), strict=True) for r in ranks if r != "-"
        ]
        cards += [Card.parse({"r": "BJ", "b": "SJ"}[j]) for j in jokers if j != "-"]
        hands[Seat(seat)] = cards
    return hands


def test_the_published_vector_has_its_published_id() -> None:
    assert deal_id(hands_of(VECTOR)) == "0c956ffbf9f74211e5737cfda826068817624150267"


def test_the_first_and_last_deal_have_the_first_and_last_number() -> None:
    low = sorted(PACKS, reverse=True)  # E gets nothing of the low faces: the smallest counts come first
    first = {Seat.E: low[:27], Seat.N: low[27:54], Seat.W: low[54:81], Seat.S: low[81:]}
    last = {Seat.E: PACKS[:27], Seat.N: PACKS[27:54], Seat.W: PACKS[54:81], Seat.S: PACKS[81:]}

    assert int(deal_id(first), 16) == 0
    assert int(deal_id(last), 16) == count_deals() - 1


def test_there_are_about_2_to_the_169_distinct_deals() -> None:
    assert 2**168 < count_deals() < 2**169


def test_equal_hands_have_equal_ids_and_a_swap_changes_the_id() -> None:
    cards = list(PACKS)
    random.Random(7).shuffle(cards)
    hands = {seat: cards[i * 27 : i * 27 + 27] for i, seat in enumerate(Seat)}
    turned = {seat: list(reversed(hand)) for seat, hand in hands.items()}
    a, b = Seat.E, Seat.W
    i, j = next((i, j) for i, x in enumerate(hands[a]) for j, y in enumerate(hands[b]) if x != y)
    swapped = {seat: list(hand) for seat, hand in hands.items()}
    swapped[a][i], swapped[b][j] = swapped[b][j], swapped[a][i]

    assert deal_id(hands) == deal_id(turned)
    assert deal_id(hands) != deal_id(swapped)


def test_hands_that_are_not_two_packs_are_refused() -> None:
    short = {seat: list(CARDS[:27]) for seat in Seat}

    with pytest.raises(BadDeal):
        deal_id(short)
