"""The pretend device over real bytes: a pseudo terminal and a TCP port, and a controller that comes and goes."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.cards import PACKS, Seat
from firmware_proto.link import DownReason
from firmware_proto.messages import (
    EVENT_RING,
    BootCause,
    CardDropped,
    Collect,
    Collected,
    CommandResult,
    CommandStatus,
    DealDone,
    DealStart,
    DeviceState,
    Display,
    DisplayMode,
    EventsFrom,
    EventsLost,
    Fault,
    GetState,
    HandTaken,
    Key,
    KeyPressed,
    Plan,
    Present,
    Reason,
    Resume,
    StateChanged,
    StateReport,
)
from firmware_proto.plan import pack_seats, plan_hash
from simulator.clock import RealClock
from simulator.device import Device
from simulator.errors import BadReturn, DisplayTimeout, HandNotThere
from simulator.wire import PtyWire, TcpWire
from tests.simulator.small_host import Host

SEATS = pack_seats(random.Random(3).sample([0, 1, 2, 3] * 27, 108))
PLAN = Plan(1, 1, SEATS, plan_hash(SEATS))
START = DealStart(2, 1, PLAN.hash, DeviceState.READY)


@asynccontextmanager
async def table(tmp_path: Path, kind: str = "pty", speed: float = 20.0) -> AsyncIterator[tuple[Device, Host]]:
    clock = RealClock()
    wire = PtyWire(clock, tmp_path / "serial") if kind == "pty" else TcpWire(clock)
    async with Device(wire, clock, seed=7, speed=speed) as device:
        host = Host(device.address)
        try:
            await host.connect()
            yield device, host
        finally:
            await host.close()


@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_whole_deal_over_real_bytes(tmp_path: Path, kind: str) -> None:
    async with table(tmp_path, kind, speed=60.0) as (device, host):
        host.send(PLAN)
        host.send(START)
        await host.result(2, CommandStatus.DONE)
        host.send(Present(3, 1))
        await host.result(3, CommandStatus.DONE)
        hands = {seat: device.take_hand(seat) for seat in Seat}
        for seat in Seat:
            device.press(Key.COUNT_OK, seat, 27)
        host.send(Collect(4))
        device.return_cards(card for hand in hands.values() for card in hand)
        await host.result(4, CommandStatus.DONE)

        assert hands == device.hands
        assert sorted(card for hand in hands.values() for card in hand) == list(PACKS)
        assert len(host.of(CardDropped)) == 108
        assert [e.counts for e in host.of(DealDone) if isinstance(e, DealDone)] == [(27, 27, 27, 27)]
        assert len(host.of(HandTaken)) == len(host.of(KeyPressed)) == 4
        assert [e.count for e in host.of(Collected) if isinstance(e, Collected)] == [108]
        assert device.state.status is DeviceState.READY
        assert device.stats.bad_frames == host.link.stats.bad_frames == 0


@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_unplugged_in_the_middle_the_deal_goes_on_at_the_next_card(tmp_path: Path, kind: str) -> None:
    """Public bug log B01: the line is pulled after card 54 and comes back; nothing is lost, nothing dealt twice."""
    async with table(tmp_path, kind, speed=2.0) as (device, host):
        host.send(PLAN)
        host.send(START)
        await host.until(lambda: len(host.of(CardDropped)) >= 5)

        unplugging = asyncio.create_task(device.unplug(2.5))
        await host.until(host.lost.is_set)
        await host.port.close()
        await unplugging
        assert device.state.status is DeviceState.PAUSED
        assert device.display.mode is DisplayMode.HOLD
        await host.connect()
        await host.until(lambda: host.last_event == device.state.head_event)
        resume = host.command()
        host.send(Resume(resume, host.last_event))
        await host.result(resume, CommandStatus.DONE)
        fast = len(host.of(CardDropped))
        await host.until(lambda: len(host.of(CardDropped)) >= fast + 3)

        indices = [event.index for event in host.of(CardDropped) if isinstance(event, CardDropped)]
        assert indices == list(range(len(indices)))
        assert host.downs == [DownReason.CLOSED]


async def test_terminal_may_change_while_the_address_stays(tmp_path: Path) -> None:
    async with table(tmp_path) as (device, host):
        address = device.address

        await asyncio.gather(device.unplug(0.1), host.until(host.lost.is_set))
        await host.port.close()
        await host.connect()

        assert device.address == address == str(tmp_path / "serial")
        assert host.link.up
    assert not os.path.lexists(address)  # noqa: ASYNC240 - a test looks


async def test_controller_may_close_and_open_again_many_times(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, first):
        for _ in range(5):
            await first.close()
            first.link.close()
            await first.connect()

        host_events = [event.event_no for event in first.events if isinstance(event, StateChanged)]
        assert first.link.up
        assert host_events == sorted(set(host_events))


async def test_second_tcp_client_takes_over(tmp_path: Path) -> None:
    async with table(tmp_path, "tcp") as (device, first):
        second = Host(device.address)
        try:
            await second.connect()
            await first.until(first.lost.is_set)

            second.send(GetState(5))
            await second.result(5, CommandStatus.DONE)
        finally:
            await second.close()


async def test_display_holds_while_the_host_is_silent_and_comes_back(tmp_path: Path) -> None:
    async with table(tmp_path) as (device, host):
        host.send(Display(11, DisplayMode.PLAY, 2, 1))
        await device.wait_display(lambda shown: shown.mode is DisplayMode.PLAY, 5)
        assert device.display_seat is Seat.N

        await host.close()
        await device.wait_display(lambda shown: shown.mode is DisplayMode.HOLD, 5)
        host.link.close()
        await host.connect()

        shown = await device.wait_display(lambda shown: shown.mode is DisplayMode.PLAY, 5)
        assert (shown.seat, shown.deal_no) == (2, 1)


async def test_waiting_for_a_display_ends_at_its_deadline(tmp_path: Path) -> None:
    async with table(tmp_path) as (device, _):
        with pytest.raises(DisplayTimeout, match="IDLE"):
            await device.wait_display(lambda shown: shown.mode is DisplayMode.DEAL_OVER, 0.05)


async def test_display_that_shows_for_an_instant_is_not_missed(tmp_path: Path) -> None:
    async with table(tmp_path) as (device, host):
        waiting = asyncio.create_task(device.wait_display(lambda shown: shown.mode is DisplayMode.TAKE_BACK, 5))
        await asyncio.sleep(0)
        for number, mode in enumerate((DisplayMode.PLAY, DisplayMode.TAKE_BACK, DisplayMode.PLAY)):
            host.send(Display(20 + number, mode, 1, 1))

        assert (await waiting).mode is DisplayMode.TAKE_BACK


async def test_restarted_device_gets_a_session_again_and_pauses_the_deal(tmp_path: Path) -> None:
    async with table(tmp_path) as (device, host):
        host.send(PLAN)
        host.send(START)
        await host.until(lambda: len(host.of(CardDropped)) >= 10)

        device.restart(BootCause.BROWN_OUT)
        await host.until(lambda: bool(host.downs) and host.link.up)
        await host.until(
            lambda: device.state.status is DeviceState.PAUSED and host.last_event == device.state.head_event
        )

        assert host.downs == [DownReason.RESTARTED]
        indices = [event.index for event in host.of(CardDropped) if isinstance(event, CardDropped)]
        assert indices == list(range(len(indices)))


async def test_unknown_fault_code_arrives_as_its_number(tmp_path: Path) -> None:
    """Public bug log B16: a fault that nobody has heard of stops the machine and is told as it is."""
    async with table(tmp_path) as (device, host):
        device.break_down(0xEE)
        await host.until(lambda: bool(host.of(Fault)))

        (fault,) = host.of(Fault)
        assert isinstance(fault, Fault)
        assert fault.code == 0xEE
        assert device.state.status is DeviceState.FAULT


async def test_long_repetition_arrives_whole_and_a_second_one_meanwhile_is_refused(tmp_path: Path) -> None:
    clock = RealClock()
    async with Device(TcpWire(clock), clock, seed=7) as device:
        for number in range(EVENT_RING + 50):
            device.press(Key.CALL, Seat.S, number & 0xFF)
        host = Host(device.address)
        try:
            await host.connect()
            host.send(EventsFrom(1, 1))
            await host.until(lambda: any(isinstance(m, CommandResult) and m.cmd_id == 1 for m in host.messages))
        finally:
            await host.close()

    (lost,) = [m for m in host.messages if isinstance(m, EventsLost)]
    assert (lost.first, lost.last) == (1, 52)
    assert CommandResult(1001, CommandStatus.DONE, Reason.NONE) in host.messages
    assert CommandResult(1, CommandStatus.REJECTED, Reason.BUSY) in host.messages
    assert [e.value for e in host.events if isinstance(e, KeyPressed)] == [n & 0xFF for n in range(50, EVENT_RING + 50)]


async def test_players_mistakes_are_told(tmp_path: Path) -> None:
    async with table(tmp_path) as (device, _):
        with pytest.raises(HandNotThere, match="S"):
            device.take_hand(Seat.S)
        with pytest.raises(BadReturn, match="1 of the cards"):
            device.return_cards([PACKS[0]])


async def test_state_report_accounts_for_all_cards(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, host):
        host.send(GetState(41))
        await host.result(41, CommandStatus.DONE)

        (report,) = [m for m in host.messages if isinstance(m, StateReport)]
        assert report.hopper + report.path + sum(report.pockets) + report.intake + report.outside == 108


async def test_nonsense_on_the_line_harms_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as (device, host):
        noise = random.Random(9)
        for _ in range(20):
            host.port.write(noise.randbytes(200))
            await asyncio.sleep(0.01)
        host.port.write(b"\0")
        host.send(GetState(51))

        await host.result(51, CommandStatus.DONE)
        assert device.stats.bad_frames > 0
