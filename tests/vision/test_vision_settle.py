"""When a zone settles: pure bookkeeping, ten glances a second."""

from __future__ import annotations

from dataclasses import replace

from vision.settle import Glance, Settled, Wish, ZoneWatch

STEP_NS = 100_000_000
MOVING = Glance(moved=True, same=False, hand=False)
CALM = Glance(moved=False, same=False, hand=False)
HAND = Glance(moved=False, same=False, hand=True)
AS_BEFORE = Glance(moved=False, same=True, hand=False)


class Table:
    """Feeds a watch; what lies there is read as `content`."""

    def __init__(self) -> None:
        self.watch: ZoneWatch[str] = ZoneWatch()
        self.now_ns = 0
        self.lying: str | None = None
        self.settled: list[Settled[str]] = []

    def see(self, look: Glance, content: str = "", times: int = 1, sure: bool = True) -> None:
        for _ in range(times):
            self.now_ns += STEP_NS
            still = not look.moved and not look.hand
            look = replace(look, same=look.same or (still and content == self.lying))
            if self.watch.glance(look, self.now_ns) is Wish.READ:
                settled = self.watch.judge(content, sure, self.now_ns)
                if settled is not None:
                    self.settled.append(settled)
                    self.lying = content


def started() -> Table:
    """A table that has been looked at for a while."""
    table = Table()
    table.see(MOVING)
    table.see(CALM, "empty", 5)
    table.settled.clear()
    return table


def test_content_found_at_start_is_initial() -> None:
    table = Table()

    table.see(MOVING)
    table.see(CALM, "4S", 5)

    assert [(seen.content, seen.initial) for seen in table.settled] == [("4S", True)]


def test_a_play_settles_three_tenths_after_the_last_movement() -> None:
    table = started()

    table.see(MOVING, times=3)
    last_ns = table.now_ns
    table.see(CALM, "4S", 10)

    assert table.settled[0].settled_ns - last_ns == 3 * STEP_NS
    assert table.settled[0].first_moved_ns == last_ns - 2 * STEP_NS
    assert not table.settled[0].initial


def test_a_pause_of_two_tenths_between_two_goes_settles_nothing() -> None:
    table = started()

    table.see(MOVING)
    table.see(CALM, "4S", 2)
    table.see(MOVING)
    table.see(CALM, "4S 4H", 3)

    assert [seen.content for seen in table.settled] == ["4S 4H"]


def test_nothing_settles_under_a_hand() -> None:
    table = started()

    table.see(MOVING)
    table.see(HAND, "4S", 50)

    assert table.settled == []


def test_a_hand_that_only_passed_over_leaves_no_trace() -> None:
    table = started()

    table.see(MOVING, times=3)
    table.see(AS_BEFORE, "empty", 10)

    assert table.settled == []
    assert table.watch.first_moved_ns is None


def test_readings_that_disagree_are_unclear_after_a_bounded_time() -> None:
    table = started()

    table.see(MOVING)
    for number in range(20):
        table.see(CALM, f"reading {number}")

    assert [seen.sure for seen in table.settled[:1]] == [False]
    assert table.settled[0].settled_ns - table.settled[0].first_moved_ns <= 1_500_000_000


def test_time_without_pictures_does_not_count_as_calm() -> None:
    table = started()

    table.see(MOVING)
    table.now_ns += 10 * STEP_NS
    table.see(CALM, "4S", 3)

    assert table.settled == []


def test_after_blindness_the_same_content_is_found_again() -> None:
    table = started()

    table.watch.forget()
    table.see(MOVING)
    table.see(CALM, "empty", 5)

    assert [(seen.content, seen.initial) for seen in table.settled] == [("empty", True)]
