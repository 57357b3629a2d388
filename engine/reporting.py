"""The duty to report remaining cards (报牌). Source: RULEBOOKS 3.4, decisions R-1 to R-5, I12 to I14."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.rulebook import Rulebook


class Asker(StrEnum):
    """Who asks a player how many cards he holds."""

    OPPONENT = "opponent"
    PARTNER = "partner"


SELF_MODES = frozenset({"self_once", "card_until_end_of_deal"})
"""Modes in which a player reports by himself."""
ON_REQUEST = "opponents_question_only"


@dataclass(frozen=True, slots=True)
class ReportDuty:
    """What a player owes after a play.

    count: cards that he has left; None once he is out.
    overdue: an earlier play had already called for the report.
    form: `card` or `spoken`, where a report is due; card_stays_until: `end_of_deal` for a card.
    """

    must_report: bool
    count: int | None
    overdue: bool = False
    form: str | None = None
    card_stays_until: str | None = None
    volunteering_forbidden: bool = False
    may_answer_questions: bool = True


def report_duty(before: int, played: int, reported: bool, rulebook: Rulebook) -> ReportDuty:
    """What is due after playing `played` of `before` cards. `reported`: he has reported in this deal.

    Due once, on the first play that leaves 1 to the threshold; the play that empties the hand needs none (R-4).
    """
    left = before - played
    threshold = rulebook.report_threshold
    due = (
        threshold is not None
        and rulebook.report_mode in SELF_MODES
        and played > 0
        and not reported
        and 1 <= left <= threshold
    )
    by_card = rulebook.report_card or rulebook.report_mode == "card_until_end_of_deal"
    return ReportDuty(
        must_report=due,
        count=left if left > 0 else None,
        overdue=due and threshold is not None and before <= threshold,
        form=("card" if by_card else "spoken") if due else None,
        card_stays_until="end_of_deal" if due and by_card else None,
        volunteering_forbidden=rulebook.report_volunteering == "forbidden" and left > 0,
        may_answer_questions=not (reported and rulebook.report_repeat_questions == "forbidden"),
    )


@dataclass(frozen=True, slots=True)
class QuestionDuty:
    """What a question after the number of cards obliges to. `count`: what the answer has to be."""

    must_answer: bool
    count: int | None
    question_forbidden: bool


def question_duty(left: int, asker: Asker, reported: bool, rulebook: Rulebook) -> QuestionDuty:
    """What a player with `left` cards owes to whoever asks.

    Only an opponent's question has to be answered, and only where reports are made on request. A partner may not ask
    where counts may not be volunteered; nobody may ask again where the rulebook says so.
    """
    threshold = rulebook.report_threshold
    must = (
        threshold is not None
        and rulebook.report_mode == ON_REQUEST
        and asker is Asker.OPPONENT
        and 1 <= left <= threshold
    )
    fishing = asker is Asker.PARTNER and rulebook.report_volunteering == "forbidden"
    again = reported and rulebook.report_repeat_questions == "forbidden"
    return QuestionDuty(must, left if must else None, fishing or again)


def report_fault(duty: ReportDuty, told: int | None) -> str | None:
    """Name of the finding on what a player told of himself after a play; None if nothing is wrong.

    `told`: the number that he reported after this play and before the next, None if he reported nothing; a card that
    lies there from an earlier report says nothing of this play. A second report within a deal is a finding of its own
    where questions may not be repeated.
    """
    if told is None:
        return "report_missing" if duty.must_report else None
    if duty.volunteering_forbidden:
        return "report_volunteered"
    if not duty.must_report and not duty.may_answer_questions:
        return "report_repeat"
    return "report_wrong_count" if duty.count is not None and told != duty.count else None
