"""Positions for engine tests: an example as text, and positions taken out of random deals."""

from __future__ import annotations

from random import Random

from engine_support import Table, cards, opening, play_out

from engine.cards import Seat
from engine.position import Position, Standing
from engine.state import Match

EXAMPLE = """\
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
"""


def position_of(match: Match, unknown: frozenset[Seat] = frozenset(), laid: str = "") -> Position:
    """The position in which a match in play stands."""
    deal = match.deal
    assert deal is not None
    assert deal.trick is not None
    best = deal.trick.current
    held = [seat for seat in Seat if seat not in deal.finish]
    return Position(
        rulebook=match.rulebook,
        level=deal.level,
        play_order=match.play_order,
        levels=match.levels,
        declarer=deal.declarer,
        hands={seat: hand for seat in held if seat not in unknown and (hand := deal.hands[seat]) is not None},
        sizes={seat: deal.hand_sizes[seat] for seat in held if seat in unknown},
        laid=cards(laid),
        out=deal.finish,
        current=Standing(best.seat, best.cards, best.reading)
        if best is not None and best.reading is not None
        else None,
        passes=deal.trick.passes if best is not None else 0,
        turn=deal.turn,
    )


def middle_of(seed: int, acts: int) -> Match:
    """A lawful random deal after some of its acts, or at the end of it."""
    random = Random(seed)
    whole, table = Table(), Table()
    begun = opening(random)
    for fact in begun:
        whole.tell(fact)
    for fact in [*begun, *play_out(whole, random)[:acts]]:
        table.tell(fact)
    assert table.match is not None
    return table.match
