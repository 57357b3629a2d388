"""Two ends of a link, joined by a line with a delay that may lose, double and damage, in virtual time."""

from __future__ import annotations

from collections.abc import Callable

from firmware_proto.link import Deliver, Down, DownReason, Effect, Link, Role, Up, Write
from firmware_proto.messages import (
    PROTOCOL_VERSION,
    SCHEMA_HASH,
    CardFed,
    DeviceState,
    Heartbeat,
    Hello,
    HelloAck,
    Message,
)

HELLO = Hello(bytes(range(16)), PROTOCOL_VERSION, SCHEMA_HASH)
QUIET = Heartbeat(DeviceState.UNKNOWN, 0, 0, 0)


def device_hello(boot_id: int = 7) -> HelloAck:
    return HelloAck(bytes(16), "table-1", "1.0", SCHEMA_HASH, boot_id, 0, 4, 1, PROTOCOL_VERSION)


def host() -> Link:
    return Link(Role.HOST, HELLO, QUIET)


def device(boot_id: int = 7) -> Link:
    return Link(Role.DEVICE, device_hello(boot_id), Heartbeat(DeviceState.READY, 0, 5, 0, boot_id))


Damage = Callable[[bytes], list[bytes]]


def clean(data: bytes) -> list[bytes]:
    return [data]


class Line:
    """Two links, joined by a line with a delay, in virtual time."""

    def __init__(self, a: Link, b: Link, damage: Damage = clean, delay_s: float = 0.004) -> None:
        self.ends = (a, b)
        self.damage = damage
        self.delay_s = delay_s
        self.now = 100.0
        self.flying: list[tuple[float, int, bytes]] = []
        self.delivered: tuple[list[Message], list[Message]] = ([], [])
        self.events: tuple[list[Up | Down], list[Up | Down]] = ([], [])

    def apply(self, end: int, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Write):
                for piece in self.damage(effect.data):
                    self.flying.append((self.now + self.delay_s, 1 - end, piece))
            elif isinstance(effect, Deliver):
                if not isinstance(effect.message, Heartbeat):
                    self.delivered[end].append(effect.message)
            else:
                self.events[end].append(effect)

    def open(self) -> None:
        self.apply(1, self.ends[1].open(self.now))
        self.apply(0, self.ends[0].open(self.now))

    def send(self, end: int, message: Message) -> None:
        self.apply(end, self.ends[end].send(message, self.now))

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        """Move time to each next thing that happens, at least a millisecond."""
        stop = self.now + seconds
        while self.now < stop and not until():
            wakes = [time for link in self.ends if (time := link.next_wake(self.now)) is not None]
            wakes += [self.flying[0][0]] if self.flying else []
            self.now = min(stop, max(self.now + 0.001, min(wakes, default=stop)))
            while self.flying and self.flying[0][0] <= self.now:
                _, end, data = self.flying.pop(0)
                self.apply(end, self.ends[end].receive(data, self.now))
            for end in (0, 1):
                self.apply(end, self.ends[end].tick(self.now))

    def downs(self, end: int) -> list[DownReason]:
        return [event.reason for event in self.events[end] if isinstance(event, Down)]


def opened(damage: Damage = clean) -> Line:
    line = Line(host(), device())
    line.open()
    line.run(0.1)
    assert line.ends[0].up
    assert line.ends[1].up
    line.damage = damage
    return line


def numbered(count: int) -> list[Message]:
    return [CardFed(number, 1, number % 108) for number in range(count)]
