"""Reading the cards of any picture."""

from __future__ import annotations

import json
import random
import struct
import zlib
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from engine.cards import Card, Seat, parse_cards
from tests.vision import draw_cards_picture as drawn
from tests.vision import scene as sc
from vision.picture import BadPicture, FoundCard, PictureReading, UnsureCard, read_picture

ROOT = Path(__file__).resolve().parents[2]
CARDS_PICTURE = ROOT / "docs" / "images" / "cards.png"
PHOTOS = ROOT.parent / "shared" / "vision" / "photos"


def _save(folder: Path, image: npt.NDArray[np.uint8]) -> str:
    path = folder / "picture.png"
    assert cv2.imwrite(str(path), image)
    return str(path)


def _names(reading: PictureReading) -> list[str]:
    return sorted(found.card.text for found in reading.cards)


def test_six_cards_on_felt_are_read_completely() -> None:
    reading = read_picture(str(CARDS_PICTURE))

    assert _names(reading) == sorted(drawn.CARDS)
    assert reading.unsure == ()
    ace = next(found for found in reading.cards if found.card.text == "AS")
    assert ace.at == pytest.approx((150, 195), abs=4)


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_a_turned_picture_reads_the_same(tmp_path: Path, turn: int) -> None:
    turned = np.asarray(cv2.rotate(drawn.draw(), turn), np.uint8)

    assert _names(read_picture(_save(tmp_path, turned))) == sorted(drawn.CARDS)


def test_a_soft_uneven_photo_names_nothing_wrongly(tmp_path: Path) -> None:
    soft = cv2.GaussianBlur(drawn.draw(), (0, 0), 1.5).astype(np.float32)
    soft *= np.linspace(0.45, 1.0, soft.shape[1], dtype=np.float32)[None, :, None]

    reading = read_picture(_save(tmp_path, soft.astype(np.uint8)))

    assert not Counter(_names(reading)) - Counter(drawn.CARDS)
    assert len(reading.cards) >= 4


@pytest.mark.parametrize("first", range(0, 54, 9))
def test_every_face_of_the_default_deck_is_named(tmp_path: Path, first: int) -> None:
    texts = [Card(number).text for number in range(first, first + 9)]

    reading = read_picture(_save(tmp_path, drawn.draw(texts, [3.0] * 9)))

    assert _names(reading) == sorted(texts)


def test_a_third_copy_is_unsure(tmp_path: Path) -> None:
    reading = read_picture(_save(tmp_path, drawn.draw(("9C",) * 3 + ("KD",), (0, 5, -5, 0))))

    assert _names(reading) == ["9C", "9C", "KD"]
    assert [found.guess.text for found in reading.unsure] == ["9C"]


def test_bare_felt_holds_nothing(tmp_path: Path) -> None:
    reading = read_picture(_save(tmp_path, drawn.felt(640, 480)))

    assert (reading.cards, reading.unsure) == ((), ())


def test_noise_holds_no_named_card(tmp_path: Path) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (400, 600, 3), np.uint8)

    assert read_picture(_save(tmp_path, noise)).cards == ()


def test_white_cards_without_index_are_not_named(tmp_path: Path) -> None:
    image = drawn.felt(640, 480)
    cv2.rectangle(image, (100, 100), (289, 363), (245, 245, 245), cv2.FILLED)

    assert read_picture(_save(tmp_path, image)).cards == ()


def test_overlapped_plays_are_read_on_a_table_with_markers(tmp_path: Path) -> None:
    cards = sc.play(parse_cards(("3S", "4H", "5D", "6C", "7S")), Seat.E, rng=random.Random(3))
    path = tmp_path / "table.jpg"
    path.write_bytes(sc.picture(sc.Scene(laid=cards), sc.Lens(), np.random.default_rng(1)))

    assert _names(read_picture(str(path))) == ["3S", "4H", "5D", "6C", "7S"]


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\xff\xd8\xff\xe0\x00", b"\x89PNG\r\n\x1a\n"])
def test_a_broken_file_is_a_bad_picture_that_names_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.jpg"
    path.write_bytes(content)

    with pytest.raises(BadPicture, match=r"broken\.jpg"):
        read_picture(str(path))


def test_a_missing_file_and_a_folder_are_bad_pictures(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="no such file"):
        read_picture(str(tmp_path / "none.jpg"))
    with pytest.raises(BadPicture, match="cannot be opened"):
        read_picture(str(tmp_path))


def test_a_huge_picture_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    head = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    path = tmp_path / "huge.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)))

    with pytest.raises(BadPicture, match="20000 x 20000 pixels is too large"):
        read_picture(str(path))


def test_a_marked_copy_is_written_into_a_folder_that_is_made(tmp_path: Path) -> None:
    read_picture(str(CARDS_PICTURE), tmp_path / "deep" / "marked")

    marked = cv2.imread(str(tmp_path / "deep" / "marked" / "cards.png"))
    assert marked is not None
    assert marked.shape == drawn.draw().shape
    assert np.any(marked != cv2.imread(str(CARDS_PICTURE)))


def test_json_gives_the_file_as_written() -> None:
    reading = PictureReading(
        "./a.jpg", (FoundCard(Card.parse("TH"), 0.91234, (3.0, 4.5)),), (UnsureCard(Card.parse("SJ"), 0.2, (1.0, 2.0)),)
    )

    assert reading.to_json() == {
        "file": "./a.jpg",
        "cards": [{"card": "TH", "sure": 0.912, "at": [3.0, 4.5]}],
        "unsure": [{"guess": "SJ", "sure": 0.2, "at": [1.0, 2.0]}],
    }


def test_values_refuse_nonsense() -> None:
    with pytest.raises(ValueError, match="outside"):
        FoundCard(Card.parse("TH"), 1.5, (0.0, 0.0))
    with pytest.raises(ValueError, match="cannot lie"):
        UnsureCard(Card.parse("TH"), 0.5, (float("nan"), 0.0))
    with pytest.raises(ValueError, match="3 times"):
        PictureReading("a", (FoundCard(Card.parse("TH"), 0.9, (0.0, 0.0)),) * 3, ())


@pytest.mark.slow
def test_photos_of_other_decks_answer_one_entry_each_and_few_wrong_names() -> None:
    if not PHOTOS.is_dir():
        pytest.skip("the labelled photos (../shared/vision/photos) are not here")
    labels = [json.loads(line) for line in (PHOTOS / "labels.jsonl").read_text().splitlines()]

    readings = [read_picture(str(PHOTOS / label["file"])) for label in labels]

    assert [reading.file for reading in readings] == [str(PHOTOS / label["file"]) for label in labels]
    named = right = countable = guessed = 0
    for label, reading in zip(labels, readings, strict=True):
        names, truth = Counter(_names(reading)), Counter(label["cards"])
        named += names.total()
        right += (names & truth).total()
        likely = names + Counter(found.guess.text for found in reading.unsure)
        guessed += (likely & truth).total()
        countable += (truth - Counter(label.get("partly_hidden") or ())).total()
    print(  # noqa: T201
        f"named {named}, wrong {named - right}, recall {right / countable:.3f} of {countable}, right guesses {guessed}"
    )
    assert named - right <= 0.03 * named
    assert guessed >= 8
