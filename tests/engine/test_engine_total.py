"""`advance` takes any facts in any order: it never raises, and what it says stays well formed."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest
from engine_support import BOOK, Table, opening
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.advance import advance
from engine.cards import CARDS, PLAY_ORDER, Level, Pair, Rank, Seat, Suit
from engine.combos import Reading, Type
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
from engine.findings import CATALOGUE, Finding
from engine.legal import legal_for
from engine.passing import PassForm
from engine.rulebook_data import load_rulebook
from engine.state import NOTICED, Match, Phase

SEATS = st.sampled_from(list(Seat))
CARD = st.sampled_from(CARDS)
LAID = st.lists(CARD, max_size=12).map(tuple)
FEW = st.integers(-1, 30)
RECORD = st.integers(0, 40)
TEXT = st.sampled_from(["", "1-1", "referee"])
RANKS = st.none() | st.sampled_from(list(Rank))
READING = st.builds(
    Reading, st.sampled_from(list(Type)), RANKS, RANKS, RANKS, st.none() | st.sampled_from(list(Suit)), st.none() | FEW
)
ANY_SEATS = st.lists(SEATS, max_size=5).map(tuple)
LEVELS = st.sampled_from(list(Level))
PAIRS = st.sampled_from(list(Pair))

FACTS: dict[type[object], st.SearchStrategy[Fact]] = {
    MatchStarted: st.builds(
        MatchStarted,
        TEXT,
        TEXT,
        ANY_SEATS,
        LEVELS,
        LEVELS,
        st.none() | FEW,
        st.booleans(),
        st.sampled_from([(), NOTICED]),
    ),
    DealStarted: st.builds(DealStarted, FEW, LEVELS, st.none() | st.sampled_from(list(Pair)), TEXT, TEXT),
    CardDealt: st.builds(CardDealt, FEW, SEATS, st.none() | CARD),
    DealCompleted: st.builds(DealCompleted, st.lists(st.tuples(SEATS, FEW), max_size=6).map(tuple)),
    LeaderDrawn: st.builds(LeaderDrawn, FEW, SEATS),
    HandTaken: st.builds(HandTaken, SEATS),
    HandConfirmed: st.builds(HandConfirmed, SEATS, FEW),
    CardsLaid: st.builds(CardsLaid, SEATS, LAID),
    TributeGiven: st.builds(TributeGiven, SEATS, CARD),
    CardReturned: st.builds(CardReturned, SEATS, SEATS, CARD),
    JokersShown: st.builds(JokersShown, ANY_SEATS),
    LeaderNamed: st.builds(LeaderNamed, SEATS, TEXT),
    Passed: st.builds(Passed, SEATS, st.none() | st.sampled_from(list(PassForm))),
    Declared: st.builds(Declared, SEATS, READING),
    CountReported: st.builds(CountReported, SEATS, FEW),
    ZoneCleared: st.builds(ZoneCleared, SEATS),
    Held: st.builds(Held, TEXT, st.none() | TEXT),
    Resumed: st.builds(Resumed, TEXT),
    Acknowledged: st.builds(Acknowledged, TEXT, TEXT),
    Dismissed: st.builds(Dismissed, TEXT, TEXT, TEXT),
    Ruled: st.builds(Ruled, TEXT, RECORD, st.none() | SEATS, st.sampled_from(list(Judgement)), TEXT, TEXT),
    Answered: st.builds(Answered, RECORD, SEATS, LAID, TEXT),
    FinishEntered: st.builds(FinishEntered, ANY_SEATS, TEXT),
    DealAwarded: st.builds(DealAwarded, SEATS, TEXT, st.none() | SEATS),
    TimeCalled: st.builds(TimeCalled, TEXT),
    MatchForfeited: st.builds(MatchForfeited, PAIRS, TEXT, st.booleans()),
    MatchAwarded: st.builds(MatchAwarded, PAIRS, TEXT),
    CardsCollected: st.builds(CardsCollected, FEW),
}
ACTS = [CardsLaid, Passed, Declared, Ruled, Answered]


def test_every_kind_of_fact_is_tried() -> None:
    assert set(FACTS) == set(get_args(Fact))


def check(match: Match, findings: tuple[Finding, ...], record: int) -> None:
    """What holds of every outcome of the fact with this record number."""
    for finding in findings:
        assert finding.kind is CATALOGUE[finding.name]
        assert finding.record <= record, f"{finding.name} is about record {finding.record}, which is yet to come"
    deal = match.deal
    if deal is None:
        return
    assert len(set(deal.finish)) == len(deal.finish)
    assert all(size >= 0 for size in deal.hand_sizes.values())
    assert deal.turn is None or deal.turn not in deal.finish
    assert (deal.trick is not None) or deal.phase is not Phase.PLAYING
    if deal.trick is not None and deal.trick.current is not None:
        assert deal.trick.current.reading is not None


@given(st.lists(st.one_of(*FACTS.values()), max_size=40))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_facts_in_any_order_are_taken(facts: list[Fact]) -> None:
    match: Match | None = None
    for record, fact in enumerate(facts):
        outcome = advance(match, fact, BOOK, record)
        match = outcome.state
        check(match, outcome.findings, record)


@given(st.integers(0, 5), st.integers(0, 90), st.lists(st.one_of(*(FACTS[kind] for kind in ACTS)), max_size=25))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_acts_in_the_middle_of_a_deal_are_taken(seed: int, steps: int, acts: list[Fact]) -> None:
    random = Random(seed)
    table = Table()
    for fact in opening(random, Level(seed), read=seed % 2 == 0):
        table.tell(fact)
    for _ in range(steps):
        if table.deal.turn is None or table.match is None:
            break
        plays = legal_for(table.match, table.deal.turn, BOOK)
        lead = table.trick.current is None
        fact = CardsLaid(table.deal.turn, random.choice(plays).cards) if plays and lead else Passed(table.deal.turn)
        table.tell(fact)

    for fact in acts:
        outcome = table.tell(fact)
        check(outcome.state, outcome.findings, table.record)


@pytest.mark.parametrize("rulebook", ["core", "competitive-2022"])
def test_facts_before_a_match_meet_an_empty_one_under_the_rulebook(rulebook: str) -> None:
    book = load_rulebook(rulebook)

    outcome = advance(None, Held("referee"), book)

    assert outcome.state == Match(book.id, book.hash, PLAY_ORDER)
    assert outcome.findings == ()
