"""`dealer rules check`: what it reads, what it prints, and what it refuses in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dealer.cli.app import run

CASE = {
    "id": "x1",
    "rulebook": "core",
    "topic": "classify",
    "given": {"cards": ["3S", "3H"], "level": "2"},
    "expect": {"readings": [{"type": "pair", "rank": "3"}]},
    "source": "",
    "note": "",
}
GOOD = json.dumps(CASE, ensure_ascii=False)
WRONG = {**CASE, "expect": {"readings": []}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 200_000, "line 2: nested more than 32 deep; mend the line"),
        ('{"id":' + "9" * 6000 + "}", "line 2: a number beyond 1000000000; mend the line"),
        ("[]", "line 2: not a JSON object; mend the line"),
        ("{", "line 2: not JSON"),
        (json.dumps(CASE | {"rulebook": "national-2071"}), "'national-2071' is not a rulebook; choose one of"),
        (json.dumps(CASE | {"id": ["x"] * 10_000}), "key 'id' is missing or not a text"),
        (
            json.dumps(CASE | {"topic": "timing", "given": {"action": "play", "seconds": 10**400}}),
            "key 'seconds' is missing or not a number up to 1000000000",
        ),
        (json.dumps(CASE | {"topic": "timing", "given": {"action": "nap"}}), "first_lead play late"),
    ],
)
def test_bad_case_is_one_short_line(text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(f"{GOOD}\n{text}\n", encoding="utf-8")

    assert run(["rules", "check", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    assert line.startswith(f"dealer: {file}")
    assert said in line
    assert len(line) < 2000


def test_unknown_rulebook_is_refused_and_a_rulebook_of_several_stages_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(CASE | {"rulebook": "anhui-league"}), encoding="utf-8")

    assert run(["rules", "check", str(file), "--rulebook", "nosuch"]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert "--rulebook: 'nosuch' is not a rulebook; choose one of" in err

    assert run(["rules", "check", str(file), "--rulebook", "anhui-league"]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed, 0 skipped\n"


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + GOOD,
        GOOD + "\r\n" + GOOD.replace("x1", "x2") + "\r\n",
        GOOD.replace("x1", "x\u2028y\u0085z\u000by".replace("\u000b", "")),
    ],
    ids=["byte order mark", "line ends of Windows", "line separator in a text"],
)
def test_file_is_read_as_editors_write_it(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(text.encode())

    assert run(["rules", "check", str(file)]) == 0
    assert capsys.readouterr().out == f"{text.count('classify')} passed, 0 failed, 0 skipped\n"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("掼蛋 1", "掼蛋 1"),
        ("a\nb", '"a\\nb"'),
        ("\ud800", '"\\ud800"'),
        ("a\u2028b", '"a\\u2028b"'),
        ("\x1b[2J", '"\\u001b[2J"'),
    ],
)
def test_miss_is_one_line_whatever_its_id(
    name: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(WRONG | {"id": name}), encoding="utf-8")

    assert run(["rules", "check", str(file)]) == 1
    miss, last = capsys.readouterr().out.splitlines()
    assert miss.startswith(f"FAIL {shown}: expected {{")
    assert last == "0 passed, 1 failed, 0 skipped"


def test_miss_with_half_a_character_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(WRONG | {"expect": {"readings": ["\ud800"]}}), encoding="utf-8")

    assert run(["rules", "check", str(file)]) == 1
    assert '["\\ud800"]' in capsys.readouterr().out


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "/"])
@pytest.mark.parametrize("command", ["check", "ask"])
def test_device_is_refused(command: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", command, name]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert f"{name}: cannot be read (not a regular file); give" in err


def test_file_that_is_too_large_is_refused_unread(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    with file.open("wb") as opened:
        opened.truncate(64 * 1024 * 1024 + 1)

    assert run(["rules", "check", str(file)]) == 2
    assert "larger than 67108864 bytes; give a file with one JSON object a line" in capsys.readouterr().err
