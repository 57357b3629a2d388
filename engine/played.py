"""The plays of each deal as they counted, out of the facts of a whole journal. What was taken back is not among them.

Follows the match through `engine.advance` and looks at its tricks; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from engine.advance import advance
from engine.cards import Rank, Seat
from engine.facts import DealStarted, Fact, MatchStarted
from engine.rulebook import Rulebook
from engine.state import Action, Deal, Match


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal that is over. plays: those that counted as a combination, in order; passes are not kept.

    by_play: the last play ended it, and not a person's word or a foul: only then are its plays all of them.
    """

    level: Rank
    plays: tuple[Action, ...]
    finish: tuple[Seat, ...]
    by_play: bool


def played_deals(facts: Iterable[tuple[int, Fact]], book_of: Callable[[str], Rulebook]) -> Iterator[PlayedDeal]:
    """The finished deals of a journal, in order. A deal that was dropped or sealed does not count (M-1).

    facts: journal number and fact. book_of: the rulebook of an id, asked once for each match; what it raises goes
    through. Facts before the first match are of no deal.
    """
    match: Match | None = None
    book: Rulebook | None = None
    seen = _Seen()
    for record, fact in facts:
        if isinstance(fact, MatchStarted):
            yield from seen.finished()
            seen = _Seen()
            book = book_of(fact.rulebook)
        elif isinstance(fact, DealStarted):
            yield from seen.finished()  # only now can nothing of it be taken back any more
            seen = _Seen()
        if book is not None:
            match = advance(match, fact, book, record).state
            seen.look(match)
    yield from seen.finished()


@dataclass(slots=True)
class _Seen:
    """One deal while it is played: the plays of each of its tricks by number, as last seen.

    The act that ends a trick is never seen in it, but that is always a pass.
    """

    deal: Deal | None = None
    fouled: bool = False
    tricks: dict[int, tuple[Action, ...]] = field(default_factory=dict)

    def look(self, match: Match) -> None:
        self.deal, self.fouled = match.deal, match.score.foul_leader is not None
        trick = match.deal.trick if match.deal is not None else None
        if trick is not None:
            self.tricks = {number: acts for number, acts in self.tricks.items() if number < trick.number}
            self.tricks[trick.number] = trick.plays

    def finished(self) -> Iterator[PlayedDeal]:
        """The deal, if it is over and has a finishing order."""
        deal = self.deal
        if deal is None or not deal.is_over or not (deal.double_down or len(deal.finish) == len(Seat)):
            return
        plays = tuple(act for _, acts in sorted(self.tricks.items()) for act in acts if act.reading is not None)
        yield PlayedDeal(deal.level, plays, deal.finish, _ended_by_play(deal) and not self.fouled)


def _ended_by_play(deal: Deal) -> bool:
    """Whether everybody who is out has laid his last card: a person's word ends a deal while hands are full."""
    last = len(Seat) - 1 if len(deal.finish) == len(Seat) else len(deal.finish)
    return all(deal.hand_sizes[seat] == 0 for seat in deal.finish[:last])
