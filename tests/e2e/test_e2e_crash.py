"""Killed, unplugged, frozen: the deal goes on, and nothing is lost or doubled."""

from __future__ import annotations

import pytest

from dealer.record import Role

pytestmark = pytest.mark.timeout(420)
SEEDS = [pytest.param(21, marks=pytest.mark.slow), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(22, 28))]


def made(rig) -> list[tuple[str, tuple[str, ...]]]:
    """What the people did, from the simulator's own account."""
    return [(line["seat"], tuple(line.get("cards", ()))) for line in rig.truth() if line["kind"] in {"play", "pass"}]


def recorded(rig) -> list[tuple[str, tuple[str, ...]]]:
    """What the journal says they did."""
    return [
        (record.body["fact"]["seat"], tuple(record.body["fact"].get("cards", ())))
        for record in rig.records()
        if record.role is Role.FACT and record.kind in {"cards_laid", "passed"}
    ]


def raised(rig) -> list[str]:
    """Findings above info, which a clean deal must not have."""
    quiet = {"finish_order", "level_change", "cut_redraw", "reading_assumed", "trick_end"}
    return [r.kind for r in rig.records() if r.role is Role.FINDING and r.kind not in quiet]


def is_over(rig) -> bool:
    table = rig.table()
    return table["phase"] == "over" and table["deal"] == 1 and any(r.kind == "cards_collected" for r in rig.records())


def check_whole(rig) -> None:
    dealt = [r for r in rig.records() if r.kind == "card_dealt"]
    assert sorted(r.body["fact"]["index"] for r in dealt) == list(range(108))
    assert [r.body["fact"]["count"] for r in rig.records() if r.kind == "cards_collected"] == [108]
    assert recorded(rig) == made(rig)
    assert raised(rig) == []
    assert [r.number for r in rig.records()] == list(range(1, len(rig.records()) + 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_killed_controller_goes_on_where_the_record_stands(make_rig, seed) -> None:
    rig = make_rig(seed=seed)
    rig.start()
    rig.until("half the cards are dealt", lambda: sum(r.kind == "card_dealt" for r in rig.records()) >= 50)
    rig.kill()
    rig.start()
    rig.until("all cards are dealt", lambda: sum(r.kind == "card_dealt" for r in rig.records()) == 108)
    rig.kill()
    rig.start()
    for plays in (3, 20, 45):
        rig.until(f"{plays} acts are recorded", lambda n=plays: len(recorded(rig)) >= n)
        rig.kill()
        rig.start()
    rig.until("the deal is over", lambda: is_over(rig))

    check_whole(rig)
    assert rig.stop() <= 5.0


@pytest.mark.parametrize("seed", SEEDS)
def test_an_unplugged_line_and_a_frozen_picture_are_conditions_that_pass(make_rig, seed) -> None:
    rig = make_rig(seed=seed)
    rig.start()
    rig.until("a third of the cards are dealt", lambda: sum(r.kind == "card_dealt" for r in rig.records()) >= 36)
    rig.control(unplug_s=3)
    rig.until("the lost line is shown", lambda: "link_lost" in conditions(rig), 2.0)
    rig.until("play has begun", lambda: len(recorded(rig)) >= 5)
    rig.control(unplug_s=3)
    rig.until("the lost line is shown", lambda: "link_lost" in conditions(rig), 2.0)
    rig.until("the line is back", lambda: "link_lost" not in conditions(rig), 8.0)
    rig.until("play goes on", lambda: len(recorded(rig)) >= 12)
    rig.control(freeze_s=3)
    rig.until("the frozen picture is shown", lambda: "camera_frozen" in conditions(rig), 2.5)
    rig.until("the picture is back", lambda: not conditions(rig), 8.0)
    rig.until("play goes on", lambda: len(recorded(rig)) >= 20)
    rig.control(camera_off_s=3)
    rig.until("the lost camera is shown", lambda: "camera_no_frames" in conditions(rig), 2.5)
    rig.until("the camera is back", lambda: not conditions(rig), 10.0)
    rig.until("the deal is over", lambda: is_over(rig))

    check_whole(rig)


def conditions(rig) -> set[str]:
    return {condition["name"] for condition in rig.table()["conditions"]}
