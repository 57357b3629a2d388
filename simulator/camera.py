"""The simulated camera: a scene at an instant becomes the picture that a camera above the table would send.

The table and what lies on it are kept as one picture that changes only where the scene changed; a shot adds the hands
and what they carry, the drifting light and the sensor's noise.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from engine.cards import PLAY_ORDER, Seat
from simulator.brush import Brush
from simulator.felt import FELTS, fall_of_light, lamp_patch, paint_table
from simulator.lens import Lens, Patch, hang_camera
from simulator.table import Packet, Place, Reach, Scene
from vision.frames import Pixels
from vision.layout import DEFAULT_PX_PER_MM, VIEW_SIDE_MM, ZONES, Area, Point

SIDE_PX: Final = round(VIEW_SIDE_MM * DEFAULT_PX_PER_MM)
JPEG_QUALITY: Final = 90
NOISE: Final = 1.8
"""Standard deviation of the sensor's noise, grey levels, before compression."""
DRIFT: Final = 0.05
"""Most that the light grows or fades against its mean."""
DRIFT_PERIOD_S: Final = 47.0
PATCHES_KEPT: Final = 12
"""One carried by each hand, and those that came down with it."""
_NOISE_ROOM_PX: Final = 64
_REDRAWN_MM: Final = 11.0
"""What is redrawn around a zone: a card's shadow and corner reach a few millimetres beyond it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A compressed picture and the monotonic instant that it shows."""

    jpeg: bytes
    mono_ns: int


class Camera:
    """One camera above one table. Not for use by two threads at once.

    All chance (hanging, felt, light, noise) comes from `seed`; the same scenes shot in the same order at the same
    instants give the same pictures.
    """

    def __init__(self, seed: int, side_px: int = SIDE_PX) -> None:
        chance = random.Random(f"camera {seed}")
        numbers = np.random.default_rng(chance.getrandbits(64))
        self.lens: Lens = hang_camera(chance, side_px)
        self._brush = Brush(self.lens)
        self._light = fall_of_light(self.lens, numbers)
        bare = paint_table(self.lens, chance.choice(FELTS), numbers)
        self._bare: Pixels = np.minimum(bare * self._light + 0.5, 255).astype(np.uint8)
        self._still = self._bare.copy()
        self._lying: dict[tuple[Seat, Area], Packet] = {(seat, area): () for seat in Seat for area in Area}
        self._hands = {seat: self._brush.hand(seat) for seat in Seat}
        self._lamps = {seat: lamp_patch(self.lens, seat) for seat in Seat}
        self._patches: dict[tuple[Seat, Packet], Patch] = {}
        self._more, self._less = _noise(side_px + _NOISE_ROOM_PX, numbers)
        self._chance = chance
        self._phase = chance.uniform(0, 2 * math.pi)

    def shoot(self, scene: Scene, now_s: float) -> Pixels:
        """The picture of `scene` at `now_s` (monotonic seconds): (side, side, 3) uint8 BGR."""
        for seat in PLAY_ORDER:
            self._settle(seat, scene.at(seat))
        image = self._still.copy()
        if scene.lamp is not None:
            self._lamps[scene.lamp].put_on(image, self._light)
        for seat in PLAY_ORDER:
            hand = scene.at(seat).hand
            if hand is not None:
                self._reach(image, seat, hand, now_s)
        return self._expose(image, now_s)

    def picture(self, scene: Scene, now_ns: int) -> Picture:
        """The same as JPEG."""
        image = self.shoot(scene, now_ns / 1e9)
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            raise RuntimeError(f"a picture of {image.shape} could not be compressed")
        return Picture(data.tobytes(), now_ns)

    def _settle(self, seat: Seat, place: Place) -> None:
        """Bring the still picture up to what lies before a seat."""
        for area, packet in ((Area.PLAY, place.play), (Area.NOTICE, place.notice), (Area.DISCARD, place.discard)):
            lying = self._lying[seat, area]
            if packet == lying:
                continue
            if packet[: len(lying)] == lying:
                added = packet[len(lying) :]
            else:
                self._wipe(seat, area)
                added = packet
            if added:
                self._patch(seat, added).put_on(self._still, self._light)
            self._lying[seat, area] = packet

    def _wipe(self, seat: Seat, area: Area) -> None:
        corners = ZONES[area].widened(_REDRAWN_MM).corners
        quad = self.lens.seat_px(seat, np.array([(p.x, p.y) for p in corners]))
        low, high = np.floor(quad.min(axis=0)).astype(int), np.ceil(quad.max(axis=0)).astype(int)
        here = (slice(max(low[1], 0), high[1] + 1), slice(max(low[0], 0), high[0] + 1))
        self._still[here] = self._bare[here]

    def _reach(self, image: Pixels, seat: Seat, hand: Reach, now_s: float) -> None:
        palm = hand.palm(now_s)
        if hand.carried:
            patch = self._patch(seat, hand.carried)
            moved = Point(palm.x - hand.anchor.x, palm.y - hand.anchor.y)
            patch.put_on(image, self._light, *self.lens.shift_px(seat, hand.anchor, moved))
        self._hands[seat].put_on(image, self._light, *self.lens.shift_px(seat, Point(0.0, 0.0), palm))

    def _patch(self, seat: Seat, packet: Packet) -> Patch:
        """Paint for a packet; kept, for what is carried a moment before it lies there."""
        key = (seat, packet)
        if key not in self._patches:
            if len(self._patches) >= PATCHES_KEPT:
                self._patches.pop(next(iter(self._patches)))
            self._patches[key] = self._brush.packet(seat, packet)
        return self._patches[key]

    def _expose(self, image: Pixels, now_s: float) -> Pixels:
        gain = 1 + DRIFT * math.sin(2 * math.pi * now_s / DRIFT_PERIOD_S + self._phase)
        lit = cv2.convertScaleAbs(image, alpha=gain)
        side = image.shape[0]
        x, y = self._chance.randrange(_NOISE_ROOM_PX), self._chance.randrange(_NOISE_ROOM_PX)
        here = (slice(y, y + side), slice(x, x + side))
        noisy = cv2.subtract(cv2.add(lit, self._more[here]), self._less[here])
        return np.asarray(noisy, dtype=np.uint8)


def _noise(side: int, numbers: np.random.Generator) -> tuple[Pixels, Pixels]:
    """What noise adds and what it takes away; two unsigned pictures are cheaper to apply than a signed one."""
    both = np.round(numbers.normal(0, NOISE, (side, side, 3)).astype(np.float32))
    return np.clip(both, 0, 255).astype(np.uint8), np.clip(-both, 0, 255).astype(np.uint8)
