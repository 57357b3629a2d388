"""When the right to penalise is lost. Source: RULEBOOKS 4.4, decisions X-7, X-10."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.rulebook import Rulebook


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """Where a match stands: deal number and trick number in it, 0 before the first trick."""

    deal: int
    trick: int = 0


class Scope(StrEnum):
    """How long an irregularity may be pointed out."""

    TRICK = "trick"
    """Until the next trick begins: irregularities of play."""
    DEAL = "deal"
    """Until the next deal begins: dealing, tribute, counts of cards."""
    OPEN = "open"
    """Not bound to tricks or deals: conduct, scores, arrival; their own limits stand in RULEBOOKS 3.7."""


class Lapse(StrEnum):
    """Why nobody may be penalised any more."""

    CALLED_TOO_LATE = "called_too_late"
    ACTED_FIRST = "acted_first"
    """The other side acted before calling; if that paid because the offender knew no better, the act may be void."""
    CONSULTED_PARTNER = "consulted_partner"
    """Who had to choose the penalty asked his partner."""


_DEAL_SCOPE: Final = frozenset(
    {
        "deck_count",
        "hand_count",
        "cut_redraw",
        "draw_out_of_turn",
        "shuffle_cut_manner",
        "tribute_due",
        "anti_tribute",
        "tribute_wrong_card",
        "return_wrong_card",
        "tribute_pairing",
        "tribute_late",
        "return_late",
        "card_not_in_hand",
        "hand_below_table",
        "finish_order",
    }
)
_OPEN_SCOPE: Final = frozenset(
    {
        "level_change",
        "match_end",
        "score_mismatch",
        "late_arrival",
        "illegal_signal",
        "substitution",
        "penalty_escalation",
        "disturbance",
        "withdrawal",
        "device_fault",
    }
)


def scope(finding: str) -> Scope:
    """How long a finding of this name may be pointed out; findings on plays are the rule."""
    if finding in _DEAL_SCOPE:
        return Scope.DEAL
    return Scope.OPEN if finding in _OPEN_SCOPE else Scope.TRICK


def last_moment_has_passed(finding: str, at: Moment, now: Moment) -> bool:
    """Whether a later trick (play) or a later deal (deal, tribute, counts) than that of the finding has begun."""
    match scope(finding):
        case Scope.TRICK:
            return now > at
        case Scope.DEAL:
            return now.deal > at.deal
        case Scope.OPEN:
            return False


def pointed_out(person: Moment | None, machine: Moment | None, rulebook: Rulebook) -> Moment | None:
    """When a finding was first pointed out, None: not yet. `person`, `machine`: when each of them called.

    The machine's own alert is a call only where the event lets the machine call (X-7).
    """
    calls = [call for call in (person, machine if rulebook.machine_may_call else None) if call is not None]
    return min(calls, default=None)


def lapse(
    finding: str,
    at: Moment,
    now: Moment,
    called: Moment | None = None,
    acted_first: bool = False,
    consulted_partner: bool = False,
) -> Lapse | None:
    """Why the right to penalise a finding made `at` is lost by `now`, or None while it stands.

    called: when it was first pointed out, see `pointed_out`; a call counts from its moment, however long the referee
    takes (X-10). acted_first: the other side acted before the call.
    """
    if last_moment_has_passed(finding, at, called if called is not None else now):
        return Lapse.CALLED_TOO_LATE
    if acted_first and scope(finding) is not Scope.OPEN:
        return Lapse.ACTED_FIRST
    return Lapse.CONSULTED_PARTNER if consulted_partner else None
