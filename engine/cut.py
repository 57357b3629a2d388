"""The cut of deal 1: who draws first and who leads. Source: RULEBOOKS 3.1, decisions D-1 to D-4."""

from __future__ import annotations

from engine.cards import Card, Rank, Seat
from engine.rulebook import Rulebook


def must_redraw(turned_up: Card, rulebook: Rulebook) -> bool:
    """Whether the turned-up card names nobody and another is drawn (D-2)."""
    return turned_up in rulebook.redraw_on


def first_drawer(cutter: Seat, turned_up: Rank, order: tuple[Seat, ...]) -> Seat | None:
    """The seat reached by counting the card's points in play order from the cutter, who is 1; None for a joker.

    Ace counts 1, jack 11, queen 12, king 13 (D-3).
    """
    if turned_up.is_joker:
        return None
    points = 1 if turned_up is Rank.ACE else turned_up + 2
    return order[(order.index(cutter) + points - 1) % 4]


def first_leader(drawer: Seat, index: int, order: tuple[Seat, ...]) -> Seat:
    """Who draws the turned-up card, `index` cards (0..107) below the top, when `drawer` draws the top card (D-1)."""
    return order[(order.index(drawer) + index) % 4]
