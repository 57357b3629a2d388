"""A match from deal to deal: limits, ties, time, forfeits, fouls. RULEBOOKS 3.5, 3.6, 4.1, M-1 to M-4."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_support import BOOK, E, N, S, Table, W, second_deal

from engine.advance import start
from engine.cards import PLAY_ORDER, Level, Pair, Seat
from engine.facts import (
    DealAwarded,
    DealStarted,
    Fact,
    FinishEntered,
    MatchAwarded,
    MatchForfeited,
    MatchStarted,
    TimeCalled,
)
from engine.rulebook import Rulebook
from engine.rulebook_data import load_rulebook
from engine.state import Phase

EW, NS = Pair.EW, Pair.NS
ANQING, JIANGSU = load_rulebook("anqing-2015"), load_rulebook("jiangsu-simple")
ONLINE = load_rulebook("huaian-online")


def match(book: Rulebook = BOOK, deals: int | None = None, knock_out: bool = False) -> Table:
    return Table(start(MatchStarted(book.id, book.hash, PLAY_ORDER, deals_limit=deals, knock_out=knock_out)), book)


def deal(table: Table, *finish: Seat) -> None:
    """One deal at the level that is due, its order entered by hand."""
    assert table.match is not None
    score = table.match.score
    level = score.levels[score.declarer] if score.declarer is not None else Level.TWO
    table.tell(DealStarted(score.deals_done + 1, level, score.declarer, "seeded", ""))
    table.tell(FinishEntered(finish, "scorer"))


def end(table: Table):
    assert table.match is not None
    assert table.match.score.end is not None
    return table.match.score.end


def test_the_last_deal_of_a_limit_ends_the_match() -> None:
    table = match(deals=2)
    deal(table, E, W)
    assert table.match is not None
    assert not table.match.is_over
    assert "match_end" not in table.names

    deal(table, N, S)

    assert "match_end" in table.names
    assert end(table).winner is None
    assert end(table).match_points == {EW: 1, NS: 1}
    assert table.match.is_over


def test_equal_levels_in_a_knock_out_are_decided_by_one_extra_deal() -> None:
    table = match(deals=2, knock_out=True)
    deal(table, E, W)
    deal(table, N, S)
    assert end(table).tie_break_required
    assert table.match is not None
    assert not table.match.is_over

    deal(table, S, E, N, W)

    assert end(table).winner is NS
    assert end(table).levels == table.match.levels == {EW: Level.FIVE, NS: Level.FIVE}
    assert table.match.winner is NS


def test_time_seals_the_deal_in_play() -> None:
    table = match()
    deal(table, E, S, W, N)
    table.tell(DealStarted(2, Level.FOUR, EW, "seeded", ""))

    table.tell(TimeCalled("referee"))

    assert table.names == ["match_end"]
    assert table.detail == {"winner": "EW"}
    assert table.deal.phase is Phase.OVER
    assert end(table).levels == {EW: Level.FOUR, NS: Level.TWO}
    before = table.match
    table.tell(TimeCalled("referee"))
    assert table.match == before


def test_who_came_to_the_level_first_wins_where_the_rulebook_says_so() -> None:
    table = match(ANQING)
    deal(table, N, S)
    deal(table, E, W)

    table.tell(TimeCalled("referee"))

    assert end(table).winner is NS


def test_first_of_the_sealed_deal_gains_where_the_rulebook_says_so() -> None:
    """Anqing: East is out when time is up (M-1)."""
    table = second_deal((N, S), {}, ANQING)
    assert table.match is not None
    table.match = replace(table.match, deal=replace(table.deal, finish=(E,)))

    table.tell(TimeCalled("referee"))

    assert end(table).levels[EW] is Level.THREE


@pytest.mark.parametrize(
    ("book", "withdrew", "points"),
    [(JIANGSU, False, {EW: 0, NS: 17}), (ONLINE, False, {EW: 0, NS: 20}), (ONLINE, True, {EW: 0, NS: 28})],
)
def test_forfeit_is_lost_by_its_own_score(book: Rulebook, withdrew: bool, points: dict[Pair, int]) -> None:
    table = match(book)
    table.tell(MatchForfeited(EW, "organiser", withdrew))

    assert end(table).winner is NS
    assert end(table).level_points == points


def test_awarded_defeat_is_lost_by_four_levels() -> None:
    table = match(JIANGSU)
    deal(table, E, W)

    table.tell(MatchAwarded(EW, "referee"))

    assert end(table).levels == {EW: Level.FIVE, NS: Level.NINE}
    assert end(table).level_points == {EW: 9, NS: 17}


@pytest.mark.parametrize(("named", "leads"), [(None, N), (S, S), (E, E)])
def test_foul_ends_the_deal_without_tribute_after_it(named: Seat | None, leads: Seat) -> None:
    table = match()
    deal(table, E, W)
    table.tell(DealStarted(2, Level.FIVE, EW, "seeded", ""))
    assert table.deal.exchange is not None

    table.tell(DealAwarded(E, "referee", named))

    assert table.match is not None
    assert table.match.levels == {EW: Level.FIVE, NS: Level.FIVE}
    assert table.match.declarer is NS
    table.tell(DealStarted(3, Level.FIVE, NS, "seeded", ""))
    assert table.deal.exchange is None
    assert table.deal.leader is leads
    table.tell(FinishEntered((N, S), "scorer"))
    table.tell(DealStarted(4, Level.EIGHT, NS, "seeded", ""))
    assert table.deal.exchange is not None


def test_nothing_changes_an_ended_match_but_a_new_one() -> None:
    table = match()
    table.tell(MatchForfeited(EW, "organiser"))
    before = table.match

    table.tell(MatchAwarded(NS, "referee"))
    assert table.match == before

    table.tell(MatchStarted(BOOK.id, BOOK.hash, PLAY_ORDER))
    assert table.match is not None
    assert not table.match.is_over


@pytest.mark.parametrize(
    "last",
    [MatchForfeited(EW, "organiser"), TimeCalled("referee"), MatchAwarded(EW, "referee")],
    ids=lambda f: type(f).__name__,
)
def test_a_deal_after_the_end_changes_nothing(last: Fact) -> None:
    table = match()
    deal(table, N, S)
    table.tell(last)
    before = table.match
    assert before is not None
    assert before.is_over

    deal(table, E, W)

    assert table.match == before


def test_the_deal_in_play_counts_where_the_rulebook_has_it_played_to_its_end() -> None:
    book = replace(BOOK, finish_current_deal=True)
    table = match(book)
    table.tell(DealStarted(1, Level.TWO, None, "seeded", ""))
    table.tell(TimeCalled("referee"))
    assert not table.match.is_over if table.match else False

    table.tell(FinishEntered((E, W), "scorer"))

    assert end(table).over
    assert end(table).levels == {EW: Level.FIVE, NS: Level.TWO}
