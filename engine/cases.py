"""Checking the engine against cases written as data (RULEBOOKS section 11).

Judged here: `classify`, `compare`, `follow`, `jiefeng`, `upgrade` and `a_level`; further topics in
`engine.cases_referee`, `engine.cases_deal` and `engine.cases_duplicate`. A case of another topic is skipped; skipped is
never passed. A case of an unknown rulebook is bad: its id is mistyped, or its regulation was not given.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine import cases_deal, cases_duplicate, cases_referee
from engine.advance import advance
from engine.cards import BadCard, BadLevel, BadSeat, Pair, Rank, Seat, parse_cards
from engine.case_reader import Answer, BadCase, CaseReader, Json
from engine.combos import BadReading, readings
from engine.facts import CardsLaid, Passed
from engine.levels import after_deal
from engine.order import beats
from engine.resolve import resolve
from engine.rulebook import Rulebook, UnknownRulebook, is_play_order
from engine.rulebook_data import stages_of
from engine.state import HAND, Deal, Match, Phase, Score, Trick


class Verdict(StrEnum):
    """What became of a case."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A judged case: what it expects and what the engine says; `got` is empty for a skipped one."""

    id: str
    verdict: Verdict
    expected: Answer
    got: Answer


@dataclass(frozen=True, slots=True)
class Summary:
    """How many cases passed, failed and were skipped."""

    passed: int
    failed: int
    skipped: int


def summary(results: Iterable[CaseResult]) -> Summary:
    """Count results by verdict."""
    tally = Counter(result.verdict for result in results)
    return Summary(tally[Verdict.PASSED], tally[Verdict.FAILED], tally[Verdict.SKIPPED])


def check_case(case: Json, regulation: Rulebook | None = None) -> CaseResult:
    """Judge one parsed case; one that names `regulation` under it.

    Keys that `expect` does not list are not compared; lists of readings are sets. Raises BadCase, naming the case and
    the key, for a case whose form is wrong, and for an unknown rulebook.
    """
    name = case.get("id")
    if not isinstance(name, str) or not name:
        raise BadCase(name, "key 'id' is missing or not a text")
    reader = CaseReader(name)
    topic, rulebook = reader.text(case, "topic"), reader.text(case, "rulebook")
    given, expected = reader.table(case, "given"), dict(reader.table(case, "expect"))
    judge = _TOPICS.get(topic)
    if regulation is not None and rulebook == regulation.id:
        stages: tuple[Rulebook, ...] = (regulation,)
    else:
        try:
            stages = stages_of(rulebook)
        except UnknownRulebook as error:
            raise BadCase(name, f"key 'rulebook': {error}, or judge it under its regulation's file") from error
    if judge is None:
        return CaseResult(name, Verdict.SKIPPED, expected, {})
    got: Answer = {}
    for stage in stages:  # a rulebook of several stages: what the case says holds in each
        try:
            got = judge(reader, given, stage)
        except (BadCard, BadLevel, BadSeat, BadReading) as error:
            raise BadCase(name, str(error)) from error
        if unknown := sorted(set(expected) - set(got)):
            raise BadCase(name, f"key 'expect': topic {topic} has no answer {unknown[0]!r}")
        if not all(_same(expected[key], got[key], key in _IN_ORDER) for key in expected):
            return CaseResult(name, Verdict.FAILED, expected, got)
    return CaseResult(name, Verdict.PASSED, expected, got)


_IN_ORDER: Final = frozenset({"order", "swings", "match_points"})
"""Keys whose lists are in order; all other lists are sets."""


def _same(expected: object, got: object, in_order: bool) -> bool:
    """Equal as JSON; lists of readings are sets (RULEBOOKS section 11)."""
    if not in_order and isinstance(expected, list) and isinstance(got, list):
        return sorted(map(_canonical, expected)) == sorted(map(_canonical, got))
    return _canonical(expected) == _canonical(got)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _classify(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    """Where plays are limited to fewer cards, longer bombs do not exist (C-8)."""
    cards = read.cards(given, "cards")
    found = readings(cards, read.level(given), full_house_joker_pair=rulebook.full_house_joker_pair)
    if len(cards) > rulebook.max_cards_per_play:
        found = ()
    return {"readings": [reading.to_json() for reading in found]}


def _compare(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    level = read.level(given)
    a, b = (read.reading(read.table(given, key), level) for key in ("a", "b"))
    if beats(a, b, level):
        return {"stronger": "a"}
    return {"stronger": "b" if beats(b, a, level) else "neither"}


def _follow(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    """The order of cards in a case has no meaning, so placement does not resolve."""
    level = read.level(given)
    if "current" not in given:
        raise BadCase(read.name, "key 'current' is missing; null stands for a lead")
    current = None if given["current"] is None else read.reading(read.table(given, "current"), level)
    found = resolve(read.cards(given, "play"), level, current, rulebook, use_placement=False)
    return {
        "legal": bool(found.legal),
        "legal_readings": [reading.to_json() for reading in found.legal],
        "needs_declaration": found.needs_declaration,
        "default_reading": found.chosen.to_json() if found.chosen is not None and found.assumed else None,
        "reason": found.reason,
    }


def _jiefeng(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    """Play the end of a trick through `advance`: a last card, then the answers to it."""
    order, out = read.seats(given, "play_order"), Seat.parse(read.text(given, "out_player"))
    if not is_play_order(order):
        raise BadCase(read.name, "key 'play_order' is not an order of four seats")
    already = read.seats(given, "already_out")
    sizes = {seat: 0 if seat in already else HAND for seat in Seat} | {out: 1}
    deal = Deal(1, Rank.TWO, None, Phase.PLAYING, hand_sizes=sizes, finish=already, trick=Trick(1, out), turn=out)
    match = Match(rulebook.id, rulebook.hash, order, deal=deal)
    ladder = iter(parse_cards(f"{rank}S" for rank in "3456789TJQKA"))
    match = advance(match, CardsLaid(out, (next(ladder),)), rulebook).state
    for answer in read.texts(given, "answers"):
        seat, _, act = answer.partition(":")
        if act not in {"pass", "beat"}:
            raise BadCase(read.name, f"key 'answers': {answer!r} is neither SEAT:pass nor SEAT:beat")
        card = next(ladder, None)
        fact = Passed(Seat.parse(seat)) if act == "pass" or card is None else CardsLaid(Seat.parse(seat), (card,))
        match = advance(match, fact, rulebook).state
    after = match.deal
    trick = after.trick if after is not None else None
    leader = trick.leader if trick is not None and not trick.plays else None
    return {"next_leader": leader.value if leader is not None else None}


def _score(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    finish = read.finish(given, "finish")
    before = Score(read.levels(given))
    if "a_failures" in given:
        failures = read.table(given, "a_failures")
        before = replace(before, a_failures={pair: read.whole(failures, pair) for pair in Pair})
    after = after_deal(before, read.pair(given, "declarer"), finish, rulebook)
    answer: Answer = {
        "levels": {pair.value: level.text for pair, level in after.levels.items()},
        "a_failures": {pair.value: count for pair, count in after.a_failures.items()},
        "next_declarer": after.declarer.value if after.declarer is not None else None,
        "match_over": after.winner is not None,
        "winner": after.winner.value if after.winner is not None else None,
        "next_level_card": None,
    }
    if after.winner is None and after.declarer is not None:
        answer["next_level_card"] = after.levels[after.declarer].text
    return answer


_TOPICS: Final[Mapping[str, Callable[[CaseReader, Json, Rulebook], Answer]]] = {
    "classify": _classify,
    "compare": _compare,
    "follow": _follow,
    "jiefeng": _jiefeng,
    "upgrade": _score,
    "a_level": _score,
    "duplicate": cases_duplicate.judge_duplicate,
    **cases_deal.TOPICS,
    **cases_referee.TOPICS,
}
