"""Playing deals and matches that stand as text through `advance`: what the rules say of them now.

A golden game is right if the record that comes back equals the one that went in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.advance import advance, start
from engine.cards import Card, Level, Pair, Seat
from engine.facts import (
    CardDealt,
    CardReturned,
    CardsLaid,
    DealCompleted,
    DealStarted,
    Declared,
    Fact,
    HandConfirmed,
    HandTaken,
    Judgement,
    LeaderDrawn,
    MatchStarted,
    Passed,
    Ruled,
    TributeGiven,
)
from engine.findings import Finding, Severity
from engine.match_end import End
from engine.notation import DealRecord, Event, Line, MatchRecord
from engine.rulebook import Rulebook
from engine.state import HAND, Deal, Match


class Replay:
    """A match folded fact by fact, with the numbers of its records."""

    def __init__(self, match: Match, rulebook: Rulebook) -> None:
        self.match = match
        self.rulebook = rulebook
        self.record = 0

    def tell(self, fact: Fact) -> tuple[Finding, ...]:
        self.record += 1
        outcome = advance(self.match, fact, self.rulebook, self.record)
        self.match = outcome.state
        return outcome.findings

    @property
    def deal(self) -> Deal:
        if self.match.deal is None:
            raise RuntimeError("no deal has begun")
        return self.match.deal

    def act(self, line: Line | Event) -> Line | Event:
        """One line, with the findings on it now. Cards that are found wrong are taken back."""
        if isinstance(line, Event):
            found = _names(self.tell(line.fact))
            if found and isinstance(line.fact, TributeGiven | CardReturned):
                self._take_back(self.record, line.fact.seat)
            return replace(line, findings=found)
        said = self.tell(CardsLaid(line.seat, line.cards) if line.cards else Passed(line.seat, line.form))
        record = self.record
        if line.declared is not None:
            said = (*said, *self.tell(Declared(line.seat, line.declared)))
        if self.deal.pending is not None:
            self._take_back(record, line.seat)
        return replace(line, findings=_names(said))

    def _take_back(self, record: int, seat: Seat) -> None:
        self.tell(Ruled("", record, seat, Judgement.TAKE_BACK, ""))

    def play(self, deal: DealRecord) -> DealRecord:
        """A deal from its first fact on; the record as judged now."""
        score = self.match.score
        for fact in opening(deal, self.rulebook, score.deals_done + 1):
            self.tell(fact)
        exchange = self.deal.exchange
        lines = tuple(self.act(line) for line in deal.lines)
        return replace(
            deal,
            levels=dict(score.levels),
            owes=exchange.payers if exchange is not None else (),
            lines=lines,
            finish=self.deal.finish,
        )


def replay(deal: DealRecord, rulebook: Rulebook) -> tuple[Match, DealRecord]:
    """Play a deal that stands for itself: the match it ends in, and the record with findings and finish as judged."""
    begun = MatchStarted(rulebook.id, rulebook.hash, deal.play_order, deal.levels[Pair.EW], deal.levels[Pair.NS])
    game = Replay(start(begun), rulebook)
    judged = game.play(deal)
    return game.match, judged


def replay_match(match: MatchRecord, rulebook: Rulebook) -> tuple[Match, MatchRecord]:
    """Play a match: how it ends, and its record with levels, tributes owed, findings, places and result as judged."""
    begun = MatchStarted(
        rulebook.id,
        rulebook.hash,
        match.play_order,
        deals_limit=match.deals_limit,
        knock_out=match.knock_out,
        notices=match.notices,
    )
    game = Replay(start(begun), rulebook)
    deals = tuple(game.play(deal) for deal in match.deals)
    if match.closing is not None:
        game.tell(match.closing)
    return game.match, replace(match, deals=deals, result=result_of(game.match.score.end))


def result_of(end: End | None) -> str:
    """The end of a match as its record writes it."""
    if end is None:
        return "open"
    if end.tie_break_required:
        return "extra deal"
    return end.winner.value if end.winner is not None else "draw"


def _names(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(finding.name for finding in findings if finding.kind.severity is not Severity.INFO)


def opening(deal: DealRecord, rulebook: Rulebook, number: int) -> list[Fact]:
    """The facts before the first lead, or before the tribute if one is owed."""
    unread: Sequence[Card | None] = (None,) * HAND
    cards = [(seat, card) for seat in Seat for card in deal.hands.get(seat, unread)]
    facts: list[Fact] = [
        DealStarted(number, Level(int(deal.level)), deal.declarer, "seeded", ""),
        *(CardDealt(index, seat, card) for index, (seat, card) in enumerate(cards)),
        DealCompleted(tuple((seat, len(deal.hands.get(seat, unread))) for seat in Seat)),
    ]
    if deal.leader is not None:
        ok = (i for i, (to, card) in enumerate(cards) if to is deal.leader and card not in rulebook.redraw_on)
        facts.append(LeaderDrawn(next(ok, len(cards)), deal.leader))
    return [*facts, *map(HandTaken, Seat), *map(HandConfirmed, Seat)]
