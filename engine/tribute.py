"""Tribute and return: who owes, what may be given, who gets it, who leads. Source: RULEBOOKS 3.2, T-1 to T-10.

`finish` holds four seats, or the two partners of a double-down. Cards are sorted and name each face once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.cards import Card, Rank, Seat
from engine.order import strength
from engine.rulebook import Rulebook


def payers(finish: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who owes tribute after a deal: the last player, or both losers of a double-down, in the order of `Seat`."""
    if len(finish) > 2 and finish[1] is not finish[0].partner:
        return (finish[3],)
    return tuple(seat for seat in Seat if seat.pair is not finish[0].pair)


def is_anti_tribute(owing: Iterable[Seat], big_jokers: Mapping[Seat, int], rulebook: Rulebook) -> bool:
    """Whether those who owe hold both big jokers, in one hand or one each; others' jokers never count (T-1, T-9).

    Never where the rulebook knows no anti-tribute.
    """
    return rulebook.anti_tribute is not None and sum(big_jokers.get(seat, 0) for seat in owing) == 2


def tribute_options(hand: Iterable[Card], level: Rank, *, exempt_wild: bool = True) -> tuple[Card, ...]:
    """The largest cards in point order, the payer choosing among equals; a wild is exempt (T-2, T-3).

    A hand of nothing but wilds pays none: empty.
    """
    cards = {card for card in hand if not (exempt_wild and card.is_wild(level))}
    top = max((strength(card.rank, level) for card in cards), default=0)
    return tuple(sorted(card for card in cards if strength(card.rank, level) == top))


def return_options(hand: Iterable[Card], level: Rank, giver: Seat, to: Seat, rulebook: Rulebook) -> tuple[Card, ...]:
    """Cards that `giver` may give back to `to`: those not above the rulebook's limit in point order (T-6).

    The level card ranks above the ace, so it is above any limit. If every card is above the limit, the smallest ones
    may be returned, or any, as the rulebook says (T-7).
    """
    cards = set(hand)
    limit = rulebook.return_max_partner if to is giver.partner else rulebook.return_max_opponent
    if limit is None or not cards:
        return tuple(sorted(cards))
    low = {card for card in cards if card.rank is not level and card.rank <= limit}
    if not low and rulebook.return_fallback == "any":
        low = cards
    if not low:
        least = min(strength(card.rank, level) for card in cards)
        low = {card for card in cards if strength(card.rank, level) == least}
    return tuple(sorted(low))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Whose tribute first and second take, and return to, after a double-down; and who leads."""

    to_first: Seat
    to_second: Seat
    leader: Seat


def pair_tributes(
    first: Seat, tributes: Mapping[Seat, Card], level: Rank, order: tuple[Seat, ...], rulebook: Rulebook
) -> Pairing:
    """First takes the larger tribute, and its payer leads (T-8).

    Equal ones go clockwise, so first takes his right-hand neighbour's (T-4); or first takes the one tendered first,
    where the rulebook says so. Then the right-hand neighbour leads all the same, or who paid to first (T-5).
    tributes: the card of each of first's two opponents, in the order in which they were tendered. Raises KeyError if
    one of them is missing.
    """
    right = order[(order.index(first) + 1) % 4]
    left = right.partner
    by_right, by_left = (strength(tributes[seat].rank, level) for seat in (right, left))
    if by_left != by_right:
        larger = left if by_left > by_right else right
        return Pairing(larger, larger.partner, larger)
    taken = right if rulebook.equal_double_tribute == "clockwise" else next(iter(tributes))
    return Pairing(taken, taken.partner, taken if rulebook.equal_double_leader == "payer_to_first" else right)
