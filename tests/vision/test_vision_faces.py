"""The default deck: what a camera has to tell apart is printed large enough and differently enough."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.cards import CARDS, Card, Suit
from vision import cardface, markers
from vision.layout import PITCH_MM
from vision.markers import find_markers

STYLE = cardface.DEFAULT_STYLE


def index_strip(card: Card, px_per_mm: float = 2.0) -> np.ndarray:
    """What a neighbour laid at the smallest pitch leaves to be seen of the index."""
    image = cardface.draw_card(card, px_per_mm).image[:, :, :3].astype(np.float32)
    return image[: round(24 * px_per_mm), : round(PITCH_MM[0] * px_per_mm)]


def ink_rows(card: Card) -> np.ndarray:
    strip = index_strip(card)[:, 2:24].min(axis=2)
    return np.flatnonzero((strip < 128).any(axis=1))


def test_a_card_has_its_size_and_round_corners() -> None:
    face = cardface.draw_card(Card.parse("7H"), 2.0)

    assert face.image.shape == (176, 126, 4)
    assert face.image[0, 0, 3] < 64
    assert face.image[88, 63, 3] == 255


@pytest.mark.parametrize("density", [0.4, 8.5])
def test_a_density_out_of_range_is_refused(density: float) -> None:
    with pytest.raises(ValueError, match="px/mm"):
        cardface.draw_card(Card.parse("2S"), density)


def test_a_drawn_face_cannot_be_painted_over() -> None:
    face = cardface.draw_card(Card.parse("7H"), 2.0)

    with pytest.raises(ValueError, match="read-only"):
        face.image[0, 0, 0] = 1


@pytest.mark.parametrize("text", ["2S", "TH", "QD", "KC", "AS"])
def test_the_rank_is_at_least_fourteen_pixels_high_for_the_default_camera(text: str) -> None:
    rows = ink_rows(Card.parse(text))
    breaks = np.flatnonzero(np.diff(rows) > 1)

    rank_height = breaks[0] + 1

    assert 14 <= rank_height <= 22


@pytest.mark.parametrize("text", ["TS", "TH", "QD", "KC", "SJ", "BJ"])
def test_an_index_fits_the_strip_that_stays_visible(text: str) -> None:
    face = cardface.draw_card(Card.parse(text), 4.0).image[: 24 * 4, :, :3]

    ink = np.flatnonzero((face.min(axis=2) < 128).any(axis=0)) / 4

    assert ink[ink < PITCH_MM[0] - 4].max() < 11.0


def test_no_two_faces_share_their_index() -> None:
    strips = {card: index_strip(card) for card in CARDS}

    nearest = min(np.abs(strips[a] - strips[b]).mean() for a, b in itertools.combinations(CARDS, 2))

    assert nearest > 1.0


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_hearts_diamonds_and_the_big_joker_are_red_and_nothing_else_is(card: Card) -> None:
    strip = index_strip(card, 4.0)[8:60, 8:44]
    ink = strip[strip.min(axis=2) < 60]

    redness = float((ink[:, 2] - ink[:, 1]).mean())

    red = card.suit in {Suit.HEART, Suit.DIAMOND} or card.text == "BJ"
    assert redness > 120 if red else redness < 20


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_turned_round_shows_the_same_index(card: Card) -> None:
    image = cardface.draw_card(card, 4.0).image[:, :, :3].astype(int)

    turned = image[::-1, ::-1]

    assert np.abs(image[:96, 4:44] - turned[:96, 4:44]).mean() < 6


def test_the_pass_card_carries_marker_ten() -> None:
    face = cardface.draw_pass_card(2.0)

    assert [marker.id for marker in find_markers(face.image[:, :, :3].copy())] == [markers.PASS_ID]


@pytest.mark.parametrize("count", range(1, 11))
def test_a_report_card_carries_the_marker_of_its_number(count: int) -> None:
    face = cardface.draw_report_card(count, 2.0)

    (marker,) = find_markers(face.image[:, :, :3].copy())

    assert markers.report_count(marker.id) == count


@pytest.mark.parametrize("count", [0, 11])
def test_there_is_no_report_card_for_other_numbers(count: int) -> None:
    with pytest.raises(ValueError, match=r"1\.\.10"):
        cardface.draw_report_card(count)


def test_a_back_shows_no_index_and_no_marker() -> None:
    face = cardface.draw_back(2.0)

    assert find_markers(face.image[:, :, :3].copy()) == ()
