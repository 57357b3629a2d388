"""Deals and matches as text: one line an act, printable and diffable. The format of golden games.

    # Made by hand: East goes out, West inherits the lead.
    guandan-deal 1
    rulebook competitive-2022
    order S E N W
    levels EW 5 NS 2
    level 5
    declarer EW
    leader -
    owes S N
    hand S 3S 3S 4D ...
    ...
    tribute S AS
    tribute N BJ
    return E N 3D
    return W S 4C
    N 6S 6D
    W pass
    S 7S 8D 5H 7C 8H 5H = tube 9 ! needs_declaration
    report S 9 ! report_wrong_count
    E 9S ! not_higher
    finish E W

Cards stand left to right as laid. After `=` stands what the player declared, after `!` what the rules say of the act
(findings above info). Whatever is found wrong about cards is taken back. A hand line may be left out: that hand is not
known. A match is a head and its deals, an empty line between them:

    guandan-match 1
    rulebook competitive-2022
    order S E N W
    limit 8
    knock-out no
    notices report_missing report_wrong_count

    levels EW 2 NS 2
    level 2
    ...
    finish E W

    end time
    result EW

Parsing what was printed gives an equal value, and printing that gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.cards import PLAY_ORDER, Card, Level, Pair, Rank, Seat, card_texts
from engine.combos import Reading
from engine.facts import (
    CardReturned,
    CountReported,
    DealAwarded,
    JokersShown,
    LeaderNamed,
    MatchAwarded,
    MatchForfeited,
    TimeCalled,
    TributeGiven,
)
from engine.passing import PassForm

DEAL_HEAD = "guandan-deal 1"
MATCH_HEAD = "guandan-match 1"
"""First lines after the notes: format and its version."""

EventFact = TributeGiven | CardReturned | JokersShown | LeaderNamed | CountReported | DealAwarded
"""What may happen in a deal beside plays and passes."""
Closing = TimeCalled | MatchForfeited | MatchAwarded
"""What may end a match before somebody is past A."""


@dataclass(frozen=True, slots=True)
class Line:
    """One act: cards left to right (none: a pass), what was declared, and names of findings above info."""

    seat: Seat
    cards: tuple[Card, ...] = ()
    declared: Reading | None = None
    findings: tuple[str, ...] = ()
    form: PassForm | None = None
    """How a pass was shown; None: not known."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something else that happened, with names of findings above info. Who told it is not written down."""

    fact: EventFact
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A deal from the first lead to the finishing order. `notes` stand at the head of the text."""

    rulebook: str
    level: Rank
    leader: Seat | None
    lines: tuple[Line | Event, ...]
    finish: tuple[Seat, ...] = ()
    hands: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)
    play_order: tuple[Seat, ...] = PLAY_ORDER
    levels: Mapping[Pair, Level] = field(default_factory=lambda: dict.fromkeys(Pair, Level.TWO))
    declarer: Pair | None = None
    owes: tuple[Seat, ...] = ()
    """Who owes tribute before this deal."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match. `closing`: what ended it from outside. `result`: a pair, `draw`, `extra deal`, or `open`."""

    rulebook: str
    deals: tuple[DealRecord, ...]
    play_order: tuple[Seat, ...] = PLAY_ORDER
    deals_limit: int | None = None
    knock_out: bool = False
    notices: tuple[str, ...] = ()
    closing: Closing | None = None
    result: str = "open"
    notes: tuple[str, ...] = ()


def write_deal(deal: DealRecord) -> str:
    """The text of a deal, newline at the end."""
    rows = [
        *(f"# {note}".rstrip() for note in deal.notes),
        DEAL_HEAD,
        f"rulebook {deal.rulebook}",
        f"order {_seats(deal.play_order)}",
        *_deal_rows(deal),
    ]
    return "\n".join(rows) + "\n"


def write_match(match: MatchRecord) -> str:
    """The text of a match, newline at the end. Rulebook and order of its deals are the match's."""
    rows = [
        *(f"# {note}".rstrip() for note in match.notes),
        MATCH_HEAD,
        f"rulebook {match.rulebook}",
        f"order {_seats(match.play_order)}",
        f"limit {match.deals_limit if match.deals_limit is not None else '-'}",
        f"knock-out {'yes' if match.knock_out else 'no'}",
        f"notices {' '.join(match.notices) or '-'}",
        "",
    ]
    for deal in match.deals:
        rows += [*_deal_rows(deal), ""]
    rows += [f"end {_closing(match.closing)}", f"result {match.result}"]
    return "\n".join(rows) + "\n"


def _deal_rows(deal: DealRecord) -> list[str]:
    levels = " ".join(f"{pair.value} {deal.levels[pair].text}" for pair in Pair)
    return [
        f"levels {levels}",
        f"level {deal.level.text}",
        f"declarer {deal.declarer.value if deal.declarer is not None else '-'}",
        f"leader {deal.leader.value if deal.leader is not None else '-'}",
        *([f"owes {_seats(deal.owes)}"] if deal.owes else []),
        *(f"hand {seat.value} {' '.join(card_texts(deal.hands[seat]))}" for seat in Seat if seat in deal.hands),
        *(_line_row(line) if isinstance(line, Line) else _event_row(line) for line in deal.lines),
        f"finish {_seats(deal.finish) or '-'}",
    ]


def _seats(seats: Iterable[Seat]) -> str:
    return " ".join(seat.value for seat in seats)


def _line_row(line: Line) -> str:
    words = [line.seat.value, *(card_texts(line.cards) or [line.form.value if line.form is not None else "pass"])]
    if line.declared is not None:
        words += ["=", str(line.declared)]
    return " ".join([*words, *_found(line.findings)])


def _event_row(event: Event) -> str:
    match event.fact:
        case TributeGiven(seat, card):
            words = ["tribute", seat.value, card.text]
        case CardReturned(seat, to, card):
            words = ["return", seat.value, to.value, card.text]
        case JokersShown(seats):
            words = ["jokers", _seats(seats)]
        case LeaderNamed(seat, _):
            words = ["leads", seat.value]
        case CountReported(seat, count):
            words = ["report", seat.value, str(count)]
        case DealAwarded(offender, _, leader):
            words = ["foul", offender.value, *([leader.value] if leader is not None else [])]
    return " ".join([*words, *_found(event.findings)])


def _found(findings: tuple[str, ...]) -> list[str]:
    return ["!", *findings] if findings else []


def _closing(closing: Closing | None) -> str:
    match closing:
        case None:
            return "-"
        case TimeCalled():
            return "time"
        case MatchForfeited(side, _, withdrew):
            return f"{'withdrawal' if withdrew else 'forfeit'} {side.value}"
        case MatchAwarded(offender, _):
            return f"award {offender.value}"
