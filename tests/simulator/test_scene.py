"""What lies where on the simulated table keeps to the layout that the reader expects."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARDS, Seat
from simulator.table import (
    FaceDown,
    Lying,
    PassSign,
    Place,
    Reach,
    ReportSign,
    Scene,
    discard,
    hand_of,
    lay,
    lift_play,
    middle_of,
    pass_sign,
    report_sign,
    show_pass,
    show_report,
    spread,
    turned_over,
)
from vision.layout import PITCH_MM, ZONES, Area, Point, Zone

SEEDS = st.integers(0, 10_000_000)


def inside(card: Lying, zone: Zone) -> bool:
    return all(zone.left <= p.x <= zone.right and zone.near <= p.y <= zone.far for p in card.corners)


@given(SEEDS, st.integers(1, 10))
def test_a_lay_down_stays_in_the_play_zone(seed: int, count: int) -> None:
    packet = spread(CARDS[:count], random.Random(seed))

    assert all(inside(card, ZONES[Area.PLAY]) for card in packet)


@given(SEEDS, st.integers(2, 10))
def test_cards_lie_left_to_right_at_a_pitch_that_shows_every_index(seed: int, count: int) -> None:
    packet = spread(CARDS[:count], random.Random(seed))

    steps = [math.hypot(b.x - a.x, b.y - a.y) for a, b in itertools.pairwise(packet)]
    assert all(PITCH_MM[0] - 0.2 <= step <= PITCH_MM[1] + 0.2 for step in steps)
    assert [card.x for card in packet] == sorted(card.x for card in packet)
    assert all(abs(card.turn_deg) <= 6 for card in packet)


@given(SEEDS, st.integers(1, 10))
def test_pass_and_report_cards_lie_side_by_side_in_the_notice_zone(seed: int, count: int) -> None:
    rng = random.Random(seed)

    passing, report = pass_sign(rng), report_sign(count, rng)

    assert inside(passing, ZONES[Area.NOTICE])
    assert inside(report, ZONES[Area.NOTICE])
    assert max(p.x for p in passing.corners) < min(p.x for p in report.corners)
    assert passing.shown == PassSign()
    assert report.shown == ReportSign(count)


@given(SEEDS, st.integers(1, 10))
def test_discarded_cards_lie_face_down_in_their_zone(seed: int, count: int) -> None:
    packet = turned_over(count, random.Random(seed))

    assert len(packet) == count
    assert all(card.shown == FaceDown() and inside(card, ZONES[Area.DISCARD]) for card in packet)


@pytest.mark.parametrize("count", [0, 11])
def test_only_one_to_ten_cards_are_laid_at_once(count: int) -> None:
    with pytest.raises(ValueError, match="cannot be laid at once"):
        spread(CARDS[:count], random.Random(1))


def test_a_scene_changes_before_one_seat_only() -> None:
    rng = random.Random(1)
    packet, backs = spread(CARDS[:3], rng), turned_over(3, rng)

    scene = lay(Scene(), Seat.E, packet)
    scene = show_report(show_pass(scene, Seat.E, pass_sign(rng)), Seat.E, report_sign(4, rng))
    scene = discard(lift_play(scene, Seat.E), Seat.E, backs)

    assert scene.at(Seat.E).play == ()
    assert scene.at(Seat.E).discard == backs
    assert len(scene.at(Seat.E).notice) == 2
    assert all(scene.at(seat) == Place() for seat in (Seat.S, Seat.N, Seat.W))


def test_a_hand_moves_from_start_to_end_and_stays_there() -> None:
    reach = Reach(Point(0, -600), Point(10, -300), 5.0, 5.5)

    assert reach.palm(4.0) == Point(0, -600)
    assert reach.palm(5.25) == Point(5, -450)
    assert reach.palm(9.0) == Point(10, -300)
    assert hand_of(Scene(), Seat.W, reach).at(Seat.W).hand == reach


def test_nothing_has_no_middle() -> None:
    with pytest.raises(ValueError, match="no card"):
        middle_of(())
