"""A whole deal as text: one line a play, printable and diffable. The format of golden games.

    # Made by hand: East goes out, West inherits the lead.
    guandan-deal 1
    rulebook competitive-2022
    order S E N W
    levels EW 2 NS 2
    level 2
    declarer -
    leader E
    hand S 3S 3S 4D ...
    ...
    E 3S 3D
    N pass
    W 7S 7C 8D 8H 2H 2H = tube 9 ! needs_declaration
    S 9S ! not_higher
    finish E W

Cards stand left to right as laid. After `=` stands what the player declared, after `!` what the rules say of the act
(findings above info); a play that does not count is taken back. A hand line may be left out: that hand is not known.
Parsing what `write_deal` printed gives an equal value, and printing that gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.advance import advance, start
from engine.cards import PLAY_ORDER, BadCard, BadLevel, BadSeat, Card, Level, Pair, Rank, Seat, card_texts, parse_cards
from engine.combos import KEYS, BadReading, Reading, Type
from engine.facts import (
    CardDealt,
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
)
from engine.findings import Finding, Severity
from engine.rulebook import Rulebook, is_play_order
from engine.state import HAND, Match

HEAD = "guandan-deal 1"
"""First line after the notes: format and its version."""


class BadNotation(ValueError):
    """Text that is not a deal; names the line."""

    def __init__(self, number: int, line: str, wrong: str) -> None:
        super().__init__(f"line {number} {line!r}: {wrong}")


@dataclass(frozen=True, slots=True)
class Line:
    """One act: cards left to right (none: a pass), what was declared, and names of findings above info."""

    seat: Seat
    cards: tuple[Card, ...] = ()
    declared: Reading | None = None
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A deal from the first lead to the finishing order. `notes` stand at the head of the text."""

    rulebook: str
    level: Rank
    leader: Seat | None
    lines: tuple[Line, ...]
    finish: tuple[Seat, ...] = ()
    hands: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)
    play_order: tuple[Seat, ...] = PLAY_ORDER
    levels: Mapping[Pair, Level] = field(default_factory=lambda: dict.fromkeys(Pair, Level.TWO))
    declarer: Pair | None = None
    notes: tuple[str, ...] = ()


def write_deal(deal: DealRecord) -> str:
    """The text of a deal, newline at the end."""
    levels = " ".join(f"{pair.value} {deal.levels[pair].text}" for pair in Pair)
    rows = [
        *(f"# {note}".rstrip() for note in deal.notes),
        HEAD,
        f"rulebook {deal.rulebook}",
        f"order {_seats(deal.play_order)}",
        f"levels {levels}",
        f"level {deal.level.text}",
        f"declarer {deal.declarer.value if deal.declarer is not None else '-'}",
        f"leader {deal.leader.value if deal.leader is not None else '-'}",
        *(f"hand {seat.value} {' '.join(card_texts(deal.hands[seat]))}" for seat in Seat if seat in deal.hands),
        *(_write_line(line) for line in deal.lines),
        f"finish {_seats(deal.finish) or '-'}",
    ]
    return "\n".join(rows) + "\n"


def _seats(seats: Iterable[Seat]) -> str:
    return " ".join(seat.value for seat in seats)


def _write_line(line: Line) -> str:
    words = [line.seat.value, *(card_texts(line.cards) or ["pass"])]
    if line.declared is not None:
        words += ["=", str(line.declared)]
    if line.findings:
        words += ["!", *line.findings]
    return " ".join(words)


def parse_deal(text: str) -> DealRecord:
    """The deal of a text. Raises BadNotation, which names the line and what is wrong with it."""
    rows = _Rows(text)
    notes = rows.notes()
    if rows.next() != HEAD:
        raise rows.bad(f"the head should be {HEAD!r}")
    try:
        rulebook = rows.value("rulebook")
        order = rows.seats("order")
        if not is_play_order(order):
            raise rows.bad("not an order of four seats")
        words = rows.value("levels").split()
        if len(words) != 4 or words[0::2] != [pair.value for pair in Pair]:
            raise rows.bad("write levels EW x NS y")
        levels = {pair: Level.parse(words[2 * i + 1]) for i, pair in enumerate(Pair)}
        level = Level.parse(rows.value("level")).rank
        side = rows.value("declarer")
        if side not in {"-", *Pair}:
            raise rows.bad("write EW, NS or -")
        leader = rows.value("leader")
        return DealRecord(
            rulebook=rulebook,
            level=level,
            leader=None if leader == "-" else Seat.parse(leader),
            hands=rows.hands(),
            lines=rows.acts(),
            finish=rows.finish(),
            play_order=order,
            levels=levels,
            declarer=None if side == "-" else Pair(side),
            notes=notes,
        )
    except (BadCard, BadLevel, BadSeat, BadReading) as error:
        raise rows.bad(str(error)) from error


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

    def _peek(self) -> str:
        return self._rows[self._at] if self._at < len(self._rows) else ""

    def next(self) -> str:
        if self._at >= len(self._rows):
            raise self.bad("the text ends too early")
        self._at += 1
        return self._rows[self._at - 1]

    def notes(self) -> tuple[str, ...]:
        notes = []
        while self._peek().startswith("#"):
            notes.append(self.next().removeprefix("#").strip())
        return tuple(notes)

    def value(self, word: str) -> str:
        head, _, rest = self.next().partition(" ")
        if head != word or not rest.strip():
            raise self.bad(f"expected {word!r} and its value")
        return rest.strip()

    def seats(self, word: str) -> tuple[Seat, ...]:
        value = self.value(word)
        seats = tuple(Seat.parse(text) for text in value.split()) if value != "-" else ()
        if len(set(seats)) != len(seats):
            raise self.bad("a seat is named twice")
        return seats

    def hands(self) -> dict[Seat, tuple[Card, ...]]:
        hands: dict[Seat, tuple[Card, ...]] = {}
        while self._peek().startswith("hand "):
            seat, *cards = self.value("hand").split()
            if Seat.parse(seat) in hands:
                raise self.bad("this hand is given twice")
            hands[Seat.parse(seat)] = parse_cards(cards)
        return hands

    def acts(self) -> tuple[Line, ...]:
        acts = []
        while not self._peek().startswith("finish"):
            acts.append(self._act(self.next()))
        return tuple(acts)

    def _act(self, row: str) -> Line:
        act, mark, findings = row.partition(" ! ")
        if mark and not findings.split():
            raise self.bad("a finding should follow '!'")
        laid, mark, declared = act.partition(" = ")
        seat, *cards = laid.split() or [""]
        if not cards:
            raise self.bad("write a seat and its cards, or pass")
        return Line(
            seat=Seat.parse(seat),
            cards=() if cards == ["pass"] else parse_cards(cards),
            declared=parse_reading(declared) if mark else None,
            findings=tuple(findings.split()),
        )

    def finish(self) -> tuple[Seat, ...]:
        finish = self.seats("finish")
        if self._at < len(self._rows):
            self.next()
            raise self.bad("nothing may follow the finishing order")
        return finish


def parse_reading(text: str) -> Reading:
    """The reading that prints as `text`, for example `full_house K over 6`. Raises BadReading."""
    kind, *words = [word for word in text.split() if word != "over"] or [""]
    if kind not in list(Type) or len(words) != len(KEYS[Type(kind)]):
        raise BadReading(text, "write a type and its keys")
    form: dict[str, str | int] = {"type": kind}
    for key, word in zip(KEYS[Type(kind)], words, strict=True):
        size = word.removeprefix("x")
        form[key] = int(size) if key == "size" and size.isdecimal() else word
    return Reading.from_json(form)


def replay(deal: DealRecord, rulebook: Rulebook) -> tuple[Match, DealRecord]:
    """Play a deal through `advance`: the match it ends in, and the record with findings and finish as judged.

    A golden game is right if the record that comes back equals the one that went in.
    """
    match = start(MatchStarted(rulebook.id, rulebook.hash, deal.play_order, deal.levels[Pair.EW], deal.levels[Pair.NS]))
    for fact in _opening(deal, rulebook):
        match = advance(match, fact, rulebook).state
    lines = []
    for number, line in enumerate(deal.lines, 1):
        act = CardsLaid(line.seat, line.cards) if line.cards else Passed(line.seat)
        outcome = advance(match, act, rulebook, number)
        match, findings = outcome.state, outcome.findings
        if line.declared is not None:
            outcome = advance(match, Declared(line.seat, line.declared), rulebook, number)
            match, findings = outcome.state, (*findings, *outcome.findings)
        if match.deal is not None and match.deal.pending is not None:
            match = advance(match, Ruled("", number, line.seat, Judgement.TAKE_BACK, ""), rulebook).state
        lines.append(replace(line, findings=_names(findings)))
    finish = match.deal.finish if match.deal is not None else ()
    return match, replace(deal, lines=tuple(lines), finish=finish)


def _names(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(finding.name for finding in findings if finding.kind.severity is not Severity.INFO)


def _opening(deal: DealRecord, rulebook: Rulebook) -> list[Fact]:
    """The facts before the first lead."""
    cards = [(seat, card) for seat in Seat for card in deal.hands.get(seat, (None,) * HAND)]
    facts: list[Fact] = [
        DealStarted(1, Level(int(deal.level)), deal.declarer, "seeded", ""),
        *(CardDealt(index, seat, card) for index, (seat, card) in enumerate(cards)),
        DealCompleted(tuple((seat, len(deal.hands.get(seat, (None,) * HAND))) for seat in Seat)),
    ]
    if deal.leader is not None:
        ok = (i for i, (to, card) in enumerate(cards) if to is deal.leader and card not in rulebook.redraw_on)
        facts.append(LeaderDrawn(next(ok, len(cards)), deal.leader))
    return [*facts, *map(HandTaken, Seat), *map(HandConfirmed, Seat)]
