"""The plays of finished deals: each as it counted, none that was taken back, and whether they are all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from engine_support import BOOK, E, N, S, Table, W, opening, play_out

from engine.cards import PLAY_ORDER, Level, Pair
from engine.facts import (
    CardsLaid,
    DealAwarded,
    DealStarted,
    Fact,
    FinishEntered,
    Judgement,
    MatchStarted,
    Passed,
    Ruled,
    TimeCalled,
)
from engine.played import PlayedDeal, played_deals
from engine.rulebook import Rulebook


def book_of(name: str) -> Rulebook:
    assert name == BOOK.id
    return BOOK


def deals_of(facts: Sequence[Fact]) -> list[PlayedDeal]:
    return list(played_deals(enumerate(facts, 1), book_of))


def whole_deal(seed: int) -> tuple[list[Fact], Table]:
    """The facts of one deal from the start of its match to its end, and the table after it."""
    random, table = Random(seed), Table()
    begun = opening(random)
    for fact in begun:
        table.tell(fact)
    return [*begun, *play_out(table, random)], table


def laid_in(facts: Sequence[Fact]) -> list[tuple[object, ...]]:
    return [(fact.seat, fact.cards) for fact in facts if isinstance(fact, CardsLaid)]


@pytest.mark.parametrize("seed", range(8))
def test_plays_of_a_lawful_deal_are_the_cards_laid(seed: int) -> None:
    facts, table = whole_deal(seed)

    (deal,) = deals_of(facts)

    assert [(act.seat, act.cards) for act in deal.plays] == laid_in(facts)
    assert (deal.finish, deal.by_play) == (table.deal.finish, True)
    emptied = Counter(act.seat for act in deal.plays for _ in act.cards)
    assert all(emptied[seat] == 27 for seat in deal.finish[: 3 if len(deal.finish) == 4 else 2])


def test_play_that_was_taken_back_does_not_count() -> None:
    facts, _ = whole_deal(1)
    place = next(i for i, fact in enumerate(facts) if isinstance(fact, CardsLaid))
    again = [*facts[: place + 1], Ruled("1-1", place + 1, None, Judgement.TAKE_BACK, "referee"), *facts[place:]]

    (once,), (twice,) = deals_of(facts), deals_of(again)

    assert [act.cards for act in twice.plays] == [act.cards for act in once.plays]


def test_last_play_of_a_deal_may_still_be_taken_back() -> None:
    facts, _ = whole_deal(2)
    undone: list[Fact] = [*facts, Ruled("1-1", len(facts), None, Judgement.TAKE_BACK, "referee")]

    assert deals_of(undone) == []
    (deal,) = deals_of([*undone, facts[-1]])
    assert [(act.seat, act.cards) for act in deal.plays] == laid_in(facts)


def end_of_a_trick(facts: Sequence[Fact]) -> int:
    """Place of the first pass after which somebody leads anew."""
    table = Table()
    for place, fact in enumerate(facts):
        table.tell(fact)
        if isinstance(fact, Passed) and table.trick.current is None:
            return place
    raise AssertionError("no trick ended")


def test_pass_that_ended_a_trick_taken_back_reopens_it() -> None:
    facts, table = whole_deal(3)
    place = end_of_a_trick(facts)
    again = [*facts[: place + 1], Ruled("1-1", place + 1, None, Judgement.TAKE_BACK, "referee"), *facts[place:]]

    (deal,) = deals_of(again)

    assert [(act.seat, act.cards) for act in deal.plays] == laid_in(facts)
    assert table.deal.finish == deal.finish


@pytest.mark.parametrize("word", [FinishEntered((E, N, W, S), "referee"), DealAwarded(S, "referee")])
def test_deal_that_a_person_ended_has_not_all_of_its_plays(word: Fact) -> None:
    facts, _ = whole_deal(4)
    half = facts[: len(facts) // 2 + 60]

    (deal,) = deals_of([*half, word])

    assert not deal.by_play
    assert [(act.seat, act.cards) for act in deal.plays] == laid_in(half)


def test_deal_that_was_dropped_or_sealed_is_none() -> None:
    facts, _ = whole_deal(5)
    half = facts[: len(facts) // 2 + 60]

    assert deals_of([*half, TimeCalled("referee")]) == []
    assert deals_of([*half, DealStarted(2, Level.TWO, Pair.EW, "seeded", "00")]) == []
    assert deals_of(half) == []


def test_deals_of_several_matches_follow_each_other() -> None:
    first, _ = whole_deal(6)
    second, _ = whole_deal(7)
    records = enumerate([*first, *second], 1)

    one, other = played_deals(records, book_of)

    assert [act.cards for act in one.plays] == [cards for _, cards in laid_in(first)]
    assert [act.cards for act in other.plays] == [cards for _, cards in laid_in(second)]


def test_facts_before_a_match_are_of_no_deal() -> None:
    facts, _ = whole_deal(8)

    assert deals_of([fact for fact in facts if not isinstance(fact, MatchStarted)]) == []


def test_rulebook_is_that_of_each_match() -> None:
    asked = []

    def book(name: str) -> Rulebook:
        asked.append(name)
        return BOOK

    begun = [MatchStarted(name, "", PLAY_ORDER) for name in ("core", "spring-cup")]

    assert list(played_deals(enumerate(begun, 1), book)) == []
    assert asked == ["core", "spring-cup"]
