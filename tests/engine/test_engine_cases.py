"""The cases written as data: every one that is built passes, malformed ones are named."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from engine.case_reader import BadCase
from engine.cases import Verdict, check_case, summary
from engine.rulebook_data import known_rulebooks

CASES = [json.loads(line) for line in Path(__file__).with_name("cases.jsonl").read_text("utf-8").splitlines()]
BUILT = {"classify", "compare", "follow", "jiefeng", "upgrade", "a_level", "cut", "tribute_select"}


def a_case(topic: str) -> dict[str, Any]:
    """A copy of the first built case of a topic."""
    return deepcopy(next(c for c in CASES if c["topic"] == topic and c["rulebook"] in known_rulebooks()))


@pytest.mark.parametrize(
    "case",
    [c for c in CASES if c["topic"] in BUILT and c["rulebook"] in known_rulebooks()],
    ids=lambda case: case["id"],
)
def test_case_of_a_built_topic_passes(case: dict[str, Any]) -> None:
    result = check_case(case)

    assert result.verdict is Verdict.PASSED, (result.expected, result.got)


def test_cases_of_core_and_default_rulebook_are_all_judged() -> None:
    results = [check_case(case) for case in CASES]

    built = Counter(c["topic"] for c in CASES if c["topic"] in BUILT and c["rulebook"] in {"core", "competitive-2022"})
    assert summary(results).failed == 0
    assert summary(results).passed == sum(built.values())
    assert {topic: built[topic] for topic in ("classify", "compare", "follow", "jiefeng")} == {
        "classify": 79,
        "compare": 28,
        "follow": 27,
        "jiefeng": 2,
    }


@pytest.mark.parametrize(("key", "value"), [("rulebook", "campus-2010"), ("topic", "score")])
def test_case_that_is_not_built_is_skipped_and_not_passed(key: str, value: str) -> None:
    result = check_case({**a_case("classify"), key: value})

    assert result.verdict is Verdict.SKIPPED
    assert summary([result]).passed == 0


@pytest.mark.parametrize(
    ("topic", "key", "value"),
    [
        ("classify", "readings", [{"type": "pair", "rank": "5"}]),
        ("classify", "readings", []),
        ("compare", "stronger", "b"),
        ("follow", "legal", True),
        ("jiefeng", "next_leader", "E"),
        ("upgrade", "levels", {"EW": "9", "NS": "9"}),
    ],
)
def test_wrong_expectation_fails(topic: str, key: str, value: object) -> None:
    case = a_case(topic)
    case["expect"][key] = value

    assert check_case(case).verdict is Verdict.FAILED


@pytest.mark.parametrize(
    ("topic", "change", "named"),
    [
        ("classify", {"id": None}, "id"),
        ("classify", {"topic": 3}, "topic"),
        ("classify", {"rulebook": None}, "rulebook"),
        ("classify", {"given": []}, "given"),
        ("classify", {"expect": None}, "expect"),
        ("classify", {"expect": {"reading": []}}, "reading"),
        ("classify", {"given": {"cards": ["ZZ"], "level": "2"}}, "ZZ"),
        ("classify", {"given": {"cards": [], "level": "2"}}, "cards"),
        ("classify", {"given": {"cards": ["3S", "3S", "3S"], "level": "2"}}, "cards"),
        ("classify", {"given": {"cards": "3S", "level": "2"}}, "cards"),
        ("classify", {"given": {"cards": ["3S"]}}, "level"),
        ("classify", {"given": {"cards": ["3S"], "level": "A+"}}, "A+"),
        ("compare", {"given": {"level": "2", "a": {}, "b": {}}}, "reading"),
        ("follow", {"given": {"level": "2", "play": ["3S"]}}, "current"),
        ("jiefeng", {"given": {"play_order": ["S", "E"]}}, "out_player"),
        ("upgrade", {"given": {"levels": {"EW": "2"}, "declarer": None, "finish": ["E", "W"]}}, "NS"),
        ("upgrade", {"given": {"levels": {"EW": "2", "NS": "2"}, "declarer": "NW", "finish": ["E", "W"]}}, "declarer"),
        ("upgrade", {"given": {"levels": {"EW": "2", "NS": "2"}, "declarer": None, "finish": ["E", "N"]}}, "finish"),
    ],
)
def test_malformed_case_is_refused_by_id_and_key(topic: str, change: dict[str, Any], named: str) -> None:
    case = a_case(topic) | change

    with pytest.raises(BadCase) as caught:
        check_case(case)

    assert repr(case["id"]) in str(caught.value)
    assert named in str(caught.value)
