"""A case of any form is judged or refused as BadCase: every part of a real case is put out of form in turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from engine.case_reader import DEEPEST, BadCase, parse_case
from engine.cases import check_case
from engine.rulebook_points import LARGEST

HERE = Path(__file__).parent
CASES = [
    json.loads(line)
    for name in ("cases.jsonl", "own_cases.jsonl", "ranking_cases.jsonl", "duplicate_cases.jsonl")
    for line in (HERE / name).read_text("utf-8").split("\n")
    if line.strip()
]
ODD: tuple[object, ...] = (
    None,
    True,
    -1,
    10**400,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "S",
    "\ud800\n",
    [],
    ["S"],
    [["S"]],
    {},
    {"S": "S"},
    {"S": 10**400},
)


def shape(value: object) -> object:
    """The keys of a case without its values, so that one case stands for all that are written alike."""
    if isinstance(value, dict):
        return tuple(sorted((key, shape(item)) for key, item in value.items()))
    return type(value).__name__


def each_shape() -> list[dict[str, Any]]:
    found = {repr((case["topic"], case["given"].get("kind"), shape(case["given"]))): case for case in CASES}
    return list(found.values())


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the parts of a case stand; of a list its first and last item."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list) and value:
        for index in {0, len(value) - 1}:
            yield from places(value[index], (*path, index))


def put(case: dict[str, Any], path: tuple[Any, ...], value: object) -> dict[str, Any]:
    changed: Any = deepcopy(case)
    part = changed
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return dict(changed)


def taken_out(case: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    changed: Any = deepcopy(case)
    part = changed
    for step in path[:-1]:
        part = part[step]
    del part[path[-1]]
    return dict(changed)


@pytest.mark.parametrize("case", each_shape(), ids=lambda case: case["id"])
def test_case_with_any_part_out_of_form_is_judged_or_refused(case: dict[str, Any]) -> None:
    for path in places(case):
        for changed in (taken_out(case, path), *(put(case, path, odd) for odd in ODD)):
            with suppress(BadCase):
                check_case(changed)


@pytest.mark.parametrize(
    ("topic", "given", "named"),
    [
        ("timing", {"action": "play", "seconds": 10**400}, f"'seconds' is missing or not a number up to {LARGEST}"),
        ("timing", {"action": "nap", "seconds": 1}, "'action' is missing or not one of .* play late"),
        ("timing", {"action": "late", "minutes": float("nan")}, "'minutes' is missing or not a number up to"),
        (
            "leader",
            {"previous_finish": ["E", "N", "W", "S"], "big_jokers": {"S": "S"}},
            "'S' is missing or not a whole",
        ),
        *(
            (
                "tribute_pairing",
                {
                    "play_order": ["S", "E", "N", "W"],
                    "first": "S",
                    "level": "2",
                    "tributes": {"E": "KS", "W": "KH"},
                    "submission_order": order,
                },
                "'submission_order' does not name the two opponents of first",
            )
            for order in (["N"], ["E"], ["E", "N"])
        ),
    ],
)
def test_part_out_of_form_is_named(topic: str, given: dict[str, Any], named: str) -> None:
    case = {"id": "x", "topic": topic, "rulebook": "competitive-2022", "given": given, "expect": {}}

    with pytest.raises(BadCase, match=f"^case 'x': key {named}"):
        check_case(case)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("[" * 200_000, f"nested more than {DEEPEST} deep"),
        ('{"id": ' + "[" * 100 + "]" * 100 + "}", f"nested more than {DEEPEST} deep"),
        ('{"id": ' + "9" * 6000 + "}", f"a number beyond {LARGEST}"),
        ("[]", "not a JSON object"),
        ("{", "not JSON"),
    ],
)
def test_line_that_holds_no_case_is_refused(line: str, wrong: str) -> None:
    with pytest.raises(BadCase) as caught:
        parse_case(line)

    assert caught.value.wrong.startswith(wrong)
