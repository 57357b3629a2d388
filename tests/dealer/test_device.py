"""The dealing machine over real bytes: pseudo terminals and TCP, unplugging, restarts, silence."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from dealer.clock import SystemClock
from dealer.deals import Generator, pack_plan, seat_sequence
from dealer.device import AT_WORK_S, DealingTable
from dealer.errors import DeviceSilent
from dealer.settings import LinkSettings
from engine.cards import Seat
from firmware_proto.messages import (
    BootCause,
    CardDropped,
    ClearFault,
    CommandStatus,
    DealDone,
    DeviceState,
    DisplayMode,
    Event,
    GetState,
    Message,
    Reason,
    Zone,
)
from simulator.clock import RealClock
from simulator.device import Device
from simulator.wire import PtyWire, TcpWire, Wire

FAST = 12.0
"""Speed of the pretend machine: a deal in about three seconds."""


class Table:
    """The consumer side: what was delivered, conditions as a journal would fold them."""

    def __init__(self, machine: DealingTable) -> None:
        self.machine = machine
        self.events: list[Event] = []
        self.recalled: list[Event] = []
        self.conditions: set[str] = set()
        self.changes: list[tuple[str, bool]] = []

    async def deliver(self, message: Message) -> None:
        assert isinstance(message, Event)
        self.events.append(message)
        self.machine.acknowledge(message.event_no)

    def drain(self) -> None:
        for name, stands in self.machine.take_conditions():
            self.changes.append((name, stands))
            (self.conditions.add if stands else self.conditions.discard)(name)

    @property
    def numbers(self) -> list[int]:
        return [event.event_no for event in self.events]

    async def until(self, what: Callable[[], bool], limit_s: float = 15.0) -> None:
        async with asyncio.timeout(limit_s):
            while not what():
                self.drain()
                await asyncio.sleep(0.01)
        self.drain()


@asynccontextmanager
async def controller(address: str | None, consumed: int = 0, link: LinkSettings | None = None) -> AsyncIterator[Table]:
    machine = DealingTable(address, link or LinkSettings(), SystemClock(), simulator_only=True)
    table = Table(machine)
    running = asyncio.create_task(machine.run(table.deliver, consumed, table.recalled.append))
    try:
        yield table
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


def pretend(wire: Wire, **more: int) -> Device:
    return Device(wire, RealClock(), seed=5, speed=FAST, **more)


def a_plan(seed: int = 3) -> bytes:
    return pack_plan(seat_sequence(Generator("seeded", random.Random(seed))))


def wires(tmp_path: Path) -> list[Wire]:
    return [PtyWire(RealClock(), tmp_path / "machine"), TcpWire(RealClock())]


@pytest.mark.parametrize("kind", [0, 1], ids=["pty", "tcp"])
async def test_a_deal_goes_through(tmp_path: Path, kind: int) -> None:
    async with pretend(wires(tmp_path)[kind]) as device, controller(device.address) as table:
        await table.until(lambda: table.machine.state is DeviceState.READY)
        assert (table.machine.level, table.machine.is_simulator) == (4, True)
        table.machine.show(DisplayMode.DEALING, None)
        table.machine.deal(1, a_plan())
        await table.until(lambda: table.machine.state is DeviceState.DEALT)
        assert device.display.mode is DisplayMode.DEALING
        dropped = [event for event in table.events if isinstance(event, CardDropped)]
        assert sorted(event.index for event in dropped) == list(range(108))
        assert [event.counts for event in table.events if isinstance(event, DealDone)] == [(27, 27, 27, 27)]
        table.machine.present()
        await table.until(lambda: table.machine.state is DeviceState.PRESENTED)
        for seat in Seat:
            device.take_hand(seat)
        await table.until(lambda: table.machine.state is DeviceState.IN_PLAY)
        table.machine.collect()
        await table.until(lambda: table.machine.state is DeviceState.COLLECTING)
        device.return_cards(card for hand in device.hands.values() for card in hand)
        await table.until(lambda: table.machine.state is DeviceState.READY)
        assert table.numbers == list(range(1, len(table.numbers) + 1))
        assert table.conditions == set()


async def test_a_wish_may_be_repeated_without_a_second_command(tmp_path: Path) -> None:
    async with pretend(wires(tmp_path)[0]) as device, controller(device.address) as table:
        await table.until(lambda: table.machine.state is DeviceState.READY)
        plan = a_plan()

        def wish() -> bool:
            if table.machine.state in {DeviceState.READY, DeviceState.DEALING}:
                table.machine.deal(1, plan)
            return table.machine.state is DeviceState.DEALING

        await table.until(wish)
        for _ in range(20):
            table.machine.deal(1, plan)
            await asyncio.sleep(0)
        await table.until(lambda: table.machine.state is DeviceState.DEALT)

        assert sum(isinstance(event, DealDone) for event in table.events) == 1
        assert ("order_refused", True) not in table.changes


@asynccontextmanager
async def opening(tmp_path: Path, seconds: float) -> AsyncIterator[tuple[Device, Table]]:
    """A machine that is about to open the pockets of a dealt deal, for which it takes so long."""
    async with pretend(wires(tmp_path)[1]) as device, controller(device.address) as table:
        device._state = replace(device.state, timing=replace(device.state.timing, present_s=seconds * FAST))
        await table.until(lambda: table.machine.state is DeviceState.READY)
        table.machine.deal(1, a_plan())
        await table.until(lambda: table.machine.state is DeviceState.DEALT)
        yield device, table


def present(table: Table) -> Callable[[], bool]:
    """What a table does in each round while the pockets are not open."""

    def wish() -> bool:
        if table.machine.state is DeviceState.DEALT:
            table.machine.present()
        return table.machine.state is DeviceState.PRESENTED

    return wish


def refused_as_busy(device: Device) -> int:
    return sum(result.reason is Reason.BUSY for result in device.state.results)


async def test_a_machine_at_work_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.device.REPEAT_S", 0.02)
    async with opening(tmp_path, 1.0) as (device, table):
        await table.until(present(table))

        assert refused_as_busy(device) == 0


async def test_a_machine_that_shows_no_result_is_asked_again_after_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.device.REPEAT_S", 0.02)
    monkeypatch.setattr("dealer.device.AT_WORK_S", 0.1)
    async with opening(tmp_path, 1.0) as (device, table):
        await table.until(present(table))

        assert refused_as_busy(device) >= 1


async def test_a_machine_that_forgets_its_order_by_a_restart_is_asked_again(tmp_path: Path) -> None:
    async with opening(tmp_path, 20.0) as (device, table):
        table.machine.present()
        await table.until(lambda: table.machine._at_work is not None)
        device.restart(BootCause.WATCHDOG)
        ask = present(table)

        accepted = CommandStatus.ACCEPTED
        await table.until(lambda: ask() or accepted in {r.status for r in device.state.results}, AT_WORK_S / 2)


async def test_unplugging_during_a_deal_loses_and_doubles_nothing(tmp_path: Path) -> None:
    async with pretend(wires(tmp_path)[0]) as device, controller(device.address) as table:
        await table.until(lambda: table.machine.state is DeviceState.READY)
        table.machine.deal(1, a_plan())
        loop = asyncio.get_running_loop()
        for cut in range(3):
            await table.until(lambda cut=cut: sum(isinstance(e, CardDropped) for e in table.events) > 20 + 25 * cut)
            pulled = loop.time()
            away = asyncio.create_task(device.unplug(2.6 if cut == 1 else 0.2))
            await table.until(lambda: not table.machine.is_up)
            detected = loop.time() - pulled
            await away
            assert "link_lost" in table.conditions
            assert detected <= 1.0
            back = loop.time()
            await table.until(lambda: table.machine.state is not DeviceState.UNKNOWN)
            assert loop.time() - back <= 3.0
            if table.machine.state is DeviceState.PAUSED:
                table.machine.resume()
        await table.until(lambda: table.machine.state is DeviceState.DEALT, 30)

        assert table.numbers == list(range(1, len(table.numbers) + 1))
        dropped = [event.index for event in table.events if isinstance(event, CardDropped)]
        assert sorted(dropped) == list(range(108))
        assert "link_lost" not in table.conditions
        assert [name for name, stands in table.changes if stands].count("link_lost") == 3


async def test_a_controller_that_starts_later_gets_only_what_it_has_not_consumed(tmp_path: Path) -> None:
    async with pretend(wires(tmp_path)[0]) as device:
        async with controller(device.address) as table:
            await table.until(lambda: table.machine.state is DeviceState.READY)
            table.machine.deal(1, a_plan())
            await table.until(lambda: len(table.events) >= 100)
            first = table.numbers
        async with controller(device.address, consumed=90) as table:
            await table.until(
                lambda: (
                    table.machine.resume() is None and table.machine.state is DeviceState.DEALT
                    if table.machine.state is DeviceState.PAUSED
                    else table.machine.state is DeviceState.DEALT
                ),
                30,
            )
            second = table.numbers
            recalled = [event.event_no for event in table.recalled]

    assert first[0] == 1
    assert recalled == list(range(59, 91))
    assert second == list(range(91, second[-1] + 1))


async def test_a_restarted_machine_is_noticed_and_its_events_go_on(tmp_path: Path) -> None:
    async with pretend(wires(tmp_path)[0]) as device, controller(device.address) as table:
        await table.until(lambda: table.machine.state is DeviceState.READY)
        device.restart(BootCause.WATCHDOG)
        await table.until(lambda: ("device_restarted", True) in table.changes)
        await table.until(lambda: table.machine.state is DeviceState.READY)
        assert table.numbers == list(range(1, len(table.numbers) + 1))
        await table.until(lambda: "device_restarted" not in table.conditions)


async def test_another_machine_counts_anew_and_is_noticed(tmp_path: Path) -> None:
    async with pretend(wires(tmp_path)[0]) as device, controller(device.address, consumed=5000) as table:
        await table.until(lambda: ("device_replaced", True) in table.changes)
        await table.until(lambda: table.machine.state is DeviceState.READY)

        assert table.numbers[:1] == [1]


async def test_a_fault_is_a_condition_while_it_lasts(tmp_path: Path) -> None:
    async with pretend(wires(tmp_path)[0]) as device, controller(device.address) as table:
        await table.until(lambda: table.machine.state is DeviceState.READY)
        device.break_down(18, Zone.HOPPER)
        await table.until(lambda: "fault_lid_open" in table.conditions)
        device.break_down(0xEE, Zone.HOPPER)
        await table.until(lambda: table.machine.state is DeviceState.FAULT)
        result = await table.machine.command(ClearFault)
        assert result.status is CommandStatus.DONE
        await table.until(lambda: "fault_lid_open" not in table.conditions)


async def test_a_command_given_at_the_instant_the_line_wakes_by_itself_is_carried_out(tmp_path: Path) -> None:
    async with pretend(wires(tmp_path)[0]) as device, controller(device.address) as table:
        await table.until(lambda: table.machine.state is DeviceState.READY)
        line = table.machine._line
        async with asyncio.timeout(10):
            while line._alarm._wait is None or not line._alarm._wait.expired():
                await asyncio.sleep(0)
        result = await table.machine.command(GetState)
        assert result.status is CommandStatus.DONE


async def test_a_machine_that_never_answers_is_silent_and_blocks_nothing() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.close(slave)
    try:
        async with controller(path, link=LinkSettings(answer_s=0.5)) as table:
            loop = asyncio.get_running_loop()
            worst = 0.0
            began = loop.time()
            asking = asyncio.create_task(table.machine.command(GetState))
            while "device_silent" not in table.conditions and loop.time() - began < 10:
                turn = loop.time()
                await asyncio.sleep(0)
                worst = max(worst, loop.time() - turn)
                table.drain()
                await asyncio.sleep(0.01)
            with pytest.raises(DeviceSilent):
                await asking

            assert "device_silent" in table.conditions
            assert not table.machine.is_up
            assert table.machine.state is DeviceState.UNKNOWN
            assert worst < 0.2
    finally:
        os.close(master)


async def test_a_port_that_is_absent_is_opened_when_it_appears(tmp_path: Path) -> None:
    link = tmp_path / "machine"
    async with controller(str(link)) as table:
        await table.until(lambda: "link_lost" in table.conditions)
        async with pretend(PtyWire(RealClock(), link)):
            await table.until(lambda: table.machine.state is DeviceState.READY)
            assert "link_lost" not in table.conditions


async def test_a_real_machine_refuses_seeded_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.device.SIMULATOR", 0)
    async with pretend(wires(tmp_path)[0]) as device, controller(device.address) as table:
        await table.until(lambda: "device_rejected" in table.conditions)
        assert not table.machine.is_up


async def test_a_slow_consumer_makes_the_machine_wait_and_loses_nothing(tmp_path: Path) -> None:
    async with pretend(wires(tmp_path)[0]) as device:
        machine = DealingTable(device.address, LinkSettings(), SystemClock(), simulator_only=True)
        inbox: asyncio.Queue[Message] = asyncio.Queue(4)
        running = asyncio.create_task(machine.run(inbox.put, 0))
        numbers: list[int] = []
        try:
            async with asyncio.timeout(40):
                while not numbers or machine.state is not DeviceState.DEALT:
                    if machine.state is DeviceState.READY:
                        machine.deal(1, a_plan())
                    if machine.state is DeviceState.PAUSED:
                        machine.resume()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.1):
                            event = await inbox.get()
                            assert isinstance(event, Event)
                            numbers.append(event.event_no)
                    if numbers and numbers[-1] == 60:
                        await asyncio.sleep(1.5)
                while not inbox.empty():
                    event = inbox.get_nowait()
                    assert isinstance(event, Event)
                    numbers.append(event.event_no)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    assert numbers == list(range(1, numbers[-1] + 1))


async def test_without_a_machine_nothing_is_wrong() -> None:
    async with controller(None) as table:
        table.machine.show(DisplayMode.IDLE, None)
        await asyncio.sleep(0.05)
        table.drain()

        assert table.changes == []
        assert not table.machine.is_up


@pytest.mark.slow
async def test_twenty_short_losses_in_one_deal(tmp_path: Path) -> None:
    chance = random.Random(6)
    async with pretend(wires(tmp_path)[0]) as device, controller(device.address) as table:
        await table.until(lambda: table.machine.state is DeviceState.READY)
        table.machine.deal(1, a_plan())
        for number in range(20):
            await table.until(lambda seen=4 * number: sum(isinstance(e, CardDropped) for e in table.events) >= seen)
            await asyncio.sleep(chance.uniform(0, 0.05))
            await device.unplug(0.2)
            await table.until(lambda: table.machine.state is not DeviceState.UNKNOWN)
            if table.machine.state is DeviceState.PAUSED:
                table.machine.resume()
        await table.until(lambda: table.machine.state is DeviceState.DEALT, 30)

        dropped = [event.index for event in table.events if isinstance(event, CardDropped)]
        assert sorted(dropped) == list(range(108))
        assert table.numbers == list(range(1, len(table.numbers) + 1))
        assert table.conditions == set()
