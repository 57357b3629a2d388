"""How a match stands after a number of facts. Values only; `engine.advance` folds facts into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engine.cards import PLAY_ORDER, Card, Level, Pair, Rank, Seat
from engine.combos import Reading
from engine.match_end import End
from engine.passing import PassForm

NOTICED: Final = (
    "bad_arrangement",
    "pass_form",
    "report_missing",
    "report_repeat",
    "report_volunteered",
    "report_wrong_count",
)
"""Findings that rest on signs which not every table sees or hears: `MatchStarted.notices` names those it judges."""

HAND = 27
"""Cards dealt to a seat. Source: RULEBOOKS 2.1."""


class Phase(StrEnum):
    """Where a deal stands."""

    BEFORE = "before"
    """No deal has begun."""
    DEALING = "dealing"
    TAKING = "taking"
    """Dealt; hands are being taken and counted."""
    TRIBUTE = "tribute"
    """Hands are counted; tribute and return are being exchanged."""
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Action:
    """A play or a pass that counts. `record` is the journal number of its fact, 0 if it has none."""

    seat: Seat
    cards: tuple[Card, ...] = ()
    """Left to right as laid; empty for a pass."""
    reading: Reading | None = None
    """None for a pass, and for a play that was let stand although it is not one that may be played."""
    record: int = 0

    @property
    def is_pass(self) -> bool:
        return not self.cards


@dataclass(frozen=True, slots=True)
class Pending:
    """Cards that lie on the table but do not count yet: a referee rules, or the player declares."""

    seat: Seat
    cards: tuple[Card, ...]
    legal: tuple[Reading, ...]
    """What the cards may mean here; empty if they may not be played at all."""
    reason: str
    """Name of the finding that keeps the play from counting."""
    record: int = 0


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick (圈). `current` is the standing best play, `passes` the passes in a row since it was laid."""

    number: int
    leader: Seat | None
    plays: tuple[Action, ...] = ()
    current: Action | None = None
    passes: int = 0


@dataclass(frozen=True, slots=True)
class Handover:
    """One card given from hand to hand. `to` is None for a tribute: who takes it follows from all of them."""

    seat: Seat
    to: Seat | None
    card: Card = field(repr=False)
    record: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """Tribute and return of one deal. `engine.exchange` derives everything else from what was given so far.

    finish: the order in which the deal before ended. anti: whether the payers hold both big jokers (抗贡); None while
    that is not known. jokers_shown: they showed them. hands, sizes: before the first card was given; secret.
    """

    finish: tuple[Seat, ...]
    payers: tuple[Seat, ...]
    given: tuple[Handover, ...] = ()
    anti: bool | None = field(default=None, repr=False)
    jokers_shown: bool = False
    hands: Mapping[Seat, tuple[Card, ...] | None] = field(default_factory=dict, repr=False)
    sizes: Mapping[Seat, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """A report by a seat. `again`: it had reported before in this deal."""

    count: int
    record: int
    again: bool


@dataclass(frozen=True, slots=True)
class LastPlay:
    """A play that counted: cards in the hand before it, and cards laid."""

    seat: Seat
    before: int
    played: int
    record: int


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal (副). `feed` and `hands` are secret until the cards are laid: never shown, never logged."""

    deal_no: int
    level: Rank
    declarer: Pair | None
    phase: Phase = Phase.DEALING
    feed: Mapping[int, tuple[Seat, Card | None]] = field(default_factory=dict, repr=False)
    """Seat and face (None: not read) of each card by feed index."""
    hands: Mapping[Seat, tuple[Card, ...] | None] = field(default_factory=lambda: dict.fromkeys(Seat), repr=False)
    """Cards left in each hand; None where not every card of it is surely known."""
    hand_sizes: Mapping[Seat, int] = field(default_factory=lambda: dict.fromkeys(Seat, HAND))
    turned_up_index: int | None = None
    leader: Seat | None = None
    """Who leads the first trick; None while that is not known, then whoever begins is taken to be right."""
    named_leader: Seat | None = None
    """The leader whom people named themselves: he comes before the rule's."""
    taken: frozenset[Seat] = frozenset()
    confirmed: frozenset[Seat] = frozenset()
    exchange: Exchange | None = None
    """None where no tribute is owed."""
    trick: Trick | None = None
    """None until play begins."""
    turn: Seat | None = None
    pending: Pending | None = None
    finish: tuple[Seat, ...] = ()
    """Seats in finishing order; two after a double-down (双下)."""
    reported: Mapping[Seat, int] = field(default_factory=dict)
    """Number on each seat's report card (报牌)."""
    told: Mapping[Seat, Told] = field(default_factory=dict)
    """Reports since the last act that counted."""
    last_play: LastPlay | None = None
    """The last act that counted, if it was a play."""
    held: bool = False

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def has_begun(self) -> bool:
        """Whether a play has counted in this deal."""
        return bool(self.finish) or (self.trick is not None and (self.trick.number > 1 or bool(self.trick.plays)))

    @property
    def double_down(self) -> bool:
        """Whether one side took first and second (双下)."""
        return len(self.finish) >= 2 and self.finish[0].partner is self.finish[1]

    @property
    def dealt(self) -> dict[Seat, tuple[Card | None, ...]]:
        """Cards dealt to each seat in feed order, None where a face was not read. Secret."""
        return {seat: tuple(card for _, (to, card) in sorted(self.feed.items()) if to is seat) for seat in Seat}


@dataclass(frozen=True, slots=True)
class Score:
    """What a match carries from deal to deal."""

    levels: Mapping[Pair, Level] = field(default_factory=lambda: dict.fromkeys(Pair, Level.TWO))
    declarer: Pair | None = None
    """Side whose level is played next: the side of the last deal's first; None before deal 1."""
    a_failures: Mapping[Pair, int] = field(default_factory=lambda: dict.fromkeys(Pair, 0))
    """Deals in a row at its own A that each side did not pass; counted only where a rulebook limits them (U-6)."""
    deals_done: int = 0
    finishes: tuple[tuple[Seat, ...], ...] = ()
    """The order in which each deal ended, the last one last."""
    winner: Pair | None = None
    """The side that is past A (过A)."""
    reached: Mapping[Pair, int] = field(default_factory=lambda: dict.fromkeys(Pair, 0))
    """Number of the deal after which each side came to its level, 0 for where it began."""
    foul_leader: Seat | None = None
    """Who leads the next deal because a foul ended the last one; no tribute is owed then (RULEBOOKS 4.1)."""
    end: End | None = None
    """How the match ended, or that an extra deal has to decide it; None while it goes on."""

    @property
    def last_finish(self) -> tuple[Seat, ...]:
        """The order in which the last deal ended; empty before the first."""
        return self.finishes[-1] if self.finishes else ()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How deal and score stood before the act with journal number `record`."""

    record: int
    deal: Deal = field(repr=False)
    score: Score


@dataclass(frozen=True, slots=True)
class Match:
    """One match (局) under one rulebook. The limits and `notices` are those of its `MatchStarted`."""

    rulebook: str
    rulebook_hash: str
    play_order: tuple[Seat, ...] = PLAY_ORDER
    deals_limit: int | None = None
    knock_out: bool = False
    notices: frozenset[str] = frozenset()
    pass_forms: Mapping[Seat, PassForm] = field(default_factory=dict)
    """How each seat passed first in this match."""
    score: Score = Score()
    deal: Deal | None = None
    undo: Checkpoint | None = None
    """Before the last act that counted: that act alone can be taken back."""
    reopen: Checkpoint | None = None
    """Before the lead that cut the exchange of tribute, or the counting, short: taken back, it is gone on with."""

    @property
    def levels(self) -> Mapping[Pair, Level]:
        return self.score.levels

    @property
    def declarer(self) -> Pair | None:
        return self.score.declarer

    @property
    def deals_done(self) -> int:
        return self.score.deals_done

    @property
    def last_finish(self) -> tuple[Seat, ...]:
        return self.score.last_finish

    @property
    def winner(self) -> Pair | None:
        """Who won the match; None while it goes on, and for a draw."""
        return self.score.end.winner if self.score.end is not None else None

    @property
    def is_over(self) -> bool:
        """Whether a side is past A, or the match has come to another end."""
        return self.score.end is not None and self.score.end.over


def seats_in(deal: Deal, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Seats that still hold cards, in order of play."""
    return tuple(seat for seat in order if seat not in deal.finish)


def next_in_turn(deal: Deal, order: tuple[Seat, ...], after: Seat) -> Seat | None:
    """The next seat after `after` that still holds cards (P-3); None if there is no other."""
    start = order.index(after)
    for step in range(1, len(order)):
        seat = order[(start + step) % len(order)]
        if seat not in deal.finish:
            return seat
    return None
