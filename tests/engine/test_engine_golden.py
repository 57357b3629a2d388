"""Whole matches under every rulebook, as text: what the rules say of every act today is what they said then."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_support import E, N, S, W, cards
from hypothesis import given, settings
from hypothesis import strategies as st
from make_golden_match import make

from engine.cards import Pair
from engine.facts import (
    CardReturned,
    CountReported,
    DealAwarded,
    JokersShown,
    LeaderNamed,
    MatchAwarded,
    MatchForfeited,
    TimeCalled,
    TributeGiven,
)
from engine.notation import DealRecord, Event, Line, MatchRecord, write_match
from engine.notation_reader import BadNotation, parse_match
from engine.passing import PassForm
from engine.replay import replay_match
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.state import NOTICED

MATCHES = sorted((Path(__file__).parent / "golden" / "matches").glob("*.txt"))


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_golden_match_is_judged_as_it_was(path: Path) -> None:
    text = path.read_text("utf-8")
    match = parse_match(text)

    end, judged = replay_match(match, load_rulebook(match.rulebook))

    assert write_match(match) == text
    assert write_match(judged) == text
    assert end.is_over


def test_every_rulebook_has_a_match_that_was_played_past_a() -> None:
    matches = [parse_match(path.read_text("utf-8")) for path in MATCHES]

    past_a = {match.rulebook for match in matches if match.closing is None and match.deals_limit is None}
    assert past_a == set(known_rulebooks()) - {"core"}
    assert {match.result for match in matches} == {"EW", "NS", "draw"}


def test_golden_matches_hold_every_finding_of_play_tribute_and_reports() -> None:
    matches = [parse_match(path.read_text("utf-8")) for path in MATCHES]
    lines = [line for match in matches for deal in match.deals for line in deal.lines]

    assert {name for line in lines for name in line.findings} >= {
        *NOTICED,
        "card_not_in_hand",
        "leader_wrong",
        "not_a_combination",
        "not_higher",
        "return_wrong_card",
        "tribute_wrong_card",
        "turn_order",
    }
    kinds = {type(line.fact) for line in lines if isinstance(line, Event)}
    assert kinds == {TributeGiven, CardReturned, JokersShown, LeaderNamed, CountReported, DealAwarded}


@pytest.mark.parametrize("name", [name for name in known_rulebooks() if name != "core"])
@pytest.mark.parametrize(
    "seed", [101, pytest.param(102, marks=pytest.mark.sweep), pytest.param(103, marks=pytest.mark.sweep)]
)
def test_a_match_as_it_is_made_reads_back_and_is_judged_the_same(name: str, seed: int) -> None:
    match = make(name, seed, deals_limit=3)

    assert parse_match(write_match(match)) == match
    assert replay_match(match, load_rulebook(name))[1] == match


SEATS = st.sampled_from([S, E, N, W])
CARD = st.sampled_from(cards("3S TD 2H SJ BJ"))
FACTS = st.one_of(
    st.builds(TributeGiven, SEATS, CARD),
    st.builds(CardReturned, SEATS, SEATS, CARD),
    st.builds(JokersShown, st.lists(SEATS, min_size=1, max_size=2).map(tuple)),
    st.builds(LeaderNamed, SEATS, st.just("")),
    st.builds(CountReported, SEATS, st.integers(0, 30)),
    st.builds(DealAwarded, SEATS, st.just(""), st.none() | SEATS),
)
FOUND = st.lists(st.sampled_from(["turn_order", "not_higher"]), max_size=2).map(tuple)
LINES = st.builds(Event, FACTS, FOUND) | st.builds(
    Line, SEATS, st.just(()), st.none(), FOUND, st.none() | st.sampled_from(list(PassForm))
)
PAIRS = st.sampled_from(list(Pair))
MATCHES_OF_ANY_KIND = st.builds(
    MatchRecord,
    rulebook=st.just("core"),
    deals=st.lists(
        st.builds(
            DealRecord,
            rulebook=st.just("core"),
            level=st.sampled_from([card.rank for card in cards("2S TS AS")]),
            leader=st.none() | SEATS,
            lines=st.lists(LINES, max_size=5).map(tuple),
            finish=st.lists(SEATS, max_size=4, unique=True).map(tuple),
            owes=st.lists(SEATS, max_size=2, unique=True).map(tuple),
        ),
        max_size=3,
    ).map(tuple),
    deals_limit=st.none() | st.integers(1, 20),
    knock_out=st.booleans(),
    notices=st.lists(st.sampled_from(NOTICED), max_size=3, unique=True).map(tuple),
    closing=st.none()
    | st.builds(TimeCalled, st.just(""))
    | st.builds(MatchForfeited, PAIRS, st.just(""), st.booleans())
    | st.builds(MatchAwarded, PAIRS, st.just("")),
    result=st.sampled_from(["EW", "NS", "draw", "extra deal", "open"]),
    notes=st.lists(st.sampled_from(["", "掼蛋"]), max_size=2).map(tuple),
)


@given(MATCHES_OF_ANY_KIND)
@settings(deadline=None)
def test_printed_match_reads_back_and_prints_the_same(match: MatchRecord) -> None:
    text = write_match(match)

    assert parse_match(text) == match
    assert write_match(parse_match(text)) == text


GOOD = """guandan-match 1
rulebook core
order S E N W
limit 4
knock-out no
notices report_missing

levels EW 2 NS 2
level 2
declarer -
leader E
owes S
tribute S AS
return E S 3D
report E 9
finish -

end forfeit EW
result NS
"""


@pytest.mark.parametrize(
    ("old", "bad", "line"),
    [
        ("guandan-match 1", "guandan-match 2", 1),
        ("limit 4", "limit many", 4),
        ("knock-out no", "knock-out maybe", 5),
        ("notices report_missing", "notices report_lost", 6),
        ("report_missing\n\n", "report_missing\n", 7),
        ("owes S", "owes S S", 12),
        ("tribute S AS", "tribute S", 13),
        ("tribute S AS", "tribute S ZS", 13),
        ("return E S 3D", "return E 3D", 14),
        ("report E 9", "report E nine", 15),
        ("finish -\n\n", "finish -\n", 17),
        ("end forfeit EW", "end forfeit", 18),
        ("end forfeit EW", "end rain", 18),
        ("result NS", "result both", 19),
        ("result NS\n", "result NS\nmore\n", 20),
    ],
)
def test_bad_line_of_a_match_is_named(old: str, bad: str, line: int) -> None:
    assert old in GOOD
    parse_match(GOOD)

    with pytest.raises(BadNotation, match=rf"^line {line} "):
        parse_match(GOOD.replace(old, bad, 1))
