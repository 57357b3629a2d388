"""The scripted referee of a headless demo: an HTTP client like any other, with a token of its own.

It answers where a person must. What a person at the table would see or be told (what a player meant, which cards
lie there, who finished) it takes from the simulator's own account. Its acts are facts by actor `script`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2

from dealer.clock import Clock

Document = dict[str, Any]  # a JSON object

RETRY_S: Final = 0.3
ANSWER_DEADLINE_S: Final = 10.0


@dataclass(slots=True)
class Event:
    """One server-sent event."""

    name: str = "message"
    id: str = ""
    data: str = ""


async def events(lines: AsyncIterator[str]) -> AsyncIterator[Event]:
    """Server-sent events out of a stream of lines (WHATWG HTML, section 9.2: event stream interpretation)."""
    event = Event()
    async for line in lines:
        if not line:
            if event.data:
                yield event
            event = Event(id=event.id)
        elif line.startswith("event:"):
            event.name = line[6:].strip()
        elif line.startswith("id:"):
            event.id = line[3:].strip()
        elif line.startswith("data:"):
            event.data += line[5:].strip()


@dataclass(slots=True)
class Script:
    """Follows the stream, holds and rules on what needs a person, and times every push."""

    base: str
    token: str
    truth: Path
    clock: Clock
    has_camera: bool = True
    push_ms: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _handled: set[str] = field(default_factory=set)
    _timed: set[int] = field(default_factory=set)
    _questions: dict[int, Document] = field(default_factory=dict)
    _table: Document = field(default_factory=dict)

    async def run(self) -> None:
        """Follow the stream and answer questions until cancelled."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            httpx2.AsyncClient(base_url=self.base, headers=headers, timeout=ANSWER_DEADLINE_S) as client,
            asyncio.TaskGroup() as group,
        ):
            group.create_task(self._follow(client))
            group.create_task(self._look(client))

    async def _follow(self, client: httpx2.AsyncClient) -> None:
        """Read the stream, resuming with the last id after a break."""
        last = ""
        while True:
            try:
                resume = {"Last-Event-ID": last} if last else {}
                async with client.stream("GET", "/api/v1/stream", headers=resume, timeout=None) as answer:
                    answer.raise_for_status()
                    async for event in events(answer.aiter_lines()):
                        last = event.id or last
                        await self._take(client, event, self.clock.monotonic_ns())
            except httpx2.HTTPError as error:
                self.errors.append(f"{type(error).__name__}: {error}")
            await self.clock.sleep(RETRY_S)

    async def _look(self, client: httpx2.AsyncClient) -> None:
        """Look at the table now and then: the answer to an open question, the finish that no camera saw."""
        while True:
            for question in list(self._questions.values()):
                await self._answer(client, question)
            if not self.has_camera and self._table:
                await self._enter_finish(client)
            await self.clock.sleep(RETRY_S)

    async def _take(self, client: httpx2.AsyncClient, event: Event, received_ns: int) -> None:
        if event.name not in {"alert", "table"}:
            return
        document: Document = json.loads(event.data)
        self._time(document.get("settled_ns"), received_ns)
        if event.name == "alert":
            await self._referee(client, document)
            return
        self._table = document
        self._questions = {question["record"]: question for question in document.get("questions", [])}

    def _time(self, settled_ns: int | None, received_ns: int) -> None:
        if settled_ns is not None and settled_ns not in self._timed:
            self._timed.add(settled_ns)
            self.push_ms.append((received_ns - settled_ns) / 1e6)

    async def _referee(self, client: httpx2.AsyncClient, alert: Document) -> None:
        if alert["id"] in self._handled or alert["status"] != "raised":
            return
        self._handled.add(alert["id"])
        if alert["name"] == "needs_declaration":
            reading = await self._meant(alert)
            if reading is not None:
                await self._post(
                    client,
                    f"tables/{alert['table']}/commands",
                    {"kind": "declare", "alert": alert["id"], "reading": reading},
                )
                return
        await self._post(client, f"alerts/{alert['id']}/hold", {})
        judgement = "take_back" if alert["cards"] else "noted"
        await self._post(
            client, f"alerts/{alert['id']}/rule", {"judgement": judgement, "penalty": alert["suggested_en"]}
        )

    async def _meant(self, alert: Document) -> Document | None:
        """What the player says that his play means: the simulator wrote it down when he laid it."""
        wanted = sorted(alert["cards"])
        plays = [
            line
            for line in self._truth_lines()
            if line["kind"] == "play" and line["deal"] == alert["deal"] and line["seat"] == alert["seat"]
        ]
        for play in reversed(plays):
            if sorted(play["cards"]) == wanted and play["reading"] is not None:
                return dict(play["reading"])
        return None

    async def _answer(self, client: httpx2.AsyncClient, question: Document) -> None:
        key = f"question {question['record']}"
        plays = [line for line in self._truth_lines() if line["kind"] in {"play", "pass"}]
        if key in self._handled or not plays or plays[-1]["seat"] != question["seat"]:
            return  # answered, or not written down yet
        self._handled.add(key)
        body = {"kind": "answer", "question": question["record"], "cards": plays[-1].get("cards", [])}
        await self._post(client, f"tables/{self._table['id']}/commands", body)

    async def _enter_finish(self, client: httpx2.AsyncClient) -> None:
        for line in self._truth_lines():
            key = f"finish {line.get('deal')}"
            if line["kind"] == "finish" and line["deal"] == self._table["deal"] and key not in self._handled:
                self._handled.add(key)
                body = {"kind": "enter_finish", "order": line["finish"]}
                await self._post(client, f"tables/{self._table['id']}/commands", body)

    async def _post(self, client: httpx2.AsyncClient, path: str, body: Document) -> None:
        answer = await client.post(f"/api/v1/{path}", json=body)
        if answer.status_code >= 400:
            self.errors.append(f"{path}: {answer.status_code} {answer.text[:200]}")

    def _truth_lines(self) -> list[Document]:
        return list(read_lines(self.truth))


def read_lines(truth: Path) -> Iterable[Document]:
    """Whole lines of the simulator's account so far; a line still being written is left for later."""
    try:
        text = truth.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    for line in text.split("\n")[:-1]:
        if line:
            yield json.loads(line)
