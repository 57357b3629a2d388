"""The course of a trick: what a play or pass that counts does to deal and score.

Source: RULEBOOKS 2.6, decisions P-1 to P-6. Whether an act counts is decided in `engine.judgement`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.cards import Card, Seat, surplus
from engine.findings import Finding
from engine.levels import after_deal, after_streaks, reached_first
from engine.match_end import End, extra_deal, match_end
from engine.noticing import reports_settled
from engine.rulebook import Rulebook
from engine.state import Action, Checkpoint, Deal, Match, Phase, Score, Trick, next_in_turn, seats_in

Findings = tuple[Finding, ...]


def begin_play(deal: Deal) -> Deal:
    """The deal with its first trick open; without a known leader, whoever begins is taken to be right."""
    return replace(deal, phase=Phase.PLAYING, trick=Trick(1, deal.leader), turn=deal.leader)


def count_in(match: Match, deal: Deal, act: Action, rulebook: Rulebook) -> tuple[Match, Findings]:
    """`match` after an act that counts, and the findings of info kind that follow from it.

    A play without a reading (let stand although it is none) leaves the hand but does not become the standing best.
    A pending play of another seat goes on waiting for its ruling till the trick ends (X-7).
    """
    before = Checkpoint(act.record, deal, match.score)
    deal, reports = reports_settled(match, deal, act, rulebook)
    trick = deal.trick or Trick(1, act.seat)
    best = act.reading is not None
    trick = replace(
        trick,
        leader=trick.leader if trick.plays else act.seat,
        plays=(*trick.plays, act),
        current=act if best else trick.current,
        passes=0 if best else trick.passes + 1,
    )
    waiting = deal.pending if deal.pending is not None and deal.pending.seat is not act.seat else None
    deal = replace(_without_cards(deal, act), trick=trick, pending=waiting)
    if deal.hand_sizes[act.seat] == 0 and act.seat not in deal.finish:
        deal = replace(deal, finish=(*deal.finish, act.seat))
    finish = _final_order(deal, match.play_order)
    if finish is not None:
        match, ended = end_deal(replace(match, undo=before), deal, finish, act.record, rulebook)
        return match, (*reports, *ended)
    return replace(match, deal=_move_on(deal, match.play_order, act.seat), undo=before), reports


def undo(match: Match, deal: Deal, before: Checkpoint) -> Match:
    """The match without its last act that counted; holds and pending plays stay, a report on that act goes."""
    was = before.deal
    back = replace(
        deal,
        phase=was.phase,
        leader=was.leader,
        exchange=was.exchange,
        trick=was.trick,
        turn=was.turn,
        hands=was.hands,
        hand_sizes=was.hand_sizes,
        finish=was.finish,
        reported=was.reported,
        last_play=was.last_play,
        told=was.told,
    )
    return replace(match, deal=back, score=before.score, undo=None)


def _without_cards(deal: Deal, act: Action) -> Deal:
    """Hand and size after the act. A hand that did not hold these cards is not known any more."""
    if act.is_pass:
        return deal
    sizes = {**deal.hand_sizes, act.seat: max(0, deal.hand_sizes[act.seat] - len(act.cards))}
    held = deal.hands[act.seat]
    left: tuple[Card, ...] | None = None
    if held is not None and not surplus(act.cards, held):
        left = tuple(sorted((Counter(held) - Counter(act.cards)).elements()))
    return replace(deal, hand_sizes=sizes, hands={**deal.hands, act.seat: left})


def _final_order(deal: Deal, order: tuple[Seat, ...]) -> tuple[Seat, ...] | None:
    """The finishing order if the deal ends here: three are out, or one side is first and second (双下)."""
    if deal.double_down:
        return deal.finish[:2]
    if len(deal.finish) >= 3:
        return (*deal.finish, *seats_in(deal, order))
    return None


def end_deal(
    match: Match, deal: Deal, finish: tuple[Seat, ...], record: int, rulebook: Rulebook
) -> tuple[Match, Findings]:
    """`match` after its deal ended in `finish`: places and levels, each with a finding."""
    before = match.score
    pair = finish[0].pair
    score = after_deal(before, deal.declarer, finish, rulebook)
    if before.end is not None and before.end.tie_break_required:
        # The extra deal on equal levels decides the match and changes no level (M-3).
        end = extra_deal(before.levels, pair, rulebook)
        score = replace(score, levels=before.levels, reached=before.reached, winner=None)
    else:
        score = after_streaks(score, score.finishes, rulebook)
        end = _end(match, score, rulebook)
    score = replace(score, end=end if end.over or end.tie_break_required else None)
    order = " ".join(seat.value for seat in finish)
    places = Finding(
        "finish_order",
        None,
        record,
        (("order", order), ("double_down", "yes" if len(finish) == 2 else "no")),
    )
    change = Finding(
        "level_change",
        None,
        record,
        (("pair", pair.value), ("from", match.score.levels[pair].text), ("to", score.levels[pair].text)),
    )
    over = replace(deal, phase=Phase.OVER, finish=finish, turn=None, pending=None)
    return replace(match, deal=over, score=score), (places, change, *told_end(score.end, record))


def _end(match: Match, score: Score, rulebook: Rulebook) -> End:
    """How the match stands after a deal."""
    return match_end(
        score.levels,
        rulebook,
        deals_out=match.deals_limit is not None and score.deals_done >= match.deals_limit,
        knock_out=match.knock_out or rulebook.extra_deal_on_tie,
        reached_first=reached_first(score),
    )


def told_end(end: End | None, record: int) -> Findings:
    """The finding on the end of a match, or on a tie that an extra deal has to break."""
    if end is None:
        return ()
    if end.tie_break_required:
        return (Finding("match_end", None, record, (("tie", "an extra deal decides"),)),)
    return (Finding("match_end", None, record, (("winner", end.winner.value if end.winner else "draw"),)),)


def _move_on(deal: Deal, order: tuple[Seat, ...], seat: Seat) -> Deal:
    """The deal with the next seat in turn, or with a fresh trick if all others have passed (P-1, P-3)."""
    trick = deal.trick
    if trick is None or trick.current is None:
        return replace(deal, turn=next_in_turn(deal, order, seat))
    best = trick.current.seat
    others = [other for other in seats_in(deal, order) if other is not best]
    if trick.passes < len(others):
        return replace(deal, turn=next_in_turn(deal, order, seat))
    leader = next_leader(deal, order, best)
    return replace(deal, trick=Trick(trick.number + 1, leader), turn=leader, pending=None)


def next_leader(deal: Deal, order: tuple[Seat, ...], last_to_play: Seat) -> Seat | None:
    """Who leads after a trick: who played last, or his partner if he is out (borrowed wind 借风; P-5, P-6)."""
    for seat in (last_to_play, last_to_play.partner):
        if seat not in deal.finish:
            return seat
    return next_in_turn(deal, order, last_to_play)
