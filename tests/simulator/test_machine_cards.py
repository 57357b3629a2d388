"""The pretend machine under whatever is done to it: every card is in one place."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firmware_proto.messages import (
    Abort,
    BootCause,
    ClearFault,
    Collect,
    DeviceState,
    GetState,
    Pause,
    Present,
    Resume,
    StateReport,
    decode,
)
from simulator import machine
from simulator.machine import fresh, places
from simulator.mechanics import face
from tests.simulator.machine_bench import Bench, plan, start

BEST_IDS = st.integers(1, 40)


class AnyUse(RuleBasedStateMachine):
    """Whatever is commanded, done and waited for: no card is lost or doubled, events have no gaps."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench(fresh(5, 0.0, speed=4.0))
        self.cmd_id = 100

    def next_id(self) -> int:
        self.cmd_id += 1
        return self.cmd_id

    @initialize(stage=st.sampled_from(["fresh", "dealing", "dealt", "presented", "in_play"]))
    def begin(self, stage: str) -> None:
        """Start somewhere in a round, since chance alone seldom gets far."""
        if stage != "fresh":
            getattr(self.bench, stage)()

    @rule(seconds=st.sampled_from([0.01, 0.05, 0.2, 1.0, 3.0, 12.0]), alive=st.booleans())
    def wait(self, seconds: float, alive: bool) -> None:
        self.bench.run(seconds, alive=alive)

    @rule(seed=st.integers(1, 3))
    def start_deal(self, seed: int) -> None:
        self.bench.command(plan(1, self.next_id(), seed))
        self.bench.command(start(1, self.next_id(), seed))

    @rule(kind=st.sampled_from([Pause, Abort, Collect, GetState, ClearFault]))
    def short_command(self, kind: type[Pause | Abort | Collect | GetState | ClearFault]) -> None:
        self.bench.command(kind(self.next_id()))

    @rule()
    def resume(self) -> None:
        self.bench.command(Resume(self.next_id(), self.bench.state.head_event))

    @rule()
    def present(self) -> None:
        self.bench.command(Present(self.next_id(), 1))

    @rule(kind=st.integers(0, 255), payload=st.binary(max_size=80))
    def anything(self, kind: int, payload: bytes) -> None:
        self.bench.command(decode(kind, payload))

    @rule(old=BEST_IDS)
    def repeat(self, old: int) -> None:
        self.bench.command(start(1, 100 + old))

    @precondition(lambda self: self.bench.state.status is DeviceState.PRESENTED)
    @rule(seat=st.integers(0, 3))
    def take_hand(self, seat: int) -> None:
        if self.bench.state.pockets[seat]:
            self.bench.take(machine.take_hand(self.bench.state, self.bench.now, seat))

    @precondition(lambda self: self.bench.state.outside)
    @rule(share=st.sampled_from([0.3, 1.0]))
    def put_back(self, share: float) -> None:
        outside = self.bench.state.outside
        faces = [face(card) for card in outside[: max(1, int(len(outside) * share))]]
        self.bench.take(machine.put_back(self.bench.state, self.bench.now, faces))

    @rule(code=st.integers(0, 255), really=st.integers(0, 3))
    def break_down(self, code: int, really: int) -> None:
        if not really:
            self.bench.take(machine.break_down(self.bench.state, self.bench.now, code))

    @rule(cause=st.sampled_from(BootCause))
    def restart(self, cause: BootCause) -> None:
        self.bench.take(machine.restart(self.bench.state, self.bench.now, cause))

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        places(self.bench.state)
        (report, *_) = machine.update(self.bench.state, self.bench.now, GetState(1))[1]
        if isinstance(report, StateReport):
            assert report.hopper + report.path + sum(report.pockets) + report.intake + report.outside == 108
            assert max(report.pockets) <= 27

    @invariant()
    def events_have_no_gaps(self) -> None:
        numbers = [event.event_no for event in self.bench.state.events]
        assert numbers == list(range(self.bench.state.head_event - len(numbers) + 1, self.bench.state.head_event + 1))

    def teardown(self) -> None:
        """From wherever it is, the machine comes back to READY with 108 cards by what the protocol offers."""
        bench = self.bench
        for _ in range(6):
            bench.command(ClearFault(self.next_id()))
            bench.run(2.0)
            if bench.state.status is DeviceState.READY:
                break
            bench.command(Abort(self.next_id()))
            bench.command(Collect(self.next_id()))
            bench.run(2.0)
            bench.take(machine.put_back(bench.state, bench.now, [face(card) for card in bench.state.outside]))
            bench.run(12.0)
        assert bench.state.status is DeviceState.READY
        assert sorted(bench.state.hopper) == list(range(108))


AnyUse.TestCase.settings = settings(
    max_examples=150, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyUse = AnyUse.TestCase
