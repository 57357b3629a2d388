"""Match points, level points, forfeits; online points and titles."""

from __future__ import annotations

from itertools import product

import pytest

from engine.cards import Level, Pair
from engine.rulebook_data import load_rulebook
from engine.scores import (
    LEVEL_POINTS,
    TITLES,
    BadDifference,
    BadLevelNumber,
    OnlineLoss,
    forfeit_level_points,
    forfeit_match_points,
    imported_difference,
    leader_on_levels,
    level_points,
    level_points_for,
    match_points,
    online_deal_points,
    online_loss,
    online_title,
)

EW, NS = Pair.EW, Pair.NS
JIANGSU = load_rulebook("jiangsu-simple")
ANQING = load_rulebook("anqing-2015")


@pytest.mark.parametrize(("ew", "ns"), list(product((Level.TWO, Level.TEN, Level.PAST_ACE), repeat=2)))
def test_level_points_of_both_sides_are_always_26(ew: Level, ns: Level) -> None:
    points = level_points({EW: ew, NS: ns}, JIANGSU)
    assert points is not None

    assert points[EW] + points[NS] == 26
    assert points[EW] - points[NS] == 2 * (ew - ns)


def test_online_scale_has_28_points_and_a_row_for_imported_results() -> None:
    assert level_points_for(14, "14_plus_d") == (28, 0)
    assert {sum(row) for row in LEVEL_POINTS["14_plus_d"]} == {28}


@pytest.mark.parametrize(("difference", "table"), [(14, "13_plus_d"), (-1, "13_plus_d"), (15, "14_plus_d")])
def test_difference_that_is_in_no_table_is_refused(difference: int, table: str) -> None:
    with pytest.raises(BadDifference, match=str(difference)):
        level_points_for(difference, table)


def test_imported_results_know_a_level_past_the_joker() -> None:
    assert imported_difference(16, 2) == 14
    assert imported_difference(13, 15) == 2
    for wrong in (1, 17):
        with pytest.raises(BadLevelNumber, match=str(wrong)):
            imported_difference(2, wrong)


def test_rulebook_without_level_points_gives_none() -> None:
    assert level_points({EW: Level.TWO, NS: Level.TEN}, load_rulebook("campus-2010")) is None


def test_match_points_of_win_draw_and_loss() -> None:
    assert match_points(EW, JIANGSU) == {EW: 2, NS: 0}
    assert match_points(None, JIANGSU) == {EW: 1, NS: 1}
    assert match_points(NS, ANQING) == {EW: 1, NS: 2}
    assert match_points(None, ANQING) is None
    assert match_points(EW, load_rulebook("campus-2010")) is None


def test_forfeit_leaves_nothing_to_who_does_not_play() -> None:
    assert forfeit_match_points(EW, ANQING) == {EW: 0, NS: 2}
    assert forfeit_match_points(NS, JIANGSU) == {EW: 2, NS: 0}
    assert forfeit_level_points(NS, JIANGSU) == {EW: 17, NS: 0}
    assert forfeit_level_points(NS, ANQING) is None


def test_higher_level_leads_and_equal_levels_lead_nobody() -> None:
    assert leader_on_levels({EW: Level.KING, NS: Level.ACE}) is NS
    assert leader_on_levels({EW: Level.KING, NS: Level.KING}) is None


def test_online_points_of_a_deal() -> None:
    assert online_deal_points(3) == (3, -3)
    assert online_deal_points(2, won_at_a=True) == (10, 0)
    assert [online_loss(reason) for reason in OnlineLoss] == [-4, -2, -10]


@pytest.mark.parametrize(
    ("points", "title"),
    [
        (-40, "笨蛋"),
        (0, "笨蛋"),
        (1, "坏蛋"),
        (10, "坏蛋"),
        (100, "鸡蛋"),
        (101, "活珠"),
        (500, "毛蛋"),
        (1000, "铁蛋"),
        (2000, "银蛋"),
        (5000, "金蛋"),
        (5001, "超级掼蛋"),
    ],
)
def test_title_goes_by_points_and_its_limit_belongs_to_it(points: int, title: str) -> None:
    assert online_title(points).title_zh == title


def test_titles_rise() -> None:
    limits = [title.up_to for title in TITLES]

    assert limits[-1] is None
    assert limits[:-1] == sorted(limit for limit in limits if limit is not None)
