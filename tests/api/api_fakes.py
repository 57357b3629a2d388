"""A house of tables that behaves like a real one, in memory: journal with followers, alerts with a life, commands.

Run as a program it serves the API until SIGTERM, for the test of the server's end:
`python tests/api/api_fakes.py` prints its address.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from api import Actor, Role, address_of, bind, create_app, serve
from dealer.clock import SystemClock, iso_utc
from dealer.command import (
    Acknowledge,
    Answer,
    Command,
    Declare,
    Dismiss,
    EnterFinish,
    Hold,
    Resume,
    Rule,
    StartDeal,
)
from dealer.errors import BadCommand, Conflict, NotFound
from dealer.record import GENESIS, Record
from dealer.record import Role as RecordRole

REFEREE_TOKEN = "referee-token-0123456789abcdef"
VIEWER_TOKEN = "viewer-token-0123456789abcdefg"
TOKENS = {
    REFEREE_TOKEN: Actor("Chen", Role.REFEREE),
    VIEWER_TOKEN: Actor("screen", Role.VIEWER),
}
SEATS = ("S", "E", "N", "W")
OPEN = {"raised", "called", "acknowledged"}
Doc = dict[str, Any]


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"authorization": f"Bearer {token}"}


class ManualClock(SystemClock):
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.ns = 1_000_000_000_000

    def monotonic_ns(self) -> int:
        return self.ns

    def utc(self) -> datetime:
        return datetime(2030, 5, 1, 12, tzinfo=UTC) + timedelta(microseconds=self.ns / 1000)

    def advance(self, seconds: float) -> None:
        self.ns += int(seconds * 1e9)


class FakeJournal:
    def __init__(self, clock: SystemClock) -> None:
        self.records: list[Record] = []
        self._clock = clock
        self._grown = asyncio.Event()

    def append(self, source: str, role: RecordRole, kind: str, body: Doc, sealed: bytes | None = None) -> Record:
        prev = self.records[-1].hash if self.records else GENESIS
        number = len(self.records) + 1
        text = json.dumps([number, kind, body, sealed.hex() if sealed else None, prev])
        record = Record(
            number=number,
            at_utc=iso_utc(self._clock.utc()),
            mono_ns=self._clock.monotonic_ns(),
            boot="boot",
            source=source,
            role=role,
            kind=kind,
            body=body,
            sealed=sealed,
            prev=prev,
            hash=hashlib.sha256(text.encode()).hexdigest(),
        )
        self.records.append(record)
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()
        return record

    async def read(self, after: int = 0, limit: int = 1000) -> Sequence[Record]:
        return self.records[after : after + limit]

    async def follow(self, after: int) -> AsyncIterator[Record]:
        while True:
            while after < len(self.records):
                after += 1
                yield self.records[after - 1]
            await self._grown.wait()


@dataclass(frozen=True)
class FakeView:
    document: Doc

    def to_json(self) -> Doc:
        return self.document


WORDS = {
    "turn_order": ("F301", "alert", "Played out of turn", "未轮到出牌", "O-2"),
    "not_higher": ("F202", "alert", "The play is not higher", "未压过上手", "C-11"),
    "not_a_combination": ("F201", "alert", "Not a combination", "牌型不成立", "C-4"),
    "card_not_in_hand": ("F203", "critical", "A card that was not dealt to this seat", "打出了未发给该家的牌", "K-1"),
    "needs_declaration": ("F204", "warn", "The play has several meanings", "牌型不明，需要声明", "C-10"),
}


@dataclass
class FakeTable:
    """One table. `lags`: the view shows a record only when `catch_up` is called, as a real fold may for a moment."""

    id: str
    clock: SystemClock
    lags: bool = False
    journal: FakeJournal = field(init=False)
    alerts: dict[str, Doc] = field(default_factory=dict)
    questions: dict[int, Doc] = field(default_factory=dict)
    state: Doc = field(init=False)
    shown: Doc = field(init=False)
    act_ns: int = 0

    def __post_init__(self) -> None:
        self.journal = FakeJournal(self.clock)
        self.act_ns = self.clock.monotonic_ns()
        self.state = {
            "id": self.id,
            "record": 0,
            "rulebook": "competitive-2022",
            "phase": "before",
            "mode": "normal",
            "deal": 0,
            "level": None,
            "leader": None,
            "turn": None,
            "held": False,
            "taking_back": None,
            "asking": [],
            "display": "IDLE",
            "levels": {"EW": "2", "NS": "2"},
            "hand_sizes": {},
            "zones": {seat: {"cards": [], "pass": False, "report": None} for seat in SEATS},
            "trick": [],
            "finish": [],
            "link": {"up": True, "level": "L4"},
            "camera": {"ok": True, "condition": None},
            "conditions": [],
            "settled_ns": None,
        }
        self._record("system", RecordRole.FACT, "match_started", {"rulebook": "competitive-2022"})

    # what a real table offers

    def view_public(self) -> FakeView:
        since = (self.clock.monotonic_ns() - self.act_ns) // 1_000_000
        limit = 20 if self.state["phase"] == "playing" else None
        return FakeView({**self.shown, "clock": {"since_ms": since, "limit_s": limit}})

    def view_referee(self) -> FakeView:
        document = self.view_public().to_json()
        return FakeView({**document, "alerts": self.shown_alerts, "questions": self.shown_questions})

    async def submit(self, command: Command) -> Record:  # noqa: C901  one branch a command
        await asyncio.sleep(0)
        by = f"person:{command.by}"
        match command:
            case Hold(_, alert):
                if alert is not None:
                    self._step(alert, "called", command.by)
                self.state["held"], self.state["display"] = True, "HOLD"
                return self._record(by, RecordRole.FACT, "held", {"by": command.by, "alert": alert})
            case Resume():
                if not self.state["held"]:
                    raise Conflict("the table is not held")
                self.state["held"], self.state["display"] = False, "PLAY"
                return self._record(by, RecordRole.FACT, "resumed", {"by": command.by})
            case Acknowledge(alert):
                self._step(alert, "acknowledged", command.by)
                return self._record(by, RecordRole.FACT, "acknowledged", {"alert": alert, "by": command.by})
            case Dismiss(alert, _, reason):
                self._step(alert, "dismissed", command.by, reason)
                return self._record(by, RecordRole.FACT, "dismissed", {"alert": alert, "reason": reason})
            case Rule(alert, judgement, _, penalty):
                self._step(alert, "ruled", command.by, f"{judgement.value}{': ' + penalty if penalty else ''}")
                self.state["held"] = False
                seat = self.alerts[alert]["seat"]
                if judgement.value == "take_back":
                    self.state["taking_back"], self.state["display"] = seat, "TAKE_BACK"
                return self._record(by, RecordRole.FACT, "ruled", {"alert": alert, "judgement": judgement.value})
            case Declare(alert, reading):
                if reading.to_json() not in self._open(alert)["readings"]:
                    raise BadCommand("the cards cannot mean that", "choose one of the readings of the alert")
                self._step(alert, "ruled", command.by, "declared")
                return self._record(by, RecordRole.FACT, "declared", {"reading": reading.to_json()})
            case Answer(question, cards):
                if question not in self.questions:
                    raise NotFound(f"question {question}: not open")
                seat = self.questions.pop(question)["seat"]
                self.state["zones"][seat] = {"cards": [c.text for c in cards], "pass": not cards, "report": None}
                return self._record(by, RecordRole.FACT, "answered", {"question": question, "seat": seat})
            case StartDeal():
                if self.state["phase"] == "playing":
                    raise Conflict("a deal is being played")
                self.deal("E", "2")
                return self.journal.records[-1]
            case EnterFinish(order):
                self.state["finish"], self.state["phase"] = [seat.value for seat in order], "over"
                return self._record(by, RecordRole.FACT, "finish_entered", {"order": self.state["finish"]})

    # what happens at the table

    def deal(self, leader: str, level: str, hidden: Mapping[str, Sequence[str]] | None = None) -> None:
        self.state.update(phase="playing", level=level, leader=leader, turn=leader, display="PLAY", trick=[], finish=[])
        self.state["deal"] += 1
        self.state["hand_sizes"] = dict.fromkeys(SEATS, 27)
        self.state["zones"] = {seat: {"cards": [], "pass": False, "report": None} for seat in SEATS}
        self._record("system", RecordRole.FACT, "deal_started", {"deal_no": self.state["deal"], "level": level})
        for seat, cards in (hidden or {}).items():
            for index, card in enumerate(cards):
                body = {"index": index, "seat": seat}
                self._record("machine", RecordRole.FACT, "card_dealt", body, sealed=f"sealed {card}".encode())

    def lay(self, seat: str, cards: Sequence[str], judged: bool = True) -> Record:
        self.state["zones"][seat].update(cards=list(cards))
        self.state["zones"][seat]["pass"] = False
        if judged:
            self.state["hand_sizes"][seat] -= len(cards)
            self.state["trick"].append({"seat": seat, "cards": list(cards)})
            self.state["turn"] = SEATS[(SEATS.index(seat) + 1) % 4]
        self.act_ns = self.state["settled_ns"] = self.clock.monotonic_ns()
        return self._record("camera", RecordRole.FACT, "cards_laid", {"seat": seat, "cards": list(cards)})

    def passes(self, seat: str) -> Record:
        self.state["zones"][seat]["pass"] = True
        self.state["trick"].append({"seat": seat, "pass": True})
        self.state["turn"] = SEATS[(SEATS.index(seat) + 1) % 4]
        self.act_ns = self.clock.monotonic_ns()
        return self._record("camera", RecordRole.FACT, "passed", {"seat": seat})

    def find(
        self,
        name: str,
        seat: str,
        cards: Sequence[str] = (),
        readings: Sequence[Doc] = (),
        still: str | None = None,
        title: str | None = None,
    ) -> str:
        """A finding; the id of its alert."""
        code, severity, title_en, title_zh, article = WORDS[name]
        number = len(self.journal.records) + 1
        alert_id = f"{self.id}-{number}"
        self.alerts[alert_id] = {
            "id": alert_id,
            "table": self.id,
            "code": code,
            "name": name,
            "severity": severity,
            "seat": seat,
            "deal": self.state["deal"],
            "trick": 5,
            "record": number,
            "cause": number - 1,
            "raised_at": iso_utc(self.clock.utc()),
            "status": "raised",
            "by": None,
            "reason": None,
            "title_en": title or title_en,
            "title_zh": title or title_zh,
            "article": article,
            "suggested_en": "take back; warning",
            "suggested_zh": "收回；警告",
            "printed": True,
            "inherited_from": "jiangsu-simple",
            "correction_en": "The cards return to the hand; the seat in turn plays.",
            "correction_zh": "收回所出的牌，由应出牌者出牌。",
            "cards": list(cards),
            "detail": {},
            "readings": list(readings),
            "still": still,
            "settled_ns": self.clock.monotonic_ns(),
        }
        body = {"seat": seat, "cause": number - 1, "cards": list(cards)}
        self._record("system", RecordRole.FINDING, name, body)
        return alert_id

    def ask(
        self, seat: str, guess: Sequence[str | None], candidates: Sequence[Sequence[str]], still: str | None = None
    ) -> int:
        number = len(self.journal.records) + 1
        self.questions[number] = {
            "id": number,
            "record": number,
            "seat": seat,
            "guess": list(guess),
            "candidates": [list(group) for group in candidates],
            "unsure": [i for i, group in enumerate(candidates) if len(group) > 1],
            "why": "the cards could not be read surely",
            "still": still,
        }
        self.state["asking"] = sorted(q["seat"] for q in self.questions.values())
        self._record("camera", RecordRole.QUESTION, "unclear", dict(self.questions[number]))
        return number

    def condition(self, code: str, name: str, raised: bool) -> None:
        kept = [c for c in self.state["conditions"] if c["name"] != name]
        if raised:
            kept.append(
                {
                    "code": code,
                    "name": name,
                    "since": iso_utc(self.clock.utc()),
                    "text_en": "The camera sends no pictures.",
                    "text_zh": "摄像头没有画面。",
                    "remedy_en": "Check the camera's cable, then its power.",
                    "remedy_zh": "检查摄像头的线缆，再检查电源。",
                }
            )
        self.state["conditions"] = kept
        self.state["camera"] = {"ok": not kept, "condition": name if kept else None}
        self._record("camera", RecordRole.CONDITION, name, {"raised": raised})

    def catch_up(self) -> None:
        """Make the views show everything that is recorded."""
        self.state["record"] = len(self.journal.records)
        self.shown = json.loads(json.dumps(self.state))
        self.shown_alerts = json.loads(json.dumps(list(self.alerts.values())))
        self.shown_questions = json.loads(json.dumps(list(self.questions.values())))

    def _record(self, source: str, role: RecordRole, kind: str, body: Doc, sealed: bytes | None = None) -> Record:
        body = {"fact": body} if role is RecordRole.FACT else body  # as the real ledger writes it
        record = self.journal.append(source, role, kind, body, sealed)
        if not self.lags:
            self.catch_up()
        return record

    def _open(self, alert_id: str) -> Doc:
        alert = self.alerts.get(alert_id)
        if alert is None:
            raise NotFound(f"alert {alert_id!r}: does not exist")
        if alert["status"] not in OPEN:
            raise Conflict(f"alert {alert_id}: already {alert['status']}")
        return alert

    def _step(self, alert_id: str, status: str, by: str, reason: str | None = None) -> None:
        self._open(alert_id).update(status=status, by=by, reason=reason)


class FakeHouse:
    def __init__(self, stills_dir: Path, clock: SystemClock, tables: Sequence[str] = ("1", "2")) -> None:
        self.clock = clock
        self.stills_dir = stills_dir
        self.tables = {key: FakeTable(key, clock) for key in tables}

    def add_still(self, content: bytes) -> str:
        sha = hashlib.sha256(content).hexdigest()
        (self.stills_dir / f"{sha}.jpg").write_bytes(content)
        return sha


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = FakeHouse(Path(folder), SystemClock())
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        sock = bind("127.0.0.1", 0)
        sys.stdout.write(address_of(sock) + "\n")
        sys.stdout.flush()
        await serve(create_app(house, TOKENS), sock, stop=stop)


if __name__ == "__main__":
    asyncio.run(main())
