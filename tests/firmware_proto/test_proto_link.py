"""The reliable link in virtual time: sessions, order, limits."""

from __future__ import annotations

import pytest

from firmware_proto import link as links
from firmware_proto.errors import BadMessage, LinkNotUp, QueueFull
from firmware_proto.frame import Decoder, Frame, encode_frame
from firmware_proto.link import DownReason, Link, Role, Up, Write
from firmware_proto.messages import (
    PROTOCOL_VERSION,
    SCHEMA_HASH,
    SEND_QUEUE,
    CardFed,
    GetState,
    Hello,
    HelloAck,
    Unknown,
)
from tests.firmware_proto.proto_line import (
    QUIET,
    Line,
    device,
    device_hello,
    host,
    numbered,
    opened,
)


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


def test_wrong_introduction_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="Hello"):
        Link(Role.HOST, device_hello(), QUIET)


def test_timing_constants_are_those_of_the_protocol() -> None:
    assert (links.ACK_WAIT_S, links.HEARTBEAT_S, links.HOST_SILENCE_S) == (0.025, 0.25, 1.0)
