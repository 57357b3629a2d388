"""The cases written as data: every one that is built passes, malformed ones are named."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from engine.case_reader import BadCase
from engine.cases import Summary, Verdict, check_case, summary
from engine.rulebook_data import known_rulebooks

CASES = [json.loads(line) for line in Path(__file__).with_name("cases.jsonl").read_text("utf-8").splitlines()]
OWN = [json.loads(line) for line in Path(__file__).with_name("own_cases.jsonl").read_text("utf-8").splitlines()]
REFEREE = {"penalty", "timing", "report", "pass_form", "arrangement", "score", "ranking"}
DEAL = {"cut", "draw_order", "tribute_select", "return_select", "tribute_pairing", "leader", "match_end"}
BUILT = {"classify", "compare", "follow", "jiefeng", "upgrade", "a_level"} | REFEREE | DEAL


def a_case(topic: str) -> dict[str, Any]:
    """A copy of the first built case of a topic."""
    return deepcopy(next(c for c in CASES if c["topic"] == topic and c["rulebook"] in known_rulebooks()))


@pytest.mark.parametrize(
    "case",
    [c for c in CASES + OWN if c["topic"] in BUILT],
    ids=lambda case: case["id"],
)
def test_case_of_a_built_topic_passes(case: dict[str, Any]) -> None:
    result = check_case(case)

    assert result.verdict is Verdict.PASSED, (result.expected, result.got)


@pytest.mark.parametrize("rulebook", ["intro", "campus-2010"])
def test_rulebooks_that_the_file_has_little_of_have_cases_of_their_own(rulebook: str) -> None:
    assert sum(case["rulebook"] == rulebook for case in OWN) >= 10


def test_no_case_of_a_referees_topic_is_skipped() -> None:
    results = [check_case(case) for case in CASES if case["topic"] in REFEREE]

    assert summary(results) == Summary(passed=89, failed=0, skipped=0)


def test_cases_of_play_are_all_there() -> None:
    built = Counter(c["topic"] for c in CASES)

    assert {topic: built[topic] for topic in ("classify", "compare", "follow", "jiefeng")} == {
        "classify": 81,
        "compare": 28,
        "follow": 29,
        "jiefeng": 6,
    }


def test_case_of_both_stages_fails_where_one_stage_differs() -> None:
    case = {
        "id": "stages",
        "rulebook": "anhui-league",
        "topic": "upgrade",
        "given": {"levels": {"EW": "2", "NS": "2"}, "declarer": None, "finish": ["E", "W"]},
        "expect": {"levels": {"EW": "5", "NS": "2"}},
    }

    assert check_case(case).verdict is Verdict.FAILED
    assert check_case(case | {"rulebook": "anhui-league/final"}).verdict is Verdict.PASSED


def test_case_of_an_unknown_rulebook_is_refused_whatever_its_topic() -> None:
    """Skipped, a mistyped id would take its case out of the check unseen."""
    for topic in ("classify", "weather"):
        with pytest.raises(BadCase, match="key 'rulebook': 'house-rules' is not a rulebook; choose one of "):
            check_case(a_case("classify") | {"rulebook": "house-rules", "topic": topic})


def test_case_of_a_topic_that_is_not_built_is_skipped_and_not_passed() -> None:
    result = check_case(a_case("classify") | {"topic": "weather"})

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
        ("a_level", "a_failures", {"EW": 1, "NS": 0}),
        ("match_end", "winner", "NS"),
        ("score", "level_difference", 12),
        ("ranking", "order", ["B", "A", "C"]),
        ("report", "count", 8),
        ("pass_form", "required", "knock"),
        ("arrangement", "arrangement_ok", False),
        ("timing", "overtime", True),
        ("penalty", "levels", {"offender": "6", "other": "J"}),
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
        ("ranking", {"given": {"teams": {"A": 3}}}, "'A'"),
        ("ranking", {"given": {"teams": {"A": {"points": [2, "1"]}}}}, "points"),
        ("ranking", {"given": {"teams": {"A": {"points": [2]}, "B": {"points": [2, 1]}}}}, "'A'"),
        ("ranking", {"given": {"teams": {"A": {"points": [2], "opponents_total": "x"}}}}, "opponents_total"),
        ("report", {"given": {"before": 12, "played": 1, "reported": 1}}, "reported"),
        ("report", {"given": {"cards_left": 5, "asked_by": "referee"}}, "asked_by"),
        ("pass_form", {"given": {"form": "nod"}}, "form"),
        ("timing", {"given": {"action": "nap", "seconds": 3}}, "action"),
        ("timing", {"given": {"action": "play", "seconds": True}}, "seconds"),
        ("penalty", {"given": {"kind": "yawn"}}, "yawn"),
        ("penalty", {"given": {"kind": "forfeit", "side": None}}, "side"),
        ("penalty", {"given": {"kind": "ladder", "round_events_same_side": ["caution"]}}, "round_events_same_side"),
        (
            "a_level",
            {
                "given": {
                    "levels": {"EW": "A", "NS": "9"},
                    "declarer": "EW",
                    "finish": ["E", "W"],
                    "a_failures": {"EW": 1},
                }
            },
            "NS",
        ),
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
