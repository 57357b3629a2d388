"""Outputs that take less than is written: full disks, terminals without Chinese. One line, or escapes; no traceback."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import pytest

FULL = Path("/dev/full")
needs_a_full_device = pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")


def dealer(
    *arguments: str,
    encoding: str = "utf-8",
    stdout: int | IO[str] = subprocess.PIPE,
    env: Mapping[str, str] | None = None,
    preexec_fn: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dealer", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=env,
        preexec_fn=preexec_fn,
        encoding=encoding,
        timeout=50,
        check=False,
    )


@needs_a_full_device
@pytest.mark.parametrize(
    ("arguments", "unbuffered"),
    [
        (["rules", "list"], ""),
        (["rules", "list"], "1"),
        (["rules", "show", "core", "--json"], ""),
        (["rules", "show", "core", "--json"], "1"),
        (["simulate", "--deals", "1", "--seed", "1"], ""),
        (["--help"], ""),
    ],
)
def test_output_that_cannot_be_written_is_one_line(arguments: list[str], unbuffered: str) -> None:
    with FULL.open("w") as full:
        done = dealer(*arguments, stdout=full, env=os.environ | {"PYTHONUNBUFFERED": unbuffered})

    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith("dealer: standard output: cannot be written (No space left on device); ")


@needs_a_full_device
def test_check_that_fails_onto_a_full_disk_says_that_it_could_not_be_written(tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text(
        '{"id":"x1","rulebook":"core","topic":"classify","given":{"cards":["3S"],"level":"2"},"expect":{"readings":[]}}'
    )
    with FULL.open("w") as full:
        done = dealer("rules", "check", str(file), stdout=full)

    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["ascii", "ascii:strict", "latin-1", "gbk"])
def test_characters_that_an_output_lacks_are_escapes(encoding: str) -> None:
    name, _, _ = encoding.partition(":")
    chosen = os.environ | {"PYTHONIOENCODING": encoding}
    done = dealer("rules", "list", stdout=subprocess.PIPE, encoding=name, env=chosen)

    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 10


def test_reader_that_goes_away_early_is_no_failure() -> None:
    read, write = os.pipe()
    os.close(read)
    done = dealer("rules", "show", "core", stdout=write)
    os.close(write)

    assert (done.returncode, done.stderr) == (1, "")


def test_new_regulation_on_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    done = dealer(
        "rules",
        "new",
        str(tmp_path / "cup.toml"),
        "--extends",
        "core",
        stdout=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)),
    )

    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert f"{tmp_path / 'cup.toml'}: cannot be written (File too large); choose another place" in line
    assert list(tmp_path.iterdir()) == []
