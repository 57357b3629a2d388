"""Points of a rulebook that a referee and a scorer rely on: words are checked when a file is read."""

from __future__ import annotations

from typing import Any

import pytest

from engine.ranking import Criterion
from engine.rulebook import BadRulebook, Rulebook, build_rulebook
from engine.rulebook_data import known_rulebooks, load_rulebook, packaged_layers
from engine.scores import LEVEL_POINTS


def built(**points: Any) -> Rulebook:  # any value that a file may hold
    own = {name: {"value": value, "source": "its regulation, 1"} for name, value in points.items()}
    layer = {"id": "event", "title_en": "An event", "title_zh": "赛事", "source": "its regulation", "points": own}
    return build_rulebook([*packaged_layers("core"), layer])


@pytest.mark.parametrize(
    ("point", "value"),
    [
        ("report_mode", "loudly"),
        ("report_threshold", -1),
        ("report_repeat_questions", "allowed"),
        ("report_volunteering", "sometimes"),
        ("report_card", "yes"),
        ("pass_forms", "wink"),
        ("full_house_layout", "pair_left"),
        ("countdown_s", 0),
        ("late_forfeit_from_min", 2.5),
        ("match_points", [2, 0]),
        ("level_points", "12_plus_d"),
        ("forfeit_level_points", [17, 0, 0]),
        ("ladder", "steep"),
        ("a_failures_limit", "three"),
        ("later_shuffler", "second"),
        ("extra_cut", "maybe"),
        ("ranking", ["total", "beauty"]),
    ],
)
def test_value_that_no_rule_knows_is_refused_by_point(point: str, value: object) -> None:
    with pytest.raises(BadRulebook, match=point):
        built(**{point: value})


def test_points_that_are_said_not_to_be_regulated_are_not() -> None:
    book = built(report_mode="none", report_threshold="none", countdown_s="none", match_points="none")

    assert (book.report_mode, book.report_threshold, book.countdown_s, book.match_points) == (None,) * 4


def test_each_of_the_nine_texts_and_their_core_is_there() -> None:
    assert known_rulebooks() == (
        "anhui-league/final",
        "anhui-league/qualifying",
        "anqing-2015",
        "campus-2010",
        "competitive-2022",
        "core",
        "huaian-online",
        "intro",
        "jiangsu-simple",
        "national-2017",
    )


@pytest.mark.parametrize("name", known_rulebooks())
def test_points_of_a_rulebook_fit_each_other(name: str) -> None:
    book = load_rulebook(name)

    assert (book.report_mode is None) is (book.report_threshold is None)
    assert book.level_points is None or book.level_points in LEVEL_POINTS
    assert book.ranking[0] is Criterion.TOTAL
    assert book.countdown_s is None or book.play_s is not None
