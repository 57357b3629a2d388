"""Points of a rulebook that a referee and a scorer rely on: words are checked when a file is read."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import CARDS, card_texts
from engine.ranking import Criterion
from engine.rulebook import POINTS, BadRulebook, Rulebook
from engine.rulebook_data import known_rulebooks, load_rulebook, packaged_layers
from engine.rulebook_layers import build_rulebook
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
        ("play_s", float("inf")),
        ("play_s", float("nan")),
        ("play_s", 10**10),
        ("ace_count", 10**10),
        ("match_points", [10**10, 1, 0]),
        ("forfeit_level_points", [-(10**10), 0]),
        ("title", [[[[1]]]]),
    ],
)
def test_value_that_no_rule_knows_is_refused_by_point(point: str, value: object) -> None:
    with pytest.raises(BadRulebook, match=point) as caught:
        built(**{point: value})
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("point", [*POINTS])
def test_number_that_cannot_even_be_written_is_refused_by_point(point: str) -> None:
    huge = 1 << 40_000  # Python refuses to write more than 4300 digits
    for value in (huge, [huge], [huge, 1, 0], [huge, 0], {"second": 3, "third": 2, "last": huge}):
        with pytest.raises(BadRulebook, match=point):
            built(**{point: value})


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ({"redraw_on": card_texts(CARDS)}, "redraw_on names 54 of 54 faces, .*; name 27 or fewer"),
        ({"redraw_on": card_texts(CARDS[:28])}, "redraw_on names 28 of 54 faces, .*; name 27 or fewer"),
        ({"pass_a_partner_places": []}, "pass_a_partner_places is an empty list, .*; name at least one"),
        ({"pass_a_partner_places": [2, 2]}, "pass_a_partner_places names 2 twice; name each once"),
        ({"match_points": [0, 1, 0]}, r"match_points is \[0, 1, 0\], where a worse result brings more; write win"),
        ({"match_points": [2, 0, 1]}, r"match_points is \[2, 0, 1\], where a worse result"),
        ({"match_points": [0, -1, 1]}, r"match_points is \[0, -1, 1\], where a worse result"),
        ({"ranking": ["total", "wins", "total"]}, "ranking names 'total' twice; name each once"),
        ({"report_threshold": 27}, "report_threshold is 27, more than a play leaves; write 26 or less"),
        (
            {"late_warning_min": 11, "late_foul_min": 10},
            "late_warning_min is 11, more than late_foul_min, which is 10; write limits that rise",
        ),
        ({"late_foul_min": 11, "late_forfeit_over_min": 10}, "late_foul_min is 11, more than late_forfeit_over_min"),
        ({"late_warning_min": 11, "late_forfeit_from_min": 10}, "late_warning_min is 11, more than late_forfeit_from"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_with_a_remedy(points: dict[str, Any], said: str) -> None:
    with pytest.raises(BadRulebook, match=said):
        built(**points)


def test_the_outermost_rules_that_can_be_played_are_taken() -> None:
    book = built(
        redraw_on=card_texts(CARDS[:27]),
        pass_a_partner_places=[4],
        match_points=[1, 1, 1],
        report_threshold=26,
        late_warning_min=10,
        late_foul_min=10,
        late_forfeit_over_min=10,
        late_forfeit_from_min=10,
        play_s=10**9,
    )

    assert len(book.redraw_on) == 27
    assert (book.match_points, book.report_threshold, book.play_s) == ((1, 1, 1), 26, 10**9)


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
