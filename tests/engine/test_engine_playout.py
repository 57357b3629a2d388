"""A deal played out beside the fold that a table uses: same turns, same tricks, same finishing order."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.advance import advance, start
from engine.cards import PACKS, PLAY_ORDER, Rank
from engine.combos import readings
from engine.facts import CardsLaid, Declared, MatchStarted, Passed
from engine.playout import Playout
from engine.rulebook_data import load_rulebook
from engine.state import Deal, Phase, Trick

BOOK = load_rulebook("core")


@pytest.mark.parametrize("seed", range(40))
def test_a_random_deal_goes_as_the_fold_says(seed: int) -> None:
    rng, level = Random(seed), list(Rank)[seed % 13]
    cards = list(PACKS)
    rng.shuffle(cards)
    hands = {seat: tuple(sorted(cards[i * 27 : i * 27 + 27])) for i, seat in enumerate(PLAY_ORDER)}
    leader = rng.choice(PLAY_ORDER)
    playout = Playout(hands, level, leader)
    match = start(MatchStarted(BOOK.id, BOOK.hash, PLAY_ORDER))
    deal = Deal(1, level, None, Phase.PLAYING, hands=hands, leader=leader, trick=Trick(1, leader), turn=leader)
    match = replace(match, deal=deal)

    acts = 0
    while not playout.over:
        acts += 1
        assert match.deal is not None
        seat = PLAY_ORDER[playout.turn]
        assert match.deal.turn is seat
        options = playout.options()
        chosen = rng.randrange(len(options) + (playout.current is not None))
        if chosen == len(options):
            playout.skip()
            match = advance(match, Passed(seat), BOOK, acts).state
            continue
        laid = playout.play(options[chosen])
        assert options[chosen].reading in readings(laid, level)
        match = advance(match, CardsLaid(seat, laid), BOOK, acts).state
        if match.deal is not None and match.deal.pending is not None:
            match = advance(match, Declared(seat, options[chosen].reading), BOOK, acts).state

    assert match.deal is not None
    assert match.deal.phase is Phase.OVER
    assert match.deal.finish == tuple(PLAY_ORDER[number] for number in playout.finish)
