"""Random deals: uniform, from the right generator, and nowhere else."""

from __future__ import annotations

import ast
import itertools
import random
from collections import Counter
from pathlib import Path

import pytest

from dealer import deals
from dealer.deals import SYSTEM, Generator, draw_turned_up, pack_plan, plan_hash, seat_sequence, unpack_plan
from engine.cards import Card, Seat

ROOT = Path(__file__).parents[2]


def seeded(seed: int) -> Generator:
    return Generator("seeded", random.Random(seed))


def test_each_seat_gets_27_cards() -> None:
    assert Counter(seat_sequence(SYSTEM)) == dict.fromkeys(Seat, 27)


def test_the_same_seed_gives_the_same_sequence_and_another_does_not() -> None:
    assert seat_sequence(seeded(1)) == seat_sequence(seeded(1))
    assert seat_sequence(seeded(1)) != seat_sequence(seeded(2))


def test_the_system_never_repeats() -> None:
    assert len({seat_sequence(SYSTEM) for _ in range(50)}) == 50


def test_every_place_goes_to_every_seat_equally_often() -> None:
    """Chi-square over 108 places x 4 seats, 4000 seeded deals: 108 x 3 degrees of freedom, limit at 6 sigma.

    Places are independent enough for that limit: a shuffler that keeps the first place fixed exceeds it 30 times.
    """
    n, generator = 4000, seeded(7)
    counts: Counter[tuple[int, Seat]] = Counter()
    for _ in range(n):
        counts.update(enumerate(seat_sequence(generator)))

    expected = n / 4
    chi2 = sum((counts[place, seat] - expected) ** 2 / expected for place in range(108) for seat in Seat)

    assert abs(chi2 - 324) < 6 * (2 * 324) ** 0.5


def test_neighbours_fall_to_one_seat_as_often_as_chance_says() -> None:
    """Two neighbouring cards share a seat with probability 26/107."""
    n, generator = 1500, seeded(8)
    same = 0
    for _ in range(n):
        seats = seat_sequence(generator)
        same += sum(a is b for a, b in itertools.pairwise(seats))

    share = same / (n * 107)
    assert abs(share - 26 / 107) < 6 * (0.243 * 0.757 / (n * 107)) ** 0.5


def test_a_small_deal_is_exactly_uniform(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same code with one card a seat: 24 orders, each 1000 times on average."""
    monkeypatch.setattr(deals, "HAND", 1)
    monkeypatch.setattr(deals, "CARDS", 4)
    generator = seeded(9)

    counts = Counter(seat_sequence(generator) for _ in range(24_000))

    assert len(counts) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 23 + 6 * 46**0.5


def test_a_plan_is_27_bytes_and_comes_back() -> None:
    seats = seat_sequence(SYSTEM)

    plan = pack_plan(seats)

    assert len(plan) == 27
    assert unpack_plan(plan) == seats
    assert len(plan_hash(plan)) == 32


def test_a_plan_has_two_bits_a_seat_lowest_first() -> None:
    seats = (Seat.E, Seat.N, Seat.W, Seat.S) * 27

    assert pack_plan(seats) == bytes([0b00_11_10_01]) * 27


def test_jokers_and_the_wild_are_drawn_again() -> None:
    faces: dict[int, Card | None] = dict(enumerate(Card.parse(text) for text in ("BJ", "2H", "SJ", "TH")))
    redraw = {Card.parse(text) for text in ("BJ", "SJ", "2H")}

    assert {draw_turned_up(faces, redraw, seeded(n)) for n in range(50)} == {3}


def test_the_turned_up_card_is_uniform_among_physical_cards() -> None:
    """Both copies of a face count, and a face that was not read does too (D-7)."""
    faces: dict[int, Card | None] = {0: Card.parse("3S"), 1: Card.parse("3S"), 2: None, 3: Card.parse("BJ")}
    generator = seeded(4)

    counts = Counter(draw_turned_up(faces, {Card.parse("BJ")}, generator) for _ in range(3000))

    assert set(counts) == {0, 1, 2}
    assert all(abs(count - 1000) < 6 * (3000 * 2 / 9) ** 0.5 for count in counts.values())


def test_nothing_to_draw_from_is_an_error() -> None:
    with pytest.raises(ValueError, match="none of 1"):
        draw_turned_up({0: Card.parse("BJ")}, {Card.parse("BJ")}, SYSTEM)


def test_a_generator_cannot_lie_about_itself() -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        Generator("system", random.Random(1))
    with pytest.raises(ValueError, match="cannot draw"):
        Generator("seeded", random.SystemRandom())
    assert "Random" not in repr(seeded(1))


def test_nothing_else_draws_by_lot() -> None:
    """`random` and `secrets` are imported by deals.py alone; the command line may make tokens and seeds.

    The patterns on drawn court cards are scribbled by a generator of their own.
    """
    found = []
    allowed = {ROOT / "dealer" / "deals.py", ROOT / "vision" / "styled_face.py"}
    for room in ("dealer", "api", "engine", "firmware_proto", "vision"):
        for file in sorted((ROOT / room).rglob("*.py")):
            if file in allowed or file.is_relative_to(ROOT / "dealer" / "cli"):
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom):
                    names = [node.module or ""]
                found += [f"{file.relative_to(ROOT)}: {name}" for name in names if name in {"random", "secrets"}]

    assert found == []
