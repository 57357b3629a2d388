"""Seats, zones and the plane: millimetres and pixels agree wherever the camera hangs."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import Seat
from tests.vision import scene as sc
from vision import cardface, layout, markers
from vision.calibration import Calibration, NotCalibrated, calibrate, from_markers, has_moved, rectify
from vision.layout import Area, Point, Zone


def test_east_sits_at_the_right_hand_of_south() -> None:
    in_front_of_east = layout.seat_to_table(Seat.E, Point(0, -450))

    assert in_front_of_east == Point(450, 0)


@pytest.mark.parametrize("seat", Seat)
def test_seat_and_table_are_inverse(seat: Seat) -> None:
    assert layout.table_to_seat(seat, layout.seat_to_table(seat, Point(12.5, -300.0))) == Point(12.5, -300.0)


def test_zones_of_all_seats_keep_apart_and_on_the_table() -> None:
    boxes = []
    for seat in Seat:
        for zone in layout.ZONES.values():
            points = [layout.seat_to_table(seat, corner) for corner in zone.corners]
            xs, ys = [p.x for p in points], [p.y for p in points]
            boxes.append((min(xs), min(ys), max(xs), max(ys)))

    overlaps = [
        (a, b)
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]

    assert overlaps == []
    assert all(max(map(abs, box)) < layout.TABLE_SIDE_MM / 2 for box in boxes)


def test_an_empty_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="left < right"):
        Zone(1, 1, 0, 5)


def test_the_default_camera_sees_the_centre_in_the_middle_and_north_up() -> None:
    middle, north = layout.table_to_default_px(Point(0, 0)), layout.table_to_default_px(Point(0, 100))

    assert middle == (959.5, 959.5)
    assert north == (959.5, 759.5)


@pytest.mark.parametrize("tilt", [-0.04, 0.0, 0.04])
def test_calibration_finds_the_plane_within_half_a_millimetre(tilt: float) -> None:
    look = sc.Lens(tilt=tilt, shift=(5.3, -7.1))
    image = sc.expose(sc.draw(sc.Scene(), look), look, np.random.default_rng(1))

    found = calibrate(image)

    grid = np.array([(x, y) for x in (-400.0, 0.0, 260.0) for y in (-300.0, 50.0, 400.0)])
    error = np.linalg.norm(found.pixels(grid) - Calibration(sc.camera_matrix(look)).pixels(grid), axis=1)
    assert error.max() < 1.0
    assert found.px_per_mm == pytest.approx(2.0, rel=0.05)


def test_a_hidden_marker_is_named() -> None:
    image = sc.draw(sc.Scene(), sc.Lens())
    image[1750:, 1750:] = 60  # SE

    with pytest.raises(NotCalibrated, match=r"\[1\]"):
        calibrate(image)


def test_a_bump_is_noticed_and_noise_is_not() -> None:
    look = sc.Lens()
    before = calibrate(sc.draw(sc.Scene(), look))
    rng = np.random.default_rng(2)
    noisy = sc.expose(sc.draw(sc.Scene(), look), sc.Lens(noise=4), rng)
    bumped = sc.draw(sc.Scene(), sc.Lens(shift=(12.0, 0.0)))

    assert not has_moved(before, markers.find_markers(noisy))
    assert has_moved(before, markers.find_markers(bumped))


def test_a_scaled_calibration_fits_a_reduced_picture() -> None:
    plane = from_markers(markers.find_markers(sc.draw(sc.Scene(), sc.Lens())))

    quarter = plane.scaled(0.25)

    full, small = plane.pixels(np.array([[100.0, 50.0]])), quarter.pixels(np.array([[100.0, 50.0]]))
    assert small == pytest.approx((full + 0.5) * 0.25 - 0.5)


@pytest.mark.parametrize("seat", Seat)
def test_a_zone_is_seen_upright_by_its_player(seat: Seat) -> None:
    scene = sc.Scene(laid=[sc.Laid(cardface.draw_pass_card(4.0), seat, 110, -306)])
    image = sc.draw(scene, sc.Lens())

    picture = rectify(image, calibrate(image), seat, layout.ZONES[Area.NOTICE])

    (marker,) = markers.find_markers(picture.image)
    x, y = marker.centre
    assert (x / 3 + 100, -290 - y / 3) == pytest.approx((layout.PASS_PLACE.x, layout.PASS_PLACE.y), abs=0.5)
    assert marker.corners[0, 0] < marker.corners[1, 0]
    assert marker.corners[0, 1] < marker.corners[3, 1]


def test_a_calibration_that_is_no_homography_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        Calibration(np.full((3, 3), np.nan))


@pytest.mark.parametrize(("marker_id", "side"), [(50, 60), (-1, 60), (3, 11)])
def test_a_marker_that_cannot_be_printed_is_refused(marker_id: int, side: int) -> None:
    with pytest.raises(ValueError, match="cannot draw marker"):
        markers.draw_marker(marker_id, side)
