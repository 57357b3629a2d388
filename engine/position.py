"""A position of a deal as text: set up by hand, then asked (`engine.questions`). One `word value` a line.

    guandan-position 1
    # East has two sevens left and is to play.
    rulebook competitive-2022
    order S E N W
    levels EW 5 NS 2
    level 5
    declarer EW
    hand S 3S 3D 9C
    hand E 7S 7H
    size W 12
    laid 9H 9D TS TH
    out N
    reported E 7
    current S 6S 6H = pair 6
    passes 0
    turn E

| word | value |
|---|---|
| `rulebook`, `order`, `levels`, `level`, `declarer` | as in `engine.notation`; `declarer -`: deal 1 |
| `previous` | the order in which the deal before ended, four seats or the two of a double-down |
| `hand`, `size` | a seat's cards, or only how many it holds where they are not known |
| `laid` | cards known to be gone, without those of `current`; not all need to be known |
| `out` | seats that hold no cards any more, in finishing order |
| `reported` | the number that a seat has reported in this deal |
| `tribute`, `return`, `jokers` | the exchange so far, in order, as in `engine.notation` |
| `current` | what stands, left to right as laid, and its meaning, which may be left out if there is only one |
| `passes` | passes in a row since then |
| `turn` | whose turn it is |

With `turn` the deal is being played, and hands are those of now. Without it play has not begun: hands are those of 27
before the exchange that `previous` calls for. A line that begins with `#` is a note. Lines may stand in any order;
they are printed in this one. Parsing what was printed gives an equal value, and printing that gives the same text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.cards import PLAY_ORDER, Card, Level, Pair, Rank, Seat, card_texts
from engine.combos import Reading
from engine.facts import CardReturned, JokersShown, TributeGiven

POSITION_HEAD: Final = "guandan-position 1"
"""First line: format and its version."""

Given = TributeGiven | CardReturned | JokersShown
"""What is told of an exchange."""
Place = tuple[str, Seat | None]
"""A line by its word and, where a word stands once for each seat, the seat."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The play that stands: cards left to right as laid."""

    seat: Seat
    cards: tuple[Card, ...]
    reading: Reading


@dataclass(frozen=True, slots=True)
class Position:
    """Where a deal stands, as somebody wrote it down. Hands are secret at a table; this is no table."""

    rulebook: str
    level: Rank
    play_order: tuple[Seat, ...] = PLAY_ORDER
    levels: Mapping[Pair, Level] = field(default_factory=lambda: dict.fromkeys(Pair, Level.TWO))
    declarer: Pair | None = None
    previous: tuple[Seat, ...] = ()
    """Empty: deal 1, or nobody told."""
    hands: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict, repr=False)
    sizes: Mapping[Seat, int] = field(default_factory=dict)
    """Of the seats whose hands are not known."""
    laid: tuple[Card, ...] = ()
    out: tuple[Seat, ...] = ()
    reported: Mapping[Seat, int] = field(default_factory=dict)
    given: tuple[Given, ...] = ()
    current: Standing | None = None
    passes: int = 0
    turn: Seat | None = None
    """None: play has not begun."""
    notes: tuple[str, ...] = ()

    def held(self, seat: Seat) -> int:
        """Cards that a seat holds; 0 if it is out, or nothing is told of it."""
        return len(self.hands[seat]) if seat in self.hands else self.sizes.get(seat, 0)


class BadPosition(ValueError):
    """Text or a value that is no position: names the line, what is wrong with it, and the remedy."""

    def __init__(self, row: str, wrong: str, remedy: str, *, number: int | None = None, place: Place = ("", None)):
        line = f"line {number} {row!r}" if number is not None else repr(row)
        super().__init__(f"{line}: {wrong}; {remedy}")
        self.wrong = wrong
        self.remedy = remedy
        self.place = place


def write_position(position: Position) -> str:
    """The text of a position, newline at the end."""
    notes = [f"# {note}".rstrip() for note in position.notes]
    return "\n".join([POSITION_HEAD, *notes, *(row for _, row in rows_of(position))]) + "\n"


def rows_of(position: Position) -> list[tuple[Place, str]]:
    """The lines of a position after head and notes, each with its place."""
    levels = " ".join(f"{pair.value} {position.levels[pair].text}" for pair in Pair)
    rows: list[tuple[Place, str]] = [
        (("rulebook", None), position.rulebook),
        (("order", None), _seats(position.play_order)),
        (("levels", None), levels),
        (("level", None), position.level.text),
        (("declarer", None), position.declarer.value if position.declarer is not None else "-"),
    ]
    if position.previous:
        rows.append((("previous", None), _seats(position.previous)))
    rows += [(("hand", seat), _cards(position.hands[seat])) for seat in Seat if seat in position.hands]
    rows += [(("size", seat), str(position.sizes[seat])) for seat in Seat if seat in position.sizes]
    if position.laid:
        rows.append((("laid", None), _cards(position.laid)))
    if position.out:
        rows.append((("out", None), _seats(position.out)))
    rows += [(("reported", seat), str(position.reported[seat])) for seat in Seat if seat in position.reported]
    rows += [_given(given) for given in position.given]
    if position.current is not None:
        standing = position.current
        rows.append((("current", None), f"{standing.seat.value} {_cards(standing.cards)} = {standing.reading}"))
        rows.append((("passes", None), str(position.passes)))
    if position.turn is not None:
        rows.append((("turn", None), position.turn.value))
    return [
        (place, " ".join([place[0], *([place[1].value] if place[1] is not None else []), value]))
        for place, value in rows
    ]


def others_in(position: Position, seat: Seat) -> tuple[Seat, ...]:
    """The other seats that hold cards, in order of play after `seat`."""
    order = position.play_order
    after = order.index(seat) + 1
    return tuple(other for other in (*order[after:], *order[: after - 1]) if other not in position.out)


def row_at(position: Position, place: Place) -> str:
    """The line at a place; where there is none, the words that it would begin with."""
    word, seat = place
    return dict(rows_of(position)).get(place, f"{word} {seat.value}" if seat is not None else word)


def place_of(given: Given) -> Place:
    """Where a part of the exchange stands: each seat gives and returns once."""
    match given:
        case TributeGiven(seat, _):
            return "tribute", seat
        case CardReturned(seat, _, _):
            return "return", seat
        case JokersShown():
            return "jokers", None


def _given(given: Given) -> tuple[Place, str]:
    match given:
        case TributeGiven(_, card):
            value = card.text
        case CardReturned(_, to, card):
            value = f"{to.value} {card.text}"
        case JokersShown(seats):
            value = _seats(seats)
    return place_of(given), value


def _seats(seats: tuple[Seat, ...]) -> str:
    return " ".join(seat.value for seat in seats)


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(card_texts(cards))
