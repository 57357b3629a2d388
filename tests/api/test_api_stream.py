"""The stream: what each role gets, resuming, coalescing, limits, slow clients, the end. Real server, real sockets."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from api_clients import ServerFor
from api_fakes import REFEREE_TOKEN, VIEWER_TOKEN, FakeHouse, ManualClock, bearer
from hypothesis import given
from hypothesis import strategies as st

from api import ApiSettings
from api.reader import BadCursor, parse_cursor
from dealer.clock import SystemClock

FAKES = Path(__file__).with_name("api_fakes.py")


@dataclass(frozen=True)
class Event:
    name: str
    data: dict[str, Any]
    id: str | None


class Stream:
    """An SSE client that keeps to the standard: the last id stays until another one comes."""

    def __init__(self, answer: httpx2.Response) -> None:
        self._lines = answer.aiter_lines()
        self.raw = ""
        self.last_id: str | None = None

    async def next(self, *names: str, timeout_s: float = 5) -> Event:
        """The next event, of these names if any are given."""
        async with asyncio.timeout(timeout_s):
            while True:
                event = await self._event()
                if not names or event.name in names:
                    return event

    async def until(self, name: str, wanted: Callable[[dict[str, Any]], bool]) -> Event:
        while not wanted((event := await self.next(name)).data):
            pass
        return event

    async def close(self) -> None:
        await self._lines.aclose()

    async def _event(self) -> Event:
        fields: dict[str, str] = {}
        async for line in self._lines:
            self.raw += line + "\n"
            if line:
                key, _, value = line.partition(": ")
                fields[key] = value
            elif "data" in fields:
                self.last_id = fields.get("id", self.last_id)
                return Event(fields["event"], json.loads(fields["data"]), fields.get("id"))
            else:
                fields = {}
        raise EOFError("the stream ended")


@asynccontextmanager
async def opened(url: str, token: str = REFEREE_TOKEN, last_id: str | None = None) -> AsyncIterator[Stream]:
    headers = bearer(token) | ({"last-event-id": last_id} if last_id else {})
    async with (
        httpx2.AsyncClient(timeout=10, trust_env=False) as client,
        client.stream("GET", f"{url}/api/v1/stream", headers=headers) as answer,
    ):
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"].startswith("text/event-stream")
        stream = Stream(answer)
        try:
            yield stream
        finally:
            await stream.close()


@pytest.fixture
def house(tmp_path: Path) -> FakeHouse:
    return FakeHouse(tmp_path, SystemClock())


async def test_referee_gets_tables_then_alerts_as_they_come(house: FakeHouse, server_for: ServerFor) -> None:
    async with server_for(house) as url, opened(url) as stream:
        first, second = await stream.next("table"), await stream.next("table")
        alert_id = house.tables["2"].find("turn_order", "S", ["7S"])
        alert = await stream.next("alert")
        state = await stream.next("table")

    assert [first.data["id"], second.data["id"]] == ["1", "2"]
    assert alert.data["id"] == alert_id
    assert alert.data["status"] == "raised"
    assert alert.data["server_mono_ns"] >= alert.data["settled_ns"]
    assert [a["id"] for a in state.data["alerts"]] == [alert_id]


async def test_first_visit_gets_open_alerts_only(house: FakeHouse, server_for: ServerFor) -> None:
    done, waiting = house.tables["1"].find("turn_order", "S"), house.tables["1"].find("not_higher", "E")
    house.tables["1"].alerts[done]["status"] = "ruled"
    house.tables["1"].catch_up()

    async with server_for(house) as url, opened(url) as stream:
        assert (await stream.next("alert")).data["id"] == waiting
        assert (await stream.next()).name == "table"


async def test_resume_gives_every_alert_changed_since_once(house: FakeHouse, server_for: ServerFor) -> None:
    one, two = house.tables["1"], house.tables["2"]
    async with server_for(house) as url:
        async with opened(url) as stream:
            before = one.find("turn_order", "S")
            await stream.until("table", lambda t: [a["id"] for a in t.get("alerts", [])] == [before])
            last_id = stream.last_id
        missed_one, missed_two = one.find("not_higher", "E"), two.find("not_higher", "N")
        one.alerts[before]["status"] = "dismissed"
        one.catch_up()
        async with opened(url, last_id=last_id) as stream:
            resumed = [await stream.next() for _ in range(5)]
            last_id = stream.last_id
        async with opened(url, last_id=last_id) as stream:
            again = [await stream.next() for _ in range(2)]

    assert sorted((e.data["id"], e.data["status"]) for e in resumed if e.name == "alert") == sorted(
        [(before, "dismissed"), (missed_one, "raised"), (missed_two, "raised")]
    )
    assert [e.name for e in resumed[3:]] == ["table", "table"]
    assert [e.name for e in again] == ["table", "table"]


async def test_cut_in_the_middle_of_a_batch_loses_nothing(house: FakeHouse, server_for: ServerFor) -> None:
    async with server_for(house) as url:
        async with opened(url) as stream:
            await stream.next("ping")
            last_id = stream.last_id
        ids = [house.tables["1"].find("turn_order", "S") for _ in range(3)]
        async with opened(url, last_id=last_id) as stream:
            got = [(await stream.next("alert")).data["id"]]
            last_id = stream.last_id
        async with opened(url, last_id=last_id) as stream:
            got += [(await stream.next("alert")).data["id"] for _ in range(3)]

    assert set(got) == set(ids)


async def test_a_place_in_another_journal_counts_as_a_first_visit(house: FakeHouse, server_for: ServerFor) -> None:
    alert_id = house.tables["1"].find("turn_order", "S")

    async with server_for(house) as url, opened(url, last_id="1:999999,7:3") as stream:
        assert (await stream.next("alert")).data["id"] == alert_id


async def test_every_status_of_an_alert_is_told(house: FakeHouse, server_for: ServerFor) -> None:
    async with server_for(house) as url, opened(url) as stream, httpx2.AsyncClient(trust_env=False) as client:
        alert_id = house.tables["1"].find("turn_order", "S")
        seen = [(await stream.next("alert")).data["status"]]
        for act, body in (("hold", {}), ("acknowledge", {}), ("rule", {"judgement": "take_back"})):
            await client.post(f"{url}/api/v1/alerts/{alert_id}/{act}", json=body, headers=bearer(REFEREE_TOKEN))
            seen.append((await stream.next("alert")).data["status"])

    assert seen == ["raised", "called", "acknowledged", "ruled"]


async def test_viewer_gets_neither_alert_nor_question(house: FakeHouse, server_for: ServerFor) -> None:
    table = house.tables["1"]
    async with server_for(house) as url, opened(url, VIEWER_TOKEN) as stream:
        await stream.next("table")
        table.deal("E", "2", hidden={"S": ["BJ"]})
        table.lay("E", ["7S"])
        table.find("card_not_in_hand", "E", ["7S"])
        table.ask("E", ["7S"], [["7S", "7H"]])
        table.passes("N")
        await stream.until("table", lambda t: t["zones"]["N"]["pass"])

    for word in ("alert", "question", "card_not_in_hand", "BJ", "sealed", "record", "settled"):
        assert word not in stream.raw


async def test_states_are_coalesced_and_the_last_one_comes(house: FakeHouse, server_for: ServerFor) -> None:
    table = house.tables["1"]
    table.deal("E", "2")
    settings = ApiSettings(table_gap_s=0.2)
    async with server_for(house, settings) as url, opened(url) as stream:
        await stream.next("table")
        for count in range(200):
            table.state["hand_sizes"]["S"] = count
            table.journal.append("machine", _fact(), "hand_taken", {"seat": "S"})
            table.catch_up()
            await asyncio.sleep(0)
        states = 1
        while (await stream.next("table")).data["hand_sizes"].get("S") != 199:
            states += 1

    assert states < 20


def _fact() -> Any:
    from dealer.record import Role  # the record's role, not the actor's

    return Role.FACT


async def test_view_that_lags_behind_the_journal_is_waited_for(house: FakeHouse, server_for: ServerFor) -> None:
    table = house.tables["1"]
    table.lags = True
    async with server_for(house) as url, opened(url) as stream:
        await stream.next("ping")
        alert_id = table.find("turn_order", "S")
        for _ in range(20):
            await asyncio.sleep(0)
        table.catch_up()
        async with asyncio.timeout(0.5):
            assert (await stream.next("alert")).data["id"] == alert_id


async def test_conditions_come_and_go(house: FakeHouse, server_for: ServerFor) -> None:
    table = house.tables["1"]
    async with server_for(house) as url, opened(url) as stream, opened(url, VIEWER_TOKEN) as viewer:
        await stream.next("ping")
        await viewer.next("ping")
        table.condition("C301", "camera_no_frames", True)
        raised = await stream.next("condition")
        public = await viewer.next("condition")
        table.condition("C301", "camera_no_frames", False)
        gone = await stream.next("condition")

    assert raised.data["table"] == "1"
    assert raised.data["conditions"][0]["code"] == "C301"
    assert public.data["conditions"] == raised.data["conditions"]
    assert gone.data["conditions"] == []


async def test_ping_comes_at_its_interval(house: FakeHouse, server_for: ServerFor) -> None:
    async with server_for(house, ApiSettings(ping_s=0.05)) as url, opened(url) as stream:
        times = [(await stream.next("ping")).data["server_mono_ns"] for _ in range(4)]

    assert all(later - earlier >= 50_000_000 for earlier, later in itertools.pairwise(times))


async def test_streams_of_a_role_are_limited_and_given_back(house: FakeHouse, server_for: ServerFor) -> None:
    settings = ApiSettings(streams_per_role=2)
    async with server_for(house, settings) as url, httpx2.AsyncClient(trust_env=False) as client:

        async def status(token: str) -> int:
            async with client.stream("GET", f"{url}/api/v1/stream", headers=bearer(token)) as answer:
                return answer.status_code

        async with opened(url, VIEWER_TOKEN) as one, opened(url, VIEWER_TOKEN) as two:
            await asyncio.gather(one.next("ping"), two.next("ping"))
            assert await status(VIEWER_TOKEN) == 429
            assert await status(REFEREE_TOKEN) == 200
        async with asyncio.timeout(5):
            while await status(VIEWER_TOKEN) != 200:  # until the server has seen both go
                pass


@pytest.mark.parametrize("last_id", ["x", "1:", ":5", "1:-1", "1:5;2:6", "1:5, 2:6", "1:" + "9" * 40, "1:2," * 3000])
async def test_cursor_that_was_never_given_is_refused(house: FakeHouse, server_for: ServerFor, last_id: str) -> None:
    async with server_for(house) as url, httpx2.AsyncClient(trust_env=False) as client:
        headers = bearer(REFEREE_TOKEN) | {"last-event-id": last_id}
        answer = await client.get(f"{url}/api/v1/stream", headers=headers)

    assert answer.status_code == 400
    assert answer.json()["type"].endswith("bad-cursor")


@given(st.text(max_size=40))
def test_any_cursor_text_is_read_or_refused(text: str) -> None:
    with suppress(BadCursor):
        for table, number in parse_cursor(text).items():
            assert number >= 0
            assert table in text


async def test_client_that_never_reads_is_closed(house: FakeHouse, server_for: ServerFor) -> None:
    table = house.tables["1"]
    table.state["rulebook"] = "x" * 500_000  # fills every buffer in a few states
    table.catch_up()
    settings = ApiSettings(write_deadline_s=0.3, table_gap_s=0.0)
    async with server_for(house, settings) as url, opened(url) as good:
        await good.next("ping")
        host, port = url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=1024)
        lines = (
            "GET /api/v1/stream HTTP/1.1",
            f"Host: {host}:{port}",
            f"Authorization: Bearer {REFEREE_TOKEN}",
            "",
            "",
        )
        writer.write("\r\n".join(lines).encode())
        await writer.drain()

        async def health() -> dict[str, Any]:
            async with httpx2.AsyncClient(trust_env=False) as client:
                answer = await client.get(f"{url}/api/v1/health", headers=bearer(REFEREE_TOKEN))
                return dict(answer.json())

        async with asyncio.timeout(20):
            while (await health())["streams"]["referee"] < 2:
                pass
            turn = 0
            while (await health())["streams"]["referee"] > 1:
                turn += 1
                table.state["turn"] = str(turn)
                table.journal.append("machine", _fact(), "hand_taken", {"seat": "S"})
                table.catch_up()
                await good.until("table", lambda t: t["turn"] == str(turn))  # noqa: B023  awaited here
        writer.transport.abort()
        del reader


async def test_server_ends_at_once_with_streams_open(house: FakeHouse, server_for: ServerFor) -> None:
    loop = asyncio.get_running_loop()
    async with server_for(house) as url, opened(url) as one, opened(url, VIEWER_TOKEN) as two:
        await asyncio.gather(one.next("ping"), two.next("ping"))
        leaving = loop.time()

    assert loop.time() - leaving < 5


@pytest.mark.slow
async def test_sigterm_ends_the_process_with_streams_open() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(FAKES),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    try:
        url = (await asyncio.wait_for(process.stdout.readline(), 20)).decode().strip()
        async with opened(url) as one, opened(url, VIEWER_TOKEN) as two, opened(url) as three:
            await asyncio.gather(one.next("ping"), two.next("ping"), three.next("ping"))
            process.send_signal(signal.SIGTERM)
            with suppress(EOFError):
                while await one.next():
                    pass
            async with asyncio.timeout(5):
                assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


# Swap test: what a viewer gets does not depend on hidden cards, to the byte.


def _play(table: Any, hidden: dict[str, list[str]], odd_finding: bool) -> list[Callable[[], object]]:
    return [
        lambda: table.deal("E", "2", hidden=hidden),
        lambda: table.lay("E", ["7S"]),
        lambda: table.find("card_not_in_hand", "E", ["7S"]) if odd_finding else None,
        lambda: table.passes("N"),
        lambda: table.ask("W", ["7S", None], [["7S"], ["8H", "8D"]]),
        lambda: table.condition("C301", "camera_no_frames", True),
        lambda: table.lay("W", ["9H"]),
    ]


async def _viewer_sees(
    tmp_path: Path, server_for: ServerFor, hidden: dict[str, list[str]], odd_finding: bool
) -> list[str]:
    house = FakeHouse(tmp_path, ManualClock())
    table, seen = house.tables["1"], []
    async with server_for(house, ApiSettings(table_gap_s=0.0)) as url:
        async with opened(url, VIEWER_TOKEN) as stream:
            await stream.next("ping")
            for count, act in enumerate(_play(table, hidden, odd_finding)):
                act()
                if count not in {2, 4}:
                    await stream.next("table")
            seen.append(stream.raw)
        async with httpx2.AsyncClient(trust_env=False, headers=bearer(VIEWER_TOKEN)) as client:
            for path in ("tables", "tables/1", "tables/1/journal", "health", "me", "alerts", "tables/1/stills/x"):
                answer = await client.get(f"{url}/api/v1/{path}")
                seen.append(f"{answer.status_code} {answer.text}")
    return seen


async def test_swapped_hidden_cards_change_no_byte_for_a_viewer(tmp_path: Path, server_for: ServerFor) -> None:
    one = await _viewer_sees(tmp_path, server_for, {"S": ["BJ", "2H"], "N": ["3C"]}, odd_finding=False)
    two = await _viewer_sees(tmp_path, server_for, {"S": ["3C", "4D"], "N": ["SJ"]}, odd_finding=True)

    assert one == two
