"""What is suggested on a finding, in words, rulebook by rulebook. The expectations were read off RULEBOOKS 5 and 6."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.findings import CATALOGUE
from engine.infraction_table import CORRECTIONS, TITLES
from engine.infractions import SUGGESTED
from engine.ladder import Penalty
from engine.penalty_text import MEASURES, PENALTIES
from engine.proposals import Circumstances, DrawState
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.suggestions import UnknownFinding, suggested

CHINESE = re.compile(r"[\u4e00-\u9fff]")
PLAYED = Circumstances(play_started=True)
PROVED = "For the chief referee; if it is proved: "
NATIONAL, COMPETITIVE, JIANGSU = "national-2017", "competitive-2022", "jiangsu-simple"
ONLINE, ANQING, CAMPUS = "huaian-online", "anqing-2015", "campus-2010"
ANHUI = "anhui-league/qualifying"
DOWN = "Levels down, by a number that the referee enters (suggested: 1)"
THREE_UP = "the other side gains 3 levels; the other side leads the next deal"
STOPPED = "Violation; may not play for one trick"
ROLLED = "Warning; opponents may have play taken back to the report"
ONE_UP = "the other side gains 1 level; the other side declares next"


@pytest.mark.parametrize(
    ("name", "rulebook", "occurrence", "penalty"),
    [
        ("deck_count", COMPETITIVE, 1, "Warning"),
        ("deck_count", JIANGSU, 1, "Warning"),
        ("deck_count", NATIONAL, 1, "None"),
        ("deck_count", ANQING, 1, THREE_UP.capitalize()),
        ("hand_count", COMPETITIVE, 1, "Foul; none if the machine misdealt"),
        ("hand_count", NATIONAL, 1, "None"),
        ("hand_count", ONLINE, 2, "None"),
        ("hand_count", ONLINE, 3, "Both sides lose 1 point; none if the machine misdealt"),
        ("hand_count", ANQING, 1, THREE_UP.capitalize() + "; none if the machine misdealt"),
        ("cut_redraw", COMPETITIVE, 1, "None"),
        ("first_leader", COMPETITIVE, 1, "Warning"),
        ("leader_wrong", NATIONAL, 1, "Warning"),
        ("borrowed_wind", COMPETITIVE, 1, "None"),
        ("shuffle_cut_manner", JIANGSU, 1, "Warning"),
        ("tribute_due", COMPETITIVE, 1, "None"),
        ("play_late", JIANGSU, 3, "Warning"),
        ("play_late", ANQING, 1, "Warning"),
        ("play_late", ANQING, 2, DOWN),
        ("play_late", ANHUI, 2, "Warning"),
        ("play_late", ANHUI, 3, "Disqualification"),
        ("turn_order", COMPETITIVE, 1, "Warning"),
        ("turn_order", ANQING, 1, "Warning"),
        ("turn_order", ANQING, 2, DOWN),
        ("not_higher", CAMPUS, 1, "Warning"),
        ("too_many_cards", ANHUI, 1, "Warning"),
        ("undeclared_wild", NATIONAL, 1, "Warning; only after a first reminder"),
        ("needs_declaration", NATIONAL, 1, "None; ask the player"),
        ("card_not_in_hand", COMPETITIVE, 1, PROVED + "disqualification"),
        ("card_not_in_hand", ONLINE, 1, PROVED + ONE_UP),
        ("card_not_in_hand", ANQING, 1, PROVED + THREE_UP),
        ("hand_below_table", ONLINE, 3, PROVED + "the other side wins 28 to 0"),
        ("split_play", NATIONAL, 3, "Foul"),
        ("bad_arrangement", NATIONAL, 1, "Warning"),
        ("bad_arrangement", NATIONAL, 2, STOPPED),
        ("bad_arrangement", COMPETITIVE, 1, "Warning"),
        ("outside_zone", NATIONAL, 2, STOPPED),
        ("discard_touched", ANQING, 2, DOWN),
        ("discard_touched", COMPETITIVE, 2, "Warning"),
        ("report_missing", NATIONAL, 1, ROLLED),
        ("report_missing", NATIONAL, 2, STOPPED),
        ("report_missing", CAMPUS, 1, ROLLED),
        ("report_missing", ANQING, 2, "Warning"),
        ("report_wrong_count", NATIONAL, 2, "Warning"),
        ("report_repeat", NATIONAL, 2, STOPPED),
        ("report_repeat", JIANGSU, 2, "Warning"),
        ("report_volunteered", ANQING, 1, "Warning"),
        ("pass_form", NATIONAL, 1, "Warning"),
        ("illegal_signal", JIANGSU, 1, "Foul"),
        ("illegal_signal", ONLINE, 3, "None"),
        ("illegal_signal", ONLINE, 4, "The offender loses 1 point"),
        ("illegal_signal", ANHUI, 1, "Disqualification"),
        ("illegal_signal", ANQING, 1, "Warning"),
        ("substitution", JIANGSU, 1, "Disqualification"),
        ("substitution", ANQING, 1, "Game lost"),
        ("substitution", ANHUI, 1, "Forfeit"),
        ("penalty_escalation", COMPETITIVE, 1, "The penalty that the counters have reached"),
        ("disturbance", COMPETITIVE, 1, "Disqualification"),
        ("withdrawal", ONLINE, 1, "The other side wins 28 to 0"),
    ],
)
def test_penalty_of_the_table(name: str, rulebook: str, occurrence: int, penalty: str) -> None:
    assert suggested(name, load_rulebook(rulebook), occurrence).penalty_en == penalty


@pytest.mark.parametrize(
    ("name", "rulebook", "occurrence", "penalty"),
    [
        ("turn_order", COMPETITIVE, 1, "警告"),
        ("hand_count", JIANGSU, 1, "犯规；若系机器发错则不罚"),
        ("bad_arrangement", NATIONAL, 2, "违例；停止一圈出牌权"),
        ("report_missing", NATIONAL, 1, "警告；对方可要求退回报牌点重打"),
        ("card_not_in_hand", JIANGSU, 1, "报裁判长；查实后：取消资格"),
        ("card_not_in_hand", ANQING, 1, "报裁判长；查实后：对方升3级；下副牌由对方领出"),
        ("play_late", ANQING, 2, "降级，级数由裁判录入（建议1级）"),
        ("needs_declaration", NATIONAL, 1, "不罚；询问牌手"),
        ("finish_order", ONLINE, 1, "不罚"),
    ],
)
def test_penalty_in_chinese(name: str, rulebook: str, occurrence: int, penalty: str) -> None:
    assert suggested(name, load_rulebook(rulebook), occurrence).penalty_zh == penalty


@pytest.mark.parametrize("name", ["tribute_wrong_card", "return_wrong_card", "tribute_pairing"])
@pytest.mark.parametrize(
    ("rulebook", "about", "penalty"),
    [
        (COMPETITIVE, Circumstances(), "Warning"),
        (COMPETITIVE, PLAYED, "Foul"),
        (JIANGSU, PLAYED, "Foul"),
        (NATIONAL, Circumstances(), "Warning; the referee decides"),
        (NATIONAL, PLAYED, "Warning; the referee decides"),
    ],
)
def test_wrong_exchange_before_and_after_play_began(
    name: str, rulebook: str, about: Circumstances, penalty: str
) -> None:
    assert suggested(name, load_rulebook(rulebook), about=about).penalty_en == penalty


@pytest.mark.parametrize(
    ("about", "penalty"),
    [
        (Circumstances(draw_state=DrawState.CARD_SEEN), "None"),
        (Circumstances(draw_state=DrawState.IN_HAND), "The offender loses 1 point"),
    ],
)
def test_third_card_drawn_out_of_turn_costs_online_players_a_point_once_it_is_in_the_hand(
    about: Circumstances, penalty: str
) -> None:
    assert suggested("draw_out_of_turn", load_rulebook(ONLINE), 3, about).penalty_en == penalty


@pytest.mark.parametrize(
    ("name", "about", "penalty", "in_chinese"),
    [
        ("turn_order", Circumstances(), "Warning; may not play for the rest of the trick", "警告；本圈不得再出牌"),
        ("tribute_wrong_card", PLAYED, "The offender's hand is void", "违规者手牌作废"),
        ("tribute_wrong_card", Circumstances(), "Warning", "警告"),
        ("return_wrong_card", PLAYED, "Foul", "犯规"),
        ("not_higher", Circumstances(), "Warning", "警告"),
    ],
)
def test_unofficial_penalties_are_suggested_where_they_are_on(
    name: str, about: Circumstances, penalty: str, in_chinese: str
) -> None:
    found = suggested(name, replace(load_rulebook(COMPETITIVE), penalties_o2=True), about=about)

    assert (found.penalty_en, found.penalty_zh) == (penalty, in_chinese)


@pytest.mark.parametrize("name", ["hand_count", "deck_count"])
def test_nothing_is_suggested_and_nothing_hedged_where_the_machine_misdealt(name: str) -> None:
    found = suggested(name, load_rulebook(COMPETITIVE), about=Circumstances(machine_at_fault=True))

    assert (found.penalty, found.penalty_en, found.penalty_zh) == (None, "None", "不罚")


@pytest.mark.parametrize(
    ("name", "rulebook", "owner"),
    [
        ("hand_count", COMPETITIVE, JIANGSU),
        ("bad_arrangement", COMPETITIVE, NATIONAL),
        ("hand_count", JIANGSU, None),
        ("illegal_signal", NATIONAL, JIANGSU),
        ("report_missing", CAMPUS, NATIONAL),
        ("not_higher", NATIONAL, "core"),
        ("finish_order", COMPETITIVE, None),
    ],
)
def test_inherited_penalty_says_whose_it_is(name: str, rulebook: str, owner: str | None) -> None:
    assert suggested(name, load_rulebook(rulebook)).inherited_from == owner


@pytest.mark.parametrize(("name", "printed"), [("hand_count", True), ("turn_order", False), ("trick_end", False)])
def test_only_a_figure_of_a_text_is_said_to_be_printed(name: str, printed: bool) -> None:
    assert suggested(name, load_rulebook(JIANGSU)).printed is printed


@pytest.mark.parametrize(
    ("name", "rulebook", "correction"),
    [
        ("hand_count", NATIONAL, "Change the cards, shuffle and deal again."),
        ("hand_count", ONLINE, "Before first's first play the short hand draws at random from the long one."),
        ("hand_count", JIANGSU, "Stop, count all hands, deal again if a count is wrong."),
        ("report_missing", NATIONAL, "Report; replay from there if the opponents ask for it."),
        ("report_missing", ANQING, "Answer the opponent's question."),
        ("report_missing", ANHUI, "Answer the opponent's question."),
    ],
)
def test_correction_is_the_rulebooks_own_where_it_prints_one(name: str, rulebook: str, correction: str) -> None:
    assert suggested(name, load_rulebook(rulebook)).correction_en == correction


@pytest.mark.parametrize("rulebook", known_rulebooks())
def test_every_finding_has_a_suggestion_in_both_languages_with_its_source(rulebook: str) -> None:
    book = load_rulebook(rulebook)
    for name in CATALOGUE:
        for about in (Circumstances(), PLAYED):
            for occurrence in (1, 2, 3, 4):
                found = suggested(name, book, occurrence, about)

                for english, chinese in (
                    (found.penalty_en, found.penalty_zh),
                    (found.correction_en, found.correction_zh),
                ):
                    assert english[0].isupper(), name
                    assert not CHINESE.search(english), name
                    assert CHINESE.search(chinese), name
                    assert "{" not in english + chinese, name
                assert "RULEBOOKS" in found.source, name
                assert found.infraction is not None or found.penalty is None, name
                assert found.source != SUGGESTED or not found.printed, name


@pytest.mark.parametrize("value", ["", "turn order", "TURN_ORDER", "device_fault"])
def test_unknown_finding_is_named_with_the_known_ones(value: str) -> None:
    with pytest.raises(UnknownFinding) as caught:
        suggested(value, load_rulebook(COMPETITIVE))

    assert repr(value) in str(caught.value)
    assert "turn_order" in str(caught.value)


def test_every_penalty_and_measure_says_what_it_does_in_one_sentence() -> None:
    assert list(PENALTIES) == list(Penalty)
    for text in (*PENALTIES.values(), *MEASURES):
        assert text.effect_en.endswith("."), text
        assert text.effect_en.count(".") == 1, text
        assert text.effect_zh.endswith("。"), text
        assert text.effect_zh.count("。") == 1, text
        assert not CHINESE.search(text.title_en + text.effect_en), text
        assert CHINESE.search(text.title_zh), text


def test_corrections_have_words_in_both_languages_and_every_infraction_one() -> None:
    assert {offence.correction for offence in TITLES.values()} <= CORRECTIONS.keys()
    for english, chinese in CORRECTIONS.values():
        assert english.endswith(".")
        assert not CHINESE.search(english)
        assert CHINESE.search(chinese)
        assert chinese.endswith("。")
