"""Inputs on which public Guandan engines are known to go wrong, with the right answers, each named by what it proves.

Cards in the project's notation. Source of the answers: RULEBOOKS 2.3 to 2.6, 3.3, 3.5 and the decisions named.
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations

import pytest
from engine_support import BOOK, TWO, E, N, S, W, cards, playing, said

from engine.cards import PLAY_ORDER, Level, Pair, Rank, Seat
from engine.combos import Type, readings
from engine.hand import Hand, ThirdCopy
from engine.legal import legal_plays
from engine.levels import after_deal
from engine.order import beats
from engine.physical import physical_plays
from engine.resolve import resolve
from engine.rulebook_data import load_rulebook
from engine.state import Phase, Score
from engine.tribute import is_anti_tribute, pair_tributes, return_options, tribute_options

EW, NS = Pair.EW, Pair.NS

READINGS = {
    "wild-at-either-end-of-four-in-a-row": ("8", "3S 4C 5D 6S 8H", ["straight 6", "straight 7"]),
    "wild-joins-either-pair-of-a-full-house": (
        "6",
        "7S 7C 8S 8D 6H",
        ["full_house 7 over 8", "full_house 8 over 7"],
    ),
    "two-pairs-and-two-wilds-are-two-tubes-and-a-plate": (
        "6",
        "7S 7C 8S 8D 6H 6H",
        ["tube 8", "tube 9", "plate 8"],
    ),
    "four-jokers-are-a-bomb-on-the-lead-too": ("2", "SJ SJ BJ BJ", ["joker_bomb"]),
    "wild-of-another-suit-completes-a-straight-flush": ("8", "3S 4S 8H 6S 7S", ["straight_flush 7 S"]),
    "wild-fills-the-king-below-an-ace": ("6", "TS JC QD AS 6H", ["straight A"]),
    "two-wilds-go-below-kings-and-aces-or-between-them": ("6", "KS KC AS AD 6H 6H", ["tube A", "plate A"]),
    "wild-completes-a-triple-that-carries-big-jokers": ("6", "7S 7C 6H BJ BJ", ["full_house 7 over BJ"]),
    "three-and-two-and-a-wild-are-a-plate-and-no-tube": ("6", "7S 7C 7D 8S 8D 6H", ["plate 8"]),
    "two-wilds-around-jack-queen-king": ("6", "JS QC KD 6H 6H", ["straight K", "straight A"]),
    "wild-among-its-own-level-cards-is-a-bomb-of-them": ("6", "6S 6C 6D 6H", ["bomb 6 x4"]),
    "joker-bomb-carries-no-kicker": ("2", "SJ SJ BJ BJ 3S", []),
    "joker-bomb-carries-no-bomb": ("2", "SJ SJ BJ BJ 3S 3D 3C 3H", []),
    "wild-makes-no-third-small-joker": ("9", "SJ SJ 9H", []),
    "two-wilds-make-no-triple-of-a-big-joker": ("K", "BJ KH KH", []),
    "triple-carries-a-pair-of-small-jokers": ("3", "SJ SJ KS KC KD", ["full_house K over SJ"]),
    "wild-completes-the-higher-triple-of-a-plate": ("Q", "9C 9D 9S TD TD QH", ["plate T"]),
    "big-joker-is-no-ace-in-a-straight": ("T", "BJ 2S 3D 4C 5D", []),
    "big-jokers-are-no-pair-of-a-tube": ("2", "BJ BJ AS AD KS KC", []),
    "two-wilds-make-no-bomb-of-jokers": ("6", "SJ SJ 6H 6H", []),
    "two-jokers-of-different-colours-are-no-pair": ("6", "SJ BJ", []),
    "ace-is-low-in-a-straight": ("6", "AS 2C 3D 4S 5S", ["straight 5"]),
    "ace-is-low-in-a-tube": ("6", "AS AC 2D 2S 3S 3C", ["tube 3"]),
    "ace-is-low-in-a-plate": ("6", "AS AC AD 2S 2C 2D", ["plate 2"]),
    "level-rank-is-the-lower-triple-of-a-plate": ("6", "6S 6H 6C 7S 7H 7C", ["plate 7"]),
    "level-rank-is-the-middle-of-a-tube": ("6", "5S 5C 6D 6S 7S 7H", ["tube 7"]),
    "level-rank-two-is-the-higher-triple-of-a-plate": ("2", "AS AC AD 2S 2C 2D", ["plate 2"]),
    "queens-kings-aces-are-a-tube": ("2", "QS QH KS KC AD AS", ["tube A"]),
    "bomb-of-nine": ("2", "5S 5S 5C 5C 5D 5D 5H 5H 2H", ["bomb 5 x9"]),
    "bomb-of-ten": ("2", "5S 5S 5C 5C 5D 5D 5H 5H 2H 2H", ["bomb 5 x10"]),
    "wild-of-the-level-two-joins-threes-or-stays-a-two": (
        "2",
        "2S 2C 2H 3S 3D",
        ["full_house 2 over 3", "full_house 3 over 2"],
    ),
    "two-wilds-beside-three-in-a-row-are-three-straights": (
        "8",
        "5S 6C 7D 8H 8H",
        ["straight 7", "straight 8", "straight 9"],
    ),
    "two-wilds-alone-are-a-pair-of-level-cards-only": ("6", "6H 6H", ["pair 6"]),
    "one-suit-is-a-straight-flush-and-no-straight": ("2", "3D 4D 5D 6D 7D", ["straight_flush 7 D"]),
    "level-triple-and-two-wilds-are-a-bomb-only": ("8", "8S 8C 8D 8H 8H", ["bomb 8 x5"]),
    "triple-and-two-wilds-are-a-bomb-or-carry-level-cards": (
        "8",
        "9S 9C 9D 8H 8H",
        ["bomb 9 x5", "full_house 9 over 8"],
    ),
    "three-wilds-do-not-exist": ("5", "5H 5H 5H 7H 6S", []),
    "no-straight-around-the-ace": ("7", "JS QD KC AS 2D", []),
    "no-tube-around-the-ace": ("7", "KS KD AS AD 2C 2D", []),
}


@pytest.mark.parametrize(("level", "laid", "meanings"), READINGS.values(), ids=READINGS)
def test_all_readings_of_a_play(level: str, laid: str, meanings: list[str]) -> None:
    found = readings(cards(laid), Rank.parse(level))

    assert set(found) == said(*meanings)
    assert len(found) == len(set(found))


ORDER = {
    "level-bomb-tops-its-size": ("6", "bomb 6 x4", "bomb A x4"),
    "level-triple-tops-full-houses": ("2", "full_house 2 over 3", "full_house A over K"),
    "four-jokers-beat-ten-of-a-rank": ("2", "joker_bomb", "bomb A x10"),
    "four-jokers-beat-five-of-a-rank": ("2", "joker_bomb", "bomb 2 x5"),
    "four-jokers-beat-a-straight-flush": ("2", "joker_bomb", "straight_flush A H"),
    "straight-flush-beats-five-of-a-rank": ("2", "straight_flush 5 C", "bomb 2 x5"),
    "six-of-a-rank-beat-a-straight-flush": ("2", "bomb 3 x6", "straight_flush A C"),
    "plate-counts-by-natural-place": ("5", "plate A", "plate 6"),
    "ace-low-is-the-lowest-straight": ("6", "straight 6", "straight 5"),
    "ace-low-is-the-lowest-tube": ("6", "tube 4", "tube 3"),
    "ace-low-is-the-lowest-plate": ("6", "plate 3", "plate 2"),
    "level-card-beats-the-ace": ("6", "single 6", "single A"),
    "ten-of-a-rank-beat-nine": ("2", "bomb 3 x10", "bomb A x9"),
}


@pytest.mark.parametrize(("level", "stronger", "weaker"), ORDER.values(), ids=ORDER)
def test_one_play_beats_another_and_not_the_other_way(level: str, stronger: str, weaker: str) -> None:
    over, under = said(stronger).pop(), said(weaker).pop()

    assert beats(over, under, Rank.parse(level))
    assert not beats(under, over, Rank.parse(level))


@pytest.mark.parametrize(("a", "b"), list(combinations("SHDC", 2)))
def test_straight_flushes_of_one_height_do_not_beat_each_other(a: str, b: str) -> None:
    one, other = said(f"straight_flush 9 {a}").pop(), said(f"straight_flush 9 {b}").pop()

    assert not beats(one, other, TWO)
    assert not beats(other, one, TWO)


# -- what is offered --------------------------------------------------------------------------------------------------

OFFERED = {
    "lowest-tube-beside-a-pair-of-kings": ("9", "AS AD KS KD 2S 2D 3S 3D", None, "tube 3"),
    "lowest-plate": ("9", "AS AD AC 2S 2D 2C", None, "plate 2"),
    "full-house-over-jokers": ("9", "8S 8D 8C SJ SJ", "full_house 7 over A", "full_house 8 over SJ"),
    "plate-with-a-wild": ("Q", "9C 9D 9S TD TD QH", None, "plate T"),
    "larger-bomb-over-a-bomb": ("2", "8S 8S 8D 8D 8C", "bomb A x4", "bomb 8 x5"),
    "bomb-of-nine-over-one-of-eight": ("2", "8S 8S 8D 8D 8C 8C 8H 8H 2H", "bomb A x8", "bomb 8 x9"),
    "bomb-of-ten-over-one-of-nine": ("2", "8S 8S 8D 8D 8C 8C 8H 8H 2H 2H", "bomb A x9", "bomb 8 x10"),
    "joker-bomb-over-a-bomb-of-ten": ("2", "SJ SJ BJ BJ 3S", "bomb A x10", "joker_bomb"),
    "straight-with-both-wilds-at-its-low-end": ("8", "TS JC QD 8H 8H", "straight J", "straight Q"),
}


@pytest.mark.parametrize(("level", "hand", "current", "offered"), OFFERED.values(), ids=OFFERED)
def test_play_is_offered(level: str, hand: str, current: str | None, offered: str) -> None:
    under = said(current).pop() if current is not None else None

    plays = legal_plays(cards(hand), Rank.parse(level), under, BOOK)

    assert said(offered) <= {play.reading for play in plays}


def test_four_jokers_and_a_card_are_offered_as_pairs_singles_and_the_bomb() -> None:
    plays = legal_plays(cards("SJ SJ BJ BJ 3S"), TWO, None, BOOK)

    assert {play.reading for play in plays} == said(
        "single 3", "single SJ", "single BJ", "pair SJ", "pair BJ", "joker_bomb"
    )
    assert [play.cards for play in plays if play.reading.type is Type.JOKER_BOMB] == [cards("SJ SJ BJ BJ")]


def test_long_hand_is_listed_to_its_end() -> None:
    """27 cards, nine ranks in pairs, a bomb of eight and a wild: every tube and every size of bomb is there."""
    hand = cards("2S 2D 3S 3D 4S 4D 5S 5D 6S 6D 7S 7D 9S 9D TS TD JS JD 8S 8S 8D 8D 8C 8C 8H 8H QH")

    plays = legal_plays(hand, Rank.QUEEN, None, BOOK)

    found = {play.reading for play in plays}
    assert {play.high for play in found if play.type is Type.TUBE} == {Rank(high) for high in range(2, 10)}
    assert {(play.rank, play.size) for play in found if play.type is Type.BOMB} == {
        (Rank.EIGHT, size) for size in range(4, 10)
    }
    assert len(hand) == 27


def test_suited_run_is_never_offered_as_a_plain_straight() -> None:
    hand = Hand(cards("3D 4D 5D 6D 7D"), TWO)

    kinds = {option.reading.type for option in hand.leads()}

    assert kinds == {Type.SINGLE, Type.STRAIGHT_FLUSH}
    assert {reading.type for _, reading in physical_plays(hand)} == kinds


@pytest.mark.parametrize(
    ("hand", "kind", "count"),
    [("7S 7D", Type.PAIR, 1), ("7S 7D 7C", Type.PAIR, 3), ("7S 7S 7D", Type.PAIR, 2), ("7S 7D 7C 7H", Type.TRIPLE, 4)],
)
def test_cards_in_another_order_are_no_further_play(hand: str, kind: Type, count: int) -> None:
    found = [frozenset(laid) for laid, reading in physical_plays(Hand(cards(hand), TWO)) if reading.type is kind]

    assert len(found) == len(set(found)) == count


def test_hand_with_three_wilds_is_refused_by_card() -> None:
    with pytest.raises(ThirdCopy, match="5H is there three times"):
        Hand(cards("5H 5H 5H 7H 6S"), Rank.FIVE)


def test_play_with_two_meanings_asks_for_a_declaration() -> None:
    asked = resolve(cards("7S 6H 7C 8S 6H 8D"), Rank.SIX, None, BOOK, use_placement=False)
    told = resolve(cards("7S 6H 7C 8S 6H 8D"), Rank.SIX, None, BOOK, said("tube 8").pop())

    assert asked.needs_declaration
    assert set(asked.legal) == said("tube 8", "tube 9", "plate 8")
    assert told.chosen == said("tube 8").pop()


# -- tribute ----------------------------------------------------------------------------------------------------------


def test_payers_with_a_big_joker_each_pay_nothing() -> None:
    assert is_anti_tribute((S, N), {S: 1, N: 1}, BOOK)
    assert not is_anti_tribute((S, N), {S: 1, E: 1}, BOOK)


def test_wild_is_not_paid_even_if_it_is_the_largest_card() -> None:
    assert tribute_options(cards("8H AS 8D"), Rank.EIGHT) == cards("8D")
    assert tribute_options(cards("8H AS KD"), Rank.EIGHT) == cards("AS")


@pytest.mark.parametrize(
    ("level", "hand", "may"),
    [
        ("2", "SJ BJ AS KD QC", "QC"),
        ("5", "BJ AS 5D 5H 6C TS", "6C TS"),
        ("2", "SJ TS 9D", "9D TS"),
        ("6", "SJ 6S 6D", "6D 6S"),
    ],
    ids=["smallest-if-none-up-to-ten", "no-level-card", "no-joker", "level-cards-if-nothing-is-smaller"],
)
def test_card_that_goes_back_where_ten_is_the_limit(level: str, hand: str, may: str) -> None:
    assert set(return_options(cards(hand), Rank.parse(level), S, W, BOOK)) == set(cards(may))


@pytest.mark.parametrize(
    ("by_south", "by_north", "to_first"),
    [("SJ", "AS", S), ("AS", "SJ", N), ("2D", "AS", S), ("AS", "AD", N)],
    ids=["larger-of-the-left", "larger-of-the-right", "level-card-above-the-ace", "equal-ones-clockwise"],
)
def test_larger_of_two_tributes_goes_to_first_and_each_return_to_its_payer(
    by_south: str, by_north: str, to_first: Seat
) -> None:
    (south,), (north,) = cards(by_south), cards(by_north)

    pairing = pair_tributes(E, {S: south, N: north}, TWO, PLAY_ORDER, BOOK)

    assert (pairing.to_first, pairing.to_second, pairing.leader) == (to_first, to_first.partner, to_first)


# -- the end of a deal, and levels ------------------------------------------------------------------------------------


def test_first_and_second_of_one_side_end_the_deal_at_once() -> None:
    table = playing(W, sizes={W: 1}, finish=(E,))

    assert table.lay(W, "5S") == ["finish_order", "level_change"]

    assert table.deal.phase is Phase.OVER
    assert table.deal.double_down
    assert table.deal.hand_sizes[S] == table.deal.hand_sizes[N] == 27


def test_acts_of_a_player_who_is_out_change_nothing() -> None:
    table = playing(S, finish=(E,))
    table.lay(S, "5S")
    before = table.deal

    table.passes(E)
    table.lay(E, "6S")

    assert table.deal == before


def levels_after(levels: tuple[Level, Level], declarer: Pair | None, *finish: Seat) -> tuple[Level, Level]:
    score = after_deal(Score(dict(zip((EW, NS), levels, strict=True))), declarer, finish, BOOK)
    return score.levels[EW], score.levels[NS]


def test_double_down_gains_three_levels() -> None:
    assert levels_after((Level.TWO, Level.TWO), None, E, W) == (Level.FIVE, Level.TWO)


def test_side_of_first_gains_although_the_other_side_is_out_sooner() -> None:
    assert levels_after((Level.TWO, Level.TWO), None, E, S, N, W) == (Level.THREE, Level.TWO)


def test_match_goes_on_when_a_side_reaches_a() -> None:
    score = after_deal(Score({EW: Level.QUEEN, NS: Level.TWO}), EW, (E, W), BOOK)

    assert score.levels[EW] is Level.ACE
    assert score.winner is None


@pytest.mark.parametrize(
    ("declarer", "finish", "passed"),
    [(EW, (E, W), True), (EW, (E, S, W, N), True), (EW, (E, S, N, W), False), (NS, (E, W), False)],
    ids=["double-down", "partner-third", "partner-last", "at-the-level-of-the-others"],
)
def test_a_is_passed_at_ones_own_a_by_first_with_partner_not_last(
    declarer: Pair, finish: tuple[Seat, ...], passed: bool
) -> None:
    after = levels_after((Level.ACE, Level.NINE), declarer, *finish)

    assert after[0] is (Level.PAST_ACE if passed else Level.ACE)


@pytest.mark.parametrize(
    "failure", [(E, S, N, W), (S, E, N, W), (S, N)], ids=["partner-last", "others-first", "others-double-down"]
)
def test_every_failure_at_ones_own_a_counts_and_the_third_brings_the_fall(failure: tuple[Seat, ...]) -> None:
    book = load_rulebook("anhui-league/final")
    start = Score({EW: Level.ACE, NS: Level.TWO}, EW)

    two, three = (
        reduce(lambda score, _: after_deal(score, EW, failure, book), range(failures), start) for failures in (2, 3)
    )

    assert (two.levels[EW], two.a_failures[EW]) == (Level.ACE, 2)
    assert (three.levels[EW], three.a_failures[EW]) == (Level.TWO, 0)
