"""Questions about a match as it stands: what cards mean here, what may be laid, who leads, what is owed, what follows.

Nothing is decided here: every answer is that of the module that judges it at a table. What a hand that is not known
would tell is None. Hands are secret at a table; who asks has to be allowed to see them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.advance import Outcome, advance
from engine.cards import Card, Seat, surplus
from engine.combos import Reading, readings
from engine.exchange import Terms, take
from engine.facts import CardReturned, CardsLaid, Fact, Passed, TributeGiven
from engine.hand import Hand
from engine.judgement import standing
from engine.legal import Play, legal_plays
from engine.physical import physical_plays
from engine.reporting import report_duty
from engine.resolve import Resolution, resolve
from engine.rulebook import Rulebook
from engine.state import Deal, Exchange, Match, Phase
from engine.tribute import return_options, tribute_options
from engine.trick import next_leader


@dataclass(frozen=True, slots=True)
class Meaning:
    """What cards may mean as a combination, and what they count as here.

    readings: all; those that may be played here are `here.legal`. missing: the cards that the hand does not hold.
    """

    readings: tuple[Reading, ...]
    here: Resolution
    missing: tuple[Card, ...] | None


def meaning(match: Match, seat: Seat, cards: Iterable[Card], rulebook: Rulebook) -> Meaning | None:
    """What cards, left to right, would mean if `seat` laid them, in turn or not; None without a deal (2.5, C-10)."""
    deal, laid = match.deal, tuple(cards)
    if deal is None:
        return None
    hand = deal.hands[seat]
    return Meaning(
        readings(laid, deal.level, full_house_joker_pair=rulebook.full_house_joker_pair),
        resolve(laid, deal.level, standing(deal), rulebook),
        None if hand is None else surplus(laid, hand),
    )


def plays_of(match: Match, seat: Seat, rulebook: Rulebook) -> list[Play] | None:
    """One play for each reading that a seat could lay here if it were its turn; passing is not listed (2.3 to 2.5)."""
    deal = match.deal
    hand = deal.hands[seat] if deal is not None else None
    if deal is None or hand is None:
        return None
    return legal_plays(hand, deal.level, standing(deal), rulebook)


def sets_of_plays(match: Match, seat: Seat, rulebook: Rulebook) -> list[tuple[tuple[Card, ...], Reading]] | None:
    """Every distinct set of cards with each of its readings that a seat could lay here if it were its turn."""
    deal = match.deal
    hand = deal.hands[seat] if deal is not None else None
    if deal is None or hand is None:
        return None
    return physical_plays(
        Hand(hand, deal.level),
        standing(deal),
        full_house_joker_pair=rulebook.full_house_joker_pair,
        max_cards=rulebook.max_cards_per_play,
    )


def leads_next(match: Match) -> Seat | None:
    """Who leads now or, on a standing play, would lead if everybody passed (P-1, P-5, P-6).

    None where whoever begins is taken to be right, and outside play.
    """
    deal = match.deal
    if deal is None or deal.phase is not Phase.PLAYING or deal.trick is None:
        return None
    best = deal.trick.current
    return deal.turn if best is None else next_leader(deal, match.play_order, best.seat)


@dataclass(frozen=True, slots=True)
class TributeOwed:
    """A seat owes tribute. options: the cards that it may give."""

    seat: Seat
    options: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class JokersOwed:
    """These seats hold both big jokers between them and show them: no tribute is paid (T-1)."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ReturnOwed:
    """A seat owes a card for the tribute that it has taken. options: the cards that it may give."""

    seat: Seat
    to: Seat
    options: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class ReportOwed:
    """A seat has just come to so few cards that it has to tell their number. form: `card` or `spoken`."""

    seat: Seat
    count: int
    form: str


@dataclass(frozen=True, slots=True)
class DeclarationOwed:
    """A seat has to say which of these its play means (C-10.5)."""

    seat: Seat
    readings: tuple[Reading, ...]


Debt = TributeOwed | JokersOwed | ReturnOwed | ReportOwed | DeclarationOwed


def owed(match: Match, rulebook: Rulebook) -> tuple[Debt, ...]:
    """What has to be given, told or shown as the match stands, beside the play of the seat in turn."""
    deal = match.deal
    if deal is None or deal.is_over:
        return ()
    found: list[Debt] = []
    if deal.phase is Phase.TRIBUTE and deal.exchange is not None:
        found += _of_exchange(deal, deal.exchange, Terms(deal.level, match.play_order, rulebook))
    if deal.pending is not None and deal.pending.reason == "needs_declaration":
        found.append(DeclarationOwed(deal.pending.seat, deal.pending.legal))
    found += _of_reports(deal, rulebook)
    return tuple(found)


def _of_exchange(deal: Deal, exchange: Exchange, terms: Terms) -> list[Debt]:
    if exchange.anti:
        return [JokersOwed(exchange.payers)]
    given = {handover.seat for handover in exchange.given if handover.to is None}
    book, level = terms.rulebook, terms.level
    taking = take(exchange, terms)
    if taking is None:
        return [
            TributeOwed(
                payer, None if hand is None else tribute_options(hand, level, exempt_wild=book.tribute_exempt_wild)
            )
            for payer in exchange.payers
            if payer not in given
            for hand in (deal.hands[payer],)
        ]
    returned = {handover.seat for handover in exchange.given if handover.to is not None}
    owing: list[Debt] = []
    for payer, taker in taking.takers.items():
        if taker not in returned:
            hand = deal.hands[taker]  # the tribute that it took is in it
            options = None if hand is None else return_options(hand, level, taker, payer, book)
            owing.append(ReturnOwed(taker, payer, options))
    return owing


def _of_reports(deal: Deal, rulebook: Rulebook) -> list[Debt]:
    """The report on the last play, as long as nobody has acted after it (R-4)."""
    last = deal.last_play
    if last is None or last.seat in deal.told:
        return []
    duty = report_duty(last.before, last.played, last.seat in deal.reported, rulebook)
    if not duty.must_report or duty.overdue or duty.count is None or duty.form is None:
        return []
    return [ReportOwed(last.seat, duty.count, duty.form)]


def effect(match: Match, seat: Seat, cards: Iterable[Card], rulebook: Rulebook) -> Outcome:
    """The match after a seat has laid cards, or passed if there are none, and the findings on that.

    In an exchange a single card of a seat that owes one is its tribute or its return.
    """
    laid = tuple(cards)
    fact: Fact = CardsLaid(seat, laid) if laid else Passed(seat)
    if len(laid) == 1:
        for debt in owed(match, rulebook):
            match debt:
                case TributeOwed(payer, _) if payer is seat:
                    fact = TributeGiven(seat, laid[0])
                case ReturnOwed(taker, to, _) if taker is seat:
                    fact = CardReturned(seat, to, laid[0])
                case _:
                    pass
    return advance(match, fact, rulebook, record=1)
