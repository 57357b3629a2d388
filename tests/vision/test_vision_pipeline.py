"""From pictures to observations in virtual time: the simulator's camera shoots a table that the test sets."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field, replace

import pytest

from engine.cards import Seat, parse_cards
from simulator import table
from simulator.camera import Camera
from simulator.hands import OVER_PLAY
from simulator.table import Packet, Reach, Scene
from vision.layout import Point
from vision.observations import CameraState, Condition, Kind, Observation
from vision.pipeline import Pipeline
from vision.shots import JpegShot

STEP_NS = 100_000_000


@pytest.fixture(scope="module")
def camera() -> Camera:
    return Camera(5)


@dataclass
class Evening:
    """A table, its camera and the eyes on it."""

    camera: Camera
    scene: Scene = field(default_factory=Scene)
    now_ns: int = 1_000_000_000
    number: int = 0
    seen: list[Observation] = field(default_factory=list)
    states: list[CameraState] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.eyes = Pipeline(lambda jpeg: hashlib.sha256(jpeg).hexdigest(), self.now_ns)
        self.last = b""
        self._shown: Scene | None = None

    def watch(self, pictures: int, frozen: bool = False, torn: bool = False) -> None:
        for _ in range(pictures):
            self.now_ns += STEP_NS
            self.number += 1
            if not frozen:
                self.last = self._shoot()
            data = self.last[: len(self.last) // 2] if torn else self.last
            self._take(JpegShot(data, self.number, self.now_ns, "test"))

    def _shoot(self) -> bytes:
        """The picture of the scene; while nothing changes only its tail does, which is quicker than a second shot."""
        if self._shown is not self.scene:
            self._shown, self._jpeg = self.scene, self.camera.picture(self.scene, self.now_ns).jpeg
        return self._jpeg + self.number.to_bytes(4, "big")

    def wait(self, tenths: int) -> None:
        for _ in range(tenths):
            self.now_ns += STEP_NS
            self._take(None)

    def _take(self, shot: JpegShot | None) -> None:
        for message in self.eyes.step(shot, self.now_ns):
            if isinstance(message, Observation):
                self.seen.append(message)
            else:
                self.states.append(message)

    def hand(self, seat: Seat, at: Point | None) -> None:
        reach = None if at is None else Reach(at, at, 0.0, 0.0)
        self.scene = table.hand_of(self.scene, seat, reach)

    @property
    def told(self) -> list[tuple[Seat, Kind, str]]:
        return [
            (seen.seat, seen.kind, " ".join(r.card.text for r in seen.cards if r.card is not None))
            for seen in self.seen
        ]


def packet(text: str, seed: int = 1) -> Packet:
    return table.spread(parse_cards(text.split()), random.Random(seed))


def ready(camera: Camera) -> Evening:
    """An empty table that has been looked at."""
    evening = Evening(camera)
    evening.watch(6)
    evening.seen.clear()
    return evening


def test_a_play_is_told_once_and_its_clearing_too(camera: Camera) -> None:
    evening = ready(camera)

    evening.scene = table.lay(evening.scene, Seat.E, packet("4S 4H 4D"))
    evening.watch(12)
    evening.scene = table.lift_play(evening.scene, Seat.E)
    evening.watch(6)

    assert evening.told == [(Seat.E, Kind.LAID, "4S 4H 4D"), (Seat.E, Kind.CLEARED, "")]
    assert evening.seen[0].still is not None


def test_cards_under_a_hand_are_told_when_it_has_left(camera: Camera) -> None:
    evening = ready(camera)

    evening.scene = table.lay(evening.scene, Seat.S, packet("9C"))
    evening.hand(Seat.S, OVER_PLAY)
    evening.watch(10)
    under_the_hand = list(evening.told)
    evening.hand(Seat.S, None)
    evening.watch(5)

    assert under_the_hand == []
    assert evening.told == [(Seat.S, Kind.LAID, "9C")]


def test_a_sleeve_over_cards_does_not_clear_them(camera: Camera) -> None:
    evening = ready(camera)
    evening.scene = table.lay(evening.scene, Seat.W, packet("9C"))
    evening.watch(5)

    evening.hand(Seat.W, Point(OVER_PLAY.x, 0.0))
    evening.watch(8)
    evening.hand(Seat.W, None)
    evening.watch(6)

    assert evening.told == [(Seat.W, Kind.LAID, "9C")]


def test_a_play_in_two_goes_is_told_once(camera: Camera) -> None:
    evening = ready(camera)
    cards = packet("3S 3H 3D 3C")

    evening.scene = table.lay(evening.scene, Seat.N, cards[:2])
    evening.hand(Seat.N, OVER_PLAY)
    evening.watch(2)
    evening.hand(Seat.N, Point(OVER_PLAY.x, OVER_PLAY.y - 150))
    evening.watch(2)
    evening.scene = table.lay(evening.scene, Seat.N, cards[2:])
    evening.hand(Seat.N, OVER_PLAY)
    evening.watch(2)
    evening.hand(Seat.N, None)
    evening.watch(6)

    assert evening.told == [(Seat.N, Kind.LAID, "3S 3H 3D 3C")]


def test_pass_and_report_share_a_zone(camera: Camera) -> None:
    evening, rng = ready(camera), random.Random(3)

    evening.scene = table.show_report(evening.scene, Seat.S, table.report_sign(7, rng))
    evening.watch(5)
    evening.scene = table.show_pass(evening.scene, Seat.S, table.pass_sign(rng))
    evening.watch(5)
    evening.scene = table.show_pass(evening.scene, Seat.S, None)
    evening.watch(5)

    assert [kind for _, kind, _ in evening.told] == [Kind.REPORT_SHOWN, Kind.PASS_SHOWN, Kind.PASS_GONE]
    assert evening.seen[0].count == 7


def test_cards_face_down_in_a_play_zone_are_unclear(camera: Camera) -> None:
    evening = ready(camera)
    back = replace(packet("9C")[0], shown=table.FaceDown())

    evening.scene = table.lay(evening.scene, Seat.S, (back,))
    evening.watch(18)

    assert evening.told == [(Seat.S, Kind.UNCLEAR, "")]


def test_a_frozen_camera_is_told_within_two_seconds_and_play_is_found_after_it(camera: Camera) -> None:
    evening = ready(camera)
    evening.scene = table.lay(evening.scene, Seat.E, packet("QH QD"))
    evening.watch(14, frozen=True)
    in_the_dark, state = list(evening.told), evening.states[-1]

    evening.watch(6)

    assert in_the_dark == []
    assert state.condition is Condition.FROZEN
    assert (Seat.E, Kind.LAID, "QH QD") in evening.told
    assert all(seen.initial for seen in evening.seen)
    assert evening.states[-1].ok


def test_missing_pictures_are_told_within_two_seconds(camera: Camera) -> None:
    evening = ready(camera)

    evening.wait(14)

    assert evening.states[-1].condition is Condition.NO_FRAMES


def test_torn_pictures_are_told_within_two_seconds(camera: Camera) -> None:
    evening = ready(camera)

    for _ in range(14):
        evening.watch(1)
        evening.watch(1, torn=True)
    mixed = evening.states[-1].condition
    for _ in range(12):
        evening.last = camera.picture(evening.scene, evening.now_ns).jpeg
        evening.watch(1, frozen=True, torn=True)

    assert mixed is None
    assert evening.states[-1].condition is Condition.BAD_PICTURE


def test_a_full_disk_costs_the_picture_and_not_the_play(camera: Camera) -> None:
    def full(_: bytes) -> str:
        raise OSError(28, "No space left on device")

    evening = Evening(camera)
    evening.eyes = Pipeline(full, evening.now_ns)
    evening.watch(6)
    evening.scene = table.lay(evening.scene, Seat.S, table.spread(parse_cards(["7S", "7D"]), random.Random(3)))
    evening.watch(12)

    (laid,) = [seen for seen in evening.seen if seen.kind is Kind.LAID]
    assert laid.still is None
