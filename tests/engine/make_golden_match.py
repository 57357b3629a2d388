"""Make a golden match: `python -m tests.engine.make_golden_match RULEBOOK SEED [limit=N] [knock-out=] [time=]`.

Simulated players play a whole match; now and then somebody breaks a rule. A later
difference means that the engine judges this match otherwise than it did then.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random

from engine.advance import start
from engine.cards import PACKS, PLAY_ORDER, Card, Seat
from engine.combos import Reading
from engine.exchange import BIG_JOKER, Terms, take
from engine.facts import (
    CardReturned,
    CountReported,
    DealAwarded,
    JokersShown,
    LeaderNamed,
    MatchStarted,
    TimeCalled,
    TributeGiven,
)
from engine.notation import DealRecord, Event, Line, MatchRecord, write_match
from engine.passing import PassForm, judge_pass
from engine.replay import Replay, opening, result_of
from engine.reporting import report_duty
from engine.resolve import resolve
from engine.rulebook import Rulebook
from engine.rulebook_data import load_rulebook
from engine.state import NOTICED, Phase, next_in_turn
from engine.tribute import return_options, tribute_options
from simulator.giving import choose_return, choose_tribute
from simulator.maxims import ALL_MAXIMS
from simulator.players import View, choose

MOST_DEALS = 40


class Scribe:
    """Plays one deal after another and writes down what was done, with what the rules say of it."""

    def __init__(self, book: Rulebook, seed: int, deals_limit: int | None, knock_out: bool) -> None:
        self.random = Random(f"golden {book.id} {seed}")
        self.book = book
        begun = MatchStarted(
            book.id, book.hash, PLAY_ORDER, deals_limit=deals_limit, knock_out=knock_out, notices=NOTICED
        )
        self.replay = Replay(start(begun), book)
        self.lines: list[Line | Event] = []

    def play(self) -> DealRecord:
        score, random = self.replay.match.score, self.random
        pack = random.sample(PACKS, len(PACKS))
        hands = {seat: tuple(sorted(pack[27 * i : 27 * i + 27])) for i, seat in enumerate(PLAY_ORDER)}
        level = score.levels[score.declarer] if score.declarer is not None else self.book.first_level
        leader = random.choice(PLAY_ORDER) if not score.finishes else None
        deal = DealRecord(
            self.book.id, level.rank, leader, (), hands=hands, levels=dict(score.levels), declarer=score.declarer
        )
        for fact in opening(deal, self.book, score.deals_done + 1):
            self.replay.tell(fact)
        exchange = self.replay.deal.exchange
        self.lines = []
        self._exchange()
        if exchange is None and score.finishes and random.random() < 0.3:
            self._write(Event(LeaderNamed(random.choice(score.last_finish[0].pair.seats), "")))
        while not self.replay.deal.is_over:
            self._act()
        owes = exchange.payers if exchange is not None else ()
        return replace(deal, owes=owes, lines=tuple(self.lines), finish=self.replay.deal.finish)

    def _write(self, line: Line | Event) -> Line | Event:
        judged = self.replay.act(line)
        self.lines.append(judged)
        return judged

    def _exchange(self) -> None:
        while self.replay.deal.phase is Phase.TRIBUTE:
            deal, exchange = self.replay.deal, self.replay.deal.exchange
            assert exchange is not None
            if exchange.anti:
                holders = [seat for seat in exchange.payers if BIG_JOKER in (deal.hands[seat] or ())]
                self._write(Event(JokersShown(tuple(holders))))
                continue
            given = {handover.seat for handover in exchange.given}
            payer = next((seat for seat in exchange.payers if seat not in given), None)
            if payer is not None:
                self._give(payer)
                continue
            taking = take(exchange, Terms(deal.level, PLAY_ORDER, self.book))
            assert taking is not None
            payer, taker = next((payer, taker) for payer, taker in taking.takers.items() if taker not in given)
            self._return(taker, payer)

    def _give(self, payer: Seat) -> None:
        deal = self.replay.deal
        hand = deal.hands[payer] or ()
        options = tribute_options(hand, deal.level)
        wrong = [card for card in hand if card not in options and not card.is_wild(deal.level)]
        if wrong and self.random.random() < 0.1:
            self._write(Event(TributeGiven(payer, wrong[-1])))
        self._write(Event(TributeGiven(payer, choose_tribute(hand, options))))

    def _return(self, taker: Seat, payer: Seat) -> None:
        deal = self.replay.deal
        hand = deal.hands[taker] or ()
        options = return_options(hand, deal.level, taker, payer, self.book)
        wrong = [card for card in hand if card not in options]
        if wrong and self.random.random() < 0.15:
            self._write(Event(CardReturned(taker, payer, self.random.choice(wrong))))
        card = choose_return(hand, deal.level, options, ALL_MAXIMS, self.random)
        self._write(Event(CardReturned(taker, payer, card)))

    def _act(self) -> None:
        deal, random = self.replay.deal, self.random
        seat = deal.turn
        assert seat is not None
        chance = random.random()
        if chance < 0.002:
            self._write(Event(DealAwarded(seat, "", random.choice((None, *seat.pair.other.seats)))))
            return
        if chance < 0.02:
            self._write(self._fault(seat))
            return
        hand = deal.hands[seat] or ()
        best = deal.trick.current if deal.trick is not None else None
        current = best.reading if best is not None else None
        play = choose(
            View(seat, hand, deal.level, current, best.seat if best else None, deal.hand_sizes, self.book), random
        )
        if play is None:
            self._write(Line(seat, form=self._form(seat)))
            return
        judged = self._write(self._laid(seat, play.cards, play.reading, current))
        if not set(judged.findings) - {"bad_arrangement", "report_missing", "report_wrong_count", "report_repeat"}:
            self._report(seat, len(hand), len(play.cards))

    def _laid(self, seat: Seat, cards: tuple[Card, ...], reading: Reading, current: Reading | None) -> Line:
        if len(cards) > 3 and self.random.random() < 0.03:
            cards = tuple(self.random.sample(cards, len(cards)))
        found = resolve(cards, self.replay.deal.level, current, self.book)
        return Line(seat, cards, reading if found.chosen != reading else None)

    def _form(self, seat: Seat) -> PassForm | None:
        earlier = self.replay.match.pass_forms.get(seat)
        proper = [form for form in PassForm if judge_pass(form, earlier, self.book.pass_forms).ok]
        if earlier in proper and self.random.random() < 0.9:
            return earlier
        return self.random.choice(proper if self.random.random() < 0.9 else list(PassForm))

    def _report(self, seat: Seat, before: int, played: int) -> None:
        duty = report_duty(before, played, seat in self.replay.deal.reported, self.book)
        chance, left = self.random.random(), before - played
        if left and duty.must_report and chance < 0.9:
            self._write(Event(CountReported(seat, left if chance < 0.8 else left + 1)))
        elif left and not duty.must_report and chance < 0.01:
            self._write(Event(CountReported(seat, left)))

    def _fault(self, seat: Seat) -> Line:
        deal, random = self.replay.deal, self.random
        other = next_in_turn(deal, PLAY_ORDER, seat)
        hand = deal.hands[seat] or ()
        chance = random.random()
        if other is not None and chance < 0.35:
            return Line(other, tuple(random.sample(deal.hands[other] or (), 1)))
        if chance < 0.5:
            foreign = [card for card in PACKS if card not in hand]
            return Line(seat, (random.choice(foreign),))
        return Line(seat, tuple(random.sample(hand, min(len(hand), random.choice((1, 2, 3, 5))))))


def make(
    name: str, seed: int, deals_limit: int | None = None, knock_out: bool = False, time: bool = False
) -> MatchRecord:
    """A match under a rulebook. time: it is called at the end of the limit instead of the limit's ending the match."""
    book = load_rulebook(name)
    scribe = Scribe(book, seed, None if time else deals_limit, knock_out)
    deals: list[DealRecord] = []
    while not scribe.replay.match.is_over and len(deals) < (deals_limit or MOST_DEALS) + knock_out:
        deals.append(scribe.play())
    closing = None
    if not scribe.replay.match.is_over:
        closing = TimeCalled("")
        scribe.replay.tell(closing)
    return MatchRecord(
        rulebook=name,
        deals=tuple(deals),
        deals_limit=None if time else deals_limit,
        knock_out=knock_out,
        notices=NOTICED,
        closing=closing,
        result=result_of(scribe.replay.match.score.end),
        notes=("Played by simulated players who now and then break a rule.",),
    )


if __name__ == "__main__":
    options = dict(word.split("=") for word in sys.argv[3:])
    limit = int(options["limit"]) if "limit" in options else None
    sys.stdout.write(write_match(make(sys.argv[1], int(sys.argv[2]), limit, "knock-out" in options, "time" in options)))
