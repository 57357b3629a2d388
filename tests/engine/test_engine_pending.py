"""Plays that wait: for a declaration, for their turn, or until others play on over them."""

from __future__ import annotations

from engine_support import E, N, S, Table, W, playing, said

from engine.cards import Seat
from engine.facts import Declared


def declare(table: Table, seat: Seat, text: str) -> list[str]:
    table.tell(Declared(seat, said(text).pop()))
    return table.names


def test_ambiguous_lead_waits_for_a_declaration() -> None:
    table = playing(S)

    assert table.lay(S, "8S 8D 8C 2H 2H") == ["needs_declaration"]
    assert table.detail == {"readings": "full_house 8 over 2; bomb 8 x5"}
    assert table.deal.turn is S

    assert declare(table, S, "full_house 8 over 2") == []
    assert table.deal.turn is E
    assert table.trick.current is not None
    assert table.trick.current.reading == said("full_house 8 over 2").pop()
    assert table.trick.current.record == 1


def test_declaration_that_the_cards_cannot_satisfy_is_an_illegal_play() -> None:
    table = playing(S)
    table.lay(S, "8S 8D 8C 2H 2H")

    assert declare(table, S, "full_house 9 over 2") == ["not_a_combination"]
    assert table.pending.reason == "not_a_combination"
    assert table.pending.record == 1


def test_declaration_of_another_seat_changes_nothing() -> None:
    table = playing(S)
    table.lay(S, "8S 8D 8C 2H 2H")
    before = table.match

    assert declare(table, E, "full_house 8 over 2") == []
    assert table.match == before


def test_highest_reading_is_assumed_within_one_type_with_a_note() -> None:
    table = playing(S)

    assert table.lay(S, "4S 7H 5C 6D 2H") == ["reading_assumed"]
    assert table.detail == {"taken_as": "straight 8", "readings": "straight 7; straight 8"}
    assert table.deal.turn is E


def test_placement_resolves_without_a_note() -> None:
    table = playing(S)

    assert table.lay(S, "2H 4S 5C 6D 7H") == []
    assert table.trick.current is not None
    assert table.trick.current.reading == said("straight 7").pop()


def test_next_player_who_acts_accepts_an_ambiguous_play_at_its_highest() -> None:
    table = playing(S)
    table.lay(S, "8S 8D 8C 2H 2H")

    assert table.passes(E) == []
    assert [act.seat for act in table.trick.plays] == [S, E]
    assert table.trick.current is not None
    assert table.trick.current.reading == said("bomb 8 x5").pop()


def test_next_player_who_acts_over_an_illegal_play_is_not_out_of_turn() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(E, "8S")

    assert table.lay(N, "TS") == []
    assert [(act.seat, act.reading is None) for act in table.trick.plays] == [(S, False), (E, True), (N, False)]
    assert table.deal.turn is W
    assert table.deal.hand_sizes[E] == 26


def test_player_in_turn_goes_on_past_a_play_out_of_turn() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(N, "TS")

    assert table.lay(E, "JS") == []
    assert [act.seat for act in table.trick.plays] == [S, E]
    assert table.deal.turn is N


def test_play_out_of_turn_counts_once_its_turn_has_come_and_the_next_plays_on() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(N, "QS")
    table.lay(E, "JS")

    assert table.lay(W, "KS") == []
    assert [act.seat for act in table.trick.plays] == [S, E, N, W]


def test_pending_play_ends_with_the_trick() -> None:
    table = playing(S)
    table.lay(S, "9S")
    table.lay(W, "8S")
    table.passes(E, N, W)

    assert table.trick.number == 2
    assert table.deal.pending is None


def test_wrong_lead_that_is_followed_stands() -> None:
    table = playing(S)
    table.lay(E, "9S")

    assert table.lay(N, "TS") == []
    assert [act.seat for act in table.trick.plays] == [E, N]
    assert table.trick.leader is E
    assert table.deal.turn is W


def test_rightful_leader_may_lead_over_a_wrong_lead() -> None:
    table = playing(S)
    table.lay(W, "9S")

    assert table.lay(S, "5S") == []
    assert [act.seat for act in table.trick.plays] == [S]


def test_rightful_leader_who_passes_accepts_a_wrong_lead() -> None:
    table = playing(S)
    table.lay(W, "9S")

    assert table.passes(S) == []
    assert [act.seat for act in table.trick.plays] == [W, S]
    assert table.deal.turn is E


def test_act_out_of_turn_does_not_push_out_the_play_that_waits() -> None:
    table = playing(S)
    table.lay(S, "8S 8D 8C 2H 2H")

    assert table.lay(N, "9S") == ["turn_order"]
    assert table.pending.seat is S
