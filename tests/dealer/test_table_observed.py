"""A whole deal at observation level: acts recorded once, violations raised, the record refolds alike."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from observed_table import Observed, observed_table, open_table

from dealer.command import Declare, Hold, Rule
from dealer.journal import iterate
from dealer.record import Record, Role
from dealer.tally import tally_of
from engine.combos import Reading
from engine.facts import Judgement
from engine.rulebook_data import load_rulebook

pytestmark = pytest.mark.slow


async def records_of(folder: Path) -> list[Record]:
    return await asyncio.to_thread(lambda: list(iterate(folder / "journal.db")))


async def referee(observed: Observed) -> None:
    """Holds and rules on every alert, as a person would; asks the player for a declaration."""
    table = observed.table
    done: set[str] = set()
    while True:  # a person looks now and then
        await asyncio.sleep(0.02)
        for alert in table.alerts():
            if alert["id"] in done or alert["status"] != "raised":
                continue
            done.add(alert["id"])
            if alert["name"] == "needs_declaration":
                meant = next(p for p in reversed(observed.account.of("play")) if p["seat"] == alert["seat"])
                await table.submit(Declare(alert["id"], Reading.from_json(meant["reading"]), "referee"))
                continue
            await table.submit(Hold("referee", alert["id"]))
            await table.submit(Rule(alert["id"], Judgement.TAKE_BACK, "referee"))


async def play(observed: Observed) -> None:
    ruling = asyncio.create_task(referee(observed))
    try:
        async with asyncio.timeout(110):
            await observed.people.run(1)
            while not (observed.table.standing.collected and observed.table.standing.deals_started == 1):
                await asyncio.sleep(0.05)
    finally:
        ruling.cancel()
        await asyncio.gather(ruling, return_exceptions=True)


@pytest.mark.timeout(150)
async def test_a_clean_deal_is_recorded_act_by_act_without_an_alert(tmp_path: Path) -> None:
    async with observed_table(tmp_path, "clean", 3) as observed:
        await play(observed)
        standing = observed.table.standing

    acts = [line for line in observed.account.lines if line["kind"] in {"play", "pass"}]
    made = [(line["seat"], tuple(line.get("cards", ()))) for line in acts]
    records = await records_of(tmp_path)
    seen = [
        (record.body["fact"]["seat"], tuple(record.body["fact"].get("cards", ())))
        for record in records
        if record.role is Role.FACT and record.kind in {"cards_laid", "passed"}
    ]
    assert seen == made
    assert standing.alerts == {}
    assert standing.accounted == 108
    assert [line["finish"] for line in observed.account.of("finish")] == [[seat.value for seat in standing.deal.finish]]


@pytest.mark.timeout(150)
async def test_every_staged_violation_is_raised_once_and_nothing_else(tmp_path: Path) -> None:
    async with observed_table(tmp_path, "violations", 5) as observed:
        await play(observed)
        raised = Counter((a.name, a.seat) for a in observed.table.standing.alerts.values())

    expected = Counter((line["name"], line["seat"]) for line in observed.account.of("expected"))
    assert len(expected) >= 5
    assert raised == expected


@pytest.mark.timeout(150)
async def test_a_journal_folds_to_the_same_standing_again(tmp_path: Path) -> None:
    async with observed_table(tmp_path, "violations", 6) as observed:
        await play(observed)
        before = observed.table.standing
        address = observed.device.address

    again = await open_table(tmp_path, address, None)
    try:
        assert again.standing == before
    finally:
        await again.journal.close()


@pytest.mark.timeout(150)
async def test_statistics_of_a_journal_count_what_was_played_and_not_what_was_taken_back(tmp_path: Path) -> None:
    async with observed_table(tmp_path, "violations", 7) as observed:
        await play(observed)
        plays, taken_back = (observed.account.of(kind) for kind in ("play", "taken_back"))

    tally = await asyncio.to_thread(tally_of, [tmp_path / "journal.db"], load_rulebook)

    assert taken_back
    assert tally.statistics.plays == [len(plays) - len(taken_back)]


async def test_no_unseen_card_stands_readable_in_the_journal(tmp_path: Path) -> None:
    async with observed_table(tmp_path, "clean", 8) as observed:
        running = asyncio.create_task(observed.people.run(1))
        async with asyncio.timeout(60):
            while observed.table.standing.phase != "taking":
                await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    dealt = [record for record in await records_of(tmp_path) if record.kind == "card_dealt"]
    assert len(dealt) == 108
    assert all("card" not in record.body["fact"] and record.sealed is not None for record in dealt)
    assert len({len(record.sealed or b"") for record in dealt}) == 1
