"""The reliable link between host and device, without input, output or clock of its own.

Source: PROTOCOL.md, section Link. Bytes and the time go in, effects come out. Both directions are reliable and
ordered within a session; a session ends with Down, and what was not acknowledged by then may or may not have
arrived: ask by cmd_id, and for events by event number.

Order matters for the owner: hand over all bytes that have come before calling `tick`, or a stall of the owner
looks like silence of the other side:

    effects = link.receive(data, now)
    effects += link.tick(now)
"""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import replace
from enum import Enum
from typing import Final

from firmware_proto.effect import Deliver, Down, DownReason, Effect, LinkStats, Role, Up, Write
from firmware_proto.errors import LinkNotUp
from firmware_proto.frame import NAK_TYPE, BadFrame, Decoder, Flag, Frame, encode_frame
from firmware_proto.messages import (
    SEND_QUEUE,
    UNRELIABLE_TYPE,
    WINDOW,
    Heartbeat,
    Hello,
    HelloAck,
    Message,
    decode,
    encode,
)
from firmware_proto.window import Outgoing, SendWindow

__all__ = ["Deliver", "Down", "DownReason", "Effect", "Link", "LinkStats", "Role", "Up", "Write"]

ACK_WAIT_S: Final = 0.025
"""An acknowledgement waits this long for a message to ride on."""
ACK_AT_ONCE: Final = WINDOW // 2
"""Frames received since the last acknowledgement that make it go at once, so that the sender's window never closes."""
HEARTBEAT_S: Final = 0.25
HOST_SILENCE_S: Final = 1.0
"""A host gives a device up after this silence."""
DEVICE_SILENCE_S: Final = 3.0
"""A device gives a host up after this silence; it has held the display at 1 s and paused at 2 s by then."""
STALE_GAP_S: Final = 0.5
"""Gap after which the beginning of a frame is dropped; USB adapters batch bytes for 16 ms."""
LINE_BYTES_PER_S: Final = 11_520
"""The slowest supported line, 115200 8N1: repetition is timed from when its last byte can have left."""
OLD_SESSIONS: Final = 8
"""Ended sessions whose Hello is recognised as late and ignored."""


class _Phase(Enum):
    CLOSED = "closed"
    OPENING = "opening"
    UP = "up"


class Link:
    """One end of the link.

    `hello` is what this end says about itself: a Hello for a host, a HelloAck for a device (its nonce and
    head_event are filled in for each session). `heartbeat` may be set at any time; it goes out four times a second.
    The nonce given has to be random for a host, or two programs could choose the same session number.
    """

    def __init__(self, role: Role, hello: Hello | HelloAck, heartbeat: Heartbeat) -> None:
        if isinstance(hello, Hello) != (role is Role.HOST):
            raise TypeError(f"a {role} introduces itself by {'Hello' if role is Role.HOST else 'HelloAck'}")
        self.heartbeat = heartbeat
        self.stats = LinkStats()
        self._role = role
        self._hello = hello
        self._phase = _Phase.CLOSED
        self._decoder = Decoder()
        self._window = SendWindow()
        self._out: list[Effect] = []
        self._session = 0
        self._opened = 0
        self._nonce = b""
        self._old_nonces: deque[bytes] = deque(maxlen=OLD_SESSIONS)
        self._boot_id: int | None = None
        self._expected = 0
        self._unacked = 0
        self._ack_due: float | None = None
        self._nak_sent = False
        self._last_heard = float("-inf")
        self._last_byte = float("-inf")
        self._next_heartbeat = float("inf")
        self._line_free = float("-inf")

    @property
    def up(self) -> bool:
        """Whether a session is running."""
        return self._phase is _Phase.UP

    @property
    def last_heard(self) -> float:
        """When the last good frame of the session came; -inf before the first."""
        return self._last_heard

    @property
    def room(self) -> int:
        """Messages that `send` takes now without QueueFull."""
        return SEND_QUEUE - self._window.waiting

    def open(self, now: float) -> list[Effect]:
        """Begin: a host sends Hello (an earlier session ends), a device announces itself until a Hello comes."""
        self._end(DownReason.CLOSED)
        if self._role is Role.HOST:
            self._begin_as_host(now)
        else:
            self._next_heartbeat = now
            self._beat(now)
        return self._effects()

    def close(self) -> list[Effect]:
        """End the session without a word to the other side, as when the port is gone."""
        self._end(DownReason.CLOSED)
        self._next_heartbeat = float("inf")
        self._decoder = Decoder()
        return self._effects()

    def send(self, message: Message, now: float) -> list[Effect]:
        """Send a message. Raises LinkNotUp, QueueFull, BadMessage."""
        if self._phase is not _Phase.UP:
            raise LinkNotUp
        kind, payload = encode(message)
        if kind >= UNRELIABLE_TYPE:
            self._write(Frame(kind, self._window.next_seq, self._expected, self._session, payload), now)
        else:
            self._window.put(kind, payload)
            self._fill(now)
        return self._effects()

    def receive(self, data: bytes, now: float) -> list[Effect]:
        """Take bytes from the line, cut anywhere. Never raises."""
        if self._decoder.has_partial and now - self._last_byte > STALE_GAP_S:
            self._on_bad(len(self._decoder.drop_partial()), now)
        self._last_byte = now
        for item in self._decoder.feed(data):
            if isinstance(item, BadFrame):
                self._on_bad(1, now)
            else:
                self.stats.frames_in += 1
                self._on_frame(item, now)
        self._acknowledge(now)
        return self._effects()

    def tick(self, now: float) -> list[Effect]:
        """Do what is due. Calling it early is harmless; see `next_wake`."""
        silence = HOST_SILENCE_S if self._role is Role.HOST else DEVICE_SILENCE_S
        if self._phase is _Phase.UP and now - self._last_heard >= silence:
            self._end(DownReason.SILENT)
        if self._window.due is not None and now >= self._window.due:
            self._repeat(now)
        self._acknowledge(now)
        self._beat(now)
        return self._effects()

    def next_wake(self, now: float) -> float | None:
        """When `tick` has something to do; None while nothing is due. May lie in the past."""
        times = [time for time in (self._window.due, self._ack_due) if time is not None]
        if self._next_heartbeat < float("inf"):
            times.append(self._next_heartbeat)
        if self._phase is _Phase.UP:
            times.append(self._last_heard + (HOST_SILENCE_S if self._role is Role.HOST else DEVICE_SILENCE_S))
        return min(times, default=None)

    # -- sessions ---------------------------------------------------------------------------------------------

    def _begin_as_host(self, now: float) -> None:
        """Start a session of one's own and say Hello."""
        assert isinstance(self._hello, Hello)
        self._opened += 1
        nonce = hashlib.sha256(self._hello.nonce + self._opened.to_bytes(4, "little")).digest()[:16]
        number = int.from_bytes(nonce[:2], "little") or 1
        if number == self._session:
            number = number % 0xFFFF + 1
        self._reset(number, nonce, now)
        self._phase = _Phase.OPENING
        kind, payload = encode(replace(self._hello, nonce=nonce))
        self._send_first(kind, payload, now)

    def _begin_as_device(self, hello: Hello, session: int, now: float) -> None:
        """Take the session that a host began and answer it."""
        assert isinstance(self._hello, HelloAck)
        self._end(DownReason.NEW_SESSION)
        self._reset(session, hello.nonce, now)
        self._phase = _Phase.UP
        self._expected = 1
        self._next_heartbeat = now + HEARTBEAT_S
        self.stats.sessions += 1
        self._out.append(Up(hello))
        nonce = hashlib.sha256(self._hello.nonce + hello.nonce).digest()[:16]
        kind, payload = encode(replace(self._hello, nonce=nonce, head_event=self.heartbeat.head_event))
        self._send_first(kind, payload, now)

    def _reset(self, session: int, nonce: bytes, now: float) -> None:
        self._session = session
        self._nonce = nonce
        self._window = SendWindow()
        self._expected = 0
        self._unacked = 0
        self._ack_due = None
        self._nak_sent = False
        self._last_heard = now

    def _send_first(self, kind: int, payload: bytes, now: float) -> None:
        self._write_outgoing(self._window.put_first(kind, payload, Flag.FIRST), now)
        self._window.arm(self._line_free)

    def _end(self, reason: DownReason) -> None:
        """End the session or the attempt, if there is one. A device goes on announcing itself."""
        if self._phase is _Phase.CLOSED:
            return
        self._phase = _Phase.CLOSED
        self._old_nonces.append(self._nonce)
        self._window = SendWindow()
        self._ack_due = None
        if self._role is Role.HOST:
            self._next_heartbeat = float("inf")
        self._out.append(Down(reason))

    # -- receiving --------------------------------------------------------------------------------------------

    def _on_bad(self, count: int, now: float) -> None:
        self.stats.bad_frames += count
        if count and self._phase is _Phase.UP:
            self._ask_again(now)

    def _on_frame(self, frame: Frame, now: float) -> None:
        """Sort a good frame by session."""
        if frame.flags & Flag.FIRST:
            self._on_first(frame, now)
        elif self._phase is _Phase.UP and frame.session == self._session:
            self._on_session_frame(frame, now)
        elif (
            self._phase is _Phase.UP and self._role is Role.HOST and frame.session == 0 and frame.type == Heartbeat.TYPE
        ):
            restarted = Heartbeat.unpack(frame.payload).boot_id != self._boot_id
            self._end(DownReason.RESTARTED if restarted else DownReason.SESSION_LOST)
            self._begin_as_host(now)
        else:
            self.stats.strays += 1

    def _on_first(self, frame: Frame, now: float) -> None:
        """Hello at a device, HelloAck at a host; both are frame number 0."""
        message = decode(frame.type, frame.payload)
        if self._role is Role.DEVICE and isinstance(message, Hello) and frame.session != 0:
            if self._phase is _Phase.UP and message.nonce == self._nonce:
                self.stats.duplicates += 1
                self._last_heard = now
            elif message.nonce in self._old_nonces:
                self.stats.strays += 1
            else:
                self._begin_as_device(message, frame.session, now)
        elif self._role is Role.HOST and isinstance(message, HelloAck) and frame.session == self._session:
            if self._phase is _Phase.OPENING:
                self._phase = _Phase.UP
                self._boot_id = message.boot_id
                self._next_heartbeat = now
                self.stats.sessions += 1
                self._out.append(Up(message))
                self._on_session_frame(frame, now)
            elif self._phase is _Phase.UP:
                self._on_session_frame(frame, now)
        else:
            self.stats.strays += 1

    def _on_session_frame(self, frame: Frame, now: float) -> None:
        """Take acknowledgement and content of a frame of the running session."""
        self._last_heard = now
        acknowledged = self._window.acknowledge(frame.ack)
        if acknowledged is None:
            self.stats.strays += 1
        elif acknowledged:
            self._window.arm(self._line_free if self._line_free > now else now)
            self._fill(now)
        if frame.flags & Flag.ACK_ONLY:
            if frame.type == NAK_TYPE:
                self.stats.naks_in += 1
                if acknowledged is not None and self._window.may_repeat(now):
                    self._repeat(now)
            self._notice_gap(frame.seq, now)
        elif frame.type >= UNRELIABLE_TYPE:
            self._notice_gap(frame.seq, now)
            self._out.append(Deliver(decode(frame.type, frame.payload)))
        else:
            self._on_numbered(frame, now)

    def _on_numbered(self, frame: Frame, now: float) -> None:
        """Deliver a reliable frame if it is the next one."""
        ahead = (frame.seq - self._expected) & 0xFF
        if ahead == 0:
            self._expected = (self._expected + 1) & 0xFF
            self._nak_sent = False
            self._unacked += 1
            wait_s = 0.0 if self._unacked >= ACK_AT_ONCE else ACK_WAIT_S
            self._ack_due = now + wait_s if self._ack_due is None else min(self._ack_due, now + wait_s)
            if not frame.flags & Flag.FIRST:
                self._out.append(Deliver(decode(frame.type, frame.payload)))
        elif ahead >= 256 - WINDOW:
            self.stats.duplicates += 1
            self._ack_due = now
        elif ahead < WINDOW:
            self._ask_again(now)
        else:
            self.stats.strays += 1

    def _notice_gap(self, next_seq: int, now: float) -> None:
        """Frames without a number of their own tell the sender's next number: see what is missing before it."""
        if 0 < (next_seq - self._expected) & 0xFF <= WINDOW:
            self._ask_again(now)

    # -- sending ----------------------------------------------------------------------------------------------

    def _ask_again(self, now: float) -> None:
        """Ask for repetition, once for each run of errors."""
        if not self._nak_sent:
            self._nak_sent = True
            self.stats.naks_out += 1
            self._write(Frame(NAK_TYPE, self._window.next_seq, self._expected, self._session, b"", Flag.ACK_ONLY), now)

    def _acknowledge(self, now: float) -> None:
        """Send a bare acknowledgement if one is due and nothing carried it."""
        if self._ack_due is not None and now >= self._ack_due:
            self._write(Frame(0, self._window.next_seq, self._expected, self._session, b"", Flag.ACK_ONLY), now)

    def _beat(self, now: float) -> None:
        """Send a heartbeat if one is due: in the session, or with session 0 from a device that has none."""
        if now < self._next_heartbeat:
            return
        self._next_heartbeat = now + HEARTBEAT_S
        kind, payload = encode(self.heartbeat)
        session = self._session if self._phase is _Phase.UP else 0
        self._write(Frame(kind, self._window.next_seq, self._expected, session, payload), now)

    def _fill(self, now: float) -> None:
        """Send waiting messages while the window has room."""
        taken = self._window.take()
        for outgoing in taken:
            self._write_outgoing(outgoing, now)
        if taken:
            self._window.arm(self._line_free)

    def _repeat(self, now: float) -> None:
        """Send everything in flight again, or give the link up."""
        frames = self._window.repeat(now)
        if frames is None:
            self._end(DownReason.NO_ACKNOWLEDGEMENT)
            return
        for outgoing in frames:
            self.stats.retransmits += 1
            self._write_outgoing(outgoing, now)
        self._window.arm(self._line_free)

    def _write_outgoing(self, outgoing: Outgoing, now: float) -> None:
        frame = Frame(outgoing.type, outgoing.seq, self._expected, self._session, outgoing.payload, outgoing.flags)
        self._write(frame, now)

    def _write(self, frame: Frame, now: float) -> None:
        """Put a frame on the line; every frame of the session carries the acknowledgement."""
        data = encode_frame(frame)
        self._line_free = max(self._line_free, now) + len(data) / LINE_BYTES_PER_S
        self.stats.frames_out += 1
        self._unacked = 0
        self._ack_due = None
        self._out.append(Write(data))

    def _effects(self) -> list[Effect]:
        out, self._out = self._out, []
        return out
