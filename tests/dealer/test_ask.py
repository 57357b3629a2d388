"""`dealer rules ask`: what is printed about a position, and bad input in one line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from dealer.cli.app import run

DOCS = Path(__file__).resolve().parents[2] / "docs"
PLAYING = """\
guandan-position 1
rulebook competitive-2022
order S E N W
levels EW 5 NS 2
level 5
declarer EW
hand S 3S 3D 3C 3H 4S 4D 4C 4H 9C 9D
hand E 7S 7H 8C 8S 5H 5H
size W 12
out N
current S 6S 6H = pair 6
passes 0
turn E
"""
TRIBUTE = """\
guandan-position 1
rulebook {rulebook}
order S E N W
levels EW 5 NS 2
level 5
declarer EW
previous E N W S
hand S 2S 2S 2D 2D 2C 2C 3S 3S 3D 3D 3C 3C 4S 4S 4D 4D 4C 4C 6S 6D 6C 7S 7D 7C KS AS AH
size E 27
size N 27
size W 27
"""
LEAD = PLAYING.replace("current S 6S 6H = pair 6\npasses 0\n", "")


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:  # a function with options
    def answer(text: str, *options: str) -> str:
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        assert run(["rules", "ask", str(file), *options]) == 0
        return capsys.readouterr().out

    return answer


@pytest.fixture
def refuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:  # a function with options
    def line(text: str, *options: str) -> str:
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        assert run(["rules", "ask", str(file), *options]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        [said] = err.splitlines()
        return said

    return line


def test_position_is_told_in_a_few_lines(ask: Any) -> None:
    assert ask(PLAYING).splitlines() == [
        "competitive-2022, level 5 (EW); cards left: S 10, E 6, N 0, W 12",
        "stands: pair 6 of S (6S 6H); nobody has passed since",
        "in turn: E; if all pass, S leads",
        "owed: report by S: 10 cards left, by card",
        "E may pass, or lay (readings 5, sets of cards 9):",
        "  pair: 7, 8, 5",
        "  bomb: 7 x4, 8 x4",
    ]


def test_cards_are_told_with_readings_what_counts_and_what_follows(ask: Any) -> None:
    assert ask(PLAYING, "--cards", "7S 7H").splitlines()[7:] == [
        "7S 7H of E",
        "  may mean: pair 7",
        "  counts here as: pair 7",
        "  finding of S: F213 report_missing (warn): left 10",
        "  stands: pair 7 of E (7S 7H); nobody has passed since",
        "  in turn: W; if all pass, E leads",
    ]


def test_several_types_on_a_lead_are_told_as_a_declaration_owed(ask: Any) -> None:
    told = ask(LEAD, "--cards", "8S 8C 7H 7S 5H 5H").splitlines()

    assert "  may mean: tube 8 or tube 9 or plate 8" in told
    assert "  counts here as: what E declares, tube 8 or tube 9 or plate 8" in told
    assert "  owed: declaration by E: tube 8 or tube 9 or plate 8" in told


def test_cards_that_may_not_be_laid_are_told_with_the_reason(ask: Any) -> None:
    told = ask(PLAYING, "--cards", "8S").splitlines()

    assert "  counts here as: nothing (type_mismatch)" in told
    assert "  finding of E: F202 not_higher (alert): reason type_mismatch, to_beat pair 6" in told
    assert "  in turn: E; if all pass, S leads" in told


def test_pass_is_told_with_what_follows(ask: Any) -> None:
    told = ask(PLAYING, "--cards", "pass").splitlines()

    assert told[-4:] == [
        "pass of E",
        "  finding of S: F213 report_missing (warn): left 10",
        "  stands: pair 6 of S (6S 6H); 1 passed since",
        "  in turn: W; if all pass, S leads",
    ]


def test_pass_on_the_lead_is_a_finding(ask: Any) -> None:
    assert "  finding of E: F305 trick_end (info): act pass on the lead" in ask(LEAD, "--cards", "pass").splitlines()


def test_seat_may_be_another_than_the_one_in_turn(ask: Any) -> None:
    told = ask(PLAYING, "--seat", "W", "--cards", "9S 9H").splitlines()

    assert "W may lay: not known, as the hand is not" in told
    assert "  finding of W: F301 turn_order (alert): expected E" in told


def test_json_says_the_same(ask: Any) -> None:
    document = json.loads(ask(PLAYING, "--cards", "7S 7H", "--json"))

    assert (document["turn"], document["leads"], document["phase"]) == ("E", "S", "playing")
    assert document["stands"]["reading"] == {"type": "pair", "rank": "6"}
    assert document["owed"] == [{"owes": "report", "seat": "S", "count": 10, "form": "card"}]
    assert (len(document["plays"]["readings"]), document["plays"]["sets_of_cards"]) == (5, 9)
    assert document["cards"]["chosen"] == {"type": "pair", "rank": "7"}
    assert document["cards"]["after"]["turn"] == "W"


def test_tribute_is_told_with_every_card_that_may_be_given(ask: Any) -> None:
    told = ask(TRIBUTE.format(rulebook="competitive-2022"), "--cards", "KS").splitlines()

    assert told[1:] == [
        "in turn: nobody before the exchange is done",
        "owed: tribute by S: AS or AH",
        "KS of S",
        "  finding of S: F404 tribute_wrong_card (alert): given KS",
        "  in turn: nobody before the exchange is done",
        "  owed: return by E to S: not known, as the hand is not",
    ]


def test_rulebook_without_tribute_begins_with_the_lead_of_first(ask: Any) -> None:
    assert "in turn: E, who leads" in ask(TRIBUTE.format(rulebook="anqing-2015"))


def test_end_of_the_deal_is_told(ask: Any) -> None:
    text = LEAD.replace("size W 12\nout N", "size N 12\nout W").replace(" 8C 8S 5H 5H", "")

    told = ask(text, "--cards", "7S 7H").splitlines()

    assert "  finding: F304 finish_order (info): order W E, double_down yes" in told
    assert told[-1] == "  the deal is over: W E"


def test_position_may_come_by_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PLAYING.encode())))

    assert run(["rules", "ask", "-"]) == 0
    assert "in turn: E" in capsys.readouterr().out


def test_regulation_of_an_event_may_be_named_by_its_file(ask: Any, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'id = "cup"\nextends = "core"\ntitle_en = "Cup"\ntitle_zh = "杯"\n[overrides.max_cards_per_play]\nvalue = 2\n'
        'text_zh = "二"\ntext_en = "two"\napprover = "A"\n',
        encoding="utf-8",
    )

    told = ask(LEAD.replace("competitive-2022", str(file)), "--cards", "7S 7H 5H")

    assert told.startswith("cup, level 5")
    assert "counts here as: nothing (too_many_cards)" in told


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (
            PLAYING.replace("size W 12", "size W 28"),
            (),
            "position.txt: line 9 'size W 28': 28 cards in a hand; write 1",
        ),
        (PLAYING.replace("competitive-2022", "poker"), (), "'poker' is not a rulebook; choose one of"),
        ("", (), "begin with guandan-position 1"),
        (PLAYING, ("--cards", "7S 7Z"), "--cards: '7Z' is not a card; write rank"),
        (PLAYING, ("--cards", "7S 7S 7S"), "--cards: 7S is there 3 times; two packs hold it twice"),
        (PLAYING, ("--cards", " "), "--cards '': no cards; write them"),
        (PLAYING, ("--seat", "X"), "--seat: 'X' is not a seat; write S, E, N or W"),
        (TRIBUTE.format(rulebook="core") + "tribute S AS\nreturn E S 3H\n", ("--deck",), "--deck"),
        (
            TRIBUTE.format(rulebook="core").replace("E N W S", "E W"),
            ("--cards", "AS"),
            "nobody is in turn; say by --seat whose cards they are",
        ),
        (PLAYING.replace("= pair 6", "= bomb 6 x" + "9" * 5000), (), "for example pair 9, full_house K over 6, bomb"),
        (PLAYING.replace("competitive-2022", "n" * 300), (), "is not a rulebook; choose one of"),
        (PLAYING + "#" * 70_000, (), "larger than 65536 bytes; give the file of a position"),
    ],
)
def test_bad_input_is_one_line_that_names_value_and_remedy(
    refuse: Any, text: str, options: tuple[str, ...], said: str
) -> None:
    assert said in refuse(text, *options)


def test_file_that_cannot_be_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "latin.txt").write_bytes(b"guandan-position 1\n# \xe9\n")
    for file, said in (
        (tmp_path / "none.txt", "cannot be read"),
        (tmp_path, "cannot be read"),
        (tmp_path / "latin.txt", "is not UTF-8 text; save it as UTF-8"),
        ("a\0b", "cannot be read"),
    ):
        assert run(["rules", "ask", str(file)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        assert said in err


def test_example_of_the_documents_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    example = DOCS / "examples" / "position.txt"

    assert run(["rules", "ask", str(example), "--cards", "8S 8C 7S 7D 5H 5H"]) == 0

    assert f"```\n{example.read_text(encoding='utf-8')}```" in page
    assert f"```\n{capsys.readouterr().out}```" in page
