"""The pretend machine on a bench: a clock hand, commands, and everything that the machine has said."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from firmware_proto.messages import (
    CardDropped,
    CommandResult,
    CommandStatus,
    DealStart,
    DeviceState,
    Heartbeat,
    Message,
    Plan,
    Present,
)
from firmware_proto.plan import pack_seats, plan_hash
from simulator import machine
from simulator.machine import MachineState, Step, fresh, places
from simulator.mechanics import face

ALIVE = Heartbeat(DeviceState.UNKNOWN, 0, 0, 0)
DONE, ACCEPTED, REJECTED, FAILED = (
    CommandStatus.DONE,
    CommandStatus.ACCEPTED,
    CommandStatus.REJECTED,
    CommandStatus.FAILED,
)


def plan(deal_no: int = 1, cmd_id: int = 1, seed: int = 3) -> Plan:
    seats = pack_seats(random.Random(seed).sample([0, 1, 2, 3] * 27, 108))
    return Plan(cmd_id, deal_no, seats, plan_hash(seats))


def start(deal_no: int = 1, cmd_id: int = 2, seed: int = 3) -> DealStart:
    return DealStart(cmd_id, deal_no, plan(seed=seed).hash, DeviceState.READY)


@dataclass
class Bench:
    """A machine, a clock hand and everything that the machine has said."""

    state: MachineState = field(default_factory=lambda: fresh(1, 0.0))
    now: float = 0.0
    said: list[Message] = field(default_factory=list)

    def take(self, step: Step) -> list[Message]:
        self.state, messages, _ = step
        self.said += messages
        places(self.state)
        return messages

    def command(self, command: Message) -> list[Message]:
        return self.take(machine.update(self.state, self.now, command))

    def result(self, command: Message) -> CommandResult:
        (result,) = [message for message in self.command(command) if isinstance(message, CommandResult)]
        return result

    def run(self, seconds: float, *, alive: bool = True) -> None:
        """Let time pass in steps of 0.2 s, with or without a host."""
        stop = self.now + seconds
        while self.now < stop:
            self.now = min(stop, self.now + 0.2)
            self.take(machine.update(self.state, self.now, ALIVE if alive else None))

    def of(self, kind: type[Message]) -> list[Message]:
        return [message for message in self.said if isinstance(message, kind)]

    def dealing(self, cards: int = 0) -> Bench:
        self.command(plan())
        self.command(start())
        while len(self.of(CardDropped)) < cards:
            self.run(0.2)
        return self

    def dealt(self) -> Bench:
        return self.dealing(108)

    def presented(self) -> Bench:
        self.dealt().command(Present(5, 1))
        self.run(4.2)
        return self

    def in_play(self) -> Bench:
        self.presented()
        for seat in range(4):
            self.take(machine.take_hand(self.state, self.now, seat))
        return self


def hands_of(state: MachineState) -> list[list[int]]:
    return [[face(card) for card in cards] for cards in state.dealt]
