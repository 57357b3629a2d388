"""Bad input: one line on stderr that names the value, exit code 2, nothing on stdout, nothing written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def dealer(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dealer", *arguments], capture_output=True, text=True, timeout=50, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["demo", "--scenario", "nonsense"], "nonsense"),
        (["demo", "--rulebook", "no-such-book"], "no-such-book"),
        (["demo", "--deals", "none"], "none"),
        (["demo", "--report", "no-such-folder/report.json"], "no-such-folder"),
        (["frobnicate"], "frobnicate"),
        (["rules", "check", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (["rules", "show", "no-such-book"], "no-such-book"),
        (["rules", "show", "no-such-file.toml"], "no-such-file.toml"),
        (["rules", "diff", "core", "no-such-book"], "no-such-book"),
        (["rules", "new", "no-such-folder/cup.toml", "--extends", "core"], "no-such-folder"),
        (["simulate", "--deals", "1", "--rulebook", "no-such-file.toml"], "no-such-file.toml"),
        (["serve", "--config", "no-such-file.toml"], "no-such-file.toml"),
        (["read", "--json", "no-such-file.jpg"], "no-such-file.jpg"),
        (["journal", "verify", "no-such-file.db"], "no-such-file.db"),
    ],
)
def test_bad_input_is_one_line_that_names_the_value(arguments: list[str], value: str) -> None:
    done = dealer(*arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    assert value in lines[0]


def test_a_broken_case_file_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text('{"id": "broken"\n')

    done = dealer("rules", "check", str(file))

    assert done.returncode == 2
    assert f"{file} line 1" in done.stderr


def test_a_wrong_expectation_fails_the_check(tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text(
        '{"id":"x1","rulebook":"core","topic":"classify","given":{"cards":["3S","3H"],"level":"2"},'
        '"expect":{"readings":[{"type":"pair","rank":"4"}]},"source":"","note":""}\n'
    )

    done = dealer("rules", "check", str(file))

    assert done.returncode == 1
    assert "FAIL x1:" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"


def test_an_unknown_setting_is_named_with_its_neighbour(tmp_path: Path) -> None:
    file = tmp_path / "tables.toml"
    file.write_text('[[tables]]\nid = "1"\nseriel = "/dev/ttyUSB0"\n')

    done = dealer("serve", "--config", str(file))

    assert done.returncode == 2
    assert "seriel" in done.stderr
    assert "serial" in done.stderr
    assert not (tmp_path / "data").exists()
