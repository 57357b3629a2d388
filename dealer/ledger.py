"""A table's journal and its fold, kept in step: what is in `standing` is on the disk.

Facts and the findings on them are written in one transaction, so that no crash can separate an act from its
judgement. Restoring reads the same records through the same fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dealer.codec import decode, encode
from dealer.errors import JournalCorrupt
from dealer.intake import Question
from dealer.journal import Journal
from dealer.record import Draft, Record, Role
from dealer.seal import Sealer
from dealer.standing import Standing, finding_body, fold_condition, fold_fact, fold_finding, fold_question
from engine.cards import Card
from engine.facts import Answered, CardsLaid, DealStarted, Fact

PAGE = 500
"""Records read at a time when a journal is folded anew."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact to be recorded: who says so, and what else belongs to it.

    event: the device event that it rests on, 0 if none. settled_ns, still: from the observation, if any.
    secret: fields to seal beside those that the codec seals by itself.
    """

    fact: Fact
    source: str
    event: int = 0
    settled_ns: int | None = None
    still: str | None = None
    secret: dict[str, Any] | None = field(default=None, repr=False)

    def extras(self) -> dict[str, Any]:  # JSON values
        given = {"event": self.event or None, "settled_ns": self.settled_ns, "still": self.still}
        return {key: value for key, value in given.items() if value is not None}


class Ledger:
    """Journal, seal and standing of one table. One task writes."""

    def __init__(self, journal: Journal, sealer: Sealer, standing: Standing) -> None:
        self.journal = journal
        self.standing = standing
        self.plan: bytes | None = None
        """Seat sequence of the deal that is recorded last; secret until that deal is over."""
        self._sealer = sealer

    async def restore(self) -> None:
        """Fold the whole journal. Raises JournalCorrupt where a record cannot be understood."""
        after = 0
        while records := await self.journal.read(after, PAGE):
            for record in records:
                self._fold(record)
            after = records[-1].number

    def _fold(self, record: Record) -> None:
        body = record.body
        match record.role:
            case Role.FACT:
                secret = self._open(record)
                plan = secret.pop("plan", None)
                fact = decode(record.kind, body["fact"], secret or None)
                if isinstance(plan, str):
                    self.plan = bytes.fromhex(plan)
                judged = fold_fact(self.standing, fact, record.number, body, record.mono_ns, record.boot)
                self.standing = judged.standing
            case Role.FINDING:
                self.standing = fold_finding(self.standing, record.number, record.at_utc, record.kind, body)
            case Role.CONDITION:
                raised = bool(body.get("raised", True))
                self.standing = fold_condition(self.standing, record.number, record.at_utc, record.kind, raised)
            case Role.QUESTION:
                self.standing = fold_question(self.standing, record.number, body)

    def _open(self, record: Record) -> dict[str, Any]:  # the fields that were sealed
        if record.sealed is None:
            return {}
        return self._sealer.unseal(record.sealed, deal_no=int(record.body["deal_no"]), kind=record.kind)

    async def write(self, entries: Sequence[Entry]) -> list[Record]:
        """Record facts and what the rules say of them, all or nothing, then make it the standing."""
        standing = self.standing
        number = self.journal.last
        drafts: list[Draft] = []
        steps: list[tuple[Entry, int]] = []
        for entry in entries:
            number += 1
            steps.append((entry, number))
            drafts.append(self._draft(entry, standing))
            judged = fold_fact(standing, entry.fact, number, entry.extras(), 0, "")
            standing = judged.standing
            cause = number
            for finding in judged.findings:
                number += 1
                # Cards and still are evidence of this fact only: a report may be missed when the next player acts.
                own = finding.record == cause
                cards, extras = (_cards(entry.fact), entry.extras()) if own else ((), {})
                body = finding_body(finding, standing, cards, extras)
                drafts.append(Draft("engine", Role.FINDING, finding.name, body))
                standing = fold_finding(standing, number, "", finding.name, body)
        records = await self.journal.append(drafts)
        if records[-1].number != number:
            raise JournalCorrupt(self.journal.path, records[-1].number, "another writer is at work")
        self._settle(records, {number: entry for entry, number in steps})
        await self._catch_up(number)
        return records

    async def _catch_up(self, number: int) -> None:
        """Fold what the journal wrote by itself after record `number`: the news that it was salvaged."""
        while self.journal.last > number:
            for record in await self.journal.read(number, PAGE):
                self._fold(record)
                number = record.number

    def _settle(self, records: list[Record], entries: dict[int, Entry]) -> None:
        for record in records:
            entry = entries.get(record.number)
            if entry is None:
                self.standing = fold_finding(self.standing, record.number, record.at_utc, record.kind, record.body)
                continue
            if isinstance(entry.fact, DealStarted) and entry.secret is not None:
                self.plan = bytes.fromhex(entry.secret["plan"])
            self.standing = fold_fact(
                self.standing, entry.fact, record.number, record.body, record.mono_ns, record.boot
            ).standing

    def _draft(self, entry: Entry, standing: Standing) -> Draft:
        form = encode(entry.fact)
        secret = {**(form.secret or {}), **(entry.secret or {})}
        body: dict[str, Any] = {"fact": form.body, **entry.extras()}
        if not secret:
            return Draft(entry.source, Role.FACT, form.kind, body)
        started = isinstance(entry.fact, DealStarted)
        deal_no = standing.deals_started + 1 if started else standing.deals_started
        body["deal_no"] = deal_no
        return Draft(
            entry.source, Role.FACT, form.kind, body, self._sealer.seal(secret, deal_no=deal_no, kind=form.kind)
        )

    async def ask(self, question: Question, settled_ns: int, still: str | None) -> Record:
        """Record a question for a person."""
        body = {**question.to_body(), "settled_ns": settled_ns, "still": still, "deal": self.standing.deals_started}
        [record] = await self.journal.append([Draft("camera", Role.QUESTION, "unclear_reading", body)])
        self.standing = fold_question(self.standing, record.number, record.body)
        return record

    async def condition(self, name: str, raised: bool, source: str) -> None:
        """Record that a condition came or went; nothing if it stands so already."""
        if (name in self.standing.conditions) == raised:
            return
        [record] = await self.journal.append([Draft(source, Role.CONDITION, name, {"raised": raised})])
        self.standing = fold_condition(self.standing, record.number, record.at_utc, name, raised)


def _cards(fact: Fact) -> tuple[Card, ...]:
    return fact.cards if isinstance(fact, (CardsLaid, Answered)) else ()
