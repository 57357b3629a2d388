"""Whole deals in pixels, in virtual time: every act is seen as it was made, with an even camera and an uneven one."""

from __future__ import annotations

import pytest

from tests.e2e.virtual_table import watched_deal

pytestmark = pytest.mark.timeout(400)
SHORT = [pytest.param(31, 0.0, marks=pytest.mark.slow), pytest.param(32, 0.3, marks=pytest.mark.slow)]
LONG = [pytest.param(seed, late, marks=pytest.mark.sweep) for seed in range(100, 130) for late in (0.0, 0.3)]


@pytest.mark.parametrize(("seed", "late"), [*SHORT, *LONG])
def test_every_act_of_a_clean_deal_is_seen_once(seed: int, late: float) -> None:
    watched = watched_deal(seed, late=late)

    assert watched.seen == watched.made
    assert watched.findings == []
    assert watched.questions == []


@pytest.mark.slow
def test_a_camera_that_is_too_slow_stops_the_play_and_accuses_nobody() -> None:
    watched = watched_deal(33, fps=2.5, limit_s=90.0)

    assert watched.findings == []
    assert watched.states[-1].condition is not None
    assert watched.states[-1].condition.value == "slow"
    assert len(watched.made) <= 4
