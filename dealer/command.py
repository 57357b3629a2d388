"""Commands: what a person asks of a table. The table turns each into facts, or refuses it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Seat
from engine.combos import Reading
from engine.facts import Judgement


@dataclass(frozen=True, slots=True)
class Hold:
    """Stop play for a referee; with an alert, that alert is called."""

    by: str
    alert: str | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """End a hold."""

    by: str


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Say that one has seen an alert."""

    alert: str
    by: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Judge an alert to be unfounded. The reason may not be empty."""

    alert: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Rule on an alert."""

    alert: str
    judgement: Judgement
    by: str
    penalty: str = ""


@dataclass(frozen=True, slots=True)
class Declare:
    """Enter what a player said his standing play means, for a `needs_declaration` alert."""

    alert: str
    reading: Reading
    by: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Tell what a play was that the camera could not read; no cards: a pass. `question` is a record number."""

    question: int
    cards: tuple[Card, ...]
    by: str


@dataclass(frozen=True, slots=True)
class StartDeal:
    """Deal the next deal as soon as the machine is ready."""

    by: str


@dataclass(frozen=True, slots=True)
class EnterFinish:
    """Enter the finishing order of a deal that no camera watches (two seats after a double-down)."""

    order: tuple[Seat, ...]
    by: str


Command = Hold | Resume | Acknowledge | Dismiss | Rule | Declare | Answer | StartDeal | EnterFinish
