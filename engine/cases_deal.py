"""Judges of cases about what comes before play: cut, tribute, return and leader (RULEBOOKS section 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.cards import Card, Rank, Seat, parse_cards
from engine.case_reader import Answer, BadCase, CaseReader, Json
from engine.cut import draw_order, first_drawer, first_leader, must_redraw
from engine.rulebook import Rulebook, is_play_order
from engine.tribute import is_anti_tribute, pair_tributes, payers, return_options, tribute_options


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


def _draw_order(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    later = draw_order(read.finish(given, "previous_finish"), _order(read, given), rulebook)
    return {
        "shuffler": later.shuffler.value,
        "cutter": later.cutter.value,
        "first_drawer": later.first_drawer.value,
        "extra_cut_right": later.extra_cut_right.value if later.extra_cut_right is not None else None,
    }


def _tribute_select(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    level: Rank = read.level(given)
    return {"tribute_options": [card.text for card in tribute_options(read.cards(given, "hand_excerpt"), level)]}


def _return_select(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    to = read.text(given, "to")
    if to not in {"partner", "opponent"}:
        raise BadCase(read.name, f"key 'to': {to!r} is neither partner nor opponent")
    limit = rulebook.return_max_partner if to == "partner" else rulebook.return_max_opponent
    options = return_options(read.cards(given, "hand"), read.level(given), limit)
    return {"return_options": [card.text for card in options]}


def _tribute_pairing(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    order = _order(read, given)
    first = Seat.parse(read.text(given, "first"))
    tributes = _tributes(read, given, first)
    tendered = read.seats(given, "submission_order") if "submission_order" in given else ()
    if rulebook.equal_double_tribute != "first_tendered":
        tendered = ()
    pairing = pair_tributes(first, tributes, read.level(given), order, tendered[0] if tendered else None)
    to_first, to_second = pairing.to_first.value, pairing.to_second.value
    return {
        "to_first": to_first,
        "to_second": to_second,
        "returns": {first.value: to_first, first.partner.value: to_second},
        "leader": pairing.leader.value,
    }


def _tributes(read: CaseReader, given: Json, first: Seat) -> dict[Seat, Card]:
    texts = read.table(given, "tributes")
    tributes = {Seat.parse(seat): parse_cards((texts[seat],))[0] for seat in texts}
    if set(tributes) != set(first.pair.other.seats):
        raise BadCase(read.name, "key 'tributes' does not name the two opponents of first")
    return tributes


def _leader(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    finish = read.finish(given, "previous_finish")
    owing = payers(finish) if rulebook.tribute else ()
    held = read.table(given, "big_jokers")
    anti = is_anti_tribute(owing, {Seat.parse(seat): held[seat] for seat in held})
    answer: Answer = {"tribute": bool(owing), "anti_tribute": anti, "leader": None, "leader_rule": None}
    if anti or not owing:
        return {**answer, "leader": finish[0].value}
    if len(owing) == 1:
        return {**answer, "leader": owing[0].value}
    return {**answer, "leader_rule": "payer_to_first"}


TOPICS: Final[Mapping[str, Callable[[CaseReader, Json, Rulebook], Answer]]] = {
    "cut": _cut,
    "draw_order": _draw_order,
    "tribute_select": _tribute_select,
    "return_select": _return_select,
    "tribute_pairing": _tribute_pairing,
    "leader": _leader,
}
