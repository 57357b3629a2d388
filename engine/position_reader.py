"""Reading the text of positions. The format: `engine.position`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from engine.cards import BadCard, BadLevel, BadSeat, Card, Level, Pair, Rank, Seat, parse_cards
from engine.combos import BadReading, readings
from engine.facts import CardReturned, JokersShown, TributeGiven
from engine.notation_reader import parse_reading
from engine.position import POSITION_HEAD, BadPosition, Given, Place, Position, Standing
from engine.position_setup import set_up
from engine.rulebook import Rulebook, UnknownRulebook, is_play_order
from engine.rulebook_data import load_rulebook

ONE: Final = ("rulebook", "order", "levels", "level", "declarer")
"""Words that stand once and have to."""
PERHAPS: Final = ("previous", "laid", "out", "jokers", "current", "passes", "turn")
"""Words that stand once or not at all."""
OF_SEAT: Final = ("hand", "size", "reported", "tribute", "return")
"""Words that stand once for each seat or not at all."""
WORDS: Final = (*ONE, *PERHAPS, *OF_SEAT)


def parse_position(text: str, book_of: Callable[[str], Rulebook] = load_rulebook) -> Position:
    """The position of a text. Raises BadPosition, which names the line, what is wrong with it, and the remedy.

    book_of: the rulebook of a name; UnknownRulebook from it becomes BadPosition, whatever else it raises goes through.
    A position that contradicts itself is refused too.
    """
    lines = _lines(text)
    read = _Reading({line.place: line for line in lines}, [line for line in lines if line.word in _GIVEN])
    try:
        position, book = read.position(tuple(_notes(text)), book_of)
    except BadReading as error:
        raise read.at.bad(str(error), "for example pair 9, full_house K over 6, bomb 5 x6") from error
    except (BadCard, BadLevel, BadSeat, UnknownRulebook) as error:
        wrong, _, remedy = str(error).partition("; ")
        raise read.at.bad(wrong, remedy) from error
    try:
        set_up(position, book)
    except BadPosition as error:
        line = read.lines.get(error.place)
        if line is None:
            raise
        raise line.bad(error.wrong, error.remedy) from error
    return position


@dataclass(frozen=True, slots=True)
class _Line:
    """A line: its number from 1, its text, its word, the seat that it is about if its word has one, and the rest."""

    number: int
    text: str
    word: str
    seat: Seat | None = None
    rest: tuple[str, ...] = ()

    @property
    def place(self) -> Place:
        return self.word, self.seat

    def bad(self, wrong: str, remedy: str) -> BadPosition:
        return BadPosition(self.text, wrong, remedy, number=self.number, place=self.place)


def _rows(text: str) -> list[tuple[int, str]]:
    return [(number, row.strip()) for number, row in enumerate(text.split("\n"), 1) if row.strip()]


def _notes(text: str) -> list[str]:
    return [row.removeprefix("#").strip() for _, row in _rows(text) if row.startswith("#")]


def _lines(text: str) -> list[_Line]:
    rows = [(number, row) for number, row in _rows(text) if not row.startswith("#")]
    if not rows:
        raise BadPosition("", "no position", f"begin with {POSITION_HEAD}", number=1)
    number, head = rows[0]
    if head != POSITION_HEAD:
        raise BadPosition(head, "not the head of a position", f"begin with {POSITION_HEAD}", number=number)
    found: dict[Place, _Line] = {}
    for number, row in rows[1:]:
        line = _line(number, row)
        if line.place in found:
            raise line.bad(f"line {found[line.place].number} says it already", "keep one of the two")
        found[line.place] = line
    return list(found.values())


def _line(number: int, row: str) -> _Line:
    word, *rest = row.split()
    line = _Line(number, row, word, None, tuple(rest))
    if word not in WORDS:
        near = get_close_matches(word, WORDS, 1)
        known = f"did you mean {near[0]!r}?" if near else f"write one of: {', '.join(WORDS)}"
        raise line.bad(f"unknown word {word!r}", known)
    if not rest:
        raise line.bad(f"{word} has no value", "write one, or leave the line out")
    if word not in OF_SEAT:
        return line
    try:
        return _Line(number, row, word, Seat.parse(rest[0]), tuple(rest[1:]))
    except BadSeat as error:
        wrong, _, remedy = str(error).partition("; ")
        raise line.bad(wrong, remedy) from error


_GIVEN: Final = ("tribute", "return", "jokers")


@dataclass(slots=True)
class _Reading:
    """The lines of a text by place, those of the exchange in order, and the one that is being read."""

    lines: dict[Place, _Line]
    given: list[_Line]
    at: _Line = field(default_factory=lambda: _Line(1, POSITION_HEAD, ""))

    def position(self, notes: tuple[str, ...], book_of: Callable[[str], Rulebook]) -> tuple[Position, Rulebook]:
        for word in ONE:
            if (word, None) not in self.lines:
                raise BadPosition(word, "the line is missing", f"add {word} and its value")
        book = book_of(self._rest("rulebook"))
        level = Level.parse(self._one("level")).rank
        current = self._current(level, book) if self._has("current") else None
        if current is not None and not self._has("passes"):
            raise self.at.bad("passes since then are missing", "add passes and their number, 0 if there was none")
        position = Position(
            rulebook=self._rest("rulebook"),
            level=level,
            play_order=self._order(),
            levels=self._levels(),
            declarer=self._declarer(),
            previous=self._seats("previous"),
            hands={line.seat: self._cards(line, line.rest) for line in self._of("hand") if line.seat is not None},
            sizes={line.seat: self._number(line) for line in self._of("size") if line.seat is not None},
            laid=self._cards(self.at, self.at.rest) if self._has("laid") else (),
            out=self._seats("out"),
            reported={line.seat: self._told(line) for line in self._of("reported") if line.seat is not None},
            given=tuple(self._given(line) for line in self.given),
            current=current,
            passes=self._number(self.at) if self._has("passes") else 0,
            turn=Seat.parse(self._one("turn")) if self._has("turn") else None,
            notes=notes,
        )
        return position, book

    def _has(self, word: str) -> bool:
        """Whether a word stands; the reading then goes on in its line."""
        line = self.lines.get((word, None))
        if line is not None:
            self.at = line
        return line is not None

    def _of(self, word: str) -> list[_Line]:
        return [line for line in self.lines.values() if line.word == word]

    def _rest(self, word: str) -> str:
        self._has(word)
        return self.at.text.removeprefix(word).strip()

    def _one(self, word: str) -> str:
        self._has(word)
        if len(self.at.rest) != 1:
            raise self.at.bad(f"{len(self.at.rest)} values", "write one")
        return self.at.rest[0]

    def _number(self, line: _Line) -> int:
        self.at = line
        if len(line.rest) != 1 or not line.rest[0].isascii() or not line.rest[0].isdecimal() or len(line.rest[0]) > 3:
            raise line.bad(f"{' '.join(line.rest)!r} is not a number of cards or passes", "write a whole number")
        return int(line.rest[0])

    def _told(self, line: _Line) -> int:
        number = self._number(line)
        if not 1 <= number <= 27:
            raise line.bad(f"{number} is no count of a hand", "write the number that was reported, 1 to 27")
        return number

    def _cards(self, line: _Line, texts: tuple[str, ...]) -> tuple[Card, ...]:
        self.at = line
        if not texts:
            raise line.bad("no cards", "write them, or leave the line out")
        return parse_cards(texts)

    def _seats(self, word: str) -> tuple[Seat, ...]:
        return tuple(map(Seat.parse, self.at.rest)) if self._has(word) else ()

    def _order(self) -> tuple[Seat, ...]:
        order = self._seats("order")
        if not is_play_order(order):
            raise self.at.bad("not an order of four seats", "name each once, partners opposite each other")
        return order

    def _levels(self) -> dict[Pair, Level]:
        self._has("levels")
        words = self.at.rest
        if len(words) != 4 or list(words[0::2]) != [pair.value for pair in Pair]:
            raise self.at.bad("not the levels of two sides", "write levels EW x NS y")
        return {pair: Level.parse(words[2 * number + 1]) for number, pair in enumerate(Pair)}

    def _declarer(self) -> Pair | None:
        side = self._one("declarer")
        if side not in {"-", *Pair}:
            raise self.at.bad(f"{side!r} is no side", "write EW, NS, or - in deal 1")
        return None if side == "-" else Pair(side)

    def _given(self, line: _Line) -> Given:
        self.at = line
        match line.word, line.seat, line.rest:
            case "tribute", Seat() as seat, (card,):
                return TributeGiven(seat, Card.parse(card))
            case "return", Seat() as seat, (to, card):
                return CardReturned(seat, Seat.parse(to), Card.parse(card))
            case "jokers", None, seats if len(set(seats)) == len(seats) <= 2:
                return JokersShown(tuple(map(Seat.parse, seats)))
            case _:
                raise line.bad("does not fit its word", "write tribute S AS, return E S 4D, or jokers S N")

    def _current(self, level: Rank, book: Rulebook) -> Standing:
        laid, mark, meant = self.at.text.removeprefix("current").partition(" = ")
        seat, *cards = laid.split()
        played = self._cards(self.at, tuple(cards))
        if mark:
            return Standing(Seat.parse(seat), played, parse_reading(meant))
        found = readings(played, level, full_house_joker_pair=book.full_house_joker_pair)
        if not found:
            raise self.at.bad(f"{' '.join(cards)} is no combination", "write cards that are one")
        if len(found) > 1:
            raise self.at.bad("may mean several things", f"write = {' or = '.join(map(str, found))}")
        return Standing(Seat.parse(seat), played, found[0])
