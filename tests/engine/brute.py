"""An independent checker, written from the definitions (RULEBOOKS 2.3, C-2 to C-9) and not from the engine's code.

Every wild is tried as every rank, and the cards that result are compared with the shape of each type. Slow on purpose.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement

RANKS = "23456789TJQKA"
LINE = "A" + RANKS
"""Natural order of sequences: the ace is low or high, never in between."""
Said = tuple[str, ...]
"""A reading in words: type and its keys in the order of RULEBOOKS 2.3."""


def readings(cards: tuple[str, ...], level: str) -> set[Said]:
    """All readings of cards written as `TH`, `SJ`, `BJ`."""
    wild = level + "H"
    natural = [card for card in cards if card != wild]
    wilds = len(cards) - len(natural)
    if not natural:
        return {1: {("single", level)}, 2: {("pair", level)}}.get(wilds, set())
    distinct = len({card if card[1] == "J" else card[0] for card in natural})
    if distinct > {5: 5, 6: 3}.get(len(cards), 2 if len(cards) == 4 else 1):
        return set()  # five cards are of five ranks at most, six of three, four of two (jokers), all others of one
    found: set[Said] = set()
    for stand_ins in combinations_with_replacement(RANKS, wilds):
        found |= _shapes(natural, [card if card[1] == "J" else card[0] for card in natural], list(stand_ins), level)
    return found


def _shapes(natural: list[str], held: list[str], stand_ins: list[str], level: str) -> set[Said]:
    ranks = Counter(held + stand_ins)
    size = sum(ranks.values())
    jokers = [rank for rank in ranks if len(rank) == 2]
    found: set[Said] = set()
    if ranks == Counter({"SJ": 2, "BJ": 2}):
        return {("joker_bomb",)}
    if len(ranks) == 1:
        (rank,) = ranks
        if size <= 2:
            found.add((("single", "pair")[size - 1], rank))
        elif size == 3 and not jokers:
            found.add(("triple", rank))
        elif 4 <= size <= 10 and not jokers:
            found.add(("bomb", rank, str(size)))
    if size == 5 and sorted(ranks.values()) == [2, 3]:
        (triple, _), (pair, _) = ranks.most_common()
        # A carried pair of two wilds is a pair of level cards and of nothing else (C-5).
        of_wilds = stand_ins.count(pair) == 2 and pair not in held
        if triple not in jokers and triple in held and not (of_wilds and pair != level):
            found.add(("full_house", triple, pair))
    if jokers:
        return found
    for kind, length, copies in (("straight", 5, 1), ("tube", 3, 2), ("plate", 2, 3)):
        for low in range(len(LINE) - length + 1):
            run = LINE[low : low + length]
            if ranks != Counter(run * copies):
                continue
            suits = {card[1] for card in natural}
            if kind == "straight" and len(suits) == 1:
                found.add(("straight_flush", run[-1], suits.pop()))
            else:
                found.add((kind, run[-1]))
    return found


def sets_with_readings(hand: tuple[str, ...], level: str) -> set[tuple[tuple[str, ...], Said]]:
    """Every distinct set of cards of a hand (sorted) with each of its readings."""
    found = set()
    for size in range(1, min(len(hand), 10) + 1):
        for cards in set(combinations(sorted(hand), size)):
            found |= {(cards, said) for said in readings(cards, level)}
    return found
