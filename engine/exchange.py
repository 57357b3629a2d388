"""Tribute and return as they happen (进贡, 还贡, 抗贡): what was given, who holds it, who leads.

Source: RULEBOOKS 3.3, T-1 to T-10, X-9. What is right is decided in `engine.tribute`; here people may do otherwise, and
hands follow the cards wherever they went. A hand that cannot be followed any more is not known any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.cards import Card, Rank, Seat
from engine.facts import CardReturned, JokersShown, TributeGiven
from engine.findings import Finding
from engine.rulebook import Rulebook
from engine.state import Deal, Exchange, Handover, Phase, Score
from engine.tribute import is_anti_tribute, pair_tributes, payers, return_options, tribute_options
from engine.trick import Findings, begin_play

Hand = tuple[Card, ...] | None
BIG_JOKER = Card.parse("BJ")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a deal's exchange is judged by."""

    level: Rank
    order: tuple[Seat, ...]
    rulebook: Rulebook


@dataclass(frozen=True, slots=True)
class Taking:
    """Who takes the tribute of each payer, and who leads, once all tributes lie on the table."""

    takers: Mapping[Seat, Seat]
    leader: Seat


def owed(score: Score, rulebook: Rulebook) -> Exchange | None:
    """What the next deal owes: nothing in deal 1, after a foul, and where the rulebook knows no tribute."""
    if not rulebook.tribute or not score.last_finish or score.foul_leader is not None:
        return None
    return Exchange(score.last_finish, payers(score.last_finish))


def begin(deal: Deal, exchange: Exchange, rulebook: Rulebook, record: int) -> tuple[Deal, Findings]:
    """The hands are counted: tribute is due. Whether it is cancelled only referees learn before the jokers lie open."""
    anti = _holds_anti(exchange.payers, deal.hands, rulebook)
    exchange = replace(exchange, anti=anti, hands=deal.hands, sizes=deal.hand_sizes)
    found = [Finding("tribute_due", None, record, (("payers", _names(exchange.payers)),))]
    if anti:
        found.append(Finding("anti_tribute", None, record))
    return replace(deal, phase=Phase.TRIBUTE, exchange=exchange), tuple(found)


def _holds_anti(owing: tuple[Seat, ...], hands: Mapping[Seat, Hand], rulebook: Rulebook) -> bool | None:
    """Whether the payers hold both big jokers, if that cancels anything; None if known hands do not tell."""
    if rulebook.anti_tribute is None:
        return False
    jokers = {seat: hand.count(BIG_JOKER) for seat, hand in hands.items() if hand is not None}
    if is_anti_tribute(owing, jokers, rulebook):
        return True
    others = any(count for seat, count in jokers.items() if seat not in owing)
    return False if others or all(seat in jokers for seat in owing) else None


def tribute_given(deal: Deal, fact: TributeGiven, terms: Terms, record: int) -> tuple[Deal, Findings]:
    """A card was laid as tribute. Where none is owed the finding says so, and the card is followed all the same."""
    if deal.phase is Phase.TAKING and deal.exchange is None:
        return deal, (Finding("tribute_due", fact.seat, record, (("owes", "nothing"),)),)
    deal, found = _opened(deal, terms, record)
    exchange = deal.exchange
    if exchange is None or deal.phase is not Phase.TRIBUTE:
        return deal, ()
    if fact.seat not in exchange.payers:
        # Nobody knows who took it, so that no hand can be relied on.
        lost = replace(exchange, hands=dict.fromkeys(Seat))
        owes_none = Finding("tribute_due", fact.seat, record, (("owes", "nothing"),))
        return _with(deal, lost, terms), (*found, owes_none)
    if exchange.anti:
        found = (*found, Finding("tribute_due", fact.seat, record, (("owes", "nothing: anti-tribute"),)))
        exchange = replace(exchange, anti=False)
    hand = exchange.hands[fact.seat]
    if fault := _tribute_fault(fact, hand, terms, record):
        found = (*found, fault)
    handover = Handover(fact.seat, None, fact.card, record)
    kept = tuple(given for given in exchange.given if given.seat is not fact.seat or given.to is not None)
    exchange = replace(exchange, given=(*kept, handover))
    returns = [given for given in exchange.given if given.to is not None]
    astray = (_astray(given, take(exchange, terms)) for given in returns)
    return _with(deal, exchange, terms), (*found, *(finding for finding in astray if finding is not None))


def _opened(deal: Deal, terms: Terms, record: int) -> tuple[Deal, Findings]:
    """The deal with its exchange open: cards given before the last count was told, or put right before the first play.

    Shown jokers are not put right: the tribute is cancelled for good.
    """
    exchange = deal.exchange
    if exchange is None:
        return deal, ()
    if deal.phase is Phase.TAKING:
        return begin(deal, exchange, terms.rulebook, record)
    if deal.phase is Phase.PLAYING and not deal.has_begun and not exchange.jokers_shown and exchange.given:
        return _again(deal), ()
    return deal, ()


def _again(deal: Deal) -> Deal:
    return replace(deal, phase=Phase.TRIBUTE, trick=None, turn=None, leader=deal.named_leader, pending=None)


def _astray(given: Handover, taking: Taking | None) -> Finding | None:
    """What is wrong with whom a card went back to; nothing before all tributes lie on the table."""
    if taking is None or given.to is None or taking.takers[given.to] is given.seat:
        return None
    payer = next(payer for payer, taker in taking.takers.items() if taker is given.seat)
    detail = (("expected", payer.value), ("to", given.to.value))
    return Finding("tribute_pairing", given.seat, given.record, detail)


def _tribute_fault(fact: TributeGiven, hand: Hand, terms: Terms, record: int) -> Finding | None:
    if hand is not None and fact.card not in hand:
        return _smuggled(fact.seat, fact.card, record)
    exempt = terms.rulebook.tribute_exempt_wild
    wrong = (
        exempt and fact.card.is_wild(terms.level)
        if hand is None
        else fact.card not in tribute_options(hand, terms.level, exempt_wild=exempt)
    )
    return Finding("tribute_wrong_card", fact.seat, record, (("given", fact.card.text),)) if wrong else None


def _smuggled(seat: Seat, card: Card, record: int) -> Finding:
    return Finding("card_not_in_hand", seat, record, (("not_dealt", card.text),))


def card_returned(deal: Deal, fact: CardReturned, terms: Terms, record: int) -> tuple[Deal, Findings]:
    """A card was given back. After the last return play begins (X-9)."""
    deal, found = _opened(deal, terms, record)
    exchange = deal.exchange
    if exchange is None or deal.phase is not Phase.TRIBUTE:
        return deal, ()
    paid = any(given.seat is fact.to and given.to is None for given in exchange.given)
    if not paid or fact.seat not in _takers(exchange):
        lost = replace(exchange, hands=dict.fromkeys(Seat))
        wrong = Finding("tribute_pairing", fact.seat, record, (("to", fact.to.value),))
        return _with(deal, lost, terms), (*found, wrong)
    kept = tuple(given for given in exchange.given if given.seat is not fact.seat or given.to is None)
    handover = Handover(fact.seat, fact.to, fact.card, record)
    if astray := _astray(handover, take(exchange, terms)):
        found = (*found, astray)
    hand = _holding_before_return(replace(exchange, given=kept), handover, terms)
    if fault := _return_fault(handover, hand, terms):
        found = (*found, fault)
    return _with(deal, replace(exchange, given=(*kept, handover)), terms), found


def _takers(exchange: Exchange) -> tuple[Seat, ...]:
    """Who takes a tribute: first, and his partner after a double-down."""
    first = exchange.finish[0]
    return (first,) if len(exchange.payers) == 1 else (first, first.partner)


def _holding_before_return(exchange: Exchange, handover: Handover, terms: Terms) -> Hand:
    """The receiver's hand with the tribute that he took, before he gives a card back."""
    hand = exchange.hands[handover.seat]
    tribute = next(given.card for given in exchange.given if given.to is None and given.seat is handover.to)
    return None if hand is None else (*hand, tribute)


def _return_fault(handover: Handover, hand: Hand, terms: Terms) -> Finding | None:
    if hand is None or handover.to is None:
        return None
    if handover.card not in hand:
        return _smuggled(handover.seat, handover.card, handover.record)
    if handover.card in return_options(hand, terms.level, handover.seat, handover.to, terms.rulebook):
        return None
    return Finding("return_wrong_card", handover.seat, handover.record, (("given", handover.card.text),))


def jokers_shown(deal: Deal, fact: JokersShown, terms: Terms, record: int) -> tuple[Deal, Findings]:
    """Those who owe showed both big jokers: the tribute is cancelled, and first leads (T-1)."""
    showing = tuple(dict.fromkeys(fact.seats))
    if terms.rulebook.anti_tribute is None or deal.exchange is None:
        return deal, ()
    deal, found = _opened(deal, terms, record)
    exchange = deal.exchange
    if exchange is None or deal.phase is not Phase.TRIBUTE:
        return deal, found
    if not showing or not set(showing) <= set(exchange.payers):
        return deal, found
    hands = [exchange.hands[seat] for seat in exchange.payers]
    held = {seat: hand.count(BIG_JOKER) for seat in showing if (hand := exchange.hands[seat]) is not None}
    everything_known = all(hand is not None for hand in hands)
    if everything_known and sum(hand.count(BIG_JOKER) for hand in hands if hand is not None) < 2:
        short = min(showing, key=lambda seat: held[seat])
        return deal, (*found, _smuggled(short, BIG_JOKER, record))
    shown = replace(exchange, given=(), anti=True, jokers_shown=True)
    return _open_play(_with(deal, shown, terms), exchange.finish[0]), found


def take(exchange: Exchange, terms: Terms) -> Taking | None:
    """Who takes which tribute and who leads; None while a tribute is missing."""
    tributes = {given.seat: given.card for given in exchange.given if given.to is None}
    first = exchange.finish[0]
    if set(tributes) != set(exchange.payers):
        return None
    if len(tributes) == 1:
        (payer,) = tributes
        return Taking({payer: first}, first if terms.rulebook.leader_later_deals == "first" else payer)
    pairing = pair_tributes(first, tributes, terms.level, terms.order, terms.rulebook)
    takers = {pairing.to_first: first, pairing.to_second: first.partner}
    return Taking(takers, first if terms.rulebook.leader_later_deals == "first" else pairing.leader)


def _with(deal: Deal, exchange: Exchange, terms: Terms) -> Deal:
    """The deal with its hands after the exchange so far; play begins if nothing is owed any more."""
    hands, sizes = _holdings(exchange, terms)
    deal = replace(deal, exchange=exchange, hands=hands, hand_sizes=sizes)
    taking = take(exchange, terms)
    returned = {given.seat for given in exchange.given if given.to is not None}
    if taking is None or returned != set(taking.takers.values()):
        return deal
    return _open_play(deal, taking.leader)


def _open_play(deal: Deal, leader: Seat | None) -> Deal:
    """Play begins; a leader whom people named themselves comes before the rule's."""
    return begin_play(replace(deal, leader=deal.named_leader or leader))


def _holdings(exchange: Exchange, terms: Terms) -> tuple[dict[Seat, Hand], dict[Seat, int]]:
    """Hands and sizes after the cards given so far. A tribute lies on the table until all of them do."""
    hands, sizes = dict(exchange.hands), dict(exchange.sizes)
    tributes = {given.seat: given.card for given in exchange.given if given.to is None}
    for payer, card in tributes.items():
        hands[payer], sizes[payer] = _less(hands[payer], card), sizes[payer] - 1
    taking = take(exchange, terms)
    taken = {taker: payer for payer, taker in taking.takers.items()} if taking is not None else {}
    returns = {given.seat: given for given in exchange.given if given.to is not None}
    for taker, given in returns.items():
        if given.to is not None:
            taken[taker] = given.to  # whoever gets a card back paid the tribute that was taken
    astray = len(set(taken.values())) < len(taken) and len(returns) == len(taken)
    for taker, payer in taken.items():
        if payer not in tributes:
            continue  # that tribute was taken back; the card given for it is still with the payer
        hands[taker], sizes[taker] = _more(hands[taker], tributes[payer]), sizes[taker] + 1
    for taker, given in returns.items():
        hands[taker], sizes[taker] = _less(hands[taker], given.card), sizes[taker] - 1
        if given.to is not None:
            hands[given.to], sizes[given.to] = _more(hands[given.to], given.card), sizes[given.to] + 1
    if astray:  # both gave back to the same payer: nobody can say who holds the other tribute
        hands = {seat: None if seat in {*taken, *tributes} else hand for seat, hand in hands.items()}
    return hands, sizes


def _less(hand: Hand, card: Card) -> Hand:
    if hand is None or card not in hand:
        return None
    return tuple(sorted((Counter(hand) - Counter((card,))).elements()))


def _more(hand: Hand, card: Card) -> Hand:
    return None if hand is None else tuple(sorted((*hand, card)))


def take_back(deal: Deal, record: int, terms: Terms) -> Deal:
    """A referee orders a tribute or return back, as long as nobody has played (I7)."""
    exchange = deal.exchange
    if exchange is None or deal.is_over or deal.has_begun:
        return deal
    kept = tuple(given for given in exchange.given if given.record != record)
    if len(kept) == len(exchange.given):
        return deal
    return _with(_again(deal), replace(exchange, given=kept), terms)


def cut_short(deal: Deal, terms: Terms, record: int) -> tuple[Deal, Findings]:
    """Somebody plays before the exchange is done: play begins, and hands that it concerned are not known.

    Where the payers hold both big jokers there was nothing to exchange, and first leads.
    """
    found: Findings = ()
    if deal.phase is not Phase.TRIBUTE and deal.exchange is not None:
        deal, found = begin(deal, deal.exchange, terms.rulebook, record)
    exchange = deal.exchange
    if exchange is None:
        return begin_play(deal), found
    if exchange.anti and not exchange.given:
        return _open_play(deal, exchange.finish[0]), found
    taking = take(exchange, terms)
    leader = taking.leader if taking is not None else _leader_unseen(exchange, terms.rulebook)
    concerned = {*exchange.payers, exchange.finish[0]} | ({exchange.finish[1]} if len(exchange.payers) == 2 else set())
    unknown: dict[Seat, Hand] = {seat: None if seat in concerned else hand for seat, hand in deal.hands.items()}
    returned = {given.seat for given in exchange.given if given.to is not None}
    owing = exchange.payers if taking is None else tuple(s for s in taking.takers.values() if s not in returned)
    still = Finding("tribute_due", None, record, (("owing", _names(owing)),))
    deal = replace(deal, hands=unknown, hand_sizes=exchange.sizes)
    return _open_play(deal, leader), (*found, still)


def _leader_unseen(exchange: Exchange, rulebook: Rulebook) -> Seat | None:
    """Who leads whatever the tributes were; None if that depends on them."""
    if rulebook.leader_later_deals == "first":
        return exchange.finish[0]
    return exchange.payers[0] if len(exchange.payers) == 1 and exchange.anti is False else None


def _names(seats: tuple[Seat, ...]) -> str:
    return " ".join(seat.value for seat in seats)
