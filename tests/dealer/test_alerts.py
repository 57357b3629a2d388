"""What an alert suggests: by the table's rulebook, and by what the pair was penalised for before in the match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dealer.standing import Standing, fold_fact, fold_finding
from engine.cards import PLAY_ORDER, Level, Seat, parse_cards
from engine.facts import CardsLaid, DealStarted, Dismissed, Fact, Judgement, MatchStarted, Ruled
from engine.rulebook_data import load_rulebook
from engine.state import Phase


class Table:
    """Folds facts and findings, numbered from 1."""

    def __init__(self, rulebook: str) -> None:
        book = load_rulebook(rulebook)
        self.standing = Standing("1", book)
        self.tell(MatchStarted(book.id, book.hash, PLAY_ORDER))

    def tell(self, fact: Fact) -> None:
        self.standing = fold_fact(self.standing, fact, self.standing.record + 1, {}, 0, "").standing

    def find(self, name: str, seat: Seat) -> str:
        """Record a finding; returns the id of its alert."""
        record = self.standing.record + 1
        self.standing = fold_finding(self.standing, record, "2026-01-01T00:00:00Z", name, {"seat": seat.value})
        return f"1-{record}"

    def rule(self, alert: str, penalty: str = "警告") -> None:
        self.tell(Ruled(alert, 0, None, Judgement.NOTED, "referee", penalty))

    def shown(self, alert: str) -> dict[str, Any]:  # a JSON document
        return self.standing.alerts[alert].to_json()

    def suggested(self, name: str, seat: Seat) -> str:
        return str(self.shown(self.find(name, seat))["suggested_en"])


def warned_once(rulebook: str = "anqing-2015") -> Table:
    table = Table(rulebook)
    table.rule(table.find("turn_order", Seat.E))
    return table


def test_second_offence_of_a_pair_is_dearer_where_the_rulebook_says_so() -> None:
    table = warned_once()

    assert table.suggested("turn_order", Seat.W).startswith("Levels down")
    assert table.suggested("turn_order", Seat.S) == "Warning"
    assert table.suggested("discard_touched", Seat.E) == "Warning"


def test_findings_on_one_infraction_count_together() -> None:
    assert warned_once().suggested("leader_wrong", Seat.E).startswith("Levels down")


def test_second_offence_costs_the_same_where_the_ladder_does_the_counting() -> None:
    assert warned_once("competitive-2022").suggested("turn_order", Seat.E) == "Warning"


def test_alert_that_brought_no_penalty_does_not_count() -> None:
    table = Table("anqing-2015")
    table.rule(table.find("turn_order", Seat.E), penalty="")
    table.tell(Dismissed(table.find("turn_order", Seat.E), "referee", "misread"))
    table.find("turn_order", Seat.E)

    assert table.suggested("turn_order", Seat.E) == "Warning"


def test_penalty_that_is_dismissed_afterwards_does_not_count() -> None:
    table = Table("anqing-2015")
    alert = table.find("turn_order", Seat.E)
    table.rule(alert)
    table.tell(Dismissed(alert, "referee", "misread"))

    assert table.suggested("turn_order", Seat.E) == "Warning"


def test_next_match_counts_anew() -> None:
    table = warned_once()
    book = table.standing.rulebook
    table.tell(MatchStarted(book.id, book.hash, PLAY_ORDER))

    assert table.suggested("turn_order", Seat.E) == "Warning"


def test_suggestion_stands_as_it_was_when_the_alert_was_raised() -> None:
    table = Table("anqing-2015")
    first, second = table.find("turn_order", Seat.E), table.find("turn_order", Seat.E)
    table.rule(first)

    assert table.shown(second)["suggested_en"] == "Warning"


@pytest.mark.parametrize(
    ("rulebook", "printed", "owner"), [("competitive-2022", True, "jiangsu-simple"), ("jiangsu-simple", True, None)]
)
def test_alert_on_an_inherited_rule_says_so(rulebook: str, printed: bool, owner: str | None) -> None:
    table = Table(rulebook)

    shown = table.shown(table.find("hand_count", Seat.E))

    assert (shown["printed"], shown["inherited_from"]) == (printed, owner)
    assert shown["suggested_en"].startswith("Foul")
    assert shown["suggested_zh"].startswith("犯规")


def test_correction_is_that_of_the_rulebook() -> None:
    table = Table("huaian-online")

    assert table.shown(table.find("hand_count", Seat.E))["correction_zh"].startswith("首家出牌前")


def test_wrong_tribute_is_a_foul_once_cards_have_been_laid() -> None:
    table = Table("competitive-2022")
    table.tell(DealStarted(1, Level.TWO, None, "seeded", ""))
    assert table.standing.match is not None
    assert table.standing.deal is not None
    playing = replace(table.standing.deal, phase=Phase.TAKING)
    table.standing = replace(table.standing, match=replace(table.standing.match, deal=playing))

    assert table.suggested("tribute_wrong_card", Seat.E) == "Warning"

    table.tell(CardsLaid(Seat.S, parse_cards(["5S"])))
    assert table.standing.deal.trick is not None
    assert table.suggested("tribute_wrong_card", Seat.E) == "Foul"
