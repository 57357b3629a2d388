"""Fold facts into a match: `advance(state, fact, rulebook) -> (state, findings)`. Pure, and total: no fact raises.

The same code runs live and on replay. A fact that makes no sense where the match stands changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from engine import dealing, exchange, noticing
from engine.cards import Pair, Seat
from engine.exchange import Terms
from engine.facts import (
    Acknowledged,
    Answered,
    CardDealt,
    CardReturned,
    CardsCollected,
    CardsLaid,
    CountReported,
    DealAwarded,
    DealCompleted,
    DealStarted,
    Declared,
    Dismissed,
    Fact,
    FinishEntered,
    HandConfirmed,
    HandTaken,
    Held,
    JokersShown,
    Judgement,
    LeaderDrawn,
    LeaderNamed,
    MatchAwarded,
    MatchForfeited,
    MatchStarted,
    Passed,
    Resumed,
    Ruled,
    TimeCalled,
    TributeGiven,
    ZoneCleared,
)
from engine.findings import Finding
from engine.judgement import Act, accept_pending, declare, judge
from engine.ladder import foul
from engine.levels import reached_first
from engine.match_end import awarded, forfeited, match_end
from engine.rulebook import Rulebook, is_play_order
from engine.state import Checkpoint, Deal, Match, Pending, Phase, Score
from engine.trick import Findings, end_deal, told_end, undo


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match after one fact, and the findings on that fact."""

    state: Match
    findings: tuple[Finding, ...] = ()


def start(fact: MatchStarted) -> Match:
    """The match that a fact begins. An order of play that is none gives way to the default (C-1)."""
    match = Match(
        fact.rulebook,
        fact.rulebook_hash,
        deals_limit=fact.deals_limit,
        knock_out=fact.knock_out,
        notices=frozenset(fact.notices),
        score=Score({Pair.EW: fact.level_ew, Pair.NS: fact.level_ns}),
    )
    return replace(match, play_order=fact.play_order) if is_play_order(fact.play_order) else match


def advance(state: Match | None, fact: Fact, rulebook: Rulebook, record: int = 0) -> Outcome:
    """`state` after `fact`, with findings that carry `record`, the journal number of the fact.

    A play that breaks a rule does not change the trick: it becomes `state.deal.pending`. Facts before any
    `MatchStarted` meet an empty match under `rulebook`.
    """
    match = state if state is not None else Match(rulebook.id, rulebook.hash, rulebook.play_order)
    match_after, findings = _fold(match, fact, rulebook, record)
    return Outcome(match_after, findings)


def _fold(match: Match, fact: Fact, rulebook: Rulebook, record: int) -> tuple[Match, Findings]:
    match fact:
        case MatchStarted():
            return start(fact), ()
        case DealStarted():
            return dealing.start_deal(match, fact, rulebook), ()
        case CardsLaid(seat, cards):
            return judge(match, Act(seat, cards, record), rulebook) if cards else (match, ())
        case Passed(seat):
            match, formal = noticing.passed(match, fact, record, rulebook)
            match, found = judge(match, Act(seat, (), record), rulebook)
            return match, (*formal, *found)
        case TributeGiven() | CardReturned() | JokersShown():
            return _exchange(match, fact, rulebook, record)
        case Answered(_, seat, cards, _):
            return judge(match, Act(seat, cards, record), rulebook)
        case Declared(seat, reading):
            return declare(match, seat, reading, record, rulebook)
        case Ruled():
            return _rule(match, fact, rulebook)
        case FinishEntered(order, _):
            return _finish(match, order, record, rulebook)
        case DealAwarded():
            return _award_deal(match, fact, record, rulebook)
        case TimeCalled() | MatchForfeited() | MatchAwarded():
            return _end_match(match, fact, record, rulebook)
        case ZoneCleared() | Acknowledged() | Dismissed() | CardsCollected():
            return match, ()
        case _:
            if match.deal is None:
                return match, ()
            deal, findings = _fold_deal(match.deal, fact, rulebook, record)
            return replace(match, deal=deal), findings


DealFact = (
    CardDealt | DealCompleted | LeaderDrawn | LeaderNamed | HandTaken | HandConfirmed | CountReported | Held | Resumed
)
"""Facts that concern the deal alone."""


def _fold_deal(deal: Deal, fact: DealFact, rulebook: Rulebook, record: int) -> tuple[Deal, Findings]:
    match fact:
        case CardDealt():
            return dealing.card_dealt(deal, fact), ()
        case DealCompleted():
            return dealing.deal_completed(deal, fact, rulebook, record)
        case LeaderDrawn():
            return dealing.leader_drawn(deal, fact, rulebook, record)
        case HandTaken():
            return dealing.hand_taken(deal, fact, rulebook, record)
        case HandConfirmed():
            return dealing.hand_confirmed(deal, fact, rulebook, record)
        case LeaderNamed():
            return dealing.leader_named(deal, fact), ()
        case CountReported():
            return noticing.count_told(deal, fact, record), ()
        case Held():
            return replace(deal, held=True), ()
        case Resumed():
            return replace(deal, held=False), ()
        case _:
            assert_never(fact)


def _exchange(
    match: Match, fact: TributeGiven | CardReturned | JokersShown, rulebook: Rulebook, record: int
) -> tuple[Match, Findings]:
    if match.deal is None:
        return match, ()
    terms = Terms(match.deal.level, match.play_order, rulebook)
    match fact:
        case TributeGiven():
            deal, found = exchange.tribute_given(match.deal, fact, terms, record)
        case CardReturned():
            deal, found = exchange.card_returned(match.deal, fact, terms, record)
        case JokersShown():
            deal, found = exchange.jokers_shown(match.deal, fact, terms, record)
    return replace(match, deal=deal), found


def _rule(match: Match, fact: Ruled, rulebook: Rulebook) -> tuple[Match, Findings]:
    """A referee's order about the act with journal number `fact.record`; about any other act it changes nothing."""
    deal = match.deal
    if deal is None:
        return match, ()
    pending = deal.pending if deal.pending is not None and deal.pending.record == fact.record else None
    match fact.judgement:
        case Judgement.NOTED:
            return match, ()
        case Judgement.LET_STAND:
            return accept_pending(match, deal, pending, rulebook) if pending is not None else (match, ())
        case Judgement.TAKE_BACK:
            return _take_back(match, deal, pending, fact.record, rulebook), ()
        case _:
            assert_never(fact.judgement)


def _take_back(match: Match, deal: Deal, pending: Pending | None, record: int, rulebook: Rulebook) -> Match:
    """Cards go back: those of a pending play, of the last act that counted, of the exchange, or uncounted ones."""
    reopen = match.reopen
    undone = match.undo is not None and match.undo.record == record
    if reopen is not None and reopen.record == record and (pending is not None or undone):
        return replace(match, deal=replace(reopen.deal, held=deal.held), score=reopen.score, undo=None, reopen=None)
    if pending is not None:
        return replace(match, deal=_untold(replace(deal, pending=None), pending.seat))
    if match.undo is not None and undone:
        return undo(match, deal, match.undo)
    deal = exchange.take_back(deal, record, Terms(deal.level, match.play_order, rulebook))
    before = match.undo
    if before is not None:  # a later undo must not bring the cards back onto the table
        before = replace(before, deal=_return_uncounted(before.deal, record))
    return replace(match, deal=_return_uncounted(deal, record), undo=before)


def _untold(deal: Deal, seat: Seat) -> Deal:
    """The deal without what a seat reported on a play that has been taken back."""
    told = deal.told.get(seat)
    if told is None:
        return deal
    kept = {other: count for other, count in deal.reported.items() if told.again or other is not seat}
    return replace(deal, reported=kept, told={other: it for other, it in deal.told.items() if other is not seat})


def _return_uncounted(deal: Deal, record: int) -> Deal:
    """Cards of this trick that lie without a reading go back to the hand; the act stays as the pass it amounts to."""
    trick = deal.trick
    found = next((act for act in trick.plays if act.record == record), None) if trick is not None else None
    if trick is None or found is None or found.is_pass or found.reading is not None or found.seat in deal.finish:
        return deal
    hand = deal.hands[found.seat]
    return replace(
        deal,
        trick=replace(trick, plays=tuple(replace(act, cards=()) if act is found else act for act in trick.plays)),
        hand_sizes={**deal.hand_sizes, found.seat: deal.hand_sizes[found.seat] + len(found.cards)},
        hands={**deal.hands, found.seat: None if hand is None else tuple(sorted((*hand, *found.cards)))},
    )


def _finish(match: Match, order: tuple[Seat, ...], record: int, rulebook: Rulebook) -> tuple[Match, Findings]:
    """End the deal in an order that a person entered; an order that is none changes nothing."""
    deal = match.deal
    if deal is None or deal.is_over or len(set(order)) != len(order) or len(order) < 2:
        return match, ()
    if order[0].partner is order[1]:
        order = order[:2]
    elif len(order) == 3:
        order = (*order, *(seat for seat in Seat if seat not in order))
    elif len(order) != 4:
        return match, ()
    return end_deal(replace(match, undo=Checkpoint(record, deal, match.score)), deal, order, record, rulebook)


def _award_deal(match: Match, fact: DealAwarded, record: int, rulebook: Rulebook) -> tuple[Match, Findings]:
    """A foul ends the deal as a double-down of the offender's side; no tribute follows (RULEBOOKS 4.1)."""
    deal = match.deal
    if deal is None or deal.is_over:
        return match, ()
    outcome = foul(fact.offender, match.play_order, fact.leader)
    before = Checkpoint(record, deal, match.score)
    match, found = end_deal(replace(match, undo=before), deal, outcome.finish, record, rulebook)
    return replace(match, score=replace(match.score, foul_leader=outcome.next_leader)), found


def _end_match(
    match: Match, fact: TimeCalled | MatchForfeited | MatchAwarded, record: int, rulebook: Rulebook
) -> tuple[Match, Findings]:
    """The match ends before anybody is past A; the deal in play does not count (M-1). An ended match stays as it is."""
    score, deal = match.score, match.deal
    if match.is_over:
        return match, ()
    match fact:
        case TimeCalled():
            if score.end is not None:
                return match, ()  # an extra deal is played to its end
            if deal is not None and not deal.is_over and rulebook.finish_current_deal:
                return replace(match, deals_limit=score.deals_done + 1), ()  # it is played to its end and counts
            sealed = deal.finish[0].pair if deal is not None and not deal.is_over and deal.finish else None
            end = match_end(
                score.levels,
                rulebook,
                time_out=True,
                knock_out=match.knock_out or rulebook.extra_deal_on_tie,
                reached_first=reached_first(score),
                sealed_first=sealed,
            )
        case MatchForfeited(side, _, withdrew):
            end = forfeited(score.levels, side, rulebook, withdrew=withdrew)
        case MatchAwarded(offender):
            end = awarded(score.levels, offender, rulebook)
    if deal is not None and not deal.is_over:
        deal = replace(deal, phase=Phase.OVER, turn=None, pending=None)
    ended = replace(match, deal=deal, score=replace(score, levels=end.levels, end=end), undo=None)
    return ended, told_end(end, record)
