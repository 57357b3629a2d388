"""A whole deal in pixels and virtual time: people, camera, eyes and intake, with a double for the machine only.

Time is what the loop skips, so a busy machine makes such an evening slower but never different: what is lost here is
lost by the eyes. `fps` and `late` say how evenly pictures come.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from dealer.intake import Zones, empty_zones, interpret, remember
from dealer.table import LOOK_AROUND_S
from engine.cards import card_texts
from engine.facts import CardsLaid, Fact, Passed
from firmware_proto.messages import DisplayMode
from simulator.camera import Camera
from simulator.game import Game
from simulator.hands import Hands
from simulator.people import PACES, People
from simulator.scenarios import SCENARIOS
from simulator.table import Scene
from simulator.truth import Line
from tests.simulator.virtual_controller import RULEBOOK, Controller, LoopClock, VirtualLoop, Ways
from vision.observations import CameraState, Message, Observation
from vision.pipeline import Pipeline
from vision.shots import JpegShot

Act = tuple[str, tuple[str, ...]]
"""A seat and its cards; none for a pass."""

LIMIT_S = 400.0
"""A deal takes 110 to 150 s; one that stands still ends here and says so."""
READS_S = 0.03
"""From a picture to what it tells."""


class SeeingController(Controller):
    """Knows of the play only what the eyes have told."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, SCENARIOS["clean"], Ways())
        self.told: asyncio.Queue[Message] = asyncio.Queue()
        self._sees = False
        self._seeing_since_s = 0.0
        self.zones: Zones = empty_zones()
        self.seen: list[tuple[float, Act]] = []
        self.questions: list[str] = []

    async def write(self, line: Line) -> None:
        self.lines.append(line)

    async def _watch(self) -> None:
        told = await self.told.get()
        assert self.match is not None
        if isinstance(told, CameraState):
            if told.ok and not self._sees:
                self._seeing_since_s = asyncio.get_running_loop().time()
            self._sees = told.ok
        else:
            self._interpret(told)
        deal = self.match.deal
        assert deal is not None
        if deal.is_over:
            return
        looked = asyncio.get_running_loop().time() - self._seeing_since_s >= LOOK_AROUND_S
        mode, seat = (DisplayMode.PLAY, deal.turn) if self._sees and looked else (DisplayMode.HOLD, None)
        if (mode, seat) != self.shows[-1][1:]:
            self._show(mode, seat)

    def _interpret(self, observation: Observation) -> None:
        intake = interpret(observation, self.zones, self.match)
        if intake.question is not None:
            self.questions.append(f"{intake.question.seat.value}: {intake.question.why}")
        for fact in intake.facts:
            self._take(fact)

    def _take(self, fact: Fact) -> None:
        self.zones = remember(self.zones, fact)
        self._fold(fact)
        now = asyncio.get_running_loop().time()
        match fact:
            case CardsLaid(seat, cards):
                self.seen.append((now, (seat.value, tuple(card_texts(cards)))))
            case Passed(seat):
                self.seen.append((now, (seat.value, ())))


@dataclass(frozen=True, slots=True)
class Watched:
    """What was made, what was seen of it and what the rules said of that."""

    made: list[Act]
    seen: list[Act]
    findings: list[tuple[str, str | None]]
    questions: list[str]
    states: list[CameraState]
    seconds: float


@dataclass
class _Eyes:
    """A camera that shoots `fps` pictures a second, now and then one late by as much as `late` seconds."""

    seed: int
    fps: float
    late: float
    controller: SeeingController
    scene: Scene = field(default_factory=Scene)
    states: list[CameraState] = field(default_factory=list)

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        camera, chance = Camera(self.seed), random.Random(f"late {self.seed}")
        pipeline = Pipeline(lambda jpeg: "0" * 64, round(loop.time() * 1e9))
        number = 0
        while True:
            await asyncio.sleep(1 / self.fps + chance.random() ** 4 * self.late)
            number += 1
            taken_ns = round(loop.time() * 1e9)
            picture = camera.picture(self.scene, taken_ns)
            await asyncio.sleep(READS_S)
            for told in pipeline.step(JpegShot(picture.jpeg, number, taken_ns, "virtual"), round(loop.time() * 1e9)):
                self.controller.told.put_nowait(told)
                if isinstance(told, CameraState):
                    self.states.append(told)


async def _deal(seed: int, fps: float, late: float, limit_s: float) -> Watched:
    clock = LoopClock()
    controller = SeeingController(seed)
    eyes = _Eyes(seed, fps, late, controller)
    manners = random.Random(f"manners {seed}")

    def publish(scene: Scene) -> None:
        eyes.scene = scene

    people = People(
        machine=controller,
        hands=Hands(clock, manners, PACES["quick"].reach_s, publish),
        game=Game(RULEBOOK),
        director=SCENARIOS["clean"].director(random.Random(f"choices {seed}")),
        account=controller,
        clock=clock,
        rng=manners,
        pace=PACES["quick"],
    )
    start_s = clock.now()
    watching = asyncio.create_task(eyes.run())
    try:
        async with asyncio.timeout(limit_s), asyncio.TaskGroup() as group:
            group.create_task(controller.run(1))
            group.create_task(people.run(1))
    except TimeoutError:
        controller.questions.append(f"the deal stands still: display {controller.display}, {people.progress}")
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    made: list[Act] = [
        (str(line["seat"]), tuple(str(card) for card in line.get("cards", ())))
        for line in controller.lines
        if line["kind"] in {"play", "pass"}
    ]
    return Watched(
        made,
        [act for _, act in controller.seen],
        controller.findings,
        controller.questions,
        eyes.states,
        clock.now() - start_s,
    )


def watched_deal(seed: int, fps: float = 10.0, late: float = 0.0, limit_s: float = LIMIT_S) -> Watched:
    """Play and watch a clean deal, for `limit_s` at most."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(_deal(seed, fps, late, limit_s))
    finally:
        loop.close()
