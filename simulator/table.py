"""The scene on the simulated table: what lies where, and whose hand is on its way. Values only.

Places are in millimetres in the view of the seat that they belong to (vision.layout): origin at the table centre, x to
that player's right, y away from him. Turns are counter-clockwise, in degrees, as that player sees them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import PLAY_ORDER, Card, Seat
from vision.layout import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    PASS_PLACE,
    PITCH_MM,
    REPORT_PLACE,
    ZONES,
    Area,
    Point,
    Zone,
)

WHOLE_TURN_DEG: Final = 4.0
"""Most that a whole lay-down is turned."""
CARD_TURN_DEG: Final = 2.0
"""Most that one card is turned against its lay-down."""
CARD_SHIFT_MM: Final = 1.2
"""Most that one card lies higher or lower than its neighbours meant it to."""
MAX_PLAY_CARDS: Final = 10
"""Largest set of the game (a bomb of ten); more do not fit the play zone."""


@dataclass(frozen=True, slots=True)
class FaceUp:
    """A playing card with its face showing."""

    card: Card


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A playing card showing its back."""


@dataclass(frozen=True, slots=True)
class PassSign:
    """The PASS card."""


@dataclass(frozen=True, slots=True)
class ReportSign:
    """The report card for `count` cards, 1..10."""

    count: int


Print = FaceUp | FaceDown | PassSign | ReportSign


@dataclass(frozen=True, slots=True)
class Lying:
    """One card where it lies: its centre and its turn."""

    shown: Print
    x: float
    y: float
    turn_deg: float

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Top left, top right, bottom right, bottom left of the card as printed."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        half = ((-1, 1), (1, 1), (1, -1), (-1, -1))
        a, b, c, d = (
            Point(
                self.x + (sx * cos * CARD_WIDTH_MM - sy * sin * CARD_HEIGHT_MM) / 2,
                self.y + (sx * sin * CARD_WIDTH_MM + sy * cos * CARD_HEIGHT_MM) / 2,
            )
            for sx, sy in half
        )
        return a, b, c, d


_ORIGIN: Final = Point(0.0, 0.0)

Packet = tuple[Lying, ...]
"""Cards in the order in which they were put down: later ones lie on top."""


@dataclass(frozen=True, slots=True)
class Reach:
    """One straight movement of a hand. `start` and `end` are places of the palm's centre; times on the monotonic clock.

    `carried` moves along; its cards have the places that they take when the palm is at `anchor`. After `until_s` the
    hand stays at `end` until the scene says otherwise.
    """

    start: Point
    end: Point
    from_s: float
    until_s: float
    carried: Packet = ()
    anchor: Point = _ORIGIN

    def palm(self, now_s: float) -> Point:
        """The palm's centre, moving off and stopping smoothly."""
        span = max(self.until_s - self.from_s, 1e-9)
        t = min(max((now_s - self.from_s) / span, 0.0), 1.0)
        share = t * t * (3 - 2 * t)
        return Point(
            self.start.x + (self.end.x - self.start.x) * share, self.start.y + (self.end.y - self.start.y) * share
        )


@dataclass(frozen=True, slots=True)
class Place:
    """What lies before one seat."""

    play: Packet = ()
    passing: Lying | None = None
    report: Lying | None = None
    discard: Packet = ()
    hand: Reach | None = None

    @property
    def notice(self) -> Packet:
        """The report card and the PASS card, as far as they lie there."""
        return tuple(card for card in (self.report, self.passing) if card is not None)


@dataclass(frozen=True, slots=True)
class Scene:
    """The whole table. `places` in the order S E N W; `lamp` is the seat whose lamp on the machine is lit."""

    places: tuple[Place, Place, Place, Place] = (Place(), Place(), Place(), Place())
    lamp: Seat | None = None

    def at(self, seat: Seat) -> Place:
        return self.places[PLAY_ORDER.index(seat)]

    def put(self, seat: Seat, place: Place) -> Scene:
        """The scene with `place` before `seat`."""
        a, b, c, d = (place if at is seat else self.at(at) for at in PLAY_ORDER)
        return replace(self, places=(a, b, c, d))


def hand_of(scene: Scene, seat: Seat, hand: Reach | None) -> Scene:
    """The scene with the hand of `seat` moving so, or out of sight."""
    return scene.put(seat, replace(scene.at(seat), hand=hand))


def lay(scene: Scene, seat: Seat, cards: Packet) -> Scene:
    """Cards come down in the play zone on top of what lies there."""
    place = scene.at(seat)
    return scene.put(seat, replace(place, play=place.play + cards))


def lift_play(scene: Scene, seat: Seat) -> Scene:
    """The play zone becomes empty."""
    return scene.put(seat, replace(scene.at(seat), play=()))


def discard(scene: Scene, seat: Seat, cards: Packet) -> Scene:
    """Face-down cards come to lie on the discard pile."""
    place = scene.at(seat)
    return scene.put(seat, replace(place, discard=place.discard + cards))


def show_pass(scene: Scene, seat: Seat, card: Lying | None) -> Scene:
    """The PASS card lies there, or is gone (None)."""
    return scene.put(seat, replace(scene.at(seat), passing=card))


def show_report(scene: Scene, seat: Seat, card: Lying | None) -> Scene:
    """The report card lies there, or is gone (None)."""
    return scene.put(seat, replace(scene.at(seat), report=card))


def spread(cards: Sequence[Card], rng: random.Random) -> Packet:
    """Cards as a player lays them, left to right, inside the play zone.

    Pitch 18..24 mm, one for the whole lay-down. Raises ValueError for no card or more than ten.
    """
    if not 1 <= len(cards) <= MAX_PLAY_CARDS:
        raise ValueError(f"{len(cards)} cards cannot be laid at once; lay 1 to {MAX_PLAY_CARDS}")
    zone = ZONES[Area.PLAY]
    pitch = rng.uniform(*PITCH_MM)
    slack = (zone.width - CARD_WIDTH_MM - pitch * (len(cards) - 1)) / 2
    for tries in range(200):
        calm = 0.96**tries  # a wide lay-down leaves little room to turn
        middle = zone.centre.x + rng.uniform(-1, 1) * min(slack, 60.0) * calm
        height = zone.centre.y + rng.uniform(-1, 1) * 9.0 * calm
        whole = rng.uniform(-1, 1) * WHOLE_TURN_DEG * calm
        packet = tuple(
            _beside(card, i - (len(cards) - 1) / 2, pitch, Point(middle, height), whole, rng, calm)
            for i, card in enumerate(cards)
        )
        if all(_inside(card, zone) for card in packet):
            return packet
    raise ValueError(f"{len(cards)} cards do not fit the play zone at a pitch of {pitch:.1f} mm")


def pass_sign(rng: random.Random) -> Lying:
    """A PASS card as a player puts it into the left half of the notice zone."""
    return Lying(PassSign(), PASS_PLACE.x + rng.uniform(-5, 1), PASS_PLACE.y + rng.uniform(-5, 5), rng.uniform(-4, 4))


def report_sign(count: int, rng: random.Random) -> Lying:
    """A report card as a player puts it into the right half of the notice zone."""
    return Lying(
        ReportSign(count), REPORT_PLACE.x + rng.uniform(0, 4), REPORT_PLACE.y + rng.uniform(-5, 5), rng.uniform(-3, 3)
    )


def turned_over(count: int, rng: random.Random) -> Packet:
    """`count` cards squared up and put face down on the discard pile."""
    centre = ZONES[Area.DISCARD].centre
    x, y, turn = centre.x + rng.uniform(-24, 24), centre.y + rng.uniform(-9, 9), rng.uniform(-7, 7)
    return tuple(
        Lying(FaceDown(), x + rng.uniform(-1.5, 1.5), y + rng.uniform(-1.5, 1.5), turn + rng.uniform(-1.5, 1.5))
        for _ in range(count)
    )


def middle_of(packet: Iterable[Lying]) -> Point:
    """Mean of the cards' centres. Raises ValueError for no card."""
    cards = tuple(packet)
    if not cards:
        raise ValueError("no card lies there")
    return Point(sum(card.x for card in cards) / len(cards), sum(card.y for card in cards) / len(cards))


def _beside(
    card: Card, steps: float, pitch: float, middle: Point, whole_deg: float, rng: random.Random, calm: float
) -> Lying:
    """A card `steps` pitches to the right of the middle of a lay-down that is turned by `whole_deg`."""
    along, up = steps * pitch, rng.uniform(-1, 1) * CARD_SHIFT_MM * calm
    cos, sin = math.cos(math.radians(whole_deg)), math.sin(math.radians(whole_deg))
    return Lying(
        FaceUp(card),
        middle.x + along * cos - up * sin,
        middle.y + along * sin + up * cos,
        whole_deg + rng.uniform(-1, 1) * CARD_TURN_DEG * calm,
    )


def _inside(card: Lying, zone: Zone) -> bool:
    return all(zone.left <= p.x <= zone.right and zone.near <= p.y <= zone.far for p in card.corners)
