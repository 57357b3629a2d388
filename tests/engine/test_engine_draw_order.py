"""Who shuffles, cuts and draws first for deals 2, 3, ...: every finishing order, by the sentences of RULEBOOKS 3.1."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine.cards import PLAY_ORDER, Pair, Seat
from engine.cut import draw_order
from engine.rulebook_data import known_rulebooks, load_rulebook

S, E, N, W = Seat.parse("S"), Seat.parse("E"), Seat.parse("N"), Seat.parse("W")
FINISHES = [f for f in permutations(Seat) if f[1] is not f[0].partner] + [(seat, seat.partner) for seat in Seat]


@pytest.mark.parametrize("name", known_rulebooks())
def test_first_cuts_and_last_draws_first_under_every_rulebook(name: str) -> None:
    for finish in FINISHES:
        later = draw_order(finish, PLAY_ORDER, load_rulebook(name))

        assert later.cutter is finish[0]
        if len(finish) == 4:
            assert later.first_drawer is finish[-1]
        else:
            assert PLAY_ORDER.index(later.first_drawer) == (PLAY_ORDER.index(finish[0]) + 1) % 4


@pytest.mark.parametrize(
    ("name", "finish", "shuffler"),
    [
        ("national-2017", (W, N, E, S), S),
        ("national-2017", (W, E), S),
        ("jiangsu-simple", (W, N, E, S), N),
        ("jiangsu-simple", (W, E), N),
        ("campus-2010", (S, W, N, E), E),
        ("anhui-league/final", (W, E), W),
    ],
)
def test_shuffler_goes_by_rulebook(name: str, finish: tuple[Seat, ...], shuffler: Seat) -> None:
    assert draw_order(finish, PLAY_ORDER, load_rulebook(name)).shuffler is shuffler


def test_right_and_left_follow_the_order_of_play_of_the_venue() -> None:
    later = draw_order((E, W), (E, S, W, N), load_rulebook("competitive-2022"))

    assert (later.shuffler, later.first_drawer) == (N, S)


def test_four_places_after_a_double_down_are_read_as_two() -> None:
    book = load_rulebook("national-2017")

    assert draw_order((S, N, W, E), PLAY_ORDER, book) == draw_order((S, N), PLAY_ORDER, book)


def test_one_more_cut_is_the_opponents_right_only_where_the_rulebook_gives_it() -> None:
    assert draw_order((W, N, S, E), PLAY_ORDER, load_rulebook("anqing-2015")).extra_cut_right is Pair.NS
    assert draw_order((W, E), PLAY_ORDER, load_rulebook("anqing-2015")).extra_cut_right is None
    assert draw_order((W, N, S, E), PLAY_ORDER, load_rulebook("national-2017")).extra_cut_right is None
