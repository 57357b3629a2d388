"""Rulebooks: complete, checked, their points in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_support import BOOK, cards

from engine.cards import Seat
from engine.rulebook import BadRulebook, Steps, UnknownRulebook
from engine.rulebook_data import DEFAULT, known_rulebooks, load_rulebook
from engine.rulebook_layers import build_rulebook


def layers() -> list[dict[str, object]]:
    points = {key: sourced("none" if value is None else value) for key, value in BOOK.points().items()}
    return [{"id": "x", "title_en": "X", "title_zh": "某", "source": "a text", "points": points}]


def test_default_rulebook_has_the_points_of_the_parameter_sheet() -> None:
    book = load_rulebook(DEFAULT)

    assert book.id == "competitive-2022"
    assert book.redraw_on == frozenset(cards("BJ SJ 2H"))
    assert (book.first_lead_s, book.play_s) == (40, 20)
    assert book.steps == Steps(3, 2, 1)
    assert book.play_order == (Seat.S, Seat.E, Seat.N, Seat.W)
    assert (book.max_cards_per_play, book.full_house_joker_pair, book.report_threshold) == (10, True, 10)
    assert (book.pass_a_partner_places, book.cap_at_a, book.only_declarer_passes_a) == ((2, 3), True, True)


def test_core_redraws_jokers_only_and_sets_no_times() -> None:
    book = load_rulebook("core")

    assert book.redraw_on == frozenset(cards("BJ SJ"))
    assert (book.first_lead_s, book.play_s) == (None, None)


@pytest.mark.parametrize("name", ["", "national", "../core", "core.toml", "CORE"])
def test_unknown_rulebook_is_named_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownRulebook) as caught:
        load_rulebook(name)

    assert repr(name) in str(caught.value)
    assert all(known in str(caught.value) for known in known_rulebooks())


def test_hash_follows_the_points() -> None:
    assert len(BOOK.hash) == 64
    assert BOOK.hash == load_rulebook(BOOK.id).hash
    assert replace(BOOK, play_s=30).hash != BOOK.hash
    assert replace(BOOK, redraw_on=frozenset()).hash != BOOK.hash
    assert len({load_rulebook(name).hash for name in known_rulebooks()}) == len(known_rulebooks())


def test_rulebook_shows_every_point_as_json() -> None:
    shown = BOOK.to_json()

    assert shown["hash"] == BOOK.hash
    assert shown["points"] == BOOK.points()
    assert BOOK.points()["redraw_on"] == ["2H", "SJ", "BJ"]


def sourced(value: object) -> dict[str, object]:
    return {"value": value, "source": "a text, 1"}


def test_later_layer_overrides_points() -> None:
    (base,) = layers()
    book = build_rulebook([base, {**base, "id": "y", "points": {"play_s": sourced(30)}}])

    assert (book.id, book.play_s, book.first_lead_s) == ("y", 30, 40)


@pytest.mark.parametrize(
    ("point", "value"),
    [
        ("play_seconds", 3),
        ("play_s", 0),
        ("play_s", True),
        ("play_order", ["S", "N", "E", "W"]),
        ("play_order", ["S", "E", "N", "X"]),
        ("redraw_on", ["ZZ"]),
        ("redraw_on", "BJ"),
        ("steps", {"second": 3}),
        ("steps", {"second": 3, "third": 2, "last": "1"}),
        ("cap_at_a", 1),
        ("max_cards_per_play", "ten"),
        ("max_cards_per_play", -1),
        ("pass_a_partner_places", [1]),
    ],
)
def test_bad_point_is_refused_by_rulebook(point: str, value: object) -> None:
    (base,) = layers()

    with pytest.raises(BadRulebook, match="'y'"):
        build_rulebook([base, {**base, "id": "y", "points": {point: sourced(value)}}])


def test_missing_point_is_refused_by_name() -> None:
    with pytest.raises(BadRulebook, match="play_order"):
        build_rulebook([{"id": "y", "title_en": "Y", "title_zh": "某", "source": "a text"}])
