"""How plays have to lie, and ways to pass."""

from __future__ import annotations

import pytest
from engine_support import cards, said

from engine.arrangement import judge_arrangement
from engine.cards import Rank
from engine.combos import readings
from engine.passing import PASS_RULES, PassForm, PassVerdict, judge_pass
from engine.resolve import arrange
from engine.rulebook_data import known_rulebooks, load_rulebook

TWO = Rank.TWO
STRICT, FREE = load_rulebook("competitive-2022"), load_rulebook("national-2017")


@pytest.mark.parametrize(
    ("laid", "fitting"),
    [
        ("4S 4D 9S 9C 9D", {"full_house 9 over 4"}),
        ("9S 9C 9D 4S 4D", {"full_house 9 over 4"}),
        ("KS KC 2H 6D 6S", {"full_house K over 6", "full_house 6 over K"}),
        ("6D 6S 2H KS KC", {"full_house K over 6", "full_house 6 over K"}),
        ("2H KS KC 6D 6S", {"full_house K over 6"}),
        ("6S 9S 6C 9C 9D", set()),
        ("9S 4S 4D 9C 9D", set()),
    ],
)
def test_national_full_house_may_begin_with_either_block(laid: str, fitting: set[str]) -> None:
    assert set(judge_arrangement(cards(laid), TWO, FREE).fitting) == said(*fitting)


@pytest.mark.parametrize(
    ("laid", "fitting"),
    [
        ("4S 4D 9S 9C 9D", set()),
        ("9S 9C 9D 4S 4D", {"full_house 9 over 4"}),
        ("KS KC 2H 6D 6S", {"full_house K over 6"}),
        ("6D 6S 2H KS KC", {"full_house 6 over K"}),
        ("8S 8C 8D 2H 2H", {"full_house 8 over 2", "bomb 8 x5"}),
        ("3S 3C 4S 4C 5S 5C", {"tube 5"}),
        ("3S 4S 5S 3C 4C 5C", set()),
        ("3S 3C 3D 4S 4C 4D", {"plate 4"}),
        ("4S 4C 4D 3S 3C 3D", set()),
        ("AS AC AD 2S 2C 2D", {"plate 2"}),
        ("KS KC KD AS AC AD", {"plate A"}),
        ("TS JS 2H KS AS", {"straight_flush A S"}),
        ("7S 7C 7H 7D", {"bomb 7 x4"}),
        ("9S", {"single 9"}),
        ("9S 8S", set()),
    ],
)
def test_competitive_arrangement(laid: str, fitting: set[str]) -> None:
    found = judge_arrangement(cards(laid), TWO, STRICT)

    assert set(found.fitting) == said(*fitting)
    assert found.ok is bool(fitting)
    assert (found.reading is None) is (len(fitting) != 1)


@pytest.mark.parametrize("name", known_rulebooks())
@pytest.mark.parametrize("laid", ["7S 7D 8C 8D 2H 2H", "KS KC 6D 6S 2H", "4S 5C 7H 8S 2H", "3S 3C 3D 2H 4S 4C"])
def test_play_arranged_for_a_reading_is_right_under_every_rulebook(name: str, laid: str) -> None:
    for reading in readings(cards(laid), TWO):
        assert reading in judge_arrangement(arrange(cards(laid), reading, TWO), TWO, load_rulebook(name)).fitting


@pytest.mark.parametrize(
    ("name", "form", "earlier", "verdict"),
    [
        ("competitive-2022", PassForm.SAY_PASS, None, PassVerdict(False, (PassForm.PASS_CARD,))),
        ("jiangsu-simple", PassForm.PASS_CARD, None, PassVerdict(True)),
        ("national-2017", PassForm.SAY_PASS, None, PassVerdict(True)),
        ("national-2017", PassForm.SAY_PASS, PassForm.KNOCK, PassVerdict(False, (PassForm.KNOCK,))),
        ("national-2017", PassForm.PASS_CARD, None, PassVerdict(False, (PassForm.SAY_PASS, PassForm.KNOCK))),
        ("national-2017", PassForm.DOUBLE_KNOCK, PassForm.KNOCK, PassVerdict(True)),
        ("national-2017", PassForm.KNOCK, PassForm.DOUBLE_KNOCK, PassVerdict(True)),
        ("national-2017", PassForm.KNOCK, PassForm.PASS_CARD, PassVerdict(True)),
        ("anhui-league/final", PassForm.KNOCK, None, PassVerdict(False, (PassForm.SAY_PASS, PassForm.DOUBLE_KNOCK))),
        ("anhui-league/final", PassForm.SAY_PASS, PassForm.DOUBLE_KNOCK, PassVerdict(True)),
        ("huaian-online", PassForm.KNOCK, PassForm.SAY_PASS, PassVerdict(True)),
    ],
)
def test_pass_form(name: str, form: PassForm, earlier: PassForm | None, verdict: PassVerdict) -> None:
    assert judge_pass(form, earlier, load_rulebook(name).pass_forms) == verdict


@pytest.mark.parametrize("name", known_rulebooks())
def test_every_rulebook_names_a_known_way_to_pass(name: str) -> None:
    assert load_rulebook(name).pass_forms in PASS_RULES
