"""Factories for tests of the exchange: hands that owe a tribute, and what they hold."""

from __future__ import annotations

from collections import Counter

from engine_support import E, N, S, Table, W

from engine.cards import PACKS, Card, Seat
from engine.order import strength

HIGH = {S: "AS AS BJ", E: "BJ SJ", N: "KS KS KH", W: "SJ AD"}


def card(text: str) -> Card:
    return Card.parse(text)


def held(table: Table, seat: Seat) -> tuple[Card, ...]:
    hand = table.deal.hands[seat]
    assert hand is not None
    return hand


def low(table: Table, seat: Seat) -> Card:
    """A card that may be returned under any rulebook, or led by anybody."""
    return min(held(table, seat), key=lambda one: strength(one.rank, table.deal.level))


def assert_all_cards_are_held(table: Table) -> None:
    assert Counter(card for seat in Seat for card in held(table, seat)) == Counter(PACKS)
    assert table.deal.hand_sizes == dict.fromkeys(Seat, 27)
