"""Statistics of play out of tables' journals. No key is needed: only laid cards count, and they are not sealed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dealer.codec import decode, kind_of
from dealer.errors import BadRecord
from dealer.journal import iterate
from dealer.record import Record, Role
from engine.facts import CardDealt, CardReturned, Fact
from engine.played import played_deals
from engine.rulebook import Rulebook
from engine.statistics import Statistics


@dataclass(slots=True)
class Tally:
    """Statistics over journals. left_out: deals that were over, but not by the plays that the table saw."""

    statistics: Statistics = field(default_factory=Statistics)
    left_out: int = 0
    rulebooks: list[str] = field(default_factory=list)
    """Ids of the rulebooks of the matches, each once."""


def tally_of(journals: Iterable[Path], book_of: Callable[[str], Rulebook]) -> Tally:
    """Count the plays of every finished deal. Blocking.

    book_of: the rulebook of the id that a match began under. Raises NotFound, JournalForeign, JournalCorrupt,
    BadRecord, and what `book_of` raises.
    """
    tally = Tally()

    def of_match(name: str) -> Rulebook:
        book = book_of(name)
        if book.id not in tally.rulebooks:
            tally.rulebooks.append(book.id)
        return book

    for path in journals:
        for deal in played_deals(_facts(iterate(path)), of_match):
            if deal.by_play:
                tally.statistics.add(deal.level, deal.plays, deal.finish)
            else:
                tally.left_out += 1
    return tally


def _facts(records: Iterable[Record]) -> Iterator[tuple[int, Fact]]:
    """The facts that can be read without the key.

    A dealt card is one that was not read; a returned card is left out: play begins when somebody lays cards.
    """
    for record in records:
        if record.role is Role.FACT and record.kind != kind_of(CardReturned):
            body = record.body.get("fact")
            if not isinstance(body, dict):
                raise BadRecord(record.kind, "key 'fact' is missing")
            unread = {"card": None} if record.kind == kind_of(CardDealt) else None
            yield record.number, decode(record.kind, body, unread)
