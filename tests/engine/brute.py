"""An independent checker, written from the definitions (RULEBOOKS 2.3, 2.4, C-2 to C-9) without the engine.

Every wild is tried as every rank, and the cards that result are compared with the shape of each type. What cards mean
depends only on the ranks among them, the number of wilds and whether their suits agree, so each such pattern is worked
out once a level; after that every subset of a hand costs one look-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

RANKS = "23456789TJQKA"
LINE = "A" + RANKS
"""Natural order of sequences: the ace is low or high, never in between."""
SEQUENCES = (("straight", 5, 1), ("tube", 3, 2), ("plate", 2, 3))
"""Type, ranks in a row, cards of each."""
RUNS = {
    tuple(sorted(LINE[low : low + length] * copies)): (kind, LINE[low + length - 1])
    for kind, length, copies in SEQUENCES
    for low in range(len(LINE) - length + 1)
}
"""Type and highest rank of the ranks of every sequence."""
LARGEST = 10
"""Cards of the largest play (C-8)."""
MOST_CARDS = (LARGEST, LARGEST, 6, 6, 5, 5)
"""Cards of the largest play that has natural cards of so many ranks: a bomb, a tube or plate, a straight."""
Said = tuple[str, ...]
"""A reading in words: type and its keys in the order of RULEBOOKS 2.3."""
Laid = tuple[str, ...]
"""Cards written `TH`, `SJ`, `BJ`, sorted as texts: this puts all cards of a rank side by side."""


def readings(cards: Laid, level: str) -> frozenset[Said]:
    """All readings of sorted cards."""
    wild = level + "H"
    natural = [card for card in cards if card != wild]
    ranks = tuple(card if card[1] == "J" else card[0] for card in natural)
    suits = {card[1] for card in natural}
    return _of_pattern(ranks, len(cards) - len(natural), suits.pop() if len(suits) == 1 else "", level)


def sets_with_readings(hand: Laid, level: str) -> set[tuple[Laid, Said]]:
    """Every distinct set of cards of a hand (sorted) with each of its readings."""
    wild = level + "H"
    faces = sorted(Counter(hand).items())
    sets: list[tuple[Laid, Laid, int, str | None]] = [((), (), 0, None)]
    # Each set grows face by face, with its ranks, its wilds and the suit that its natural cards share: None while there
    # is no natural card, "" once suits differ.
    for face, copies in faces:
        rank = face if face[1] == "J" else face[0]
        more = []
        for cards, ranks, wilds, suit in sets:
            shared = suit if face == wild else face[1] if suit in (None, face[1]) else ""
            for count in range(1, copies + 1):
                added = (face,) * count
                now = ranks if face == wild else ranks + (rank,) * count
                different = len(set(now))
                if different > 5 or len(cards) + count > MOST_CARDS[different]:
                    break  # no further card makes a play of these
                more.append((cards + added, now, wilds + count if face == wild else wilds, shared))
        sets += more
    return {
        (cards, said) for cards, ranks, wilds, suit in sets for said in _of_pattern(ranks, wilds, suit or "", level)
    }


@cache
def _of_pattern(ranks: Laid, wilds: int, suit: str, level: str) -> frozenset[Said]:
    """Readings of natural cards of these ranks with so many wilds. suit: of all natural cards, "" if they differ."""
    if not ranks:  # wilds alone are read at face value (C-2)
        return frozenset({1: {("single", level)}, 2: {("pair", level)}}.get(wilds, ()))
    size = len(ranks) + wilds
    if len(set(ranks)) > {5: 5, 6: 3}.get(size, 2 if size == 4 else 1):
        return frozenset()  # five cards are of five ranks at most, six of three, four of two (jokers), others of one
    found: set[Said] = set()
    for stand_ins in combinations_with_replacement(RANKS, wilds):
        found |= _shapes(ranks, stand_ins, suit, level)
    return frozenset(found)


def _shapes(held: Laid, stand_ins: Laid, suit: str, level: str) -> set[Said]:
    """What ranks of natural cards and the ranks that wilds stand for make together."""
    ranks = tuple(sorted(held + stand_ins))
    if ranks == ("BJ", "BJ", "SJ", "SJ"):
        return {("joker_bomb",)}
    found: set[Said] = set()
    size, different = len(ranks), set(ranks)
    if len(different) == 1:
        rank = ranks[0]
        if size <= 2:
            found.add((("single", "pair")[size - 1], rank))
        elif size == 3 and rank in RANKS:
            found.add(("triple", rank))
        elif 4 <= size <= LARGEST and rank in RANKS:
            found.add(("bomb", rank, str(size)))
    if size == 5 and len(different) == 2 and ranks.count(ranks[2]) == 3:  # three of five are the middle one
        triple = ranks[2]
        (pair,) = different - {triple}
        # A carried pair of two wilds is a pair of level cards and of nothing else (C-5).
        of_wilds = stand_ins.count(pair) == 2 and pair not in held
        if triple in RANKS and triple in held and not (of_wilds and pair != level):
            found.add(("full_house", triple, pair))
    if ranks in RUNS:
        kind, high = RUNS[ranks]
        # Five in one suit are a straight flush and no straight (C-4).
        found.add(("straight_flush", high, suit) if kind == "straight" and suit else (kind, high))
    return found


BOMBS = ("bomb 4", "bomb 5", "straight_flush", "bomb 6", "bomb 7", "bomb 8", "bomb 9", "bomb 10", "joker_bomb")
"""From weak to strong (2.4)."""


@cache
def beats(over: Said, under: Said, level: str) -> bool:
    """Whether one reading may be laid on another."""
    ours, theirs = _bomb(over), _bomb(under)
    if ours != theirs:
        return ours > theirs
    if over[0] != under[0] or over[0] == "joker_bomb":
        return False
    # The level rank leaves its place and stands above the ace, except in sequences, which count by printed rank (C-6).
    sequence = over[0] in ("straight", "tube", "plate", "straight_flush")
    order = RANKS if sequence else (*RANKS.replace(level, ""), level, "SJ", "BJ")
    return order.index(over[1]) > order.index(under[1])


def _bomb(said: Said) -> int:
    """Place among the bombs; -1 for an ordinary type."""
    name = f"bomb {said[2]}" if said[0] == "bomb" else said[0]
    return BOMBS.index(name) if name in BOMBS else -1


def all_readings() -> Iterator[Said]:
    """Every reading that two packs can make at some level, type by type."""
    jokers = ("SJ", "BJ")
    yield from (("single", rank) for rank in (*RANKS, *jokers))
    yield from (("pair", rank) for rank in (*RANKS, *jokers))
    yield from (("triple", rank) for rank in RANKS)
    yield from (("full_house", triple, pair) for triple in RANKS for pair in (*RANKS, *jokers) if triple != pair)
    for kind, length, _ in SEQUENCES:
        yield from ((kind, high) for high in LINE[length - 1 :])
    yield from (("bomb", rank, str(size)) for rank in RANKS for size in range(4, LARGEST + 1))
    yield from (("straight_flush", high, suit) for high in LINE[4:] for suit in "SHDC")
    yield ("joker_bomb",)


ORDER = "SENW"
"""Order of play (C-1)."""
Hands = tuple[Laid, Laid, Laid, Laid]
"""Sorted cards by seat, in order of play."""


def sequences(
    hands: Hands,
    level: str,
    turn: int,
    acts: int,
    out: tuple[int, ...] = (),
    standing: tuple[int, Said] | None = None,
    passes: int = 0,
) -> int:
    """How many sequences of so many acts there are from a position (2.6, P-1 to P-6).

    An act is a play, each distinct set of cards in each of its readings, or a pass where there is something to beat. A
    sequence in which the deal ends earlier is none. turn, out: seats by number; standing: who laid what stands.
    """
    if len(out) == 3 or (len(out) == 2 and (out[0] - out[1]) % 4 == 2):
        return int(acts == 0)
    if acts == 0:
        return 1
    found = 0
    for cards, said in _sets(hands[turn], level):
        if standing is None or beats(said, standing[1], level):
            left = tuple(sorted((Counter(hands[turn]) - Counter(cards)).elements()))
            after = (*hands[:turn], left, *hands[turn + 1 :])
            gone = out if left else (*out, turn)
            found += sequences(after, level, _next(after, turn), acts - 1, gone, (turn, said))
    if standing is not None:
        best = standing[0]
        others = sum(bool(hand) for seat, hand in enumerate(hands) if seat != best)
        if passes + 1 < others:
            found += sequences(hands, level, _next(hands, turn), acts - 1, out, standing, passes + 1)
        else:  # who laid last leads, or the partner of one who is out, or else the next in turn
            leader = next((seat for seat in (best, (best + 2) % 4) if hands[seat]), _next(hands, best))
            found += sequences(hands, level, leader, acts - 1, out)
    return found


_sets = cache(sets_with_readings)


def _next(hands: Hands, seat: int) -> int:
    return next((seat + step) % 4 for step in (1, 2, 3, 4) if hands[(seat + step) % 4])
