"""Ranking of teams and every tie-break."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cases import Verdict, check_case
from engine.ranking import BY_PROGRESSIVE, BadTeams, Criterion, Results, opponents_totals, progressive, rank

CASES = [json.loads(line) for line in Path(__file__).with_name("ranking_cases.jsonl").read_text("utf-8").splitlines()]
POINTS = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=8)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case_of_ranking_passes(case: dict[str, Any]) -> None:
    result = check_case(case)

    assert result.verdict is Verdict.PASSED, (result.expected, result.got)


def test_ranking_in_the_wrong_order_fails() -> None:
    case = json.loads(json.dumps(CASES[0]))
    case["expect"]["order"].reverse()

    assert check_case(case).verdict is Verdict.FAILED


def test_progressive_points_with_and_without_the_first_round() -> None:
    assert progressive((2, 1, 0)) == 3 + 3
    assert progressive((2, 1, 0), from_round=2) == 1 + 1
    assert progressive((2,)) == 0
    assert progressive(()) == 0


@given(POINTS)
def test_progressive_is_the_sum_of_running_totals_from_round_two(rounds: list[tuple[int, ...]]) -> None:
    for points in rounds:
        assert progressive(points) == sum(sum(points[:n]) for n in range(2, len(points) + 1))
        assert progressive(points, from_round=2) == sum(sum(points[1:n]) for n in range(2, len(points) + 1))


@given(POINTS, st.randoms(use_true_random=False))
def test_places_do_not_depend_on_the_order_of_entry(rounds: list[tuple[int, ...]], random: Random) -> None:
    teams = [Results(str(number), points) for number, points in enumerate(rounds)]
    shuffled = list(teams)
    random.shuffle(shuffled)

    places = {standing.team: standing.place for standing in rank(teams).standings}

    assert {standing.team: standing.place for standing in rank(shuffled).standings} == places


@given(POINTS)
def test_nobody_stands_above_a_team_that_is_better_in_the_first_criterion_that_differs(
    rounds: list[tuple[int, ...]],
) -> None:
    standings = rank([Results(str(number), points) for number, points in enumerate(rounds)]).standings

    for above, below in pairwise(standings):
        keys = [tuple(standing.figures[criterion] for criterion in BY_PROGRESSIVE) for standing in (above, below)]
        assert keys[0] >= keys[1]
        assert (above.place == below.place) is (keys[0] == keys[1]) is (below.decided_by == "lots")


def test_teams_that_draw_lots_share_a_place_and_are_named() -> None:
    ranking = rank([Results("A", (2, 2)), Results("B", (1, 1)), Results("C", (1, 1)), Results("D", (0, 0))])

    assert ranking.lots == (("B", "C"),)
    assert [standing.place for standing in ranking.standings] == [1, 2, 2, 4]


def test_points_of_opponents_add_up_and_count_twice_for_two_meetings() -> None:
    met = {"A": ["B", "C"], "B": ["A", "A"], "C": []}

    assert opponents_totals({"A": 5, "B": 3, "C": 4}, met) == {"A": 7, "B": 10, "C": 0}


@pytest.mark.parametrize(
    ("teams", "named"),
    [
        ([Results("A", (2,)), Results("A", (0,))], "twice"),
        ([Results("A", (2, 1)), Results("B", (0,))], "1 rounds, others 2"),
        ([Results("A", (2, 1), level_points=(13,))], "level points of 1"),
        ([Results("A", (2, 1), upgrades=(1, 2, 3))], "upgrades of 3"),
    ],
)
def test_results_that_cannot_be_ranked_are_named(teams: list[Results], named: str) -> None:
    with pytest.raises(BadTeams, match=named):
        rank(teams)


def test_opponent_without_a_total_is_named() -> None:
    with pytest.raises(BadTeams, match="'Z'"):
        opponents_totals({"A": 1}, {"A": ["Z"]})


def test_an_event_may_choose_its_own_criteria() -> None:
    teams = [Results("A", (2, 0), upgrades=(1, 1)), Results("B", (1, 1), upgrades=(9, 9))]

    assert rank(teams, (Criterion.UPGRADES,)).order == ("B", "A")
