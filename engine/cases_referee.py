"""Judges of the case topics that a referee and a scorer know (RULEBOOKS section 11): everything but play itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from engine.arrangement import judge_arrangement
from engine.cards import Level, Pair
from engine.case_reader import Answer, BadCase, CaseReader, Json
from engine.infractions import Sanction, sanction
from engine.ladder import Penalty, awarded_levels, tally
from engine.passing import PassForm, judge_pass
from engine.proposals import DrawState, draw_infraction, exchange_infraction
from engine.ranking import BadTeams, Criterion, Results, rank
from engine.reporting import Asker, question_duty, report_duty
from engine.rulebook import Rulebook
from engine.scores import (
    forfeit_level_points,
    forfeit_match_points,
    leader_on_levels,
    level_difference,
    level_points,
    match_points,
)
from engine.timing import Timed, judge_lateness, judge_time


def _score(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    written = read.table(given, "final_levels")
    levels = {pair: Level.parse(read.text(written, pair.value)) for pair in Pair}
    return {
        "level_difference": level_difference(levels),
        "level_points": _by_side(level_points(levels, rulebook)),
        "match_points": _by_side(match_points(leader_on_levels(levels), rulebook)),
    }


def _by_side(points: Mapping[Pair, int] | None) -> dict[str, int] | None:
    return None if points is None else {pair.value: points[pair] for pair in Pair}


def _ranking(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    teams = []
    for name, rounds in read.table(given, "teams").items():
        if not isinstance(rounds, Mapping):
            raise BadCase(read.name, f"key 'teams': {name!r} is not an object")
        teams.append(
            Results(
                team=name,
                points=read.whole_numbers(rounds, "points"),
                level_points=read.whole_numbers(rounds, "level_points", ()),
                upgrades=read.whole_numbers(rounds, "upgrades", ()),
                opponents_total=read.whole(rounds, "opponents_total", 0),
            )
        )
    try:
        ranking = rank(teams, rulebook.ranking, from_round=rulebook.progressive_from_round)
    except BadTeams as error:
        raise BadCase(read.name, str(error)) from error
    figures = {standing.team: standing.figures for standing in ranking.standings}
    return {
        "order": None if ranking.order is None else list(ranking.order),
        "totals": {team: own[Criterion.TOTAL] for team, own in figures.items()},
        "progressive": {team: own[Criterion.PROGRESSIVE] for team, own in figures.items()},
        "decided_by": ranking.decided_by,
    }


def _report(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    """A play (`before`, `played`), or a question (`cards_left`, `asked_by`)."""
    reported = read.flag(given, "reported", False)
    if "before" not in given:
        left, asker = read.whole(given, "cards_left"), read.choice(given, "asked_by", Asker)
        question = question_duty(left, asker, reported, rulebook)
        return {
            "must_answer": question.must_answer,
            "count": question.count,
            "question_forbidden": question.question_forbidden,
        }
    duty = report_duty(read.whole(given, "before"), read.whole(given, "played"), reported, rulebook)
    return {
        "must_report": duty.must_report,
        "count": duty.count,
        "form": duty.form,
        "card_stays_until": duty.card_stays_until,
        "volunteering_forbidden": duty.volunteering_forbidden,
        "may_answer_questions": duty.may_answer_questions,
    }


def _pass_form(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    earlier = read.choice(given, "earlier_form_in_game", PassForm) if "earlier_form_in_game" in given else None
    verdict = judge_pass(read.choice(given, "form", PassForm), earlier, rulebook.pass_forms)
    required = [form.value for form in verdict.required]
    return {"ok": verdict.ok, "required": required[0] if len(required) == 1 else required or None}


def _arrangement(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    found = judge_arrangement(read.cards(given, "left_to_right_from_player"), read.level(given), rulebook)
    return {
        "arrangement_ok": found.ok,
        "reading_by_position": found.reading.to_json() if found.reading is not None else None,
    }


def _timing(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    if read.choice(given, "action", Judged) is Judged.LATE:
        late = judge_lateness(read.number(given, "minutes"), rulebook)
        return {"penalty": late.penalty, "opponent_advances": late.opponent_advances}
    finished = read.flag(given, "countdown_finished") if "countdown_finished" in given else None
    verdict = judge_time(
        read.choice(given, "action", Timed),
        read.number(given, "seconds"),
        rulebook,
        read.whole(given, "occurrence", 1),
        finished,
    )
    return {"overtime": verdict.overtime, "response": verdict.response, "penalty": verdict.penalty}


def _penalty(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    kind = read.text(given, "kind")
    if kind == "awarded_defeat":
        return _awarded_defeat(read, given, rulebook)
    if kind == "forfeit":
        side = read.pair(given, "side")
        if side is None:
            raise BadCase(read.name, "key 'side' is null; name the side that forfeits")
        return {
            "level_points": _by_side(forfeit_level_points(side, rulebook)),
            "match_points": _by_side(forfeit_match_points(side, rulebook)),
        }
    if kind == "ladder":
        counters = tally(read.choices(given, "round_events_same_side", Penalty))
        return {
            "warnings": counters.warnings,
            "violations": counters.violations,
            "fouls": counters.fouls,
            "awarded_defeat": counters.awarded_defeat,
        }
    return _measure(sanction(rulebook.published, _infraction(read, given, kind), _occurrence(read, given)))


def _awarded_defeat(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    levels = read.table(given, "levels")
    before = [Level.parse(read.text(levels, side)) for side in ("offender", "other")]
    offender, other = awarded_levels(before[0], before[1], rulebook.award_levels)
    return {"levels": {"offender": offender.text, "other": other.text}}


class Judged(StrEnum):
    """What a case of topic `timing` judges: an act with a limit of seconds, or an arrival."""

    TRIBUTE = Timed.TRIBUTE
    RETURN = Timed.RETURN
    FIRST_LEAD = Timed.FIRST_LEAD
    PLAY = Timed.PLAY
    LATE = "late"


_OFFENCES: Final = {
    "bad_arrangement": "I10",
    "missed_report": "I12",
    "count_question_after_report": "I13",
    "hand_count_mismatch": "I5",
    "extra_or_missing_card": "I5",
    "deck_count_mismatch": "I6",
    "hidden_cards": "I18",
    "exposed_hand": "I19",
}
"""The infraction that a case means by its `kind`."""


def _infraction(read: CaseReader, given: Json, kind: str) -> str:
    if kind == "draw_out_of_turn":
        return draw_infraction(read.choice(given, "state", DrawState))
    if kind == "wrong_tribute_or_return":
        return exchange_infraction(read.flag(given, "play_started"))
    if kind not in _OFFENCES:
        raise BadCase(read.name, f"key 'kind': {kind!r} is no infraction")
    return _OFFENCES[kind]


def _occurrence(read: CaseReader, given: Json) -> int:
    keys = ("occurrence", "occurrence_in_game", "occurrence_by_pair_in_game")
    return next((read.whole(given, key) for key in keys if key in given), 1)


def _measure(found: Sanction) -> Answer:
    measure = found.measure
    return {
        "penalty": measure.penalty,
        "correction": found.correction,
        "stop_player_one_trick": measure.stops_one_trick,
        "opponents_may_require_rollback_to": "report_point" if measure.may_roll_back else None,
        "opponent_levels": measure.opponent_levels,
        "opponent_on_stage": measure.opponent_on_stage,
        "opponent_leads_next_deal": measure.opponent_leads_next_deal,
        "opponent_awarded_points": measure.opponent_points,
        "score_delta": measure.score_delta,
    }


TOPICS: Final[Mapping[str, Callable[[CaseReader, Json, Rulebook], Answer]]] = {
    "score": _score,
    "ranking": _ranking,
    "report": _report,
    "pass_form": _pass_form,
    "arrangement": _arrangement,
    "timing": _timing,
    "penalty": _penalty,
}
"""Judges by topic."""
