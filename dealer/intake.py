"""From what the camera settled on to facts: the only place that decides "sure enough".

Pure. A reading that is not sure becomes a question for a person, never a fact and never a finding. After a
time without pictures (start, frozen, covered) the table may have moved on unseen: what is found then is a fact
only if it is the act of the seat in turn; anything else is a question, so that nobody is accused of an act
that was merely not watched.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import Card, Seat, card_texts
from engine.facts import (
    Answered,
    CardsCollected,
    CardsLaid,
    CountReported,
    DealStarted,
    Fact,
    Passed,
    ZoneCleared,
)
from engine.state import Action, Match, Phase
from vision.observations import CardReading, Kind, Observation

SURE_ENOUGH: Final = 0.80
"""Least sureness of every card of a play: the reader's own threshold, checked again where a fact is made."""


@dataclass(frozen=True, slots=True)
class ZoneMemory:
    """What the record says lies in front of one seat."""

    cards: tuple[Card, ...] = ()
    passing: bool = False
    report: int | None = None


Zones = dict[Seat, ZoneMemory]


def empty_zones() -> Zones:
    """A table with nothing in its zones."""
    return {seat: ZoneMemory() for seat in Seat}


@dataclass(frozen=True, slots=True)
class Question:
    """A reading that a person has to settle: the best card of each place, and which places are doubtful."""

    seat: Seat
    guess: tuple[Card | None, ...]
    candidates: tuple[tuple[Card, ...], ...]
    unsure: tuple[int, ...]
    why: str

    def to_body(self) -> dict[str, object]:
        """JSON form for the journal; only cards that lie open are named."""
        return {
            "seat": self.seat.value,
            "guess": [card.text if card is not None else None for card in self.guess],
            "candidates": [card_texts(group) for group in self.candidates],
            "unsure": list(self.unsure),
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Intake:
    """What one observation amounts to: facts in order, or a question, or neither."""

    facts: tuple[Fact, ...] = ()
    question: Question | None = None


NOTHING: Final = Intake()


def interpret(seen: Observation, zones: Zones, match: Match | None) -> Intake:
    """Judge one settled observation against what the record says lies there."""
    deal = match.deal if match is not None else None
    if deal is None or deal.phase not in {Phase.TAKING, Phase.PLAYING}:
        return NOTHING
    here = zones[seen.seat]
    match seen.kind:
        case Kind.CLEARED:
            return Intake((ZoneCleared(seen.seat),)) if here.cards else NOTHING
        case Kind.PASS_SHOWN:
            return _passed(seen, here, deal.turn, last_actor(deal.trick.plays) if deal.trick else None)
        case Kind.PASS_GONE:
            return NOTHING
        case Kind.REPORT_SHOWN:
            if seen.count is None or seen.count == here.report:
                return NOTHING
            return Intake((CountReported(seen.seat, seen.count),))
        case Kind.UNCLEAR:
            return Intake(question=_question(seen, "the cards could not be read surely"))
        case Kind.LAID:
            return _laid(seen, here, deal.turn)


def last_actor(plays: tuple[Action, ...]) -> Seat | None:
    """The seat of the last play or pass of a trick; None before the lead."""
    return plays[-1].seat if plays else None


def _passed(seen: Observation, here: ZoneMemory, turn: Seat | None, last: Seat | None) -> Intake:
    if not seen.initial:
        return Intake((Passed(seen.seat),))
    if seen.seat is turn:
        return Intake((Passed(seen.seat),))
    if here.passing or seen.seat is last:
        return NOTHING
    return Intake(question=_question(seen, "a PASS card was found lying after a time without pictures"))


def _laid(seen: Observation, here: ZoneMemory, turn: Seat | None) -> Intake:
    cards = tuple(reading.card for reading in seen.cards if reading.card is not None and reading.sure >= SURE_ENOUGH)
    if len(cards) != len(seen.cards):
        return Intake(question=_question(seen, "the cards could not be read surely"))
    now, before = Counter(cards), Counter(here.cards)
    if now == before or (before and now < before):
        return NOTHING  # the same cards squared up, or some of them covered for a moment
    if before and now > before:
        return Intake(question=_question(seen, "cards were added to a play that had been laid"))
    if seen.initial and seen.seat is not turn:
        return Intake(question=_question(seen, "other cards were found lying after a time without pictures"))
    return Intake((CardsLaid(seen.seat, cards),))


def _question(seen: Observation, why: str) -> Question:
    return Question(
        seat=seen.seat,
        guess=tuple(reading.card for reading in seen.cards),
        candidates=tuple(tuple(card for card, _ in reading.candidates[:4]) for reading in seen.cards),
        unsure=tuple(i for i, reading in enumerate(seen.cards) if not _is_sure(reading)),
        why=why,
    )


def _is_sure(reading: CardReading) -> bool:
    return reading.card is not None and reading.sure >= SURE_ENOUGH


def remember(zones: Zones, fact: Fact) -> Zones:
    """Zones after `fact`: what the record says lies where. Shared by live play and replay."""
    match fact:
        case CardsLaid(seat, cards):
            return zones | {seat: replace(zones[seat], cards=cards, passing=False)}
        case Answered(_, seat, cards, _):
            if cards:
                return zones | {seat: replace(zones[seat], cards=cards)}
            return zones | {seat: replace(zones[seat], passing=True)}
        case Passed(seat):
            return zones | {seat: replace(zones[seat], passing=True)}
        case ZoneCleared(seat):
            return zones | {seat: replace(zones[seat], cards=())}
        case CountReported(seat, count):
            return zones | {seat: replace(zones[seat], report=count)}
        case DealStarted() | CardsCollected():
            return empty_zones()
        case _:
            return zones
