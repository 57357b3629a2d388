"""Statistics out of journals: every play that counted, without the key that opens what is sealed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from journal_support import CountingClock, write_whole

from dealer.cli.app import run
from dealer.errors import BadRecord
from dealer.journal import Journal, iterate
from dealer.ledger import Entry, Ledger
from dealer.regulation import rulebook_of
from dealer.seal import MasterKey, Sealer
from dealer.standing import Standing
from dealer.tally import tally_of
from engine.cards import PACKS, PLAY_ORDER, Card, Level, Seat
from engine.facts import (
    CardReturned,
    CardsLaid,
    Declared,
    Fact,
    FinishEntered,
    JokersShown,
    Judgement,
    MatchStarted,
    Passed,
    Ruled,
    TributeGiven,
)
from engine.legal import Play, legal_for
from engine.notation import DealRecord
from engine.questions import JokersOwed, ReturnOwed, TributeOwed, owed
from engine.replay import opening
from engine.rulebook import Rulebook
from engine.rulebook_data import load_rulebook
from engine.state import Action, Deal, Phase
from engine.statistics import Statistics

BIG_JOKER = Card.parse("BJ")
BOOK = load_rulebook("competitive-2022")
SPRING = """\
id = "spring-cup"
extends = "competitive-2022"
title_en = "Spring Cup"
title_zh = "春季赛"
"""


class Evening:
    """Lawful random deals written into a journal as a table writes them; counts by itself what counted."""

    def __init__(self, ledger: Ledger, seed: int) -> None:
        self.ledger = ledger
        self.random = Random(seed)
        self.counted = Statistics()

    @property
    def deal(self) -> Deal:
        deal = self.ledger.standing.deal
        assert deal is not None
        return deal

    async def tell(self, *facts: Fact) -> int:
        """Returns the number of the first record."""
        return (await self.ledger.write([Entry(fact, "camera") for fact in facts]))[0].number

    async def begin(self) -> None:
        book = self.ledger.standing.rulebook
        await self.tell(MatchStarted(book.id, book.hash, PLAY_ORDER))

    async def deal_cards(self) -> None:
        match = self.ledger.standing.match
        assert match is not None
        cards: list[Card] = list(PACKS)
        self.random.shuffle(cards)
        hands = {seat: tuple(cards[27 * place : 27 * place + 27]) for place, seat in enumerate(Seat)}
        level = match.levels[match.declarer] if match.declarer is not None else Level.TWO
        leader = None if match.declarer is not None else Seat.S
        record = DealRecord(match.rulebook, level.rank, leader, (), hands=hands, declarer=match.declarer)
        await self.tell(*opening(record, self.ledger.standing.rulebook, match.deals_done + 1))
        await self._exchange()

    async def _exchange(self) -> None:
        while self.deal.phase is Phase.TRIBUTE:
            match = self.ledger.standing.match
            assert match is not None
            debt = owed(match, self.ledger.standing.rulebook)[0]
            match debt:
                case TributeOwed(seat, options) if options:
                    await self.tell(TributeGiven(seat, options[0]))
                case ReturnOwed(seat, to, options) if options:
                    await self.tell(CardReturned(seat, to, options[0]))
                case JokersOwed(seats):
                    await self.tell(
                        JokersShown(tuple(seat for seat in seats if BIG_JOKER in (self.deal.hands[seat] or ())))
                    )
                case _:
                    raise AssertionError(debt)

    async def play(self, most: int = 1000, taken_back: int = 0) -> None:
        """Play on, `most` acts at most; the first `taken_back` plays are taken back and laid again."""
        acts: list[Action] = []
        while not self.deal.is_over and len(acts) < most:
            match, seat = self.ledger.standing.match, self.deal.turn
            assert match is not None
            assert seat is not None
            plays = legal_for(match, seat, self.ledger.standing.rulebook)
            leads = self.deal.trick is not None and self.deal.trick.current is None
            if not leads and (not plays or self.random.random() < 0.3):
                await self.tell(Passed(seat))
                acts.append(Action(seat))
                continue
            play = self.random.choice(plays)
            number = await self._lay(seat, play)
            if taken_back:
                taken_back -= 1
                await self.tell(Ruled("1-1", number, seat, Judgement.TAKE_BACK, "referee"))
                await self._lay(seat, play)
            acts.append(Action(seat, play.cards, play.reading))
        if self.deal.is_over:
            self.counted.add(self.deal.level, acts, self.deal.finish)

    async def _lay(self, seat: Seat, play: Play) -> int:
        number = await self.tell(CardsLaid(seat, play.cards))
        if self.deal.pending is not None:
            await self.tell(Declared(seat, play.reading))
        return number


@asynccontextmanager
async def evening(folder: Path, seed: int, book: Rulebook = BOOK) -> AsyncIterator[Evening]:
    journal = await Journal.open(folder / "journal.db", CountingClock())
    ledger = Ledger(journal, Sealer(MasterKey(bytes(range(32))), "table 1"), Standing("1", book))
    try:
        yield Evening(ledger, seed)
    finally:
        await journal.close()


async def two_deals(folder: Path, seed: int, book: Rulebook = BOOK) -> Statistics:
    """A journal of two whole deals, the second with tribute; returns what was played."""
    async with evening(folder, seed, book) as played:
        await played.begin()
        for taken_back in (2, 0):
            await played.deal_cards()
            await played.play(taken_back=taken_back)
    return played.counted


def refused(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    return line


@pytest.mark.parametrize("seed", range(4))
def test_every_play_that_counted_is_counted_once(tmp_path: Path, seed: int) -> None:
    counted = asyncio.run(two_deals(tmp_path, seed))

    tally = tally_of([tmp_path / "journal.db"], load_rulebook)

    assert tally.statistics == counted
    assert (tally.statistics.deals, tally.left_out, tally.rulebooks) == (2, 0, [BOOK.id])


def test_sealed_cards_were_sealed(tmp_path: Path) -> None:
    asyncio.run(two_deals(tmp_path, 4))

    records = list(iterate(tmp_path / "journal.db"))

    assert all(
        "card" not in record.body["fact"] for record in records if record.kind in {"card_dealt", "card_returned"}
    )
    assert any(record.kind == "card_returned" for record in records)


def test_deal_that_people_ended_is_left_out_and_said(tmp_path: Path) -> None:
    async def entered() -> None:
        async with evening(tmp_path, 6) as played:
            await played.begin()
            await played.deal_cards()
            await played.play(most=9)
            await played.tell(FinishEntered((Seat.E, Seat.N, Seat.W, Seat.S), "referee"))

    asyncio.run(entered())

    tally = tally_of([tmp_path / "journal.db"], load_rulebook)

    assert (tally.statistics.deals, tally.left_out) == (0, 1)


def test_command_adds_journals_and_prints_what_simulate_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "12":
        (tmp_path / name).mkdir()
    one, other = asyncio.run(two_deals(tmp_path / "1", 7)), asyncio.run(two_deals(tmp_path / "2", 8))
    files = [str(tmp_path / name / "journal.db") for name in "12"]

    assert run(["journal", "statistics", *files, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert run(["journal", "statistics", *files]) == 0
    table = capsys.readouterr().out.splitlines()
    assert run(["simulate", "--deals", "1", "--seed", "1"]) == 0
    simulated = capsys.readouterr().out.splitlines()

    plays = sum(one.plays) + sum(other.plays)
    assert (document["deals"], document["left_out"], document["rulebooks"]) == (4, 0, [BOOK.id])
    assert document["plays_per_deal"] == {"mean": plays / 4}
    assert document["share_percent"]["single"] == round(100 * (one.by_kind + other.by_kind)["single"] / plays, 1)
    assert table[0] == f"{BOOK.id}: 4 deals, 0 left out that plays did not end"
    assert [row[:36] for row in table[1:]] == [row[:36] for row in simulated[1:]]


def test_journal_without_a_deal_is_no_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def nothing() -> None:
        async with evening(tmp_path, 9):
            pass

    asyncio.run(nothing())

    assert run(["journal", "statistics", str(tmp_path / "journal.db")]) == 0
    assert capsys.readouterr().out.startswith("no match: 0 deals")


def test_match_under_a_regulation_needs_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spring = tmp_path / "spring-cup.toml"
    spring.write_text(SPRING, encoding="utf-8")
    asyncio.run(two_deals(tmp_path, 10, rulebook_of(str(spring))))
    file = str(tmp_path / "journal.db")

    line = refused(["journal", "statistics", file], capsys)

    assert "'spring-cup'" in line
    assert "--rulebook" in line
    assert run(["journal", "statistics", file, "--rulebook", str(spring), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rulebooks"] == ["spring-cup"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (["missing.db"], ["missing.db", "no such journal"]),
        (["notes.txt"], ["notes.txt"]),
        (["journal.db", "journal.db"], ["named twice", "once"]),
        ([], ["FILE"]),
    ],
)
def test_bad_journals_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: list[str], said: list[str]
) -> None:
    (tmp_path / "notes.txt").write_text("no journal", encoding="utf-8")
    write_whole(tmp_path / "journal.db", 1)

    line = refused(["journal", "statistics", *(str(tmp_path / file) for file in files)], capsys)

    assert all(word in line for word in said)


def test_record_that_no_version_wrote_is_refused(tmp_path: Path) -> None:
    write_whole(tmp_path / "journal.db", 1)

    with pytest.raises(BadRecord, match="'fact' is missing"):
        tally_of([tmp_path / "journal.db"], load_rulebook)
