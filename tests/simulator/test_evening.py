"""Many deals at engine level: rules kept, repeatable, in the neighbourhood of the guide's figures."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest

from engine.cards import PACKS, Pair, Rank, parse_cards
from engine.combos import Reading, Type
from engine.rulebook_data import load_rulebook
from engine.statistics import GUIDE_SHARE_PERCENT, Statistics
from simulator.evening import play_deals
from simulator.grouping import group
from simulator.maxims import ALL_MAXIMS, Maxim

BOOK = load_rulebook("competitive-2022")


def test_deals_are_played_by_the_rules_and_again_alike() -> None:
    once = list(play_deals(12, 3, BOOK))

    assert [deal.fault for deal in once] == [None] * 12
    assert once == list(play_deals(12, 3, BOOK))
    assert len({deal.level for deal in once}) > 1
    for deal in once:
        laid = Counter(card for act in deal.acts for card in act.cards)
        assert laid <= Counter(PACKS)
        assert len(deal.finish) in {2, 4}


def test_statistics_come_near_those_of_the_guide() -> None:
    statistics = Statistics()
    for deal in play_deals(120, 7, BOOK):
        statistics.add(deal.level, deal.acts, deal.finish)

    assert statistics.figures()["plays_per_deal"] == pytest.approx(38.3, abs=2.5)
    for kind, share in statistics.share_percent().items():
        assert share == pytest.approx(GUIDE_SHARE_PERCENT[kind], abs=4), kind


def test_a_side_that_ignores_a_maxim_plays_otherwise() -> None:
    everybody = [deal.acts for deal in play_deals(15, 4, BOOK)]
    for maxim in (Maxim.BOMBS_OF_FOUR, Maxim.TAKE_OVER, Maxim.SPARE_THE_PARTNER):
        sides = {Pair.EW: ALL_MAXIMS, Pair.NS: ALL_MAXIMS - {maxim}}
        assert [deal.acts for deal in play_deals(15, 4, BOOK, sides)] != everybody, maxim


def test_wilds_make_a_bomb_of_their_own_or_a_larger_one() -> None:
    hand = parse_cards(["9S", "9H", "9C", "9D", "5S", "5C", "5D", "2H"])

    small = {play.reading for play in group(hand, Rank.TWO)}
    large = {play.reading for play in group(hand, Rank.TWO, small_bombs=False)}

    assert small == {Reading(Type.BOMB, Rank.NINE, size=4), Reading(Type.BOMB, Rank.FIVE, size=4)}
    assert large == {Reading(Type.BOMB, Rank.NINE, size=5), Reading(Type.TRIPLE, Rank.FIVE)}


def simulate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dealer", "simulate", *arguments],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def test_simulate_answers_one_document() -> None:
    done = simulate("--deals", "4", "--seed", "11", "--json")

    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert document["deals"] == 4
    assert document["violations"] == 0
    assert sum(document["share_percent"].values()) == pytest.approx(100, abs=0.5)


@pytest.mark.parametrize("arguments", [("--deals", "0"), ("--deals", "3", "--rulebook", "chess")])
def test_simulate_refuses_what_it_cannot_do(arguments: tuple[str, ...]) -> None:
    done = simulate(*arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    assert arguments[-1] in done.stderr
