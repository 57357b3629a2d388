"""Plays and passes through `advance`: what counts, what lies pending, what the rules say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_support import E, N, S, Table, W, cards, playing

from engine.cards import Rank
from engine.combos import Reading
from engine.facts import Answered, CardsLaid, Declared, Passed
from engine.findings import CATALOGUE, Severity

# -- the course of a trick --------------------------------------------------------------------------------------------


def test_play_moves_the_turn_to_the_right() -> None:
    table = playing(S)

    assert table.lay(S, "5S") == []
    assert table.deal.turn is E
    assert table.lay(E, "6S") == []
    assert table.deal.turn is N
    assert table.deal.hand_sizes == {S: 26, E: 26, N: 27, W: 27}


def test_trick_ends_when_all_others_have_passed() -> None:
    table = playing(S)
    table.lay(S, "5S")

    assert table.passes(E, N, W) == []

    assert table.trick.number == 2
    assert table.trick.leader is table.deal.turn is S
    assert table.trick.plays == ()


def test_who_has_passed_may_play_again_in_the_trick() -> None:
    table = playing(S)
    table.lay(S, "5S")
    table.passes(E, N)
    table.lay(W, "6S")
    table.passes(S)

    assert table.lay(E, "7S") == []
    assert table.trick.current is not None
    assert table.trick.current.seat is E
    assert [act.is_pass for act in table.trick.plays] == [False, True, True, False, True, False]


def test_acts_carry_their_record() -> None:
    table = playing(S)
    table.lay(S, "5S")
    table.passes(E)

    assert [act.record for act in table.trick.plays] == [1, 2]


def test_players_who_are_out_are_skipped() -> None:
    table = playing(S, finish=(E,))
    table.lay(S, "5S")

    assert table.deal.turn is N
    table.passes(N, W)
    assert table.deal.turn is S
    assert table.trick.number == 2


def test_borrowed_wind_gives_the_lead_to_the_partner() -> None:
    table = playing(E, sizes={E: 1})
    table.lay(E, "5S")
    assert table.deal.finish == (E,)

    table.passes(N, W, S)

    assert table.deal.turn is W


def test_borrowed_wind_needs_all_others_to_pass() -> None:
    table = playing(E, sizes={E: 1})
    table.lay(E, "5S")
    table.lay(N, "6S")
    table.passes(W, S)

    assert table.deal.turn is N


def test_partner_of_second_inherits_the_lead_too() -> None:
    table = playing(N, sizes={N: 1}, finish=(E,))
    table.lay(N, "5S")
    table.passes(W, S)

    assert table.deal.turn is S


def test_answer_of_a_person_counts_as_the_play_it_tells() -> None:
    table = playing(S)
    table.tell(Answered(7, S, cards("5S"), "referee"))
    table.tell(Answered(8, E, (), "referee"))

    assert table.deal.turn is N
    assert [act.seat for act in table.trick.plays] == [S, E]


def test_order_of_play_is_that_of_the_match() -> None:
    table = playing(S)
    assert table.match is not None
    table.match = replace(table.match, play_order=(E, S, W, N))
    table.lay(S, "5S")

    assert table.deal.turn is W


# -- faults -----------------------------------------------------------------------------------------------------------


def test_lower_pair_does_not_count_and_lies_pending() -> None:
    table = playing(S)
    table.lay(S, "9S 9D")
    before = table.deal

    assert table.lay(E, "8S 8D") == ["not_higher"]

    assert table.detail == {"reason": "not_higher", "to_beat": "pair 9"}
    assert table.pending.cards == cards("8S 8D")
    assert table.pending.record == table.record
    assert (table.trick, table.deal.turn, table.deal.hand_sizes) == (before.trick, E, before.hand_sizes)


def test_wrong_type_and_too_small_bomb_are_not_higher() -> None:
    table = playing(S)
    table.lay(S, "9S 9D")
    assert table.lay(E, "TS") == ["not_higher"]
    assert table.detail["reason"] == "type_mismatch"

    table = playing(S)
    table.lay(S, "9S 9D 9C 9H")
    assert table.lay(E, "8S 8D 8C 8H") == ["not_higher"]
    assert table.detail["reason"] == "bomb_too_small"


def test_cards_that_are_no_combination_lie_pending() -> None:
    table = playing(S)

    assert table.lay(S, "3S 4S") == ["not_a_combination"]
    assert table.pending.legal == ()
    assert table.deal.turn is S


def test_play_out_of_turn_is_one_finding_even_if_it_is_too_low() -> None:
    table = playing(S)
    table.lay(S, "9S")

    assert table.lay(N, "8S") == ["turn_order"]
    assert table.detail == {"expected": "E"}
    assert table.deal.turn is E


def test_pass_out_of_turn_is_a_finding_and_does_not_count() -> None:
    table = playing(S)
    table.lay(S, "9S")

    assert table.passes(W) == ["turn_order"]
    assert table.trick.passes == 0
    assert table.deal.pending is None


def test_pass_on_the_lead_is_noted_only() -> None:
    table = playing(S)

    assert table.passes(S) == ["trick_end"]
    assert CATALOGUE["trick_end"].severity is Severity.INFO
    assert table.deal.turn is S


def test_wrong_seat_that_leads_the_first_trick_is_not_the_drawn_leader() -> None:
    table = playing(S)
    assert table.match is not None
    table.match = replace(table.match, deal=replace(table.deal, turned_up_index=5))

    assert table.lay(N, "9S") == ["first_leader"]
    assert table.detail == {"expected": "S"}


def test_wrong_seat_that_leads_a_later_trick_is_the_wrong_leader() -> None:
    table = playing(E, sizes={E: 1})
    table.lay(E, "5S")
    table.passes(N, W, S)

    assert table.lay(N, "9S") == ["leader_wrong"]
    assert table.detail == {"expected": "W"}


def test_card_that_was_not_dealt_is_critical() -> None:
    table = playing(S, hands={S: "5S 6S 7S"})

    assert table.lay(S, "8S") == ["card_not_in_hand"]
    assert table.last[0].kind.severity is Severity.CRITICAL
    assert table.last[0].kind.hidden
    assert table.detail == {"not_dealt": "8S"}
    assert table.pending.legal != ()


def test_second_copy_of_a_card_held_once_was_not_dealt() -> None:
    table = playing(S, hands={S: "5S 6S 7S"})

    assert table.lay(S, "5S 5S") == ["card_not_in_hand"]


def test_card_played_once_is_not_in_the_hand_any_more() -> None:
    table = playing(S, hands={S: "5S 6S 7S"})
    table.lay(S, "5S")
    table.passes(E, N, W)

    assert table.lay(S, "5S") == ["card_not_in_hand"]


def test_foreign_card_stands_beside_another_fault_of_the_same_cards() -> None:
    table = playing(S, hands={E: "5S 6S 7S"})
    table.lay(S, "9S")

    assert table.lay(E, "8S") == ["not_higher", "card_not_in_hand"]
    assert table.pending.reason == "not_higher"


def test_unknown_hand_is_not_checked() -> None:
    table = playing(S, hands={E: "5S"})

    assert table.lay(S, "8S") == []


def test_who_is_out_and_lays_cards_shows_cards_that_cannot_be_his() -> None:
    table = playing(S, finish=(E,))
    table.lay(S, "5S")

    assert table.lay(E, "6S") == ["hand_count"]
    assert table.detail == {"left": "0", "laid": "1"}
    assert table.passes(E) == []
    assert table.deal.turn is N


def test_more_cards_than_are_left_are_counted() -> None:
    table = playing(S, sizes={S: 1})

    assert table.lay(S, "5S 5D") == ["hand_count"]
    assert table.deal.finish == (S,)


def test_fault_is_replaced_when_the_player_lays_other_cards() -> None:
    table = playing(S)
    table.lay(S, "3S 4S")

    assert table.lay(S, "5S") == []
    assert table.deal.pending is None
    assert table.deal.turn is E


def test_pass_after_a_refused_play_drops_it() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(E, "8S")

    assert table.passes(E) == []
    assert table.deal.pending is None
    assert table.deal.turn is N


# -- where nothing is played ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fact", [CardsLaid(S, cards("5S")), Passed(S), Declared(S, Reading.from_json({"type": "joker_bomb"}))]
)
def test_acts_before_any_deal_change_nothing(fact: CardsLaid | Passed | Declared) -> None:
    table = Table()

    table.tell(fact)

    assert table.match is not None
    assert table.match.deal is None
    assert table.last == ()


def test_acts_after_the_deal_is_over_change_nothing() -> None:
    table = playing(S, sizes={S: 1}, finish=(N,))
    table.lay(S, "5S")
    before = table.match

    assert table.lay(E, "6S") == []
    assert table.passes(W) == []
    assert table.match == before


def test_level_rank_is_that_of_the_deal() -> None:
    table = playing(S, level=Rank.SEVEN)
    table.lay(S, "AS")

    assert table.lay(E, "7D") == []
    assert table.lay(N, "7C") == ["not_higher"]
