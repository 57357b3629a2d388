"""A deal in play as fast as Python lets it be: for statistics, search and measuring, not for a table.

Keeps what `engine.advance` keeps of a deal whose acts all keep the rules: hands, trick, turn, finishing order. It
judges nothing; what it does not offer must not be laid. A test plays both side by side. Source: RULEBOOKS 2.6, P-1 to
P-6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.cards import PLAY_ORDER, Card, Rank, Seat
from engine.combos import Reading
from engine.hand import Hand
from engine.option import Option


class Playout:
    """One deal from the first lead to the finishing order. Seats are numbered by `order`, partners two apart."""

    __slots__ = ("_alive", "best", "current", "finish", "hands", "over", "passes", "turn")

    def __init__(
        self, hands: Mapping[Seat, Iterable[Card]], level: Rank, leader: Seat, order: Sequence[Seat] = PLAY_ORDER
    ) -> None:
        self.hands = [Hand(hands[seat], level) for seat in order]
        self.turn = list(order).index(leader)
        self.current: Reading | None = None
        """What stands; None on a lead."""
        self.best = self.turn
        """Who laid what stands."""
        self.passes = 0
        self.finish: list[int] = []
        """Who has gone out, in order; all four, or two after a double-down, when the deal is over."""
        self.over = False
        self._alive = 4

    def options(self) -> list[Option]:
        """What the seat in turn may lay; on a play it may pass as well."""
        hand = self.hands[self.turn]
        return hand.leads() if self.current is None else hand.follows(self.current)

    def play(self, option: Option) -> tuple[Card, ...]:
        """The seat in turn lays one of its options; returns the cards."""
        turn = self.turn
        hand = self.hands[turn]
        cards = hand.cards_for(option)
        hand.take(cards)
        self.current, self.best, self.passes = option.reading, turn, 0
        if not hand.size:
            self._out(turn)
        if not self.over:
            self._next()
        return cards

    def skip(self) -> None:
        """The seat in turn passes."""
        self.passes += 1
        others = self._alive - (self.hands[self.best].size > 0)
        if self.passes < others:
            self._next()
            return
        self.current, self.passes = None, 0
        # Borrowed wind (借风): the partner leads for one who is out, and if he is out too, the next seat (P-5, P-6).
        self.turn = self.best
        if not self.hands[self.turn].size:
            self.turn = (self.best + 2) % 4
        if not self.hands[self.turn].size:
            self.turn = self.best
            self._next()

    def _out(self, seat: int) -> None:
        finish = self.finish
        finish.append(seat)
        self._alive -= 1
        if len(finish) == 2 and finish[0] ^ finish[1] == 2:
            self.over = True
        elif len(finish) == 3:
            finish.append(6 - sum(finish))
            self.over = True

    def _next(self) -> None:
        hands, turn = self.hands, self.turn
        while True:
            turn = (turn + 1) & 3
            if hands[turn].size:
                self.turn = turn
                return
