"""What `engine.questions` answers about a position, as one JSON document.

Card lists and findings have the forms that they have everywhere; a hand that is not known gives null.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from engine.cards import Card, Seat, card_texts
from engine.findings import Finding
from engine.legal import Play
from engine.questions import (
    Debt,
    DeclarationOwed,
    JokersOwed,
    ReportOwed,
    ReturnOwed,
    TributeOwed,
    effect,
    leads_next,
    meaning,
    owed,
    plays_of,
    sets_of_plays,
)
from engine.rulebook import Rulebook
from engine.state import Match

Document = dict[str, Any]  # a JSON object


def stands(match: Match, findings: Iterable[Finding], rulebook: Rulebook) -> Document:
    """Who is in turn, what lies there, who leads, what is owed, and what was found wrong on the way."""
    deal = match.deal
    trick = deal.trick if deal is not None else None
    best = trick.current if trick is not None else None
    standing = None
    if trick is not None and best is not None and best.reading is not None:
        standing = {
            "seat": best.seat.value,
            "cards": card_texts(best.cards),
            "reading": best.reading.to_json(),
            "words": str(best.reading),
            "passes": trick.passes,
        }
    leads = leads_next(match)
    return {
        "rulebook": match.rulebook,
        "level": deal.level.text if deal is not None else None,
        "declarer": match.declarer.value if match.declarer is not None else None,
        "phase": deal.phase.value if deal is not None else None,
        "hand_sizes": {seat.value: size for seat, size in deal.hand_sizes.items()} if deal is not None else {},
        "out": [seat.value for seat in deal.finish] if deal is not None else [],
        "turn": deal.turn.value if deal is not None and deal.turn is not None else None,
        "stands": standing,
        "leads": leads.value if leads is not None else None,
        "owed": [_debt(debt) for debt in owed(match, rulebook)],
        "findings": [_finding(finding) for finding in findings],
    }


def plays(match: Match, seat: Seat, rulebook: Rulebook) -> Document:
    """What a seat may lay: one play a reading, and how many different sets of cards make them."""
    found, sets = plays_of(match, seat, rulebook), sets_of_plays(match, seat, rulebook)
    return {
        "seat": seat.value,
        "readings": None if found is None else [_play(play) for play in found],
        "sets_of_cards": None if sets is None else len(sets),
    }


def laid(match: Match, seat: Seat, cards: tuple[Card, ...], rulebook: Rulebook) -> Document:
    """What cards of a seat may mean, what they count as here, the findings on laying them, and how it goes on.

    No cards are a pass, which means nothing.
    """
    means = meaning(match, seat, cards, rulebook) if cards else None
    after = effect(match, seat, cards, rulebook)
    document: Document = {"seat": seat.value, "cards": card_texts(cards)}
    if means is not None:
        chosen = means.here.chosen
        document |= {
            "readings": [reading.to_json() for reading in means.readings],
            "legal": [reading.to_json() for reading in means.here.legal],
            "chosen": chosen.to_json() if chosen is not None else None,
            "needs_declaration": means.here.needs_declaration,
            "assumed": means.here.assumed,
            "reason": means.here.reason,
            "missing": None if means.missing is None else card_texts(means.missing),
        }
    return document | {"after": stands(after.state, after.findings, rulebook)}


def _play(play: Play) -> Document:
    return {"cards": card_texts(play.cards), "reading": play.reading.to_json(), "words": str(play.reading)}


def _finding(finding: Finding) -> Document:
    kind = finding.kind
    return {
        "code": kind.code,
        "name": kind.name,
        "severity": kind.severity.value,
        "seat": finding.seat.value if finding.seat is not None else None,
        "detail": dict(finding.detail),
        "title_en": kind.title_en,
        "title_zh": kind.title_zh,
    }


def _debt(debt: Debt) -> Document:
    match debt:
        case TributeOwed(seat, options):
            return {"owes": "tribute", "seat": seat.value, "options": _options(options)}
        case JokersOwed(seats):
            return {"owes": "jokers", "seats": [seat.value for seat in seats]}
        case ReturnOwed(seat, to, options):
            return {"owes": "return", "seat": seat.value, "to": to.value, "options": _options(options)}
        case ReportOwed(seat, count, form):
            return {"owes": "report", "seat": seat.value, "count": count, "form": form}
        case DeclarationOwed(seat, readings):
            words = [str(reading) for reading in readings]
            return {
                "owes": "declaration",
                "seat": seat.value,
                "readings": [r.to_json() for r in readings],
                "words": words,
            }
        case _:
            assert_never(debt)


def _options(options: tuple[Card, ...] | None) -> list[str] | None:
    return None if options is None else card_texts(options)
