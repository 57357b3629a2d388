"""What may be shown of a table: two types, one for everybody and one for referees.

`PublicView` is built only from cards that lie open and from counts that follow from them; it has no field that
could hold a hidden card, an alert or a question. `RefereeView` adds the alerts and questions of its own table.
No view holds a hand: what the machine knows of hands never leaves the fold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dealer.conditions import CONDITIONS
from dealer.standing import Standing
from engine.cards import Seat, card_texts
from engine.state import Deal, Phase

Document = dict[str, Any]  # a JSON object on its way out


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the loop knows beside the fold: the machine, the camera, the display, the time."""

    link_up: bool
    level: str | None
    camera_ok: bool
    camera_condition: str | None
    display: str
    mode: str
    since_act_s: float | None


@dataclass(frozen=True, slots=True)
class PublicView:
    """A table as anyone in the room may see it."""

    document: Document

    def to_json(self) -> Document:
        return self.document


@dataclass(frozen=True, slots=True)
class RefereeView:
    """A table as its referee sees it: the public view, its alerts and its questions."""

    public: PublicView
    alerts: tuple[Document, ...]
    questions: tuple[Document, ...]

    def to_json(self) -> Document:
        return {**self.public.document, "alerts": list(self.alerts), "questions": list(self.questions)}


def public_view(standing: Standing, around: Surroundings) -> PublicView:
    """The public view of a standing."""
    match = standing.match
    deal = match.deal if match is not None else None
    return PublicView(
        {
            "id": standing.table,
            "record": standing.record,
            "rulebook": standing.rulebook.id,
            "phase": standing.phase.value,
            "mode": around.mode,
            "deal": standing.deals_started,
            "level": deal.level.text if deal is not None else None,
            "leader": deal.leader.value if deal is not None and deal.leader is not None else None,
            "turn": _turn(deal),
            "held": standing.held,
            "taking_back": standing.taking_back.value if standing.taking_back is not None else None,
            "asking": sorted({question.seat.value for question in standing.questions.values()}),
            "display": around.display,
            "levels": {pair.value: level.text for pair, level in match.levels.items()} if match is not None else {},
            "hand_sizes": _hand_sizes(deal),
            "zones": {
                seat.value: {"cards": card_texts(zone.cards), "pass": zone.passing, "report": zone.report}
                for seat, zone in standing.zones.items()
            },
            "trick": _trick(deal),
            "finish": [seat.value for seat in deal.finish] if deal is not None else [],
            "clock": {
                "since_ms": round(around.since_act_s * 1000) if around.since_act_s is not None else None,
                "limit_s": _limit(standing),
            },
            "link": {"up": around.link_up, "level": around.level},
            "camera": {"ok": around.camera_ok, "condition": around.camera_condition},
            "conditions": [condition_document(name, at) for name, at in standing.conditions.items()],
            "settled_ns": standing.settled_ns,
        }
    )


def referee_view(standing: Standing, around: Surroundings) -> RefereeView:
    """The referee's view of a standing."""
    return RefereeView(
        public=public_view(standing, around),
        alerts=tuple(alert.to_json() for alert in standing.alerts.values()),
        questions=tuple(
            {"id": question.record, "record": question.record, **dict(question.body)}
            for question in standing.questions.values()
        ),
    )


def condition_document(name: str, at_utc: str | None) -> Document:
    """A condition with its words and its one next step."""
    kind = CONDITIONS[name]
    return {
        "code": kind.code,
        "name": name,
        "since": at_utc,
        "text_en": kind.text_en,
        "text_zh": kind.text_zh,
        "remedy_en": kind.remedy_en,
        "remedy_zh": kind.remedy_zh,
    }


def _turn(deal: Deal | None) -> str | None:
    return deal.turn.value if deal is not None and deal.turn is not None and deal.phase is Phase.PLAYING else None


def _hand_sizes(deal: Deal | None) -> dict[str, int]:
    if deal is None or deal.phase in {Phase.BEFORE, Phase.DEALING}:
        return {}
    return {seat.value: deal.hand_sizes[seat] for seat in Seat}


def _trick(deal: Deal | None) -> list[Document]:
    if deal is None or deal.trick is None:
        return []
    return [
        {"seat": act.seat.value, "cards": card_texts(act.cards)}
        if act.cards
        else {"seat": act.seat.value, "pass": True}
        for act in deal.trick.plays
    ]


def _limit(standing: Standing) -> Mapping[str, Any] | float | None:
    deal = standing.deal
    if deal is None or deal.phase is not Phase.PLAYING:
        return None
    first = deal.trick is not None and deal.trick.number == 1 and not deal.trick.plays
    return standing.rulebook.first_lead_s if first else standing.rulebook.play_s
