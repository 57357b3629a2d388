"""Messages, the schema that they are written from, and the evolution rule."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_proto
from firmware_proto.errors import BadMessage, BadPlan, BadSchema
from firmware_proto.messages import (
    NO_SEAT,
    SCHEMA_HASH,
    TYPES,
    UNREADABLE,
    CardRead,
    CommandResult,
    CommandStatus,
    DealDone,
    DeviceState,
    Display,
    DisplayMode,
    Fault,
    FaultCode,
    Heartbeat,
    HelloAck,
    Plan,
    Reason,
    Unknown,
    Zone,
    decode,
    encode,
)
from firmware_proto.plan import is_even, pack_seats, plan_hash, unpack_seats
from firmware_proto.schema.python import write_messages
from firmware_proto.schema.read import read_schema

ROOM = Path(firmware_proto.__file__).parent
VECTORS = json.loads((ROOM / "vectors.json").read_text(encoding="utf-8"))
SCHEMA = (ROOM / "schema" / "table.toml").read_text(encoding="utf-8")

PAYLOADS = [(row["type"], bytes.fromhex(row["payload"])) for row in VECTORS["messages"]]


def test_generated_files_are_current() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "firmware_proto.generate", "--check"],
        cwd=ROOM.parent,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


def test_check_fails_when_the_schema_has_moved_on(tmp_path: Path) -> None:
    """A copy of the room with one more field; the copy's own generator has to notice."""
    copied = tmp_path / "firmware_proto"
    (copied / "schema").mkdir(parents=True)
    for path in [*ROOM.glob("*.*"), *ROOM.glob("schema/*.*")]:
        (copied / path.relative_to(ROOM)).write_bytes(path.read_bytes())
    text = SCHEMA.replace("value = 108,", "value = 109,")
    (copied / "schema" / "table.toml").write_text(text, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "firmware_proto.generate", "--check"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "messages.py differs" in done.stderr


def test_known_bytes_of_a_result() -> None:
    assert CommandResult(0x01020304, CommandStatus.REJECTED, Reason.PLAN_HASH).pack().hex(" ") == "04 03 02 01 03 05"


def test_known_bytes_of_a_display() -> None:
    assert Display(1, DisplayMode.PLAY, NO_SEAT, 2).pack().hex(" ") == "01 00 00 00 05 ff 02 00 00 00"


def test_known_bytes_of_four_counts() -> None:
    assert DealDone(1, 2, (27, 26, 28, 27)).pack().hex(" ") == "01 00 00 00 02 00 00 00 1b 1a 1c 1b"


@pytest.mark.parametrize(("kind", "payload"), PAYLOADS)
def test_golden_payload_round_trips(kind: int, payload: bytes) -> None:
    message = decode(kind, payload)

    assert not isinstance(message, Unknown)
    assert encode(message) == (kind, payload)


@pytest.mark.parametrize(("kind", "payload"), PAYLOADS)
def test_longer_payload_is_read_up_to_its_known_end(kind: int, payload: bytes) -> None:
    assert decode(kind, payload + b"later fields") == decode(kind, payload)


@pytest.mark.parametrize(("kind", "payload"), PAYLOADS)
def test_shorter_payload_is_filled_with_defaults(kind: int, payload: bytes) -> None:
    whole, empty = decode(kind, payload), decode(kind, b"")
    names = type(whole).__dataclass_fields__

    for length in range(len(payload)):
        message = decode(kind, payload[:length])
        kept = [getattr(message, name) == getattr(whole, name) for name in names]
        assert type(message) is type(whole)
        for name, same in zip(names, kept, strict=True):
            assert same or getattr(message, name) == getattr(empty, name)


def test_defaults_say_that_nothing_is_known() -> None:
    read = CardRead.unpack(b"")

    assert (read.card, read.index) == (UNREADABLE, 0)


def test_heartbeat_of_an_older_sender_has_no_boot_id() -> None:
    older = Heartbeat(DeviceState.READY, 1, 2, 3, 4).pack()[:-4]

    assert Heartbeat.unpack(older) == Heartbeat(DeviceState.READY, 1, 2, 3)


@given(st.integers(0, 255), st.binary(max_size=220))
def test_every_type_and_payload_gives_a_message(kind: int, payload: bytes) -> None:
    message = decode(kind, payload)

    if kind in TYPES:
        assert message.pack() == TYPES[kind].unpack(message.pack()).pack()
    else:
        assert message == Unknown(kind, payload)
        assert encode(message) == (kind, payload)


def test_unknown_enum_value_reads_as_unknown() -> None:
    assert CommandResult.unpack(b"\x01\0\0\0\xee\xee") == CommandResult(1, CommandStatus.UNKNOWN, Reason.UNKNOWN)


def test_unknown_fault_code_keeps_its_number() -> None:
    fault = Fault.unpack(Fault(1, 0xEE, Zone.GATE, 5).pack())

    assert fault.code == 0xEE
    assert FaultCode(fault.code) is FaultCode.UNKNOWN
    assert Fault(1, 6, Zone.GATE, 5).code == FaultCode.JAM_ENTRY


@pytest.mark.parametrize("number", [-1, 256])
def test_number_that_does_not_fit_is_refused_without_telling_it(number: int) -> None:
    with pytest.raises(BadMessage, match="CardRead") as caught:
        CardRead(1, 1, 1, number).pack()

    assert str(number) not in str(caught.value).replace("255", "")


def test_wrong_length_of_bytes_is_refused() -> None:
    with pytest.raises(BadMessage, match="27 bytes of seats"):
        Plan(1, 1, b"short", bytes(32))


def test_too_long_text_is_refused() -> None:
    with pytest.raises(BadMessage, match="longer device_id"):
        HelloAck(bytes(16), "牌" * 11, "1", 0, 0, 0, 4, 0, 1)


def test_text_round_trips() -> None:
    hello = HelloAck(bytes(16), "牌桌 3", "1.0", SCHEMA_HASH, 1, 2, 4, 1, 1)

    assert HelloAck.unpack(hello.pack()) == hello


def test_secrets_stay_out_of_repr() -> None:
    assert "card" not in repr(CardRead(1, 1, 1, 44)).replace("CardRead", "")
    assert "seats" not in repr(Plan(1, 1, bytes(27), bytes(32)))


def test_golden_file_belongs_to_this_schema() -> None:
    assert VECTORS["schema_hash"] == SCHEMA_HASH
    assert {row["type"] for row in VECTORS["messages"]} == set(TYPES)


# ---- schema ---------------------------------------------------------------------------------------------------


def test_words_do_not_change_the_hash_and_bytes_do() -> None:
    same = read_schema(SCHEMA.replace("The device started.", "It started."))
    other = read_schema(SCHEMA.replace('{ name = "index", type = "u16"', '{ name = "index", type = "u32"'))

    assert same.hash == SCHEMA_HASH
    assert other.hash != SCHEMA_HASH


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("id = 0x21", "id = 0x20", "same number"),
        ("id = 0x21", "id = 0xC1", "does not suit kind"),
        ('type = "bytes:27"', 'type = "bytes:270"', "do not fit a frame"),
        ('enum = "DeviceState"', 'enum = "DeviceStates"', "unknown enum"),
        ('type = "u16"', 'type = "u17"', "not a field type"),
        ('name = "IDLE", value = 1', 'name = "IDLE", value = 0', "stands twice"),
        ('kind = "event"', 'kind = "evint"', "not a kind"),
    ],
)
def test_contradiction_in_the_schema_is_named(before: str, after: str, words: str) -> None:
    with pytest.raises(BadSchema, match=words):
        read_schema(SCHEMA.replace(before, after, 1))


def test_written_messages_compile() -> None:
    compile(write_messages(read_schema(SCHEMA)), "messages.py", "exec")


# ---- plans ----------------------------------------------------------------------------------------------------


def test_known_bytes_of_a_plan() -> None:
    assert pack_seats([0, 1, 2, 3] * 27) == bytes([0b11100100]) * 27


@given(st.permutations([0, 1, 2, 3] * 27))
def test_plan_round_trips(seats: list[int]) -> None:
    plan = pack_seats(seats)

    assert unpack_seats(plan) == tuple(seats)
    assert is_even(plan)


def test_uneven_plan_is_noticed() -> None:
    assert not is_even(pack_seats([0] * 28 + [1] * 26 + [2] * 27 + [3] * 27))


@pytest.mark.parametrize("seats", [[0] * 107, [4] * 108, []])
def test_bad_seat_sequence_is_refused(seats: list[int]) -> None:
    with pytest.raises(BadPlan):
        pack_seats(seats)


def test_bad_plan_length_is_refused() -> None:
    with pytest.raises(BadPlan, match="not 26"):
        unpack_seats(bytes(26))


def test_plan_hash_is_sha_256() -> None:
    assert plan_hash(b"abc").hex().startswith("ba7816bf8f01cfea414140de5dae2223")
