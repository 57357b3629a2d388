"""What is proposed to a referee on a finding."""

from __future__ import annotations

import pytest

from engine.findings import CATALOGUE
from engine.infraction_table import LINES, TITLES, Measure
from engine.ladder import Counters, Penalty, StopExtent, tally
from engine.penalty_text import words
from engine.proposals import INFRACTION, Circumstances, DrawState, proposal
from engine.rulebook_data import known_rulebooks, load_rulebook

W, V, F = Penalty.WARNING, Penalty.VIOLATION, Penalty.FOUL
COMPETITIVE, NATIONAL = load_rulebook("competitive-2022"), load_rulebook("national-2017")
NO_INFRACTION = {
    "cut_redraw",
    "needs_declaration",
    "reading_assumed",
    "finish_order",
    "trick_end",
    "level_change",
    "tribute_due",
    "anti_tribute",
    "match_end",
    "borrowed_wind",
    "score_mismatch",
    "penalty_escalation",
    "lapsed_right",
}


@pytest.mark.parametrize("name", known_rulebooks())
def test_every_finding_on_an_infraction_is_proposed_with_its_source(name: str) -> None:
    for finding in [*INFRACTION, "draw_out_of_turn", "tribute_wrong_card", "return_wrong_card"]:
        found = proposal(finding, load_rulebook(name)).sanction

        assert found is not None, finding
        assert found.source, finding
        assert found.printed or found.measure.penalty is not None, finding


def test_findings_of_the_catalogue_report_an_infraction_or_are_known_to_report_none() -> None:
    for finding in CATALOGUE:
        assert (proposal(finding, COMPETITIVE).sanction is None) is (finding in NO_INFRACTION), finding


def test_findings_name_infractions_of_the_table() -> None:
    assert set(INFRACTION.values()) <= set(TITLES)


def test_finding_without_an_infraction_proposes_nothing() -> None:
    assert proposal("finish_order", COMPETITIVE).penalty is None
    assert proposal("finish_order", COMPETITIVE).heaviest is None


def test_warning_that_completes_a_ladder_is_proposed_as_what_it_becomes() -> None:
    before = tally([F, V, W])

    found = proposal("turn_order", COMPETITIVE, counters=before)

    assert (found.penalty, found.heaviest) == (W, Penalty.AWARDED_DEFEAT)
    assert found.counters is not None
    assert found.counters.awarded_defeat


def test_sequence_with_measures_of_its_own_does_not_climb_the_ladder_as_well() -> None:
    found = proposal("bad_arrangement", COMPETITIVE, occurrence=2, counters=Counters(1, 1, 1))

    assert (found.penalty, found.heaviest, found.counters) == (V, V, None)
    assert found.sanction is not None
    assert found.sanction.measure.stops_one_trick


def test_rulebook_without_a_full_ladder_keeps_no_counters() -> None:
    assert proposal("turn_order", NATIONAL, counters=Counters(1, 1, 1)).reached == ()


@pytest.mark.parametrize("finding", ["report_wrong_count", "report_card_removed", "exposed_card"])
@pytest.mark.parametrize("name", ["national-2017", "anqing-2015"])
def test_finding_milder_than_its_infraction_is_warned_however_often(finding: str, name: str) -> None:
    found = proposal(finding, load_rulebook(name), occurrence=2)

    assert found.penalty is W
    assert found.sanction is not None
    assert not found.sanction.printed


@pytest.mark.parametrize(("play_started", "penalty"), [(False, W), (True, F)])
def test_wrong_tribute_turns_grave_once_play_has_begun(play_started: bool, penalty: Penalty) -> None:
    assert (
        proposal("tribute_wrong_card", COMPETITIVE, about=Circumstances(play_started=play_started)).penalty is penalty
    )


@pytest.mark.parametrize(
    ("state", "penalty"), [(DrawState.RETURNED_UNSEEN, None), (DrawState.CARD_SEEN, W), (DrawState.IN_HAND, V)]
)
def test_card_drawn_out_of_turn_is_dearer_the_further_it_went(state: DrawState, penalty: Penalty | None) -> None:
    assert proposal("draw_out_of_turn", COMPETITIVE, about=Circumstances(draw_state=state)).penalty is penalty


@pytest.mark.parametrize(
    ("name", "hand_shown", "penalty"),
    [
        ("anqing-2015", False, W),
        ("anqing-2015", True, Penalty.GAME_LOST),
        ("jiangsu-simple", True, W),
    ],
)
def test_hand_that_was_shown_is_dearer_than_a_card(name: str, hand_shown: bool, penalty: Penalty) -> None:
    about = Circumstances(hand_shown=hand_shown)

    assert proposal("exposed_card", load_rulebook(name), about=about).penalty is penalty


@pytest.mark.parametrize(
    ("measure", "english", "chinese"),
    [
        (Measure(), "none", "不罚"),
        (Measure(V, stops_one_trick=True), "violation; may not play for one trick", "违例；停止一圈出牌权"),
        (
            Measure(opponent_levels=1, opponent_on_stage=True),
            "the other side gains 1 level; the other side declares next",
            "对方升1级；对方上台",
        ),
        (Measure(score_delta=-2), "the offender loses 2 points", "违规者扣2分"),
        (Measure(score_delta=-1, both_lose=True), "both sides lose 1 point", "双方各扣1分"),
    ],
)
def test_measure_in_words(measure: Measure, english: str, chinese: str) -> None:
    assert words(measure) == (english, chinese)


def test_measures_that_differ_read_differently() -> None:
    measures = {measure for line in LINES.values() for measure in line.measures}

    assert len({words(measure)[0] for measure in measures}) == len(measures)
    assert len({words(measure)[1] for measure in measures}) == len(measures)


@pytest.mark.parametrize(
    ("name", "minutes", "penalty"),
    [
        ("competitive-2022", 4, W),
        ("competitive-2022", 8, F),
        ("jiangsu-simple", 11, Penalty.FORFEIT),
        ("anqing-2015", 9, None),
        ("anhui-league/final", 1, Penalty.DISQUALIFICATION),
        ("national-2017", 30, W),
    ],
)
def test_late_arrival_is_proposed_by_its_minutes(name: str, minutes: float, penalty: Penalty | None) -> None:
    about = Circumstances(minutes_late=minutes)

    assert proposal("late_arrival", load_rulebook(name), about=about).penalty is penalty


@pytest.mark.parametrize("name", known_rulebooks())
@pytest.mark.parametrize("finding", ["hand_count", "deck_count"])
def test_wrong_deal_of_the_machine_is_nobodys_offence(finding: str, name: str) -> None:
    found = proposal(finding, load_rulebook(name), about=Circumstances(machine_at_fault=True))

    assert found.sanction is not None
    assert found.sanction.measure == Measure()


def test_wrong_hand_of_a_player_is_a_foul() -> None:
    assert proposal("hand_count", COMPETITIVE).penalty is F


@pytest.mark.parametrize(
    ("name", "finding", "occurrence", "before", "stops"),
    [
        ("national-2017", "bad_arrangement", 1, [], None),
        ("national-2017", "bad_arrangement", 2, [], StopExtent.TRICK),
        ("national-2017", "bad_arrangement", 3, [], None),
        ("competitive-2022", "turn_order", 1, [], None),
        ("competitive-2022", "turn_order", 1, [W], StopExtent.TURN),
        ("competitive-2022", "turn_order", 1, [W, W, W], None),
        ("anqing-2015", "turn_order", 2, [], None),
    ],
)
def test_violation_stops_the_player_and_a_foul_ends_the_deal_instead(
    name: str, finding: str, occurrence: int, before: list[Penalty], stops: StopExtent | None
) -> None:
    assert proposal(finding, load_rulebook(name), occurrence, tally(before)).stops is stops
