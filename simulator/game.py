"""The match as the people at the table know it: their own acts, folded by the engine.

What the controller believes is on its display; this is what really happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.advance import advance, start
from engine.cards import Card, Rank, Seat
from engine.combos import Reading
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
    JokersShown,
    Judgement,
    LeaderDrawn,
    MatchStarted,
    Passed,
    Ruled,
    TributeGiven,
)
from engine.findings import Finding, Severity
from engine.rulebook import Rulebook
from engine.state import HAND, Deal, Match, next_in_turn
from simulator.maxims import ALL_MAXIMS, Maxim
from simulator.players import View, without


class NotTheRules(RuntimeError):
    """Players who keep the rules have made an act that the engine does not count; a fault of the simulator."""

    def __init__(self, fact: Fact, why: str) -> None:
        super().__init__(f"{type(fact).__name__} was not counted: {why}")


@dataclass(frozen=True, slots=True)
class Lay:
    """Cards to be laid, left to right. `fault` names the finding that a staged violation is to cause."""

    seat: Seat
    cards: tuple[Card, ...]
    reading: Reading | None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """The PASS card to be shown."""

    seat: Seat


Act = Lay | Pass


@dataclass(frozen=True, slots=True)
class _Before:
    """How it was before the last act, which `seat` made."""

    seat: Seat
    match: Match
    hand: tuple[Card, ...]


class Game:
    """One match under one rulebook. All fields are derived from `match`."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook: Final = rulebook
        self.match: Match = self._begun()
        self.deal_no = 0
        self.dealt: Mapping[Seat, tuple[Card, ...]] = {}
        self._held: Mapping[Seat, tuple[Card, ...]] = {}
        self._record = 0
        self._hands: dict[Seat, tuple[Card, ...]] = {}
        self._before: _Before | None = None

    def new_match(self) -> None:
        """The next deal begins a match of its own; deals go on being counted."""
        self.match = self._begun()

    def _begun(self) -> Match:
        book = self.rulebook
        return start(MatchStarted(book.id, book.hash, book.play_order, book.first_level, book.first_level))

    def begin_deal(self, hands: Mapping[Seat, tuple[Card, ...]]) -> None:
        """Hands were dealt, taken and counted. From the second deal of a match on tribute may be owed."""
        self.deal_no += 1
        self.dealt = self._held = dict(hands)
        self._hands = dict(hands)
        score = self.match.score
        level = score.levels[score.declarer] if score.declarer is not None else min(score.levels.values())
        self._fold(DealStarted(self.deal_no, level, score.declarer, "seeded", ""))
        cards = [(seat, card) for seat, hand in hands.items() for card in hand]
        for index, (holder, card) in enumerate(cards):
            self._fold(CardDealt(index, holder, card))
        self._fold(DealCompleted(tuple((seat, len(hands[seat])) for seat in Seat)))
        for seat in Seat:
            self._fold(HandTaken(seat))
            self._fold(HandConfirmed(seat, HAND))
        self._before = None

    def hand_over(self, fact: TributeGiven | CardReturned | JokersShown) -> None:
        """A tribute, a return, or both big jokers shown. Raises NotTheRules if the engine finds fault with it."""
        self._keeping_the_rules(fact)
        self._held = {seat: hand or () for seat, hand in self.deal.hands.items()}
        self._hands = dict(self._held)

    def lead(self, seat: Seat) -> None:
        """The display says who leads the first trick."""
        allowed = [i for i, (to, card) in self.deal.feed.items() if to is seat and card not in self.rulebook.redraw_on]
        self._fold(LeaderDrawn(allowed[0], seat))

    def do(self, act: Act) -> None:
        """Fold an act that keeps the rules. Raises NotTheRules if the engine finds fault with it."""
        fact = CardsLaid(act.seat, act.cards) if isinstance(act, Lay) else Passed(act.seat)
        before = self.match
        self._keeping_the_rules(fact)
        self._count_out(act, before)

    def settle(self, act: Lay) -> None:
        """A play that the rules did not count stands after all: it was declared, or the referee let it stand."""
        before = self.match
        self._fold(CardsLaid(act.seat, act.cards))
        if act.fault == "needs_declaration" and act.reading is not None:
            self._fold(Declared(act.seat, act.reading))
        else:
            self._fold(Ruled("", self._record, act.seat, Judgement.LET_STAND, "referee"))
        self._count_out(act, before)

    def take_back(self, seat: Seat) -> bool:
        """Undo the last act if `seat` made it; whether it was so."""
        if self._before is None or self._before.seat is not seat:
            return False
        self.match, self._hands[seat], self._before = self._before.match, self._before.hand, None
        return True

    @property
    def deal(self) -> Deal:
        """Raises RuntimeError before the first deal."""
        if self.match.deal is None:
            raise RuntimeError("no deal has begun")
        return self.match.deal

    @property
    def over(self) -> bool:
        return self.deal.is_over

    @property
    def turn(self) -> Seat:
        """Raises RuntimeError when nobody is in turn."""
        if self.deal.turn is None:
            raise RuntimeError("nobody is in turn")
        return self.deal.turn

    @property
    def level(self) -> Rank:
        return self.deal.level

    @property
    def current(self) -> Reading | None:
        """What stands in the trick; None on a lead."""
        trick = self.deal.trick
        return trick.current.reading if trick is not None and trick.current is not None else None

    @property
    def standing(self) -> Seat | None:
        """Who laid what stands."""
        trick = self.deal.trick
        return trick.current.seat if trick is not None and trick.current is not None else None

    @property
    def trick_number(self) -> int:
        return self.deal.trick.number if self.deal.trick is not None else 0

    @property
    def laid(self) -> list[Card]:
        """Cards that have left the hands in this deal."""
        return [card for seat in Seat for card in without(self._held[seat], self.hand(seat))]

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """Cards that a seat still holds."""
        return self._hands[seat]

    def after(self, seat: Seat) -> Seat | None:
        """The next seat in turn that still holds cards."""
        return next_in_turn(self.deal, self.match.play_order, seat)

    def view(self, seat: Seat, kept: tuple[Card, ...] = (), maxims: frozenset[Maxim] = ALL_MAXIMS) -> View:
        """What a seat sees, but for cards that it does not mean to play yet, and the maxims that it keeps."""
        return View(
            seat=seat,
            hand=without(self.hand(seat), kept),
            level=self.level,
            current=self.current,
            standing=self.standing,
            sizes=self.deal.hand_sizes,
            rulebook=self.rulebook,
            maxims=maxims,
        )

    def _keeping_the_rules(self, fact: Fact) -> None:
        before = self.match
        found = [finding.name for finding in self._fold(fact) if finding.kind.severity is not Severity.INFO]
        if found:
            self.match = before
            raise NotTheRules(fact, " ".join(found))

    def _count_out(self, act: Act, before: Match) -> None:
        """Cards leave the hand. For a card out of the sleeve another one goes up the sleeve: the count stays right."""
        hand = self._hands[act.seat]
        self._before = _Before(act.seat, before, hand)
        if isinstance(act, Lay):
            left = without(hand, act.cards)
            self._hands[act.seat] = left[: self.deal.hand_sizes[act.seat]]

    def _fold(self, fact: Fact) -> tuple[Finding, ...]:
        self._record += 1
        outcome = advance(self.match, fact, self.rulebook, self._record)
        self.match = outcome.state
        return outcome.findings
