"""Regulations as files and commands: read, shown, begun, compared, refused in one line."""

from __future__ import annotations

import asyncio
import json
import os
import random
import tomllib
from pathlib import Path

import pytest

from dealer.cli.app import run
from dealer.clock import SystemClock
from dealer.deals import Generator
from dealer.errors import BadInput
from dealer.house import House
from dealer.regulation import rulebook_of, template
from dealer.settings import Settings, TableSettings
from engine.regulation import build_regulation
from engine.rulebook_data import known_rulebooks, load_rulebook, packaged_layers

SPRING = """\
id = "spring-cup"
extends = "competitive-2022"
title_en = "Spring Cup"
title_zh = "春季赛"

[overrides.play_s]
value = 30
text_zh = "每手牌限时三十秒。"
text_en = "Thirty seconds for each play."
approver = "The chief referee"
"""


@pytest.fixture
def spring(tmp_path: Path) -> Path:
    file = tmp_path / "spring-cup.toml"
    file.write_text(SPRING, encoding="utf-8")
    return file


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that must be refused: exit 2, nothing on stdout, one line on stderr, which is returned."""
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    return line


def test_path_names_a_regulation_and_id_a_published_rulebook(spring: Path) -> None:
    assert rulebook_of("national-2017") == load_rulebook("national-2017")
    assert (rulebook_of(str(spring)).id, rulebook_of(str(spring)).play_s) == ("spring-cup", 30)


def test_byte_order_mark_of_an_editor_does_no_harm(spring: Path) -> None:
    plain = rulebook_of(str(spring))
    spring.write_text(SPRING, encoding="utf-8-sig")

    assert rulebook_of(str(spring)) == plain


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (SPRING.replace("play_s", "play_second"), "unknown point 'play_second'"),
        (SPRING.replace("value = 30", 'value = "long"'), "play_s is 'long'"),
        (SPRING.replace('approver = "The chief referee"', ""), "overrides.play_s.approver is missing"),
        (SPRING.replace("competitive-2022", "competitive"), "extends: 'competitive' is not a rulebook"),
        (SPRING.replace("competitive-2022", "spring-cup"), "extends: 'spring-cup' is not a rulebook"),
        ("speed = 3\n" + SPRING, "unknown key 'speed'"),
        (SPRING.replace('"Spring Cup"', "Spring Cup"), "not TOML"),
        ("", "id is missing"),
        ("a = " + "[" * 5000, "nested too deeply); write each value as a plain list"),
        (SPRING.replace("= 30", "= 1" + "0" * 4200), "play_s is 1000"),
        (SPRING.replace("= 30", "= 1" + "0" * 6000), "a number has too many digits); write a smaller one"),
        (SPRING.replace("= 30", "= 0x1" + "0" * 6000), "play_s is <int, too long to be shown>"),
        ("title_en = [0x1" + "0" * 6000 + "]\n" + SPRING.replace('title_en = "Spring Cup"', ""), "title_en is <list"),
        (SPRING.replace("value = 30", "value" + ".a" * 5000 + " = 30"), "play_s is <dict, too long to be shown>"),
        (SPRING.replace("= 30", "= [" + "1, " * 100_000 + "]"), "play_s is [1, 1, 1"),
        (SPRING + "#" * 1024 * 1024, "larger than 1048576 bytes; give a regulation's file"),
    ],
)
@pytest.mark.parametrize(
    "command", [["rules", "show"], ["rules", "diff", "core"], ["simulate", "--deals=1", "--rulebook"]]
)
def test_file_that_cannot_be_used_is_named_with_the_key(
    command: list[str], text: str, named: str, spring: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spring.write_text(text, encoding="utf-8")

    line = refused([*command, str(spring)], capsys)

    assert str(spring) in line
    assert named in line
    assert "; " in line
    assert len(line) < 600


@pytest.mark.parametrize("content", [b"\xff\xfe", None], ids=["not UTF-8", "a folder"])
def test_file_that_is_no_text_is_named(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.toml"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)

    assert str(file) in refused(["rules", "show", str(file)], capsys)


@pytest.mark.parametrize("name", ["no-such-book", "no-such-file.toml", "../core", ""])
def test_name_of_nothing_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (name or "''") in refused(["rules", "show", name], capsys)


@pytest.mark.parametrize("name", ["n" * 300, "n" * 5000, "n" * 300 + ".toml", "a\0b", "a\0b.toml", "\udcff"])
@pytest.mark.parametrize(
    "command", [["rules", "show"], ["rules", "diff", "core"], ["simulate", "--deals=1", "--rulebook"]]
)
def test_name_that_no_file_can_have_is_refused_in_a_short_line(
    command: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused([*command, name], capsys)

    assert ascii(name[:4])[1:-1] in ascii(line) or repr(name) in line
    assert len(line) < 600


def test_pipe_is_refused_before_it_is_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)  # nobody writes: opening it would never return

    for command in ("show", "ask", "check"):
        assert f"{pipe}: cannot be read (not a regular file); give" in refused(["rules", command, str(pipe)], capsys)


def test_show_lists_every_point_and_who_changed_which(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "show", str(spring)]) == 0
    lines = capsys.readouterr().out.splitlines()

    first = lines.index("")
    rows = [line.split(maxsplit=1) for line in lines[first + 1 :] if not line.startswith(" ")]
    assert [point for point, _ in rows] == list(load_rulebook("core").points())
    place = lines.index(next(line for line in lines if line.startswith("play_s ")))
    assert lines[place].split() == ["play_s", "30"]
    assert [line.strip() for line in lines[place + 1 : place + 4]] == [
        "source: 春季赛: 每手牌限时三十秒。",
        "overrides 20; approved by The chief referee",
        "Thirty seconds for each play.",
    ]
    assert f"hash\t{rulebook_of(str(spring)).hash}" in lines
    assert sum("overrides" in line for line in lines) == 1
    inherited = lines[lines.index(next(line for line in lines if line.startswith("countdown_s "))) + 1]
    assert inherited.endswith("(inherited_from jiangsu-simple)")
    assert "江苏省掼蛋比赛简易规则" in inherited


def test_show_as_json_holds_points_hash_and_overrides(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "show", "--json", str(spring)]) == 0
    document = json.loads(capsys.readouterr().out)

    assert document["points"]["play_s"] == 30
    assert document["hash"] == rulebook_of(str(spring)).hash
    assert document["origins"]["play_s"] == {"source": "春季赛: 每手牌限时三十秒。", "inherited_from": None}
    assert document["origins"]["pass_forms"]["inherited_from"] == "competitive-2022"
    assert list(document["origins"]) == list(document["points"])
    assert document["regulation"]["extends"] == "competitive-2022"
    assert [change["point"] for change in document["regulation"]["overrides"]] == ["play_s"]


@pytest.mark.parametrize("name", known_rulebooks())
def test_new_file_loads_as_it_is_and_changes_nothing(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "春季 2026.toml"

    assert run(["rules", "new", str(file), "--extends", name]) == 0
    assert run(["rules", "diff", name, str(file)]) == 0

    assert capsys.readouterr().out.splitlines()[-1] == f"{name} and 春季-2026 differ in no point"


@pytest.mark.parametrize("name", known_rulebooks())
def test_every_value_that_a_new_file_shows_can_be_written_as_an_override(name: str) -> None:
    text = template("event", load_rulebook(name))
    rows = [line.removeprefix("#   ") for line in text.splitlines() if line.startswith("#   ")]
    values = tomllib.loads("\n".join(rows))
    texts = {"text_zh": "照旧", "text_en": "as it is", "approver": "The chief referee"}
    overrides = {point: {"value": value} | texts for point, value in values.items()}

    book = build_regulation(tomllib.loads(text) | {"overrides": overrides}, packaged_layers)

    assert list(values) == list(book.points())
    assert book.points() == load_rulebook(name).points()


def test_example_of_a_new_file_works_without_its_signs(tmp_path: Path) -> None:
    text = template("event", load_rulebook("core"))
    start = text.index("# [overrides.play_s]")
    example = text[start : text.index("#\n", start)]
    file = tmp_path / "event.toml"
    file.write_text(text.replace(example, example.replace("# ", "")), encoding="utf-8")

    assert rulebook_of(str(file)).play_s == 30


@pytest.mark.parametrize(
    ("name", "extends", "named"),
    [
        ("spring-cup.toml", "core", "is already there"),
        ("new.toml", "no-such-book", "no-such-book"),
        ("new.txt", "core", "new.txt"),
        ("core.toml", "core", "core.toml"),
        ("!.toml", "core", "!.toml"),
        ("no-such-folder/new.toml", "core", "no-such-folder"),
    ],
)
def test_new_file_that_cannot_be_is_refused_and_nothing_is_written(
    name: str, extends: str, named: str, spring: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert named in refused(["rules", "new", str(spring.parent / name), "--extends", extends], capsys)

    assert list(spring.parent.iterdir()) == [spring]
    assert spring.read_text(encoding="utf-8") == SPRING


def test_diff_shows_each_point_that_differs(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "diff", "competitive-2022", str(spring)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "play_s: 20 -> 30",
        "  competitive-2022: 江苏省掼蛋比赛简易规则 第三章 九 3; RULEBOOKS 3.7 (inherited_from jiangsu-simple)",
        "  spring-cup: 春季赛: 每手牌限时三十秒。",
    ]

    assert run(["rules", "diff", "core", "anqing-2015"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert 'match_points: "none" -> [2, -1, 1]' in lines
    one, other = load_rulebook("core").points(), load_rulebook("anqing-2015").points()
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == [
        point for point in one if one[point] != other[point]
    ]


def test_check_judges_the_cases_of_a_regulation_under_it(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = {"topic": "timing", "given": {"action": "play", "seconds": 25}, "source": "", "note": ""}
    cases = [
        case | {"id": "own", "rulebook": "spring-cup", "expect": {"overtime": False}},
        case | {"id": "published", "rulebook": "competitive-2022", "expect": {"overtime": True}},
    ]
    file = spring.parent / "cases.jsonl"
    file.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")

    assert run(["rules", "check", str(file), "--rulebook", str(spring)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed, 0 skipped\n"
    line = refused(["rules", "check", str(file)], capsys)
    assert "case 'own'" in line
    assert "'spring-cup' is not a rulebook" in line


def test_simulate_and_demo_name_the_regulation(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "--deals", "1", "--seed", "1", "--rulebook", str(spring), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rulebook"] == "spring-cup"

    missing = str(spring.parent / "missing.toml")
    assert missing in refused(["demo", "--headless", "--rulebook", missing], capsys)


def test_table_of_the_settings_plays_under_a_regulation(spring: Path) -> None:
    def settings(rulebook: str) -> Settings:
        return Settings(
            data_dir=spring.parent / "data",
            key_file=spring.parent / "key" / "seal.key",
            tables=[TableSettings(id="1", rulebook=rulebook)],
        )

    async def opened(given: Settings) -> tuple[str, str]:
        async with await House.open(given, SystemClock(), Generator("seeded", random.Random(1))) as house:
            book = house.tables["1"].standing.rulebook
            return book.id, book.hash

    assert asyncio.run(opened(settings(str(spring)))) == ("spring-cup", rulebook_of(str(spring)).hash)
    with pytest.raises(BadInput, match=r"missing\.toml"):
        asyncio.run(opened(settings("missing.toml")))


def test_example_of_the_documents_is_a_regulation() -> None:
    root = Path(__file__).resolve().parents[2]
    file = root / "docs" / "examples" / "spring-cup.toml"
    book, parent = rulebook_of(str(file)), load_rulebook("competitive-2022")
    shown = (root / "docs" / "rules.md").read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]

    assert shown.strip() in file.read_text(encoding="utf-8")
    assert (book.play_s, book.return_max_partner) == (30, None)
    assert (parent.play_s, parent.return_max_partner is None) == (20, False)
