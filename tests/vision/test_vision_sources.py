"""Pictures keep coming: cameras that block, files that end, addresses that name nothing."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.pictures import WAIT_S, FakeClock, jpeg, level_of, next_shot
from vision.frames import BadFrame, Frame
from vision.shots import ImageShot, JpegShot, NewestSlot
from vision.sources import BadSource, CameraSource, open_source

# -- shots --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reduce", [1, 2, 4])
def test_a_shot_decodes_at_reduced_size(reduce: int) -> None:
    frame = JpegShot(jpeg(80, 128), 3, 5, "test").decode(reduce)

    assert frame is not None
    assert frame.image.shape == (128 // reduce, 128 // reduce, 3)
    assert (frame.number, frame.mono_ns) == (3, 5)


def test_every_truncation_of_a_picture_is_no_picture() -> None:
    data = jpeg(80)

    for length in range(0, len(data) - 1, 7):
        assert JpegShot(data[:length], 1, 0, "test").decode() is None


@pytest.mark.parametrize("data", [b"", b"\xff\xd8" + b"\x00" * 400 + b"\xff\xd9", b"GIF89a" + b"x" * 200])
def test_bytes_that_are_no_picture_give_none(data: bytes) -> None:
    assert JpegShot(data, 1, 0, "test").decode(4) is None


def test_digests_tell_pictures_apart() -> None:
    assert JpegShot(jpeg(80), 1, 0, "a").digest == JpegShot(jpeg(80), 2, 9, "b").digest
    assert JpegShot(jpeg(80), 1, 0, "a").digest != JpegShot(jpeg(81), 1, 0, "a").digest


def test_only_the_newest_shot_is_kept() -> None:
    slot = NewestSlot()
    image = np.zeros((32, 32, 3), np.uint8)

    for number in (1, 2, 3):
        slot.put(ImageShot(image, number, 0, "test"))

    shot = slot.newest(0, 0.0)
    assert shot is not None
    assert shot.number == 3
    assert slot.newest(3, 0.0) is None


@pytest.mark.parametrize("shape", [(64, 64), (64, 64, 4), (8, 64, 3)])
def test_an_array_that_is_no_picture_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadFrame, match="shape"):
        Frame(np.zeros(shape, np.uint8), 1, 0, "test")


# -- cameras of this machine --------------------------------------------------------------------------------------


class Camera:
    """A driver: gives `good` pictures, then fails or blocks."""

    def __init__(self, good: int, blocks: threading.Event | None = None) -> None:
        self._left = good
        self._blocks = blocks

    def read(self) -> tuple[bool, object]:
        if self._left > 0:
            self._left -= 1
            return True, np.full((32, 32, 3), self._left, np.uint8)
        if self._blocks is not None:
            self._blocks.wait(WAIT_S)
        return False, None

    def release(self) -> None:
        """Nothing to give back."""


def test_a_camera_whose_read_blocks_for_ever_is_replaced() -> None:
    release = threading.Event()
    clock = FakeClock()
    cameras = iter([Camera(100, release), Camera(5, release)])
    source = CameraSource("camera:0", clock, lambda: next(cameras), limit_s=3.0)
    try:
        first = next_shot(source, 99)
        assert source.newest(first.number, 0.0) is None

        clock.sleep(3.1)
        second = next_shot(source, first.number)

        assert second.number > first.number
        assert source.opened == 2
    finally:
        source.close()
        release.set()


def test_a_slow_first_picture_is_waited_for() -> None:
    release = threading.Event()
    clock = FakeClock()
    source = CameraSource("camera:0", clock, lambda: Camera(0, release), limit_s=3.0, start_s=45.0)
    try:
        clock.sleep(25.0)

        assert source.newest(0, 0.0) is None
        assert source.opened == 1
    finally:
        source.close()
        release.set()


def test_a_camera_that_fails_at_once_is_not_hammered(caplog: pytest.LogCaptureFixture) -> None:
    clock = FakeClock(end_s=60.0)
    source = CameraSource("camera:0", clock, lambda: Camera(0))
    try:
        assert clock.ended.wait(WAIT_S)

        assert 10 <= source.opened <= 30
        assert len(caplog.records) <= 2
    finally:
        source.close()


def test_a_camera_that_comes_back_is_used() -> None:
    clock = FakeClock()
    release = threading.Event()
    cameras = iter([Camera(0), Camera(0), Camera(0), Camera(3, release)])
    source = CameraSource("camera:0", clock, lambda: next(cameras))
    try:
        assert level_of(next_shot(source, 2)) == 0
    finally:
        source.close()
        release.set()


# -- files --------------------------------------------------------------------------------------------------------


def test_a_folder_is_shown_in_order_and_ends(tmp_path: Path) -> None:
    for name, level in (("b.jpg", 20), ("a.jpg", 10), ("c.jpg", 30)):
        (tmp_path / name).write_bytes(jpeg(level))
    (tmp_path / "notes.txt").write_text("no picture")
    source = open_source(str(tmp_path), FakeClock())

    levels = [level_of(next_shot(source)) for _ in range(3)]

    assert levels == [10, 20, 30]
    assert source.ended()
    assert source.newest(0, 1.0) is None


def test_a_folder_keeps_its_pace(tmp_path: Path) -> None:
    for i in range(3):
        (tmp_path / f"{i}.jpg").write_bytes(jpeg(i))
    source = open_source(str(tmp_path), FakeClock())

    assert source.newest(0, 0.05) is None
    assert next_shot(source).mono_ns == 100_000_000


def test_a_video_is_shown_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "play.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 64))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no video")
    for level in (10, 120, 240):
        writer.write(np.full((64, 64, 3), level, np.uint8))
    writer.release()
    source = open_source(str(path), FakeClock())

    levels = [level_of(next_shot(source)) for _ in range(3)]

    assert source.newest(0, 1.0) is None
    assert source.ended()
    assert levels == pytest.approx([10, 120, 240], abs=4)
    source.close()


@pytest.mark.parametrize("url", ["nowhere.mp4", "", "ftp://camera/", "camera:x"])
def test_an_address_that_names_no_source_is_refused_with_the_remedy(url: str) -> None:
    with pytest.raises(BadSource, match="give camera:0"):
        open_source(url)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="no pictures"):
        open_source(str(tmp_path))
