"""Fold facts into a match: `advance(state, fact, rulebook) -> (state, findings)`. Pure, and total: no fact raises.

The same code runs live and on replay. A fact that makes no sense where the match stands changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from engine import dealing
from engine.cards import Pair, Seat
from engine.facts import (
    Acknowledged,
    Answered,
    CardDealt,
    CardsCollected,
    CardsLaid,
    CountReported,
    DealCompleted,
    DealStarted,
    Declared,
    Dismissed,
    Fact,
    FinishEntered,
    HandConfirmed,
    HandTaken,
    Held,
    Judgement,
    LeaderDrawn,
    MatchStarted,
    Passed,
    Resumed,
    Ruled,
    ZoneCleared,
)
from engine.findings import Finding
from engine.judgement import Act, accept_pending, declare, judge
from engine.rulebook import Rulebook, is_play_order
from engine.state import Checkpoint, Deal, Match, Score
from engine.trick import Findings, end_deal


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match after one fact, and the findings on that fact."""

    state: Match
    findings: tuple[Finding, ...] = ()


def start(fact: MatchStarted) -> Match:
    """The match that a fact begins. An order of play that is none gives way to the default (C-1)."""
    match = Match(fact.rulebook, fact.rulebook_hash, score=Score({Pair.EW: fact.level_ew, Pair.NS: fact.level_ns}))
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
            return dealing.start_deal(match, fact), ()
        case CardsLaid(seat, cards):
            return judge(match, Act(seat, cards, record), rulebook) if cards else (match, ())
        case Passed(seat):
            return judge(match, Act(seat, (), record), rulebook)
        case Answered(_, seat, cards, _):
            return judge(match, Act(seat, cards, record), rulebook)
        case Declared(seat, reading):
            return declare(match, seat, reading, record, rulebook)
        case Ruled():
            return _rule(match, fact, rulebook)
        case FinishEntered(order, _):
            return _finish(match, order, record, rulebook)
        case ZoneCleared() | Acknowledged() | Dismissed() | CardsCollected():
            return match, ()
        case _:
            if match.deal is None:
                return match, ()
            deal, findings = _fold_deal(match.deal, fact, rulebook, record)
            return replace(match, deal=deal), findings


DealFact = CardDealt | DealCompleted | LeaderDrawn | HandTaken | HandConfirmed | CountReported | Held | Resumed
"""Facts that concern the deal alone."""


def _fold_deal(deal: Deal, fact: DealFact, rulebook: Rulebook, record: int) -> tuple[Deal, Findings]:
    match fact:
        case CardDealt():
            return dealing.card_dealt(deal, fact), ()
        case DealCompleted():
            return dealing.deal_completed(deal, fact, record)
        case LeaderDrawn():
            return dealing.leader_drawn(deal, fact, rulebook, record)
        case HandTaken():
            return dealing.hand_taken(deal, fact), ()
        case HandConfirmed():
            return dealing.hand_confirmed(deal, fact, record)
        case CountReported(seat, count):
            return replace(deal, reported={**deal.reported, seat: count}), ()
        case Held():
            return replace(deal, held=True), ()
        case Resumed():
            return replace(deal, held=False), ()
        case _:
            assert_never(fact)


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
            if pending is not None:
                return replace(match, deal=replace(deal, pending=None)), ()
            if match.undo is not None and match.undo.record == fact.record:
                return _undo(match, deal, match.undo), ()
            return replace(match, deal=_return_uncounted(deal, fact.record)), ()
        case _:
            assert_never(fact.judgement)


def _undo(match: Match, deal: Deal, before: Checkpoint) -> Match:
    """The match without its last act that counted; holds, reports and pending plays stay."""
    was = before.deal
    back = replace(
        deal,
        phase=was.phase,
        trick=was.trick,
        turn=was.turn,
        hands=was.hands,
        hand_sizes=was.hand_sizes,
        finish=was.finish,
    )
    return replace(match, deal=back, score=before.score, undo=None)


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
