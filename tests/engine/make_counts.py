"""Count legal plays and sequences of acts: `python tests/engine/make_counts.py` prints `tests/engine/counts.json` anew.

The file says what is counted. Change hands or deals in the file, run this, and read the difference before it is kept.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import brute
from engine_support import Table, cards, playing

from engine.cards import Level, Seat
from engine.combos import Type
from engine.facts import CardsLaid, Declared, Passed
from engine.hand import Hand
from engine.notation_reader import parse_reading
from engine.physical import physical_plays

FILE = Path(__file__).with_name("counts.json")
Json = Mapping[str, Any]
Counts = dict[str, list[int]]
"""By type and for `all`: representative plays, physical plays."""


def counts_of_types(representative: Iterable[str], physical: Iterable[str]) -> Counts:
    """Both numbers by type, in the order of `Type`, from the type of each play."""
    few, many = Counter(representative), Counter(physical)
    found = {kind.value: [few[kind], many[kind]] for kind in Type if many[kind]}
    return {**found, "all": [few.total(), many.total()]}


def count_plays(named: Json, on: str | None) -> Counts:
    """What a named hand can lead (`on` None) or lay on a reading, by the engine."""
    hand = Hand(cards(named["cards"]), Level.parse(named["level"]).rank)
    current, most = (parse_reading(on) if on else None), named.get("max_cards", 10)
    options = hand.leads(max_cards=most) if current is None else hand.follows(current, max_cards=most)
    physical = physical_plays(hand, current, max_cards=most)
    return counts_of_types([option.reading.type for option in options], [reading.type for _, reading in physical])


def count_plays_by_definition(named: Json, on: brute.Said | None) -> Counts:
    """The same by the independent checker."""
    level, most = named["level"], named.get("max_cards", 10)
    sets = brute.sets_with_readings(tuple(named["cards"].split()), level)
    may = {(cards, said) for cards, said in sets if len(cards) <= most and (on is None or brute.beats(said, on, level))}
    return counts_of_types([said[0] for said in {said for _, said in may}], [said[0] for _, said in may])


def count_sequences(deal: Json, acts: int) -> int:
    """Sequences of so many acts from a named deal; each act is told to the engine as a fact, the last only counted."""
    hands = {seat: deal["hands"].get(seat.value, "") for seat in Seat}
    finish = tuple(map(Seat, deal["out"]))
    return _count(playing(Seat(deal["leader"]), Level.parse(deal["level"]).rank, hands=hands, finish=finish), acts)


def _count(table: Table, acts: int) -> int:
    deal = table.deal
    if deal.is_over:
        return 0
    assert deal.turn is not None
    hand, best = deal.hands[deal.turn], table.trick.current
    assert hand is not None
    plays = physical_plays(Hand(hand, deal.level), best.reading if best is not None else None)
    if acts == 1:
        return len(plays) + (best is not None)
    found = 0
    for laid, reading in plays:
        after = Table(table.match)
        after.tell(CardsLaid(deal.turn, laid))
        if after.deal.pending is not None:
            after.tell(Declared(deal.turn, reading))
        assert after.trick.current is not None
        assert after.trick.current.reading == reading
        found += _count(after, acts - 1)
    if best is not None:
        after = Table(table.match)
        after.tell(Passed(deal.turn))
        found += _count(after, acts - 1)
    return found


def count_sequences_by_definition(deal: Json, acts: int) -> int:
    """The same by the independent checker."""
    hands = [tuple(sorted(deal["hands"].get(seat, "").split())) for seat in brute.ORDER]
    out = tuple(brute.ORDER.index(seat) for seat in deal["out"])
    return brute.sequences(
        (hands[0], hands[1], hands[2], hands[3]), deal["level"], brute.ORDER.index(deal["leader"]), acts, out
    )


def recount(written: Json) -> dict[str, Any]:
    """The file with every number counted anew by the engine."""
    hands = [
        {**named, "lead": count_plays(named, None), "follow": {on: count_plays(named, on) for on in named["follow"]}}
        for named in written["hands"]
    ]
    deals = [
        {**deal, "sequences": [count_sequences(deal, acts + 1) for acts in range(len(deal["sequences"]))]}
        for deal in written["deals"]
    ]
    return {**written, "hands": hands, "deals": deals}


def text(counts: Json) -> str:
    """The file as text, a line for each list of numbers."""
    one_line = re.sub(
        r"\[\s+([\d,\s]+?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", json.dumps(counts, indent=2)
    )
    return one_line + "\n"


if __name__ == "__main__":
    sys.stdout.write(text(recount(json.loads(FILE.read_text("utf-8")))))
