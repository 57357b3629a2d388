"""Pretend players keep the rules, say what they mean by how they lay it, and play deals of a human length."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import PACKS, PLAY_ORDER, Card, Rank, Seat, parse_cards
from engine.combos import Reading, Type, readings
from engine.order import BOMB_TYPES
from engine.resolve import resolve
from engine.rulebook_data import load_rulebook
from simulator.evening import EVERYBODY, next_handover
from simulator.game import Game, Lay, Pass
from simulator.grouping import group
from simulator.maxims import ALL_MAXIMS, Maxim
from simulator.players import View, choose, without

RULEBOOK = load_rulebook("competitive-2022")
FULL: Mapping[Seat, int] = dict.fromkeys(Seat, 27)


def dealt(rng: random.Random) -> dict[Seat, tuple[Card, ...]]:
    deck = list(PACKS)
    rng.shuffle(deck)
    return {seat: tuple(deck[27 * i : 27 * i + 27]) for i, seat in enumerate(PLAY_ORDER)}


def view(
    hand: str,
    current: Reading | None = None,
    standing: Seat | None = None,
    sizes: Mapping[Seat, int] = FULL,
) -> View:
    return View(Seat.S, parse_cards(hand.split()), Rank.TWO, current, standing, sizes, RULEBOOK)


def play_deal(game: Game, rng: random.Random) -> tuple[int, int]:
    """Plays and passes of one deal played to its end."""
    plays = passes = 0
    while not game.over:
        seat = game.turn
        play = choose(game.view(seat), rng)
        if play is None:
            passes += 1
            game.do(Pass(seat))
        else:
            plays += 1
            found = resolve(play.cards, game.level, game.current, RULEBOOK)
            assert (found.chosen, found.assumed) == (play.reading, False)
            game.do(Lay(seat, play.cards, play.reading))
    return plays, passes


def test_deals_are_played_by_the_rules_and_have_a_human_length() -> None:
    counts = []

    for seed in range(40):
        rng = random.Random(seed)
        game = Game(RULEBOOK)
        game.begin_deal(dealt(rng))
        game.lead(rng.choice(PLAY_ORDER))
        counts.append(play_deal(game, rng))

    plays = [count for count, _ in counts]
    mean = sum(plays) / len(plays)
    assert 35 <= mean <= 43, f"{mean} plays a deal"
    assert sum(28 <= count <= 52 for count in plays) >= 36
    assert all(passes <= 100 for _, passes in counts)


def test_a_match_goes_on_over_deals_at_rising_levels() -> None:
    rng = random.Random(5)
    game = Game(RULEBOOK)
    levels = []

    for _ in range(4):
        game.begin_deal(dealt(rng))
        if not levels:
            game.lead(Seat.N)
        while (handover := next_handover(game, rng, EVERYBODY)) is not None:
            game.hand_over(handover)
        levels.append(game.level)
        play_deal(game, rng)

    assert levels[0] is Rank.TWO
    assert levels[1] > Rank.TWO


def test_the_same_seed_gives_the_same_deal() -> None:
    games = []
    for _ in range(2):
        rng = random.Random(11)
        game = Game(RULEBOOK)
        game.begin_deal(dealt(rng))
        game.lead(Seat.W)
        play_deal(game, rng)
        games.append(game.match)

    assert games[0] == games[1]


@given(st.permutations(range(108)), st.integers(1, 27), st.sampled_from([Rank.TWO, Rank.SEVEN, Rank.ACE]))
def test_sorting_a_hand_loses_no_card_and_makes_only_sets(order: list[int], size: int, level: Rank) -> None:
    hand = [PACKS[i] for i in order[:size]]

    groups = group(hand, level)

    assert Counter(card for play in groups for card in play.cards) == Counter(hand)
    assert all(play.reading in readings(play.cards, level) for play in groups)


def test_a_triple_and_a_wild_are_kept_as_a_bomb() -> None:
    groups = group(parse_cards(["9S", "9D", "9C", "2H", "4S"]), Rank.TWO)

    assert Reading(Type.BOMB, Rank.NINE, size=4) in [play.reading for play in groups]


def test_an_ace_is_low_in_a_low_straight() -> None:
    groups = group(parse_cards(["3C", "4D", "AS", "5H", "2S"]), Rank.SEVEN)
    straight = next(play for play in groups if play.reading.type is Type.STRAIGHT)

    assert straight.cards == parse_cards(["AS", "2S", "3C", "4D", "5H"])
    assert resolve(straight.cards, Rank.SEVEN, None, RULEBOOK).chosen == straight.reading


def test_a_leader_sheds_low_cards_and_keeps_bombs() -> None:
    play = choose(view("KS KD KC KH 3S 3D 3C 5S 5D AS"), random.Random(1))

    assert play is not None
    assert play.reading == Reading(Type.FULL_HOUSE, Rank.THREE, Rank.FIVE)


def test_the_last_set_is_played_whatever_it_is() -> None:
    play = choose(view("KS KD KC KH"), random.Random(1))

    assert play is not None
    assert play.reading.type is Type.BOMB


def test_a_partners_high_play_is_left_alone() -> None:
    over_partner = view("BJ 3S 3D 4C 7S 9D JC", Reading(Type.SINGLE, Rank.ACE), Seat.N)

    assert all(choose(over_partner, random.Random(seed)) is None for seed in range(50))


def test_a_player_goes_out_even_over_his_partner() -> None:
    play = choose(view("BJ", Reading(Type.SINGLE, Rank.ACE), Seat.N), random.Random(1))

    assert play is not None


def test_the_cheapest_fitting_set_is_taken_over_an_opponent() -> None:
    over_opponent = view("5S 9D QC AS AD KH", Reading(Type.SINGLE, Rank.EIGHT), Seat.W)

    play = choose(over_opponent, random.Random(2))

    assert play is not None
    assert play.reading == Reading(Type.SINGLE, Rank.NINE)


def test_who_makes_large_bombs_sorts_the_rest_of_a_hand_so_too() -> None:
    """With the wild in the bomb a five can leave its triple: the rest is one bomb and a pair."""
    hand = "KS KH KC KD 2H 5S 5H 5D"
    four, near = Reading(Type.SINGLE, Rank.FOUR), {**FULL, Seat.W: 3, Seat.S: 8}
    large_bombs = replace(view(hand, four, Seat.W, near), maxims=ALL_MAXIMS - {Maxim.BOMBS_OF_FOUR})

    play = choose(large_bombs, random.Random(1))

    assert play is not None
    assert play.reading == Reading(Type.SINGLE, Rank.FIVE)


def test_an_opponent_near_the_end_is_bombed_more_often() -> None:
    hand = "5S 5D 5C 5H 3S 3D 4C 6D 8S 9H TC"
    top = Reading(Type.SINGLE, Rank.BIG_JOKER)

    def bombs(left: int) -> int:
        seen = [
            choose(view(hand, top, Seat.W, {**FULL, Seat.W: left, Seat.S: 11}), random.Random(seed))
            for seed in range(60)
        ]
        return sum(play is not None and play.reading.type in BOMB_TYPES for play in seen)

    assert bombs(3) > bombs(25)


def test_an_empty_hand_cannot_act() -> None:
    with pytest.raises(ValueError, match="holds no cards"):
        choose(view(""), random.Random(1))


def test_cards_leave_a_hand_one_copy_each() -> None:
    assert without(parse_cards(["TH", "TH", "9S"]), parse_cards(["TH"])) == parse_cards(["TH", "9S"])
