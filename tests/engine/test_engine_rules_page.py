"""docs/rules.md explains every point of a rulebook, and no other, with the default that the engine has."""

from __future__ import annotations

import json
import re
from pathlib import Path

from engine.rulebook import POINTS
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.rulebook_points import Group

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
POINT_SECTION = PAGE[PAGE.index("### Points") : PAGE.index("## Regulations")]
ROW = re.compile(r"^\| `(?P<point>\w+)` \| .+ \| .+ \| `(?P<default>.+)` \| .+ \|$", re.M)
"""Point, meaning, values, default, source."""
ROWS = {row["point"]: row for row in ROW.finditer(POINT_SECTION)}


def test_page_explains_every_point_and_no_other() -> None:
    assert len(ROWS) == len(ROW.findall(POINT_SECTION))
    assert set(ROWS) == set(POINTS)


def test_points_stand_under_their_group() -> None:
    headings = re.split(r"^\*\*.+\*\* \(group `(\w+)`\)$", POINT_SECTION, flags=re.M)

    shown = {
        point: group
        for group, text in zip(headings[1::2], headings[2::2], strict=True)
        for point in re.findall(r"^\| `(\w+)` \|", text, re.M)
    }
    assert shown == {point: known.group.value for point, known in POINTS.items()}
    assert set(headings[1::2]) == {group.value for group in Group}


def test_page_shows_the_defaults_of_core() -> None:
    core = load_rulebook("core").points()

    assert {point: row["default"] for point, row in ROWS.items()} == {point: _as_shown(core[point]) for point in POINTS}


def _as_shown(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {number}" for key, number in value.items()) + " }"
    if isinstance(value, float):
        value = int(value)
    return json.dumps("none" if value is None else value)


def test_every_rulebook_has_its_line() -> None:
    table = PAGE[PAGE.index("## Rulebooks") : PAGE.index("A rulebook is a TOML file")]

    assert set(re.findall(r"^\| `([\w/-]+)`", table, re.M)) == set(known_rulebooks())
