"""Staged violations: each happens once in every deal, breaks the rule that it is meant to break, and no other."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.advance import advance
from engine.cards import PLAY_ORDER, Card, Rank, Seat, parse_cards
from engine.facts import CardsLaid
from engine.rulebook_data import load_rulebook
from simulator.game import Game, Lay, NotTheRules, Pass
from simulator.mechanics import HeldPlan, face
from simulator.scenarios import SCENARIOS
from simulator.staging import KINDS, LEFT_AFTER, Stacking, ViolationsDirector, ambiguous_set

RULEBOOK = load_rulebook("competitive-2022")


def stacked_hands(seed: int) -> dict[Seat, tuple[Card, ...]]:
    """Hands of a deal whose seats were drawn by somebody else and whose feed order was stacked for violations."""
    rng = random.Random(seed)
    seats = [0, 1, 2, 3] * 27
    rng.shuffle(seats)
    hopper = list(range(108))
    rng.shuffle(hopper)
    order = Stacking(seed)(HeldPlan(1, tuple(seats), b""), tuple(hopper))
    assert sorted(order) == sorted(hopper)
    return {
        seat: tuple(Card(face(card)) for card, to in zip(order, seats, strict=True) if to == number)
        for number, seat in enumerate(PLAY_ORDER)
    }


def staged(seed: int) -> list[Lay]:
    """Violations of one deal that is played to its end; each is put to the engine, then taken back or declared."""
    game = Game(RULEBOOK)
    game.begin_deal(stacked_hands(seed))
    game.lead(random.Random(seed).choice(PLAY_ORDER))
    director = ViolationsDirector(random.Random(seed))
    director.begin(game)
    seen = []
    while not game.over:
        act = director.next_act(game)
        if isinstance(act, Lay) and act.fault is not None:
            found = advance(game.match, CardsLaid(act.seat, act.cards), RULEBOOK, 99_999).findings
            assert [finding.name for finding in found] == [act.fault]
            seen.append(act)
            if act.fault == "needs_declaration":
                game.settle(act)
            else:
                assert len(game.hand(act.seat)) >= LEFT_AFTER
        else:
            game.do(act)
        director.performed(act)
    assert director.left == ()
    return seen


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1_000_000_000))
def test_each_kind_happens_once_in_every_deal(seed: int) -> None:
    assert Counter(lay.fault for lay in staged(seed)) == Counter(KINDS)


def test_kinds_come_in_different_orders() -> None:
    assert len({tuple(lay.fault for lay in staged(seed)) for seed in range(6)}) > 1


def test_both_wilds_and_a_triple_come_to_one_seat() -> None:
    for seed in range(100):
        assert sum(bool(ambiguous_set(hand, Rank.TWO)) for hand in stacked_hands(seed).values()) == 1


def test_stacking_twice_changes_nothing_and_later_deals_are_left_alone() -> None:
    stacking, seats = Stacking(4), (0, 1, 2, 3) * 27
    hopper = tuple(range(108))

    first = stacking(HeldPlan(7, seats, b""), hopper)

    assert first != hopper
    assert stacking(HeldPlan(7, seats, b""), first) == first
    assert stacking(HeldPlan(8, seats, b""), hopper) == hopper


def test_the_ambiguous_set_is_a_triple_and_two_wilds() -> None:
    hand = parse_cards(["2H", "9S", "2H", "9D", "4S", "9C"])

    assert ambiguous_set(hand, Rank.TWO) == parse_cards(["9S", "9D", "9C", "2H", "2H"])
    assert ambiguous_set(hand[1:], Rank.TWO) == ()


def test_a_card_from_the_sleeve_was_never_dealt_to_the_seat() -> None:
    for seed in range(10):
        lay = next(lay for lay in staged(seed) if lay.fault == "card_not_in_hand")
        assert lay.cards[0] not in stacked_hands(seed)[lay.seat]


def test_players_who_break_a_rule_by_mistake_are_a_fault_of_the_simulator() -> None:
    game = Game(RULEBOOK)
    game.begin_deal(stacked_hands(1))
    game.lead(Seat.N)
    before = game.match

    with pytest.raises(NotTheRules):
        game.do(Lay(Seat.E, game.hand(Seat.E)[:1], None))

    assert game.match == before


def test_only_the_last_act_can_be_undone() -> None:
    game = Game(RULEBOOK)
    game.begin_deal(stacked_hands(1))
    game.lead(Seat.N)
    hand, start = game.hand(Seat.N), game.match
    game.do(Lay(Seat.N, hand[:1], None))

    assert not game.take_back(Seat.E)
    assert game.take_back(Seat.N)
    assert not game.take_back(Seat.N)
    assert (game.match, game.hand(Seat.N)) == (start, hand)

    game.do(Lay(Seat.N, hand[:1], None))
    game.do(Pass(game.turn))
    assert not game.take_back(Seat.N)


def test_every_scenario_has_titles_in_both_languages() -> None:
    assert set(SCENARIOS) == {"clean", "violations"}
    assert all(kind.name == name and kind.title_en and kind.title_zh for name, kind in SCENARIOS.items())
