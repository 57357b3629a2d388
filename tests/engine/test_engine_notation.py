"""Deals as text: what is printed reads back, bad lines are named, golden deals are judged as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_support import TWO, E, N, S, cards, said
from hypothesis import given
from hypothesis import strategies as st
from make_golden import make

from engine.cards import CARDS, PACKS, PLAY_ORDER, Card, Level, Pair, Rank, Seat, card_texts
from engine.combos import BadReading
from engine.findings import CATALOGUE
from engine.notation import DealRecord, Event, Line, write_deal
from engine.notation_reader import BadNotation, parse_deal, parse_match, parse_reading
from engine.replay import replay
from engine.rulebook_data import load_rulebook

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.txt"))

SEATS = st.sampled_from(list(Seat))
LAID = st.lists(st.sampled_from(CARDS), max_size=10).map(tuple)
HANDS = st.lists(st.tuples(SEATS, st.sampled_from(range(108))), max_size=40, unique_by=lambda dealt: dealt[1]).map(
    lambda dealt: {seat: tuple(PACKS[place] for to, place in dealt if to is seat) for seat in {to for to, _ in dealt}}
)
READINGS = st.sampled_from(
    sorted(
        said("single BJ", "pair T", "full_house K over SJ", "tube 3", "straight_flush A H", "bomb 5 x10", "joker_bomb"),
        key=str,
    )
)
LINES = st.builds(
    Line, SEATS, LAID, st.none() | READINGS, st.lists(st.sampled_from(sorted(CATALOGUE)), max_size=2).map(tuple)
)
DEALS = st.builds(
    DealRecord,
    rulebook=st.sampled_from(["core", "competitive-2022"]),
    level=st.sampled_from([rank for rank in Rank if not rank.is_joker]),
    leader=st.none() | SEATS,
    lines=st.lists(LINES, max_size=8).map(tuple),
    finish=st.lists(SEATS, max_size=4, unique=True).map(tuple),
    hands=HANDS,
    play_order=st.sampled_from([PLAY_ORDER, PLAY_ORDER[::-1]]),
    levels=st.fixed_dictionaries({pair: st.sampled_from(list(Level)) for pair in Pair}),
    declarer=st.none() | st.sampled_from(list(Pair)),
    notes=st.lists(st.sampled_from(["", "made by hand", "掼蛋: # two"]), max_size=3).map(tuple),
)


@given(DEALS)
def test_printed_deal_reads_back_and_prints_the_same(deal: DealRecord) -> None:
    text = write_deal(deal)

    assert parse_deal(text) == deal
    assert write_deal(parse_deal(text)) == text


def test_deal_prints_one_line_a_play() -> None:
    deal = DealRecord(
        rulebook="core",
        level=TWO,
        leader=E,
        lines=(Line(E, cards("3S 3D")), Line(N), Line(S, cards("2S 2D"), None, ("turn_order",))),
        finish=(E, N),
        hands={E: cards("3S 3D")},
        notes=("A note.",),
    )

    assert write_deal(deal) == (
        "# A note.\nguandan-deal 1\nrulebook core\norder S E N W\nlevels EW 2 NS 2\nlevel 2\ndeclarer -\nleader E\n"
        "hand E 3S 3D\nE 3S 3D\nN pass\nS 2S 2D ! turn_order\nfinish E N\n"
    )


GOOD = write_deal(DealRecord("core", TWO, E, (Line(E, cards("3S 3D")), Line(N)), hands={E: cards("3S 3D")}))


@pytest.mark.parametrize(
    ("old", "bad", "line"),
    [
        ("guandan-deal 1", "guandan-deal 9", 1),
        ("rulebook core", "rulebook", 2),
        ("order S E N W", "order S N E W", 3),
        ("order S E N W", "order S E N X", 3),
        ("levels EW 2 NS 2", "levels NS 2 EW 2", 4),
        ("levels EW 2 NS 2", "levels EW 2", 4),
        ("level 2", "level A+", 5),
        ("declarer -", "declarer SN", 6),
        ("leader E", "leader X", 7),
        ("hand E 3S 3D", "hand E 3S 3X", 8),
        ("hand E 3S 3D", "hand E 3S\nhand E 3D", 9),
        ("E 3S 3D\nN", "E 3S pass\nN", 9),
        ("E 3S 3D\nN", "E\nN", 9),
        ("E 3S 3D\nN", "E 3S = pair\nN", 9),
        ("E 3S 3D\nN", "E 3S ! \nN", 9),
        ("N pass", "", 10),
        ("finish -", "finish E E", 11),
        ("finish -", "finish -\nE 3S", 12),
        ("finish -\n", "", 10),
    ],
)
def test_bad_line_is_named(old: str, bad: str, line: int) -> None:
    assert old in GOOD
    text = GOOD.replace(old, bad, 1)

    with pytest.raises(BadNotation, match=rf"^line {line} "):
        parse_deal(text)


@pytest.mark.parametrize("card", CARDS, ids=card_texts(CARDS))
def test_third_copy_of_a_card_is_refused_in_one_hand_and_across_hands(card: Card) -> None:
    """Such a deal would be replayed as if two packs held the card three times."""
    two = GOOD.replace("hand E 3S 3D", f"hand E {card} {card}", 1)
    one_hand = two.replace(f"{card} {card}", f"{card} {card} {card}", 1)
    across = two.replace(f"hand E {card} {card}", f"hand E {card} {card}\nhand S {card}", 1)

    assert parse_deal(two).hands[Seat.E] == (card, card)
    for text, line in ((one_hand, 8), (across, 9)):
        with pytest.raises(BadNotation, match=rf"^line {line} .*: {card} is there three times or more"):
            parse_deal(text)


MATCH = """\
guandan-match 1
rulebook core
order S E N W
limit 6
knock-out no
notices -

end -
result open
"""


@pytest.mark.parametrize("limit", ["0", "000", "-1", "1.5", "١", "6" * 7, "6" * 5000])
def test_limit_that_is_no_number_of_deals_is_refused(limit: str) -> None:
    assert parse_match(MATCH).deals_limit == 6
    with pytest.raises(BadNotation, match=r"^line 4 'limit .*: write a number of deals from 1, or -"):
        parse_match(MATCH.replace("limit 6", f"limit {limit}"))


@pytest.mark.parametrize("count", ["-1", "9.5", "١", "9" * 7, "9" * 5000])
def test_report_of_no_number_is_refused(count: str) -> None:
    text = GOOD.replace("N pass", "report E 9\nN pass")

    assert isinstance(parse_deal(text).lines[1], Event)
    with pytest.raises(BadNotation, match=r"^line 10 'report E .*: 'report' does not fit what follows it"):
        parse_deal(text.replace("report E 9", f"report E {count}"))


def test_every_truncation_is_refused() -> None:
    for length in range(len(GOOD) - 1):
        with pytest.raises(BadNotation):
            parse_deal(GOOD[:length])


@given(st.text(alphabet="guandan-deal 1\nEW2NS#!=", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        deal = parse_deal("guandan-deal 1\n" + text)
    except BadNotation:
        return
    assert parse_deal(write_deal(deal)) == deal


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pair",
        "pair 9 9",
        "pair Z",
        "royal 9",
        "bomb 5 x11",
        "bomb 5 xx",
        "bomb 5 x٦",
        "bomb 5 x" + "6" * 5000,
        "straight_flush 9",
    ],
)
def test_words_that_are_no_reading_are_refused(text: str) -> None:
    with pytest.raises(BadReading):
        parse_reading(text)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_deal_is_judged_as_it_was(path: Path) -> None:
    text = path.read_text("utf-8")
    deal = parse_deal(text)

    _, judged = replay(deal, load_rulebook(deal.rulebook))

    assert write_deal(deal) == text
    assert write_deal(judged) == text


def test_there_are_golden_deals_with_and_without_known_hands() -> None:
    deals = [parse_deal(path.read_text("utf-8")) for path in GOLDEN]

    assert {bool(deal.hands) for deal in deals} == {True, False}
    assert {name for deal in deals for line in deal.lines for name in line.findings} == {
        "first_leader",
        "leader_wrong",
        "needs_declaration",
        "not_a_combination",
        "not_higher",
        "turn_order",
    }


def test_golden_deals_are_made_as_their_head_says() -> None:
    text = Path(__file__).with_name("golden").joinpath("seed-19.txt").read_text("utf-8")

    assert write_deal(make(19, Rank.SIX)) == text
