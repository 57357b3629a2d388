"""Four people at the table: they take their hands, play what their director says, and obey the display.

How people behave: a player acts when the display names him; if it names nobody for long, he acts anyway. HOLD and ASK
make everybody wait, TAKE_BACK makes the seat take its cards back.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from engine.cards import Card, Seat
from engine.state import HAND
from firmware_proto.messages import DisplayMode, Key
from simulator import truth
from simulator.clock import Clock
from simulator.errors import DisplayTimeout, HandNotThere
from simulator.game import Game, Lay, Pass
from simulator.hands import LEAST_REACH_S, Hands
from simulator.mechanics import Shown
from simulator.scenarios import Director
from simulator.truth import Account

Given = TypeVar("Given")

PATIENCE_S: Final = 8.0
"""After so long without a word from the display the next player acts anyway."""
UNWATCHED_PATIENCE_S: Final = 0.3
"""The same where no camera watches: nobody waits for a display that cannot know."""
LOOK_AGAIN_S: Final = 60.0
"""Longest single wait for the display; what is waited for is then looked at anew."""
RECONSIDER_S: Final = 3.0
"""When play is resumed over cards that break a rule, the offender takes them back himself after so long."""
POCKET_RETRY_S: Final = 0.2
"""The display may ask to take the hands a little before the pockets are open."""


class MachineSide(Protocol):
    """What people see and touch of the dealing machine; simulator.device.Device, or a double in tests."""

    @property
    def display(self) -> Shown: ...

    @property
    def display_seat(self) -> Seat | None: ...

    async def wait_display(self, predicate: Callable[[Shown], bool], timeout_s: float) -> Shown: ...

    def take_hand(self, seat: Seat) -> tuple[Card, ...]: ...

    def press(self, key: Key, seat: Seat, value: int = 0) -> None: ...

    def return_cards(self, cards: Iterable[Card]) -> None: ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast people are. Spans are least and most, seconds."""

    think_s: tuple[float, float]
    reach_s: float
    take_s: tuple[float, float]
    """From the display's request to the hand taken, or the key pressed."""
    referee_s: float
    """How long an offender, or one who is asked, waits for a person before he helps himself."""

    def faster(self, speed: float) -> Pace:
        """The same people `speed` times as fast; a reach stays slow enough to be seen. A referee is no faster."""
        return replace(
            self,
            think_s=(self.think_s[0] / speed, self.think_s[1] / speed),
            reach_s=max(LEAST_REACH_S, self.reach_s / speed),
            take_s=(self.take_s[0] / speed, self.take_s[1] / speed),
        )


PACES: Final = {
    "quick": Pace((0.05, 0.25), 0.25, (0.1, 0.8), 30.0),
    "human": Pace((1.0, 3.0), 0.45, (1.0, 4.0), 600.0),
}
"""`quick` for runs that nobody watches, `human` for a table that people look at."""


@dataclass(slots=True)
class Progress:
    """How far the evening is, for those who ask."""

    phase: str = "dealing"
    deal: int = 0
    plays: int = 0
    done: bool = False


class People:
    """The four people of one table."""

    def __init__(
        self,
        machine: MachineSide,
        hands: Hands,
        game: Game,
        director: Director,
        account: Account,
        clock: Clock,
        rng: random.Random,
        pace: Pace,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._machine = machine
        self._hands = hands
        self._game = game
        self._director = director
        self._account = account
        self._clock = clock
        self._rng = rng
        self._pace = pace
        self._patience_s = patience_s
        self._group = asyncio.TaskGroup()
        self._clearing: list[asyncio.Task[None]] = []
        self._acted_s = clock.now()
        self._acts = 0
        self._lying: dict[Seat, int] = {}
        self._reported: set[Seat] = set()
        self.progress = Progress()

    async def run(self, deals: int) -> None:
        """Play so many deals."""
        async with self._group:
            for _ in range(deals):
                await self._deal()
        await self._account.write(truth.DONE)
        self.progress = replace(self.progress, phase="done", done=True)

    async def _deal(self) -> None:
        self.progress = Progress("dealing", self.progress.deal + 1)
        await self._until(lambda shown: shown.mode is DisplayMode.TAKE_HANDS)
        self.progress.phase = "taking"
        hands = dict(await self._each(self._take_hand))
        await self._until(lambda shown: shown.mode in {DisplayMode.COUNT, DisplayMode.PLAY})
        await self._each(self._count)
        self._game.new_match()  # as the table counts them (decision 0004)
        self._game.begin_deal(hands)
        self._director.begin(self._game)
        await self._until(lambda shown: shown.mode is DisplayMode.PLAY and self._machine.display_seat is not None)
        self._begin_play(self._machine.display_seat)
        await self._account.write(
            truth.deal_line(self._game.deal_no, self._game.level, self._game.turn, self._game.dealt)
        )
        await self._play_out()
        while not await self._end_is_seen():
            await self._play_out()
        await self._return_cards()

    async def _play_out(self) -> None:
        """Play to the end and say how it ended: where no camera watches, a person enters that before play is over."""
        while not self._game.over:
            await self._step()
        await self._account.write(truth.finish_line(self._game.deal_no, self._game.deal.finish))

    def _begin_play(self, leader: Seat | None) -> None:
        if leader is None:
            raise RuntimeError("the display names no leader")
        self._game.lead(leader)
        self._acts, self._lying, self._reported = 0, {}, set()
        self._acted_s = self._clock.now()
        self.progress.phase = "playing"
        self._hands.light(leader)

    # -- before and after play -----------------------------------------------------------------------------------

    async def _take_hand(self, seat: Seat) -> tuple[Seat, tuple[Card, ...]]:
        await self._clock.sleep(self._rng.uniform(*self._pace.take_s))
        while True:
            try:
                return seat, self._machine.take_hand(seat)
            except HandNotThere:
                await self._clock.sleep(POCKET_RETRY_S)

    async def _count(self, seat: Seat) -> None:
        await self._clock.sleep(self._rng.uniform(*self._pace.take_s))
        self._machine.press(Key.COUNT_OK, seat, HAND)

    async def _end_is_seen(self) -> bool:
        """Whether the display says that the deal is over; False if even the last play has to be taken back."""
        self._hands.light(None)
        await self._until(lambda shown: shown.mode in {DisplayMode.DEAL_OVER, DisplayMode.TAKE_BACK})
        seat = self._machine.display_seat
        if self._machine.display.mode is DisplayMode.TAKE_BACK and seat is not None:
            await self._obey_take_back(seat)
            return False
        return True

    async def _return_cards(self) -> None:
        self.progress.phase = "returning"
        await self._until(lambda shown: shown.mode is DisplayMode.DEAL_OVER)
        await self._all_cleared()
        await self._each(self._hands.clear)
        self._machine.return_cards(card for hand in self._game.dealt.values() for card in hand)
        await self._until(lambda shown: shown.mode is not DisplayMode.DEAL_OVER, LOOK_AGAIN_S)

    async def _each(self, do: Callable[[Seat], Coroutine[None, None, Given]]) -> list[Given]:
        """All four at once; answers in the order S E N W."""
        return await asyncio.gather(*(do(seat) for seat in Seat))

    # -- one act --------------------------------------------------------------------------------------------------

    async def _step(self) -> None:
        """One act, or a play taken back instead."""
        turn = self._game.turn
        act = self._director.next_act(self._game)
        if isinstance(act, Lay):
            self._clear_away(act.seat)
        if not await self._turn_comes(turn):
            return
        await self._clock.sleep(self._rng.uniform(*self._pace.think_s))
        await self._all_cleared()
        if isinstance(act, Lay):
            await self._lay(act, turn)
        else:
            await self._pass(act)
        self._director.performed(act)
        self._acted_s = self._clock.now()
        self.progress.plays = self._acts

    async def _pass(self, act: Pass) -> None:
        laid_ns = await self._hands.show_pass(act.seat)
        await self._account.write(truth.pass_line(self._game.deal_no, act.seat, laid_ns))
        self._acts += 1
        trick = self._game.trick_number
        self._game.do(act)
        self._tidy(act.seat, trick)

    async def _lay(self, act: Lay, turn: Seat) -> None:
        deal = self._game.deal_no
        if act.fault is not None:
            await self._account.write(truth.expected_line(act.fault, act.seat, deal))
        laid_ns = await self._hands.lay(act.seat, act.cards)
        await self._account.write(truth.play_line(deal, act.seat, act.cards, act.reading, laid_ns))
        self._lying[act.seat] = self._acts
        self._acts += 1
        trick = self._game.trick_number
        if act.fault is None:
            self._game.do(act)
        elif await self._is_let_stand(act, turn):
            self._game.settle(act)
        else:
            await self._take_back(act.seat)
            return
        self._report(act.seat)
        self._tidy(act.seat, trick)

    def _report(self, seat: Seat) -> None:
        """The report card goes out with the play that leaves few enough cards."""
        left, threshold = self._game.deal.hand_sizes[seat], self._game.rulebook.report_threshold
        if threshold is not None and 1 <= left <= threshold and seat not in self._reported:
            self._reported.add(seat)
            self._soon(self._hands.report(seat, left))

    def _tidy(self, seat: Seat, trick: int) -> None:
        """After an act of `seat` in trick number `trick`: PASS cards go, and after the trick the plays too."""
        for other in Seat:
            if other is not seat:
                self._soon(self._hands.take_pass(other))
        if self._game.over:
            return  # the last play stays in sight until the display says that the deal is over
        self._hands.light(self._game.turn)
        if self._game.trick_number != trick:
            for other in Seat:
                self._clear_away(other)
            self._soon(self._take_last_pass(seat, self._game.turn))

    async def _take_last_pass(self, seat: Seat, leader: Seat) -> None:
        """The PASS card that ended a trick goes when the display has moved on: it has been seen.

        While the display says "please wait" it stays; else patience has its end here too.
        """
        end_s = self._clock.now() + self._patience_s
        while self._machine.display_seat is not leader and self._clock.now() < end_s:
            shown = self._machine.display
            await self._changes(shown, end_s - self._clock.now())
            if shown.mode is DisplayMode.HOLD:
                end_s = self._clock.now() + self._patience_s
        await self._hands.take_pass(seat)

    def _clear_away(self, seat: Seat) -> None:
        """Cards that lie in the play zone are turned over, while others look at the display."""
        if self._hands.scene.at(seat).play:
            self._lying.pop(seat, None)
            self._soon(self._hands.turn_over(seat))

    def _soon(self, work: Coroutine[None, None, None]) -> None:
        """A hand does something while the play goes on."""
        self._clearing = [task for task in self._clearing if not task.done()]
        self._clearing.append(self._group.create_task(work))

    async def _all_cleared(self) -> None:
        """Nobody's hand is over the table any more."""
        if self._clearing:
            await asyncio.wait(self._clearing)

    # -- the display ----------------------------------------------------------------------------------------------

    async def _until(self, predicate: Callable[[Shown], bool], limit_s: float = float("inf")) -> None:
        """Wait for the display, looking again and again: the machine may deal, pause or be repaired meanwhile."""
        end_s = self._clock.now() + limit_s
        while self._clock.now() < end_s:
            with contextlib.suppress(DisplayTimeout):
                await self._machine.wait_display(predicate, min(LOOK_AGAIN_S, end_s - self._clock.now()))
                return

    async def _changes(self, shown: Shown, limit_s: float) -> bool:
        """Whether the display shows something else within a time."""
        with contextlib.suppress(DisplayTimeout):
            await self._machine.wait_display(lambda now: now != shown, limit_s)
            return True
        return False

    async def _turn_comes(self, turn: Seat) -> bool:
        """Wait until `turn` may act. False: a play was taken back, so everything has to be thought over."""
        since_s = self._acted_s
        while True:
            shown, seat = self._machine.display, self._machine.display_seat
            match shown.mode:
                case DisplayMode.PLAY if seat is turn:
                    return True
                case DisplayMode.TAKE_BACK if seat is not None:
                    await self._obey_take_back(seat)
                    return False
                case DisplayMode.HOLD:
                    await self._changes(shown, LOOK_AGAIN_S)
                    since_s = self._clock.now()
                case DisplayMode.ASK:
                    if not await self._changes(shown, self._pace.referee_s):
                        return True
                    since_s = self._clock.now()
                case _:
                    left_s = since_s + self._patience_s - self._clock.now()
                    if left_s <= 0 or not await self._changes(shown, left_s):
                        return True

    async def _obey_take_back(self, seat: Seat) -> None:
        """The referee has a play taken back that the players thought right."""
        shown = self._machine.display
        if self._hands.scene.at(seat).play:
            self._game.take_back(seat)
            await self._take_back(seat)
        await self._changes(shown, LOOK_AGAIN_S)
        self._acted_s = self._clock.now()

    async def _take_back(self, seat: Seat) -> None:
        """The cards before `seat` go back into its hand, and the account says so."""
        await self._hands.take_back(seat)
        play = self._lying.pop(seat, None)
        if play is not None:
            await self._account.write(truth.taken_back_line(self._game.deal_no, play))

    async def _is_let_stand(self, act: Lay, turn: Seat) -> bool:
        """Wait for what becomes of a play that breaks a rule. False: it has to be taken back."""
        end_s = self._clock.now() + self._pace.referee_s
        was_held = False
        while True:
            shown, seat = self._machine.display, self._machine.display_seat
            match shown.mode:
                case DisplayMode.TAKE_BACK if seat is act.seat:
                    return False
                case DisplayMode.PLAY if seat is not turn:
                    return True
                case DisplayMode.HOLD | DisplayMode.ASK:
                    was_held = True
                    await self._changes(shown, LOOK_AGAIN_S)
                    continue
                case DisplayMode.PLAY if was_held:
                    left_s = RECONSIDER_S
                case _:
                    left_s = end_s - self._clock.now()
            if left_s <= 0 or not await self._changes(shown, left_s):
                return False
