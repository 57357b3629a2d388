"""A double of machine and controller for pretend people, in virtual time: it deals, judges by the engine and shows."""

from __future__ import annotations

import asyncio
import random
import selectors
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any  # what a future or a JSON value holds

from engine.advance import advance
from engine.cards import PACKS, PLAY_ORDER, Card, Level, Seat, parse_cards
from engine.combos import Reading
from engine.facts import (
    CardDealt,
    CardsLaid,
    DealCompleted,
    DealStarted,
    Declared,
    Fact,
    HandConfirmed,
    HandTaken,
    Judgement,
    LeaderDrawn,
    MatchStarted,
    Passed,
    Ruled,
)
from engine.findings import Severity
from engine.rulebook_data import load_rulebook
from engine.state import Match
from firmware_proto.messages import NO_SEAT, DisplayMode, Key
from simulator.device import NUMBER_OF_SEAT, SEAT_OF_NUMBER
from simulator.errors import DisplayTimeout, HandNotThere
from simulator.mechanics import HeldPlan, Shown, face
from simulator.scenarios import Scenario
from simulator.truth import Line

RULEBOOK = load_rulebook("competitive-2022")
SEES_S = 0.5
"""From the hand's leaving to the display's moving on."""


class _Skipping(selectors.SelectSelector):
    """Does not wait: time is moved on by as much as would have been waited."""

    skip: Callable[[float], None]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("everybody waits for ever")
        self.skip(timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in which waiting takes no time."""

    def __init__(self) -> None:
        selector = _Skipping()
        super().__init__(selector)
        self.now_s = 1000.0
        selector.skip = self._skip

    def _skip(self, seconds: float) -> None:
        self.now_s += seconds

    def time(self) -> float:
        return self.now_s


class LoopClock:
    """The clock of the running loop."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def mono_ns(self) -> int:
        return round(self.now() * 1e9)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    async def wait(self, future: asyncio.Future[Any], seconds: float) -> bool:
        done, _ = await asyncio.wait((future,), timeout=max(0.0, seconds))
        return bool(done)


@dataclass(frozen=True, slots=True)
class Ways:
    """How the double behaves. `misread`: it orders back the first play after so many acts, although it was right."""

    rules: Callable[[str], str] = lambda name: "take_back"
    misread: int | None = None
    silent_after: int | None = None


class Controller:
    """Machine and controller in one: deals, sees what the account says, judges, shows, and lets a referee rule."""

    def __init__(self, seed: int, scenario: Scenario, ways: Ways) -> None:
        self._rng = random.Random(f"double {seed}")
        self._stacker = scenario.stacker(seed)
        self._ways = ways
        self._shown = Shown(DisplayMode.IDLE)
        self._changed = asyncio.Event()
        self._seen: deque[Line] = deque()
        self._news = asyncio.Event()
        self._hands: dict[Seat, tuple[Card, ...]] = {}
        self._pressed: set[Seat] = set()
        self._back: list[Card] = []
        self.match: Match | None = None
        self.lines: list[Line] = []
        self.findings: list[tuple[str, str | None]] = []
        self.open = False
        self.returned = 0
        self.shows: list[tuple[float, DisplayMode, Seat | None]] = []
        self._record = 0
        self._plays = 0
        self.misreads = 0
        self.told_finish_s = float("inf")

    # what people see and touch

    @property
    def display(self) -> Shown:
        return self._shown

    @property
    def display_seat(self) -> Seat | None:
        return None if self._shown.seat == NO_SEAT else SEAT_OF_NUMBER[self._shown.seat]

    async def wait_display(self, predicate: Callable[[Shown], bool], timeout_s: float) -> Shown:
        try:
            async with asyncio.timeout(timeout_s):
                while not predicate(self._shown):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise DisplayTimeout(timeout_s, self._shown.mode.name) from None
        return self._shown

    def take_hand(self, seat: Seat) -> tuple[Card, ...]:
        if not self.open:
            raise HandNotThere(seat.value)
        self._fold(HandTaken(seat))
        return self._hands[seat]

    def press(self, key: Key, seat: Seat, value: int = 0) -> None:
        assert key is Key.COUNT_OK
        self._fold(HandConfirmed(seat, value))
        self._pressed.add(seat)
        self._news.set()

    def return_cards(self, cards: Iterable[Card]) -> None:
        self._back = list(cards)
        self._news.set()

    async def write(self, line: Line) -> None:
        self.lines.append(line)
        if line["kind"] == "finish":
            self.told_finish_s = asyncio.get_running_loop().time()
        if line["kind"] in {"play", "pass", "taken_back"}:
            self._seen.append(line)
            self._news.set()

    # what it does

    def _show(self, mode: DisplayMode, seat: Seat | None = None) -> None:
        self._shown = Shown(mode, NO_SEAT if seat is None else NUMBER_OF_SEAT[seat])
        self.shows.append((asyncio.get_running_loop().time(), mode, seat))
        self._changed.set()

    def _fold(self, fact: Fact) -> list[str]:
        self._record += 1
        outcome = advance(self.match, fact, RULEBOOK, self._record)
        self.match = outcome.state
        serious = [f for f in outcome.findings if f.kind.severity is not Severity.INFO]
        self.findings += [(f.name, f.seat.value if f.seat else None) for f in serious]
        return [f.name for f in serious]

    async def run(self, deals: int) -> None:
        for number in range(1, deals + 1):
            await self._deal(number)

    async def _deal(self, number: int) -> None:
        """A deal is a match of its own, as the table counts it."""
        self._fold(MatchStarted(RULEBOOK.id, RULEBOOK.hash, PLAY_ORDER))
        assert self.match is not None
        self._show(DisplayMode.DEALING)
        seats = [0, 1, 2, 3] * 27
        self._rng.shuffle(seats)
        hopper = list(range(108))
        self._rng.shuffle(hopper)
        if self._stacker is not None:
            hopper = list(self._stacker(HeldPlan(number, tuple(seats), b""), tuple(hopper)))
        self._fold(DealStarted(number, Level.TWO, None, "seeded", ""))
        for index, (card, seat) in enumerate(zip(hopper, seats, strict=True)):
            self._fold(CardDealt(index, SEAT_OF_NUMBER[seat], Card(face(card))))
        self._fold(DealCompleted(tuple((seat, 27) for seat in Seat)))
        self._hands = {
            seat: tuple(Card(face(c)) for c, s in zip(hopper, seats, strict=True) if s == NUMBER_OF_SEAT[seat])
            for seat in Seat
        }
        await asyncio.sleep(27)
        self._pressed.clear()
        self._show(DisplayMode.TAKE_HANDS)
        await asyncio.sleep(1)
        self.open = True
        leader = self._rng.choice(PLAY_ORDER)
        index = next(i for i, (s, c) in self._deal_feed() if s is leader and c not in RULEBOOK.redraw_on)
        self._fold(LeaderDrawn(index, leader))
        await asyncio.sleep(2)
        self._show(DisplayMode.COUNT)
        while len(self._pressed) < 4:
            await self._next_news()
        self.open = False
        self._show(DisplayMode.PLAY, leader)
        while self.match.deal is not None and not self.match.deal.is_over:
            await self._watch()
        self._show(DisplayMode.DEAL_OVER)
        while not self._back:
            await self._next_news()
        self.returned += len(self._back)
        assert Counter(self._back) == Counter(PACKS)
        self._back = []
        self._show(DisplayMode.IDLE)

    def _deal_feed(self) -> list[tuple[int, tuple[Seat, Card | None]]]:
        assert self.match is not None
        assert self.match.deal is not None
        return list(self.match.deal.feed.items())

    async def _next_news(self) -> None:
        self._news.clear()
        await self._news.wait()

    async def _next_line(self) -> Line:
        while not self._seen:
            await self._next_news()
        return self._seen.popleft()

    async def _watch(self) -> None:
        """One act on the table."""
        assert self.match is not None
        line = await self._next_line()
        if self._ways.silent_after is not None and self._plays >= self._ways.silent_after:
            self._shown_as_before(line)
            return
        await asyncio.sleep(SEES_S)
        assert line["kind"] != "taken_back", "taken back without being told to"
        seat = Seat(str(line["seat"]))
        if line["kind"] == "pass":
            wrong = self._fold(Passed(seat))
            assert not wrong
        else:
            cards = parse_cards([str(card) for card in line["cards"]])  # type: ignore[attr-defined]  # JSON list
            wrong = self._fold(CardsLaid(seat, cards))
            record = self._record
            if wrong:
                await self._referee(wrong[0], seat, record, line)
            elif self._ways.misread is not None and self._plays >= self._ways.misread and not self.misreads:
                self.misreads += 1
                await self._order_back(seat, record)
        self._plays += 1
        deal = self.match.deal
        assert deal is not None
        if not deal.is_over:
            self._show(DisplayMode.PLAY, deal.turn)

    def _shown_as_before(self, line: Line) -> None:
        """Fold what happened without showing anything."""
        seat = Seat(str(line["seat"]))
        if line["kind"] == "pass":
            self._fold(Passed(seat))
        else:
            self._fold(CardsLaid(seat, parse_cards([str(c) for c in line["cards"]])))  # type: ignore[attr-defined]  # JSON list

    async def _referee(self, name: str, seat: Seat, record: int, line: Line) -> None:
        match self._ways.rules(name):
            case "declare" if name == "needs_declaration":
                self._show(DisplayMode.ASK, seat)
                await asyncio.sleep(1)
                assert not self._fold(Declared(seat, Reading.from_json(line["reading"])))
            case "let_stand":
                self._show(DisplayMode.HOLD)
                await asyncio.sleep(1)
                self._fold(Ruled("", record, seat, Judgement.LET_STAND, "script"))
            case "noted":
                self._show(DisplayMode.HOLD)
                await asyncio.sleep(1)
                assert self.match is not None
                assert self.match.deal is not None
                self._show(DisplayMode.PLAY, self.match.deal.turn)
                assert (await self._next_line())["kind"] == "taken_back"
            case _:
                self._show(DisplayMode.HOLD)
                await asyncio.sleep(1)
                await self._order_back(seat, record)

    async def _order_back(self, seat: Seat, record: int) -> None:
        self._fold(Ruled("", record, seat, Judgement.TAKE_BACK, "script"))
        self._show(DisplayMode.TAKE_BACK, seat)
        assert (await self._next_line())["kind"] == "taken_back"
        await asyncio.sleep(SEES_S)


def by_the_book(name: str) -> str:
    return "declare" if name == "needs_declaration" else "take_back"
