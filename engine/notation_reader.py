"""Reading the text of deals and matches. The format: `engine.notation`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from engine.cards import BadCard, BadLevel, BadSeat, Card, Level, Pair, Seat, parse_cards
from engine.combos import KEYS, BadReading, Reading, Type
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
from engine.hand import PACKS_OF_A_TABLE
from engine.notation import DEAL_HEAD, MATCH_HEAD, Closing, DealRecord, Event, EventFact, Line, MatchRecord
from engine.passing import PassForm
from engine.rulebook import is_play_order
from engine.state import NOTICED


class BadNotation(ValueError):
    """Text that is no deal or match; names the line."""

    def __init__(self, number: int, line: str, wrong: str) -> None:
        super().__init__(f"line {number} {line!r}: {wrong}")


def parse_deal(text: str) -> DealRecord:
    """The deal of a text. Raises BadNotation, which names the line and what is wrong with it."""
    rows = _Rows(text)
    notes = rows.notes()
    rows.head(DEAL_HEAD)
    try:
        rulebook, order = rows.value("rulebook"), rows.order()
        deal = rows.deal(rulebook, order, notes)
    except (BadCard, BadLevel, BadSeat, BadReading) as error:
        raise rows.bad(str(error)) from error
    rows.end("the finishing order")
    return deal


def parse_match(text: str) -> MatchRecord:
    """The match of a text. Raises BadNotation, which names the line and what is wrong with it."""
    rows = _Rows(text)
    notes = rows.notes()
    rows.head(MATCH_HEAD)
    try:
        rulebook, order = rows.value("rulebook"), rows.order()
        limit, knock_out, notices = rows.limit(), rows.choice("knock-out", ("no", "yes")) == "yes", rows.notices()
        rows.gap()
        deals = []
        while rows.peek().startswith("levels "):
            deals.append(rows.deal(rulebook, order, ()))
            rows.gap()
        closing = rows.closing()
        result = rows.choice("result", RESULTS)
    except (BadCard, BadLevel, BadSeat, BadReading) as error:
        raise rows.bad(str(error)) from error
    rows.end("the result")
    return MatchRecord(rulebook, tuple(deals), order, limit, knock_out, notices, closing, result, notes)


RESULTS: Final = (*(pair.value for pair in Pair), "draw", "extra deal", "open")


def parse_reading(text: str) -> Reading:
    """The reading that prints as `text`, for example `full_house K over 6`. Raises BadReading."""
    kind, *words = [word for word in text.split() if word != "over"] or [""]
    if kind not in list(Type) or len(words) != len(KEYS[Type(kind)]):
        raise BadReading(text, "write a type and its keys")
    form: dict[str, str | int] = {"type": kind}
    for key, word in zip(KEYS[Type(kind)], words, strict=True):
        size = word.removeprefix("x")
        count = _whole(size) if key == "size" else None
        form[key] = word if count is None else count
    return Reading.from_json(form)


def _whole(text: str) -> int | None:
    """A whole number of up to six digits 0 to 9; None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else None


def _one_card(word: str) -> Card:
    (card,) = parse_cards((word,))
    return card


_EVENTS: Final[Mapping[str, tuple[range, Callable[[list[str]], EventFact]]]] = {
    "tribute": (range(2, 3), lambda w: TributeGiven(Seat.parse(w[0]), _one_card(w[1]))),
    "return": (range(3, 4), lambda w: CardReturned(Seat.parse(w[0]), Seat.parse(w[1]), _one_card(w[2]))),
    "jokers": (range(1, 3), lambda w: JokersShown(tuple(map(Seat.parse, w)))),
    "leads": (range(1, 2), lambda w: LeaderNamed(Seat.parse(w[0]), "")),
    "report": (range(2, 3), lambda w: CountReported(Seat.parse(w[0]), int(w[1]))),
    "foul": (range(1, 3), lambda w: DealAwarded(Seat.parse(w[0]), "", Seat.parse(w[1]) if w[1:] else None)),
}
"""Words of a line by its first: how many follow, and the fact that they make."""


class _Rows:
    """The lines of a text, read one by one; complaints name the line read last."""

    def __init__(self, text: str) -> None:
        self._rows = text.split("\n")
        if self._rows and self._rows[-1] == "":
            self._rows.pop()
        self._at = 0

    def bad(self, wrong: str) -> BadNotation:
        number = max(1, self._at)
        return BadNotation(number, self._rows[number - 1] if number <= len(self._rows) else "", wrong)

    def peek(self) -> str:
        return self._rows[self._at] if self._at < len(self._rows) else ""

    def next(self) -> str:
        if self._at >= len(self._rows):
            raise self.bad("the text ends too early")
        self._at += 1
        return self._rows[self._at - 1]

    def head(self, head: str) -> None:
        if self.next() != head:
            raise self.bad(f"the head should be {head!r}")

    def end(self, last: str) -> None:
        if self._at < len(self._rows):
            self.next()
            raise self.bad(f"nothing may follow {last}")

    def gap(self) -> None:
        if self.next():
            raise self.bad("an empty line is missing")

    def notes(self) -> tuple[str, ...]:
        notes = []
        while self.peek().startswith("#"):
            notes.append(self.next().removeprefix("#").strip())
        return tuple(notes)

    def value(self, word: str) -> str:
        head, _, rest = self.next().partition(" ")
        if head != word or not rest.strip():
            raise self.bad(f"expected {word!r} and its value")
        return rest.strip()

    def choice(self, word: str, choices: tuple[str, ...]) -> str:
        value = self.value(word)
        if value not in choices:
            raise self.bad(f"write one of: {', '.join(choices)}")
        return value

    def seats(self, word: str) -> tuple[Seat, ...]:
        value = self.value(word)
        seats = tuple(Seat.parse(text) for text in value.split()) if value != "-" else ()
        if len(set(seats)) != len(seats):
            raise self.bad("a seat is named twice")
        return seats

    def order(self) -> tuple[Seat, ...]:
        order = self.seats("order")
        if not is_play_order(order):
            raise self.bad("not an order of four seats")
        return order

    def limit(self) -> int | None:
        value = self.value("limit")
        if value == "-":
            return None
        limit = _whole(value)
        if not limit:
            raise self.bad("write a number of deals from 1, or -")
        return limit

    def notices(self) -> tuple[str, ...]:
        words = tuple(self.value("notices").split())
        if words != ("-",) and not set(words) <= set(NOTICED):
            raise self.bad(f"write -, or some of: {', '.join(NOTICED)}")
        return () if words == ("-",) else words

    def closing(self) -> Closing | None:
        kind, *words = self.value("end").split()
        if kind in {"-", "time"} and not words:
            return None if kind == "-" else TimeCalled("")
        if len(words) != 1 or words[0] not in list(Pair) or kind not in {"forfeit", "withdrawal", "award"}:
            raise self.bad("write -, time, or forfeit, withdrawal or award and a pair")
        side = Pair(words[0])
        return MatchAwarded(side, "") if kind == "award" else MatchForfeited(side, "", kind == "withdrawal")

    def deal(self, rulebook: str, order: tuple[Seat, ...], notes: tuple[str, ...]) -> DealRecord:
        words = self.value("levels").split()
        if len(words) != 4 or words[0::2] != [pair.value for pair in Pair]:
            raise self.bad("write levels EW x NS y")
        levels = {pair: Level.parse(words[2 * i + 1]) for i, pair in enumerate(Pair)}
        level = Level.parse(self.value("level")).rank
        side = self.choice("declarer", ("-", *(pair.value for pair in Pair)))
        leader = self.value("leader")
        return DealRecord(
            rulebook=rulebook,
            level=level,
            leader=None if leader == "-" else Seat.parse(leader),
            owes=self.seats("owes") if self.peek().startswith("owes ") else (),
            hands=self.hands(),
            lines=self.acts(),
            finish=self.seats("finish"),
            play_order=order,
            levels=levels,
            declarer=None if side == "-" else Pair(side),
            notes=notes,
        )

    def hands(self) -> dict[Seat, tuple[Card, ...]]:
        hands: dict[Seat, tuple[Card, ...]] = {}
        while self.peek().startswith("hand "):
            seat, *cards = self.value("hand").split()
            if Seat.parse(seat) in hands:
                raise self.bad("this hand is given twice")
            hands[Seat.parse(seat)] = parse_cards(cards)
            copies = Counter(card for hand in hands.values() for card in hand)
            third = next((card for card, count in copies.items() if count > PACKS_OF_A_TABLE), None)
            if third is not None:
                raise self.bad(f"{third.text} is there three times or more; two packs hold each card twice")
        return hands

    def acts(self) -> tuple[Line | Event, ...]:
        acts = []
        while not self.peek().startswith("finish"):
            acts.append(self._act(self.next()))
        return tuple(acts)

    def _act(self, row: str) -> Line | Event:
        act, mark, found = row.partition(" ! ")
        findings = tuple(found.split())
        if mark and not findings:
            raise self.bad("a finding should follow '!'")
        word, *rest = act.split() or [""]
        if word in _EVENTS:
            return Event(self._event(word, rest), findings)
        laid, mark, declared = act.partition(" = ")
        seat, *cards = laid.split() or [""]
        if not cards:
            raise self.bad("write a seat and its cards, or pass")
        form = PassForm(cards[0]) if len(cards) == 1 and cards[0] in list(PassForm) else None
        return Line(
            seat=Seat.parse(seat),
            cards=() if form is not None or cards == ["pass"] else parse_cards(cards),
            declared=parse_reading(declared) if mark else None,
            findings=findings,
            form=form,
        )

    def _event(self, word: str, rest: list[str]) -> EventFact:
        count, make = _EVENTS[word]
        if len(rest) not in count or (word == "report" and _whole(rest[1]) is None):
            raise self.bad(f"{word!r} does not fit what follows it")
        return make(rest)
