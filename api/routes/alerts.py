"""Alerts: what needs a referee, and what a referee does about it. For referees only."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from api.context import Context, ContextOf, Referee
from api.feed import OPEN_STATUSES
from api.house import Document, TableLike, referee_document
from api.models import DismissBody, Nothing, RuleBody
from api.problems import Problem
from api.public_record import referee_record
from api.words import quoted
from dealer.command import Acknowledge, Dismiss, Hold, Rule

router: Final = APIRouter(tags=["alerts"])
_SEVERITIES: Final = ("critical", "alert", "warn", "info")


@router.get("/alerts")
async def list_alerts(context: ContextOf, actor: Referee, open: bool = False) -> Document:
    """Alerts of all tables: open ones first, most severe first, then oldest first."""
    alerts = [alert for table in context.house.tables.values() for alert in referee_document(table)["alerts"]]
    kept = [alert for alert in alerts if not open or alert["status"] in OPEN_STATUSES]
    return {"alerts": sorted(kept, key=_urgency)}


def _urgency(alert: Document) -> tuple[bool, int, str]:
    return alert["status"] not in OPEN_STATUSES, _SEVERITIES.index(alert["severity"]), alert["raised_at"]


@router.post("/alerts/{alert_id}/hold")
async def hold(alert_id: str, context: ContextOf, actor: Referee, body: Nothing | None = None) -> Document:
    """Stop play at the alert's table and mark the alert as called."""
    return referee_record(await _table(context, alert_id).submit(Hold(by=actor.name, alert=alert_id)))


@router.post("/alerts/{alert_id}/acknowledge")
async def acknowledge(alert_id: str, context: ContextOf, actor: Referee, body: Nothing | None = None) -> Document:
    """Say that one has seen the alert."""
    return referee_record(await _table(context, alert_id).submit(Acknowledge(alert=alert_id, by=actor.name)))


@router.post("/alerts/{alert_id}/dismiss")
async def dismiss(alert_id: str, body: DismissBody, context: ContextOf, actor: Referee) -> Document:
    """Judge the alert to be unfounded, with the reason."""
    command = Dismiss(alert=alert_id, by=actor.name, reason=body.reason)
    return referee_record(await _table(context, alert_id).submit(command))


@router.post("/alerts/{alert_id}/rule")
async def rule(alert_id: str, body: RuleBody, context: ContextOf, actor: Referee) -> Document:
    """Rule: the play is taken back, stands, or is only noted; with the penalty given, in words."""
    command = Rule(alert=alert_id, judgement=body.judgement, by=actor.name, penalty=body.penalty)
    return referee_record(await _table(context, alert_id).submit(command))


def _table(context: Context, alert_id: str) -> TableLike:
    """The table of alert `TABLE-RECORD`. Raises Problem 404."""
    table_id, dash, number = alert_id.rpartition("-")
    table = context.house.tables.get(table_id)
    if not dash or not number.isdecimal() or table is None:
        raise Problem(
            404,
            "No such alert",
            f"There is no alert {quoted(alert_id)}. GET /api/v1/alerts lists them.",
            name="not-found",
        )
    return table
