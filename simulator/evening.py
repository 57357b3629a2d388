"""Many deals at engine level: hands from a generator, players who keep the rules, no machine and no camera.

Deals follow each other in matches, from level 2 until a side is past A; then the next match begins.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.cards import PACKS, PLAY_ORDER, Card, Pair, Rank, Seat
from engine.rulebook import Rulebook
from engine.state import HAND, Action
from simulator.game import Game, Lay, NotTheRules, Pass
from simulator.maxims import ALL_MAXIMS, Maxim
from simulator.players import choose

Maxims = Mapping[Pair, frozenset[Maxim]]
EVERYBODY: Maxims = dict.fromkeys(Pair, ALL_MAXIMS)


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """One deal as it was played. `acts` are its plays and passes in order; `fault` is what stopped it, else None."""

    level: Rank
    acts: tuple[Action, ...]
    finish: tuple[Seat, ...]
    fault: str | None = None


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
    last = game.match.score.last_finish
    game.begin_deal(hands)
    game.lead(last[0] if last else drawn)
    acts: list[Action] = []
    fault = None
    while not game.over:
        seat = game.turn
        play = choose(game.view(seat, maxims=maxims[seat.pair]), choices)
        try:
            if play is None:
                game.do(Pass(seat))
                acts.append(Action(seat))
            else:
                game.do(Lay(seat, play.cards, play.reading))
                acts.append(Action(seat, play.cards, play.reading))
        except NotTheRules as error:
            fault = str(error)
            break
    return PlayedDeal(game.level, tuple(acts), game.deal.finish, fault)
