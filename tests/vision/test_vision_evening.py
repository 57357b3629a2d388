"""What a table and its camera can do to the eyes in an evening: growing plays, swaps, darkness, bumps."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from engine.cards import Seat
from simulator import table
from simulator.camera import Camera
from tests.vision.test_vision_pipeline import Evening, packet, ready
from vision.frames import Pixels
from vision.observations import Condition, Kind

Change = Callable[[Pixels], Pixels]


@pytest.fixture(scope="module")
def camera() -> Camera:
    return Camera(8)


def watch_through(evening: Evening, pictures: int, change: Change) -> None:
    """One picture as `change` makes it, before the last JPEG step, seen so often; each time with another tail."""
    seen = evening.camera.shoot(evening.scene, evening.now_ns / 1e9)
    ok, data = cv2.imencode(".jpg", change(seen), [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert ok
    for number in range(pictures):
        evening.last = data.tobytes() + number.to_bytes(4, "big")
        evening.watch(1, frozen=True)


def dark(image: Pixels) -> Pixels:
    return np.asarray(cv2.convertScaleAbs(image, alpha=0.06), np.uint8)


def covered(image: Pixels) -> Pixels:
    noise = np.random.default_rng(1).normal(70, 2, image.shape[:2])
    return np.dstack([noise.astype(np.uint8)] * 3)


def out_of_focus(image: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 2.2), np.uint8)


def blurred(image: Pixels) -> Pixels:
    return np.asarray(cv2.resize(cv2.GaussianBlur(image[::4, ::4], (0, 0), 4), (1920, 1920)), np.uint8)


def without_corners(image: Pixels) -> Pixels:
    out = image.copy()
    out[:, :220] = 50
    return out


def bumped(image: Pixels) -> Pixels:
    moved = cv2.warpAffine(image, np.array([[1, 0, 14], [0, 1, -9]], np.float64), image.shape[1::-1])
    return np.asarray(moved, np.uint8)


def test_a_straight_that_grows_card_by_card_is_told_once_and_whole(camera: Camera) -> None:
    evening = ready(camera)
    cards = packet("3S 4S 5S 6S 7S")

    for part in (cards[:2], cards[2:3], cards[3:4], cards[4:]):
        evening.scene = table.lay(evening.scene, Seat.N, part)
        evening.watch(1)
    evening.watch(6)

    assert evening.told == [(Seat.N, Kind.LAID, "3S 4S 5S 6S 7S")]


def test_a_play_that_is_changed_without_an_empty_moment_is_told_anew(camera: Camera) -> None:
    evening = ready(camera)
    evening.scene = table.lay(evening.scene, Seat.S, packet("9C 9D"))
    evening.watch(6)

    evening.scene = table.lay(table.lift_play(evening.scene, Seat.S), Seat.S, packet("9C 9H", seed=2))
    evening.watch(6)

    assert evening.told == [(Seat.S, Kind.LAID, "9C 9D"), (Seat.S, Kind.LAID, "9C 9H")]


def test_a_play_that_is_only_pushed_is_not_told_again(camera: Camera) -> None:
    evening = ready(camera)
    evening.scene = table.lay(evening.scene, Seat.S, packet("9C 9D"))
    evening.watch(6)

    evening.scene = table.lay(table.lift_play(evening.scene, Seat.S), Seat.S, packet("9C 9D", seed=2))
    evening.watch(6)

    assert evening.told == [(Seat.S, Kind.LAID, "9C 9D")]


def test_every_showing_of_the_pass_card_is_a_pass(camera: Camera) -> None:
    evening, rng = ready(camera), random.Random(4)

    for _ in range(2):
        evening.scene = table.show_pass(evening.scene, Seat.E, table.pass_sign(rng))
        evening.watch(5)
        evening.scene = table.show_pass(evening.scene, Seat.E, None)
        evening.watch(5)

    assert [kind for _, kind, _ in evening.told] == [Kind.PASS_SHOWN, Kind.PASS_GONE] * 2


def test_a_pass_card_that_shows_in_three_pictures_only_is_a_pass(camera: Camera) -> None:
    evening = ready(camera)

    evening.scene = table.show_pass(evening.scene, Seat.E, table.pass_sign(random.Random(4)))
    evening.watch(3)
    evening.scene = table.show_pass(evening.scene, Seat.E, None)
    evening.watch(4)

    assert [kind for _, kind, _ in evening.told] == [Kind.PASS_SHOWN, Kind.PASS_GONE]


def test_four_seats_that_act_at_once_are_all_told(camera: Camera) -> None:
    evening = ready(camera)
    plays = {Seat.S: "3S", Seat.E: "TH TD", Seat.N: "BJ BJ", Seat.W: "SJ"}

    for seat, text in plays.items():
        evening.scene = table.lay(evening.scene, seat, packet(text))
    evening.watch(7)

    assert {(seat, text) for seat, _, text in evening.told} == set(plays.items())


@pytest.mark.parametrize(
    ("change", "condition"),
    [
        (dark, Condition.DARK),
        (covered, Condition.COVERED),
        (out_of_focus, Condition.BLURRED),
        (blurred, Condition.BLURRED),
        (without_corners, Condition.NO_MARKERS),
    ],
)
def test_a_camera_that_cannot_see_says_why_and_tells_nothing_till_it_sees_again(
    camera: Camera, change: Change, condition: Condition
) -> None:
    evening = ready(camera)
    evening.scene = table.lay(evening.scene, Seat.W, packet("5C 5D"))
    evening.watch(6)
    evening.seen.clear()

    watch_through(evening, 50 if change is out_of_focus else 26, change)
    blind, state = list(evening.told), evening.states[-1]
    evening.watch(8)

    assert state.condition is condition
    assert blind == []
    assert evening.states[-1].ok
    assert [told for told in evening.told if told[1] is not Kind.CLEARED] == [(Seat.W, Kind.LAID, "5C 5D")]
    assert all(seen.initial for seen in evening.seen)


def test_a_bumped_camera_finds_the_table_again(camera: Camera) -> None:
    evening = ready(camera)
    evening.scene = table.lay(evening.scene, Seat.N, packet("KH KD"))
    evening.watch(6)
    evening.seen.clear()

    watch_through(evening, 24, bumped)

    assert [told for told in evening.told if told[1] is not Kind.CLEARED] == [(Seat.N, Kind.LAID, "KH KD")]
    assert all(seen.initial for seen in evening.seen)
    assert evening.states[-1].ok


def test_no_picture_raises_whatever_it_is(camera: Camera) -> None:
    evening = ready(camera)
    rng = np.random.default_rng(5)
    shapes = [(16, 16), (40, 1920), (480, 640), (1080, 1920), (1921, 1919)]

    for h, w in shapes:
        ok, data = cv2.imencode(".jpg", rng.integers(0, 256, (h, w, 3), dtype=np.uint8))
        assert ok
        evening.last = data.tobytes()
        evening.watch(2, frozen=True)

    assert evening.told == []


def test_signs_of_life_come_twice_a_second_and_count_the_pictures(camera: Camera) -> None:
    evening = ready(camera)
    evening.states.clear()

    evening.watch(30)

    assert len(evening.states) >= 6
    assert evening.states[-1].fps == pytest.approx(10, abs=1)
    assert evening.states[-1].frame_age_ms < 200
