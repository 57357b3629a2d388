"""Many deals at engine level: hands from a generator, players who keep the rules, no machine and no camera.

Deals follow each other in matches, from level 2 until a side is past A; then the next match begins. Tribute is given
and returned before every deal that owes it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from engine.cards import PACKS, PLAY_ORDER, Card, Pair, Rank, Seat
from engine.exchange import BIG_JOKER, Terms, take
from engine.facts import CardReturned, JokersShown, TributeGiven
from engine.rulebook import Rulebook
from engine.state import HAND, Action, Phase
from engine.tribute import return_options, tribute_options
from simulator.game import Game, Lay, NotTheRules, Pass
from simulator.giving import choose_return, choose_tribute
from simulator.maxims import ALL_MAXIMS, Maxim
from simulator.players import choose

Handover = TributeGiven | CardReturned | JokersShown
Maxims = Mapping[Pair, frozenset[Maxim]]
EVERYBODY: Maxims = dict.fromkeys(Pair, ALL_MAXIMS)


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """One deal as it was played. `acts` are its plays and passes in order; `fault` is what stopped it, else None.

    hands: as they were dealt. handovers: tributes and returns before play, or the jokers that cancelled them.
    """

    level: Rank
    acts: tuple[Action, ...]
    finish: tuple[Seat, ...]
    fault: str | None = None
    hands: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict, repr=False)
    handovers: tuple[Handover, ...] = ()
    begins_match: bool = False


def play_deals(
    deals: int,
    seed: int,
    rulebook: Rulebook,
    maxims: Maxims = EVERYBODY,
    progress: Callable[[], None] = lambda: None,
) -> Iterator[PlayedDeal]:
    """Play so many deals. The same arguments give the same deals; which maxims are kept changes no hand dealt."""
    shuffling, choices = random.Random(f"deals {seed}"), random.Random(f"choices {seed}")
    game = Game(rulebook)
    for _ in range(deals):
        if game.match.is_over:
            game = Game(rulebook)
        yield _play(game, _hands(shuffling), shuffling, choices, maxims)
        progress()


def _hands(shuffling: random.Random) -> dict[Seat, tuple[Card, ...]]:
    cards = list(PACKS)
    shuffling.shuffle(cards)
    return {seat: tuple(sorted(cards[i * HAND : (i + 1) * HAND])) for i, seat in enumerate(Seat)}


def _play(
    game: Game,
    hands: Mapping[Seat, tuple[Card, ...]],
    shuffling: random.Random,
    choices: random.Random,
    maxims: Maxims,
) -> PlayedDeal:
    drawn = shuffling.choice(PLAY_ORDER)  # always drawn, so that the hands of later deals do not depend on play
    begins_match = not game.match.score.last_finish
    game.begin_deal(hands)
    if begins_match:
        game.lead(drawn)
    acts: list[Action] = []
    handovers: list[Handover] = []
    fault = None
    try:
        while (handover := next_handover(game, choices, maxims)) is not None:
            game.hand_over(handover)
            handovers.append(handover)
        while not game.over:
            seat = game.turn
            play = choose(game.view(seat, maxims=maxims[seat.pair]), choices)
            game.do(Pass(seat) if play is None else Lay(seat, play.cards, play.reading))
            acts.append(Action(seat) if play is None else Action(seat, play.cards, play.reading))
    except NotTheRules as error:
        fault = str(error)
    return PlayedDeal(game.level, tuple(acts), game.deal.finish, fault, hands, tuple(handovers), begins_match)


def next_handover(game: Game, choices: random.Random, maxims: Maxims) -> Handover | None:
    """What is due next before play: jokers shown, a tribute, a return; None when nothing is."""
    exchange, level = game.deal.exchange, game.level
    if game.deal.phase is not Phase.TRIBUTE or exchange is None:
        return None
    if exchange.anti:
        return JokersShown(tuple(seat for seat in exchange.payers if BIG_JOKER in game.hand(seat)))
    given = {handover.seat for handover in exchange.given}
    for payer in exchange.payers:
        if payer not in given:
            options = tribute_options(game.hand(payer), level, exempt_wild=game.rulebook.tribute_exempt_wild)
            return TributeGiven(payer, choose_tribute(game.hand(payer), options))
    taking = take(exchange, Terms(level, game.match.play_order, game.rulebook))
    assert taking is not None  # every tribute lies on the table
    payer, taker = next((payer, taker) for payer, taker in taking.takers.items() if taker not in given)
    options = return_options(game.hand(taker), level, taker, payer, game.rulebook)
    return CardReturned(taker, payer, choose_return(game.hand(taker), level, options, maxims[taker.pair], choices))
