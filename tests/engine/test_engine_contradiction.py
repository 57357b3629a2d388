"""Bad positions: each is refused with the line, the value and the remedy."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from engine_support import BOOK, E, N, S, cards, second_deal
from hypothesis import given
from hypothesis import strategies as st
from position_support import EXAMPLE

from engine.cards import Seat, card_texts
from engine.position import BadPosition, write_position
from engine.position_reader import parse_position
from engine.position_setup import set_up
from engine.rulebook_data import load_rulebook

PLAYED = {
    # value or line that is replaced: (by, what the refusal says)
    "head": ("guandan-position 1", "guandan-position 2", "line 1 'guandan-position 2': not the head", "begin with"),
    "unknown word": ("laid", "lade", "unknown word 'lade'", "did you mean 'laid'?"),
    "unknown word, nothing near": ("laid", "xyzzy", "unknown word 'xyzzy'", "write one of: rulebook, order"),
    "no value": ("laid 9H 9D TS TH", "laid", "line 11 'laid': laid has no value", "leave the line out"),
    "line twice": ("size W 12", "size W 12\nsize W 13", "line 11 'size W 13': line 10 says it already", "keep one"),
    "missing line": ("level 5\n", "", "'level': the line is missing", "add level and its value"),
    "unknown rulebook": ("competitive-2022", "poker", "'poker' is not a rulebook", "choose one of"),
    "order": ("S E N W", "S N E W", "not an order of four seats", "partners opposite"),
    "levels": ("levels EW 5 NS 2", "levels EW 5", "not the levels of two sides", "write levels EW x NS y"),
    "no level": ("level 5", "level 1", "'1' is not a level", "write one of 2 3"),
    "joker as level": ("level 5", "level SJ", "'SJ' is not a level", "write one of 2 3"),
    "level past A": ("\nlevel 5", "\nlevel A+", "'A+' is not a level", "write one of 2 3"),
    "two values": ("level 5", "level 5 6", "2 values", "write one"),
    "side": ("declarer EW", "declarer E", "'E' is no side", "write EW, NS, or -"),
    "seat": ("hand E", "hand O", "line 9 'hand O 7S 7H': 'O' is not a seat", "write S, E, N or W"),
    "seat of turn": ("turn E", "turn O", "'O' is not a seat", "write S, E, N or W"),
    "card": ("7S 7H", "7S 1H", "line 9 'hand E 7S 1H': '1H' is not a card", "write rank"),
    "no cards": ("hand E 7S 7H", "hand E", "no cards", "leave the line out"),
    "no number": ("size W 12", "size W many", "'many' is not a number", "write a whole number"),
    "negative number": ("passes 0", "passes -1", "'-1' is not a number", "write a whole number"),
    "report": ("reported E 7", "reported E 28", "28 is no count of a hand", "1 to 27"),
    "reading": ("pair 6", "pear 6", "'pear 6' is not a reading", "for example pair 9"),
    "passes missing": ("passes 0\n", "", "passes since then are missing", "add passes"),
    # contradictions
    "level not the declarer's": ("level 5", "level 2", "the declaring side EW is at 5", "put levels or declarer right"),
    "level of neither side": ("level 5\ndeclarer EW", "level 9\ndeclarer -", "9 is nobody's level", "level of a side"),
    "past A": ("NS 2", "NS A+", "NS is past A, so the match is over", "write a level to A"),
    "declarer not first": ("declarer EW", "declarer EW\nprevious S E N W", "S was first of the deal before", "NS"),
    "no finish": ("declarer EW", "declarer EW\nprevious E N", "not an order in which a deal ends", "four seats"),
    "double-down of four": ("declarer EW", "declarer EW\nprevious E W N S", "not an order in which", "the two of"),
    "nothing told of a seat": ("size W 12\n", "", "nothing is told of W", "add hand W, size W, or out"),
    "hand and size": ("size W 12", "size W 12\nhand W 2S", "'size W 12': hand W is given too", "keep one"),
    "out with cards": ("size W 12", "size W 12\nhand N 2S", "line 11 'hand N 2S': N is out and holds 1", "take it"),
    "out with a size": ("size W 12", "size W 12\nsize N 4", "N is out and holds 4", "take it from out"),
    "28 cards": ("size W 12", "size W 28", "line 10 'size W 28': 28 cards in a hand", "write 1 to 27"),
    "0 cards": ("size W 12", "size W 0", "0 cards in a hand", "name the seat in out"),
    "out twice": ("out N", "out N N", "a seat is named twice", "keep it once"),
    "third copy in a hand": ("3S 3D 9C", "3S 3D 7S 7S", "line 9 'hand E 7S 7H': a third 7S", "take one of the three"),
    "third copy laid": ("laid 9H", "laid 7S 7S 9H", "line 11 'laid 7S 7S 9H 9D TS TH': a third 7S", "take one"),
    "third copy on the table": ("laid 9H", "laid 6S 6S 9H", "line 14 'current S 6S 6H = pair 6': a third 6S", "take"),
    "turn of one who is out": ("turn E", "turn N", "line 16 'turn N': N is out", "name a seat that holds cards"),
    "wrong turn": ("turn E", "turn W", "after S and 0 passes it is E's turn", "write turn E"),
    "too many passes": ("passes 0", "passes 2", "2 others hold cards, and after 2 passes", "name who leads"),
    "passes on a lead": ("current S 6S 6H = pair 6\npasses 0", "passes 1", "on a lead nobody passes", "add current"),
    "no combination": ("6S 6H = pair 6", "6S 7C = pair 6", "6S 7C is no combination", "write cards that are one"),
    "no combination, no meaning": ("6S 6H = pair 6", "6S 7C", "6S 7C is no combination", "write cards that are one"),
    "other reading": ("= pair 6", "= pair 7", "these cards are no pair 7", "write = pair 6"),
    "several meanings": (
        "6S 6H = pair 6", "6S 6H 8S 8D 5H", "may mean several things", "= full_house 6 over 8 or = full_house 8 over 6",
    ),
    "exchange in play": ("passes 0", "passes 0\ntribute S AS", "with turn the exchange is over", "leave it out"),
    "no turn and no tribute": ("turn E\n", "", "'turn': is missing", "previous if tribute is due"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAYED)
def test_position_is_refused_with_line_value_and_remedy(name: str) -> None:
    was, becomes, wrong, remedy = PLAYED[name]
    assert was in EXAMPLE

    with pytest.raises(BadPosition) as refused:
        parse_position(EXAMPLE.replace(was, becomes, 1))

    assert wrong in str(refused.value)
    assert remedy in str(refused.value).partition(wrong)[2]
    assert "\n" not in str(refused.value)


def changed(**lines: str) -> str:
    """The example with some lines put otherwise, by their word and seat as `hand_S`; empty: left out."""
    rows = []
    for row in EXAMPLE.splitlines():
        word, _, rest = row.partition(" ")
        name = f"{word}_{rest.split()[0]}" if word in {"hand", "size", "reported"} else word
        rows.append(lines.pop(name, row))
    return "\n".join(filter(None, [*rows, *lines.values()])) + "\n"


@pytest.mark.parametrize(
    ("text", "wrong", "remedy"),
    [
        (changed(size_W="", hand_S="", out="out N W S"), "'out N W S': that ends the deal", "while it was played"),
        (changed(hand_S="", out="out N S", current="", passes=""), "that ends the deal", "while it was played"),
        (
            changed(size_W="", hand_S="", hand_N="size N 4", out="out S W", turn="turn E"),
            "W went out after S, so this play does not stand any more",
            "name S last in out",
        ),
        (
            changed(hand_S="size S 26", size_W="size W 2"),
            "S holds 26 cards and has laid 2: 28 of 27",
            "take cards from hand or size S",
        ),
        (
            changed(size_N="size N 27", out="", hand_S="size S 25", hand_E="size E 27", size_W="size W 27"),
            "106 cards in the hands and 6 on the table are 112 of 108",
            "take some away",
        ),
    ],
)
def test_lines_that_contradict_each_other_are_refused(text: str, wrong: str, remedy: str) -> None:
    with pytest.raises(BadPosition) as refused:
        parse_position(text)

    assert wrong in str(refused.value)
    assert remedy in str(refused.value)


@pytest.mark.parametrize(
    ("rulebook", "was", "becomes", "wrong"),
    [
        ("anhui-league/final", "6S 6H = pair 6", "6S 6H 6D 6C 6S 6D 6C = bomb 6 x7", "7 cards, where anhui-league"),
        ("core", "6S 6H = pair 6", "6S 6H 6D 6C 6S 6D 6C = bomb 6 x7", None),
    ],
)
def test_longest_play_is_that_of_the_rulebook(rulebook: str, was: str, becomes: str, wrong: str | None) -> None:
    text = EXAMPLE.replace("competitive-2022", rulebook).replace(was, becomes)

    if wrong is None:
        assert parse_position(text).rulebook == rulebook
        return
    with pytest.raises(BadPosition, match=wrong):
        parse_position(text)


def due(finish: str, hands: dict[Seat, str], *lines: str) -> str:
    """A position before play: hands filled up to 27 cards from below; `-`: not known."""
    table = second_deal(tuple(map(Seat, finish.split())), hands)
    rows = [
        "guandan-position 1",
        "rulebook competitive-2022",
        "order S E N W",
        "levels EW 2 NS 2",
        "level 2",
        "declarer EW",
        f"previous {finish}",
        *(
            f"hand {seat.value} {' '.join(card_texts(hand))}" if hand is not None else f"size {seat.value} 27"
            for seat, hand in table.deal.hands.items()
        ),
        *lines,
    ]
    return "\n".join(rows)


HELD = {S: "AS AH BJ", E: "3D 4D", N: "KS"}


@pytest.mark.parametrize(
    ("finish", "hands", "lines", "wrong", "remedy"),
    [
        ("E N W S", HELD, ["tribute N KS"], "line 12 'tribute N KS': N owes no tribute", "name S, or put previous"),
        ("E N W S", HELD, ["tribute S KS"], "line 12 'tribute S KS': S does not hold KS", "name a card of hand S"),
        ("E N W S", HELD, ["return E S 3D"], "'return E S 3D': not every tribute is given", "add the tributes"),
        ("E N W S", HELD, ["tribute S BJ", "return W S 3D"], "W has taken no tribute", "name E"),
        ("E N W S", HELD, ["tribute S BJ", "return E N 3D"], "N has given no tribute", "return to S"),
        ("E N W S", HELD, ["tribute S BJ", "return E S 3C"], "E does not hold 3C", "or the tribute taken"),
        ("E N W S", HELD, ["tribute S BJ", "tribute S AS"], "line 13 'tribute S AS': line 12 says it", "keep one"),
        ("E N W S", HELD, ["tribute S BJ", "return E S 3D", "jokers S"], "the exchange was over before", "leave it"),
        ("E N W S", HELD, ["jokers S"], "these seats do not hold both big jokers", "put their hands right"),
        ("E N W S", HELD, ["jokers N"], "N owes no tribute", "name those who owe"),
        ("E W", {S: "BJ", N: "BJ"}, ["tribute S BJ"], "hold both big jokers, which cancels", "or write jokers"),
        ("E N W S", HELD, ["tribute S"], "does not fit its word", "write tribute S AS"),
        ("E N W S", HELD, ["jokers S S"], "does not fit its word", "jokers S N"),
        ("E N W S", HELD, ["laid 9S"], "line 12 'laid 9S': without turn play has not begun", "add turn"),
        ("E N W S", HELD, ["passes 1"], "without turn play has not begun", "add turn"),
        ("E N W S", HELD, ["reported S 3"], "without turn play has not begun", "add turn"),
    ],
)
def test_exchange_that_cannot_be_is_refused(
    finish: str, hands: dict[Seat, str], lines: list[str], wrong: str, remedy: str
) -> None:
    with pytest.raises(BadPosition) as refused:
        parse_position(due(finish, hands, *lines))

    assert wrong in str(refused.value)
    assert remedy in str(refused.value)


def test_hands_before_the_exchange_are_whole() -> None:
    text = due("E N W S", {S: "-"}).replace("size S 27", "size S 26")

    with pytest.raises(BadPosition, match="26 cards, where the exchange begins with 27"):
        parse_position(text)


def test_rulebook_without_tribute_refuses_one() -> None:
    text = due("E N W S", HELD, "tribute S BJ").replace("competitive-2022", "anqing-2015")

    with pytest.raises(BadPosition, match="under anqing-2015 no tribute is owed here"):
        parse_position(text)


def test_jokers_cancel_nothing_where_the_rulebook_says_so() -> None:
    book = replace(BOOK, anti_tribute=None)
    text = due("E W", {S: "BJ", N: "BJ"}, "jokers S N")

    with pytest.raises(BadPosition, match="nothing cancels the tribute; leave it out"):
        parse_position(text, lambda _: book)


def test_rulebook_may_come_from_elsewhere() -> None:
    books = {"my-cup": load_rulebook("national-2017")}

    assert parse_position(EXAMPLE.replace("competitive-2022", "my-cup"), books.__getitem__).rulebook == "my-cup"


def test_position_that_is_no_text_is_refused_by_its_line_alone() -> None:
    position = replace(parse_position(EXAMPLE), hands={S: cards("3S"), E: cards("7S 7S 7S")})

    with pytest.raises(BadPosition, match=r"^'hand E 7S 7S 7S': a third 7S"):
        set_up(position, BOOK)


def test_empty_text_is_refused() -> None:
    with pytest.raises(BadPosition, match="begin with guandan-position 1"):
        parse_position("\n# nothing\n")


WORDS = [
    "",
    "#",
    "-",
    "pass",
    "27",
    "S",
    "E",
    "EW",
    "5",
    "A+",
    "BJ",
    "7H",
    "=",
    "pair",
    "6",
    "turn",
    "hand",
    "\n",
    "掼",
]


@given(st.lists(st.tuples(st.integers(0, 60), st.sampled_from(WORDS)), min_size=1, max_size=3))
def test_whatever_is_written_nothing_but_a_bad_position_is_raised(edits: list[tuple[int, str]]) -> None:
    words = EXAMPLE.replace("\n", " \n ").split(" ")
    for place, word in edits:
        words[place % len(words)] = word

    with suppress(BadPosition):
        position = parse_position(" ".join(words))
        assert parse_position(write_position(position)) == position
