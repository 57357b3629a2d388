"""The table of infractions: every rulebook has an answer to every infraction, and says where it stands."""

from __future__ import annotations

import pytest

from engine.cards import Pair
from engine.infraction_table import ALL_BOOKS, CORRECTIONS, LINES, TITLES, Measure
from engine.infractions import SUGGESTED, Incident, UnknownInfraction, occurrence, sanction
from engine.ladder import Penalty
from engine.rulebook import UnknownRulebook

W, V, F = Penalty.WARNING, Penalty.VIOLATION, Penalty.FOUL


def test_all_infractions_but_the_slip_of_translation_are_there() -> None:
    assert list(TITLES) == [f"I{number}" for number in range(1, 29) if number != 27]


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_every_infraction_has_correction_and_source_in_every_rulebook(book: str) -> None:
    for infraction in TITLES:
        found = sanction(book, infraction)

        assert found.correction in CORRECTIONS, infraction
        assert infraction in found.source or found.source == SUGGESTED, infraction


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_where_nothing_is_printed_a_warning_is_suggested_and_marked(book: str) -> None:
    silent = [found for found in (sanction(book, i) for i in TITLES) if found.source == SUGGESTED]

    for found in silent:
        assert found.measure == Measure(W), found.infraction
        assert not found.printed, found.infraction


@pytest.mark.parametrize("book", [book for book in ALL_BOOKS if book != "core"])
def test_line_of_another_rulebook_says_whose_it_is(book: str) -> None:
    for infraction in TITLES:
        own = LINES.get((book, infraction))
        is_own = own is not None and own.meaning_from is None

        assert (sanction(book, infraction).inherited_from is None) is is_own, infraction
        assert sanction(book, infraction).inherited_from != book, infraction


@pytest.mark.parametrize(
    ("book", "infraction", "owner"),
    [
        ("competitive-2022", "I3", "jiangsu-simple"),
        ("competitive-2022", "I10", "national-2017"),
        ("competitive-2022", "I28", None),
        ("jiangsu-simple", "I10", "national-2017"),
        ("jiangsu-simple", "I15", "competitive-2022"),
        ("jiangsu-simple", "I14", "core"),
        ("national-2017", "I17", "jiangsu-simple"),
        ("national-2017", "I3", "core"),
        ("campus-2010", "I12", "national-2017"),
        ("campus-2010", "I10", "core"),
        ("intro", "I10", "core"),
        ("core", "I10", None),
    ],
)
def test_silence_is_filled_by_the_parent_in_order(book: str, infraction: str, owner: str | None) -> None:
    assert sanction(book, infraction).inherited_from == owner


@pytest.mark.parametrize(
    ("book", "infraction", "penalties"),
    [
        ("national-2017", "I10", [W, V, F, F]),
        ("jiangsu-simple", "I10", [W, V, F, F]),
        ("anqing-2015", "I9", [W, Penalty.LEVEL_REDUCTION, Penalty.LEVEL_REDUCTION]),
        ("anhui-league/final", "I21", [W, W, Penalty.DISQUALIFICATION]),
        ("jiangsu-simple", "I21", [W, W, W]),
        ("huaian-online", "I18", [None, None, None]),
    ],
)
def test_occurrences_in_order(book: str, infraction: str, penalties: list[Penalty | None]) -> None:
    found = [sanction(book, infraction, number).measure.penalty for number in range(1, len(penalties) + 1)]

    assert found == penalties


@pytest.mark.parametrize(("occurrence", "change"), [(1, 0), (3, 0), (4, -1)])
def test_online_signals_cost_a_point_only_beyond_three(occurrence: int, change: int) -> None:
    assert sanction("huaian-online", "I17", occurrence).measure.score_delta == change


def test_both_sides_lose_where_the_pack_was_counted_wrong_by_both() -> None:
    assert sanction("huaian-online", "I5", 3).measure == Measure(score_delta=-1, both_lose=True)
    assert sanction("huaian-online", "I5").correction == "short_hand_draws_from_long_hand"


@pytest.mark.parametrize("bad", ["I27", "I0", "I29", ""])
def test_number_that_is_no_infraction_is_named(bad: str) -> None:
    with pytest.raises(UnknownInfraction, match=repr(bad)):
        sanction("core", bad)


def test_rulebook_that_is_unknown_is_named() -> None:
    with pytest.raises(UnknownRulebook, match="house-rules"):
        sanction("house-rules", "I1")


def test_occurrences_are_counted_by_infraction_pair_and_game() -> None:
    now = Incident("I10", Pair.EW, 2)
    others = [Incident("I12", Pair.EW, 2), Incident("I10", Pair.NS, 2), Incident("I10", Pair.EW, 1)]

    assert occurrence(others, now) == 1
    assert occurrence([*others, now, now], now) == 3
    assert sanction("national-2017", "I10", occurrence([*others, now, now], now)).measure.penalty is F
