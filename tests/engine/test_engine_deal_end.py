"""The end of a deal through `advance`: finishing order, double-down, levels, and the end of the match."""

from __future__ import annotations

import pytest
from engine_support import BOOK, E, N, S, W, playing

from engine.cards import Level, Pair, Seat
from engine.facts import FinishEntered
from engine.findings import Severity
from engine.levels import after_deal
from engine.state import Phase, Score


def test_double_down_ends_the_deal_at_once() -> None:
    table = playing(E, sizes={E: 1}, finish=(W,))

    assert table.lay(E, "5S") == ["finish_order", "level_change"]

    assert table.deal.phase is Phase.OVER
    assert table.deal.finish == (W, E)
    assert table.deal.turn is None
    assert [dict(finding.detail) for finding in table.last] == [
        {"order": "W E", "double_down": "yes"},
        {"pair": "EW", "from": "2", "to": "5"},
    ]
    assert {finding.kind.severity for finding in table.last} == {Severity.INFO}


def test_third_out_ends_the_deal_and_the_last_is_known() -> None:
    table = playing(W, sizes={W: 1}, finish=(E, N))

    table.lay(W, "5S")

    assert table.deal.finish == (E, N, W, S)
    assert table.match is not None
    assert table.match.last_finish == (E, N, W, S)
    assert table.match.levels == {Pair.EW: Level.FOUR, Pair.NS: Level.TWO}
    assert table.match.declarer is Pair.EW


def test_two_out_of_different_sides_play_on() -> None:
    table = playing(W, sizes={W: 1}, finish=(N,))

    table.lay(W, "5S")

    assert table.deal.phase is Phase.PLAYING


@pytest.mark.parametrize("order", [(), (E,), (E, N), (E, E), (E, N, E, S)])
def test_order_that_is_none_changes_nothing(order: tuple[Seat, ...]) -> None:
    table = playing(S)
    before = table.match

    table.tell(FinishEntered(order, "referee"))

    assert table.match == before


def test_entered_double_down_keeps_two_places() -> None:
    table = playing(S)

    table.tell(FinishEntered((E, W, N, S), "referee"))

    assert table.deal.finish == (E, W)


@pytest.mark.parametrize(
    ("levels", "declarer", "finish", "after"),
    [
        ("22", None, (E, W), "52"),
        ("22", None, (E, N, W, S), "42"),
        ("22", None, (E, N, S, W), "32"),
        ("59", Pair.NS, (E, W), "89"),
        ("K9", Pair.EW, (E, W), "A9"),
        ("Q9", Pair.EW, (W, E), "A9"),
    ],
)
def test_side_of_first_gains_levels_up_to_a(
    levels: str, declarer: Pair | None, finish: tuple[Seat, ...], after: str
) -> None:
    before = Score({pair: Level.parse(text) for pair, text in zip(Pair, levels, strict=True)})

    score = after_deal(before, declarer, finish, BOOK)

    assert "".join(score.levels[pair].text for pair in Pair) == after
    assert score.winner is None


@pytest.mark.parametrize(
    ("declarer", "finish", "passed"),
    [
        (Pair.EW, (E, W), True),
        (Pair.EW, (E, N, W, S), True),
        (Pair.EW, (E, N, S, W), False),
        (Pair.EW, (N, E, W, S), False),
        (Pair.NS, (E, W), False),
        (None, (E, W), False),
    ],
)
def test_a_is_passed_at_ones_own_a_with_partner_not_last(
    declarer: Pair | None, finish: tuple[Seat, ...], passed: bool
) -> None:
    score = after_deal(Score({Pair.EW: Level.ACE, Pair.NS: Level.NINE}), declarer, finish, BOOK)

    assert (score.winner is Pair.EW) is passed
    assert (score.levels[Pair.EW] is Level.PAST_ACE) is passed


def test_match_is_over_past_a() -> None:
    table = playing(E, sizes={E: 1}, finish=(W,), levels=(Level.ACE, Level.TWO), declarer=Pair.EW)

    table.lay(E, "5S")

    assert table.match is not None
    assert table.match.is_over
    assert table.match.winner is Pair.EW
