"""Judges of cases about what comes before play: `cut` and `tribute_select` (RULEBOOKS section 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.cards import Rank, Seat, parse_cards
from engine.case_reader import Answer, BadCase, CaseReader, Json
from engine.cut import first_drawer, first_leader, must_redraw
from engine.rulebook import Rulebook, is_play_order
from engine.tribute import tribute_options


def _order(read: CaseReader, given: Json) -> tuple[Seat, ...]:
    order = read.seats(given, "play_order")
    if not is_play_order(order):
        raise BadCase(read.name, "key 'play_order' is not an order of four seats")
    return order


def _cut(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    order = _order(read, given)
    if "turned_card_index_from_top" in given:
        index = given["turned_card_index_from_top"]
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < 108:
            raise BadCase(read.name, "key 'turned_card_index_from_top' is not a whole number from 0 to 107")
        return {"first_leader": first_leader(Seat.parse(read.text(given, "first_drawer")), index, order).value}
    (card,) = parse_cards((read.text(given, "turned_up"),))
    if must_redraw(card, rulebook):
        return {"redraw": True, "first_drawer": None}
    drawer = first_drawer(Seat.parse(read.text(given, "cutter")), card.rank, order)
    return {"redraw": False, "first_drawer": drawer.value if drawer is not None else None}


def _tribute_select(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    level: Rank = read.level(given)
    return {"tribute_options": [card.text for card in tribute_options(read.cards(given, "hand_excerpt"), level)]}


TOPICS: Final[Mapping[str, Callable[[CaseReader, Json, Rulebook], Answer]]] = {
    "cut": _cut,
    "tribute_select": _tribute_select,
}
