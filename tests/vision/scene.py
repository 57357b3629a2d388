"""A quick compositor: cards pasted on cloth with sub-pixel homographies, then what a camera does to them.

It shares the faces with the product and nothing else; the seed decides everything.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from engine.cards import Card, Seat
from vision import cardface, layout, markers
from vision.frames import Pixels

FACE_DENSITY = 4.0


@dataclass
class Laid:
    """A face on the table: left top corner of the unturned card in the seat view (mm), turned about its centre."""

    face: cardface.Face
    seat: Seat
    left: float
    top: float
    turn_deg: float = 0.0
    about: tuple[float, float] | None = None
    whole_deg: float = 0.0


@dataclass
class Lens:
    """What the camera adds. noise: sigma of grey levels; blur: sigma in pixels; tint: gains of B, G, R."""

    noise: float = 3.0
    blur: float = 0.6
    quality: int = 90
    gain: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gradient: float = 0.0
    gradient_deg: float = 0.0
    tilt: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)


@dataclass
class Scene:
    cloth: tuple[int, int, int] = (70, 105, 45)
    laid: list[Laid] = field(default_factory=list)
    with_markers: bool = True
    patches: list[tuple[npt.NDArray[np.float64], tuple[int, int, int]]] = field(default_factory=list)
    """Filled polygons in table millimetres drawn last: hands, sleeves."""


def play(
    cards: Sequence[Card], seat: Seat, *, rng: random.Random, whole_deg: float = 4.0, card_deg: float = 2.0,
    pitch: tuple[float, float] = layout.PITCH_MM, wobble: float = 2.0,
) -> list[Laid]:  # fmt: skip
    """Cards of one lay-down as a player lays them: pitch, small turns and offsets drawn from `rng`."""
    pitches = [rng.uniform(*pitch) for _ in cards[1:]]
    width = 63 + sum(pitches)
    left = rng.uniform(-6, 6) - width / 2
    top = -205 + 44 + rng.uniform(-3, 3)
    whole = rng.uniform(-whole_deg, whole_deg)
    out = []
    for card, step in zip(cards, [*pitches, 0.0], strict=True):
        out.append(
            Laid(
                cardface.draw_card(card, FACE_DENSITY), seat, left, top + rng.uniform(-wobble, wobble) / 2,
                rng.uniform(-card_deg, card_deg), (0.0, -205.0), whole,
            )
        )  # fmt: skip
        left += step
    return out


def lens(rng: random.Random) -> Lens:
    """A camera on a usual evening somewhere: every nuisance of the default table, drawn from `rng`."""
    warm = rng.uniform(-0.12, 0.12)
    return Lens(
        noise=rng.uniform(2, 4), blur=rng.uniform(0.4, 0.8), quality=rng.randint(86, 92), gain=rng.uniform(0.6, 1.5),
        tint=(1 - warm, 1.0, 1 + warm), gradient=rng.uniform(0, 0.3), gradient_deg=rng.uniform(0, 360),
        tilt=rng.uniform(-0.03, 0.03), shift=(rng.uniform(-8, 8), rng.uniform(-8, 8)),
    )  # fmt: skip


def camera_matrix(look: Lens, px_per_mm: float = 2.0) -> npt.NDArray[np.float64]:
    """Table millimetres -> pixels."""
    half = 480.0
    base = np.array([[px_per_mm, 0, half * px_per_mm - 0.5], [0, -px_per_mm, half * px_per_mm - 0.5], [0, 0, 1]])
    side = 960 * px_per_mm
    tilt = np.array([[1, 0, look.shift[0]], [0, 1, look.shift[1]], [0, look.tilt / side, 1 - look.tilt / 2]])
    return tilt @ base


def draw(scene: Scene, look: Lens, px_per_mm: float = 2.0) -> Pixels:
    """The sharp picture (no lens effects but geometry), (H, W, 3) uint8."""
    side = round(960 * px_per_mm)
    image = np.full((side, side, 3), scene.cloth, np.uint8)
    world = camera_matrix(look, px_per_mm)
    if scene.with_markers:
        for number, (x, y) in enumerate(layout.TABLE_MARKER_CENTRES):
            _paste(image, world, _marker_tile(number), x - 32, y + 32, 64 / 256)
    for card in scene.laid:
        _paste_card(image, world, card)
    for polygon, colour in scene.patches:
        points = cv2.perspectiveTransform(polygon.reshape(-1, 1, 2), world)
        cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return image


def expose(image: Pixels, look: Lens, rng: np.random.Generator) -> Pixels:
    """The picture as the lens, the light and the sensor give it."""
    out = cv2.GaussianBlur(image, (0, 0), look.blur).astype(np.float32) if look.blur > 0 else image.astype(np.float32)
    out *= np.array(look.tint, np.float32) * look.gain
    if look.gradient:
        h, w = out.shape[:2]
        angle = np.radians(look.gradient_deg)
        ramp = (np.arange(w)[None, :] / w - 0.5) * np.cos(angle) + (np.arange(h)[:, None] / h - 0.5) * np.sin(angle)
        out *= (1 + look.gradient * ramp)[:, :, None].astype(np.float32)
    if look.noise:
        out += rng.normal(0, look.noise, out.shape).astype(np.float32)
    return np.clip(out, 0, 255).astype(np.uint8)


def jpeg(image: Pixels, quality: int = 90) -> bytes:
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok
    return data.tobytes()


def picture(scene: Scene, look: Lens, rng: np.random.Generator, px_per_mm: float = 2.0) -> bytes:
    """The JPEG that the camera sends."""
    return jpeg(expose(draw(scene, look, px_per_mm), look, rng), look.quality)


def hand(seat: Seat, reach: float, x: float = 0.0) -> list[tuple[npt.NDArray[np.float64], tuple[int, int, int]]]:
    """A sleeve and a hand that come from the player's edge to `reach` (seat-view y, mm)."""
    sleeve = [(x - 45, -460), (x + 45, -460), (x + 38, reach - 90), (x - 38, reach - 90)]
    palm = [(x - 38, reach - 90), (x + 38, reach - 90), (x + 30, reach), (x - 30, reach)]
    return [(_to_table(seat, sleeve), (110, 60, 50)), (_to_table(seat, palm), (120, 150, 205))]


def _to_table(seat: Seat, points: Sequence[tuple[float, float]]) -> npt.NDArray[np.float64]:
    turned = [layout.seat_to_table(seat, layout.Point(*point)) for point in points]
    return np.array([(p.x, p.y) for p in turned], np.float64)


def _marker_tile(number: int) -> Pixels:
    tile = np.full((256, 256), 255, np.uint8)
    tile[28:228, 28:228] = markers.draw_marker(number, 200).image
    return np.dstack([tile] * 3 + [np.full_like(tile, 255)])


def _turn(degrees: float, cx: float, cy: float) -> npt.NDArray[np.float64]:
    a = np.radians(degrees)
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, -s, cx - c * cx + s * cy], [s, c, cy - s * cx - c * cy], [0, 0, 1]])


def _paste_card(image: Pixels, world: npt.NDArray[np.float64], card: Laid) -> None:
    place = _turn(card.turn_deg, card.left + 31.5, card.top - 44)
    if card.about is not None:
        place = _turn(card.whole_deg, *card.about) @ place
    place = _turn(layout.SEAT_ANGLE_DEG[card.seat], 0, 0) @ place
    _paste(image, world @ place, card.face.image, card.left, card.top, 1 / card.face.px_per_mm)


def _paste(
    image: Pixels, world: npt.NDArray[np.float64], tile: Pixels, left: float, top: float, mm_per_px: float
) -> None:
    local = np.array([[mm_per_px, 0, left + mm_per_px / 2], [0, -mm_per_px, top - mm_per_px / 2], [0, 0, 1]])
    full = world @ local
    h, w = tile.shape[:2]
    quad = cv2.perspectiveTransform(np.array([[[0, 0]], [[w, 0]], [[w, h]], [[0, h]]], np.float64), full).reshape(4, 2)
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 3, (image.shape[1], image.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
    # Drawn at twice the density and halved: plain bilinear sampling of a finer face would alias.
    double = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]], np.float64)
    size = ((x1 - x0) * 2, (y1 - y0) * 2)
    warped = cv2.warpPerspective(tile, double @ shift @ full, size, flags=cv2.INTER_LINEAR)
    small = cv2.resize(warped, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = small[:, :, 3:] / 255
    area = image[y0:y1, x0:x1]
    area[:] = np.round(small[:, :, :3] * alpha + area * (1 - alpha)).astype(np.uint8)
