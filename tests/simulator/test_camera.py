"""The simulated camera sees what lies there as a real one would: readable, noisy, and bare when it is bare."""

from __future__ import annotations

import random
import time
from functools import cache

import cv2
import numpy as np
import pytest

from engine.cards import PACKS, PLAY_ORDER, Card, Seat
from simulator.camera import DRIFT, SIDE_PX, Camera
from simulator.lens import Lens, Patch, default_lens, hang_camera
from simulator.table import (
    Reach,
    Scene,
    discard,
    hand_of,
    lay,
    lift_play,
    pass_sign,
    report_sign,
    show_pass,
    show_report,
    spread,
    turned_over,
)
from vision.calibration import calibrate, rectify
from vision.frames import Pixels
from vision.layout import ZONES, Area, Point, table_to_default_px
from vision.markers import PASS_ID, TABLE_IDS, find_markers, report_id
from vision.read import read_play
from vision.templates import DENSITY, index_templates


@cache
def empty_picture() -> Pixels:
    return Camera(3).shoot(Scene(), 0.0)


def set_table(rng: random.Random, counts: tuple[int, int, int, int]) -> tuple[Scene, dict[Seat, tuple[Card, ...]]]:
    """A scene with plays of so many cards, piles, PASS cards and report cards for 1, 4, 7 and 10 cards."""
    deck = list(PACKS)
    rng.shuffle(deck)
    scene, plays = Scene(), {}
    for seat, count, left in zip(PLAY_ORDER, counts, (1, 4, 7, 10), strict=True):
        plays[seat] = tuple(deck.pop() for _ in range(count))
        scene = lay(scene, seat, spread(plays[seat], rng))
        scene = show_report(show_pass(scene, seat, pass_sign(rng)), seat, report_sign(left, rng))
        scene = discard(scene, seat, turned_over(3, rng))
    return scene, plays


def zone_pixels(lens: Lens, seat: Seat, area: Area) -> tuple[slice, slice]:
    quad = lens.seat_px(seat, np.array([(p.x, p.y) for p in ZONES[area].corners]))
    low, high = np.ceil(quad.min(axis=0)).astype(int), np.floor(quad.max(axis=0)).astype(int)
    return slice(low[1], high[1]), slice(low[0], high[0])


@pytest.mark.parametrize(("seed", "counts"), [(1, (10, 1, 5, 6)), (2, (2, 8, 4, 3))])
def test_the_reader_reads_every_card_and_marker_of_a_full_table(seed: int, counts: tuple[int, int, int, int]) -> None:
    scene, plays = set_table(random.Random(seed), counts)
    jpeg = Camera(seed).picture(scene, 5_000_000_000).jpeg
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)

    markers = sorted(marker.id for marker in find_markers(image))
    calibration = calibrate(image)
    zones = {seat: rectify(image, calibration, seat, ZONES[Area.PLAY].widened(12), DENSITY) for seat in Seat}
    read = {seat: read_play(picture, index_templates()) for seat, picture in zones.items()}

    assert markers == sorted([*TABLE_IDS, *[PASS_ID] * 4, *(report_id(count) for count in (1, 4, 7, 10))])
    assert {seat: reading.faces for seat, reading in read.items()} == plays


def test_every_hanging_of_the_camera_sees_the_table_whole_and_dense_enough() -> None:
    for seed in range(300):
        lens = hang_camera(random.Random(seed), SIDE_PX)
        rim = lens.px(np.array([(x, y) for x in (-450.0, 450.0) for y in (-450.0, 450.0)]))
        assert rim.min() >= 0
        assert rim.max() <= SIDE_PX - 1
        for seat in Seat:
            for corner in ZONES[Area.PLAY].corners:
                there = lens.seat_px(
                    seat, np.array([(corner.x, corner.y), (corner.x + 1, corner.y), (corner.x, corner.y + 1)])
                )
                assert np.linalg.norm(there[1:] - there[0], axis=1).min() >= 1.8


def test_the_level_camera_is_that_of_the_layout() -> None:
    points = [(-450.0, 450.0), (0.0, 0.0), (133.0, -71.5)]

    pixels = default_lens().px(np.array(points))

    assert np.allclose(pixels, [table_to_default_px(Point(*point)) for point in points])


def test_a_seat_sees_its_cards_upright_on_its_own_side() -> None:
    lens = default_lens()

    near_e, right_of_e = lens.seat_px(Seat.E, np.array([(0.0, -400.0), (100.0, -400.0)]))

    assert near_e[0] > SIDE_PX * 0.8
    assert right_of_e[1] < near_e[1]


def test_pictures_of_a_quiet_table_differ_by_noise_only() -> None:
    camera = Camera(3)

    first, second = camera.shoot(Scene(), 10.0), camera.shoot(Scene(), 10.1)

    difference = np.abs(first.astype(np.int16) - second.astype(np.int16))
    assert 0.5 < float(difference.mean()) < 5.0


def test_the_light_drifts_by_five_percent_at_most() -> None:
    camera = Camera(4, side_px=480)

    levels = [float(camera.shoot(Scene(), float(second)).mean()) for second in range(0, 60, 3)]

    middle = (max(levels) + min(levels)) / 2
    assert 0.5 * DRIFT < (max(levels) - min(levels)) / 2 / middle < 1.1 * DRIFT


def test_the_same_seed_and_scenes_give_the_same_pictures() -> None:
    scene, _ = set_table(random.Random(6), (1, 2, 3, 4))

    assert Camera(6, 480).picture(scene, 7).jpeg == Camera(6, 480).picture(scene, 7).jpeg
    assert Camera(6, 480).picture(scene, 7).jpeg != Camera(7, 480).picture(scene, 7).jpeg


def test_a_cleared_table_looks_as_if_nothing_had_lain_there() -> None:
    camera = Camera(3)
    scene, _ = set_table(random.Random(6), (10, 10, 10, 10))
    camera.shoot(scene, 0.0)
    for seat in Seat:
        scene = show_report(show_pass(lift_play(scene, seat), seat, None), seat, None)

    image = camera.shoot(scene, 0.0)

    for seat in Seat:
        for area in (Area.PLAY, Area.NOTICE):
            here = zone_pixels(camera.lens, seat, area)
            difference = np.abs(image[here].astype(np.int16) - empty_picture()[here].astype(np.int16))
            assert difference.max() <= 25, f"{seat} {area}"  # noise, both times


def test_a_hand_over_the_cards_hides_some_of_them_and_leaves_no_trace() -> None:
    camera = Camera(3)
    scene = lay(Scene(), Seat.N, spread(PACKS[20:25], random.Random(2)))
    here = zone_pixels(camera.lens, Seat.N, Area.PLAY)
    before = camera.shoot(scene, 0.0)[here].astype(np.int16)
    over = hand_of(scene, Seat.N, Reach(Point(8, -600), Point(8, -285), 0.0, 0.25))

    during = camera.shoot(over, 1.0)[here].astype(np.int16)
    after = camera.shoot(scene, 0.0)[here].astype(np.int16)

    assert np.abs(during - before).max(axis=2).mean() > 15
    assert np.abs(after - before).max() <= 25


def test_carried_cards_move_with_the_hand() -> None:
    camera, rng = Camera(3), random.Random(2)
    packet, palm = spread(PACKS[20:23], rng), Point(8, -285)
    held = hand_of(Scene(), Seat.S, Reach(Point(8, -640), palm, 0.0, 0.25, packet, palm))
    play = zone_pixels(camera.lens, Seat.S, Area.PLAY)

    early = camera.shoot(held, 0.05)[play]
    late = camera.shoot(held, 0.25)[play]

    def white(image: Pixels) -> int:
        return int((image.min(axis=2) > 190).sum())

    assert white(early) == 0
    assert white(late) > 5_000


def test_a_patch_half_outside_the_picture_paints_what_is_inside() -> None:
    image = np.zeros((20, 20, 3), np.uint8)
    light = np.ones((20, 20, 1), np.float32)
    patch = Patch(-5, 15, np.zeros((10, 10, 1), np.float32), np.full((10, 10, 3), 200, np.float32))

    patch.put_on(image, light)
    patch.put_on(image, light, dx=500)

    assert int((image[:, :, 0] == 200).sum()) == 25


def test_a_patch_checks_its_shape() -> None:
    with pytest.raises(ValueError, match="a patch is"):
        Patch(0, 0, np.zeros((10, 10), np.float32), np.zeros((10, 10, 3), np.float32))  # type: ignore[arg-type]  # meant


@pytest.mark.alone
def test_ten_pictures_a_second_take_at_most_0_6_of_a_core() -> None:
    cv2.setNumThreads(1)
    camera = Camera(5)
    scene, _ = set_table(random.Random(6), (5, 1, 2, 3))
    camera.picture(scene, 0)
    moving = hand_of(scene, Seat.N, Reach(Point(8, -640), Point(8, -285), 0.0, 0.3))

    start_s = time.process_time()
    for i in range(20):
        camera.picture(moving if i % 4 == 0 else scene, i * 100_000_000)
    each_ms = (time.process_time() - start_s) / 20 * 1000

    assert each_ms <= 60, f"{each_ms:.1f} ms a picture"
