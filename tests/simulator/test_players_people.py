"""Four pretend people in virtual time, opposite a double of machine and controller that judges as the engine does."""

from __future__ import annotations

import asyncio
import itertools
import random
import selectors
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any  # what a future or a JSON value holds

import pytest

from engine.advance import advance
from engine.cards import PACKS, PLAY_ORDER, Card, Seat, parse_cards
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
from engine.findings import CATALOGUE, Severity
from engine.rulebook_data import load_rulebook
from engine.state import Match
from firmware_proto.messages import NO_SEAT, DisplayMode, Key
from simulator.device import NUMBER_OF_SEAT, SEAT_OF_NUMBER
from simulator.errors import DisplayTimeout, HandNotThere
from simulator.game import Game
from simulator.hands import Hands
from simulator.mechanics import HeldPlan, Shown, face
from simulator.people import PACES, PATIENCE_S, Pace, People
from simulator.scenarios import SCENARIOS, Director, Scenario
from simulator.staging import KINDS
from simulator.table import Scene
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
        self._fold(MatchStarted(RULEBOOK.id, RULEBOOK.hash, PLAY_ORDER))
        for number in range(1, deals + 1):
            await self._deal(number)

    async def _deal(self, number: int) -> None:
        assert self.match is not None
        self._show(DisplayMode.DEALING)
        seats = [0, 1, 2, 3] * 27
        self._rng.shuffle(seats)
        hopper = list(range(108))
        self._rng.shuffle(hopper)
        if self._stacker is not None:
            hopper = list(self._stacker(HeldPlan(number, tuple(seats), b""), tuple(hopper)))
        score = self.match.score
        level = score.levels[score.declarer] if score.declarer else min(score.levels.values())
        self._fold(DealStarted(number, level, score.declarer, "seeded", ""))
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


@dataclass(frozen=True, slots=True)
class Evening:
    """What an evening left behind."""

    controller: Controller
    scenes: list[tuple[float, Scene]]
    seconds: float
    director: Director

    def lines(self, *kinds: str) -> list[Line]:
        return [line for line in self.controller.lines if line["kind"] in kinds]


def in_virtual_time(main: Coroutine[Any, Any, Evening]) -> Evening:
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(main)
    finally:
        loop.close()


async def _evening(seed: int, scenario: str, deals: int, ways: Ways, pace: Pace) -> Evening:
    kind, clock = SCENARIOS[scenario], LoopClock()
    controller = Controller(seed, kind, ways)
    scenes: list[tuple[float, Scene]] = []
    manners = random.Random(f"manners {seed}")
    director = kind.director(random.Random(f"choices {seed}"))
    people = People(
        machine=controller,
        hands=Hands(clock, manners, pace.reach_s, lambda scene: scenes.append((clock.now(), scene))),
        game=Game(RULEBOOK),
        director=director,
        account=controller,
        clock=clock,
        rng=manners,
        pace=pace,
    )
    start_s = clock.now()
    async with asyncio.TaskGroup() as group:
        group.create_task(controller.run(deals))
        group.create_task(people.run(deals))
    assert people.progress.done
    return Evening(controller, scenes, clock.now() - start_s, director)


def evening(
    seed: int, scenario: str = "clean", deals: int = 1, ways: Ways = Ways(by_the_book), pace: Pace = PACES["quick"]
) -> Evening:
    return in_virtual_time(_evening(seed, scenario, deals, ways, pace))


def emptied_before_laid(scenes: list[tuple[float, Scene]], seat: Seat) -> list[float]:
    """Seconds for which the play zone was empty, and no hand had cards for it, before each lay-down."""
    gaps, since = [], None
    for (_, before), (at_s, after) in itertools.pairwise(scenes):
        was, is_now = before.at(seat).play, after.at(seat).play
        if was and not is_now:
            since = at_s
        elif not was and is_now and since is not None:
            gaps.append(at_s - since)
    return gaps


@pytest.mark.parametrize("seed", range(6))
def test_a_clean_deal_is_played_to_its_end_without_a_finding(seed: int) -> None:
    done = evening(seed)

    assert done.controller.findings == []
    assert done.lines("expected", "taken_back") == []
    finish = done.lines("finish")[0]["finish"]
    assert done.controller.match is not None
    assert finish == [seat.value for seat in done.controller.match.score.last_finish]
    assert done.controller.lines[-1] == {"kind": "done"}
    assert done.controller.returned == 108


def test_a_clean_deal_takes_at_most_200_seconds() -> None:
    seconds = [evening(seed).seconds for seed in range(8)]

    assert max(seconds) <= 200, seconds


def test_the_account_begins_with_the_hands_and_names_every_act_once() -> None:
    done = evening(3)
    deal, *acts = [line for line in done.controller.lines if line["kind"] in {"deal", "play", "pass"}]

    hands: Any = deal["hands"]
    assert Counter(card for hand in hands.values() for card in hand) == Counter(card.text for card in PACKS)
    assert deal["level"] == "2"
    assert acts[0]["seat"] == deal["leader"]
    stamps = [line["laid_mono_ns"] for line in acts]
    assert all(a < b for a, b in itertools.pairwise(stamps))  # type: ignore[operator]  # integers


def test_the_same_seed_gives_the_same_account() -> None:
    def told(done: Evening) -> list[Mapping[str, object]]:
        return [{k: v for k, v in line.items() if k != "laid_mono_ns"} for line in done.controller.lines]

    assert told(evening(4)) == told(evening(4))


def test_two_deals_follow_each_other_and_the_level_rises() -> None:
    done = evening(9, deals=2)

    levels = [line["level"] for line in done.lines("deal")]
    assert levels[0] == "2"
    assert levels[1] != "2"
    assert done.controller.returned == 216


@pytest.mark.parametrize("seed", range(8))
def test_each_violation_is_staged_once_found_and_nothing_else_is(seed: int) -> None:
    done = evening(seed, "violations")

    expected = [(line["name"], line["seat"]) for line in done.lines("expected")]
    assert sorted(str(name) for name, _ in expected) == sorted(KINDS)
    assert done.controller.findings == expected
    assert all(line["severity"] == CATALOGUE[str(line["name"])].severity.value for line in done.lines("expected"))
    assert len(done.lines("taken_back")) == 4


def test_a_taken_back_line_names_the_play_that_broke_the_rule() -> None:
    done = evening(5, "violations")
    acts, told = done.lines("play", "pass"), done.lines("taken_back")

    taken: list[Line] = [acts[int(str(line["play"]))] for line in told]

    offenders = [line["seat"] for line in done.lines("expected") if line["name"] != "needs_declaration"]
    assert [line["seat"] for line in taken] == offenders


@pytest.mark.parametrize("ruling", ["let_stand", "noted"])
def test_play_goes_on_whatever_the_referee_rules(ruling: str) -> None:
    rules: Callable[[str], str] = lambda name: "declare" if name == "needs_declaration" else ruling  # noqa: E731

    done = evening(2, "violations", ways=Ways(rules))

    assert done.lines("finish")
    assert len(done.lines("expected")) == 5


def test_a_right_play_that_was_misread_is_taken_back_and_play_goes_on() -> None:
    done = evening(6, ways=Ways(by_the_book, misread=11))

    assert len(done.lines("taken_back")) == 1
    assert done.lines("finish")


def test_players_act_by_themselves_when_the_display_stays_silent() -> None:
    done = evening(1, ways=Ways(by_the_book, silent_after=20))

    acts = done.lines("play", "pass")[20:]
    named = done.controller.shows[-3][2]  # before DEAL_OVER and IDLE: whom it named when it fell silent
    waits = [
        (int(str(b["laid_mono_ns"])) - int(str(a["laid_mono_ns"]))) / 1e9
        for a, b in itertools.pairwise(acts)
        if named is None or b["seat"] != named.value
    ]
    assert waits
    assert min(waits) >= PATIENCE_S
    assert done.lines("finish")


@pytest.mark.parametrize("scenario", ["clean", "violations"])
def test_a_play_zone_is_seen_empty_before_other_cards_lie_in_it(scenario: str) -> None:
    done = evening(8, scenario)

    gaps = [gap for seat in Seat for gap in emptied_before_laid(done.scenes, seat)]
    assert gaps
    assert min(gaps) >= 0.6


def test_a_pass_card_is_shown_once_for_each_pass() -> None:
    done = evening(7)

    shown = sum(
        after.at(seat).passing is not None and before.at(seat).passing is None
        for (_, before), (_, after) in zip(done.scenes, done.scenes[1:], strict=False)
        for seat in Seat
    )
    assert shown == len(done.lines("pass"))


def test_report_cards_say_how_many_cards_are_left_and_stay() -> None:
    done = evening(7)
    left = dict.fromkeys(Seat, 27)
    first: dict[Seat, int] = {}
    for line in done.lines("play"):
        seat, cards = Seat(str(line["seat"])), line["cards"]
        left[seat] -= len(cards)  # type: ignore[arg-type]  # JSON list
        if 1 <= left[seat] <= 10:
            first.setdefault(seat, left[seat])

    seen = {
        seat: {str(scene.at(seat).report.shown) for _, scene in done.scenes if scene.at(seat).report is not None}  # type: ignore[union-attr]  # just asked
        for seat in Seat
    }
    assert seen == {seat: {f"ReportSign(count={first[seat]})"} if seat in first else set() for seat in Seat}


def test_the_finish_is_told_before_the_display_says_that_the_deal_is_over() -> None:
    """A person without a camera enters the finish from it; the display waits for that person."""
    done = evening(7)
    over_s = next(at_s for at_s, mode, _ in done.controller.shows if mode is DisplayMode.DEAL_OVER)

    assert done.controller.told_finish_s < over_s


def test_the_table_is_bare_at_the_end() -> None:
    assert evening(7).scenes[-1][1] == Scene()


def test_human_people_take_their_time() -> None:
    assert evening(3, pace=PACES["human"]).seconds > 1.8 * evening(3).seconds


def test_faster_people_are_still_seen_by_the_camera() -> None:
    pace = PACES["quick"].faster(10)

    assert pace.reach_s == 0.2
    assert evening(3, pace=pace).seconds < evening(3).seconds
