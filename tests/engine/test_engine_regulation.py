"""Regulations: published points and an event's own, each with text and approver; what is unclear is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.case_reader import BadCase
from engine.cases import Verdict, check_case
from engine.infractions import sanction
from engine.proposals import proposal
from engine.regulation import build_regulation
from engine.rulebook import BadRulebook, Origin, Rulebook
from engine.rulebook_data import known_rulebooks, layers_of, load_rulebook, packaged_layers
from engine.rulebook_layers import build_rulebook


def override(value: object, **given: object) -> dict[str, object]:
    return {
        "value": value,
        "text_zh": "每手三十秒",
        "text_en": "thirty seconds a play",
        "approver": "The chief referee",
    } | given


def content(extends: str = "competitive-2022", **overrides: object) -> dict[str, Any]:  # as a TOML reader gives it
    titles = {"title_en": "Spring Cup", "title_zh": "春季赛"}
    return {"id": "spring-cup", "extends": extends, **titles, "overrides": overrides}


def built(given: dict[str, Any]) -> Rulebook:  # as `content`
    return build_regulation(given, packaged_layers)


def test_overridden_points_change_and_all_others_stay() -> None:
    parent, book = load_rulebook("competitive-2022"), built(content(play_s=override(30), countdown_s=override("none")))

    assert book.id == "spring-cup"
    assert book.points() == parent.points() | {"play_s": 30.0, "countdown_s": None}


@pytest.mark.parametrize("name", known_rulebooks())
def test_regulation_without_overrides_has_the_points_of_each_rulebook_under_its_own_hash(name: str) -> None:
    book = built(content(name))

    assert book.points() == load_rulebook(name).points()
    assert book.hash != load_rulebook(name).hash
    assert book.published == name


def test_hash_covers_value_texts_approver_titles_and_what_is_extended() -> None:
    first = content(play_s=override(30))
    others = [
        content(play_s=override(31)),
        content(play_s=override(30, text_zh="三十秒")),
        content(play_s=override(30, text_en="half a minute")),
        content(play_s=override(30, approver="Li Na")),
        content("national-2017", play_s=override(30)),
        first | {"id": "summer-cup"},
        first | {"title_en": "Summer Cup"},
        first | {"title_zh": "夏季赛"},
        content(play_s=override(30), play_order=override(["S", "E", "N", "W"])),
    ]

    assert len({built(given).hash for given in (first, *others)}) == len(others) + 1
    assert built(first).hash == built(content(play_s=override(30))).hash


def test_order_of_overrides_in_the_file_does_not_matter() -> None:
    play, report = override(30), override(6)
    first, second = content(play_s=play, report_threshold=report), content(report_threshold=report, play_s=play)

    assert list(first["overrides"]) != list(second["overrides"])
    assert built(first).hash == built(second).hash


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (content() | {"penalty": 1}, "unknown key 'penalty'"),
        (content() | {"titel_en": "x"}, "did you mean 'title_en'"),
        (content() | {"points": {"play_s": 30}}, "unknown key 'points'"),
        (content(play_sec=override(30)), "unknown point 'play_sec'; did you mean 'play_s'"),
        (content(colour=override(30)), "unknown point 'colour'"),
        (content(play_s=30), "overrides.play_s is 30"),
        (content(play_s={"value": 30, "text_zh": "x", "text_en": "x"}), "overrides.play_s.approver is missing"),
        (content(play_s={"text_zh": "x", "text_en": "x", "approver": "x"}), "overrides.play_s has no value"),
        (content(play_s=override(30, text_zh=" ")), "overrides.play_s.text_zh is ' '"),
        (content(play_s=override(30, note="x")), "overrides.play_s: unknown key 'note'"),
        (content(play_s=override("thirty")), "play_s is 'thirty'"),
        (content(play_s=override(float("nan"))), "play_s is nan"),
        (content(max_cards_per_play=override(0)), "max_cards_per_play is 0"),
        (content(redraw_on=override(["1H"])), "redraw_on: '1H' is not a card"),
        (content(play_order=override(["S", "E", "N", "X"])), "play_order: 'X' is not a seat"),
        (content(return_max_partner=override("SJ")), "return_max_partner is 'SJ'"),
        (content(pass_a_partner_places=override([[2]])), "pass_a_partner_places is"),
        (content("no-such-book"), "extends: 'no-such-book' is not a rulebook; choose one of"),
        (content() | {"extends": ["core"]}, "extends is ['core']"),
        (content() | {"overrides": ["play_s"]}, "overrides is ['play_s']"),
        (content() | {"id": "core"}, "id 'core' is that of a published rulebook"),
        (content() | {"id": "spring cup"}, "id is 'spring cup'"),
        (content() | {"id": 7}, "id is 7"),
        ({key: value for key, value in content().items() if key != "title_zh"}, "title_zh is missing"),
    ],
)
def test_what_is_not_clear_is_refused_by_key_with_a_remedy(given: dict[str, Any], named: str) -> None:
    with pytest.raises(BadRulebook) as caught:
        built(given)

    assert named in str(caught.value)
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_chain_of_parents_is_read_parent_first() -> None:
    contents = {"a": {"id": "a", "extends": "b"}, "b": {"id": "b", "extends": "c"}, "c": {"id": "c"}}

    assert [layer["id"] for layer in layers_of("a", contents)] == ["c", "b", "a"]


@pytest.mark.parametrize("last", ["a", "b", "c"])
def test_circle_of_parents_is_refused(last: str) -> None:
    contents = {"a": {"extends": "b"}, "b": {"extends": "c"}, "c": {"extends": last}}

    with pytest.raises(BadRulebook, match=f"rulebook 'c': extends '{last}', which rests on it"):
        layers_of("a", contents)


def test_unknown_parent_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadRulebook, match="rulebook 'a': extends names 'z'; choose one of a b"):
        layers_of("a", {"a": {"extends": "z"}, "b": {}})


def test_published_rulebook_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(BadRulebook, match="unknown key 'sorce'; did you mean 'source'"):
        build_rulebook([*packaged_layers("core"), {"id": "x", "sorce": "y"}])


@pytest.mark.parametrize("name", known_rulebooks())
def test_regulation_punishes_as_the_rulebook_that_it_extends(name: str) -> None:
    own, parent = built(content(name)), load_rulebook(name)

    assert proposal("turn_order", own) == proposal("turn_order", parent)
    assert sanction(own.published, "I21") == sanction(name, "I21")


def test_source_of_an_override_is_the_regulations_own_text() -> None:
    book = built(content(play_s=override(30)))

    assert book.origin("play_s") == Origin("play_s", "春季赛: 每手三十秒", None)
    assert book.origin("return_s").inherited_from == "jiangsu-simple"
    assert book.origin("redraw_on").inherited_from == "competitive-2022"


@pytest.mark.parametrize(
    ("overrides", "leader", "anti"),
    [({}, "N", True), ({"anti_tribute": "none"}, "W", False), ({"leader_later_deals": "first"}, "N", True)],
)
def test_event_settles_who_leads_after_both_big_jokers(overrides: dict[str, object], leader: str, anti: bool) -> None:
    given = {"previous_finish": ["N", "E", "S", "W"], "big_jokers": {"W": 2}, "play_order": ["S", "E", "N", "W"]}
    case = {"id": "x", "topic": "leader", "rulebook": "spring-cup", "given": given}
    book = built(content(**{point: override(value) for point, value in overrides.items()}))

    assert check_case(case | {"expect": {"leader": leader, "anti_tribute": anti}}, book).verdict is Verdict.PASSED


def test_event_that_lets_first_lead_has_him_lead_after_a_tribute_too() -> None:
    given = {"previous_finish": ["N", "E", "S", "W"], "big_jokers": {}, "play_order": ["S", "E", "N", "W"]}
    case = {"id": "x", "topic": "leader", "rulebook": "spring-cup", "given": given, "expect": {"leader": "N"}}

    assert check_case(case, built(content(leader_later_deals=override("first")))).verdict is Verdict.PASSED
    assert check_case(case, built(content())).verdict is Verdict.FAILED


@pytest.mark.parametrize(("leads", "leader"), [("right_of_first", "S"), ("payer_to_first", "N")])
def test_event_settles_who_leads_after_equal_tributes_the_earlier_of_which_first_takes(leads: str, leader: str) -> None:
    given = {
        "play_order": ["S", "E", "N", "W"],
        "first": "W",
        "second": "E",
        "tributes": {"S": "AS", "N": "AD"},
        "submission_order": ["N", "S"],
        "level": "2",
    }
    case = {"id": "x", "topic": "tribute_pairing", "rulebook": "spring-cup", "given": given}
    book = built(content("huaian-online", equal_double_leader=override(leads)))

    assert check_case(case | {"expect": {"to_first": "N", "leader": leader}}, book).verdict is Verdict.PASSED


def test_event_may_decide_equal_levels_of_a_stage_for_points_by_one_extra_deal() -> None:
    given = {"deals_played": 8, "deals_limit": 8, "stage": "points", "levels": {"EW": "8", "NS": "8"}}
    case = {"id": "x", "topic": "match_end", "rulebook": "spring-cup", "given": given}
    extra = case | {"expect": {"over": False, "tie_break": "one_extra_deal"}}

    assert check_case(extra, built(content(extra_deal_on_tie=override(True)))).verdict is Verdict.PASSED
    assert check_case(case | {"expect": {"over": True, "winner": None}}, built(content())).verdict is Verdict.PASSED


def test_forfeit_before_the_start_leaves_the_first_level() -> None:
    case = {"id": "x", "topic": "match_end", "rulebook": "spring-cup", "given": {"forfeit": "EW"}}
    case |= {"expect": {"levels": {"EW": "5", "NS": "5"}}}

    assert check_case(case, built(content(first_level=override("5")))).verdict is Verdict.PASSED


def test_case_that_names_a_regulation_is_judged_under_it() -> None:
    cards = ["3S", "3H", "3D", "3C", "3S", "3H", "3D"]
    case = {"id": "x", "topic": "classify", "rulebook": "spring-cup", "given": {"cards": cards, "level": "2"}}
    case |= {"expect": {"readings": []}}
    six = built(content(max_cards_per_play=override(6)))

    assert check_case(case, six).verdict is Verdict.PASSED
    assert check_case(case, replace(six, max_cards_per_play=10)).verdict is Verdict.FAILED
    with pytest.raises(BadCase, match=r"'spring-cup' is not a rulebook; .* or judge it under its regulation's file"):
        check_case(case)
