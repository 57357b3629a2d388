"""Index styles drawn by code: sizes as said, every face told from every other, nothing outside its box."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import CARDS, Card, Rank, Suit
from tests.vision.held_out_styles import HELD_OUT
from vision.index_patch import IndexTooLarge, draw_index, index_of
from vision.index_style import BadStyle, IndexStyle, Inks, JokerIndex
from vision.shape import Box, Shape
from vision.style_sheet import main as draw_sheet
from vision.styled_face import draw_styled_card
from vision.styles import STYLES

ALL = (*STYLES, *HELD_OUT)
PX_PER_MM = 8.0


def named(name: str) -> IndexStyle:
    return next(style for style in STYLES if style.name == name)


def inked_mm(coverage: np.ndarray, px_per_mm: float = PX_PER_MM) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of what is more ink than paper."""
    rows, columns = np.nonzero(coverage > 127)
    return (
        columns.min() / px_per_mm,
        rows.min() / px_per_mm,
        (columns.max() + 1) / px_per_mm,
        (rows.max() + 1) / px_per_mm,
    )


def drawn_alone(shape: Shape, side: int = 32) -> np.ndarray:
    """The ink of a shape stretched over a square, so that size, place and colour tell nothing; 0 to 1."""
    image = np.zeros((side, side), dtype=np.uint8)
    shape.fitted(Box(0.0, 0.0, 1.0, 1.0)).fill(image, side, (255,))
    return image.astype(np.float32) / 255


def test_at_least_forty_styles_with_names_of_their_own() -> None:
    names = [style.name for style in ALL]

    assert len(STYLES) >= 40
    assert len(HELD_OUT) >= 2
    assert len(set(names)) == len(names)


def test_the_styles_cover_the_range_of_sizes_and_every_kind_of_joker() -> None:
    heights = [style.rank_height for style in STYLES]

    assert (min(heights), max(heights)) == (5.0, 18.0)
    assert {style.joker for style in STYLES} == set(JokerIndex)
    assert {style.corners for style in STYLES} == {2, 4}
    assert sum(style.serif > 0 for style in STYLES) >= 10
    assert sum(style.slant > 0 for style in STYLES) >= 2


def test_names_say_height_and_corners() -> None:
    for style in STYLES:
        height = re.search(r"(\d+)mm", style.name)
        assert height is not None, style.name
        assert int(height[1]) == int(style.rank_height), style.name
        assert ("four-corner" in style.name) == (style.corners == 4), style.name
        assert ("serif" in style.name) == (style.serif > 0), style.name


def test_held_out_styles_share_no_letters_and_no_suits_with_the_others() -> None:
    seen = {id(style.letters) for style in STYLES} | {id(style.suits) for style in STYLES}

    assert not {id(style.letters) for style in HELD_OUT} & seen
    assert not {id(style.suits) for style in HELD_OUT} & seen


def test_nothing_outside_the_tests_knows_the_held_out_styles() -> None:
    root = Path(__file__).parents[2]
    for room in ("vision", "dealer", "simulator"):
        for file in (root / room).rglob("*.py"):
            assert "import held_out" not in file.read_text("utf-8"), file
            assert "held_out_styles import" not in file.read_text("utf-8"), file


@pytest.mark.parametrize("style", ALL, ids=lambda style: style.name)
def test_ranks_differ_by_shape_and_so_do_suits(style: IndexStyle) -> None:
    indices = {card: index_of(card, style) for card in CARDS}
    ranks = {card: drawn_alone(indices[card].rank) for card in CARDS if card.suit is Suit.SPADE}
    suits = {card: drawn_alone(indices[card].suit) for card in CARDS if card.rank is Rank.ACE}  # type: ignore[arg-type]  # an ace has one

    for kind in (ranks, suits):
        closest, first, second = min(
            (float(np.abs(kind[a] - kind[b]).mean()), a, b) for a, b in itertools.combinations(kind, 2)
        )
        assert closest >= 0.06, f"{first} and {second} of {style.name} differ by {closest:.3f} of the box"


@pytest.mark.parametrize("style", ALL, ids=lambda style: style.name)
def test_sizes_measured_on_the_picture_are_those_of_the_style(style: IndexStyle) -> None:
    for card in (Card.parse("8S"), Card.parse("TC"), Card.parse("KD"), Card.parse("AH")):
        index = index_of(card, style)
        assert index.suit is not None
        coverage = draw_index(card, style, PX_PER_MM).coverage
        split = round((index.rank.box.bottom + style.gap / 2) * PX_PER_MM)
        if style.suit_beside:
            split = round((style.margin_y + style.rank_height + 1) * PX_PER_MM)
            across = round((index.suit.box.left - style.gap / 2) * PX_PER_MM)
            rank, suit = coverage[:split, :across], coverage[:split, across:]
        else:
            rank, suit = coverage[:split], coverage[split:]
        _, top, _, bottom = inked_mm(rank)
        _, suit_top, _, suit_bottom = inked_mm(suit)

        assert bottom - top == pytest.approx(style.rank_height, abs=0.26), card
        assert top == pytest.approx(style.margin_y, abs=0.2), card
        # the points of hearts and diamonds are finer than a pixel
        if not style.suit_beside:
            assert suit_top + split / PX_PER_MM - bottom == pytest.approx(style.gap, abs=0.45), card
        assert suit_bottom - suit_top == pytest.approx(style.suit_height, abs=0.45 + 0.04 * style.suit_height), card


@pytest.mark.parametrize("style", ALL, ids=lambda style: style.name)
def test_the_box_holds_all_ink_and_no_more(style: IndexStyle) -> None:
    for card in (*CARDS[:52:3], *CARDS[52:]):  # every rank, every suit, both jokers
        patch = draw_index(card, style, 4.0)
        box = patch.box
        left, top, right, bottom = inked_mm(patch.coverage, 4.0)

        rows, columns = np.nonzero(patch.coverage > 40)
        assert columns.min() / 4.0 >= box.left - 0.3, card
        assert rows.min() / 4.0 >= box.top - 0.3, card
        assert (columns.max() + 1) / 4.0 <= box.right + 0.3, card
        assert (rows.max() + 1) / 4.0 <= box.bottom + 0.3, card
        assert (right - left, bottom - top) == pytest.approx((box.width, box.height), abs=1.1), card


@pytest.mark.parametrize("style", ALL, ids=lambda style: style.name)
def test_all_faces_of_a_style_have_their_indices_in_the_boxes(style: IndexStyle) -> None:
    pictures = []
    for card in CARDS:
        drawn = draw_styled_card(card, style, 1.0)
        image = drawn.face.image
        assert image.shape == (88, 63, 4)
        assert image[0, 0, 3] < 128  # a round corner
        assert image[44, 31, 3] == 255
        assert len(drawn.indices) == style.corners
        assert sum(place.upright for place in drawn.indices) == style.corners // 2
        for place in drawn.indices:
            box = place.box
            cut = image[round(box.top) : round(box.bottom), round(box.left) : round(box.right), :3]
            assert cut.astype(float).mean() < 245, (card, place)
        pictures.append(cv2.resize(image[:, :, :3], (32, 44), interpolation=cv2.INTER_AREA).astype(np.float32).ravel())

    faces = np.stack(pictures)
    closest = min(float(np.abs(faces[i + 1 :] - faces[i]).mean(axis=1).min()) for i in range(len(faces) - 1))

    assert closest >= 0.5


@pytest.mark.parametrize("style", ALL, ids=lambda style: style.name)
def test_indices_are_printed_in_the_inks_of_the_style(style: IndexStyle) -> None:
    inks = style.inks
    expected = {"8S": inks.spade, "8H": inks.heart, "8C": inks.club, "8D": inks.diamond}
    for text, ink in (expected | {"BJ": inks.big_joker, "SJ": inks.small_joker}).items():
        card = Card.parse(text)
        patch = draw_index(card, style, 4.0)
        printed = np.median(patch.image[patch.coverage == 255], axis=0)

        assert tuple(int(part) for part in printed) == ink, text
        blue, _, red = (int(part) for part in printed)
        if card.suit is Suit.HEART or card.rank is Rank.BIG_JOKER:
            assert red - blue > 80, text
        if card.suit is Suit.SPADE or card.rank is Rank.SMALL_JOKER:
            assert abs(red - blue) < 60, text


def test_four_colours_are_told_by_the_name() -> None:
    for style in STYLES:
        colours = {style.inks.spade, style.inks.heart, style.inks.club, style.inks.diamond}
        assert len(colours) == (4 if "four-colour" in style.name else 2), style.name


def test_a_nine_is_a_six_upside_down_and_neither_is_another_digit() -> None:
    style = named("plain-sans-8mm-two-corner")
    six, nine, eight = (index_of(Card.parse(text), style).rank for text in ("6S", "9S", "8S"))
    turned = six.upside_down(six.box.left + six.box.right, six.box.top + six.box.bottom)

    def shared(a: Shape, b: Shape) -> float:
        one, other = drawn_alone(a, 100) > 0.5, drawn_alone(b, 100) > 0.5
        return float((one & other).sum() / (one | other).sum())

    assert shared(turned, nine) > 0.95
    assert shared(six, nine) < 0.8
    assert shared(six, eight) < 0.9


def test_the_same_style_gives_the_same_pixels() -> None:
    for style in (STYLES[0], STYLES[-1], HELD_OUT[1]):
        for text in ("KS", "TD", "BJ"):
            card = Card.parse(text)
            first = draw_styled_card(card, style, 2.0).face.image
            index_of.cache_clear()
            again = draw_styled_card(card, replace(style), 2.0).face.image

            assert np.array_equal(first, again)


def test_an_italic_leans_to_the_right_and_keeps_its_height() -> None:
    upright = named("plain-sans-8mm-two-corner")
    leaning = replace(upright, slant=15.0)
    king = Card.parse("KS")

    boxes = [index_of(king, style).rank.box for style in (upright, leaning)]

    assert boxes[1].height == pytest.approx(boxes[0].height)
    assert boxes[1].width > boxes[0].width + 1.5


def test_a_heavier_style_has_more_ink() -> None:
    style = named("plain-sans-8mm-two-corner")

    inked = [
        int(draw_index(Card.parse("8S"), replace(style, weight=w), 8.0).coverage.sum()) for w in (0.07, 0.14, 0.22)
    ]

    assert inked == sorted(inked)
    assert inked[2] > 1.3 * inked[0]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("rank_height", 4.9, "rank_height 4.9; give 5 to 18 mm"),
        ("rank_height", 18.5, "rank_height 18.5"),
        ("squeeze", 0.2, "squeeze 0.2"),
        ("weight", float("nan"), "weight nan"),
        ("weight", 0.27, "weight 0.27; strokes would fill the letters"),
        ("slant", -3.0, "slant -3.0"),
        ("gap", 9.0, "gap 9.0"),
        ("corners", 3, "corners 3; give 2 or 4"),
        ("alternates", "8", "alternates '8'; sans has a second form of 123467"),
        ("joker_height", 12.0, "joker_height 12.0"),
    ],
)
def test_a_bad_value_is_refused_by_name(field: str, value: object, said: str) -> None:
    with pytest.raises(BadStyle, match=re.escape(said)):
        IndexStyle("odd", **{field: value})  # type: ignore[arg-type]  # one bad value at a time


def test_a_bad_ink_or_density_is_refused() -> None:
    with pytest.raises(ValueError, match=r"ink heart \(0, 0, 300\)"):
        Inks(heart=(0, 0, 300))
    with pytest.raises(ValueError, match=r"17.0 px/mm; use 0.5 to 16"):
        draw_index(Card.parse("2S"), STYLES[0], 17.0)
    with pytest.raises(ValueError, match=r"0.1 px/mm"):
        draw_styled_card(Card.parse("2S"), STYLES[0], 0.1)


def test_an_index_that_leaves_its_corner_is_refused() -> None:
    style = IndexStyle("wide", rank_height=18.0, squeeze=0.95, suit_height=14.0, suit_beside=True, margin_x=8.0)

    with pytest.raises(IndexTooLarge, match=r"'wide' prints 8S over 4\d\.\d x"):
        index_of(Card.parse("8S"), style)


def test_a_sheet_of_named_styles_is_written_and_an_unknown_name_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sheet.png"

    assert draw_sheet([str(file), STYLES[0].name]) == 0
    assert cv2.imread(str(file)) is not None
    assert cv2.imread(str(tmp_path / "sheet-faces.png")) is not None
    assert draw_sheet([str(file), "fancy"]) == 2
    assert "'fancy' is no style" in capsys.readouterr().err


@pytest.mark.parametrize("style", ALL, ids=lambda style: style.name)
def test_counters_of_letters_stay_open(style: IndexStyle) -> None:
    for text, holes in (("2S", 0), ("6S", 1), ("8S", 2), ("9S", 1), ("TS", 1), ("QS", 1), ("KS", 0), ("AS", 1)):
        rank = index_of(Card.parse(text), style).rank
        image = np.zeros((110, 110), dtype=np.uint8)
        rank.fitted(Box(5.0, 5.0, 105.0, 105.0)).fill(image, 1.0, (255,))
        outlines, tree = cv2.findContours((image > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)

        open_counters = [
            cv2.contourArea(line) for line, (*_, parent) in zip(outlines, tree[0], strict=True) if parent >= 0
        ]
        clear = len([area for area in open_counters if area > 60])
        # the tail of a Q may cut its counter in two
        assert clear == holes or (text == "QS" and clear == 2), (text, open_counters)


@pytest.mark.parametrize("style", ALL, ids=lambda style: style.name)
def test_nothing_but_the_index_is_printed_in_its_box(style: IndexStyle) -> None:
    for text in ("TC", "QS", "BJ"):
        card = Card.parse(text)
        alone = draw_index(card, style, 2.0)
        face = draw_styled_card(card, style, 2.0).face.image

        box = alone.box
        rows, columns = slice(int(box.top * 2), int(box.bottom * 2)), slice(int(box.left * 2), int(box.right * 2))
        on_card, on_paper = face[rows, columns, :3].astype(int), alone.image[rows, columns].astype(int)
        # blended edges are rounded in another order
        assert np.abs(on_card - on_paper).max() <= 24, text
