"""The end of a match by past A, limits, ties, forfeits and awards."""

from __future__ import annotations

from engine.cards import Level, Pair
from engine.match_end import awarded, extra_deal, forfeited, match_end
from engine.rulebook_data import load_rulebook

EW, NS = Pair.EW, Pair.NS
NATIONAL, ANQING, JIANGSU = map(load_rulebook, ("national-2017", "anqing-2015", "jiangsu-simple"))
TIE = {EW: Level.NINE, NS: Level.NINE}


def test_past_a_ends_every_format_and_a_does_not() -> None:
    assert match_end({EW: Level.PAST_ACE, NS: Level.TWO}, NATIONAL).winner is EW
    assert not match_end({EW: Level.ACE, NS: Level.TWO}, NATIONAL).over


def test_equal_levels_draw_or_need_one_more_deal() -> None:
    assert match_end(TIE, NATIONAL, time_out=True).match_points == {EW: 1, NS: 1}
    assert match_end(TIE, NATIONAL, deals_out=True, knock_out=True).tie_break_required
    assert extra_deal(TIE, NS, NATIONAL).match_points == {EW: 0, NS: 2}


def test_who_reached_the_level_first_wins_and_a_sealed_deal_counts_for_first() -> None:
    assert match_end(TIE, ANQING, time_out=True, reached_first=NS).match_points == {EW: 1, NS: 2}
    assert match_end(TIE, ANQING, time_out=True, reached_first=NS, sealed_first=EW).winner is EW
    behind = {EW: Level.EIGHT, NS: Level.NINE}
    assert match_end(behind, ANQING, time_out=True, sealed_first=EW).winner is NS
    assert match_end(TIE, NATIONAL, time_out=True, sealed_first=EW).levels == TIE


def test_forfeit_and_award() -> None:
    assert forfeited(TIE, EW, ANQING).match_points == {EW: 0, NS: 2}
    assert forfeited(TIE, EW, JIANGSU).level_points == {EW: 0, NS: 17}
    end = awarded(TIE, EW, JIANGSU)
    assert (end.levels[NS], end.level_points, end.match_points) == (Level.KING, {EW: 9, NS: 17}, {EW: 0, NS: 2})


def test_withdrawal_costs_more_only_where_the_rulebook_says_so() -> None:
    online = load_rulebook("huaian-online")

    assert forfeited(TIE, EW, online).level_points == {EW: 0, NS: 20}
    assert forfeited(TIE, EW, online, withdrew=True).level_points == {EW: 0, NS: 28}
    assert forfeited(TIE, EW, JIANGSU, withdrew=True).level_points == {EW: 0, NS: 17}
