"""Four pretend people in virtual time, opposite a double of machine and controller that judges as the engine does."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any  # what a future or a JSON value holds

import pytest

from engine.cards import PACKS, Seat
from engine.findings import CATALOGUE
from firmware_proto.messages import DisplayMode
from simulator.game import Game
from simulator.hands import Hands
from simulator.people import PACES, PATIENCE_S, Pace, People
from simulator.scenarios import SCENARIOS, Director
from simulator.staging import KINDS
from simulator.table import Scene
from simulator.truth import Line
from tests.simulator.virtual_controller import RULEBOOK, Controller, LoopClock, VirtualLoop, Ways, by_the_book

BY_THE_BOOK = Ways(by_the_book)


@dataclass(frozen=True, slots=True)
class Evening:
    """What an evening left behind."""

    controller: Controller
    scenes: list[tuple[float, Scene]]
    seconds: float
    director: Director

    def lines(self, *kinds: str) -> list[Line]:
        return [line for line in self.controller.lines if line["kind"] in kinds]


def in_virtual_time(main: Coroutine[Any, Any, Evening]) -> Evening:
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(main)
    finally:
        loop.close()


async def _evening(seed: int, scenario: str, deals: int, ways: Ways, pace: Pace) -> Evening:
    kind, clock = SCENARIOS[scenario], LoopClock()
    controller = Controller(seed, kind, ways)
    scenes: list[tuple[float, Scene]] = []
    manners = random.Random(f"manners {seed}")
    director = kind.director(random.Random(f"choices {seed}"))
    people = People(
        machine=controller,
        hands=Hands(clock, manners, pace.reach_s, lambda scene: scenes.append((clock.now(), scene))),
        game=Game(RULEBOOK),
        director=director,
        account=controller,
        clock=clock,
        rng=manners,
        pace=pace,
    )
    start_s = clock.now()
    async with asyncio.TaskGroup() as group:
        group.create_task(controller.run(deals))
        group.create_task(people.run(deals))
    assert people.progress.done
    return Evening(controller, scenes, clock.now() - start_s, director)


def evening(
    seed: int, scenario: str = "clean", deals: int = 1, ways: Ways = BY_THE_BOOK, pace: Pace = PACES["quick"]
) -> Evening:
    return in_virtual_time(_evening(seed, scenario, deals, ways, pace))


def emptied_before_laid(scenes: list[tuple[float, Scene]], seat: Seat) -> list[float]:
    """Seconds for which the play zone was empty, and no hand had cards for it, before each lay-down."""
    gaps, since = [], None
    for (_, before), (at_s, after) in itertools.pairwise(scenes):
        was, is_now = before.at(seat).play, after.at(seat).play
        if was and not is_now:
            since = at_s
        elif not was and is_now and since is not None:
            gaps.append(at_s - since)
    return gaps


@pytest.mark.parametrize("seed", range(6))
def test_a_clean_deal_is_played_to_its_end_without_a_finding(seed: int) -> None:
    done = evening(seed)

    assert done.controller.findings == []
    assert done.lines("expected", "taken_back") == []
    finish = done.lines("finish")[0]["finish"]
    assert done.controller.match is not None
    assert finish == [seat.value for seat in done.controller.match.score.last_finish]
    assert done.controller.lines[-1] == {"kind": "done"}
    assert done.controller.returned == 108


def test_a_clean_deal_takes_at_most_200_seconds() -> None:
    seconds = [evening(seed).seconds for seed in range(8)]

    assert max(seconds) <= 200, seconds


def test_the_account_begins_with_the_hands_and_names_every_act_once() -> None:
    done = evening(3)
    deal, *acts = [line for line in done.controller.lines if line["kind"] in {"deal", "play", "pass"}]

    hands: Any = deal["hands"]
    assert Counter(card for hand in hands.values() for card in hand) == Counter(card.text for card in PACKS)
    assert deal["level"] == "2"
    assert acts[0]["seat"] == deal["leader"]
    stamps = [line["laid_mono_ns"] for line in acts]
    assert all(a < b for a, b in itertools.pairwise(stamps))  # type: ignore[operator]  # integers


def test_the_same_seed_gives_the_same_account() -> None:
    def told(done: Evening) -> list[Mapping[str, object]]:
        return [{k: v for k, v in line.items() if k != "laid_mono_ns"} for line in done.controller.lines]

    assert told(evening(4)) == told(evening(4))


def test_two_deals_follow_each_other_each_a_match_of_its_own() -> None:
    """People who carried the level over would play cards in an order that the table does not know."""
    done = evening(9, deals=2)

    assert done.controller.findings == []
    assert [line["level"] for line in done.lines("deal")] == ["2", "2"]
    assert len(done.lines("finish")) == 2
    assert done.controller.returned == 216


@pytest.mark.parametrize("seed", range(8))
def test_each_violation_is_staged_once_found_and_nothing_else_is(seed: int) -> None:
    done = evening(seed, "violations")

    expected = [(line["name"], line["seat"]) for line in done.lines("expected")]
    assert sorted(str(name) for name, _ in expected) == sorted(KINDS)
    assert done.controller.findings == expected
    assert all(line["severity"] == CATALOGUE[str(line["name"])].severity.value for line in done.lines("expected"))
    assert len(done.lines("taken_back")) == 4


def test_a_taken_back_line_names_the_play_that_broke_the_rule() -> None:
    done = evening(5, "violations")
    acts, told = done.lines("play", "pass"), done.lines("taken_back")

    taken: list[Line] = [acts[int(str(line["play"]))] for line in told]

    offenders = [line["seat"] for line in done.lines("expected") if line["name"] != "needs_declaration"]
    assert [line["seat"] for line in taken] == offenders


@pytest.mark.parametrize("ruling", ["let_stand", "noted"])
def test_play_goes_on_whatever_the_referee_rules(ruling: str) -> None:
    rules: Callable[[str], str] = lambda name: "declare" if name == "needs_declaration" else ruling  # noqa: E731

    done = evening(2, "violations", ways=Ways(rules))

    assert done.lines("finish")
    assert len(done.lines("expected")) == 5


def test_a_right_play_that_was_misread_is_taken_back_and_play_goes_on() -> None:
    done = evening(6, ways=Ways(by_the_book, misread=11))

    assert len(done.lines("taken_back")) == 1
    assert done.lines("finish")


def test_players_act_by_themselves_when_the_display_stays_silent() -> None:
    done = evening(1, ways=Ways(by_the_book, silent_after=20))

    acts = done.lines("play", "pass")[20:]
    named = done.controller.shows[-3][2]  # before DEAL_OVER and IDLE: whom it named when it fell silent
    waits = [
        (int(str(b["laid_mono_ns"])) - int(str(a["laid_mono_ns"]))) / 1e9
        for a, b in itertools.pairwise(acts)
        if named is None or b["seat"] != named.value
    ]
    assert waits
    assert min(waits) >= PATIENCE_S
    assert done.lines("finish")


@pytest.mark.parametrize("scenario", ["clean", "violations"])
def test_a_play_zone_is_seen_empty_before_other_cards_lie_in_it(scenario: str) -> None:
    done = evening(8, scenario)

    gaps = [gap for seat in Seat for gap in emptied_before_laid(done.scenes, seat)]
    assert gaps
    assert min(gaps) >= 0.6


def test_a_pass_card_is_shown_once_for_each_pass() -> None:
    done = evening(7)

    shown = sum(
        after.at(seat).passing is not None and before.at(seat).passing is None
        for (_, before), (_, after) in zip(done.scenes, done.scenes[1:], strict=False)
        for seat in Seat
    )
    assert shown == len(done.lines("pass"))


def test_report_cards_say_how_many_cards_are_left_and_stay() -> None:
    done = evening(7)
    left = dict.fromkeys(Seat, 27)
    first: dict[Seat, int] = {}
    for line in done.lines("play"):
        seat, cards = Seat(str(line["seat"])), line["cards"]
        left[seat] -= len(cards)  # type: ignore[arg-type]  # JSON list
        if 1 <= left[seat] <= 10:
            first.setdefault(seat, left[seat])

    seen = {
        seat: {str(scene.at(seat).report.shown) for _, scene in done.scenes if scene.at(seat).report is not None}  # type: ignore[union-attr]  # just asked
        for seat in Seat
    }
    assert seen == {seat: {f"ReportSign(count={first[seat]})"} if seat in first else set() for seat in Seat}


def test_the_finish_is_told_before_the_display_says_that_the_deal_is_over() -> None:
    """A person without a camera enters the finish from it; the display waits for that person."""
    done = evening(7)
    over_s = next(at_s for at_s, mode, _ in done.controller.shows if mode is DisplayMode.DEAL_OVER)

    assert done.controller.told_finish_s < over_s


def test_the_table_is_bare_at_the_end() -> None:
    assert evening(7).scenes[-1][1] == Scene()


def test_human_people_take_their_time() -> None:
    assert evening(3, pace=PACES["human"]).seconds > 1.8 * evening(3).seconds


def test_faster_people_are_still_seen_by_the_camera() -> None:
    pace = PACES["quick"].faster(10)

    assert pace.reach_s == 0.2
    assert evening(3, pace=pace).seconds < evening(3).seconds
