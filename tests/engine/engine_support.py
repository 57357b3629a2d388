"""Factories for engine tests: cards from text, matches in the middle of play, whole random deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from engine.advance import Outcome, advance, start
from engine.cards import PACKS, PLAY_ORDER, Card, Level, Pair, Rank, Seat, parse_cards
from engine.combos import KEYS, Reading
from engine.facts import (
    CardDealt,
    CardsLaid,
    DealCompleted,
    DealStarted,
    Fact,
    HandConfirmed,
    HandTaken,
    Judgement,
    LeaderDrawn,
    MatchStarted,
    Passed,
    Ruled,
)
from engine.findings import Finding
from engine.legal import legal_for
from engine.notation_reader import parse_reading
from engine.order import strength
from engine.rulebook import Rulebook
from engine.rulebook_data import load_rulebook
from engine.state import Deal, Match, Pending, Phase, Trick

BOOK = load_rulebook("competitive-2022")
TWO = Rank.TWO
S, E, N, W = PLAY_ORDER


def cards(text: str) -> tuple[Card, ...]:
    """Cards written in the project's notation, with spaces between."""
    return parse_cards(text.split())


def said(*texts: str) -> set[Reading]:
    """Readings written as they print."""
    return {parse_reading(text) for text in texts}


def in_words(reading: Reading) -> tuple[str, ...]:
    """A reading as the independent checker writes it: type and its keys."""
    form = reading.to_json()
    return (str(form["type"]), *(str(form[key]) for key in KEYS[reading.type]))


class Table:
    """Folds facts one by one, numbers them from 1, and keeps what the rules said of the last and of all."""

    def __init__(self, match: Match | None = None, book: Rulebook = BOOK) -> None:
        self.match = match
        self.book = book
        self.record = 0
        self.last: tuple[Finding, ...] = ()
        self.all: list[Finding] = []

    def tell(self, fact: Fact) -> Outcome:
        self.record += 1
        outcome = advance(self.match, fact, self.book, self.record)
        self.match, self.last = outcome.state, outcome.findings
        self.all += outcome.findings
        return outcome

    def lay(self, seat: Seat, text: str) -> list[str]:
        """A play; returns the names of the findings on it."""
        self.tell(CardsLaid(seat, cards(text)))
        return self.names

    def passes(self, *seats: Seat) -> list[str]:
        """Passes in order; returns the names of the findings on all of them."""
        found = []
        for seat in seats:
            self.tell(Passed(seat))
            found += self.names
        return found

    def rule(self, judgement: Judgement, record: int) -> None:
        self.tell(Ruled("1-1", record, None, judgement, "referee"))

    @property
    def names(self) -> list[str]:
        return [finding.name for finding in self.last]

    @property
    def detail(self) -> dict[str, str]:
        """Detail of the only finding on the last fact."""
        (finding,) = self.last
        return dict(finding.detail)

    @property
    def deal(self) -> Deal:
        assert self.match is not None
        assert self.match.deal is not None
        return self.match.deal

    @property
    def trick(self) -> Trick:
        assert self.deal.trick is not None
        return self.deal.trick

    @property
    def pending(self) -> Pending:
        assert self.deal.pending is not None
        return self.deal.pending


def second_deal(
    finish: tuple[Seat, ...], hands: dict[Seat, str], book: Rulebook = BOOK, level: Level = Level.TWO
) -> Table:
    """A table after the first deal ended in `finish`: the next hands are taken and counted, and tribute is due.

    Hands are filled up to 27 cards from below, first's pair last; `-` for a hand that the machine did not read.
    """
    held = {seat: list(cards(hands.get(seat, "").replace("-", ""))) for seat in Seat}
    rest = sorted((Counter(PACKS) - Counter(card for hand in held.values() for card in hand)).elements())
    fill = sorted(rest, key=lambda card: (card.is_wild(level.rank), strength(card.rank, level.rank)))
    for seat in sorted(Seat, key=lambda seat: (seat is finish[0], seat is finish[0].partner)):
        missing = 27 - len(held[seat])
        held[seat] += fill[:missing]
        del fill[:missing]
    pair = finish[0].pair
    table = Table(start(MatchStarted(book.id, book.hash, PLAY_ORDER)), book)
    assert table.match is not None
    score = replace(table.match.score, declarer=pair, finishes=(finish,), deals_done=1)
    table.match = replace(table.match, score=score)
    table.tell(DealStarted(2, level, pair, "seeded", "00"))
    told = [(seat, card if "-" not in hands.get(seat, "") else None) for seat in Seat for card in held[seat]]
    for index, (seat, card) in enumerate(told):
        table.tell(CardDealt(index, seat, card))
    table.tell(DealCompleted(tuple((seat, 27) for seat in PLAY_ORDER)))
    for seat in PLAY_ORDER:
        table.tell(HandTaken(seat))
        table.tell(HandConfirmed(seat))
    return table


def playing(
    leader: Seat = S,
    level: Rank = TWO,
    sizes: dict[Seat, int] | None = None,
    hands: dict[Seat, str] | None = None,
    finish: tuple[Seat, ...] = (),
    levels: tuple[Level, Level] = (Level.TWO, Level.TWO),
    declarer: Pair | None = None,
) -> Table:
    """A table where `leader` is to lead the first trick. Hands not given are not known."""
    held = {seat: cards((hands or {}).get(seat, "")) or None for seat in Seat}
    counts = {seat: len(hand) if hand else 27 for seat, hand in held.items()} | (sizes or {})
    counts |= dict.fromkeys(finish, 0)
    deal = Deal(1, level, declarer, Phase.PLAYING, hands=held, hand_sizes=counts, finish=finish)
    deal = replace(deal, leader=leader, turn=leader, trick=Trick(1, leader))
    match = Match(BOOK.id, BOOK.hash, deal=deal)
    score = replace(match.score, levels={Pair.EW: levels[0], Pair.NS: levels[1]}, declarer=declarer)
    return Table(replace(match, score=score))


def shuffled(random: Random) -> tuple[list[Card], list[Seat]]:
    """108 faces in feed order and the seat of each, 27 a seat."""
    feed, seats = list(PACKS), [seat for seat in Seat for _ in range(27)]
    random.shuffle(feed)
    random.shuffle(seats)
    return feed, seats


def opening(random: Random, level: Level = Level.TWO, read: bool = True) -> list[Fact]:
    """The facts of a right deal up to the lead. `read`: the machine reads the faces."""
    feed, seats = shuffled(random)
    turned_up = next(i for i, card in enumerate(feed) if card not in BOOK.redraw_on)
    return [
        MatchStarted(BOOK.id, BOOK.hash, PLAY_ORDER),
        DealStarted(1, level, None, "seeded", "00"),
        *(CardDealt(i, seat, card if read else None) for i, (seat, card) in enumerate(zip(seats, feed, strict=True))),
        DealCompleted(tuple((seat, 27) for seat in PLAY_ORDER)),
        LeaderDrawn(turned_up, seats[turned_up]),
        *(HandTaken(seat) for seat in PLAY_ORDER),
        *(HandConfirmed(seat) for seat in PLAY_ORDER),
    ]


def play_out(table: Table, random: Random) -> list[Fact]:
    """Play lawfully to the end of the deal; returns the facts told."""
    told: list[Fact] = []
    while not table.deal.is_over:
        seat = table.deal.turn
        assert seat is not None
        assert len(told) < 2000
        plays = legal_for(table.match, seat, BOOK) if table.match is not None else []
        if plays and (table.trick.current is None or random.random() < 0.6):
            fact: Fact = CardsLaid(seat, random.choice(plays).cards)
        else:
            fact = Passed(seat)
        table.tell(fact)
        told.append(fact)
        if table.deal.pending is not None:
            stand = Ruled("1-1", table.record, seat, Judgement.LET_STAND, "referee")
            table.tell(stand)
            told.append(stand)
    return told
