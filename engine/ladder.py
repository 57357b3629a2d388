"""The penalty ladder: how penalties add up, and what each of them does to the deal or to the levels.

Source: RULEBOOKS section 4. The engine counts and proposes; a person rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from engine.cards import Level, Seat


class Penalty(StrEnum):
    """What a referee may give, mildest first; its words: `engine.penalty_text`. Source: RULEBOOKS 4.1, section 5."""

    WARNING = "warning"
    VIOLATION = "violation"
    LEVEL_REDUCTION = "level_reduction"
    """Levels down by a number that the referee enters (X-5)."""
    FOUL = "foul"
    AWARDED_DEFEAT = "awarded_defeat"
    """The round ends; levels by `awarded_levels`."""
    FORFEIT = "forfeit"
    """A round lost without play."""
    GAME_LOST = "game_lost"
    DISQUALIFICATION = "disqualification"


@dataclass(frozen=True, slots=True)
class Counters:
    """What one side has been given in one round; violations and fouls count direct and converted ones (X-1)."""

    warnings: int = 0
    violations: int = 0
    fouls: int = 0

    @property
    def awarded_defeat(self) -> bool:
        """Whether the round is awarded to the other side: two fouls."""
        return self.fouls >= 2


@dataclass(frozen=True, slots=True)
class Rise:
    """Counters after a penalty, and the penalties that it converted into, mildest first."""

    counters: Counters
    reached: tuple[Penalty, ...] = ()


def give(counters: Counters, penalty: Penalty, converts: bool = True) -> Rise:
    """Count one penalty. Two warnings are a violation, two violations a foul, two fouls an awarded defeat.

    Counters are not cleared by conversion (X-1). `converts`: False under a rulebook without a full ladder, where
    penalties are only counted. Penalties beyond the ladder (forfeit, disqualification ...) leave the counters alone.
    """
    reached: list[Penalty] = []
    if penalty is Penalty.WARNING:
        counters = replace(counters, warnings=counters.warnings + 1)
        if converts and counters.warnings % 2 == 0:
            penalty = Penalty.VIOLATION
            reached.append(penalty)
    if penalty is Penalty.VIOLATION:
        counters = replace(counters, violations=counters.violations + 1)
        if converts and counters.violations % 2 == 0:
            penalty = Penalty.FOUL
            reached.append(penalty)
    if penalty is Penalty.FOUL:
        counters = replace(counters, fouls=counters.fouls + 1)
        if converts and counters.fouls == 2:
            reached.append(Penalty.AWARDED_DEFEAT)
    return Rise(counters, tuple(reached))


def tally(penalties: Iterable[Penalty], converts: bool = True) -> Counters:
    """Counters of one side after its penalties of one round, in order.

    A fold over the rulings that stand, so a ruling that is taken back leaves no trace.
    """
    counters = Counters()
    for penalty in penalties:
        counters = give(counters, penalty, converts).counters
    return counters


def is_disqualified(rounds: Sequence[Penalty | None]) -> bool:
    """Whether a pair's rounds so far, in order, cost it the event: two forfeits running, or two awarded defeats.

    A round that ended in neither is None. A forfeit is not counted among the awarded defeats, or "running" would say
    nothing. Source: RULEBOOKS 4.1, I24.
    """
    forfeits = [penalty is Penalty.FORFEIT for penalty in rounds]
    running = any(first and second for first, second in pairwise(forfeits))
    return running or sum(penalty is Penalty.AWARDED_DEFEAT for penalty in rounds) >= 2


def awarded_levels(offender: Level, other: Level, award: int = 4) -> tuple[Level, Level]:
    """Levels of offender and other side after an awarded defeat: at least `award` levels apart.

    A greater lead stands; an offender too high for it falls to `award` below A+. Source: RULEBOOKS 4.3.
    """
    if other - offender > award:
        return offender, other
    ceiling = Level(Level.PAST_ACE - award)
    if offender > ceiling:
        return ceiling, Level.PAST_ACE
    return offender, Level(offender + award)


class StopExtent(StrEnum):
    """How long a player is stopped from playing (X-6)."""

    TRICK = "trick"
    """One whole trick, neither leading nor following."""
    TURN = "turn"
    """He has to pass once."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A player who may not play. `chosen_by`: who may waive it, alone and without asking; None: nobody."""

    seat: Seat
    extent: StopExtent
    chosen_by: Seat | None


def stop(offender: Seat, order: tuple[Seat, ...], extent: StopExtent) -> Stop:
    """The stop that a violation brings: a single turn lies with the right-hand neighbour, a whole trick with nobody.

    Once waived nothing more is owed. Source: RULEBOOKS 4.1, X-6.
    """
    return Stop(offender, extent, right_hand(offender, order) if extent is StopExtent.TURN else None)


def right_hand(seat: Seat, order: tuple[Seat, ...]) -> Seat:
    """The next seat in order of play (C-1)."""
    return order[(order.index(seat) + 1) % len(order)]


def lead_instead(offender: Seat, order: tuple[Seat, ...], finish: tuple[Seat, ...]) -> Seat | None:
    """Who leads where a stopped player should: the next player of the other side in order of play that has cards.

    None if that side has none, which ends the deal. Source: RULEBOOKS 4.1, X-6.
    """
    first = right_hand(offender, order)
    return next((seat for seat in (first, first.partner) if seat not in finish), None)


@dataclass(frozen=True, slots=True)
class FoulOutcome:
    """How a foul ends the deal. Levels follow from `finish` as from any double-down; the next deal has no tribute."""

    finish: tuple[Seat, Seat]
    """The other side, the offender's right-hand neighbour first."""
    next_leader: Seat


def foul(offender: Seat, order: tuple[Seat, ...], named: Seat | None = None) -> FoulOutcome:
    """The end of a deal by a foul. `named`: the leader of the next deal that the referee names, else the neighbour.

    Source: RULEBOOKS 4.1.
    """
    neighbour = right_hand(offender, order)
    return FoulOutcome((neighbour, neighbour.partner), named if named is not None else neighbour)
