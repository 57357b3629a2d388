"""From the first card dealt to the first lead. Source: RULEBOOKS 2.1, 3.1, decisions D-1, D-2, D-7, D-8."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine import exchange
from engine.cards import PACKS, Card, Level, Seat
from engine.facts import (
    CardDealt,
    DealCompleted,
    DealStarted,
    HandConfirmed,
    HandTaken,
    LeaderDrawn,
    LeaderNamed,
)
from engine.findings import Finding
from engine.rulebook import Rulebook
from engine.state import HAND, Deal, Match, Phase
from engine.trick import Findings, begin_play


def start_deal(match: Match, fact: DealStarted, rulebook: Rulebook) -> Match:
    """A deal begins; one that was not finished is dropped and does not count (M-1).

    After the first deal the leader follows from the tribute; without one first leads, or whom a foul gave the lead. An
    ended match stays as it is.
    """
    if match.is_over:
        return match
    level = min(fact.level, Level.ACE)  # no deal is played past A
    due = exchange.owed(match.score, rulebook)
    leader = match.score.foul_leader
    if leader is None and due is None and match.score.last_finish:
        leader = match.score.last_finish[0]
    deal = Deal(fact.deal_no, Level(level).rank, fact.declarer, leader=leader, exchange=due)
    return replace(match, deal=deal, undo=None, reopen=None)


def card_dealt(deal: Deal, fact: CardDealt) -> Deal:
    """A card fell into a pocket; only the machine's own dealing is listened to."""
    if deal.phase is not Phase.DEALING:
        return deal
    return replace(deal, feed={**deal.feed, fact.index: (fact.seat, fact.card)})


def deal_completed(deal: Deal, fact: DealCompleted, rulebook: Rulebook, record: int) -> tuple[Deal, Findings]:
    """The machine is done: counts are checked, and faces where all 108 were read.

    A hand is held to be known only if the machine and its counters agree on 27 cards, every face was read, and the
    cards make two whole packs: nobody is to be accused on a hand that a person may have had to put right.
    """
    if deal.phase is not Phase.DEALING:
        return deal, ()
    said = dict(fact.counts)
    dealt = deal.dealt
    sizes = {seat: max(0, said.get(seat, len(dealt[seat]) if deal.feed else HAND)) for seat in Seat}
    found: list[Finding] = []
    wrong = tuple((seat.value, str(size)) for seat, size in sizes.items() if size != HAND)
    if wrong:
        found.append(Finding("hand_count", None, record, wrong))
    faces = [card for _, card in deal.feed.values() if card is not None]
    amiss = sum((Counter(faces) - Counter(PACKS)).values())
    if amiss:  # a third copy proves it, however many faces were not read
        found.append(Finding("deck_count", None, record, (("faces_too_many", str(amiss)),)))
        hands: dict[Seat, tuple[Card, ...] | None] = dict.fromkeys(Seat)
    else:
        hands = {seat: _known(dealt[seat], sizes[seat]) for seat in Seat}
    done = replace(deal, phase=Phase.TAKING, hand_sizes=sizes, hands=hands)
    begun, due = _perhaps_begin(done, rulebook, record)
    return begun, (*found, *due)


def _known(dealt: tuple[Card | None, ...], size: int) -> tuple[Card, ...] | None:
    cards = [card for card in dealt if card is not None]
    return tuple(sorted(cards)) if len(cards) == len(dealt) == size == HAND else None


def leader_drawn(deal: Deal, fact: LeaderDrawn, rulebook: Rulebook, record: int) -> tuple[Deal, Findings]:
    """The holder of the drawn physical card leads (D-1); a card that has to be redrawn makes no leader (D-2)."""
    settled = deal.leader is not None and deal.turned_up_index is None  # by the deal before, or by people
    if deal.is_over or deal.has_begun or deal.exchange is not None or settled:
        return deal, ()
    _, face = deal.feed.get(fact.index, (fact.seat, None))
    if face in rulebook.redraw_on:
        return deal, (Finding("cut_redraw", None, record),)
    deal = replace(deal, leader=fact.seat, turned_up_index=fact.index)
    return (begin_play(deal) if deal.phase is Phase.PLAYING else deal), ()


def leader_named(deal: Deal, fact: LeaderNamed) -> Deal:
    """People, or a score sheet, settled who leads; after the first play it is too late."""
    if deal.is_over or deal.has_begun:
        return deal
    deal = replace(deal, leader=fact.seat, named_leader=fact.seat)
    return begin_play(deal) if deal.phase is Phase.PLAYING else deal


def hand_taken(deal: Deal, fact: HandTaken, rulebook: Rulebook, record: int) -> tuple[Deal, Findings]:
    """A hand left its pocket."""
    if deal.phase not in {Phase.DEALING, Phase.TAKING}:
        return deal, ()
    return _perhaps_begin(replace(deal, taken=deal.taken | {fact.seat}), rulebook, record)


def hand_confirmed(deal: Deal, fact: HandConfirmed, rulebook: Rulebook, record: int) -> tuple[Deal, Findings]:
    """A player counted his hand (D-8). Another count than 27 is a finding, and play waits for a right one."""
    if deal.phase not in {Phase.DEALING, Phase.TAKING}:
        return deal, ()
    if fact.count != HAND:
        # Cards may lie in any other hand by now, and be put right by people: nobody is to be accused on these hands.
        unsure = replace(deal, confirmed=deal.confirmed - {fact.seat}, hands=dict.fromkeys(Seat))
        return unsure, (Finding("hand_count", fact.seat, record, (("counted", str(fact.count)),)),)
    sizes = {**deal.hand_sizes, fact.seat: HAND}
    return _perhaps_begin(replace(deal, confirmed=deal.confirmed | {fact.seat}, hand_sizes=sizes), rulebook, record)


def _perhaps_begin(deal: Deal, rulebook: Rulebook, record: int) -> tuple[Deal, Findings]:
    """Tribute, or play where none is owed, begins when every hand is taken and counted (X-9)."""
    ready = deal.phase is Phase.TAKING and deal.taken >= set(Seat) and deal.confirmed >= set(Seat)
    if not ready:
        return deal, ()
    if deal.exchange is not None:
        return exchange.begin(deal, deal.exchange, rulebook, record)
    return begin_play(deal), ()
