"""How a table stands: the fold of its journal, the same code live and on replay.

Everything that a screen shows and everything that the loop decides on is derived from here, so a restart needs
nothing but the records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dealer.alerts import Alerts, Status, live_on, occurrence_in_match, raise_alert
from dealer.intake import Zones, empty_zones, remember
from engine.advance import advance
from engine.cards import Card, Seat
from engine.facts import (
    Answered,
    CardsCollected,
    CardsLaid,
    DealCompleted,
    DealStarted,
    Declared,
    Fact,
    HandConfirmed,
    Held,
    Judgement,
    MatchStarted,
    Passed,
    Resumed,
    Ruled,
    ZoneCleared,
)
from engine.findings import CATALOGUE, Finding, Severity
from engine.proposals import Circumstances, infraction_of
from engine.rulebook import Rulebook
from engine.state import Deal, Match, Phase
from engine.suggestions import Suggestion, suggested

ACTS = (CardsLaid, Passed, Answered, Declared)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A reading that a person has not settled yet; `record` is its number."""

    record: int
    seat: Seat
    body: Mapping[str, Any]  # the question's JSON body as recorded


@dataclass(frozen=True, slots=True)
class Standing:
    """One table after a number of records. `record` is the last one folded in."""

    table: str
    rulebook: Rulebook
    match: Match | None = None
    alerts: Alerts = field(default_factory=dict)
    zones: Zones = field(default_factory=empty_zones)
    questions: Mapping[int, OpenQuestion] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    """Raised conditions by name, with the UTC time of each."""
    taking_back: Seat | None = None
    consumed: int = 0
    """Number of the last device event whose meaning is in the journal."""
    match_began: int = 0
    """Record with which the match began."""
    deals_started: int = 0
    collected: bool = True
    """All cards of the last deal are back in the machine."""
    last_act_ns: int | None = None
    last_act_boot: str = ""
    settled_ns: int | None = None
    record: int = 0
    accounted: int = 108
    """Cards whose place is known: in the machine, dealt to a seat, or laid. 108, or the record says what is missing."""

    @property
    def deal(self) -> Deal | None:
        return self.match.deal if self.match is not None else None

    @property
    def phase(self) -> Phase:
        return Phase.BEFORE if self.deal is None else self.deal.phase

    @property
    def held(self) -> bool:
        return self.deal is not None and self.deal.held


@dataclass(frozen=True, slots=True)
class Judged:
    """A standing after one fact, and the findings on that fact."""

    standing: Standing
    findings: tuple[Finding, ...]


def fold_fact(before: Standing, fact: Fact, record: int, extras: Mapping[str, Any], mono_ns: int, boot: str) -> Judged:
    """Fold one fact that has journal number `record`. `extras` holds the record's `event` and `settled_ns`, if any."""
    outcome = advance(before.match, fact, before.rulebook, record)
    after = replace(
        before,
        match=outcome.state,
        alerts=live_on(before.alerts, fact),
        zones=remember(before.zones, fact),
        consumed=max(before.consumed, int(extras.get("event", 0))),
        record=record,
    )
    if extras.get("settled_ns") is not None:
        after = replace(after, settled_ns=int(extras["settled_ns"]))
    match fact:
        case Ruled(_, _, Seat() as seat, Judgement.TAKE_BACK, _, _):
            lies = bool(before.zones[seat].cards)
            after = replace(after, taking_back=seat if lies else None)
        case ZoneCleared(seat) if before.taking_back is seat:
            after = replace(after, taking_back=None)
        case MatchStarted():
            after = replace(after, match_began=record)
        case DealStarted():
            after = replace(
                after, deals_started=before.deals_started + 1, collected=False, taking_back=None, questions={}
            )
        case DealCompleted(counts):
            after = replace(after, accounted=sum(count for _, count in counts))
        case CardsCollected(count):
            after = replace(after, collected=True, taking_back=None, accounted=count)
        case Answered(question, _, _, _):
            after = replace(after, questions={n: q for n, q in before.questions.items() if n != question})
        case _:
            pass
    if isinstance(fact, (*ACTS, HandConfirmed, Resumed, Held)):
        after = replace(after, last_act_ns=mono_ns, last_act_boot=boot)
    return Judged(after, outcome.findings)


def fold_finding(before: Standing, record: int, at_utc: str, name: str, body: Mapping[str, Any]) -> Standing:
    """Fold a recorded finding: those above `info` become alerts."""
    after = replace(before, record=record)
    if CATALOGUE[name].severity is Severity.INFO:
        return after
    suggestion = _suggestion(before, name, body)
    return replace(after, alerts=raise_alert(before.alerts, before.table, record, at_utc, name, body, suggestion))


def _suggestion(standing: Standing, name: str, body: Mapping[str, Any]) -> Suggestion:
    trick = standing.deal.trick if standing.deal is not None else None
    about = Circumstances(play_started=trick is not None and (trick.number > 1 or trick.plays != ()))
    seat = body.get("seat")
    pair = None if seat is None else Seat(seat).pair
    number = occurrence_in_match(standing.alerts, infraction_of(name, about), pair, standing.match_began)
    return suggested(name, standing.rulebook, number, about)


def fold_condition(before: Standing, record: int, at_utc: str, name: str, raised: bool) -> Standing:
    """Fold a condition's coming or going."""
    conditions = {k: v for k, v in before.conditions.items() if k != name}
    if raised:
        conditions[name] = before.conditions.get(name, at_utc)
    after = replace(before, record=record, conditions=conditions)
    if name == "device_replaced" and raised:
        return replace(after, consumed=0)  # another machine numbers its events from 1
    return after


def fold_question(before: Standing, record: int, body: Mapping[str, Any]) -> Standing:
    """Fold a question that a person has to answer; a later question on the same seat replaces an open one."""
    seat = Seat.parse(str(body["seat"]))
    kept = {n: q for n, q in before.questions.items() if q.seat is not seat}
    settled = body.get("settled_ns")
    return replace(
        before,
        record=record,
        questions=kept | {record: OpenQuestion(record, seat, body)},
        settled_ns=before.settled_ns if settled is None else int(settled),
    )


def open_alerts(standing: Standing) -> list[str]:
    """Ids of alerts that still need a person, oldest first."""
    return [alert.id for alert in standing.alerts.values() if alert.status.is_open]


def finding_body(
    finding: Finding, standing: Standing, cards: tuple[Card, ...], extras: Mapping[str, Any]
) -> dict[str, Any]:  # a JSON body
    """The journal body of a finding on a fact: where it happened and what lay there."""
    deal = standing.match.deal if standing.match is not None else None
    pending = deal.pending if deal is not None else None
    readings = pending.legal if pending is not None and finding.name == "needs_declaration" else ()
    return {
        "cause": finding.record,
        "seat": finding.seat.value if finding.seat is not None else None,
        "deal": standing.deals_started,
        "trick": deal.trick.number if deal is not None and deal.trick is not None else 0,
        "detail": dict(finding.detail),
        "cards": [card.text for card in cards],
        "readings": [reading.to_json() for reading in readings],
        "still": extras.get("still"),
        "settled_ns": extras.get("settled_ns"),
    }


def status_of(standing: Standing, alert: str) -> Status | None:
    """An alert's status; None for an unknown id."""
    found = standing.alerts.get(alert)
    return found.status if found is not None else None
