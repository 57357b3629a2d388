"""Alerts: findings with a life, folded from the journal.

An alert is raised by a finding, called by a hold, acknowledged, then ruled or dismissed with a reason. The fold
is pure: the same records give the same alerts, live and on replay. An alert's id is `TABLE-RECORD`, the table
and the number of the finding's record, so that a person can quote it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from engine.cards import Pair, Seat
from engine.facts import Acknowledged, Dismissed, Fact, Held, Ruled
from engine.findings import CATALOGUE, Severity
from engine.infractions import Incident, occurrence
from engine.suggestions import Suggestion

Body = Mapping[str, Any]  # a record's JSON body, read here field by field


class Status(StrEnum):
    """Where an alert stands."""

    RAISED = "raised"
    CALLED = "called"
    ACKNOWLEDGED = "acknowledged"
    RULED = "ruled"
    DISMISSED = "dismissed"

    @property
    def is_open(self) -> bool:
        return self in {Status.RAISED, Status.CALLED, Status.ACKNOWLEDGED}


@dataclass(frozen=True, slots=True)
class Alert:
    """One alert. `record` is the finding's record, `cause` the record of the fact that it judges.

    suggestion: under the table's rulebook, as things stood when the alert was raised. penalty: what a ruling gave.
    """

    id: str
    table: str
    name: str
    seat: str | None
    deal: int
    trick: int
    record: int
    cause: int
    raised_at: str
    cards: tuple[str, ...]
    detail: Mapping[str, str]
    readings: tuple[Body, ...]
    still: str | None
    settled_ns: int | None
    suggestion: Suggestion
    status: Status = Status.RAISED
    by: str | None = None
    reason: str | None = None
    penalty: str = ""

    @property
    def severity(self) -> Severity:
        return CATALOGUE[self.name].severity

    @property
    def pair(self) -> Pair | None:
        return None if self.seat is None else Seat(self.seat).pair

    def to_json(self) -> dict[str, Any]:  # a JSON document
        """Everything a referee's screen shows; the words come from the catalogue."""
        kind = CATALOGUE[self.name]
        return {
            "id": self.id,
            "table": self.table,
            "code": kind.code,
            "name": self.name,
            "severity": kind.severity.value,
            "seat": self.seat,
            "deal": self.deal,
            "trick": self.trick,
            "record": self.record,
            "cause": self.cause,
            "raised_at": self.raised_at,
            "status": self.status.value,
            "by": self.by,
            "reason": self.reason,
            "title_en": kind.title_en,
            "title_zh": kind.title_zh,
            "article": kind.article,
            "suggested_en": self.suggestion.penalty_en,
            "suggested_zh": self.suggestion.penalty_zh,
            "printed": self.suggestion.printed,
            "inherited_from": self.suggestion.inherited_from,
            "correction_en": self.suggestion.correction_en,
            "correction_zh": self.suggestion.correction_zh,
            "cards": list(self.cards),
            "detail": dict(self.detail),
            "readings": [dict(reading) for reading in self.readings],
            "still": self.still,
            "settled_ns": self.settled_ns,
        }


Alerts = dict[str, Alert]


def raise_alert(
    alerts: Alerts, table: str, record: int, at_utc: str, name: str, body: Body, suggestion: Suggestion
) -> Alerts:
    """Alerts after the finding `name` was recorded as `record`. One alert per finding."""
    alert = Alert(
        id=f"{table}-{record}",
        table=table,
        name=name,
        seat=body.get("seat"),
        deal=int(body.get("deal", 0)),
        trick=int(body.get("trick", 0)),
        record=record,
        cause=int(body.get("cause", 0)),
        raised_at=at_utc,
        cards=tuple(body.get("cards", ())),
        detail=dict(body.get("detail", {})),
        readings=tuple(body.get("readings", ())),
        still=body.get("still"),
        settled_ns=body.get("settled_ns"),
        suggestion=suggestion,
    )
    return alerts | {alert.id: alert}


def live_on(alerts: Alerts, fact: Fact) -> Alerts:
    """Alerts after a person's act. An act on an unknown alert changes nothing."""
    match fact:
        case Held(by, str(alert)):
            return _step(alerts, alert, Status.CALLED, by, None)
        case Acknowledged(alert, by):
            return _step(alerts, alert, Status.ACKNOWLEDGED, by, None)
        case Dismissed(alert, by, reason):
            return _step(alerts, alert, Status.DISMISSED, by, reason)
        case Ruled():
            words = f"{fact.judgement.value}{': ' + fact.penalty if fact.penalty else ''}"
            return _step(alerts, fact.alert, Status.RULED, fact.by, words, fact.penalty)
        case _:
            return alerts


def occurrence_in_match(alerts: Alerts, infraction: str | None, pair: Pair | None, began: int) -> int:
    """How often a pair has been penalised for an infraction since the match began at record `began`, this one included.

    Only a ruling that gave a penalty counts. 1 where there is no infraction, or nobody whose it is.
    """
    if infraction is None or pair is None:
        return 1
    ruled = (
        Incident(alert.suggestion.infraction, alert.pair, began)
        for alert in alerts.values()
        if alert.status is Status.RULED and alert.penalty and alert.record > began
        if alert.suggestion.infraction is not None and alert.pair is not None
    )
    return occurrence(ruled, Incident(infraction, pair, began))


def _step(alerts: Alerts, alert: str, status: Status, by: str, reason: str | None, penalty: str = "") -> Alerts:
    if alert not in alerts:
        return alerts
    return alerts | {alert: replace(alerts[alert], status=status, by=by, reason=reason, penalty=penalty)}
