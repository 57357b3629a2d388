"""Questions about a position: the answers are those of a table that stands so."""

from __future__ import annotations

from random import Random

import pytest
from engine_support import BOOK, TWO, E, N, S, W, cards, playing, said, second_deal
from position_support import middle_of

from engine.advance import advance
from engine.cards import PACKS, Seat
from engine.combos import Reading
from engine.facts import CardReturned, CardsLaid, CountReported, Passed, TributeGiven
from engine.legal import legal_for
from engine.position import Position
from engine.position_reader import parse_position
from engine.position_setup import set_up
from engine.questions import (
    DeclarationOwed,
    JokersOwed,
    ReportOwed,
    ReturnOwed,
    TributeOwed,
    effect,
    leads_next,
    meaning,
    owed,
    plays_of,
    sets_of_plays,
)
from engine.rulebook import Rulebook
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.state import Match

NATIONAL = load_rulebook("national-2017")


def at(*lines: str, level: str = "5", out: str = "") -> Match:
    """A position at level 5, in which seats without a hand hold 12 cards."""
    told = {word for line in lines for word in [line.split()[1]] if line.startswith("hand")} | set(out.split())
    rows = [
        "guandan-position 1",
        "rulebook competitive-2022",
        "order S E N W",
        f"levels EW {level} NS 2",
        f"level {level}",
        "declarer EW",
        *(f"size {seat} 12" for seat in "SENW" if seat not in told),
        *([f"out {out}"] if out else []),
        *lines,
    ]
    return set_up(parse_position("\n".join(rows)), BOOK).state


def one(text: str) -> Reading:
    (reading,) = said(text)
    return reading


def test_all_readings_are_told_and_those_that_count_here() -> None:
    match = at("hand E 7S 7D 8C 8S 5H 5H", "current S 6S 6D 6C 7H 7C 7S = plate 7", "passes 0", "turn E")

    means = meaning(match, E, cards("8S 8C 7D 7S 5H 5H"), BOOK)

    assert means is not None
    assert set(means.readings) == said("tube 8", "tube 9", "plate 8")
    assert (means.here.legal, means.here.chosen) == ((one("plate 8"),), one("plate 8"))
    assert means.missing == ()


def test_several_types_on_a_lead_have_to_be_declared() -> None:
    match = at("hand S 7S 7D 8C 8S 5H 5H 2C", "turn S")
    laid = cards("8S 8C 7D 7S 5H 5H")

    means = meaning(match, S, laid, BOOK)
    after = effect(match, S, laid, BOOK)

    assert means is not None
    assert means.here.needs_declaration
    assert [finding.name for finding in after.findings] == ["needs_declaration"]
    (debt,) = owed(after.state, BOOK)
    assert isinstance(debt, DeclarationOwed)
    assert debt.seat is S
    assert set(debt.readings) == said("tube 8", "tube 9", "plate 8")


def test_cards_that_the_hand_does_not_hold_are_named() -> None:
    match = at("hand S 7S 7D", "turn S")

    means = meaning(match, S, cards("7S 7S"), BOOK)

    assert means is not None
    assert means.missing == cards("7S")
    assert [finding.name for finding in effect(match, S, cards("7S 7S"), BOOK).findings] == ["card_not_in_hand"]


def test_plays_of_the_seat_in_turn_are_those_of_the_table() -> None:
    match = at("hand E 7S 7D 5H 9C 9C BJ", "current S 6S 6D = pair 6", "passes 0", "turn E")

    assert plays_of(match, E, BOOK) == legal_for(match, E, BOOK)
    assert {play.reading for play in plays_of(match, E, BOOK) or ()} == said("pair 7", "pair 9")


def test_sets_of_cards_count_what_the_reading_does_not_tell_apart() -> None:
    match = at("hand E 7S 7D 7C 2S", "current S 6S 6D = pair 6", "passes 0", "turn E")

    assert sorted(laid for laid, _ in sets_of_plays(match, E, BOOK) or ()) == [
        cards("7S 7D"),
        cards("7S 7C"),
        cards("7D 7C"),
    ]


def test_plays_of_another_seat_are_what_it_could_lay_in_turn() -> None:
    match = at("hand W 7S 7D 2S", "current S 6S 6D = pair 6", "passes 0", "turn E")

    assert [play.reading for play in plays_of(match, W, BOOK) or ()] == [one("pair 7")]


def test_plays_of_a_hand_that_is_not_known_are_not_known() -> None:
    match = at("turn E")

    assert plays_of(match, E, BOOK) is None
    assert sets_of_plays(match, E, BOOK) is None


@pytest.mark.parametrize(
    ("out", "lines", "leader"),
    [
        ("", ("current S 6S", "passes 1", "turn N"), S),
        ("", ("turn N",), N),
        ("S", ("current S 6S", "passes 0", "turn E"), N),  # borrowed wind
        ("N E", ("current E 6S", "passes 0", "turn W"), W),
        ("E N", ("current S 6S", "passes 0", "turn W"), S),
    ],
)
def test_leader_if_all_pass(out: str, lines: tuple[str, ...], leader: Seat) -> None:
    assert leads_next(at(*lines, out=out)) is leader


def test_tribute_is_owed_with_every_card_that_may_be_given() -> None:
    table = second_deal((E, N, W, S), {S: "2H AS AH KD", E: "3D"})

    assert table.match is not None
    assert owed(table.match, BOOK) == (TributeOwed(S, cards("AS AH")),)


def test_double_tribute_is_owed_until_both_have_paid_then_both_returns() -> None:
    table = second_deal((E, W), {S: "AS", N: "KS", E: "3D", W: "4D"})
    assert table.match is not None
    assert [debt.seat for debt in owed(table.match, BOOK) if isinstance(debt, TributeOwed)] == [S, N]

    table.tell(TributeGiven(N, *cards("KS")))
    assert [debt.seat for debt in owed(table.match, BOOK) if isinstance(debt, TributeOwed)] == [S]

    table.tell(TributeGiven(S, *cards("AS")))
    returns = owed(table.match, BOOK)
    assert [(debt.seat, debt.to) for debt in returns if isinstance(debt, ReturnOwed)] == [(E, S), (W, N)]

    table.tell(CardReturned(E, S, *cards("3D")))
    (last,) = owed(table.match, BOOK)
    assert isinstance(last, ReturnOwed)
    assert (last.seat, last.to) == (W, N)


def test_return_is_limited_as_the_rulebook_says() -> None:
    options = {}
    for book in (BOOK, NATIONAL):
        table = second_deal((E, N, W, S), {S: "BJ", E: "3D TD JD"}, book)
        table.tell(TributeGiven(S, *cards("BJ")))
        assert table.match is not None
        (debt,) = owed(table.match, book)
        assert isinstance(debt, ReturnOwed)
        options[book.id] = set(debt.options or ())

    assert {*cards("3D TD")} <= options["competitive-2022"]
    assert not {*cards("JD BJ")} & options["competitive-2022"]
    assert {*cards("3D TD JD BJ")} <= options["national-2017"]


def test_options_of_a_hand_that_is_not_known_are_not_known() -> None:
    table = second_deal((E, N, W, S), {S: "-", E: "BJ"})

    assert table.match is not None
    assert owed(table.match, BOOK) == (TributeOwed(S, None),)


def test_both_big_jokers_are_shown_and_nothing_is_paid() -> None:
    table = second_deal((E, W), {S: "BJ", N: "BJ"})

    assert table.match is not None
    assert owed(table.match, BOOK) == (JokersOwed((S, N)),)


def test_report_is_owed_until_it_is_given() -> None:
    match = at("hand S 3S 3D 9C 9S 9D 9H 2S 2D 2C", "current S 6S 6D = pair 6", "passes 0", "turn E")
    assert owed(match, BOOK) == (ReportOwed(S, 9, "card"),)

    table = playing(S, hands={S: "3S 3D 9C 9S 9D 9H 2S 2D 2C 6S 6D"})
    table.tell(CardsLaid(S, cards("6S 6D")))
    assert table.match is not None
    assert owed(table.match, BOOK) == (ReportOwed(S, 9, "card"),)
    table.tell(CountReported(S, 9))
    assert owed(table.match, BOOK) == ()


@pytest.mark.parametrize(
    "lines",
    [
        ("reported S 11", "current S 6S 6D = pair 6", "passes 0", "turn E"),  # has reported in this deal
        ("current S 6S 6D = pair 6", "passes 1", "turn N"),  # too late: the next has acted
        ("current S 6S = single 6", "passes 0", "turn E"),  # an earlier play had called for it
    ],
)
def test_no_report_is_owed_twice_or_late(lines: tuple[str, ...]) -> None:
    held = "hand S 3S 3D 9C 9S 9D 9H 2S 2D 2C" if "pair" in " ".join(lines) else "hand S 3S 3D"

    assert owed(at(held, *lines), BOOK) == ()


def test_effect_of_a_play_is_its_findings_and_the_next_turn() -> None:
    match = at("hand E 7S 7D 2S", "current S 6S 6D = pair 6", "passes 0", "turn E")

    good, low, out_of_turn = (
        effect(match, E, cards("7S 7D"), BOOK),
        effect(match, E, cards("2S"), BOOK),
        effect(match, W, cards("9S 9D"), BOOK),
    )

    assert good.findings == ()
    assert good.state.deal is not None
    assert good.state.deal.turn is N
    assert [finding.name for finding in low.findings] == ["not_higher"]
    assert low.state.deal is not None
    assert low.state.deal.turn is E
    assert [finding.name for finding in out_of_turn.findings] == ["turn_order"]


def test_single_card_of_one_who_owes_is_the_tribute_or_the_return() -> None:
    table = second_deal((E, N, W, S), {S: "AS KD", E: "3D"})
    assert table.match is not None

    wrong = effect(table.match, S, cards("KD"), BOOK)
    right = effect(table.match, S, cards("AS"), BOOK)
    done = effect(right.state, E, cards("3D"), BOOK)

    assert [finding.name for finding in wrong.findings] == ["tribute_wrong_card"]
    assert right.findings == done.findings == ()
    assert leads_next(done.state) is S


def test_before_any_deal_nothing_is_answered() -> None:
    match = Match(BOOK.id, BOOK.hash)

    assert meaning(match, S, cards("3S"), BOOK) is None
    assert plays_of(match, S, BOOK) is None
    assert sets_of_plays(match, S, BOOK) is None
    assert leads_next(match) is None
    assert owed(match, BOOK) == ()


def dealt(random: Random, book: Rulebook, finish: tuple[Seat, ...]) -> Match:
    """Random hands before an exchange."""
    deck = list(PACKS)
    random.shuffle(deck)
    hands = {seat: tuple(deck[27 * place : 27 * place + 27]) for place, seat in enumerate(Seat)}
    return set_up(Position(book.id, TWO, declarer=finish[0].pair, previous=finish, hands=hands), book).state


@pytest.mark.parametrize("name", known_rulebooks())
@pytest.mark.parametrize("finish", ["E N W S", "E N S W", "S N", "W E"])
def test_exactly_the_options_may_be_given_and_then_play_begins(name: str, finish: str) -> None:
    book, random = load_rulebook(name), Random(f"{name} {finish}")
    match = dealt(random, book, tuple(map(Seat, finish.split())))

    for _ in range(4):
        debts = [debt for debt in owed(match, book) if isinstance(debt, TributeOwed | ReturnOwed)]
        if not debts:
            break
        debt = debts[0]
        assert debt.options
        assert match.deal is not None
        for card in set(match.deal.hands[debt.seat] or ()):
            found = effect(match, debt.seat, [card], book).findings
            assert (card in debt.options) == (found == ()), (card, found)
        match = effect(match, debt.seat, [random.choice(debt.options)], book).state

    if not owed(match, book):
        assert match.deal is not None
        assert leads_next(match) is match.deal.turn is not None


@pytest.mark.parametrize("seed", range(40))
def test_who_would_lead_leads_when_all_have_passed(seed: int) -> None:
    match: Match = middle_of(seed, 3 * seed)
    assert match.deal is not None
    assert match.deal.trick is not None
    if match.deal.pending is not None:
        return
    leader = leads_next(match)
    while match.deal is not None and match.deal.trick is not None and match.deal.trick.current is not None:
        if match.deal.is_over or match.deal.turn is None:
            break
        match = advance(match, Passed(match.deal.turn), BOOK).state

    assert match.deal is not None
    assert leader is match.deal.turn
