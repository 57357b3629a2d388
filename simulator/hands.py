"""Hands at work: each movement takes its time on the clock and changes the scene that the camera sees.

One hand a seat; a hand does one thing at a time. Cards change place while a hand is over them.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import Card, Seat
from simulator import table
from simulator.clock import Clock
from simulator.table import Packet, Reach, Scene
from vision.layout import ZONES, Area, Point

HOME_Y: Final = -640.0
"""A palm so far from the table's centre is out of the picture, sleeve and all but the last."""
OVER_PLAY: Final = Point(8.0, -285.0)
"""Where the palm is when its fingers are over the cards in the play zone."""
OVER_DISCARD: Final = Point(ZONES[Area.DISCARD].centre.x, -405.0)
FINGERS_MM: Final = 68.0
"""From the palm's centre to what the fingers hold."""
EMPTY_S: Final = 0.65
"""A play zone is seen empty for so long before other cards come down (at least 0.6 s)."""
PASS_LIES_S: Final = 1.0
"""A PASS card lies at least so long, even where its player goes on at once."""
APPROACH_S: Final = 0.15
"""The first part of a reach, in which the hand is not over the play zone yet."""
LEAST_REACH_S: Final = 0.2
"""A camera of ten pictures a second sees a hand that moves no faster than this."""
IN_TWO_GOES: Final = 0.08
"""Share of long plays that come down in two goes."""
LONG_PLAY: Final = 4
SECOND_GO_S: Final = 0.3
"""Between the two goes; both lie within 0.8 s."""


@dataclass(frozen=True, slots=True)
class Since:
    """When a place was last seen to become empty, and since when a PASS card lies (clock seconds)."""

    play_empty_s: float = float("-inf")
    pass_empty_s: float = float("-inf")
    pass_lies_s: float = float("-inf")


class Hands:
    """Four hands and the scene that they change. `publish` gets every new scene."""

    def __init__(self, clock: Clock, rng: random.Random, reach_s: float, publish: Callable[[Scene], None]) -> None:
        self._clock = clock
        self._rng = rng
        self._reach_s = max(reach_s, LEAST_REACH_S)
        self._publish = publish
        self._busy = {seat: asyncio.Lock() for seat in Seat}
        self._since = dict.fromkeys(Seat, Since())
        self.scene = Scene()

    def show(self, scene: Scene) -> None:
        """The scene has changed."""
        self.scene = scene
        self._publish(scene)

    def light(self, seat: Seat | None) -> None:
        """The machine's lamps show whose turn it is."""
        if self.scene.lamp is not seat:
            self.show(replace(self.scene, lamp=seat))

    async def lay(self, seat: Seat, cards: Sequence[Card]) -> int:
        """Lay cards in the play zone, which must be empty or hold a part of the same play.

        Returns when the last card lies and the hand has left: monotonic nanoseconds.
        """
        async with self._busy[seat]:
            await self._clock.sleep(self._since[seat].play_empty_s + EMPTY_S - APPROACH_S - self._clock.now())
            packet = table.spread(cards, self._rng)
            for part in self._goes(packet):
                first = part[0] is packet[0]
                palm = _palm_over(part)
                if not first:
                    away = Point(palm.x, palm.y - 150.0)
                    await self._move(seat, self._palm(seat), away, SECOND_GO_S / 2)
                start = self._palm(seat) if not first else _home(palm)
                await self._move(seat, start, palm, self._reach_s if first else SECOND_GO_S / 2, part, palm)
                self.show(table.lay(self.scene, seat, part))
            await self._leave(seat)
            return self._clock.mono_ns()

    async def turn_over(self, seat: Seat) -> None:
        """Turn the cards in the play zone over onto the discard pile."""
        async with self._busy[seat]:
            lying = self.scene.at(seat).play
            if not lying:
                return
            await self._move(seat, _home(OVER_PLAY), OVER_PLAY, self._reach_s)
            backs = table.turned_over(len(lying), self._rng)
            self.show(table.lift_play(self.scene, seat))
            await self._move(seat, OVER_PLAY, OVER_DISCARD, self._reach_s, backs, OVER_DISCARD)
            self._since[seat] = replace(self._since[seat], play_empty_s=self._clock.now())
            self.show(table.discard(self.scene, seat, backs))
            await self._leave(seat)

    async def take_back(self, seat: Seat) -> None:
        """Take the cards in the play zone back into the hand."""
        async with self._busy[seat]:
            lying = self.scene.at(seat).play
            if not lying:
                return
            await self._move(seat, _home(OVER_PLAY), OVER_PLAY, self._reach_s)
            self.show(table.lift_play(self.scene, seat))
            await self._leave(seat, lying)
            self._since[seat] = replace(self._since[seat], play_empty_s=self._clock.now())

    async def show_pass(self, seat: Seat) -> int:
        """Lay the PASS card; returns as `lay` does. A card that lies there already is taken away first."""
        await self.take_pass(seat)
        async with self._busy[seat]:
            await self._clock.sleep(self._since[seat].pass_empty_s + EMPTY_S - APPROACH_S - self._clock.now())
            card = table.pass_sign(self._rng)
            palm = _palm_over((card,))
            await self._move(seat, _home(palm), palm, self._reach_s, (card,), palm)
            self.show(table.show_pass(self.scene, seat, card))
            await self._leave(seat)
            self._since[seat] = replace(self._since[seat], pass_lies_s=self._clock.now())
            return self._clock.mono_ns()

    async def take_pass(self, seat: Seat) -> None:
        """Take the PASS card back, if it lies there."""
        async with self._busy[seat]:
            card = self.scene.at(seat).passing
            if card is None:
                return
            await self._clock.sleep(self._since[seat].pass_lies_s + PASS_LIES_S - APPROACH_S - self._clock.now())
            palm = _palm_over((card,))
            await self._move(seat, _home(palm), palm, self._reach_s)
            self.show(table.show_pass(self.scene, seat, None))
            await self._leave(seat, (card,))
            self._since[seat] = replace(self._since[seat], pass_empty_s=self._clock.now())

    async def report(self, seat: Seat, count: int) -> None:
        """Put out the report card for so many cards."""
        async with self._busy[seat]:
            card = table.report_sign(count, self._rng)
            palm = _palm_over((card,))
            await self._move(seat, _home(palm), palm, self._reach_s, (card,), palm)
            self.show(table.show_report(self.scene, seat, card))
            await self._leave(seat)

    async def clear(self, seat: Seat) -> None:
        """After the deal: everything before the seat goes away, toward the machine's intake at the rim."""
        async with self._busy[seat]:
            place = self.scene.at(seat)
            if place.play or place.discard:
                await self._move(seat, _home(OVER_PLAY), OVER_PLAY, self._reach_s)
                self.show(table.lift_play(self.scene, seat))
                await self._move(seat, OVER_PLAY, OVER_DISCARD, self._reach_s, place.play, OVER_PLAY)
                self.show(self.scene.put(seat, replace(self.scene.at(seat), discard=())))
                await self._leave(seat, place.discard)
            notice = place.notice
            if notice:
                palm = _palm_over(notice)
                await self._move(seat, _home(palm), palm, self._reach_s)
                self.show(self.scene.put(seat, replace(self.scene.at(seat), passing=None, report=None)))
                await self._leave(seat, notice)
            now = self._clock.now()
            self._since[seat] = Since(now, now)

    def _goes(self, packet: Packet) -> tuple[Packet, ...]:
        if len(packet) < LONG_PLAY or self._rng.random() >= IN_TWO_GOES:
            return (packet,)
        return packet[: len(packet) // 2], packet[len(packet) // 2 :]

    def _palm(self, seat: Seat) -> Point:
        hand = self.scene.at(seat).hand
        return hand.end if hand is not None else Point(0.0, HOME_Y)

    async def _move(
        self,
        seat: Seat,
        start: Point,
        end: Point,
        seconds: float,
        carried: Packet = (),
        anchor: Point = OVER_PLAY,
    ) -> None:
        now = self._clock.mono_ns() / 1e9
        self.show(table.hand_of(self.scene, seat, Reach(start, end, now, now + seconds, carried, anchor)))
        await self._clock.sleep(seconds)

    async def _leave(self, seat: Seat, carried: Packet = ()) -> None:
        palm = self._palm(seat)
        await self._move(seat, palm, _home(palm), self._reach_s, carried, palm)
        self.show(table.hand_of(self.scene, seat, None))


def _home(palm: Point) -> Point:
    """Where a hand that goes to `palm` comes from."""
    return Point(palm.x, HOME_Y)


def _palm_over(packet: Packet) -> Point:
    """Where the palm is when it holds these cards."""
    middle = table.middle_of(packet)
    if middle.y > ZONES[Area.PLAY].near:
        return Point(middle.x * 0.3 + OVER_PLAY.x, OVER_PLAY.y)
    return Point(middle.x, middle.y - FINGERS_MM)
