"""Where a point stands, and from which rulebook it is inherited (G-1); what a file leaves out is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from engine import infractions
from engine.rulebook import POINTS, BadRulebook, Origin, Rulebook
from engine.rulebook_data import known_rulebooks, layers_of, load_rulebook, packaged_layers, parse_layer
from engine.rulebook_layers import build_rulebook

TITLES = {"title_en": "X", "title_zh": "某", "source": "a text"}
BOOKS = known_rulebooks()
PUBLISHED = [name for name in BOOKS if name != "core"]


def layer(name: str = "x", **points: Any) -> dict[str, Any]:  # as a TOML reader gives it
    return {"id": name, **TITLES, "points": points}


def at(value: object, source: str = "a text, 1") -> dict[str, object]:
    return {"value": value, "source": source}


def built(*layers: dict[str, Any]) -> Rulebook:  # as `layer`
    return build_rulebook([*packaged_layers("core"), *layers])


@pytest.mark.parametrize("name", BOOKS)
def test_every_point_says_where_it_stands(name: str) -> None:
    book = load_rulebook(name)

    assert [origin.point for origin in book.origins] == list(POINTS)
    for origin in book.origins:
        assert "RULEBOOKS" in origin.source
        assert origin.inherited_from != name
        assert origin.inherited_from is None or origin == replace(
            load_rulebook(origin.inherited_from).origin(origin.point), inherited_from=origin.inherited_from
        )


def test_core_gives_every_point_itself() -> None:
    assert {origin.inherited_from for origin in load_rulebook("core").origins} == {None}


@pytest.mark.parametrize("name", PUBLISHED)
def test_source_of_an_own_point_names_the_rulebooks_document_or_a_decision(name: str) -> None:
    book = load_rulebook(name)
    title = book.source.partition(";")[0]
    own = [origin for origin in book.origins if origin.inherited_from is None]

    assert own
    for origin in own:
        assert origin.source.startswith((title, "RULEBOOKS")), origin
        assert re.search(r"RULEBOOKS (section )?[\w.]+", origin.source)


@pytest.mark.parametrize(
    ("name", "point", "inherited_from"),
    [
        ("jiangsu-simple", "pass_forms", "competitive-2022"),
        ("jiangsu-simple", "sealed_deal_bonus", "core"),
        ("jiangsu-simple", "play_s", None),
        ("competitive-2022", "play_s", "jiangsu-simple"),
        ("competitive-2022", "ladder", "jiangsu-simple"),
        ("competitive-2022", "late_foul_min", "jiangsu-simple"),
        ("competitive-2022", "match_points", "national-2017"),
        ("competitive-2022", "ranking", "core"),
        ("competitive-2022", "redraw_on", None),
        ("huaian-online", "pass_a_partner_places", "national-2017"),
        ("huaian-online", "match_points", "core"),
        ("huaian-online", "report_mode", None),
        ("intro", "ladder", "core"),
        ("intro", "round_minutes", "core"),
        ("campus-2010", "report_mode", "national-2017"),
        ("anqing-2015", "ladder", "core"),
        ("anhui-league/final", "overtime", "anhui-league/qualifying"),
        ("anhui-league/final", "tribute_exempt_wild", "national-2017"),
    ],
)
def test_silence_is_filled_from_the_parent_that_g_1_names(name: str, point: str, inherited_from: str | None) -> None:
    assert load_rulebook(name).origin(point).inherited_from == inherited_from


@pytest.mark.parametrize("name", PUBLISHED)
def test_infractions_are_sought_in_the_rulebooks_that_the_files_rest_on(name: str) -> None:
    nearest_first = list(dict.fromkeys(str(given["id"]) for given in reversed(packaged_layers(name))))
    league = name.partition("/")[0]
    parents = [book for book in nearest_first[: nearest_first.index("core")] if book.partition("/")[0] != league]

    assert infractions.parents(name) == tuple(parents)


def test_borrowed_group_goes_before_the_parent_and_own_points_before_both() -> None:
    contents = {
        "core": packaged_layers("core")[0],
        "parent": layer("parent", play_s=at(1), return_s=at(1), redraw_on=at(["SJ"])) | {"extends": "core"},
        "lender": layer("lender", play_s=at(2), return_s=at(2), redraw_on=at(["BJ"])) | {"extends": "core"},
        "x": layer("x", play_s=at(3)) | {"extends": "parent", "borrows": {"time": "lender"}},
    }

    book = build_rulebook(layers_of("x", contents))

    assert (book.play_s, book.return_s, book.points()["redraw_on"]) == (3, 2, ["SJ"])
    assert book.origin("return_s") == Origin("return_s", "a text, 1", "lender")


@pytest.mark.parametrize(
    ("borrows", "named"),
    [
        ({"times": "core"}, "unknown group 'times'; did you mean 'time'"),
        ({"time": "nobody"}, "borrows.time names 'nobody'; choose one of core x"),
        ("core", "borrows is 'core'"),
    ],
)
def test_loan_that_cannot_be_is_refused(borrows: object, named: str) -> None:
    with pytest.raises(BadRulebook, match=re.escape(named)):
        layers_of("x", {"core": packaged_layers("core")[0], "x": layer() | {"borrows": borrows}})


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (layer(play_s=30), "points.play_s is 30; write { value = ..., source"),
        (layer(play_s={"value": 30}), "points.play_s has no source"),
        (layer(play_s=at(30, " ")), "points.play_s.source is ' '"),
        (layer(play_s={"source": "a text"}), "points.play_s has no value"),
        (layer(play_s=at(30) | {"vaule": 3}), "unknown key of points.play_s 'vaule'; did you mean 'value'"),
        (layer(play_second=at(30)), "unknown point 'play_second'; did you mean 'play_s"),
        (layer() | {"sorce": "x"}, "unknown key 'sorce'; did you mean 'source'"),
        (layer() | {"points": 3}, "points is 3"),
        (layer(overtime=at(["warning", "shot"])), "overtime names 'shot', not one of warning"),
        (layer(overtime=at([])), "overtime is an empty list"),
        (layer(first_level=at("A+")), "first_level is 'A+'"),
        (layer(progressive_from_round=at(3)), "progressive_from_round is 3"),
        (layer(sort_allowance_s=at(-1)), "sort_allowance_s is -1"),
        (layer(sort_allowance_s=at(False)), "sort_allowance_s is False"),
        (layer(ace_count=at(0)), "ace_count is 0"),
        (layer(round_minutes=at(0)), "round_minutes is 0"),
        (layer(return_fallback=at("largest")), "return_fallback is 'largest', not one of smallest any"),
        (layer(equal_levels=at("none")), "equal_levels is 'none', not one of draw reached_first"),
    ],
)
def test_file_that_is_not_clear_is_refused_by_id_and_key(given: dict[str, Any], named: str) -> None:
    with pytest.raises(BadRulebook) as caught:
        built(given)

    assert str(caught.value).startswith("rulebook 'x': ")
    assert named in str(caught.value)
    assert caught.value.remedy


def test_wrong_value_of_a_parent_is_laid_at_its_door() -> None:
    with pytest.raises(BadRulebook, match="rulebook 'parent': play_s is 'long'"):
        built(layer("parent", play_s=at("long")), layer())


def test_point_that_nobody_gives_is_named() -> None:
    core = packaged_layers("core")[0]
    points: Any = core["points"]  # a table, as `layer`
    left = {name: entry for name, entry in points.items() if name != "ladder"}

    with pytest.raises(BadRulebook, match="rulebook 'core': point 'ladder' is missing"):
        build_rulebook([{**core, "points": left}])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("id = 'x'\n[points", "is not TOML"),
        ("id = 'x'\nid = 'x'", "is not TOML"),
        ("id = 'y'", "id is 'y'; write 'x', as the file is named"),
        ("", "id is None"),
    ],
)
def test_file_that_is_no_rulebook_is_named(text: str, named: str) -> None:
    with pytest.raises(BadRulebook) as caught:
        parse_layer("x", text)

    assert str(caught.value).startswith("rulebook 'x': ")
    assert named in str(caught.value)


def test_hash_does_not_hang_on_the_wording_of_a_citation() -> None:
    one, other = built(layer(play_s=at(30))), built(layer(play_s=at(30, "a text, page 2")))

    assert one.hash == other.hash
    assert one.hash != built(layer(play_s=at(31))).hash
