"""The pretend machine as a pure function: timing, commands, events."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from firmware_proto.messages import (
    EVENT_RING,
    Abort,
    Boot,
    CardDropped,
    CardFed,
    CardRead,
    ClearFault,
    Collect,
    Collected,
    Command,
    CommandResult,
    DealDone,
    DealStart,
    DeviceState,
    Display,
    DisplayMode,
    Event,
    EventsFrom,
    EventsLost,
    GetState,
    Key,
    KeyPressed,
    Message,
    Pause,
    Plan,
    Present,
    Reason,
    Resume,
    StateChanged,
    StateReport,
    Unknown,
)
from firmware_proto.plan import plan_hash
from simulator import machine
from simulator.machine import fresh
from simulator.mechanics import face
from tests.simulator.machine_bench import ACCEPTED, DONE, FAILED, REJECTED, Bench, hands_of, plan, start


def test_fresh_machine_is_ready_with_two_shuffled_packs() -> None:
    state = fresh(1, 0.0)

    assert state.status is DeviceState.READY
    assert Counter(map(face, state.hopper)) == Counter({number: 2 for number in range(54)})
    assert state.hopper != tuple(sorted(state.hopper))
    assert [type(event) for event in state.events] == [Boot, StateChanged]
    assert state.head_event == 2


def test_same_seed_takes_the_same_course() -> None:
    said = []
    for _ in range(2):
        bench = Bench().in_play()
        bench.command(Collect(9))
        bench.take(machine.put_back(bench.state, bench.now, [card for hand in hands_of(bench.state) for card in hand]))
        bench.run(10)
        said.append((bench.said, bench.state))

    assert said[0] == said[1]


def test_other_seed_feeds_another_order() -> None:
    assert fresh(1, 0.0).hopper != fresh(2, 0.0).hopper


def test_deal_takes_the_time_of_the_club_profile() -> None:
    bench = Bench().dealt()

    assert 25.0 < bench.now < 30.0


def test_speed_divides_the_time() -> None:
    bench = Bench(fresh(1, 0.0, speed=10.0)).dealt()

    assert 2.5 < bench.now < 3.4


def test_every_card_is_fed_read_and_dropped_in_order_as_planned() -> None:
    bench = Bench()
    order = [face(card) for card in bench.state.hopper]
    bench.dealt()

    fed, read, dropped = bench.of(CardFed), bench.of(CardRead), bench.of(CardDropped)
    assert [m.index for m in fed if isinstance(m, CardFed)] == list(range(108))
    assert [m.card for m in read if isinstance(m, CardRead)] == order
    seats = random.Random(3).sample([0, 1, 2, 3] * 27, 108)
    assert [m.pocket for m in dropped if isinstance(m, CardDropped)] == seats
    for pocket in range(4):
        counts = [m.count_in_pocket for m in dropped if isinstance(m, CardDropped) and m.pocket == pocket]
        assert counts == list(range(1, 28))
        assert hands_of(bench.state)[pocket] == [
            card for card, seat in zip(order, seats, strict=True) if seat == pocket
        ]


def test_finished_deal_is_told_with_counts_and_result() -> None:
    bench = Bench().dealt()

    assert bench.of(DealDone) == [DealDone(bench.state.head_event - 1, 1, (27, 27, 27, 27))]
    assert bench.said[-1] == CommandResult(2, DONE, Reason.NONE)
    assert bench.state.status is DeviceState.DEALT


def test_whole_round_ends_ready_with_another_order() -> None:
    bench = Bench()
    before = bench.state.hopper
    bench.in_play()
    faces = [card for hand in hands_of(bench.state) for card in hand]
    assert bench.result(Collect(9)).status is ACCEPTED
    for at in range(0, 108, 27):
        bench.take(machine.put_back(bench.state, bench.now, faces[at : at + 27]))
        bench.run(1.0)
    bench.run(5.0)

    assert bench.state.status is DeviceState.READY
    assert [m.count for m in bench.of(Collected) if isinstance(m, Collected)] == [108]
    assert bench.said[-1] == CommandResult(9, DONE, Reason.NONE)
    assert sorted(bench.state.hopper) == list(range(108))
    assert bench.state.hopper != before
    assert bench.result(plan(2, 20)).status is DONE
    assert bench.result(start(2, 21)).status is ACCEPTED


def test_cards_in_the_intake_before_collect_wait_for_it() -> None:
    bench = Bench().in_play()

    bench.take(machine.put_back(bench.state, bench.now, [card for hand in hands_of(bench.state) for card in hand]))
    bench.run(60.0)
    assert bench.of(Collected) == []
    bench.command(Collect(9))
    bench.run(5.0)

    assert bench.state.status is DeviceState.READY


def test_missing_cards_leave_the_machine_idle_until_they_come() -> None:
    bench = Bench().in_play()
    faces = [card for hand in hands_of(bench.state) for card in hand]
    bench.command(Collect(9))
    bench.take(machine.put_back(bench.state, bench.now, faces[:-1]))
    bench.run(31.0)
    assert bench.state.status is DeviceState.IDLE
    assert bench.result(start(1, 22)).reason is Reason.WRONG_STATE

    bench.command(Collect(10))
    bench.take(machine.put_back(bench.state, bench.now, faces[-1:]))
    bench.run(5.0)

    assert [m.count for m in bench.of(Collected) if isinstance(m, Collected)] == [107, 108]
    assert bench.state.status is DeviceState.READY


# ---- commands -------------------------------------------------------------------------------------------------


def test_repeated_command_is_answered_and_not_done_again() -> None:
    bench = Bench().dealing(3)

    assert bench.command(start())[-1] == CommandResult(2, ACCEPTED, Reason.NONE)
    bench.run(30.0)
    assert bench.result(start()) == CommandResult(2, DONE, Reason.NONE)

    assert len(bench.of(CardDropped)) == 108
    assert len(bench.of(DealDone)) == 1


def test_repeated_rejection_is_the_same() -> None:
    bench = Bench()
    first = bench.result(start(cmd_id=7))
    bench.command(plan())

    assert first == CommandResult(7, REJECTED, Reason.NO_PLAN)
    assert bench.result(start(cmd_id=7)) == first


def test_sixteen_results_are_kept_and_a_running_one_longer() -> None:
    bench = Bench().dealing(1)
    for number in range(100, 140):
        bench.command(GetState(number))

    assert len(bench.state.results) == 16
    assert bench.command(start())[-1] == CommandResult(2, ACCEPTED, Reason.NONE)
    assert len(bench.command(GetState(139))) == 1
    assert len(bench.command(GetState(100))) == 2


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (Plan(1, 1, plan().seats, bytes(32)), Reason.PLAN_HASH),
        (Plan(1, 1, bytes(27), plan_hash(bytes(27))), Reason.PLAN_COUNTS),
        (start(), Reason.NO_PLAN),
        (Pause(1), Reason.WRONG_STATE),
        (Resume(1, 2), Reason.WRONG_STATE),
        (Present(1, 0), Reason.WRONG_STATE),
        (Present(1, 9), Reason.WRONG_DEAL),
        (Display(1, DisplayMode.UNKNOWN, 255, 0), Reason.BAD_VALUE),
        (Display(1, DisplayMode.PLAY, 4, 0), Reason.BAD_VALUE),
        (EventsFrom(1, 99), Reason.STALE_EVENT),
        (Unknown(0x3F, b"\x07\0\0\0"), Reason.NOT_SUPPORTED),
    ],
)
def test_command_that_cannot_be_done_is_rejected_and_changes_nothing(command: Message, reason: Reason) -> None:
    bench = Bench()
    before = bench.state

    result = bench.result(command)

    assert (result.status, result.reason) == (REJECTED, reason)
    assert (bench.state.status, bench.state.hopper, bench.state.plan, bench.state.display, bench.state.head_event) == (
        before.status,
        before.hopper,
        before.plan,
        before.display,
        before.head_event,
    )


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (start(deal_no=2), Reason.WRONG_DEAL),
        (DealStart(2, 1, bytes(32), DeviceState.READY), Reason.PLAN_HASH),
        (DealStart(2, 1, plan().hash, DeviceState.IDLE), Reason.WRONG_STATE),
        (DealStart(2, 1, plan().hash, DeviceState.UNKNOWN), Reason.WRONG_STATE),
    ],
)
def test_start_with_a_wrong_precondition_is_rejected(command: Command, reason: Reason) -> None:
    bench = Bench()
    bench.command(plan())

    assert bench.result(command).reason is reason
    assert bench.state.status is DeviceState.READY


@pytest.mark.parametrize("command", [Collect(1), Abort(1), ClearFault(1)])
def test_command_whose_wish_is_fulfilled_already_is_done(command: Command) -> None:
    assert Bench().result(command).status is DONE


def test_plan_cannot_change_during_its_deal() -> None:
    bench = Bench().dealing(2)

    assert bench.result(plan(cmd_id=30, seed=4)).reason is Reason.WRONG_STATE


def test_pause_finishes_the_card_in_the_path_and_resume_goes_on() -> None:
    bench = Bench().dealing(10)
    assert bench.result(Pause(30)).status is ACCEPTED
    bench.run(2.0)
    paused = bench.state
    bench.run(5.0)

    assert paused.status is DeviceState.PAUSED
    assert paused.path == ()
    assert (bench.state.hopper, bench.state.pockets) == (paused.hopper, paused.pockets)
    assert CommandResult(30, DONE, Reason.NONE) in bench.said
    assert bench.result(Pause(31)).status is DONE
    assert bench.result(Resume(32, bench.state.head_event)).status is DONE
    bench.run(30.0)
    assert bench.state.status is DeviceState.DEALT


def test_resume_with_an_old_event_number_is_rejected() -> None:
    bench = Bench().dealing(4)
    bench.command(Pause(30))
    bench.run(2.0)

    assert bench.result(Resume(31, bench.state.head_event - 1)).reason is Reason.STALE_EVENT
    assert bench.state.status is DeviceState.PAUSED


@pytest.mark.parametrize("cards", [0, 1, 54, 107, 108])
def test_abort_brings_all_cards_back(cards: int) -> None:
    bench = Bench().dealing(cards)

    assert bench.result(Abort(40)).status is ACCEPTED
    bench.run(6.0)

    assert bench.state.status is DeviceState.READY
    assert sorted(bench.state.hopper) == list(range(108))
    assert CommandResult(40, DONE, Reason.NONE) in bench.said
    if cards < 108:
        assert CommandResult(2, FAILED, Reason.ABORTED) in bench.said


def test_abort_with_hands_out_waits_for_them() -> None:
    bench = Bench().presented()
    bench.take(machine.take_hand(bench.state, bench.now, 2))

    bench.command(Abort(40))
    bench.run(1.0)
    bench.take(machine.put_back(bench.state, bench.now, hands_of(bench.state)[2]))
    bench.run(5.0)

    assert bench.state.status is DeviceState.READY


def test_report_counts_every_card() -> None:
    bench = Bench().dealing(20)

    (report, _) = bench.command(GetState(50))

    assert isinstance(report, StateReport)
    assert report.hopper + report.path + sum(report.pockets) + report.intake + report.outside == 108
    assert report.fed == 108 - report.hopper
    assert (report.first_event, report.head_event) == (1, bench.state.head_event)


# ---- events ---------------------------------------------------------------------------------------------------


def test_events_have_numbers_without_gaps() -> None:
    bench = Bench().in_play()

    numbers = [message.event_no for message in bench.said if isinstance(message, Event)]
    assert numbers == list(range(3, 3 + len(numbers)))


def test_events_are_repeated_as_they_were() -> None:
    bench = Bench().dealt()
    events = [message for message in bench.said if isinstance(message, Event)]

    repeated = bench.command(EventsFrom(60, 3))

    assert repeated == [*events, CommandResult(60, DONE, Reason.NONE)]


def test_nothing_to_repeat_is_done() -> None:
    bench = Bench()

    assert bench.command(EventsFrom(60, 3)) == [CommandResult(60, DONE, Reason.NONE)]


def test_events_that_are_gone_are_named() -> None:
    bench = Bench()
    for number in range(EVENT_RING):
        bench.take(machine.press(bench.state, bench.now, Key.CALL, 1, number & 0xFF))

    repeated = bench.command(EventsFrom(60, 1))

    assert repeated[0] == EventsLost(1, 2)
    assert len(repeated) == 1 + EVENT_RING + 1
    assert isinstance(repeated[1], KeyPressed)
    assert repeated[1].event_no == 3
