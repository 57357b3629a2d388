"""Make a golden deal: `python tests/engine/make_golden.py SEED LEVEL > tests/engine/golden/seed-SEED.txt`.

Random lawful play with some faults thrown in. The result is reviewed by reading it before it is kept; a later
difference means that the engine judges this deal otherwise than it did then.
"""

from __future__ import annotations

import sys
from random import Random

from engine_support import BOOK

from engine.cards import PACKS, PLAY_ORDER, Card, Level, Rank, Seat
from engine.combos import Reading
from engine.legal import legal_plays
from engine.notation import DealRecord, Line, write_deal
from engine.replay import replay
from engine.resolve import resolve
from engine.state import next_in_turn


def make(seed: int, level: Rank) -> DealRecord:
    """A deal with faults: about one act in fifteen is out of turn, too low or no combination."""
    random = Random(seed)
    pack = random.sample(PACKS, len(PACKS))
    hands = {seat: tuple(sorted(pack[27 * i : 27 * i + 27])) for i, seat in enumerate(PLAY_ORDER)}
    made = f"python tests/engine/make_golden.py {seed} {level.text}"
    note = f"Made by `{made}`: random play with faults; read before it was kept."
    deal = DealRecord(BOOK.id, level, random.choice(PLAY_ORDER), (), hands=hands, notes=(note,))
    while True:
        match, judged = replay(deal, BOOK)
        state = match.deal
        if state is None or state.is_over or state.turn is None or state.trick is None:
            return judged
        best = state.trick.current.reading if state.trick.current is not None else None
        hand = state.hands[state.turn] or ()
        if random.random() < 0.07:
            line = _fault(random, state.turn, next_in_turn(state, PLAY_ORDER, state.turn), hand)
        else:
            line = _lawful(random, state.turn, hand, level, best)
        deal = DealRecord(BOOK.id, level, deal.leader, (*deal.lines, line), hands=hands, notes=deal.notes)


def _lawful(random: Random, seat: Seat, hand: tuple[Card, ...], level: Rank, best: Reading | None) -> Line:
    plays = legal_plays(hand, level, best, BOOK)
    if not plays or (best is not None and random.random() < 0.4):
        return Line(seat)
    play = random.choice(plays)
    asked = resolve(play.cards, level, best, BOOK).needs_declaration
    return Line(seat, play.cards, play.reading if asked else None)


def _fault(random: Random, seat: Seat, other: Seat | None, hand: tuple[Card, ...]) -> Line:
    if other is not None and random.random() < 0.4:
        return Line(other)
    return Line(seat, tuple(random.sample(hand, min(len(hand), random.choice((1, 2, 3))))))


if __name__ == "__main__":
    sys.stdout.write(write_deal(make(int(sys.argv[1]), Level.parse(sys.argv[2]).rank)))
