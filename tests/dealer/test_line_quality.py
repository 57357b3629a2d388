"""A line is poor by its share of bad and repeated frames in a span, not by a few of them."""

from __future__ import annotations

import pytest

from dealer.line_quality import POOR_LEAST, SPAN_S, LineQuality


def counts(frames: int, retransmits: int = 0, bad_frames: int = 0) -> dict[str, int]:
    return {"frames": frames, "retransmits": retransmits, "bad_frames": bad_frames}


def begun() -> LineQuality:
    quality = LineQuality()
    assert quality.judge(100.0, counts(50)) is False
    return quality


@pytest.mark.parametrize(
    ("more", "is_poor"),
    [
        (counts(250), False),
        (counts(250, retransmits=6, bad_frames=4), True),
        (counts(250, retransmits=9), False),
        (counts(70, bad_frames=POOR_LEAST - 1), False),
        (counts(70, bad_frames=POOR_LEAST), True),
    ],
)
def test_a_share_of_five_percent_and_five_frames_are_poor(more: dict[str, int], is_poor: bool) -> None:
    assert begun().judge(100.0 + SPAN_S, more) is is_poor


def test_nothing_is_said_before_a_span_has_ended() -> None:
    assert begun().judge(99.9 + SPAN_S, counts(60, bad_frames=9)) is None


def test_what_was_wrong_before_does_not_make_a_line_poor_again() -> None:
    quality = begun()
    assert quality.judge(100.0 + SPAN_S, counts(100, bad_frames=20)) is True

    assert quality.judge(100.0 + 2 * SPAN_S, counts(150, bad_frames=20)) is False
