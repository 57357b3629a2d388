"""The demo's report: alignment of what was made and seen, counts, and what makes a run fail."""

from __future__ import annotations

from typing import Any

from dealer.report import DealAccount, align, failures, percentiles, recognise


def play(seat: str, *cards: str, unsure: tuple[int, ...] = ()) -> dict[str, Any]:
    made: dict[str, Any] = {"seat": seat, "cards": list(cards)}
    return made | ({"unsure": list(unsure)} if unsure else {})


def passed(seat: str) -> dict[str, Any]:
    return {"seat": seat, "pass": True}


def account(made: list[dict[str, Any]], seen: list[dict[str, Any]]) -> DealAccount:
    return DealAccount(truth={"hands": {}, "plays": made, "finish": []}, seen={"plays": seen, "finish": []})


def test_a_play_that_was_missed_does_not_shift_the_others() -> None:
    made = [play("E", "9S"), passed("N"), play("W", "TS"), passed("S")]
    seen = [play("E", "9S"), play("W", "TS"), passed("S")]

    assert align(made, seen) == [(0, 0), (1, None), (2, 1), (3, 2)]


def test_every_laid_card_is_counted_once_as_right_wrong_or_unsure() -> None:
    made = [play("E", "9S", "9D"), play("N", "TS"), play("W", "JS", "JD")]
    seen = [play("E", "9D", "9S"), play("N", "8S"), play("W", "JS", "JC", unsure=(1,))]

    counted = recognise([account(made, seen)])

    assert (counted.cards, counted.correct, counted.wrong, counted.unsure) == (5, 3, 1, 1)


def test_a_play_nobody_made_is_a_phantom_and_a_play_not_seen_is_unsure() -> None:
    counted = recognise([account([play("E", "9S")], [play("W", "3D", "3H")])])

    assert (counted.correct, counted.wrong, counted.unsure, counted.phantom) == (0, 0, 1, 2)


def test_percentiles_are_nearest_rank() -> None:
    assert percentiles([float(n) for n in range(1, 101)]) == {"p50": 50.0, "p99": 99.0, "n": 100}
    assert percentiles([]) == {"p50": 0.0, "p99": 0.0, "n": 0}


def document(**changed: Any) -> dict[str, Any]:
    alert = {"name": "not_higher", "severity": "alert", "seat": "N", "deal": 1}
    finish = {"truth": {"finish": ["E", "W"]}, "seen": {"finish": ["E", "W"]}}
    return {"cards_accounted": 108, "deals": [finish], "alerts": [alert], "expected_alerts": [alert]} | changed


def test_a_run_that_meets_its_checks_has_no_failure() -> None:
    counted = recognise([account([play("E", "9S")], [play("E", "9S")])])

    assert failures(document(), True, counted, camera=True) == []


def test_each_shortcoming_is_named() -> None:
    wrong = recognise([account([play("E", "9S")], [play("E", "8S")])])

    said = failures(document(alerts=[], cards_accounted=107), False, wrong, camera=True)

    assert len(said) == 4
    assert any("not raised: not_higher N 1" in line for line in said)
