"""The pretend machine in trouble: silence of the host, faults, restarts, people who ask for what is not there."""

from __future__ import annotations

import pytest

from firmware_proto.messages import (
    Boot,
    BootCause,
    ClearFault,
    Collect,
    DeviceState,
    Display,
    DisplayMode,
    Fault,
    FaultCleared,
    HandTaken,
    Present,
    Resume,
    StateChanged,
    StateReason,
)
from simulator import machine
from simulator.errors import BadReturn, HandNotThere
from simulator.machine import shown
from tests.simulator.machine_bench import ALIVE, DONE, Bench, hands_of

# ---- silence of the host --------------------------------------------------------------------------------------


def test_display_holds_after_a_second_of_silence_and_comes_back() -> None:
    bench = Bench()
    bench.command(Display(70, DisplayMode.PLAY, 1, 1))
    bench.run(0.9, alive=False)
    assert shown(bench.state).mode is DisplayMode.PLAY

    bench.run(0.2, alive=False)
    assert shown(bench.state).mode is DisplayMode.HOLD
    bench.command(ALIVE)

    assert shown(bench.state) == machine.Shown(DisplayMode.PLAY, 1, 1)


def test_silence_of_two_seconds_pauses_at_a_card_boundary() -> None:
    bench = Bench().dealing(10)
    bench.run(3.5, alive=False)

    assert (bench.state.status, bench.state.reason) == (DeviceState.PAUSED, StateReason.LINK_LOST)
    assert bench.state.path == ()
    assert bench.result(Resume(71, bench.state.head_event)).status is DONE
    bench.run(30.0)
    assert bench.state.status is DeviceState.DEALT


def test_silence_of_less_than_two_seconds_does_not_stop_the_deal() -> None:
    bench = Bench().dealing(10)
    bench.run(1.8, alive=False)
    bench.run(30.0)

    assert bench.state.status is DeviceState.DEALT
    assert bench.of(StateChanged)[-1] == StateChanged(bench.state.head_event, DeviceState.DEALT, StateReason.DONE)


def test_stall_of_the_program_itself_is_no_silence() -> None:
    bench = Bench().dealing(10)
    bench.now += 5.0

    bench.command(ALIVE)

    assert shown(bench.state).mode is DisplayMode.IDLE
    assert bench.state.status is DeviceState.DEALING


def test_silence_outside_a_deal_only_holds_the_display() -> None:
    bench = Bench().in_play()
    bench.run(60.0, alive=False)

    assert bench.state.status is DeviceState.IN_PLAY


# ---- people, faults, restarts ---------------------------------------------------------------------------------


def test_four_hands_taken_is_in_play() -> None:
    bench = Bench().in_play()

    assert [m.seat for m in bench.of(HandTaken) if isinstance(m, HandTaken)] == [0, 1, 2, 3]
    assert bench.state.status is DeviceState.IN_PLAY


def test_closed_or_empty_pocket_gives_no_hand() -> None:
    bench = Bench().dealt()
    with pytest.raises(HandNotThere):
        machine.take_hand(bench.state, bench.now, 0)

    bench.command(Present(5, 1))
    bench.run(4.2)
    bench.take(machine.take_hand(bench.state, bench.now, 0))
    with pytest.raises(HandNotThere):
        machine.take_hand(bench.state, bench.now, 0)


def test_third_copy_of_a_card_cannot_be_given_back() -> None:
    bench = Bench().in_play()

    with pytest.raises(BadReturn):
        machine.put_back(bench.state, bench.now, [7, 7, 7])


def test_fault_stops_everything_and_clearing_pauses_the_deal() -> None:
    bench = Bench().dealing(10)
    bench.take(machine.break_down(bench.state, bench.now, 0xEE))
    stopped = bench.state
    bench.run(20.0)
    assert (bench.state.path, bench.state.hopper) == (stopped.path, stopped.hopper)
    assert [m.code for m in bench.of(Fault) if isinstance(m, Fault)] == [0xEE]

    assert bench.result(ClearFault(80)).status is DONE
    bench.run(2.0)

    assert len(bench.of(FaultCleared)) == 1
    assert (bench.state.status, bench.state.reason) == (DeviceState.PAUSED, StateReason.FAULT)
    bench.command(Resume(81, bench.state.head_event))
    bench.run(30.0)
    assert bench.state.status is DeviceState.DEALT


def test_fault_while_collecting_goes_on_after_clearing() -> None:
    bench = Bench().in_play()
    bench.command(Collect(9))
    bench.take(machine.break_down(bench.state, bench.now, 1))
    bench.take(machine.put_back(bench.state, bench.now, [card for hand in hands_of(bench.state) for card in hand]))
    bench.run(10.0)
    bench.command(ClearFault(80))
    bench.run(5.0)

    assert bench.state.status is DeviceState.READY


def test_restart_keeps_cards_and_event_numbers_and_pauses_the_deal() -> None:
    bench = Bench().dealing(10)
    head = bench.state.head_event
    bench.take(machine.restart(bench.state, bench.now, BootCause.BROWN_OUT))
    bench.run(2.0)

    (boot,) = bench.of(Boot)
    assert isinstance(boot, Boot)
    assert boot.event_no == head + 1
    assert boot.boot_id == 2
    assert (bench.state.status, bench.state.reason) == (DeviceState.PAUSED, StateReason.POWER_LOST)
