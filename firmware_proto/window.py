"""The sending half of the reliable link: what is unacknowledged, what waits, and when to repeat.

Source: PROTOCOL.md, section Link. Go-back-N: a repetition sends everything that is unacknowledged, oldest first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware_proto.errors import QueueFull
from firmware_proto.messages import SEND_QUEUE, WINDOW

FIRST_WAIT_S: Final = 0.050
"""Wait for an acknowledgement before the first repetition; doubles with each."""
LONGEST_WAIT_S: Final = 0.400
MOST_TRIES: Final = 8
"""Sendings of one frame before the link is given up; with the waits above that is 2.35 s."""
NAK_GAP_S: Final = 0.020
"""A second request to repeat the same frame is ignored for this long: it was sent before the repetition came."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A numbered message on its way. `flags` are those of its frame."""

    seq: int
    type: int
    payload: bytes
    flags: int = 0


class SendWindow:
    """Frames in flight (at most 8) and messages waiting for room (at most 256) in one direction."""

    __slots__ = ("_flight", "_last_repeat", "_queue", "_tries", "_wait_s", "due", "next_seq")

    def __init__(self) -> None:
        self.next_seq = 0
        """Number of the next frame, 0..255, wraps."""
        self.due: float | None = None
        """When to repeat, None with nothing in flight."""
        self._flight: deque[Outgoing] = deque()
        self._queue: deque[tuple[int, bytes]] = deque()
        self._tries = 1
        self._wait_s = FIRST_WAIT_S
        self._last_repeat = float("-inf")

    @property
    def waiting(self) -> int:
        """Messages not yet sent for the first time."""
        return len(self._queue)

    @property
    def in_flight(self) -> int:
        """Frames sent and not acknowledged."""
        return len(self._flight)

    def put(self, kind: int, payload: bytes) -> None:
        """Append a message to those that wait. Raises QueueFull."""
        if len(self._queue) >= SEND_QUEUE:
            raise QueueFull(SEND_QUEUE)
        self._queue.append((kind, payload))

    def put_first(self, kind: int, payload: bytes, flags: int) -> Outgoing:
        """Number the message that begins a session; the window has to be unused."""
        first = Outgoing(0, kind, payload, flags)
        self._flight.append(first)
        self.next_seq = 1
        return first

    def take(self) -> list[Outgoing]:
        """Number and hand over as many waiting messages as the window has room for."""
        taken = []
        while self._queue and len(self._flight) < WINDOW:
            kind, payload = self._queue.popleft()
            frame = Outgoing(self.next_seq, kind, payload)
            self.next_seq = (self.next_seq + 1) & 0xFF
            self._flight.append(frame)
            taken.append(frame)
        return taken

    def arm(self, line_free: float) -> None:
        """Start waiting for an acknowledgement. `line_free`: when the last byte has left a 115200 line."""
        self.due = line_free + self._wait_s if self._flight else None

    def acknowledge(self, ack: int) -> int | None:
        """Take the other side's next wanted number; returns how many frames that acknowledges, None if impossible."""
        oldest = self._flight[0].seq if self._flight else self.next_seq
        count = (ack - oldest) & 0xFF
        if count > len(self._flight):
            return None
        if count:
            for _ in range(count):
                self._flight.popleft()
            self._tries = 1
            self._wait_s = FIRST_WAIT_S
            self._last_repeat = float("-inf")
        return count

    def may_repeat(self, now: float) -> bool:
        """Whether a request to repeat is to be followed."""
        return bool(self._flight) and now - self._last_repeat >= NAK_GAP_S

    def repeat(self, now: float) -> Iterable[Outgoing] | None:
        """Everything in flight, to be sent again; None when the oldest frame has been sent often enough."""
        if self._tries >= MOST_TRIES:
            return None
        self._tries += 1
        self._wait_s = min(2 * self._wait_s, LONGEST_WAIT_S)
        self._last_repeat = now
        return tuple(self._flight)
