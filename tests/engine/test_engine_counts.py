"""Numbers of legal plays and of sequences of acts: as they were written down, and as the definitions count them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from engine_support import in_words
from make_counts import (
    FILE,
    count_plays_by_definition,
    count_sequences_by_definition,
    recount,
    text,
)

from engine.notation_reader import parse_reading

WRITTEN = json.loads(FILE.read_text("utf-8"))


def test_engine_counts_what_was_written_down() -> None:
    assert text(recount(WRITTEN)) == FILE.read_text("utf-8")


@pytest.mark.parametrize("named", WRITTEN["hands"], ids=lambda named: named["name"])
def test_plays_of_a_hand_are_as_many_by_the_definitions(named: dict[str, Any]) -> None:
    assert count_plays_by_definition(named, None) == named["lead"]
    for on, counts in named["follow"].items():
        assert count_plays_by_definition(named, in_words(parse_reading(on))) == counts, on


@pytest.mark.parametrize("deal", WRITTEN["deals"], ids=lambda deal: deal["name"])
def test_sequences_of_acts_are_as_many_by_the_definitions(deal: dict[str, Any]) -> None:
    for acts, counted in enumerate(deal["sequences"], 1):
        assert count_sequences_by_definition(deal, acts) == counted, acts


def test_file_holds_every_type_leading_and_following() -> None:
    leading = {kind for named in WRITTEN["hands"] for kind in named["lead"]}
    following = {kind for named in WRITTEN["hands"] for counts in named["follow"].values() for kind in counts}

    assert len(leading) == len(following) == 11
