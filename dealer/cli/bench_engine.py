"""`dealer bench engine`: readings, lists of plays, a deal played out, and the import."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Final

from dealer.cli.measure import SORTS, Figure, best_of_all, figure, sort_27
from dealer.clock import Clock
from engine.cards import CARDS, PACKS, PLAY_ORDER, Card, Rank
from engine.combos import Reading, Type, readings
from engine.hand import Hand
from engine.physical import physical_plays
from engine.playout import Playout

LEVEL: Final = Rank.FIVE
WILD: Final = CARDS[LEVEL * 4 + 1]
HANDS: Final = 60
PHYSICAL_HANDS: Final = 30
PLAYS: Final = 10_000
DEALS: Final = 60
IMPORT: Final = "import time; t = time.perf_counter(); import engine.advance, engine.physical, engine.rulebook_data; "
IMPORTS: Final = 5
ROUNDS: Final = 15
WARM: Final = 20
"""Rounds of the shortest work, so that it runs as warm as the sort that it is compared with."""


def engine_figures(clock: Clock) -> dict[str, Figure]:
    """All figures of the engine; times of lists are a mean over many hands."""
    rng = random.Random(1)
    sets = _sets(rng)
    hands = [[_hand(rng, wilds) for _ in range(HANDS)] for wilds in range(3)]
    mixed = [_hand(rng, number % 3) for number in range(HANDS)]
    sevens = Reading(Type.PAIR, Rank.SEVEN)
    works: dict[str, tuple[Callable[[], object], int]] = {
        "sorted27_us": (sort_27(), SORTS),
        "classify_us": (lambda: [readings(cards, LEVEL) for cards in sets], 1),
        "follow_pair_us": (lambda: [hand.follows(sevens) for hand in mixed], WARM),
        "random_deal_us": (partial(_random_deals, rng), 1),
    }
    units = {"sorted27_us": 1, "classify_us": len(sets), "follow_pair_us": HANDS, "random_deal_us": DEALS}
    for wilds in range(3):
        works[f"lead_representative_us_{wilds}w"] = (partial(_options, hands[wilds]), 1)
        works[f"lead_physical_us_{wilds}w"] = (partial(_physical, hands[wilds][:PHYSICAL_HANDS]), 1)
        units |= {f"lead_representative_us_{wilds}w": HANDS, f"lead_physical_us_{wilds}w": PHYSICAL_HANDS}
    for work, _ in works.values():
        work()  # tables are made when first needed
    best = best_of_all(clock, works, ROUNDS)
    figures = {name: figure(best[name] / units[name], "us", units[name] * works[name][1] * ROUNDS) for name in works}
    for wilds in range(3):
        few = hands[wilds][:PHYSICAL_HANDS]
        options, plays = _options(hands[wilds]), _physical(few)
        figures[f"lead_representative_plays_{wilds}w"] = figure(options / HANDS, "plays", HANDS)
        figures[f"lead_physical_plays_{wilds}w"] = figure(plays / len(few), "plays", len(few))
    figures["import_ms"] = _import_ms()
    return figures


def _options(hands: list[Hand]) -> int:
    return sum([len(hand.leads()) for hand in hands])


def _physical(hands: list[Hand]) -> int:
    return sum([len(physical_plays(hand)) for hand in hands])


def _hand(rng: random.Random, wilds: int) -> Hand:
    natural = [card for card in PACKS if card != WILD]
    return Hand([*rng.sample(natural, 27 - wilds), *[WILD] * wilds], LEVEL)


def _sets(rng: random.Random) -> list[tuple[Card, ...]]:
    """Different plays of hands of 27, of every type and with up to two wilds, and one in twelve that is none."""
    plays: dict[tuple[Card, ...], None] = {}
    while len(plays) < PLAYS:
        hand = _hand(rng, rng.randrange(3))
        listed = physical_plays(hand)
        plays |= dict.fromkeys(cards for cards, _ in rng.sample(listed, 110))
        plays |= dict.fromkeys(tuple(rng.sample(hand.cards(), rng.randint(2, 6))) for _ in range(10))
    return list(plays)


def _random_deals(rng: random.Random) -> None:
    for _ in range(DEALS):
        _random_deal(rng)


def _random_deal(rng: random.Random) -> None:
    """Shuffle, deal, and play any legal play or a pass, all alike, to the end."""
    cards = list(PACKS)
    rng.shuffle(cards)
    deal = Playout({seat: cards[i * 27 : i * 27 + 27] for i, seat in enumerate(PLAY_ORDER)}, LEVEL, PLAY_ORDER[0])
    chance = rng.random
    while not deal.over:
        options = deal.options()
        chosen = int(chance() * (len(options) + (deal.current is not None)))
        if chosen == len(options):
            deal.skip()
        else:
            deal.play(options[chosen])


def _import_ms() -> Figure:
    """Import of the whole engine in a fresh interpreter, the best of some."""
    times = []
    for _ in range(IMPORTS):
        told = subprocess.run(
            [sys.executable, "-c", f"{IMPORT}print((time.perf_counter() - t) * 1000)"],
            capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
        times.append(float(told.stdout))
    return figure(min(times), "ms", IMPORTS)
