"""The reliable link in virtual time: two ends, a line that loses, doubles and damages."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_proto import link as links
from firmware_proto.errors import BadMessage, LinkNotUp, QueueFull
from firmware_proto.frame import NAK_TYPE, BadFrame, Decoder, Flag, Frame, encode_frame
from firmware_proto.link import Deliver, Down, DownReason, Effect, Link, Role, Up, Write
from firmware_proto.messages import (
    PROTOCOL_VERSION,
    SCHEMA_HASH,
    SEND_QUEUE,
    CardFed,
    DeviceState,
    GetState,
    Heartbeat,
    Hello,
    HelloAck,
    Message,
    Unknown,
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


def test_hello_brings_both_ends_up() -> None:
    line = opened()

    (up,) = line.events[0]
    assert isinstance(up, Up)
    assert isinstance(up.peer, HelloAck)
    assert (up.peer.device_id, up.peer.head_event, up.peer.boot_id) == ("table-1", 5, 7)
    (up,) = line.events[1]
    assert isinstance(up, Up)
    assert isinstance(up.peer, Hello)


def test_messages_arrive_in_order_both_ways() -> None:
    line = opened()
    sent = numbered(40)

    for message in sent:
        line.send(0, message)
        line.send(1, message)
    line.run(2.0)

    assert line.delivered == (sent, sent)
    assert line.ends[0].stats.retransmits == 0


def test_at_most_eight_frames_are_in_flight() -> None:
    line = opened()
    writes = []

    for message in numbered(20):
        writes += [e for e in line.ends[1].send(message, line.now) if isinstance(e, Write)]

    assert len(writes) == 8


def test_full_queue_refuses_and_keeps_what_it_has() -> None:
    line = opened()
    for message in numbered(8 + SEND_QUEUE):
        line.send(1, message)

    with pytest.raises(QueueFull):
        line.send(1, GetState(1))

    assert line.ends[1].room == 0
    line.run(5.0)
    assert line.delivered[0] == numbered(8 + SEND_QUEUE)


def test_sending_without_session_is_refused() -> None:
    with pytest.raises(LinkNotUp):
        host().send(GetState(1), 0.0)


def test_message_that_does_not_fit_its_field_is_refused_and_link_goes_on() -> None:
    line = opened()

    with pytest.raises(BadMessage, match="CardFed"):
        line.send(1, CardFed(1, 1, 300))

    line.send(1, CardFed(1, 1, 3))
    line.run(0.2)
    assert line.delivered[0] == [CardFed(1, 1, 3)]


def test_acknowledgement_waits_at_most_25_ms() -> None:
    line = opened()
    line.run(0.15)

    line.send(1, CardFed(1, 1, 1))
    before = line.ends[0].stats.frames_out
    line.run(0.004 + 0.026)

    assert line.ends[0].stats.frames_out == before + 1


def test_link_recovers_after_three_lost_acknowledgements() -> None:
    line = opened()
    lost = 0

    def lose_three(data: bytes) -> list[bytes]:
        nonlocal lost
        frames = [f for f in Decoder().feed(data) if isinstance(f, Frame)]
        if lost < 3 and frames and frames[0].flags & Flag.ACK_ONLY:
            lost += 1
            return []
        return [data]

    line.damage = lose_three
    line.send(1, CardFed(1, 1, 1))
    line.run(1.0)

    assert lost == 3
    assert line.delivered[0] == [CardFed(1, 1, 1)]
    assert line.ends[0].stats.duplicates >= 1
    assert line.downs(0) == line.downs(1) == []


def test_one_damaged_byte_costs_one_request_and_one_repetition() -> None:
    line = opened()
    line.run(0.2)
    damaged = False

    def damage_once(data: bytes) -> list[bytes]:
        nonlocal damaged
        if damaged:
            return [data]
        damaged = True
        return [data[:3] + bytes([data[3] ^ 0x55 or 1]) + data[4:]]

    line.damage = damage_once
    for message in numbered(5):
        line.send(1, message)
    line.run(0.5)

    assert line.delivered[0] == numbered(5)
    assert line.ends[0].stats.naks_out == 1
    assert line.ends[0].stats.bad_frames == 1


def test_resend_storm_is_bounded() -> None:
    """A device that answers everything by asking for the frame before: public bug log B15."""
    one = host()
    one.open(0.0)
    session = int.from_bytes(_hello_nonce(one), "little")
    effects = one.receive(encode_frame(Frame(HelloAck.TYPE, 0, 1, session, device_hello().pack(), Flag.FIRST)), 0.0)
    assert any(isinstance(e, Up) for e in effects)
    numbered_frames, now, down = 0, 0.0, False
    effects = one.send(GetState(1), now)

    while not down and now < 10:
        for effect in effects:
            if isinstance(effect, Write):
                frame = Decoder().feed(effect.data)[0]
                assert isinstance(frame, Frame)
                numbered_frames += frame.type == GetState.TYPE
            down = down or effect == Down(DownReason.NO_ACKNOWLEDGEMENT)
        now += 0.01
        nak = encode_frame(Frame(NAK_TYPE, 1, 0, session, b"", Flag.ACK_ONLY))
        effects = one.receive(nak, now) + one.tick(now)

    assert down
    assert numbered_frames == 8


def _hello_nonce(link: Link) -> bytes:
    """First two bytes of the nonce in the Hello that a host writes when opened (it is opened once more)."""
    write = next(e for e in link.open(0.0) if isinstance(e, Write))
    frame = Decoder().feed(write.data)[0]
    assert isinstance(frame, Frame)
    return frame.session.to_bytes(2, "little")


def test_requests_to_repeat_are_bounded_too() -> None:
    line = opened()
    session = line.ends[0]._session
    effects = line.ends[0].send(GetState(1), line.now)
    written = 0

    for step in range(400):
        now = line.now + step * 0.025
        written += sum(isinstance(e, Write) and len(e.data) > 17 for e in effects)
        if Down(DownReason.NO_ACKNOWLEDGEMENT) in effects:
            break
        ask = Frame(NAK_TYPE, 1, 1, session, b"", Flag.ACK_ONLY)
        effects = line.ends[0].receive(encode_frame(ask), now)

    assert Down(DownReason.NO_ACKNOWLEDGEMENT) in effects
    assert written <= 9


def test_dead_line_is_given_up_within_bounds() -> None:
    line = opened()
    line.damage = lambda data: []

    line.send(1, CardFed(1, 1, 1))
    line.run(5.0)

    assert line.downs(0) == [DownReason.SILENT]
    assert line.downs(1) == [DownReason.NO_ACKNOWLEDGEMENT]
    assert line.ends[1].stats.retransmits == 7


def test_host_notices_silence_after_one_second() -> None:
    line = opened()
    start = line.now
    line.damage = lambda data: []

    line.run(5.0, until=lambda: bool(line.downs(0)))

    assert line.downs(0) == [DownReason.SILENT]
    assert 0.7 <= line.now - start <= 1.05


def test_device_gives_a_silent_host_up_after_three_seconds() -> None:
    line = opened()
    start = line.now
    line.damage = lambda data: []

    line.run(5.0, until=lambda: bool(line.downs(1)))

    assert line.downs(1) == [DownReason.SILENT]
    assert 2.7 <= line.now - start <= 3.05


def test_heartbeats_go_four_times_a_second_both_ways() -> None:
    line = opened()
    counts = [0, 0]

    for end in (0, 1):
        before = line.ends[end].stats.frames_out
        line.run(5.0)
        counts[end] = line.ends[end].stats.frames_out - before

    assert counts[0] == pytest.approx(20, abs=1)
    assert counts[1] == pytest.approx(20, abs=1)


def test_hello_without_answer_gives_up() -> None:
    line = Line(host(), device(), damage=lambda data: [])

    line.open()
    line.run(5.0)

    assert line.downs(0) == [DownReason.NO_ACKNOWLEDGEMENT]
    assert not line.ends[0].up


def test_restarted_host_takes_a_session_of_its_own() -> None:
    line = opened()
    for message in numbered(8):
        line.send(1, message)
    second = Link(Role.HOST, Hello(bytes(16), PROTOCOL_VERSION, SCHEMA_HASH), QUIET)

    line.ends = (second, line.ends[1])
    line.flying.clear()
    line.apply(0, second.open(line.now))
    line.run(1.0)

    assert second.up
    assert line.downs(1) == [DownReason.NEW_SESSION]
    line.send(1, CardFed(99, 1, 1))
    line.run(0.2)
    assert line.delivered[0][-1] == CardFed(99, 1, 1)


def test_restarted_device_brings_the_link_down_and_up_again() -> None:
    line = opened()
    restarted = device(boot_id=8)

    line.ends = (line.ends[0], restarted)
    line.apply(1, restarted.open(line.now))
    line.run(1.0)

    assert line.downs(0) == [DownReason.RESTARTED]
    assert line.ends[0].up
    last = line.events[0][-1]
    assert isinstance(last, Up)
    assert isinstance(last.peer, HelloAck)
    assert last.peer.boot_id == 8


def test_device_that_lost_the_session_gets_another_one() -> None:
    line = opened()

    line.apply(1, line.ends[1].close())
    line.apply(1, line.ends[1].open(line.now))
    line.run(1.0)

    assert line.downs(0) == [DownReason.SESSION_LOST]
    assert line.ends[0].up
    assert line.ends[1].up


def test_late_hello_of_an_ended_session_is_ignored() -> None:
    line = Line(host(), device())
    hellos: list[bytes] = []

    def keep(data: bytes) -> list[bytes]:
        frame = Decoder().feed(data)[0]
        if isinstance(frame, Frame) and frame.type == Hello.TYPE:
            hellos.append(data)
        return [data]

    line.damage = keep
    line.open()
    line.run(0.2)
    line.apply(0, line.ends[0].open(line.now))
    line.run(0.2)
    line.apply(1, line.ends[1].receive(hellos[0], line.now))
    line.run(0.5)

    assert line.downs(1) == [DownReason.NEW_SESSION]
    assert line.ends[0].up
    assert line.ends[1].up


def test_frames_of_another_session_are_not_delivered() -> None:
    line = opened()
    other = (line.ends[0]._session + 1) & 0xFFFF
    stray = encode_frame(Frame(GetState.TYPE, 1, 1, other, GetState(9).pack()))

    line.apply(1, line.ends[1].receive(stray, line.now))

    assert line.delivered[1] == []
    assert line.ends[1].stats.strays == 1


def test_stale_beginning_of_a_frame_is_dropped() -> None:
    """Public bug log B12: five bytes, a second of nothing, then a whole frame."""
    line = opened()
    session = line.ends[1]._session
    whole = encode_frame(Frame(GetState.TYPE, 1, 1, session, GetState(9).pack()))

    line.ends[1].receive(whole[:5], line.now)
    effects = line.ends[1].receive(whole, line.now + 1.0)

    assert Deliver(GetState(9)) in effects
    assert line.ends[1].stats.bad_frames == 1


def test_thousand_frames_in_chunks_of_an_adapter_arrive() -> None:
    """Public bug log B13: each frame in three chunks, 20 ms apart."""
    line = opened()
    session, now, got = line.ends[1]._session, line.now, 0

    for number in range(1000):
        data = encode_frame(Frame(GetState.TYPE, (number + 1) & 0xFF, 1, session, GetState(number).pack()))
        for piece in (data[:4], data[4:11], data[11:]):
            now += 0.020
            got += sum(isinstance(e, Deliver) for e in line.ends[1].receive(piece, now))

    assert got == 1000
    assert line.ends[1].stats.bad_frames == 0


def test_junk_byte_in_the_stream_costs_no_message() -> None:
    """Public bug log B10: resynchronise at the next delimiter; the link repeats what was lost."""
    line = opened()
    sent, count = numbered(100), 0

    def insert(data: bytes) -> list[bytes]:
        nonlocal count
        count += 1
        return [data + b"\x42"] if count == 10 else [data]

    line.damage = insert
    for message in sent:
        line.send(1, message)
    line.run(3.0)

    assert line.delivered[0] == sent
    assert line.ends[0].stats.bad_frames + line.ends[1].stats.bad_frames == 1


def test_unknown_type_is_delivered_as_unknown() -> None:
    line = opened()

    line.send(1, Unknown(0xBF, b"later"))
    line.run(0.2)

    assert line.delivered[0] == [Unknown(0xBF, b"later")]


def test_tick_may_be_called_at_any_time() -> None:
    line = opened()

    for _ in range(1000):
        line.apply(0, line.ends[0].tick(line.now))

    assert line.ends[0].stats.frames_out < 10


def lossy(random_source: random.Random, share: float) -> Damage:
    """A line that loses, doubles and damages frames, each with a third of `share`."""

    def damage(data: bytes) -> list[bytes]:
        roll = random_source.random()
        if roll < share / 3:
            return []
        if roll < 2 * share / 3:
            return [data, data]
        if roll < share:
            spoiled = bytearray(data)
            for _ in range(random_source.randint(1, 3)):
                spoiled[random_source.randrange(len(spoiled))] = random_source.randrange(256)
            return [bytes(spoiled)]
        cut = random_source.randrange(len(data))
        return [data[:cut], data[cut:]]

    return damage


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), share=st.floats(0.0, 0.2), count=st.integers(1, 120))
def test_every_message_arrives_once_and_in_order_over_a_bad_line(seed: int, share: float, count: int) -> None:
    line = opened(lossy(random.Random(seed), share))
    sent = numbered(count)

    for message in sent:
        line.send(0, message)
        line.send(1, message)
        line.run(0.01)
    line.run(20.0, until=lambda: line.delivered == (sent, sent) or bool(line.downs(0) or line.downs(1)))

    for end in (0, 1):
        assert line.delivered[end] == sent[: len(line.delivered[end])]
    if not (line.downs(0) or line.downs(1)):
        assert line.delivered == (sent, sent)


def test_link_stays_up_at_twenty_percent_damage_for_a_minute() -> None:
    line = opened(lossy(random.Random(5), 0.2))
    sent = numbered(600)

    for message in sent:
        line.send(1, message)
        line.run(0.1)
    line.run(2.0)

    assert line.downs(0) == line.downs(1) == []
    assert line.delivered[0] == sent


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=300), max_size=20), st.booleans())
def test_any_bytes_are_taken_without_an_exception(chunks: list[bytes], as_host: bool) -> None:
    line = opened()
    end = line.ends[0 if as_host else 1]

    for step, chunk in enumerate(chunks):
        for effect in end.receive(chunk, line.now + step * 0.01):
            assert not isinstance(effect, Deliver)


def test_wrong_introduction_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="Hello"):
        Link(Role.HOST, device_hello(), QUIET)


def test_bad_frames_alone_ask_once() -> None:
    line = opened()

    effects = []
    for _ in range(50):
        effects += line.ends[0].receive(b"\x05\x01\x01\x01\x01\x00", line.now)

    assert sum(isinstance(e, Write) for e in effects) == 1
    assert line.ends[0].stats.bad_frames == 50
    assert isinstance(Decoder().feed(b"\x05\x01\x01\x01\x01\x00")[0], BadFrame)


def test_timing_constants_are_those_of_the_protocol() -> None:
    assert (links.ACK_WAIT_S, links.HEARTBEAT_S, links.HOST_SILENCE_S) == (0.025, 0.25, 1.0)
