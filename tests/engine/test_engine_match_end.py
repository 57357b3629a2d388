"""The end of a match by past A, limits, ties, sealed deals, extra deals, forfeits, withdrawals and awards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Level, Pair
from engine.match_end import End, awarded, extra_deal, forfeited, match_end
from engine.rulebook import Rulebook
from engine.rulebook_data import known_rulebooks, load_rulebook

EW, NS = Pair.EW, Pair.NS
BOOKS = {name: load_rulebook(name) for name in known_rulebooks()}
ANQING, JIANGSU = BOOKS["anqing-2015"], BOOKS["jiangsu-simple"]
TIE = {EW: Level.NINE, NS: Level.NINE}

MATCH_POINTS: dict[str, tuple[int, int | None, int]] = {
    "national-2017": (2, 1, 0),
    "competitive-2022": (2, 1, 0),
    "jiangsu-simple": (2, 1, 0),
    "anqing-2015": (2, None, 1),
}
"""Win, draw, loss as RULEBOOKS 3.6 prints them; the others name a winner and no points."""
LEVEL_POINTS = {"national-2017": 13, "competitive-2022": 13, "jiangsu-simple": 13, "huaian-online": 14}
"""Level points of each side on equal levels (S-3, S-4)."""
FORFEIT = {"competitive-2022": 17, "jiangsu-simple": 17, "huaian-online": 20}
"""Level points to the other side where one does not play (3.6, S-2)."""
REACHED_FIRST = {"anqing-2015", "anhui-league/qualifying", "anhui-league/final"}
"""Where who stood on equal levels first has won (3.5)."""

every_rulebook = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
draws = pytest.mark.parametrize("name", [name for name in BOOKS if name not in REACHED_FIRST])
decides = pytest.mark.parametrize("name", sorted(REACHED_FIRST))


def levels(texts: str) -> dict[Pair, Level]:
    """Levels of EW and NS, written with a space between."""
    return dict(zip((EW, NS), map(Level.parse, texts.split()), strict=True))


def points_of_a_win(book: Rulebook, winner: Pair) -> dict[Pair, int] | None:
    if book.id not in MATCH_POINTS:
        return None
    win, _, loss = MATCH_POINTS[book.id]
    return {winner: win, winner.other: loss}


def level_points(book: Rulebook, winner: Pair, difference: int) -> dict[Pair, int] | None:
    if book.id not in LEVEL_POINTS:
        return None
    even = LEVEL_POINTS[book.id]
    return {winner: even + difference, winner.other: even - difference}


# -- formats ----------------------------------------------------------------------------------------------------------


@every_rulebook
@pytest.mark.parametrize("text", ["2 2", "A 2", "A A", "9 K"])
def test_match_goes_on_while_no_limit_is_reached_and_nobody_is_past_a(book: Rulebook, text: str) -> None:
    assert match_end(levels(text), book) == End(False, levels(text))


@every_rulebook
@pytest.mark.parametrize("limit", [{}, {"time_out": True}, {"deals_out": True}, {"knock_out": True}])
def test_past_a_ends_every_format(book: Rulebook, limit: dict[str, bool]) -> None:
    end = match_end(levels("8 A+"), book, **limit)

    assert end == End(True, levels("8 A+"), NS, points_of_a_win(book, NS), level_points(book, NS, 7))


@every_rulebook
@pytest.mark.parametrize(
    "limit",
    [{"time_out": True}, {"deals_out": True}, {"time_out": True, "deals_out": True}],
    ids=["time", "deals", "both"],
)
@pytest.mark.parametrize("knock_out", [False, True], ids=["points", "knock-out"])
def test_higher_level_wins_at_a_limit(book: Rulebook, limit: dict[str, bool], knock_out: bool) -> None:
    end = match_end(levels("J 9"), book, knock_out=knock_out, **limit)

    assert end == End(True, levels("J 9"), EW, points_of_a_win(book, EW), level_points(book, EW, 2))


@every_rulebook
def test_widest_difference_gives_the_most_level_points(book: Rulebook) -> None:
    end = match_end(levels("A+ 2"), book)

    assert end.level_points == level_points(book, EW, 13)


# -- ties -------------------------------------------------------------------------------------------------------------


@draws
@pytest.mark.parametrize("limit", [{"time_out": True}, {"deals_out": True}], ids=["time", "deals"])
def test_equal_levels_draw_in_a_points_event(name: str, limit: dict[str, bool]) -> None:
    end = match_end(TIE, BOOKS[name], **limit)

    points = {EW: 1, NS: 1} if name in MATCH_POINTS else None
    assert end == End(True, TIE, None, points, level_points(BOOKS[name], EW, 0))


@draws
@pytest.mark.parametrize("limit", [{"time_out": True}, {"deals_out": True}], ids=["time", "deals"])
def test_equal_levels_need_one_more_deal_in_a_knock_out(name: str, limit: dict[str, bool]) -> None:
    end = match_end(TIE, BOOKS[name], knock_out=True, **limit)

    assert end == End(False, TIE, tie_break_required=True)


@draws
def test_who_reached_the_level_first_does_not_matter_where_no_text_says_so(name: str) -> None:
    assert match_end(TIE, BOOKS[name], time_out=True, reached_first=NS).winner is None


@decides
@pytest.mark.parametrize("knock_out", [False, True], ids=["points", "knock-out"])
def test_who_reached_the_level_first_wins(name: str, knock_out: bool) -> None:
    end = match_end(TIE, BOOKS[name], time_out=True, knock_out=knock_out, reached_first=NS)

    assert end == End(True, TIE, NS, points_of_a_win(BOOKS[name], NS), None)


@decides
def test_unknown_who_reached_the_level_first_needs_one_more_deal(name: str) -> None:
    assert match_end(TIE, BOOKS[name], time_out=True) == End(False, TIE, tie_break_required=True)


@decides
def test_who_reached_a_lower_level_first_does_not_matter(name: str) -> None:
    assert match_end(levels("9 8"), BOOKS[name], time_out=True, reached_first=NS).winner is EW


@every_rulebook
@pytest.mark.parametrize("first", list(Pair))
def test_side_of_first_wins_the_extra_deal_and_levels_stand(book: Rulebook, first: Pair) -> None:
    end = extra_deal(TIE, first, book)

    assert end == End(True, TIE, first, points_of_a_win(book, first), level_points(book, first, 0))


# -- a deal that time-out sealed --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in BOOKS if name != "anqing-2015"])
def test_unfinished_deal_does_not_count(name: str) -> None:
    sealed = match_end(levels("8 9"), BOOKS[name], time_out=True, sealed_first=EW)

    assert sealed == match_end(levels("8 9"), BOOKS[name], time_out=True)
    assert sealed.levels == levels("8 9")


@pytest.mark.parametrize(
    ("before", "after", "winner"),
    [
        ("9 9", "T 9", EW),
        ("8 9", "9 9", NS),
        ("7 9", "8 9", NS),
        ("9 8", "T 8", EW),
        ("A A", "A+ A", EW),
    ],
    ids=["breaks-a-tie", "draws-level-with-who-was-there-first", "still-behind", "further-ahead", "past-a"],
)
def test_side_that_has_first_in_the_sealed_deal_gains_one(before: str, after: str, winner: Pair) -> None:
    end = match_end(levels(before), ANQING, time_out=True, reached_first=EW, sealed_first=EW)

    assert end == End(True, levels(after), winner, points_of_a_win(ANQING, winner), None)


def test_nobody_in_the_sealed_deal_is_first_yet() -> None:
    end = match_end(TIE, ANQING, time_out=True, reached_first=NS)

    assert (end.winner, end.levels) == (NS, TIE)


def test_only_time_seals_a_deal() -> None:
    assert match_end(levels("8 9"), ANQING, deals_out=True, sealed_first=EW).levels == levels("8 9")
    assert match_end(levels("8 9"), ANQING, sealed_first=EW) == End(False, levels("8 9"))


def test_match_that_was_won_before_gains_nothing_by_a_sealed_deal() -> None:
    assert match_end(levels("A 8"), ANQING, time_out=True, sealed_first=NS).levels == levels("A 9")
    assert match_end(levels("A+ 8"), ANQING, time_out=True, sealed_first=NS).levels == levels("A+ 8")


def test_sealed_deal_lifts_nobody_past_an_a_that_must_be_played() -> None:
    event = replace(ANQING, cap_at_a=True)

    end = match_end(levels("A A"), event, time_out=True, reached_first=EW, sealed_first=EW)

    assert (end.winner, end.levels) == (EW, levels("A A"))


# -- forfeits, withdrawals, awards ------------------------------------------------------------------------------------


@every_rulebook
@pytest.mark.parametrize("side", list(Pair))
def test_who_forfeits_gets_nothing(book: Rulebook, side: Pair) -> None:
    end = forfeited(TIE, side, book)

    match_points = {side.other: 2, side: 0} if book.id in MATCH_POINTS else None
    points = {side.other: FORFEIT[book.id], side: 0} if book.id in FORFEIT else None
    assert end == End(True, TIE, side.other, match_points, points)


@every_rulebook
def test_withdrawal_costs_more_only_where_the_rulebook_says_so(book: Rulebook) -> None:
    withdrawn = forfeited(TIE, EW, book, withdrew=True)

    if book.id == "huaian-online":
        assert withdrawn.level_points == {EW: 0, NS: 28}
    else:
        assert withdrawn == forfeited(TIE, EW, book)


@pytest.mark.parametrize(
    ("before", "after", "points"),
    [
        ("9 9", "9 K", (9, 17)),
        ("2 2", "2 6", (9, 17)),
        ("9 5", "9 K", (9, 17)),
        ("2 6", "2 6", (9, 17)),
        ("2 7", "2 7", (8, 18)),
        ("2 A", "2 A", (1, 25)),
        ("J J", "J A+", (9, 17)),
        ("Q 3", "J A+", (9, 17)),
        ("A A", "J A+", (9, 17)),
    ],
)
@pytest.mark.parametrize("name", ["jiangsu-simple", "competitive-2022"])
def test_award_leaves_at_least_four_levels_between(name: str, before: str, after: str, points: tuple[int, int]) -> None:
    end = awarded(levels(before), EW, BOOKS[name])

    assert end == End(True, levels(after), NS, {EW: 0, NS: 2}, dict(zip((EW, NS), points, strict=True)))


def test_award_goes_against_the_offender_on_either_side() -> None:
    end = awarded(levels("9 T"), NS, JIANGSU)

    assert (end.winner, end.levels) == (EW, levels("A T"))


def test_who_loses_by_an_award_gets_no_match_points_even_where_losers_get_some() -> None:
    """RULEBOOKS 4.3: 2 to 0 in both, award and forfeit."""
    assert awarded(levels("9 T"), NS, BOOKS["anqing-2015"]).match_points == {EW: 2, NS: 0}
