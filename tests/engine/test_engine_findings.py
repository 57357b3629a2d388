"""The catalogue of findings: every one of them, with its severity, and words in two languages."""

from __future__ import annotations

import re

import pytest

from engine.findings import CATALOGUE, Input, Severity
from engine.lapse import Scope, scope
from engine.proposals import INFRACTION

INFO, WARN, ALERT, CRITICAL = Severity.INFO, Severity.WARN, Severity.ALERT, Severity.CRITICAL

# Names and inputs of RULEBOOKS section 6 in its order, by severity; `device_fault` is a condition of the machine.
ALERTS = {
    INFO: """
        cut_redraw:a shuffle_cut_manner:bd tribute_due:ad anti_tribute:a undeclared_wild:bd report_card_removed:b
        finish_order:ab match_end:acd lapsed_right:
    """,
    WARN: """
        first_leader:ab leader_wrong:ab draw_out_of_turn:b tribute_pairing:ab
        tribute_late:bc return_late:bc lead_late:bc play_late:bc needs_declaration:bd split_play:b bad_arrangement:b
        outside_zone:b exposed_card:b report_missing:bd report_wrong_count:ab report_repeat:bd report_volunteered:d
        pass_form:bd borrowed_wind:ab trick_end:b level_change:ad score_mismatch:d late_arrival:bcd
    """,
    ALERT: """
        deck_count:a hand_count:ab tribute_wrong_card:ab return_wrong_card:ab turn_order:bd not_a_combination:b
        not_higher:b too_many_cards:b discard_touched:b penalty_escalation:d
    """,
    CRITICAL: """
        card_not_in_hand:ab hand_below_table:ab illegal_signal:d substitution:d disturbance:d withdrawal:d
    """,
}
SECTION_6 = {
    name: (severity, inputs)
    for severity, names in ALERTS.items()
    for name, _, inputs in (word.partition(":") for word in names.split())
}
QUIETER = {
    "trick_end": INFO,  # a pass where a lead is due harms nobody: it is noted, and the leader still has to lead
    "level_change": INFO,  # said after every deal; the mismatch that is warned of is `score_mismatch`
}
NUMBERED_EARLY = {
    "F101": "deck_count",
    "F102": "hand_count",
    "F103": "cut_redraw",
    "F201": "not_a_combination",
    "F202": "not_higher",
    "F203": "card_not_in_hand",
    "F204": "needs_declaration",
    "F205": "reading_assumed",
    "F301": "turn_order",
    "F302": "first_leader",
    "F303": "leader_wrong",
    "F304": "finish_order",
    "F305": "trick_end",
    "F401": "level_change",
}
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def test_every_alert_of_the_rules_is_catalogued_and_one_more() -> None:
    assert len(SECTION_6) == 48
    assert CATALOGUE.keys() == SECTION_6.keys() | {"reading_assumed"}
    assert all(name == kind.name for name, kind in CATALOGUE.items())


@pytest.mark.parametrize("name", SECTION_6)
def test_severity_and_inputs_are_those_of_the_rules(name: str) -> None:
    severity, inputs = SECTION_6[name]

    assert CATALOGUE[name].severity is QUIETER.get(name, severity)
    assert "".join(CATALOGUE[name].inputs) == inputs


def test_codes_are_unique_and_in_order() -> None:
    codes = [kind.code for kind in CATALOGUE.values()]

    assert codes == sorted(set(codes))
    assert all(re.fullmatch(r"F[1-5]\d\d", code) for code in codes)


def test_codes_run_without_a_gap_in_each_group() -> None:
    for group in "12345":
        numbers = [int(kind.code[2:]) for kind in CATALOGUE.values() if kind.code[1] == group]

        assert numbers == list(range(1, len(numbers) + 1)), f"F{group}xx"


@pytest.mark.parametrize("code", NUMBERED_EARLY)
def test_code_that_stands_in_journals_keeps_its_meaning(code: str) -> None:
    assert CATALOGUE[NUMBERED_EARLY[code]].code == code


@pytest.mark.parametrize("name", CATALOGUE)
def test_finding_has_words_in_both_languages(name: str) -> None:
    kind = CATALOGUE[name]

    for english, chinese in ((kind.title_en, kind.title_zh), (kind.correction, kind.correction_zh)):
        assert english[0].isupper()
        assert not CHINESE.search(english)
        assert CHINESE.search(chinese)
    assert not kind.title_en.endswith(".")
    assert kind.correction.endswith(".")
    assert kind.correction_zh.endswith("。")
    assert "RULEBOOKS" in kind.article


def test_no_two_findings_read_the_same() -> None:
    for titles in ([kind.title_en for kind in CATALOGUE.values()], [kind.title_zh for kind in CATALOGUE.values()]):
        assert len(set(titles)) == len(CATALOGUE)


@pytest.mark.parametrize("name", INFRACTION)
def test_article_names_the_infraction_that_is_proposed_on(name: str) -> None:
    article = CATALOGUE[name].article

    assert re.search(rf"\b{INFRACTION[name]}\b", article) or name in {"first_leader", "leader_wrong"}


def test_findings_that_would_tell_of_a_hidden_hand_are_for_referees() -> None:
    hidden = {name for name, kind in CATALOGUE.items() if kind.hidden}
    of_dealt_cards = {name for name, kind in CATALOGUE.items() if Input.DEALT in kind.inputs}
    # Counts, places, leaders and levels are open to everybody at the table.
    open_to_all = {
        "hand_count",
        "first_leader",
        "leader_wrong",
        "borrowed_wind",
        "tribute_due",
        "tribute_pairing",
        "report_wrong_count",
        "finish_order",
        "level_change",
        "match_end",
    }

    assert hidden == of_dealt_cards - open_to_all
    assert hidden & open_to_all == set()


def test_what_only_a_person_notices_has_no_other_input() -> None:
    by_person = {name for name, kind in CATALOGUE.items() if kind.by_person}

    assert by_person == {"report_volunteered", "illegal_signal", "substitution", "disturbance", "withdrawal"}
    assert all(CATALOGUE[name].inputs == (Input.PERSON,) for name in by_person)


def test_every_finding_of_conduct_but_missing_cards_and_lost_rights_outlasts_a_deal() -> None:
    lasting = {kind.name for kind in CATALOGUE.values() if kind.code[1] == "5" and scope(kind.name) is Scope.OPEN}

    assert lasting == {kind.name for kind in CATALOGUE.values() if kind.code[1] == "5"} - {
        "hand_below_table",
        "lapsed_right",
    }
