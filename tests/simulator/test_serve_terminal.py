"""A whole deal with violations through a real pseudo terminal, opposite a small controller."""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any  # a JSON value

import pytest

from engine.advance import advance
from engine.cards import PACKS, Card, Seat, parse_cards
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
from firmware_proto.link import Deliver, Effect, Link, Role, Up, Write
from firmware_proto.messages import (
    PROTOCOL_VERSION,
    SCHEMA_HASH,
    CardRead,
    Collect,
    Collected,
    DealDone,
    DealStart,
    DeviceState,
    Display,
    DisplayMode,
    Event,
    EventsFrom,
    Heartbeat,
    Hello,
    KeyPressed,
    Message,
    Plan,
    Present,
    StateChanged,
)
from firmware_proto.messages import HandTaken as HandTakenEvent
from firmware_proto.plan import pack_seats, plan_hash
from simulator.device import NUMBER_OF_SEAT, SEAT_OF_NUMBER

RULEBOOK = load_rulebook("competitive-2022")


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[dict[str, Any]]:
    """The addresses that a running simulator printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "simulator", "serve", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


@dataclass
class Host:
    """A small controller on a real terminal: it deals, and sees plays in the simulator's account."""

    serial: str
    truth: Path
    link: Link = field(
        default_factory=lambda: Link(
            Role.HOST, Hello(os.urandom(16), PROTOCOL_VERSION, SCHEMA_HASH), Heartbeat(DeviceState(0), 0, 0, 0)
        )
    )
    events: list[Message] = field(default_factory=list)
    findings: list[tuple[str, str]] = field(default_factory=list)
    match: Match | None = None
    commands: int = 0
    records: int = 0
    last_event: int = 0
    shown: Display | None = None

    def __enter__(self) -> Host:
        self.fd = os.open(self.serial, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._act(self.link.open(time.monotonic()))
        self.until(lambda: self.link.up, 5)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)

    def until(self, claim: Callable[[], bool], seconds: float) -> None:
        end_s = time.monotonic() + seconds
        while not claim():
            assert time.monotonic() < end_s, f"not true after {seconds} s"
            ready, _, _ = select.select([self.fd], [], [], 0.01)
            if ready:
                self._act(self.link.receive(os.read(self.fd, 4096), time.monotonic()))
            self._act(self.link.tick(time.monotonic()))

    def send(self, make: Callable[[int], Message]) -> None:
        self.commands += 1
        self._act(self.link.send(make(self.commands), time.monotonic()))

    def show(self, mode: DisplayMode, seat: Seat | None = None) -> None:
        number = 255 if seat is None else NUMBER_OF_SEAT[seat]
        self.send(lambda cmd: Display(cmd, mode, number, 1))

    def has(self, *kinds: type[Message], count: int = 1) -> bool:
        return sum(isinstance(event, kinds) for event in self.events) >= count

    def _act(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Write):
                os.write(self.fd, effect.data)
            elif isinstance(effect, Up):
                self.send(lambda cmd: EventsFrom(cmd, self.last_event + 1))
            elif isinstance(effect, Deliver):
                self._take(effect.message)

    def _take(self, message: Message) -> None:
        if isinstance(message, Event) and message.event_no == self.last_event + 1:
            self.last_event = message.event_no
            self.events.append(message)

    def truth_lines(self) -> list[dict[str, Any]]:
        text = self.truth.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n")[:-1]]

    def fold(self, fact: Fact) -> list[str]:
        self.records += 1
        outcome = advance(self.match, fact, RULEBOOK, self.records)
        self.match = outcome.state
        wrong = [f for f in outcome.findings if f.kind.severity is not Severity.INFO]
        self.findings += [(f.name, f.seat.value if f.seat is not None else "") for f in wrong]
        return [f.name for f in wrong]

    @property
    def turn(self) -> Seat | None:
        assert self.match is not None
        assert self.match.deal is not None
        return self.match.deal.turn

    def deal(self, seed: int) -> None:
        """Deal, have the hands taken and counted, and open play."""
        seats = random.Random(seed).sample([0, 1, 2, 3] * 27, 108)
        plan = pack_seats(seats)
        self.until(lambda: self.has(StateChanged), 5)
        self.send(lambda cmd: Plan(cmd, 1, plan, plan_hash(plan)))
        self.show(DisplayMode.DEALING)
        self.send(lambda cmd: DealStart(cmd, 1, plan_hash(plan), DeviceState.READY))
        self.until(lambda: self.has(DealDone), 30)
        self.show(DisplayMode.TAKE_HANDS)
        self.send(lambda cmd: Present(cmd, 1))
        self.until(lambda: self.has(HandTakenEvent, count=4), 15)
        self.show(DisplayMode.COUNT)
        self.until(lambda: self.has(KeyPressed, count=4), 15)
        self.fold(MatchStarted(RULEBOOK.id, RULEBOOK.hash, RULEBOOK.play_order))
        self.fold(DealStarted(1, min(self.match.score.levels.values()), None, "seeded", ""))  # type: ignore[union-attr]  # just begun
        for event in self.events:
            if isinstance(event, CardRead):
                self.fold(CardDealt(event.index, SEAT_OF_NUMBER[seats[event.index]], Card(event.card)))
        self.fold(DealCompleted(tuple((seat, 27) for seat in Seat)))
        for seat in Seat:
            self.fold(HandTaken(seat))
            self.fold(HandConfirmed(seat))
        index = next(e.index for e in self.events if isinstance(e, CardRead) and e.card not in RULEBOOK.redraw_on)
        self.fold(LeaderDrawn(index, SEAT_OF_NUMBER[seats[index]]))
        self.show(DisplayMode.PLAY, self.turn)

    def watch(self, seconds: float) -> None:
        """Judge what the account tells until the deal is over."""
        told = 0
        end_s = time.monotonic() + seconds
        while self.match is not None and self.match.deal is not None and not self.match.deal.is_over:
            line = self._line(told, end_s - time.monotonic())
            told += 1
            if line["kind"] == "play":
                self._play(line)
            elif line["kind"] == "pass":
                assert not self.fold(Passed(Seat(line["seat"])))
                self.show(DisplayMode.PLAY, self.turn)
            elif line["kind"] == "taken_back":
                self.show(DisplayMode.PLAY, self.turn)

    def _line(self, number: int, seconds: float) -> dict[str, Any]:
        self.until(lambda: len(self.truth_lines()) > number, seconds)
        return self.truth_lines()[number]

    def _play(self, line: dict[str, Any]) -> None:
        seat = Seat(line["seat"])
        wrong = self.fold(CardsLaid(seat, parse_cards(line["cards"])))
        if wrong == ["needs_declaration"]:
            self.show(DisplayMode.ASK, seat)
            assert not self.fold(Declared(seat, Reading.from_json(line["reading"])))
        elif wrong:
            self.fold(Ruled("", self.records, seat, Judgement.TAKE_BACK, "script"))
            self.show(DisplayMode.TAKE_BACK, seat)
            return
        self.show(DisplayMode.PLAY, self.turn)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_deal_with_violations_is_played_through_a_real_terminal(tmp_path: Path) -> None:
    truth = tmp_path / "truth.jsonl"
    arguments = ("--seed", "11", "--scenario", "violations", "--speed", "8", "--truth", str(truth), "--fps", "2")
    with serving(*arguments) as line, Host(line["serial"], truth) as host:
        host.deal(3)
        host.watch(200)
        host.show(DisplayMode.DEAL_OVER)
        host.send(Collect)
        host.until(lambda: host.has(Collected), 20)
        host.show(DisplayMode.IDLE)
        host.until(lambda: host.truth_lines()[-1] == {"kind": "done"}, 10)
        with urllib.request.urlopen(line["control"], timeout=10) as answer:
            state = json.load(answer)
        lines = host.truth_lines()

    expected = [(line["name"], line["seat"]) for line in lines if line["kind"] == "expected"]
    assert len({name for name, _ in expected}) == 5
    assert host.findings == expected
    assert state["done"]
    hands = [card for line in lines if line["kind"] == "deal" for hand in line["hands"].values() for card in hand]
    assert sorted(hands) == sorted(card.text for card in PACKS)
