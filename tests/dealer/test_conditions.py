"""Conditions: every one numbered once, in two languages, with one next step."""

from __future__ import annotations

import re

import pytest

from dealer.conditions import CONDITIONS, fault_name
from firmware_proto.messages import FaultCode

NEEDED = [
    "link_lost",
    "device_restarted",
    "events_lost",
    "device_rejected",
    "no_events",
    "machine_paused",
    "count_mismatch",
    "camera_dark",
    "camera_blurred",
    "camera_frozen",
    "camera_covered",
    "camera_no_frames",
    "camera_no_markers",
    "camera_bad_picture",
    "camera_slow",
    "journal_salvaged",
    "disk_full",
]


def test_what_the_rest_of_the_program_raises_is_in_the_catalogue() -> None:
    assert set(NEEDED) <= set(CONDITIONS)
    assert "unclear_reading" not in CONDITIONS


def test_numbers_are_unique_and_in_their_hundred() -> None:
    codes = [kind.code for kind in CONDITIONS.values()]

    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"C[1-4]\d\d", code) for code in codes)
    assert all(CONDITIONS[name].code.startswith("C3") for name in CONDITIONS if name.startswith("camera_"))


@pytest.mark.parametrize("name", sorted(CONDITIONS))
def test_words_in_both_languages_and_one_next_step(name: str) -> None:
    kind = CONDITIONS[name]

    assert kind.text_en.endswith(".")
    assert kind.remedy_en.count(".") - kind.remedy_en.count(".md") == 1
    assert kind.text_zh.endswith("。")
    assert kind.remedy_zh.endswith("。")
    assert re.search(r"[\u4e00-\u9fff]", kind.text_zh + kind.remedy_zh)


@pytest.mark.parametrize("code", [code for code in FaultCode if code is not FaultCode.UNKNOWN])
def test_every_fault_of_the_protocol_has_a_condition_of_its_number(code: FaultCode) -> None:
    assert CONDITIONS[fault_name(code)].code == f"C2{code:02d}"


@pytest.mark.parametrize("number", [0, 0xEE, 200])
def test_a_fault_that_nobody_knows_is_told_all_the_same(number: int) -> None:
    assert fault_name(number) == "fault_unknown"
