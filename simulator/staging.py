"""Staged violations: which rule is broken when, and by whom, so that each happens once and nothing else is wrong.

Pure but for its own progress. All hands are known to the director, as to one who writes a play for four actors.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from engine.cards import CARDS, PACKS, Card, Rank, Seat
from engine.combos import Reading, Type, readings
from engine.legal import Play, legal_plays
from engine.order import BOMB_TYPES, strength
from engine.resolve import resolve
from engine.state import seats_in
from simulator.game import Act, Game, Lay, Pass
from simulator.mechanics import HeldPlan, face
from simulator.players import choose, is_plain, without

KINDS: Final = ("turn_order", "not_higher", "not_a_combination", "card_not_in_hand", "needs_declaration")
FIRST_ACT: Final = (1, 8)
"""The first violation comes after so many acts of the deal, each other so many after the one before."""
GAP_ACTS: Final = (2, 6)
LEFT_AFTER: Final = 11
"""An offender keeps at least so many cards, so that no report card falls due with a play that is taken back."""
AMBIGUOUS: Final = 5
"""A triple and two wilds: a bomb of five or a full house over a pair of level cards."""
TRIPLES: Final = tuple(rank for rank in Rank if not rank.is_joker and rank is not Rank.TWO)


class ViolationsDirector:
    """Directs deal 1: five kinds of violation, each once, in an order and at points that the generator chooses."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._waiting = rng.sample(KINDS, len(KINDS))
        self._due = rng.randint(*FIRST_ACT)
        self._acts = 0
        self._kept: tuple[Card, ...] = ()
        self._declarer: Seat | None = None
        self._quiet_trick: int | None = None

    @property
    def left(self) -> tuple[str, ...]:
        """Kinds that are still to come."""
        return tuple(self._waiting)

    def begin(self, game: Game) -> None:
        """A deal has been dealt. Find who can lay the set that has to be declared."""
        self._declarer, self._kept, self._quiet_trick = None, (), None
        if not self._waiting:
            return
        for seat in Seat:
            kept = ambiguous_set(game.hand(seat), game.level)
            if kept:
                self._declarer, self._kept = seat, kept
                return

    def next_act(self, game: Game) -> Act:
        """What happens next at the table."""
        if self._waiting and self._acts >= self._due:
            staged = self._stage(game, self._waiting[0])
            if staged is not None:
                return staged
        return self._ordinary(game)

    def performed(self, act: Act) -> None:
        """An act has happened and, if it was a violation, has been dealt with."""
        self._acts += 1
        if isinstance(act, Lay) and act.fault is not None:
            self._waiting.remove(act.fault)
            self._due = self._acts + self._rng.randint(*GAP_ACTS)
            if act.fault == "needs_declaration":
                self._kept, self._declarer = (), None

    # -- ordinary acts, led so that every violation gets its chance --------------------------------------------

    def _ordinary(self, game: Game) -> Act:
        seat = game.turn
        if game.trick_number == self._quiet_trick and game.current is not None:
            return Pass(seat)  # over a declared set: right whatever it was declared to be
        if self._fetches_lead():
            return self._fetch_lead(game)
        if not self._waiting:
            return _chosen(game, seat, (), self._rng)
        return self._careful(game, seat)

    def _fetches_lead(self) -> bool:
        return self._declarer is not None and bool(self._waiting) and self._waiting[0] == "needs_declaration"

    def _fetch_lead(self, game: Game) -> Act:
        """Bring the lead to the declarer: low singles are led, he takes one, nobody else wants it."""
        seat = game.turn
        if game.current is None:
            return _lowest_single(game, seat, self._kept_by(seat))
        if seat is not self._declarer:
            return Pass(seat)
        plays = legal_plays(without(game.hand(seat), self._kept), game.level, game.current, game.rulebook)
        most = len(game.hand(seat)) - AMBIGUOUS - 1
        plain = [play for play in plays if len(play.cards) <= most and is_plain(play, game.view(seat))]
        plain.sort(key=lambda play: (play.reading.type in BOMB_TYPES, len(play.cards)))
        return Lay(seat, plain[0].cards, plain[0].reading) if plain else Pass(seat)

    def _careful(self, game: Game, seat: Seat) -> Act:
        """An ordinary act that leaves everybody cards enough for what is still to come."""
        act = _chosen(game, seat, self._kept_by(seat), self._rng)
        least = LEFT_AFTER + 3
        if isinstance(act, Pass) or len(game.hand(seat)) - len(act.cards) >= least:
            return act
        return Pass(seat) if game.current is not None else _lowest_single(game, seat, self._kept_by(seat))

    def _kept_by(self, seat: Seat) -> tuple[Card, ...]:
        return self._kept if seat is self._declarer else ()

    # -- violations ------------------------------------------------------------------------------------------

    def _stage(self, game: Game, kind: str) -> Lay | None:
        """The violation if it can happen at this point."""
        seat = game.turn
        match kind:
            case "turn_order":
                return self._out_of_turn(game)
            case "not_higher":
                return self._too_low(game, seat)
            case "not_a_combination":
                return self._no_set(game, seat)
            case "card_not_in_hand":
                return self._sleeve(game, seat)
            case _:
                return self._ambiguous(game, seat)

    def _free(self, game: Game, seat: Seat) -> tuple[Card, ...]:
        """Cards that a seat may show without giving its plan away: neither wilds nor jokers nor what it keeps."""
        hand = without(game.hand(seat), self._kept_by(seat))
        return tuple(card for card in hand if not card.rank.is_joker and not card.is_wild(game.level))

    def _out_of_turn(self, game: Game) -> Lay | None:
        """The player after the one in turn plays before him."""
        early = game.after(game.turn)
        trick = game.deal.trick
        if (
            game.current is None
            or trick is None
            or early is None
            or len(seats_in(game.deal, game.match.play_order)) < 4
        ):
            return None
        if any(action.seat is early and not action.is_pass for action in trick.plays):
            return None  # his earlier cards lie there; another player is less of a muddle
        if len(game.hand(early)) < LEFT_AFTER + 1:
            return None
        view = game.view(early, self._kept_by(early))
        over = [
            play for play in legal_plays(view.hand, view.level, view.current, view.rulebook) if is_plain(play, view)
        ]
        plain = [
            play
            for play in over
            if play.reading.type not in BOMB_TYPES and len(game.hand(early)) - len(play.cards) >= LEFT_AFTER
        ]
        if plain:
            return Lay(early, plain[0].cards, plain[0].reading, "turn_order")
        free = self._free(game, early)
        return Lay(early, free[:1], None, "turn_order") if free else None

    def _too_low(self, game: Game, seat: Seat) -> Lay | None:
        """The same type of set as stands, but not higher."""
        current = game.current
        if current is None or current.type in BOMB_TYPES:
            return None
        found: list[Play] = []
        for play in legal_plays(self._free(game, seat), game.level, None, game.rulebook):
            if play.reading.type is current.type and len(game.hand(seat)) - len(play.cards) >= LEFT_AFTER:
                reason = resolve(play.cards, game.level, current, game.rulebook).reason
                if reason == "not_higher":
                    found.append(play)
        if not found:
            return None
        return Lay(seat, self._rng.choice(found).cards, None, "not_higher")

    def _no_set(self, game: Game, seat: Seat) -> Lay | None:
        """Two cards of different rank."""
        free = self._free(game, seat)
        if len(game.hand(seat)) - 2 < LEFT_AFTER or len({card.rank for card in free}) < 2:
            return None
        first = self._rng.choice(free)
        second = self._rng.choice([card for card in free if card.rank is not first.rank])
        cards = tuple(sorted((first, second)))
        assert not readings(cards, game.level)
        return Lay(seat, cards, None, "not_a_combination")

    def _sleeve(self, game: Game, seat: Seat) -> Lay | None:
        """A card that was never dealt to the seat, in an otherwise right play."""
        if game.current is not None and game.current.type is not Type.SINGLE:
            return None
        if len(game.hand(seat)) < LEFT_AFTER:
            return None
        laid, own = Counter(game.laid), set(game.dealt[seat])
        fitting = [
            card
            for card in CARDS
            if card not in own and not card.rank.is_joker and not card.is_wild(game.level) and laid[card] < 2
            and _is_single_over(card, game)
        ]  # fmt: skip
        if not fitting:
            return None
        card = self._rng.choice(fitting)
        return Lay(seat, (card,), Reading(Type.SINGLE, card.rank), "card_not_in_hand")

    def _ambiguous(self, game: Game, seat: Seat) -> Lay | None:
        """On a lead: triple, wild, wild; meant as a bomb."""
        if game.current is not None or seat is not self._declarer:
            return None
        found = resolve(self._kept, game.level, None, game.rulebook)
        assert found.needs_declaration
        self._quiet_trick = game.trick_number
        meant = next(reading for reading in found.legal if reading.type is Type.BOMB)
        return Lay(seat, self._kept, meant, "needs_declaration")


def _is_single_over(card: Card, game: Game) -> bool:
    return resolve((card,), game.level, game.current, game.rulebook).chosen is not None


def _chosen(game: Game, seat: Seat, kept: tuple[Card, ...], rng: random.Random) -> Act:
    play = choose(game.view(seat, kept), rng)
    return Lay(seat, play.cards, play.reading) if play is not None else Pass(seat)


def _lowest_single(game: Game, seat: Seat, kept: tuple[Card, ...]) -> Lay:
    card = min(without(game.hand(seat), kept), key=lambda card: strength(card.rank, game.level))
    return Lay(seat, (card,), Reading(Type.SINGLE, card.rank))


def ambiguous_set(hand: tuple[Card, ...], level: Rank) -> tuple[Card, ...]:
    """Triple, wild, wild out of a hand, in that order; () if it holds no such set."""
    wilds = [card for card in hand if card.is_wild(level)]
    if len(wilds) < 2:
        return ()
    for rank in tuple(Rank)[:13]:
        same = [card for card in hand if card.rank is rank]
        if rank is not level and len(same) >= 3:
            return (*same[:3], *wilds[:2])
    return ()


class Stacking:
    """Gives both wilds of level 2 and a triple to one seat in the first deal, whatever seats the plan names.

    Safe to call again for the same plan: the order that it has made stays.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._deal_no: int | None = None

    def __call__(self, plan: HeldPlan, hopper: tuple[int, ...]) -> tuple[int, ...]:
        """The feed order for a plan; cards are physical numbers 0..107 as in MachineState.hopper."""
        if self._deal_no is None:
            self._deal_no = plan.deal_no
        if plan.deal_no != self._deal_no or len(hopper) != len(PACKS):
            return hopper
        rng = random.Random(f"stacking {self._seed}")
        order = list(hopper)
        seat = rng.randrange(4)
        rank = rng.choice(TRIPLES)
        wilds = [card for card in range(len(PACKS)) if Card(face(card)).is_wild(Rank.TWO)]
        triple = rng.sample([card for card in range(len(PACKS)) if Card(face(card)).rank is rank], 3)
        own = [index for index, to in enumerate(plan.seats) if to == seat]
        for place, card in zip(rng.sample(own, 5), (*wilds, *triple), strict=True):
            at = order.index(card)
            order[at], order[place] = order[place], order[at]
        return tuple(order)
