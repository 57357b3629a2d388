"""The match that a position stands for. Cards of an exchange go the same way as at a table: through `engine.advance`.

What cannot be is refused; what people may do wrong (a tribute that is not the largest card) is a finding.
"""

from __future__ import annotations

from dataclasses import replace

from engine.advance import Outcome
from engine.cards import Seat
from engine.contradiction import Contradiction, contradictions
from engine.exchange import BIG_JOKER, Terms, take
from engine.facts import CardReturned, JokersShown, TributeGiven
from engine.findings import Finding
from engine.notation import DealRecord
from engine.position import BadPosition, Given, Position, others_in, place_of, row_at
from engine.replay import Replay, opening
from engine.rulebook import Rulebook
from engine.state import NOTICED, Action, Deal, Exchange, LastPlay, Match, Phase, Score, Trick


def set_up(position: Position, rulebook: Rulebook) -> Outcome:
    """The match that a position stands for, and the findings on the exchange so far.

    Such a match notices everything (`Match.notices`). Of the tricks before nothing is known but the cards: the one in
    play is number 1 if no card was laid before it, else 2, and what stands is taken for its lead. Raises BadPosition
    for the first contradiction.
    """
    for found in contradictions(position, rulebook):
        raise _refusal(position, found)
    done = 0 if position.declarer is None else 1
    finishes = (position.previous,) if position.previous else ()
    score = Score(dict(position.levels), position.declarer, deals_done=done, finishes=finishes)
    order = position.play_order
    match = Match(rulebook.id, rulebook.hash, order, notices=frozenset(NOTICED), score=score)
    if position.turn is not None:
        return Outcome(replace(match, deal=_in_play(position, position.turn, done + 1)))
    return _before_play(position, match, rulebook)


def _refusal(position: Position, found: Contradiction) -> BadPosition:
    return BadPosition(row_at(position, found.place), found.wrong, found.remedy, place=found.place)


def _in_play(position: Position, turn: Seat, deal_no: int) -> Deal:
    hands = {seat: tuple(sorted(position.hands[seat])) if seat in position.hands else None for seat in Seat}
    number = 1 if not position.laid and not position.out else 2
    last_play, trick = None, Trick(number, turn)
    if position.current is not None:
        seat, cards = position.current.seat, position.current.cards
        laid = Action(seat, cards, position.current.reading)
        passed = tuple(Action(other) for other in others_in(position, seat)[: position.passes])
        trick = Trick(number, seat, (laid, *passed), laid, position.passes)
        if not passed:
            last_play = LastPlay(seat, position.held(seat) + len(cards), len(cards), 0)
    return Deal(
        deal_no,
        position.level,
        position.declarer,
        Phase.PLAYING,
        hands=hands | dict.fromkeys(position.out, ()),
        hand_sizes={seat: position.held(seat) for seat in Seat},
        trick=trick,
        turn=turn,
        finish=position.out,
        reported=dict(position.reported),
        last_play=last_play,
    )


def _before_play(position: Position, match: Match, rulebook: Rulebook) -> Outcome:
    """The match dealt and counted, and its exchange as far as it has gone; play begins where nothing is owed."""
    game = Replay(match, rulebook)
    dealt = DealRecord(
        rulebook.id, position.level, None, (), hands=position.hands, levels=position.levels, declarer=position.declarer
    )
    for fact in opening(dealt, rulebook, match.deals_done + 1):
        game.tell(fact)
    findings: list[Finding] = []
    for given in position.given:
        found = _unlikely(given, game.deal, Terms(position.level, position.play_order, rulebook))
        if found is not None:
            raise _refusal(position, Contradiction(place_of(given), *found))
        findings += game.tell(given)
    return Outcome(game.match, tuple(findings))


def _unlikely(given: Given, deal: Deal, terms: Terms) -> tuple[str, str] | None:
    """Why a card of the exchange cannot have gone so, and the remedy; None if it can, rightly or not."""
    exchange = deal.exchange
    if exchange is None:
        return f"under {terms.rulebook.id} no tribute is owed here", "leave it out"
    if deal.phase is not Phase.TRIBUTE:
        return "the exchange was over before", "leave it out"
    match given:
        case TributeGiven():
            return _tribute(given, exchange)
        case CardReturned():
            return _return(given, deal, exchange, terms)
        case JokersShown():
            return _jokers(given, exchange, terms.rulebook)


def _tribute(given: TributeGiven, exchange: Exchange) -> tuple[str, str] | None:
    seat, hand = given.seat, exchange.hands[given.seat]
    if seat not in exchange.payers:
        payers = " and ".join(payer.value for payer in exchange.payers)
        return f"{seat.value} owes no tribute", f"name {payers}, or put previous right"
    if exchange.anti:
        return "those who owe hold both big jokers, which cancels the tribute", "leave it out, or write jokers"
    if hand is not None and given.card not in hand:
        return f"{seat.value} does not hold {given.card.text}", f"name a card of hand {seat.value}"
    return None


def _return(given: CardReturned, deal: Deal, exchange: Exchange, terms: Terms) -> tuple[str, str] | None:
    seat, hand = given.seat, deal.hands[given.seat]
    taking = take(exchange, terms)
    if taking is None:
        return "not every tribute is given", "add the tributes before it"
    if seat not in taking.takers.values():
        takers = " or ".join(taker.value for taker in taking.takers.values())
        return f"{seat.value} has taken no tribute", f"name {takers}"
    if given.to not in taking.takers:
        payers = " or ".join(payer.value for payer in taking.takers)
        return f"{given.to.value} has given no tribute", f"return to {payers}"
    if hand is not None and given.card not in hand:
        return f"{seat.value} does not hold {given.card.text}", f"name a card of hand {seat.value} or the tribute taken"
    return None


def _jokers(given: JokersShown, exchange: Exchange, rulebook: Rulebook) -> tuple[str, str] | None:
    if rulebook.anti_tribute is None:
        return f"under {rulebook.id} nothing cancels the tribute", "leave it out"
    for seat in given.seats:
        if seat not in exchange.payers:
            return f"{seat.value} owes no tribute", "name those who owe"
    hands = [exchange.hands[seat] for seat in given.seats]
    if sum(hand.count(BIG_JOKER) if hand is not None else 2 for hand in hands) < 2:
        return "these seats do not hold both big jokers", "put their hands right, or leave it out"
    return None
