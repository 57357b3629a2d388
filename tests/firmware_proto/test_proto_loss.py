"""The reliable link over a bad line: frames lost, doubled and damaged, dead lines, junk, stale pieces."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_proto.frame import NAK_TYPE, BadFrame, Decoder, Flag, Frame, encode_frame
from firmware_proto.link import Deliver, Down, DownReason, Link, Up, Write
from firmware_proto.messages import (
    CardFed,
    GetState,
    HelloAck,
)
from tests.firmware_proto.proto_line import (
    Damage,
    device_hello,
    host,
    numbered,
    opened,
)


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


def test_bad_frames_alone_ask_once() -> None:
    line = opened()

    effects = []
    for _ in range(50):
        effects += line.ends[0].receive(b"\x05\x01\x01\x01\x01\x00", line.now)

    assert sum(isinstance(e, Write) for e in effects) == 1
    assert line.ends[0].stats.bad_frames == 50
    assert isinstance(Decoder().feed(b"\x05\x01\x01\x01\x01\x00")[0], BadFrame)
