"""Reading plays from camera pictures: right, or not sure; never wrong."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.cards import CARDS, Card, Seat, parse_cards
from simulator import table
from simulator.camera import Camera
from tests.vision import scene as sc
from vision import cardface, layout, read
from vision.calibration import Calibration, ZonePicture, calibrate, rectify
from vision.frames import Pixels
from vision.layout import Area
from vision.read import PlayReading, Trouble, read_play
from vision.templates import DENSITY, IndexTemplates, index_templates

ZONE = layout.ZONES[Area.PLAY].widened(6)
FACE = sc.FACE_DENSITY


@pytest.fixture(scope="module")
def templates() -> IndexTemplates:
    return index_templates()


def expose_zone(image: Pixels, look: sc.Lens, seat: Seat = Seat.S, seed: int = 0) -> ZonePicture:
    """The play zone of a seat as a camera picture of the sharp `image` shows it; only that part is exposed."""
    world = sc.camera_matrix(look)
    corners = [layout.seat_to_table(seat, corner) for corner in ZONE.widened(8).corners]
    pixels = Calibration(world).pixels(np.array([(point.x, point.y) for point in corners]))
    x0, y0 = np.maximum(np.floor(pixels.min(axis=0)).astype(int) // 16 * 16, 0)
    x1, y1 = np.ceil(pixels.max(axis=0)).astype(int)
    data = sc.jpeg(sc.expose(image[y0:y1, x0:x1], look, np.random.default_rng(seed)), look.quality)
    part = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    moved = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64) @ world
    return rectify(part, Calibration(moved), seat, ZONE, DENSITY)


def shoot(scene: sc.Scene, look: sc.Lens, seat: Seat = Seat.S, seed: int = 0) -> ZonePicture:
    scene.with_markers = False
    return expose_zone(sc.draw(scene, look), look, seat, seed)


def read_scene(scene: sc.Scene, templates: IndexTemplates, look: sc.Lens | None = None, seed: int = 0) -> PlayReading:
    return read_play(shoot(scene, look or sc.Lens(), seed=seed), templates)


def one_play(texts: Sequence[str], seed: int = 1, **how: float) -> sc.Scene:
    return sc.Scene(laid=sc.play(parse_cards(texts), Seat.S, rng=random.Random(seed), **how))


def is_right_or_unsure(reading: PlayReading, truth: Sequence[Card]) -> bool:
    return not reading.is_sure or reading.faces == tuple(truth)


# -- what has to be read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", range(0, 54, 9))
def test_every_face_is_read_surely_by_itself_at_every_seat(start: int, templates: IndexTemplates) -> None:
    rng = random.Random(start)
    for number, card in enumerate(CARDS[start : start + 9]):
        look = sc.lens(rng)
        seat = list(Seat)[number % 4]
        scene = sc.Scene(laid=sc.play([card], seat, rng=rng))

        reading = read_play(shoot(scene, look, seat, number), templates)

        assert (reading.faces, reading.trouble) == ((card,), None)


def test_ten_overlapped_cards_are_read_left_to_right(templates: IndexTemplates) -> None:
    texts = ["3S", "4H", "5D", "6C", "7S", "8H", "9D", "TC", "JS", "QH"]

    reading = read_scene(one_play(texts), templates)

    assert reading.is_sure
    assert reading.faces == parse_cards(texts)
    assert [card.x_mm for card in reading.cards] == sorted(card.x_mm for card in reading.cards)


def test_equal_cards_of_two_packs_are_both_read(templates: IndexTemplates) -> None:
    texts = ["4S", "4S", "4H", "4H", "BJ", "BJ", "SJ", "SJ"]

    assert read_scene(one_play(texts), templates).faces == parse_cards(texts)


@pytest.mark.parametrize("text", ["TS", "TH", "TD", "TC", "6S", "9S", "6D", "9D"])
@pytest.mark.parametrize("turn", [0, 180, -15, 15])
def test_tens_sixes_and_nines_are_right_or_unsure_however_they_lie(
    text: str, turn: int, templates: IndexTemplates
) -> None:
    (card,) = parse_cards([text])
    laid = sc.Laid(cardface.draw_card(card, FACE), Seat.S, -31.5, -161, turn)

    reading = read_scene(sc.Scene(laid=[laid]), templates)

    assert is_right_or_unsure(reading, [card])
    assert reading.is_sure


@pytest.mark.parametrize("tint", [(0.65, 1.0, 1.25), (1.0, 1.0, 1.0), (1.3, 1.0, 0.65)], ids=["warm", "even", "cold"])
@pytest.mark.parametrize("gain", [0.6, 1.5])
def test_the_two_jokers_are_told_apart_in_three_colours_of_light(
    tint: tuple[float, float, float], gain: float, templates: IndexTemplates
) -> None:
    texts = ["BJ", "SJ", "BJ", "SJ"]

    reading = read_scene(one_play(texts), templates, sc.Lens(tint=tint, gain=gain))

    assert reading.is_sure
    assert reading.faces == parse_cards(texts)


def test_a_joker_whose_colour_is_lost_is_not_guessed(templates: IndexTemplates) -> None:
    look = sc.Lens()
    seen = shoot(one_play(["BJ"]), look)
    grey = cv2.cvtColor(seen.image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    washed = np.dstack([grey * 0.99, grey, np.minimum(grey + 0.3 * (255 - grey), 255)]).astype(np.uint8)

    reading = read_play(replace(seen, image=washed), templates)

    assert not reading.is_sure


def test_the_simulated_table_is_read_surely(templates: IndexTemplates) -> None:
    camera, rng = Camera(11), random.Random(11)
    truth = {seat: tuple(rng.choice(CARDS) for _ in range(n)) for seat, n in zip(Seat, (10, 5, 1, 6), strict=True)}
    scene = table.Scene()
    for seat, cards in truth.items():
        scene = table.lay(scene, seat, table.spread(cards, rng))

    image = camera.shoot(scene, 3.0)

    plane = calibrate(image)
    readings = {seat: read_play(rectify(image, plane, seat, ZONE, DENSITY), templates) for seat in Seat}
    assert {seat: reading.faces for seat, reading in readings.items()} == truth
    assert all(reading.is_sure for reading in readings.values())


# -- what must not be read wrongly --------------------------------------------------------------------------------


@pytest.mark.parametrize("gain", [0.5, 1.0, 1.5, 2.0])
def test_bright_and_dark_pictures_and_a_hot_spot_give_no_wrong_card(gain: float, templates: IndexTemplates) -> None:
    rng = random.Random(round(gain * 10))
    for number in range(4):
        cards = [rng.choice(CARDS) for _ in range(4)]
        look = sc.Lens(gain=gain)
        image = sc.draw(sc.Scene(laid=sc.play(cards, Seat.S, rng=rng)), look).astype(np.float32)
        spot = np.zeros((240, 240), np.float32)
        cv2.circle(spot, (rng.randint(82, 158), rng.randint(158, 185)), 12, 1.0, -1)
        image += 160 * cv2.resize(cv2.GaussianBlur(spot, (0, 0), 4), (1920, 1920))[:, :, None]
        seen = expose_zone(np.clip(image, 0, 255).astype(np.uint8), look, seed=number)

        assert is_right_or_unsure(read_play(seen, templates), cards)


@pytest.mark.parametrize("text", ["7D", "TS", "SJ"])
def test_a_card_cut_by_the_rim_of_the_picture_is_unsure_until_it_is_whole(text: str, templates: IndexTemplates) -> None:
    (card,) = parse_cards([text])
    laid = sc.Laid(cardface.draw_card(card, FACE), Seat.S, -31.5, -161)
    look = sc.Lens()
    whole = shoot(sc.Scene(laid=[laid]), look)
    card_px = round(63 * DENSITY)
    left = round((-31.5 - ZONE.left) * DENSITY)

    for percent in range(1, 100, 4):
        cut = whole.image[:, : left + card_px * percent // 100].copy()
        rim = layout.Zone(ZONE.left, ZONE.left + cut.shape[1] / DENSITY, ZONE.near, ZONE.far)

        reading = read_play(ZonePicture(cut, Seat.S, rim, DENSITY), templates)

        assert not reading.is_sure, f"{percent} % visible"


def test_glare_over_an_index_is_unsure(templates: IndexTemplates) -> None:
    look = sc.Lens()
    image = sc.draw(one_play(["4S", "5H", "6D"], whole_deg=0, card_deg=0, wobble=0), look)
    plane = Calibration(sc.camera_matrix(look))
    middle = plane.pixels(np.array([[-15.0, -172.0]]))[0]
    cv2.ellipse(image, (round(middle[0]), round(middle[1])), (24, 20), 20, 0, 360, (255, 255, 255), -1, cv2.LINE_AA)

    reading = read_play(expose_zone(image, look), templates)

    assert is_right_or_unsure(reading, parse_cards(["4S", "5H", "6D"]))


@pytest.mark.parametrize("covered", range(4))
def test_a_play_with_a_covered_index_is_unsure(covered: int, templates: IndexTemplates) -> None:
    look = sc.Lens()
    scene = one_play(["3S", "4H", "5D", "6C"], whole_deg=0, card_deg=0, wobble=0)
    image = sc.draw(scene, look)
    plane = Calibration(sc.camera_matrix(look))
    x = scene.laid[covered].left + 6
    corners = [(x - 8, -150), (x + 8, -150), (x + 8, -190), (x - 8, -190)]
    finger = np.round(plane.pixels(np.array(corners, np.float64))).astype(np.int32)
    cv2.fillPoly(image, [finger], (120, 150, 205))

    reading = read_play(expose_zone(image, look), templates)

    assert not reading.is_sure


def test_a_card_squared_up_under_another_makes_the_play_unsure_or_unseen(templates: IndexTemplates) -> None:
    cards = parse_cards(["3S", "4S", "5S"])
    lefts = (-40, -34, -14)
    laid = [
        sc.Laid(cardface.draw_card(card, FACE), Seat.S, left, -161) for card, left in zip(cards, lefts, strict=True)
    ]

    reading = read_scene(sc.Scene(laid=laid), templates)

    assert not reading.is_sure


@pytest.mark.parametrize("seed", range(6))
def test_sloppy_rows_are_right_or_unsure(seed: int, templates: IndexTemplates) -> None:
    rng = random.Random(seed)
    cards = [rng.choice(CARDS) for _ in range(4)]
    laid = sc.play(cards, Seat.S, rng=rng, card_deg=6, pitch=(9, 42), wobble=14)

    assert is_right_or_unsure(read_scene(sc.Scene(laid=laid), templates), cards)


# -- what is no card ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cloth", [(70, 105, 45), (84, 62, 26), (40, 40, 120), (90, 90, 90), (25, 25, 25)])
def test_an_empty_zone_is_empty(cloth: tuple[int, int, int], templates: IndexTemplates) -> None:
    assert read_scene(sc.Scene(cloth=cloth), templates).is_empty


def test_a_black_picture_is_empty(templates: IndexTemplates) -> None:
    assert read_play(ZonePicture(np.zeros((366, 936, 3), np.uint8), Seat.S, ZONE, DENSITY), templates).is_empty


def test_cards_lying_face_down_are_foreign(templates: IndexTemplates) -> None:
    laid = [sc.Laid(cardface.draw_back(FACE), Seat.S, left, -161, 1.0) for left in (-60.0, -20.0)]

    reading = read_scene(sc.Scene(laid=laid), templates)

    assert (reading.cards, reading.trouble) == ((), Trouble.FOREIGN)


def test_a_hand_over_an_empty_zone_is_no_card(templates: IndexTemplates) -> None:
    scene = sc.Scene(patches=sc.hand(Seat.S, -200))

    assert not read_scene(scene, templates).is_sure
    assert read_scene(scene, templates).cards == ()


def test_another_density_is_refused(templates: IndexTemplates) -> None:
    with pytest.raises(ValueError, match="px/mm"):
        read_play(ZonePicture(np.zeros((244, 624, 3), np.uint8), Seat.S, ZONE, 2.0), templates)


# -- figures ------------------------------------------------------------------------------------------------------


def measure(pictures: int, seed: int, templates: IndexTemplates) -> Counter[str]:
    """Plays of 1 to 10 cards at all four seats under every nuisance of the default table."""
    rng = random.Random(seed)
    count: Counter[str] = Counter()
    for number in range(pictures):
        scene = sc.Scene()
        truth = {}
        for seat in Seat:
            truth[seat] = tuple(rng.choice(CARDS) for _ in range(rng.choice([1, 2, 3, 5, 5, 6, 8, 10])))
            scene.laid += sc.play(truth[seat], seat, rng=rng)
        data = sc.picture(scene, sc.lens(rng), np.random.default_rng(number))
        image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        plane = calibrate(image)
        for seat, cards in truth.items():
            reading = read_play(rectify(image, plane, seat, ZONE, DENSITY), templates)
            count["cards"] += len(cards)
            if not reading.is_sure:
                count["unsure"] += len(cards)
            elif reading.faces != cards:
                count["wrong"] += max(1, sum(a != b for a, b in zip(reading.faces, cards, strict=False)))
    sys.stdout.write(f"seed {seed}: {dict(count)}\n")
    return count


def test_recognition_on_a_few_hundred_cards(templates: IndexTemplates) -> None:
    count = measure(6, 2026, templates)

    assert count["wrong"] == 0
    assert count["unsure"] <= 0.03 * count["cards"]


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_recognition_on_five_thousand_cards(templates: IndexTemplates) -> None:
    count = measure(260, 1, templates)

    assert count["cards"] >= 5000
    assert count["wrong"] == 0
    assert count["unsure"] <= 0.002 * count["cards"]


def test_sure_is_what_the_table_calls_sure() -> None:
    assert read.SURE >= 0.8


def test_lens_without_nuisance_is_read(templates: IndexTemplates) -> None:
    plain = replace(sc.Lens(), noise=0.0, blur=0.0, quality=95)

    assert read_scene(one_play(["KC"]), templates, plain).faces == parse_cards(["KC"])
