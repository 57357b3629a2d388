"""Results of duplicate boards: two rooms, and a field of many tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cards import PLAY_ORDER, Pair, Seat
from engine.case_reader import BadCase
from engine.cases import Verdict, check_case
from engine.duplicate import BadResult, Room, RoomResult, TableResult, score_field, score_teams, signed_gain
from engine.rulebook import Steps

CASES = [json.loads(line) for line in Path(__file__).with_name("duplicate_cases.jsonl").read_text("utf-8").splitlines()]
S, E, N, W = PLAY_ORDER


def seats(text: str) -> tuple[Seat, ...]:
    return tuple(map(Seat, text.split()))


def table(name: str, finish: str, cards: str = "x") -> TableResult:
    return TableResult(name, cards, f"{name}-ns", f"{name}-ew", seats(finish))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case_of_duplicate_boards_passes(case: dict[str, Any]) -> None:
    result = check_case(case)

    assert result.verdict is Verdict.PASSED, (result.expected, result.got)


@pytest.mark.parametrize(("key", "wrong"), [("swings", [6, -6]), ("match_points", [0, 2]), ("total", 1)])
def test_wrong_expectation_of_a_duplicate_case_fails(key: str, wrong: object) -> None:
    case = next(case for case in CASES if case["id"] == "own-duplicate-17")
    changed = {**case, "expect": {**case["expect"], key: wrong}}

    assert check_case(changed).verdict is Verdict.FAILED


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "results"),
        ({"results": ["N S"]}, "results"),
        ({"results": [{"board": "1", "room": "A", "cards": "x", "finish": ["N", "S"]}]}, "board"),
        ({"results": [{"board": 1, "room": "C", "cards": "x", "finish": ["N", "S"]}]}, "room"),
        ({"results": [{"board": 1, "room": "A", "finish": ["N", "S"]}]}, "cards"),
        ({"results": [{"board": 1, "room": "A", "cards": "x", "finish": ["N", "E"]}]}, "finish N E"),
        (
            {"tables": [{"table": "1", "cards": "x", "ns": "a", "ew": "a", "finish": ["N", "S"]}]},
            "'a' is entered twice",
        ),
    ],
)
def test_malformed_duplicate_case_is_refused_by_id_and_key(given: dict[str, Any], named: str) -> None:
    with pytest.raises(BadCase) as caught:
        check_case({**CASES[0], "given": given})

    assert repr(CASES[0]["id"]) in str(caught.value)
    assert named in str(caught.value)


@pytest.mark.parametrize("finish", ["N S", "N E S W", "N E W S", "E W", "E N W S", "E N S W"])
def test_what_one_side_gains_the_other_loses(finish: str) -> None:
    gain = signed_gain(seats(finish), Pair.NS)

    assert gain == -signed_gain(seats(finish), Pair.EW)
    assert gain != 0


def test_steps_of_the_rulebook_are_the_worth_of_a_board() -> None:
    results = [RoomResult(1, Room.A, "x", (N, S)), RoomResult(1, Room.B, "x", (E, N, S, W))]

    assert score_teams(results, Steps(6, 4, 2)).total == 6 + 2


def test_match_points_go_by_the_sign_of_the_total() -> None:
    home = score_teams([RoomResult(1, Room.A, "x", (N, S)), RoomResult(1, Room.B, "x", (E, W))])
    away = score_teams([RoomResult(1, Room.A, "x", (E, W)), RoomResult(1, Room.B, "x", (N, S))])
    draw = score_teams([])

    assert home.match_points() == (2, 0)
    assert away.match_points() == (0, 2)
    assert draw.match_points() == (1, 1)
    assert away.match_points(win=2, loss=1) == (1, 2)


@pytest.mark.parametrize("finish", ["N E", "N", "", "N N", "N E S", "N E S S"])
def test_finish_that_is_none_is_refused_by_board(finish: str) -> None:
    with pytest.raises(BadResult, match="board 4"):
        score_teams([RoomResult(4, Room.A, "x", seats(finish))])


def test_board_entered_twice_in_a_room_is_refused() -> None:
    with pytest.raises(BadResult, match="room A has 2 results"):
        score_teams([RoomResult(4, Room.A, "x", (N, S)), RoomResult(4, Room.A, "x", (E, W))])


def test_field_is_scored_against_every_pair_of_the_same_direction() -> None:
    scores = score_field(1, [table("1", "N S"), table("2", "N E S W"), table("3", "N E S W"), table("4", "E W")])

    points = [[score.match_points for score in scores if score.side is side] for side in Pair]
    assert dict(zip(Pair, points, strict=True)) == {Pair.EW: [0, 3, 3, 6], Pair.NS: [6, 3, 3, 0]}
    assert {score.most for score in scores} == {6}


def test_datum_of_a_field_sums_to_nothing() -> None:
    scores = score_field(1, [table("1", "N S"), table("2", "N E S W"), table("3", "E W")])

    assert [score.against_datum for score in scores if score.side is Pair.NS] == pytest.approx([7 / 3, 4 / 3, -11 / 3])
    assert sum(score.against_datum for score in scores) == pytest.approx(0)


def test_tables_with_other_cards_are_a_field_of_their_own() -> None:
    scores = score_field(1, [table("1", "N S"), table("2", "E W"), table("3", "E W", "fouled")])

    alone = [score for score in scores if score.table == "3"]
    assert [(score.match_points, score.most, score.against_datum) for score in alone] == [(0, 0, 0.0)] * 2
    assert {score.most for score in scores if score.table != "3"} == {2}


def test_pair_that_is_entered_twice_is_refused() -> None:
    with pytest.raises(BadResult, match="1-ns"):
        score_field(1, [table("1", "N S"), table("1", "N S")])
    with pytest.raises(BadResult, match="a table"):
        score_field(1, [table("1", "N S"), TableResult("1", "x", "other", "pairs", (N, S))])
