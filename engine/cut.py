"""Shuffle, cut and first draw: deal 1 by the turned-up card, later deals by the finishing order.

Source: RULEBOOKS 3.1, decisions D-1 to D-5.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Pair, Rank, Seat
from engine.rulebook import Rulebook


def must_redraw(turned_up: Card, rulebook: Rulebook) -> bool:
    """Whether the turned-up card names nobody and another is drawn (D-2)."""
    return turned_up in rulebook.redraw_on


def first_drawer(cutter: Seat, turned_up: Rank, order: tuple[Seat, ...], rulebook: Rulebook) -> Seat | None:
    """The seat reached by counting the card's points in play order from the cutter, who is 1; None for a joker.

    Jack counts 11, queen 12, king 13, an ace as the rulebook says (D-3). None too where the turned-up card only names
    the leader, and who draws first is not regulated.
    """
    if turned_up.is_joker or rulebook.first_drawer == "random":
        return None
    points = rulebook.ace_count if turned_up is Rank.ACE else turned_up + 2
    return order[(order.index(cutter) + points - 1) % 4]


def first_leader(drawer: Seat, index: int, order: tuple[Seat, ...]) -> Seat:
    """Who draws the turned-up card, `index` cards (0..107) below the top, when `drawer` draws the top card (D-1)."""
    return order[(order.index(drawer) + index) % 4]


@dataclass(frozen=True, slots=True)
class DrawOrder:
    """Who prepares a later deal. With a machine only a record of it, since the machine shuffles (D-1, D-5)."""

    shuffler: Seat
    cutter: Seat
    first_drawer: Seat
    extra_cut_right: Pair | None
    """The side that may ask for one more cut; None: nobody may."""


def draw_order(finish: tuple[Seat, ...], order: tuple[Seat, ...], rulebook: Rulebook) -> DrawOrder:
    """Who shuffles, cuts and draws first after a deal that ended in `finish`: four seats, or two partners.

    First cuts. Last draws first, or first's right-hand neighbour after a double-down, which has no last player; he
    also stands in for a last player who should shuffle (D-5).
    """
    first = finish[0]
    right = order[(order.index(first) + 1) % 4]
    last = right if finish[1] is first.partner else finish[3]
    shuffler = {"first": first, "last": last, "left_of_first": right.partner}[rulebook.later_shuffler]
    extra = first.pair.other if rulebook.extra_cut and last is first.partner else None
    return DrawOrder(shuffler, first, last, extra)
