"""What the ledger writes beside a fact: findings with their own evidence and nobody else's."""

from __future__ import annotations

from pathlib import Path

from journal_support import CountingClock

from dealer.journal import Journal
from dealer.ledger import Entry, Ledger
from dealer.seal import MasterKey, Sealer
from dealer.standing import Standing
from engine.cards import PLAY_ORDER, Level, Seat, parse_cards
from engine.facts import CardsLaid, DealStarted, MatchStarted, Passed
from engine.rulebook_data import load_rulebook

BOOK = load_rulebook("competitive-2022")


async def test_a_report_that_is_missed_shows_no_cards_of_the_next_player(tmp_path: Path) -> None:
    journal = await Journal.open(tmp_path / "journal.db", CountingClock())
    ledger = Ledger(journal, Sealer(MasterKey(bytes(32)), "table 1"), Standing("1", BOOK))
    notices = ("report_missing",)
    begun = MatchStarted(BOOK.id, BOOK.hash, PLAY_ORDER, notices=notices)
    deal = DealStarted(1, Level.TWO, None, "seeded", "00")
    await ledger.write([Entry(begun, "machine"), Entry(deal, "machine")])
    for text in ("3S 4S 5C 6D 7S", "3H 4H 5S 6C 7C", "8S 9S TC JD QS"):
        await ledger.write([Entry(CardsLaid(Seat.E, parse_cards(text.split())), "camera", still="e" * 64)])
        await ledger.write([Entry(Passed(seat), "camera") for seat in (Seat.N, Seat.W, Seat.S)])
    await ledger.write([Entry(CardsLaid(Seat.E, parse_cards(["9D", "9H"])), "camera", still="e" * 64)])

    written = await ledger.write([Entry(CardsLaid(Seat.N, parse_cards(["KS", "KD"])), "camera", still="f" * 64)])
    await journal.close()

    play, missed = written
    assert (play.kind, play.body["still"]) == ("cards_laid", "f" * 64)
    assert missed.kind == "report_missing"
    assert (missed.body["seat"], missed.body["cards"], missed.body["still"]) == ("E", [], None)
    assert missed.body["cause"] < play.number
