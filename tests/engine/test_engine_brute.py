"""The engine against an independent checker: all readings, both lists of plays and the order, at every level."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, groupby
from random import Random

import brute
import pytest
from engine_support import in_words

from engine.cards import PACKS, Card, Rank, Suit, parse_cards
from engine.combos import KEYS, Reading, Type, readings
from engine.hand import Hand
from engine.order import beats
from engine.physical import physical_plays
from engine.resolve import resolve
from engine.rulebook_data import load_rulebook

LEVELS = tuple(Rank)[:13]
CORE = load_rulebook("core")
BY_TYPE = [tuple(group) for _, group in groupby(brute.all_readings(), key=lambda said: said[0])]
EACH_LEVEL = 156
"""Dense hands of a level in the short form: 52 each with 0, 1 and 2 wilds; 2,028 in all."""
CHUNK = 500


said = cache(in_words)


@cache
def meant(words: brute.Said) -> Reading:
    """What the checker's words mean."""
    kind = Type(words[0])
    form: dict[str, str | int] = dict(zip(KEYS[kind], words[1:], strict=True))
    if kind is Type.BOMB:
        form["size"] = int(words[2])
    return Reading.from_json({"type": words[0], **form})


def dense_hand(seed: int, size: int) -> tuple[tuple[Card, ...], Rank]:
    """Cards of six neighbouring ranks, with 0, 1 or 2 wilds; every level comes in turn."""
    rng, level, wilds = Random(seed), LEVELS[seed % 13], seed // 13 % 3
    low = rng.randrange(13)
    ranks = {(low + step) % 13 for step in range(6)}
    wild = Card.of(level, Suit.HEART)
    pool = [c for c in PACKS if c != wild and (int(c.rank) in ranks or (c.rank.is_joker and rng.random() < 0.5))]
    return tuple(rng.sample(pool, size - wilds)) + (wild,) * wilds, level


def compare_hand(seed: int, size: int) -> None:
    """All readings of all subsets of a hand, both lists of leads, and both lists of what it can lay on each type."""
    cards, level = dense_hand(seed, size)
    wanted = brute.sets_with_readings(tuple(card.text for card in cards), level.text)
    subsets = chain.from_iterable(combinations(sorted(cards, key=str), count) for count in range(1, size + 1))
    found = {(tuple(map(str, subset)), said(r)) for subset in subsets for r in readings(subset, level)}
    assert found == wanted, f"seed {seed}: readings"
    wild = Card.of(level, Suit.HEART).text
    fewest: dict[brute.Said, int] = {}
    for laid, words in wanted:
        fewest[words] = min(laid.count(wild), fewest.get(words, 2))
    hand = Hand(cards, level)
    for option in hand.leads():
        lies = hand.cards_for(option)
        assert option.reading in readings(lies, level), (seed, option)
        assert (tuple(sorted(card.text for card in lies)), said(option.reading)) in wanted, (seed, option)
    rng = Random(seed)
    of_each_type = [rng.choice(group) for group in BY_TYPE]
    for under, joker_pair, most in [
        (None, True, 10),
        *((under, True, 10) for under in of_each_type),
        (None, False, 6),
        (rng.choice(of_each_type), False, 6),
    ]:
        may = {
            words: wilds
            for words, wilds in fewest.items()
            if (under is None or brute.beats(words, under, level.text)) and is_allowed(words, joker_pair, most)
        }
        current = meant(under) if under is not None else None
        switches = {"full_house_joker_pair": joker_pair, "max_cards": most}
        options = hand.leads(**switches) if current is None else hand.follows(current, **switches)
        physical = [
            (tuple(sorted(map(str, laid))), said(reading))
            for laid, reading in physical_plays(hand, current, **switches)
        ]

        where = f"seed {seed}: on {under}, jokers carried: {joker_pair}, at most {most} cards"
        assert len(options) == len(may), where
        assert {said(option.reading): option.wilds for option in options} == may, where
        laid_as = {(laid, words) for laid, words in wanted if words in may}
        assert len(physical) == len(laid_as), where
        assert set(physical) == laid_as, where


def is_allowed(words: brute.Said, joker_pair: bool, most: int) -> bool:
    """Whether switches of a rulebook let this be played: jokers carried by a full house, cards of a bomb."""
    if words[0] == "full_house":
        return joker_pair or words[2] in brute.RANKS
    return words[0] != "bomb" or int(words[2]) <= most


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: f"level-{level.text}")
def test_readings_and_both_lists_of_dense_hands_agree_with_the_definitions(level: Rank) -> None:
    for seed in range(int(level), 13 * EACH_LEVEL, 13):
        compare_hand(seed, 11)


@pytest.mark.sweep
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("size", "seeds"),
    [
        pytest.param(size, range(start, start + CHUNK), id=f"{size}-cards-seeds-{start}-to-{start + CHUNK - 1}")
        for size, first, end in ((11, 10_000, 28_000), (14, 30_000, 32_000))
        for start in range(first, end, CHUNK)
    ],
)
def test_many_more_hands_agree_with_the_definitions(size: int, seeds: range) -> None:
    """The seeds stand in the id of each chunk, so that a chunk can be run again by its name."""
    for seed in seeds:
        compare_hand(seed, size)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: f"level-{level.text}")
def test_cards_laid_on_a_play_are_judged_by_the_definitions(level: Rank) -> None:
    """C-10 without placement: what is legal, what is chosen or asked for, and when there is nothing to choose."""
    rng, seen = Random(int(level)), set()
    for seed in range(int(level), 13 * 24, 13):
        hand = sorted(card.text for card in dense_hand(seed, 11)[0])
        playable = sorted({texts for texts, _ in brute.sets_with_readings(tuple(hand), level.text)})
        for under in [None, *(rng.choice(group) for group in BY_TYPE)]:
            anything = [tuple(sorted(rng.sample(hand, size))) for size in (2, 3, 4, 5, 6, 7)]
            for texts in [*rng.sample(playable, min(60, len(playable))), *anything]:
                laid = parse_cards(texts)
                words = brute.readings(texts, level.text)
                legal = {meaning for meaning in words if under is None or brute.beats(meaning, under, level.text)}

                found = resolve(laid, level, meant(under) if under else None, CORE, use_placement=False)

                assert set(map(said, found.legal)) == legal
                assert (found.reason is None) is bool(legal)
                assert (found.reason == "not_a_combination") is (not words)
                assert found.needs_declaration is (len({kind for kind, *_ in legal}) > 1)
                if found.chosen is not None:
                    assert not any(brute.beats(other, said(found.chosen), level.text) for other in legal)
                    assert found.assumed is (len(legal) > 1)
                seen.add((found.reason, found.needs_declaration, found.assumed))

    assert len(seen) == 7


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: f"level-{level.text}")
def test_order_of_all_readings_is_that_of_the_definitions(level: Rank) -> None:
    """All pairs of readings; of full houses and straight flushes only those over 2 or 3 and in spades or hearts."""
    chosen = [words for words in brute.all_readings() if words[2:] < ("4",) or words[2:] in {("S",), ("H",)}]
    chosen += [words for words in brute.all_readings() if words[0] == "bomb"]
    for over in chosen:
        for under in chosen:
            assert beats(meant(over), meant(under), level) is brute.beats(over, under, level.text), (over, under)
