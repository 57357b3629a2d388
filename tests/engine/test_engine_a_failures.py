"""Three failures at A under the rulebook that limits them: what counts, what does not, and where it leads (U-6)."""

from __future__ import annotations

from functools import reduce

import pytest

from engine.cards import Level, Pair, Seat
from engine.levels import after_deal
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.state import Score

EW, NS = Pair.EW, Pair.NS
S, E, N, W = Seat.parse("S"), Seat.parse("E"), Seat.parse("N"), Seat.parse("W")
FINAL = load_rulebook("anhui-league/final")
AT_A = Score({EW: Level.ACE, NS: Level.TWO}, EW)
PARTNER_LAST = (E, N, S, W)
OTHERS_WIN = (N, E, S, W)


def played(score: Score, *finishes: tuple[Seat, ...]) -> Score:
    """After deals each at the level of whoever declares then."""
    return reduce(lambda now, finish: after_deal(now, now.declarer, finish, FINAL), finishes, score)


def test_side_falls_to_2_at_its_third_failure_and_declares_there() -> None:
    score = played(AT_A, PARTNER_LAST, PARTNER_LAST)
    assert (score.levels[EW], score.a_failures) == (Level.ACE, {EW: 2, NS: 0})

    score = played(score, PARTNER_LAST)

    assert (score.levels[EW], score.declarer, score.a_failures) == (Level.TWO, EW, {EW: 0, NS: 0})


def test_deals_at_the_level_of_the_others_neither_count_nor_reset() -> None:
    score = played(AT_A, OTHERS_WIN, OTHERS_WIN, OTHERS_WIN, PARTNER_LAST)

    assert (score.levels, score.a_failures) == ({EW: Level.ACE, NS: Level.EIGHT}, {EW: 1, NS: 0})


def test_each_side_counts_for_itself() -> None:
    both = Score({EW: Level.ACE, NS: Level.ACE}, EW, a_failures={EW: 2, NS: 1})

    score = played(both, OTHERS_WIN, (S, E, W, N))

    assert score.levels == {EW: Level.TWO, NS: Level.ACE}
    assert score.a_failures == {EW: 0, NS: 2}


def test_side_that_passes_at_its_last_try_wins() -> None:
    score = played(AT_A, PARTNER_LAST, PARTNER_LAST, (E, N, W, S))

    assert (score.winner, score.levels[EW], score.a_failures[EW]) == (EW, Level.PAST_ACE, 0)


def test_deal_that_brings_a_side_to_a_is_no_failure() -> None:
    score = played(Score({EW: Level.KING, NS: Level.TWO}, EW), (E, W))

    assert (score.levels[EW], score.a_failures[EW]) == (Level.ACE, 0)


@pytest.mark.parametrize("name", [name for name in known_rulebooks() if not name.startswith("anhui-league")])
def test_other_rulebooks_play_a_until_it_is_passed(name: str) -> None:
    score = AT_A
    for _ in range(4):
        score = after_deal(score, EW, OTHERS_WIN, load_rulebook(name))

    assert (score.levels[EW], score.a_failures[EW]) == (Level.ACE, 0)
