"""Judges of cases about what lies around play: cut, tribute, return, leader, end of a match (RULEBOOKS section 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from engine.cards import Card, Pair, Seat, parse_cards
from engine.case_reader import Answer, BadCase, CaseReader, Json
from engine.cut import draw_order, first_drawer, first_leader, must_redraw
from engine.match_end import End, forfeited, match_end
from engine.rulebook import Rulebook, is_play_order
from engine.timing import is_time_up, judge_lateness
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
        if type(index) is not int or not 0 <= index < 108:
            raise BadCase(read.name, "key 'turned_card_index_from_top' is not a whole number from 0 to 107")
        return {"first_leader": first_leader(Seat.parse(read.text(given, "first_drawer")), index, order).value}
    (card,) = parse_cards((read.text(given, "turned_up"),))
    if must_redraw(card, rulebook):
        return {"redraw": True, "first_drawer": None}
    drawer = first_drawer(Seat.parse(read.text(given, "cutter")), card.rank, order, rulebook)
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
    level, hand = read.level(given), read.cards(given, "hand_excerpt")
    return {
        "tribute_options": [
            card.text for card in tribute_options(hand, level, exempt_wild=rulebook.tribute_exempt_wild)
        ]
    }


def _return_select(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    to = read.text(given, "to")
    if to not in {"partner", "opponent"}:
        raise BadCase(read.name, f"key 'to': {to!r} is neither partner nor opponent")
    giver = Seat.S
    taker = giver.partner if to == "partner" else giver.partner.pair.other.seats[0]
    options = return_options(read.cards(given, "hand"), read.level(given), giver, taker, rulebook)
    return {"return_options": [card.text for card in options]}


def _tribute_pairing(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    order = _order(read, given)
    first = Seat.parse(read.text(given, "first"))
    tributes = _tributes(read, given, first)
    tendered = read.seats(given, "submission_order") if "submission_order" in given else ()
    if tendered and set(tendered) != set(tributes):
        raise BadCase(read.name, "key 'submission_order' does not name the two opponents of first")
    if not tendered:  # both at once: first's right-hand neighbour counts as the earlier (T-5)
        right = order[(order.index(first) + 1) % 4]
        tendered = (right, right.partner)
    by_time = {seat: tributes[seat] for seat in tendered}
    pairing = pair_tributes(first, by_time, read.level(given), order, rulebook)
    to_first, to_second = pairing.to_first.value, pairing.to_second.value
    return {
        "to_first": to_first,
        "to_second": to_second,
        "returns": {first.value: to_first, first.partner.value: to_second},
        "leader": pairing.leader.value,
    }


def _tributes(read: CaseReader, given: Json, first: Seat) -> dict[Seat, Card]:
    texts = read.table(given, "tributes")
    tributes = {Seat.parse(seat): Card.parse(read.text(texts, seat)) for seat in texts}
    if set(tributes) != set(first.pair.other.seats):
        raise BadCase(read.name, "key 'tributes' does not name the two opponents of first")
    return tributes


def _leader(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    finish = read.finish(given, "previous_finish")
    owing = payers(finish) if rulebook.tribute else ()
    held = read.table(given, "big_jokers")
    anti = is_anti_tribute(owing, {Seat.parse(seat): read.whole(held, seat) for seat in held}, rulebook)
    answer: Answer = {"tribute": bool(owing), "anti_tribute": anti, "leader": None, "leader_rule": None}
    if anti or not owing or rulebook.leader_later_deals == "first":
        return {**answer, "leader": finish[0].value}
    if len(owing) == 1:
        return {**answer, "leader": owing[0].value}
    return {**answer, "leader_rule": "payer_to_first"}


def _match_end(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    end = _end(read, given, rulebook)
    return {
        "over": end.over,
        "levels": {pair.value: level.text for pair, level in end.levels.items()},
        "winner": end.winner.value if end.winner is not None else None,
        "match_points": _by_side(end.match_points),
        "points": _by_side(end.level_points),
        "tie_break_required": end.tie_break_required,
        "tie_break": "one_extra_deal" if end.tie_break_required else None,
    }


def _by_side(points: Mapping[Pair, int] | None) -> dict[str, int] | None:
    return None if points is None else {pair.value: count for pair, count in points.items()}


def _end(read: CaseReader, given: Json, rulebook: Rulebook) -> End:
    """A limit that the case does not give does not exist; every stage but `points` is a knock-out (section 8)."""
    if key := next((key for key in ("forfeit", "side") if key in given), None):
        side, start = read.pair(given, key), dict.fromkeys(Pair, rulebook.first_level)
        if side is None:
            raise BadCase(read.name, f"key {key!r} names no side")
        withdrew = read.flag(given, "withdrew_before_start", default=False)
        late = read.number(given, "late_minutes") if "late_minutes" in given else 0
        if key == "forfeit" or withdrew or judge_lateness(late, rulebook).opponent_advances:
            return forfeited(start, side, rulebook, withdrew=withdrew)
        return End(False, start)
    first = given.get("current_deal_first")
    return match_end(
        read.levels(given),
        rulebook,
        time_out="minutes_limit" in given
        and is_time_up(
            read.number(given, "minutes_elapsed"), replace(rulebook, round_minutes=read.number(given, "minutes_limit"))
        ),
        deals_out="deals_limit" in given and read.whole(given, "deals_played") >= read.whole(given, "deals_limit"),
        knock_out=rulebook.extra_deal_on_tie or ("stage" in given and read.text(given, "stage") != "points"),
        reached_first=read.pair(given, "reached_first") if "reached_first" in given else None,
        sealed_first=Seat.parse(read.text(given, "current_deal_first")).pair if first is not None else None,
    )


TOPICS: Final[Mapping[str, Callable[[CaseReader, Json, Rulebook], Answer]]] = {
    "cut": _cut,
    "draw_order": _draw_order,
    "tribute_select": _tribute_select,
    "return_select": _return_select,
    "tribute_pairing": _tribute_pairing,
    "leader": _leader,
    "match_end": _match_end,
}
