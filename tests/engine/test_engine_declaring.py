"""What a player says of his play comes before the way it lies, until somebody acts after it (C-10.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_support import E, N, S, W, playing

from engine.facts import CountReported, Declared, Judgement
from engine.notation_reader import parse_reading
from engine.state import NOTICED


@pytest.mark.parametrize(
    ("laid", "lies_as", "said"),
    [
        ("2H 3S 4S 5D 6C", "straight 6", "straight 7"),
        ("7S 7D 2H 8C 8S 2H", "plate 8", "tube 9"),
    ],
)
def test_last_play_is_what_its_player_says(laid: str, lies_as: str, said: str) -> None:
    table = playing(S)
    table.lay(S, laid)
    assert table.trick.current is not None
    assert table.trick.current.reading == parse_reading(lies_as)

    table.tell(Declared(S, parse_reading(said)))

    assert table.names == []
    assert table.trick.current is not None
    assert table.trick.current.reading == parse_reading(said)
    assert table.deal.hand_sizes[S] == 27 - len(laid.split())
    assert table.deal.turn is E


def test_after_the_next_act_it_is_too_late() -> None:
    table = playing(S)
    table.lay(S, "2H 3S 4S 5D 6C")
    table.passes(E)
    before = table.match

    table.tell(Declared(S, parse_reading("straight 7")))

    assert table.match == before


def test_what_the_cards_cannot_be_is_an_illegal_play_until_it_is_said_right() -> None:
    table = playing(S)
    table.lay(S, "2H 3S 4S 5D 6C")
    table.tell(Declared(S, parse_reading("straight 9")))
    assert table.names == ["not_a_combination"]
    assert table.deal.turn is S

    table.tell(Declared(S, parse_reading("straight 7")))

    assert table.names == []
    assert table.deal.turn is E


def test_two_plays_taken_back_in_one_trick_bring_all_cards_back() -> None:
    """South's illegal lead went by; East's play on it is taken back after the lead was."""
    table = playing(S)
    table.lay(S, "3S 9D")
    lead = table.record
    table.lay(E, "4H")
    answer = table.record
    table.rule(Judgement.TAKE_BACK, lead)
    table.rule(Judgement.TAKE_BACK, answer)

    assert table.deal.hand_sizes == dict.fromkeys((S, E, N, W), 27)


def test_pass_over_an_illegal_lead_is_no_pass_on_the_lead() -> None:
    table = playing(S)
    table.lay(S, "3S 4D")
    assert table.passes(E) == []


def test_report_on_a_play_taken_back_is_no_report() -> None:
    table = playing(S, sizes={S: 11})
    assert table.match is not None
    table.match = replace(table.match, notices=frozenset(NOTICED))
    table.lay(S, "3S 4S")
    wrong = table.record
    table.tell(CountReported(S, 9))
    table.rule(Judgement.TAKE_BACK, wrong)
    table.lay(S, "3S")
    table.tell(CountReported(S, 10))

    assert table.passes(E) == []
