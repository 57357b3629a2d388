"""The camera's condition over time, from when pictures come."""

from __future__ import annotations

import pytest

from vision.observations import Condition
from vision.quality import Health


def come(health: Health, at_s: float, fps: float, seconds: float) -> tuple[float, Condition | None]:
    """Pictures come so often for so long; the time after them and the condition then."""
    for _ in range(round(seconds * fps)):
        at_s += 1 / fps
        health.arrived(round(at_s * 1000), round(at_s * 1e9))
    return at_s, health.condition(round(at_s * 1e9))


@pytest.mark.parametrize(("fps", "condition"), [(3.0, Condition.SLOW), (5.0, None), (10.0, None), (30.0, None)])
def test_too_few_pictures_a_second_are_told(fps: float, condition: Condition | None) -> None:
    assert come(Health(0), 0.0, fps, 6.0)[1] is condition


def test_a_slow_camera_is_good_again_when_it_is_clearly_faster() -> None:
    health = Health(0)
    at_s, condition = come(health, 0.0, 3.0, 4.0)
    assert condition is Condition.SLOW

    at_s, condition = come(health, at_s, 5.0, 4.0)
    assert condition is Condition.SLOW
    at_s, condition = come(health, at_s, 8.0, 4.0)
    assert condition is None


def test_a_camera_that_comes_back_is_counted_from_there() -> None:
    health = Health(0)
    at_s, _ = come(health, 0.0, 10.0, 3.0)
    assert health.condition(round((at_s + 3.0) * 1e9)) is Condition.NO_FRAMES

    for seconds in (0.5, 1.0, 2.0):
        _, condition = come(health, at_s + 3.0, 10.0, seconds)
        assert condition is None
        at_s += 3.0 + seconds
