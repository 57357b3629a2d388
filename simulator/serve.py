"""A whole pretend table as a process: device, people, camera and control, from a seed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import stat
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import structlog

from engine.rulebook import Rulebook
from simulator.clock import Clock, RealClock
from simulator.control import Control, Mishap
from simulator.device import Device
from simulator.game import Game
from simulator.hands import Hands
from simulator.people import PACES, PATIENCE_S, UNWATCHED_PATIENCE_S, People
from simulator.scenarios import SCENARIOS, Scenario
from simulator.studio import Freeze, Studio, StudioFailed, TurnOff
from simulator.table import Scene
from simulator.truth import Account, AccountFile, NoAccount
from simulator.wire import PtyWire, TcpWire

log = structlog.get_logger()

LINGER_S: Final = 5.0
"""After the last deal, where nobody's closing of standard input can end the process."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to serve. `fps` pictures a second; `pace` and `speed` as in simulator.people."""

    seed: int
    deals: int
    scenario: Scenario
    rulebook: Rulebook
    truth: Path | None = None
    speed: float = 1.0
    pace: str = "quick"
    serial: str = "pty"
    camera: bool = True
    camera_port: int = 0
    fps: float = 10.0


async def serve(order: Order) -> None:
    """Serve until the deals are played, standard input closes, or SIGTERM comes. Raises OSError, StudioFailed."""
    _log_to_stderr()
    stop = asyncio.Event()
    has_parent = await _stop_with_parent(stop)
    evening = asyncio.create_task(_evening(order, has_parent))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({evening, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not evening.done():
        evening.cancel()
        log.info("simulator stopped")
    try:
        await evening
    except asyncio.CancelledError:
        return
    except BaseExceptionGroup as group:
        failed, other = group.split(StudioFailed)
        if failed is None or other is not None:
            raise
        raise StudioFailed("ended by itself") from group


async def _evening(order: Order, has_parent: bool) -> None:
    clock = RealClock()
    scenario = order.scenario
    if scenario.needs_camera and not order.camera:
        log.warning("scenario without a camera is played clean", scenario=scenario.name)
        scenario = SCENARIOS["clean"]
    wire = PtyWire(clock) if order.serial == "pty" else TcpWire(clock)
    async with AsyncExitStack() as stack:
        account: Account = NoAccount()
        if order.truth is not None:
            account = file = await asyncio.to_thread(AccountFile, order.truth)
            stack.callback(file.close)
        device = await stack.enter_async_context(
            Device(wire, clock, seed=order.seed, speed=order.speed, stacker=scenario.stacker(order.seed))
        )
        studio = None
        if order.camera:
            studio = await stack.enter_async_context(Studio(order.seed, order.fps, order.camera_port))
        people = _people(order, scenario, device, studio, account, clock)
        group = await stack.enter_async_context(asyncio.TaskGroup())
        control = await stack.enter_async_context(Control(_mishaps(device, studio, group), lambda: _state(people)))
        watching = group.create_task(studio.run()) if studio is not None else None
        _say_ready(order, device, studio, control)
        await people.run(order.deals)
        log.info("deals played", deals=order.deals)
        await clock.sleep(float("inf") if has_parent else LINGER_S)
        if watching is not None:
            watching.cancel()


def _people(
    order: Order, scenario: Scenario, device: Device, studio: Studio | None, account: Account, clock: Clock
) -> People:
    pace = PACES[order.pace].faster(order.speed)
    choices = random.Random(f"choices {order.seed}")  # apart from manners: timing never changes what is played
    manners = random.Random(f"manners {order.seed}")

    def publish(scene: Scene) -> None:
        if studio is not None:
            studio.show(scene)

    return People(
        machine=device,
        hands=Hands(clock, manners, pace.reach_s, publish),
        game=Game(order.rulebook),
        director=scenario.director(choices),
        account=account,
        clock=clock,
        rng=manners,
        pace=pace,
        patience_s=PATIENCE_S if order.camera else UNWATCHED_PATIENCE_S,
    )


def _mishaps(device: Device, studio: Studio | None, group: asyncio.TaskGroup) -> dict[str, Mishap]:
    unplugging: set[asyncio.Task[None]] = set()

    def unplug(seconds: float) -> None:
        task = group.create_task(device.unplug(seconds))
        unplugging.add(task)
        task.add_done_callback(unplugging.discard)

    mishaps: dict[str, Mishap] = {"unplug_s": unplug}
    if studio is not None:
        mishaps["freeze_s"] = lambda seconds: studio.order(Freeze(seconds))
        mishaps["camera_off_s"] = lambda seconds: studio.order(TurnOff(seconds))
    return mishaps


def _state(people: People) -> Mapping[str, object]:
    return asdict(people.progress)


def _say_ready(order: Order, device: Device, studio: Studio | None, control: Control) -> None:
    """One JSON line on standard output: where everything is."""
    line = {
        "serial": device.address,
        "camera": studio.url if studio is not None else None,
        "control": control.url,
        "seed": order.seed,
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def _stop_with_parent(stop: asyncio.Event) -> bool:
    """Stop on SIGTERM, and when standard input closes, if that is a pipe; whether it is one.

    The parent holds the other end and is gone when it closes, however it ended. A keyboard's interrupt reaches the
    parent too and is left to it.
    """
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        loop.add_signal_handler(signal.SIGINT, stop.set)
        return False
    loop.add_signal_handler(signal.SIGINT, lambda: None)
    await loop.connect_read_pipe(lambda: _UntilClosed(stop), sys.stdin)
    return True


class _UntilClosed(asyncio.Protocol):
    """Sets an event when the other end is closed; what comes is thrown away."""

    def __init__(self, closed: asyncio.Event) -> None:
        self._closed = closed

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()


def _log_to_stderr() -> None:
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
