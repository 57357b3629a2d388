"""Findings on how something was done: reports, passes, the way a play lies. Only what the table can notice is judged.

Source: RULEBOOKS 3.2, 3.4, section 6; `Match.notices` holds the kinds that this table sees or hears.
"""

from __future__ import annotations

from dataclasses import replace

from engine.arrangement import is_laid_as
from engine.facts import CountReported, Passed
from engine.findings import Finding
from engine.passing import judge_pass
from engine.reporting import report_duty, report_fault
from engine.rulebook import Rulebook
from engine.state import Action, Deal, LastPlay, Match, Told


def count_told(deal: Deal, fact: CountReported, record: int) -> Deal:
    """A report was given. It is judged when the next act counts, for until then the play before may be unsettled."""
    told = Told(fact.count, record, again=fact.seat in deal.reported)
    return replace(deal, reported={**deal.reported, fact.seat: fact.count}, told={**deal.told, fact.seat: told})


def reports_settled(match: Match, deal: Deal, act: Action, rulebook: Rulebook) -> tuple[Deal, tuple[Finding, ...]]:
    """An act counts: what was reported since the one before is judged (R-4), and the act's own report may be due."""
    played = len(act.cards)
    last = None if act.is_pass else LastPlay(act.seat, deal.hand_sizes[act.seat], played, act.record)
    found = tuple(finding for finding in _reports(deal, rulebook) if finding.name in match.notices)
    return replace(deal, told={}, last_play=last), found


def _reports(deal: Deal, rulebook: Rulebook) -> list[Finding]:
    last = deal.last_play
    seats = (*deal.told, *((last.seat,) if last is not None and last.seat not in deal.told else ()))
    found: list[Finding] = []
    for seat in seats:
        told = deal.told.get(seat)
        played = last.played if last is not None and last.seat is seat else 0
        before = last.before if last is not None and last.seat is seat else deal.hand_sizes[seat]
        earlier = told.again if told is not None else seat in deal.reported
        duty = report_duty(before, played, earlier, rulebook)
        name = report_fault(duty, told.count if told is not None else None)
        if name is None or (name == "report_missing" and duty.overdue):
            continue  # a report that an earlier play had called for has its finding already
        record = told.record if told is not None else last.record if last is not None else 0
        found.append(Finding(name, seat, record, _detail(told, duty.count)))
    return found


def _detail(told: Told | None, left: int | None) -> tuple[tuple[str, str], ...]:
    words = (("told", str(told.count)),) if told is not None else ()
    return (*words, ("left", str(left or 0)))


def passed(match: Match, fact: Passed, record: int, rulebook: Rulebook) -> tuple[Match, tuple[Finding, ...]]:
    """A pass was shown in some way: whether in a proper one, and in that of the player's first pass where he has to."""
    if fact.form is None:
        return match, ()
    verdict = judge_pass(fact.form, match.pass_forms.get(fact.seat), rulebook.pass_forms)
    match = replace(match, pass_forms={fact.seat: fact.form, **match.pass_forms})
    if verdict.ok or "pass_form" not in match.notices:
        return match, ()
    required = " or ".join(form.value for form in verdict.required)
    return match, (Finding("pass_form", fact.seat, record, (("shown", fact.form.value), ("required", required))),)


def arrangement(match: Match, deal: Deal, act: Action, rulebook: Rulebook) -> tuple[Finding, ...]:
    """A play that counts lies otherwise than it has to."""
    if act.reading is None or "bad_arrangement" not in match.notices:
        return ()
    if is_laid_as(act.cards, act.reading, deal.level, rulebook):
        return ()
    return (Finding("bad_arrangement", act.seat, act.record, (("reading", str(act.reading)),)),)
