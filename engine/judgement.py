"""Judging plays, passes and declarations: does the act count, and what do the rules say of it?

Source: RULEBOOKS 2.5, 2.6, section 6. An act that breaks a rule never changes the trick: cards lie pending until a
referee rules, the player declares, or the table has visibly played on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.cards import Card, Seat, card_texts, surplus
from engine.combos import Reading
from engine.exchange import Terms, cut_short
from engine.findings import Finding
from engine.noticing import arrangement
from engine.resolve import Resolution, highest, resolve
from engine.rulebook import Rulebook
from engine.state import Action, Checkpoint, Deal, Match, Pending, Phase, next_in_turn
from engine.trick import Findings, count_in, undo

WRONG_LEAD = frozenset({"first_leader", "leader_wrong"})
MEANT = frozenset({"needs_declaration", "not_a_combination", "not_higher"})
"""Why a play with a legal reading may lie pending: nobody has said what it means, or it was said wrongly."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a seat did: cards left to right, or no cards for a pass; `record` is the journal number of the fact."""

    seat: Seat
    cards: tuple[Card, ...]
    record: int


def judge(match: Match, act: Act, rulebook: Rulebook) -> tuple[Match, Findings]:
    """`match` after an act of a seat, and what the rules say of it. Acts outside a deal in play change nothing."""
    deal = match.deal
    if deal is None or deal.is_over:
        return match, ()
    begun: Findings = ()
    if deal.phase is not Phase.PLAYING:
        if not act.cards:
            return match, ()
        # A table without count keys, a lost confirmation, a tribute unseen: whoever lays cards has begun to play.
        reopen = Checkpoint(act.record, deal, match.score)
        deal, begun = cut_short(deal, Terms(deal.level, match.play_order, rulebook), act.record)
        match = replace(match, deal=deal, reopen=reopen)
    match, earlier = _settle_pending(match, act, rulebook)
    deal = match.deal
    if deal is None or deal.is_over:
        return match, (*begun, *earlier)
    match, found = _play(match, deal, act, rulebook) if act.cards else _pass(match, deal, act, rulebook)
    return match, (*begun, *earlier, *found)


def _settle_pending(match: Match, act: Act, rulebook: Rulebook) -> tuple[Match, Findings]:
    """Play on over a pending play that the next player has accepted by acting after it.

    That is so for a play of the seat in turn, and for a lead by a wrong seat unless the rightful leader is the one who
    acts with cards. RULEBOOKS 4.4(b): who acts before calling accepts; C-10 settles the reading (I28).
    """
    deal = match.deal
    pending = deal.pending if deal is not None else None
    if deal is None or pending is None or next_in_turn(deal, match.play_order, pending.seat) is not act.seat:
        return match, ()
    follows = pending.seat is deal.turn or (
        pending.reason in WRONG_LEAD and (act.seat is not deal.turn or not act.cards)
    )
    return accept_pending(match, deal, pending, rulebook) if follows else (match, ())


def accept_pending(match: Match, deal: Deal, pending: Pending, rulebook: Rulebook) -> tuple[Match, Findings]:
    """Count a pending play as it lies: with its best legal reading, else without any; the turn moves on."""
    if pending.seat in deal.finish:
        return replace(match, deal=replace(deal, pending=None)), ()
    found = _resolve(deal, pending.cards, rulebook)
    reading = found.chosen or (highest(found.legal, deal.level) if found.legal else None)
    return count_in(match, deal, Action(pending.seat, pending.cards, reading, pending.record), rulebook)


def _resolve(deal: Deal, cards: tuple[Card, ...], rulebook: Rulebook, declared: Reading | None = None) -> Resolution:
    return resolve(cards, deal.level, standing(deal), rulebook, declared)


def standing(deal: Deal) -> Reading | None:
    """The reading that the next play has to beat; None on a lead."""
    best = deal.trick.current if deal.trick is not None else None
    return best.reading if best is not None else None


def _play(match: Match, deal: Deal, act: Act, rulebook: Rulebook) -> tuple[Match, Findings]:
    if act.seat in deal.finish:
        return match, _play_of_one_who_is_out(deal, act)
    found = _resolve(deal, act.cards, rulebook)
    hand = deal.hands[act.seat]
    foreign = surplus(act.cards, hand) if hand is not None else ()
    fault = _out_of_turn(deal, act) or _unplayable(deal, act, found)
    faults: Findings = (fault,) if fault is not None else ()
    if foreign:
        smuggled = Finding("card_not_in_hand", act.seat, act.record, (("not_dealt", " ".join(card_texts(foreign))),))
        faults = (*faults, smuggled)
    elif fault is None and found.chosen is None:
        faults = (_undeclared(act.seat, found.legal, act.record),)
    if faults:
        return replace(match, deal=_keep_pending(deal, act, found.legal, faults[0].name)), faults
    action = Action(act.seat, act.cards, found.chosen, act.record)
    remarks = (*_remarks(deal, act, found), *arrangement(match, deal, action, rulebook))
    match, follows = count_in(match, deal, action, rulebook)
    return match, (*remarks, *follows)


def _play_of_one_who_is_out(deal: Deal, act: Act) -> Findings:
    """Someone who has no cards lays some: by count of cards, or by the dealt hand where that is known."""
    if deal.hands[act.seat] is not None:
        detail = ("not_dealt", " ".join(card_texts(act.cards)))
        return (Finding("card_not_in_hand", act.seat, act.record, (detail,)),)
    return (_too_many_for_hand(deal, act),)


def _too_many_for_hand(deal: Deal, act: Act) -> Finding:
    detail = (("left", str(deal.hand_sizes[act.seat])), ("laid", str(len(act.cards))))
    return Finding("hand_count", act.seat, act.record, detail)


def _out_of_turn(deal: Deal, act: Act) -> Finding | None:
    """The finding on a play by a seat that is not in turn; a lead by a wrong seat has its own names (D-1, P-5)."""
    if deal.turn is None or act.seat is deal.turn:
        return None
    leading = deal.trick is not None and not deal.trick.plays
    if leading and (deal.pending is None or deal.pending.seat is not deal.turn):
        drawn = deal.turned_up_index is not None and deal.trick is not None and deal.trick.number == 1
        return Finding("first_leader" if drawn else "leader_wrong", act.seat, act.record, _expected(deal))
    return Finding("turn_order", act.seat, act.record, _expected(deal))


def _expected(deal: Deal) -> tuple[tuple[str, str], ...]:
    return (("expected", deal.turn.value),) if deal.turn is not None else ()


def _unplayable(deal: Deal, act: Act, found: Resolution) -> Finding | None:
    match found.reason:
        case None:
            return None
        case "not_a_combination" | "too_many_cards" as reason:
            return Finding("not_a_combination", act.seat, act.record, (("reason", reason),))
        case reason:
            detail = (("reason", reason), ("to_beat", str(standing(deal))))
            return Finding("not_higher", act.seat, act.record, detail)


def _undeclared(seat: Seat, legal: tuple[Reading, ...], record: int) -> Finding:
    return Finding("needs_declaration", seat, record, (("readings", _list(legal)),))


def _list(readings: tuple[Reading, ...]) -> str:
    return "; ".join(map(str, readings))


def _remarks(deal: Deal, act: Act, found: Resolution) -> Findings:
    """What is worth a line about a play that counts."""
    remarks: list[Finding] = []
    if found.assumed and found.chosen is not None:
        detail = (("taken_as", str(found.chosen)), ("readings", _list(found.legal)))
        remarks.append(Finding("reading_assumed", act.seat, act.record, detail))
    if len(act.cards) > deal.hand_sizes[act.seat]:
        remarks.append(_too_many_for_hand(deal, act))
    return tuple(remarks)


def _keep_pending(deal: Deal, act: Act, legal: tuple[Reading, ...], reason: str) -> Deal:
    """The deal with the play pending; an act out of turn does not push out a pending play of the seat in turn."""
    kept = deal.pending
    if kept is not None and kept.seat is deal.turn and act.seat is not deal.turn:
        return deal
    return replace(deal, pending=Pending(act.seat, act.cards, legal, reason, act.record))


def _pass(match: Match, deal: Deal, act: Act, rulebook: Rulebook) -> tuple[Match, Findings]:
    """A pass counts only in turn and on a standing play (P-4); a pass of one who is out says nothing."""
    if act.seat in deal.finish:
        return match, ()
    if deal.turn is not None and act.seat is not deal.turn:
        return match, (Finding("turn_order", act.seat, act.record, (*_expected(deal), ("act", "pass"))),)
    nothing_laid = deal.trick is None or not deal.trick.plays  # cards without a reading have gone by like a pass
    if standing(deal) is None and nothing_laid:
        return match, (Finding("trick_end", act.seat, act.record, (("act", "pass on the lead"),)),)
    return count_in(match, deal, Action(act.seat, record=act.record), rulebook)


def declare(match: Match, seat: Seat, reading: Reading, record: int, rulebook: Rulebook) -> tuple[Match, Findings]:
    """A declaration settles a play that waits for it, or the last play as long as nobody has acted after it (C-10.1).

    One that the cards cannot satisfy makes an illegal play of it, until the player says what they can be.
    """
    deal = match.deal
    if deal is None or deal.is_over:
        return match, ()
    pending = deal.pending
    if pending is None or pending.seat is not seat:
        return _declare_last(match, deal, seat, reading, record, rulebook)
    if pending.reason not in MEANT or not pending.legal:
        return match, ()
    found = _resolve(deal, pending.cards, rulebook, reading)
    if found.chosen is not None:
        return count_in(match, deal, Action(seat, pending.cards, found.chosen, pending.record), rulebook)
    fault = _unplayable(deal, Act(seat, pending.cards, record), found)
    if fault is None:
        return match, ()
    return replace(match, deal=replace(deal, pending=replace(pending, reason=fault.name))), (fault,)


def _declare_last(
    match: Match, deal: Deal, seat: Seat, reading: Reading, record: int, rulebook: Rulebook
) -> tuple[Match, Findings]:
    """A play that the order on the table, or C-10.4, had settled is said to mean something else."""
    last = deal.trick.plays[-1] if deal.trick is not None and deal.trick.plays else None
    before = match.undo
    if last is None or before is None or last.record != before.record or last.seat is not seat or last.is_pass:
        return match, ()
    if last.reading in {None, reading}:
        return match, ()
    found = _resolve(before.deal, last.cards, rulebook, reading)
    fault = _unplayable(before.deal, Act(seat, last.cards, record), found)
    back = undo(match, deal, before)
    assert back.deal is not None  # a deal was played in
    if fault is not None:
        waits = _keep_pending(back.deal, Act(seat, last.cards, last.record), found.legal, fault.name)
        return replace(back, deal=waits), (fault,)
    again = Action(seat, last.cards, found.chosen, last.record)
    told = replace(back.deal, told=deal.told, reported=deal.reported)
    return count_in(replace(back, deal=told), told, again, rulebook)
