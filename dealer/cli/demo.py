"""`dealer demo`: the main job without hardware. Composes simulator, controller, API and console."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from fastapi import FastAPI

from api.access import Actor, Role
from api.app import create_app
from api.server import AddressBusy, address_of, bind, serve
from dealer import report
from dealer.cli.script import Script, read_lines
from dealer.cli.simulated import Simulated, Wish, simulated_table
from dealer.clock import SystemClock
from dealer.deals import Generator
from dealer.errors import BadInput
from dealer.house import House
from dealer.journal import iterate
from dealer.logs import configure_logs
from dealer.regulation import rulebook_of
from dealer.settings import Settings, TableSettings
from simulator.scenarios import SCENARIOS

Document = dict[str, Any]  # a JSON object

TABLE: Final = "1"
DEAL_LIMIT_S: Final = 280.0
"""Longest time of one deal at the demo's quick pace; a deal takes about 200 s."""

SETTLE_S: Final = 3.0
"""After the simulator's last word, the controller gets this long to have seen it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a demo run is asked to do. `rulebook` as given, an id or a path; `rulebook_id` what it names."""

    wish: Wish
    rulebook: str
    rulebook_id: str
    headless: bool
    port: int
    home: Path
    report: Path | None


def demo(
    headless: Annotated[bool, typer.Option("--headless", help="no browser: a scripted referee, then a report")] = False,
    seed: Annotated[int | None, typer.Option(help="seed of cards and players (default: a fresh one)")] = None,
    deals: Annotated[
        int | None, typer.Option(min=1, max=1000, help="deals to play (default: 1 headless, else 100)")
    ] = None,
    rulebook: Annotated[
        str, typer.Option(metavar="ID|FILE", help="rulebook, or file of a regulation")
    ] = "competitive-2022",
    scenario: Annotated[
        str | None, typer.Option(help="what the players do (default: violations live, clean headless)")
    ] = None,
    list_scenarios: Annotated[bool, typer.Option("--list-scenarios", help="list the scenarios and stop")] = False,
    speed: Annotated[float, typer.Option(min=0.25, max=4.0, help="players and machine faster or slower")] = 1.0,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="HTTP port (default: 8765, headless any free)")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="keep the records here (default: a temporary folder)")
    ] = None,
    no_camera: Annotated[
        bool, typer.Option("--no-camera", help="deal from the machine alone; nobody watches the play")
    ] = False,
    report_file: Annotated[Path | None, typer.Option("--report", metavar="FILE", help="write the report here")] = None,
) -> int:
    """Play deals on a simulated table through real bytes and real pictures."""
    if list_scenarios:
        for name, kind in SCENARIOS.items():
            print(f"{name}\t{kind.title_en}\t{kind.title_zh}")
        return 0
    book = rulebook_of(rulebook)
    _check(scenario, report_file)
    with _home(data) as home:
        wish = Wish(
            seed=seed if seed is not None else secrets.randbelow(1_000_000),
            deals=deals or (1 if headless else 100),
            scenario=scenario or ("clean" if headless else "violations"),
            truth=home / "truth.jsonl",
            speed=speed,
            pace="quick" if headless else "human",
            camera=not no_camera,
            rulebook=rulebook,
        )
        wanted = port if port is not None else (0 if headless else 8765)
        return asyncio.run(_run(Plan(wish, rulebook, book.id, headless, wanted, home, report_file)))


def _check(scenario: str | None, report_file: Path | None) -> None:
    if scenario is not None and scenario not in SCENARIOS:
        raise BadInput(f"scenario {scenario}: unknown; choose one of {' '.join(SCENARIOS)}")
    if report_file is not None and not report_file.resolve().parent.is_dir():
        raise BadInput(f"{report_file}: its folder does not exist; make it first")


@contextmanager
def _home(data: Path | None) -> Iterator[Path]:
    if data is None:
        with tempfile.TemporaryDirectory(prefix="dealer-demo-") as folder:
            yield Path(folder)
        return
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{data}: cannot be made ({error.strerror}); give another folder") from error
    yield data


async def _run(plan: Plan) -> int:
    configure_logs()
    clock = SystemClock()
    try:
        sock = bind("127.0.0.1", plan.port)
    except AddressBusy as error:
        raise BadInput(f"--port {plan.port}: {error}") from error
    token = secrets.token_urlsafe(24)
    tokens = {token: Actor("script" if plan.headless else "referee", Role.REFEREE)}
    try:
        async with simulated_table(plan.wish) as table:
            house = await House.open(_settings(plan, table), clock, _generator(plan.wish.seed))
            async with house, _served(create_app(house, tokens, clock=clock), sock):
                if plan.headless:
                    return await _headless(plan, house, address_of(sock), token, table)
                print(f"The table is at {address_of(sock)}/#token={token}", flush=True)
                print(f"Seed {plan.wish.seed}, scenario {plan.wish.scenario}. Stop with Ctrl-C.", flush=True)
                await _until_stopped(table)
                return 0
    finally:
        sock.close()


@asynccontextmanager
async def _served(app: FastAPI, sock: socket.socket) -> AsyncIterator[None]:
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(serve(app, sock, stop=stop))
        try:
            yield
        finally:
            stop.set()


def _generator(seed: int) -> Generator:
    return Generator("seeded", random.Random(seed))


def _settings(plan: Plan, table: Simulated) -> Settings:
    return Settings(
        data_dir=plan.home / "data",
        key_file=plan.home / "key" / "seal.key",
        tables=[
            TableSettings(
                id=TABLE, serial=table.serial, camera=table.camera, rulebook=plan.rulebook, deals=plan.wish.deals
            )
        ],
    )


async def _until_stopped(table: Simulated) -> None:
    """Until Ctrl-C, SIGTERM, or the end of the simulated evening."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    try:
        over = asyncio.ensure_future(table.process.wait())
        waits = {over, asyncio.ensure_future(stopped.wait())}
        _, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for waiting in pending:
            waiting.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def _headless(plan: Plan, house: House, base: str, token: str, table: Simulated) -> int:
    clock = SystemClock()
    script = Script(base, token, plan.wish.truth, clock, has_camera=plan.wish.camera)
    following = asyncio.create_task(script.run())
    try:
        finished = await _play(plan, house, table, clock)
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
    document = await _report(plan, house, script, finished)
    if plan.report is not None:
        plan.report.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    _say(document, script.errors)
    return 0 if document["ok"] else 1


async def _play(plan: Plan, house: House, table: Simulated, clock: SystemClock) -> bool:
    """Until all deals are recorded as collected, or the time is over. Returns whether they are."""
    end_ns = clock.monotonic_ns() + int(plan.wish.deals * DEAL_LIMIT_S / min(1.0, plan.wish.speed) * 1e9)
    while clock.monotonic_ns() < end_ns:
        standing = house.tables[TABLE].standing
        if standing.deals_started >= plan.wish.deals and standing.collected and standing.phase == "over":
            await clock.sleep(SETTLE_S / 3)
            return True
        if table.process.returncode is not None:
            return False
        await clock.sleep(0.2)
    return False


async def _report(plan: Plan, house: House, script: Script, finished: bool) -> Document:
    table = house.tables[TABLE]
    lines = await asyncio.to_thread(lambda: list(read_lines(plan.wish.truth)))
    deals, expected = report.read_truth(lines)
    records = await asyncio.to_thread(lambda: list(iterate(table.journal.path)))
    alerts = report.read_journal(records, deals)
    seen = report.recognise(deals)
    accounted = table.standing.accounted
    document: Document = {
        "seed": plan.wish.seed,
        "rulebook": plan.rulebook_id,
        "scenario": plan.wish.scenario,
        "camera": "simulated" if plan.wish.camera else "none",
        "deals": report.deal_documents(deals),
        "recognition": seen.to_json(),
        "alerts": alerts,
        "expected_alerts": expected,
        "latency_ms": {
            "settled_to_pushed": report.percentiles(script.push_ms),
            "laid_to_settled": report.percentiles(report.laid_to_settled_ms(deals)),
        },
        "link": table.link_counts(),
        "cards_accounted": accounted,
    }
    failures = report.failures(document, finished, seen, camera=plan.wish.camera)
    return document | {"failures": failures, "ok": not failures}


def _say(document: Document, errors: list[str]) -> None:
    seen = document["recognition"]
    print(
        f"{len(document['deals'])} deal(s), seed {document['seed']}: {seen['cards']} cards laid, "
        f"{seen['correct']} read, {seen['wrong']} wrong, {seen['unsure']} unsure; "
        f"{len(document['alerts'])} alert(s) of {len(document['expected_alerts'])} expected; "
        f"{document['cards_accounted']} cards accounted"
    )
    for failure in document["failures"]:
        print(f"failed: {failure}")
    for error in errors[:5]:
        print(f"note: {error}")
