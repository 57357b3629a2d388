"""Every published rulebook against the parameter sheet of RULEBOOKS section 12.

The sheet prints one block a rulebook over common defaults. What it leaves unsaid is not regulated, unless a decision
or G-1 says otherwise: those points stand in DEVIATIONS, each with the decision.
"""

from __future__ import annotations

import pytest

from engine.rulebook import POINTS
from engine.rulebook_data import known_rulebooks, load_rulebook

THREE_TWO_ONE = {"second": 3, "third": 2, "last": 1}
UNPRINTED = {
    "ace_count": (1, "D-3"),
    "later_shuffler": ("last", "3.1, D-5"),
    "extra_cut": (False, "3.1"),
    "full_house_joker_pair": (True, "C-9"),
    "equal_double_leader": ("right_of_first", "T-4, T-8"),
    "leader_later_deals": ("by_tribute", "3.3"),
    "intro_streak_rule": (False, "U-3"),
    "equal_levels": ("draw", "3.5"),
    "extra_deal_on_tie": (False, "M-4"),
    "sealed_deal_bonus": (0, "M-1"),
    "finish_current_deal": (False, "M-1"),
    "ranking": (["total", "progressive", "wins", "level_points", "upgrades"], "3.6"),
    "progressive_from_round": (1, "S-1"),
    "sort_allowance_s": (0, "X-9"),
    "penalties_o2": (False, "section 10, O2"),
    "machine_may_call": (False, "X-7"),
    "award_levels": (4, "4.3"),
}
"""Defaults that the sheet leaves to decisions: value and where it is settled."""
DEFAULTS: dict[str, object] = dict.fromkeys(POINTS)
DEFAULTS |= {
    "play_order": ["S", "E", "N", "W"],
    "first_level": "2",
    "redraw_on": ["SJ", "BJ"],
    "first_drawer": "count_from_cutter",
    "tribute": True,
    "tribute_exempt_wild": True,
    "return_fallback": "smallest",
    "equal_double_tribute": "clockwise",
    "anti_tribute": "both_big_jokers_on_paying_side",
    "steps": THREE_TWO_ONE,
    "cap_at_a": True,
    "pass_a_partner_places": [2, 3],
    "only_declarer_passes_a": True,
    "max_cards_per_play": 10,
    "report_threshold": 10,
    "report_mode": "self_once",
    "report_card": False,
    "pass_forms": "any",
    "ladder": "none",
}
DEFAULTS |= {point: value for point, (value, _) in UNPRINTED.items()}

RETURN_TEN = {"return_max_opponent": "T", "return_max_partner": "T"}
NO_REPORT = {"report_threshold": None, "report_mode": None}
TIMES = {"tribute_s": 20, "return_s": 40, "first_lead_s": 40, "play_s": 20}
THIRTY = {"first_lead_s": 30, "play_s": 30}
REPORT_CARD = {"report_card": True, "report_repeat_questions": "forbidden"}
SCORED = {"match_points": [2, 1, 0], "level_points": "13_plus_d"}
HEART_TWO = {"redraw_on": ["2H", "SJ", "BJ"]}
ON_REQUEST = {"report_mode": "opponents_question_only"}
ANHUI: dict[str, object] = {
    **RETURN_TEN,
    **ON_REQUEST,
    **THIRTY,
    "a_failures_limit": 3,
    "max_cards_per_play": 6,
    "report_threshold": 7,
    "report_volunteering": "allowed",
    "pass_forms": "say_or_double_knock",
    "overtime": ["warning", "warning", "disqualification"],
    "equal_levels": "reached_first",
    "late_forfeit_from_min": 0,
}
SHEET: dict[str, dict[str, object]] = {
    "core": {},
    "national-2017": {
        **REPORT_CARD,
        **SCORED,
        "return_max_partner": "T",
        "pass_forms": "one_of_say_or_knock_per_game",
        "round_minutes": 60,
        "ladder": "meaning_only",
    },
    "competitive-2022": {
        **HEART_TWO,
        **RETURN_TEN,
        **TIMES,
        "pass_forms": "pass_card",
        "report_mode": "card_until_end_of_deal",
        "full_house_layout": "triple_left",
        "ladder": "full",
    },
    "huaian-online": {
        **NO_REPORT,
        "first_drawer": "random",
        "equal_double_tribute": "first_tendered",
        "equal_double_leader": "right_of_first",
        "level_points": "14_plus_d",
        "late_forfeit_over_min": 15,
    },
    "jiangsu-simple": {
        **HEART_TWO,
        **RETURN_TEN,
        **TIMES,
        **REPORT_CARD,
        **SCORED,
        "pass_forms": "pass_card",
        "late_warning_min": 5,
        "late_foul_min": 10,
        "late_forfeit_over_min": 10,
        "forfeit_level_points": [17, 0],
        "award_levels": 4,
        "ladder": "full",
    },
    "intro": {**NO_REPORT, "first_drawer": "random", "intro_streak_rule": False},
    "anqing-2015": {
        **ON_REQUEST,
        **THIRTY,
        "first_drawer": "random",
        "tribute": False,
        "leader_later_deals": "first",
        "cap_at_a": False,
        "only_declarer_passes_a": False,
        "report_threshold": 6,
        "report_volunteering": "forbidden",
        "round_minutes": 50,
        "match_points": [2, None, 1],
        "sealed_deal_bonus": 1,
        "equal_levels": "reached_first",
        "late_forfeit_from_min": 10,
    },
    "anhui-league/qualifying": {**ANHUI, "steps": {"second": 6, "third": 4, "last": 2}, "round_minutes": 45},
    "anhui-league/final": {**ANHUI, "round_minutes": 120},
    "campus-2010": {
        "first_drawer": "random",
        "pass_a_partner_places": [2],
        "report_threshold": 6,
        "late_forfeit_from_min": 10,
    },
}

FROM_NATIONAL = "G-1: competitive-2022 is silent, so as in national-2017"
FROM_JIANGSU = "G-1: competitive-2022 takes penalties, time limits and organisation from jiangsu-simple"
DEVIATIONS: dict[str, dict[str, tuple[object, str]]] = {
    "competitive-2022": {
        "later_shuffler": ("left_of_first", "3.1"),
        "equal_double_leader": ("payer_to_first", "3.3, T-4: the same seat"),
        "report_card": (True, "3.4: the report card is the form of the report"),
        "report_repeat_questions": ("forbidden", FROM_NATIONAL),
        "match_points": ([2, 1, 0], FROM_NATIONAL),
        "level_points": ("13_plus_d", FROM_NATIONAL),
        "countdown_s": (10, "X-2, " + FROM_JIANGSU),
        "late_warning_min": (5, FROM_JIANGSU),
        "late_foul_min": (10, FROM_JIANGSU),
        "late_forfeit_over_min": (10, FROM_JIANGSU),
        "forfeit_level_points": ([17, 0], FROM_JIANGSU),
    },
    "jiangsu-simple": {
        "later_shuffler": ("left_of_first", "3.1"),
        "equal_double_leader": ("payer_to_first", "3.3, T-4: the same seat"),
        "full_house_layout": ("triple_left", "P-7: competitive-2022 and heirs"),
        "countdown_s": (10, "X-2"),
    },
    "huaian-online": {
        "forfeit_level_points": ([20, 0], "3.6"),
        "withdrawal_level_points": ([28, 0], "3.6"),
    },
    "anqing-2015": {
        "extra_cut": (True, "3.1"),
        "ranking": (["total", "opponents_total"], "3.6, section 8"),
    },
    "anhui-league/qualifying": {"later_shuffler": ("first", "3.1")},
    "anhui-league/final": {"later_shuffler": ("first", "3.1")},
    "campus-2010": {
        "report_card": (True, "R-1: only the number was changed"),
        "report_repeat_questions": ("forbidden", "R-1: only the number was changed"),
    },
}
"""Points that differ from the sheet or that it leaves unsaid: value, and the section or decision that says so."""


@pytest.mark.parametrize("name", known_rulebooks())
def test_points_are_those_of_the_sheet_but_for_what_a_decision_says(name: str) -> None:
    expected = DEFAULTS | SHEET[name] | {point: value for point, (value, _) in DEVIATIONS.get(name, {}).items()}

    assert load_rulebook(name).points() == expected


def test_no_deviation_repeats_the_sheet() -> None:
    idle = [
        (name, point)
        for name, points in DEVIATIONS.items()
        for point, (value, _) in points.items()
        if (DEFAULTS | SHEET[name])[point] == value
    ]

    assert idle == []
