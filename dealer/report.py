"""The demo's report: what was done (the simulator's own account) beside what was seen (the journal).

Pure. `seen` holds camera readings only; what a person answered about an unclear reading is not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

from dealer.dealid import deal_id
from dealer.journal import Record, Role
from engine.cards import Seat, parse_cards
from engine.findings import CATALOGUE

Document = dict[str, Any]  # a JSON object

UNKNOWN: Final = "??"
"""Stands in `seen` for a place of which nothing could be named."""


@dataclass(slots=True)
class DealAccount:
    """One deal as truth and as seen."""

    truth: Document = field(default_factory=lambda: {"hands": {}, "plays": [], "finish": []})
    seen: Document = field(default_factory=lambda: {"plays": [], "finish": []})
    level: str = ""
    leader: str | None = None
    laid_ns: list[int] = field(default_factory=list)
    settled_ns: list[int | None] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Recognition:
    """Cards laid, and how each was read. `phantom` counts cards seen in plays that nobody made."""

    cards: int
    correct: int
    wrong: int
    unsure: int
    phantom: int

    def to_json(self) -> dict[str, int]:
        return {"cards": self.cards, "correct": self.correct, "wrong": self.wrong, "unsure": self.unsure}


def read_truth(lines: Iterable[Mapping[str, Any]]) -> tuple[list[DealAccount], list[Document]]:
    """The simulator's account (one JSON object a line) as deals and expected alerts."""
    deals: dict[int, DealAccount] = {}
    expected: list[Document] = []
    for line in lines:
        kind = line["kind"]
        if kind == "expected":
            expected.append({key: line[key] for key in ("name", "severity", "seat", "deal")})
            continue
        if kind == "done":
            continue
        deal = deals.setdefault(int(line["deal"]), DealAccount())
        if kind == "deal":
            deal.truth["hands"] = line["hands"]
            deal.level = line["level"]
            deal.leader = line["leader"]
        elif kind == "play":
            deal.truth["plays"].append({"seat": line["seat"], "cards": line["cards"], "reading": line["reading"]})
            deal.laid_ns.append(line["laid_mono_ns"])
        elif kind == "pass":
            deal.truth["plays"].append({"seat": line["seat"], "pass": True})
            deal.laid_ns.append(line.get("laid_mono_ns", 0))
        elif kind == "taken_back":
            deal.truth["plays"][line["play"]]["taken_back"] = True
        elif kind == "finish":
            deal.truth["finish"] = line["finish"]
    return [deals[number] for number in sorted(deals)], expected


def read_journal(records: Iterable[Record], deals: list[DealAccount]) -> list[Document]:
    """Fill `seen` of each deal from the journal; returns the alerts raised."""
    alerts: list[Document] = []
    number = 0
    places: dict[int, Document] = {}
    for record in records:
        fact = record.body.get("fact", {})
        here = deals[number - 1] if 0 < number <= len(deals) else None
        match (record.role, record.kind):
            case (Role.FACT, "deal_started"):
                number += 1
            case (Role.FACT, "leader_drawn") if here is not None:
                here.leader = fact["seat"]
            case (Role.FACT, "cards_laid") if here is not None and record.source == "camera":
                places[record.number] = _see(here, {"seat": fact["seat"], "cards": fact["cards"]}, record)
            case (Role.FACT, "passed") if here is not None and record.source == "camera":
                _see(here, {"seat": fact["seat"], "pass": True}, record)
            case (Role.FACT, "ruled"):
                if fact["judgement"] == "take_back" and fact["record"] in places:
                    places[fact["record"]]["taken_back"] = True
            case (Role.QUESTION, _) if here is not None:
                if record.body["unsure"]:
                    guess = [card or UNKNOWN for card in record.body["guess"]]
                    play = {"seat": record.body["seat"], "cards": guess, "unsure": record.body["unsure"]}
                    _see(here, play, record)
            case (Role.FINDING, name):
                if name == "finish_order" and here is not None:
                    here.seen["finish"] = record.body["detail"]["order"].split()
                elif CATALOGUE[name].severity.value != "info":
                    alerts.append(
                        {
                            "code": CATALOGUE[name].code,
                            "name": name,
                            "severity": CATALOGUE[name].severity.value,
                            "seat": record.body["seat"],
                            "deal": record.body["deal"],
                            "record": record.number,
                        }
                    )
            case _:
                pass
    return alerts


def _see(deal: DealAccount, play: Document, record: Record) -> Document:
    deal.seen["plays"].append(play)
    settled = record.body.get("settled_ns")
    deal.settled_ns.append(None if settled is None else int(settled))
    return play


def align(made: Sequence[Document], seen: Sequence[Document]) -> list[tuple[int | None, int | None]]:
    """Pairs of indices of plays made and plays seen, in order; None stands where one side has nothing.

    An ordinary edit distance: the same act costs 0, another reading of cards by the same seat 2, an act on one
    side only 3.
    """
    rows, columns = len(made), len(seen)
    cost = [[3 * (i + j) for j in range(columns + 1)] for i in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            cost[i][j] = min(
                cost[i - 1][j - 1] + _difference(made[i - 1], seen[j - 1]), cost[i - 1][j] + 3, cost[i][j - 1] + 3
            )
    pairs: list[tuple[int | None, int | None]] = []
    i, j = rows, columns
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + _difference(made[i - 1], seen[j - 1]):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif i and cost[i][j] == cost[i - 1][j] + 3:
            i -= 1
            pairs.append((i, None))
        else:
            j -= 1
            pairs.append((None, j))
    return pairs[::-1]


def _difference(made: Document, seen: Document) -> int:
    if made["seat"] != seen["seat"] or made.get("pass") != seen.get("pass"):
        return 7
    if made.get("pass"):
        return 0
    return 0 if sorted(made["cards"]) == sorted(seen["cards"]) else 2


def recognise(deals: Iterable[DealAccount]) -> Recognition:
    """Count every card laid once: read right, read wrong, or not surely read (a play not seen at all included)."""
    cards = correct = wrong = unsure = phantom = 0
    for deal in deals:
        for i, j in align(deal.truth["plays"], deal.seen["plays"]):
            made = deal.truth["plays"][i].get("cards", []) if i is not None else []
            seen = deal.seen["plays"][j] if j is not None else {}
            named = [card for k, card in enumerate(seen.get("cards", [])) if k not in seen.get("unsure", [])]
            cards += len(made)
            right = sum((Counter(made) & Counter(named)).values())
            correct += right
            bad = min(len(named) - right, len(made) - right)
            wrong += bad
            phantom += len(named) - right - bad
            unsure += len(made) - right - bad
    return Recognition(cards, correct, wrong, unsure, phantom)


def percentiles(values_ms: Sequence[float]) -> dict[str, float]:
    """p50 and p99 (nearest rank) in milliseconds, and how many there were."""
    if not values_ms:
        return {"p50": 0.0, "p99": 0.0, "n": 0}
    ranked = sorted(values_ms)

    def at(share: float) -> float:
        return round(ranked[max(0, ceil(share * len(ranked)) - 1)], 1)

    return {"p50": at(0.50), "p99": at(0.99), "n": len(ranked)}


def laid_to_settled_ms(deals: Iterable[DealAccount]) -> list[float]:
    """Milliseconds from a lay-down lying there to vision calling it settled, for each one that was seen."""
    out = []
    for deal in deals:
        for i, j in align(deal.truth["plays"], deal.seen["plays"]):
            settled = deal.settled_ns[j] if j is not None else None
            if i is not None and settled is not None and deal.laid_ns[i]:
                out.append((settled - deal.laid_ns[i]) / 1e6)
    return out


def deal_documents(deals: Iterable[DealAccount]) -> list[Document]:
    """The report's `deals`; a deal id is written only here, when the deals are over."""
    return [
        {
            "deal_id": deal_id({Seat(seat): parse_cards(hand) for seat, hand in deal.truth["hands"].items()}),
            "level": deal.level,
            "leader": deal.leader,
            "truth": deal.truth,
            "seen": deal.seen,
        }
        for deal in deals
    ]


def failures(document: Document, finished: bool, seen: Recognition, *, camera: bool) -> list[str]:
    """What a headless demo did not do right, in words; empty if it met its own checks."""
    wrong: list[str] = []
    if not finished:
        wrong.append("the deals were not finished in time")
    if document["cards_accounted"] != 108:
        wrong.append(f"{document['cards_accounted']} of 108 cards accounted")
    if not camera:
        return wrong
    if seen.wrong or seen.phantom:
        wrong.append(f"{seen.wrong} cards read wrong, {seen.phantom} seen that nobody laid")
    if seen.unsure > max(2, seen.cards // 200):
        wrong.append(f"{seen.unsure} of {seen.cards} cards unsure")
    for number, deal in enumerate(document["deals"], 1):
        if deal["truth"]["finish"] != deal["seen"]["finish"]:
            wrong.append(f"deal {number}: finishing order differs")
    raised, expected = (_serious(document[key]) for key in ("alerts", "expected_alerts"))
    wrong += [f"not raised: {' '.join(map(str, alert))}" for alert in (expected - raised).elements()]
    wrong += [f"raised without cause: {' '.join(map(str, alert))}" for alert in (raised - expected).elements()]
    return wrong


def _serious(alerts: Iterable[Document]) -> Counter[tuple[str, str | None, int]]:
    return Counter((a["name"], a["seat"], a["deal"]) for a in alerts if a["severity"] != "info")
