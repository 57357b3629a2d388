"""Messages of the dealing-table wire. Written from schema/table.toml by firmware_proto.generate.

Source: PROTOCOL.md, section Messages. Numbers are little-endian. A payload longer than known is read up to its known
length; a shorter one is filled with defaults from the first incomplete field on; neither is an error.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar, Final

from firmware_proto.errors import BadMessage

PROTOCOL_VERSION: Final = 1
SCHEMA_HASH: Final = 0xADD43ED0
"""32 bits over names, numbers, types and defaults of all messages and enums."""
MAX_PAYLOAD: Final = 220
"""bytes of payload in one frame"""
MAX_FRAME: Final = 256
"""bytes of one frame on the wire, delimiter included; longer runs are dropped"""
MAC_SIZE: Final = 8
"""bytes of the authentication field, present when the auth flag is set"""
WINDOW: Final = 8
"""reliable frames that may be unacknowledged in one direction"""
SEND_QUEUE: Final = 256
"""messages that may wait for room in the window"""
EVENT_RING: Final = 2048
"""events a device keeps for EventsFrom (six deals of about 335)"""
RESULT_RING: Final = 16
"""command results a device keeps to answer a repeated cmd_id"""
PLAN_CARDS: Final = 108
"""cards of a deal"""
PLAN_BYTES: Final = 27
"""bytes of a plan: 108 seats of two bits"""
HAND_CARDS: Final = 27
"""cards of one seat"""
UNREADABLE: Final = 255
"""card number of a face that the reader could not read"""
NO_SEAT: Final = 255
"""seat number where no seat is meant"""
NO_INDEX: Final = 65535
"""card index where no card is meant"""
UNRELIABLE_TYPE: Final = 192
"""message types from this number on are neither acknowledged nor repeated"""


class DeviceState(IntEnum):
    """What the machine is doing. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    IDLE = 1
    """fewer than 108 cards in the hopper, none in the pockets"""
    READY = 2
    """108 cards in the hopper"""
    DEALING = 3
    """cards move from the hopper to the pockets"""
    PAUSED = 4
    """stopped at a card boundary; Resume goes on"""
    DEALT = 5
    """27 cards in each pocket, pockets closed"""
    PRESENTED = 6
    """pockets open, hands are being taken"""
    IN_PLAY = 7
    """all four hands taken"""
    COLLECTING = 8
    """the intake is open for played cards"""
    FAULT = 9
    """motors off; ClearFault after the operator has done what the fault asks"""

    @classmethod
    def _missing_(cls, value: object) -> DeviceState:
        return cls.UNKNOWN


class StateReason(IntEnum):
    """Why the state changed. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    POWER_ON = 1
    """state found at start"""
    COMMAND = 2
    """a command asked for it"""
    DONE = 3
    """the work of the state is finished"""
    LINK_LOST = 4
    """the host was silent for 2 s"""
    POWER_LOST = 5
    """power failed during the deal"""
    FAULT = 6
    """a fault stopped the motors"""
    ABORTED = 7
    """the deal was given up"""

    @classmethod
    def _missing_(cls, value: object) -> StateReason:
        return cls.UNKNOWN


class CommandStatus(IntEnum):
    """How far a command got. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    ACCEPTED = 1
    """begun; DONE or FAILED follows"""
    DONE = 2
    """carried out"""
    REJECTED = 3
    """not begun, nothing changed; see reason"""
    FAILED = 4
    """begun and given up; see reason"""

    @classmethod
    def _missing_(cls, value: object) -> CommandStatus:
        return cls.UNKNOWN


class Reason(IntEnum):
    """Why a command was rejected or failed. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    NONE = 1
    """no reason needed"""
    WRONG_STATE = 2
    """not possible in the present state, or expect_state differs from it"""
    WRONG_DEAL = 3
    """deal_no is not the deal in the machine"""
    NO_PLAN = 4
    """no plan is held for this deal"""
    PLAN_HASH = 5
    """the hash is not the SHA-256 of the plan"""
    PLAN_COUNTS = 6
    """the plan does not hold 27 cards for each seat"""
    STALE_EVENT = 7
    """expect_event is not the last event number"""
    BUSY = 8
    """another command is still being carried out; try again"""
    BAD_VALUE = 9
    """a field holds a value that has no meaning"""
    NOT_SUPPORTED = 10
    """this device does not know the command"""
    ABORTED = 11
    """an Abort ended it"""
    FAULT = 12
    """a fault ended it"""
    RESTARTED = 13
    """a restart of the device ended it"""

    @classmethod
    def _missing_(cls, value: object) -> Reason:
        return cls.UNKNOWN


class DisplayMode(IntEnum):
    """What the display of the table tells the players. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    IDLE = 1
    """nothing to do"""
    DEALING = 2
    """the machine deals"""
    TAKE_HANDS = 3
    """take your hand"""
    COUNT = 4
    """count your cards and press the key"""
    PLAY = 5
    """the seat shown is in turn"""
    HOLD = 6
    """please wait; also shown when the host has been silent for 1 s"""
    TAKE_BACK = 7
    """the seat shown takes its last play back"""
    DEAL_OVER = 8
    """the deal is over; put the cards into the intake"""
    ASK = 9
    """the seat shown is being asked about its play"""
    TRIBUTE = 10
    """tribute and return are due before play"""

    @classmethod
    def _missing_(cls, value: object) -> DisplayMode:
        return cls.UNKNOWN


class Key(IntEnum):
    """Keys at the seats. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    COUNT_OK = 1
    """the player has counted; value = number of cards"""
    CALL = 2
    """the player calls the referee"""

    @classmethod
    def _missing_(cls, value: object) -> Key:
        return cls.UNKNOWN


class BootCause(IntEnum):
    """Why the device started. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    POWER_ON = 1
    """power was switched on"""
    RESET = 2
    """reset button or reset line"""
    WATCHDOG = 3
    """the program hung"""
    BROWN_OUT = 4
    """the supply voltage failed"""

    @classmethod
    def _missing_(cls, value: object) -> BootCause:
        return cls.UNKNOWN


class Zone(IntEnum):
    """Where in the machine. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    HOPPER = 1
    """stack of cards to deal"""
    ENTRY = 2
    """feed roller and entry sensor"""
    WINDOW = 3
    """reading window"""
    GATE = 4
    """gates between window and pockets"""
    POCKET = 5
    """pocket of a seat"""
    INTAKE = 6
    """intake for played cards"""

    @classmethod
    def _missing_(cls, value: object) -> Zone:
        return cls.UNKNOWN


class FaultCode(IntEnum):
    """What stopped the machine. A number that is not listed reads as UNKNOWN."""

    UNKNOWN = 0
    """a value that the receiver does not know"""
    NO_FEED = 1
    """no card reached the entry sensor"""
    HOPPER_EMPTY_EARLY = 2
    """hopper empty before 108 cards were fed"""
    HOPPER_NOT_EMPTY = 3
    """108 cards fed and the hopper is still covered"""
    DOUBLE_FEED_PATH = 4
    """two cards at once at the entry"""
    DOUBLE_FEED_POCKET = 5
    """two cards at once in a pocket"""
    JAM_ENTRY = 6
    """a card stands at the entry"""
    JAM_PATH = 7
    """a card stands between entry and gate"""
    JAM_GATE = 8
    """a card stands at the gate"""
    UNREADABLE = 9
    """a card could not be read after three tries"""
    FACE_WRONG = 10
    """a card lies the wrong way up"""
    FOREIGN_CARD = 11
    """a card of another deck"""
    WRONG_POCKET = 13
    """a card fell into another pocket than planned"""
    DROP_LOST = 14
    """a card left the gate and reached no pocket"""
    POCKET_NOT_EMPTY = 15
    """a pocket holds cards before the deal"""
    POCKET_FULL = 16
    """a pocket would get more than 27 cards"""
    TAKEN_EARLY = 17
    """cards left a pocket during the deal"""
    LID_OPEN = 18
    """the lid is open"""
    EMERGENCY_STOP = 19
    """the emergency stop is pressed"""
    POWER_LOST = 20
    """power failed with cards in the path"""
    HOMING = 23
    """a moving part did not find its home position"""
    MOTOR_STALL = 24
    """a motor does not turn"""
    OVERHEAT = 25
    """a driver or motor is too hot"""
    SUPPLY = 26
    """the supply voltage is out of range"""
    SENSOR_DIRTY = 27
    """a sensor needs cleaning"""
    MEMORY = 28
    """the device's own record is damaged"""
    COUNT_MISMATCH = 34
    """the pockets do not hold 27 cards each at the end"""

    @classmethod
    def _missing_(cls, value: object) -> FaultCode:
        return cls.UNKNOWN


_HELLO: Final = struct.Struct("<16sBI")
_HELLO_ENDS: Final = (16, 17, 21)
_HELLO_DEFAULT: Final = bytes.fromhex("000000000000000000000000000000000000000000")


@dataclass(frozen=True, slots=True)
class Hello:
    """Host to device: begins a session. Always frame number 0 of its session."""

    TYPE: ClassVar[int] = 0x01
    nonce: bytes
    """fresh for every session; the session number is taken from it"""
    version: int
    """protocol version of the host"""
    schema_hash: int
    """SCHEMA_HASH of the host"""

    def __post_init__(self) -> None:
        if len(self.nonce) != 16:
            raise BadMessage("Hello", "needs 16 bytes of nonce")

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _HELLO.pack(self.nonce, self.version, self.schema_hash)
        except struct.error as cause:
            raise _misfit("Hello", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Hello:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 21:
            payload = _fit(payload, _HELLO_ENDS, _HELLO_DEFAULT)
        (nonce, version, schema_hash) = _HELLO.unpack(payload)
        return cls(nonce, version, schema_hash)


_HELLO_ACK: Final = struct.Struct("<16s32s16sIIIBBB")
_HELLO_ACK_ENDS: Final = (16, 48, 64, 68, 72, 76, 77, 78, 79)
_HELLO_ACK_DEFAULT: Final = bytes.fromhex("00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000")


@dataclass(frozen=True, slots=True)
class HelloAck:
    """Device to host: answers Hello. Always frame number 0 of its session."""

    TYPE: ClassVar[int] = 0x02
    nonce: bytes
    """fresh for every session (authentication)"""
    device_id: str
    """serial number of the table"""
    fw_version: str
    """version of the firmware"""
    schema_hash: int
    """SCHEMA_HASH of the device; differs where its schema is older or newer"""
    boot_id: int
    """another number after every start of the device"""
    head_event: int
    """number of the last event"""
    level: int
    """capability level 0..4 (start/done, counts, sequence, reads, reads and routes)"""
    flags: int
    """bit 0: a simulator"""
    version: int
    """protocol version of the device"""

    def __post_init__(self) -> None:
        if len(self.nonce) != 16:
            raise BadMessage("HelloAck", "needs 16 bytes of nonce")
        if len(self.device_id.encode()) > 32:
            raise BadMessage("HelloAck", "has a longer device_id than 32 bytes")
        if len(self.fw_version.encode()) > 16:
            raise BadMessage("HelloAck", "has a longer fw_version than 16 bytes")

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _HELLO_ACK.pack(
                self.nonce, self.device_id.encode(), self.fw_version.encode(), self.schema_hash, self.boot_id,
                self.head_event, self.level, self.flags, self.version
            )
        except struct.error as cause:
            raise _misfit("HelloAck", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> HelloAck:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 79:
            payload = _fit(payload, _HELLO_ACK_ENDS, _HELLO_ACK_DEFAULT)
        (
            nonce, device_id, fw_version, schema_hash, boot_id, head_event, level, flags, version
        ) = _HELLO_ACK.unpack(payload)
        return cls(
            nonce, device_id.rstrip(b"\0").decode(errors="replace"), fw_version.rstrip(b"\0").decode(errors="replace"),
            schema_hash, boot_id, head_event, level, flags, version
        )


_HEARTBEAT: Final = struct.Struct("<BIIII")
_HEARTBEAT_ENDS: Final = (1, 5, 9, 13, 17)
_HEARTBEAT_DEFAULT: Final = bytes.fromhex("0000000000000000000000000000000000")


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Both directions, 4 Hz, unreliable. A device without a session sends it with session 0."""

    TYPE: ClassVar[int] = 0xC0
    state: DeviceState
    """state of the device; UNKNOWN from a host"""
    deal_no: int
    """deal in the machine, 0 if none"""
    head_event: int
    """device: number of its last event; host: last event consumed"""
    uptime_ms: int
    """milliseconds since start, wraps"""
    boot_id: int = 0
    """boot_id of the device; 0 from a host"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _HEARTBEAT.pack(self.state, self.deal_no, self.head_event, self.uptime_ms, self.boot_id)
        except struct.error as cause:
            raise _misfit("Heartbeat", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Heartbeat:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 17:
            payload = _fit(payload, _HEARTBEAT_ENDS, _HEARTBEAT_DEFAULT)
        (state, deal_no, head_event, uptime_ms, boot_id) = _HEARTBEAT.unpack(payload)
        return cls(DeviceState(state), deal_no, head_event, uptime_ms, boot_id)


_PLAN: Final = struct.Struct("<II27s32s")
_PLAN_ENDS: Final = (4, 8, 35, 67)
_PLAN_DEFAULT: Final = bytes.fromhex("00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000")


@dataclass(frozen=True, slots=True)
class Plan:
    """The seat sequence of a deal: card number i of the feed order goes to seat i of the plan. Secret until the deal is over."""

    TYPE: ClassVar[int] = 0x20
    cmd_id: int
    """chosen by the host; a repeated number is answered and not carried out again"""
    deal_no: int
    """deal that the plan is for"""
    seats: bytes = field(repr=False)
    """108 seats of two bits (S 0, E 1, N 2, W 3), four a byte, lowest bits first"""
    hash: bytes
    """SHA-256 of the 27 bytes of seats"""

    def __post_init__(self) -> None:
        if len(self.seats) != 27:
            raise BadMessage("Plan", "needs 27 bytes of seats")
        if len(self.hash) != 32:
            raise BadMessage("Plan", "needs 32 bytes of hash")

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _PLAN.pack(self.cmd_id, self.deal_no, self.seats, self.hash)
        except struct.error as cause:
            raise _misfit("Plan", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Plan:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 67:
            payload = _fit(payload, _PLAN_ENDS, _PLAN_DEFAULT)
        (cmd_id, deal_no, seats, hash) = _PLAN.unpack(payload)
        return cls(cmd_id, deal_no, seats, hash)


_DEAL_START: Final = struct.Struct("<II32sB")
_DEAL_START_ENDS: Final = (4, 8, 40, 41)
_DEAL_START_DEFAULT: Final = bytes.fromhex("0000000000000000000000000000000000000000000000000000000000000000000000000000000000")


@dataclass(frozen=True, slots=True)
class DealStart:
    """Deal as planned. DONE when 108 cards lie in the pockets."""

    TYPE: ClassVar[int] = 0x21
    cmd_id: int
    deal_no: int
    plan_hash: bytes
    """hash of the plan to use"""
    expect_state: DeviceState
    """state that the host believes; REJECTED if it differs"""

    def __post_init__(self) -> None:
        if len(self.plan_hash) != 32:
            raise BadMessage("DealStart", "needs 32 bytes of plan_hash")

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _DEAL_START.pack(self.cmd_id, self.deal_no, self.plan_hash, self.expect_state)
        except struct.error as cause:
            raise _misfit("DealStart", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> DealStart:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 41:
            payload = _fit(payload, _DEAL_START_ENDS, _DEAL_START_DEFAULT)
        (cmd_id, deal_no, plan_hash, expect_state) = _DEAL_START.unpack(payload)
        return cls(cmd_id, deal_no, plan_hash, DeviceState(expect_state))


_PAUSE: Final = struct.Struct("<I")
_PAUSE_ENDS: Final = (4,)
_PAUSE_DEFAULT: Final = bytes.fromhex("00000000")


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop at the next card boundary. DONE when no card is in the path."""

    TYPE: ClassVar[int] = 0x22
    cmd_id: int

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _PAUSE.pack(self.cmd_id)
        except struct.error as cause:
            raise _misfit("Pause", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Pause:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 4:
            payload = _fit(payload, _PAUSE_ENDS, _PAUSE_DEFAULT)
        (cmd_id,) = _PAUSE.unpack(payload)
        return cls(cmd_id)


_RESUME: Final = struct.Struct("<II")
_RESUME_ENDS: Final = (4, 8)
_RESUME_DEFAULT: Final = bytes.fromhex("0000000000000000")


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after PAUSED."""

    TYPE: ClassVar[int] = 0x23
    cmd_id: int
    expect_event: int
    """last event the host has consumed; REJECTED if the device has a later one"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _RESUME.pack(self.cmd_id, self.expect_event)
        except struct.error as cause:
            raise _misfit("Resume", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Resume:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 8:
            payload = _fit(payload, _RESUME_ENDS, _RESUME_DEFAULT)
        (cmd_id, expect_event) = _RESUME.unpack(payload)
        return cls(cmd_id, expect_event)


_ABORT: Final = struct.Struct("<I")
_ABORT_ENDS: Final = (4,)
_ABORT_DEFAULT: Final = bytes.fromhex("00000000")


@dataclass(frozen=True, slots=True)
class Abort:
    """Give the deal up: the pockets are emptied into the intake and all cards are collected."""

    TYPE: ClassVar[int] = 0x24
    cmd_id: int

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _ABORT.pack(self.cmd_id)
        except struct.error as cause:
            raise _misfit("Abort", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Abort:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 4:
            payload = _fit(payload, _ABORT_ENDS, _ABORT_DEFAULT)
        (cmd_id,) = _ABORT.unpack(payload)
        return cls(cmd_id)


_PRESENT: Final = struct.Struct("<II")
_PRESENT_ENDS: Final = (4, 8)
_PRESENT_DEFAULT: Final = bytes.fromhex("0000000000000000")


@dataclass(frozen=True, slots=True)
class Present:
    """Open the four pockets together. DONE when they are open."""

    TYPE: ClassVar[int] = 0x25
    cmd_id: int
    deal_no: int

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _PRESENT.pack(self.cmd_id, self.deal_no)
        except struct.error as cause:
            raise _misfit("Present", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Present:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 8:
            payload = _fit(payload, _PRESENT_ENDS, _PRESENT_DEFAULT)
        (cmd_id, deal_no) = _PRESENT.unpack(payload)
        return cls(cmd_id, deal_no)


_COLLECT: Final = struct.Struct("<I")
_COLLECT_ENDS: Final = (4,)
_COLLECT_DEFAULT: Final = bytes.fromhex("00000000")


@dataclass(frozen=True, slots=True)
class Collect:
    """Open the intake for the played cards. DONE when the cards are stacked in the hopper."""

    TYPE: ClassVar[int] = 0x26
    cmd_id: int

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _COLLECT.pack(self.cmd_id)
        except struct.error as cause:
            raise _misfit("Collect", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Collect:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 4:
            payload = _fit(payload, _COLLECT_ENDS, _COLLECT_DEFAULT)
        (cmd_id,) = _COLLECT.unpack(payload)
        return cls(cmd_id)


_DISPLAY: Final = struct.Struct("<IBBI")
_DISPLAY_ENDS: Final = (4, 5, 6, 10)
_DISPLAY_DEFAULT: Final = bytes.fromhex("0000000000ff00000000")


@dataclass(frozen=True, slots=True)
class Display:
    """Show this to the players."""

    TYPE: ClassVar[int] = 0x27
    cmd_id: int
    mode: DisplayMode
    seat: int
    """seat 0..3 (S E N W), 255 for none"""
    deal_no: int

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _DISPLAY.pack(self.cmd_id, self.mode, self.seat, self.deal_no)
        except struct.error as cause:
            raise _misfit("Display", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Display:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 10:
            payload = _fit(payload, _DISPLAY_ENDS, _DISPLAY_DEFAULT)
        (cmd_id, mode, seat, deal_no) = _DISPLAY.unpack(payload)
        return cls(cmd_id, DisplayMode(mode), seat, deal_no)


_EVENTS_FROM: Final = struct.Struct("<II")
_EVENTS_FROM_ENDS: Final = (4, 8)
_EVENTS_FROM_DEFAULT: Final = bytes.fromhex("0000000000000000")


@dataclass(frozen=True, slots=True)
class EventsFrom:
    """Repeat the events from this number on (EventsLost first where they are gone), then DONE."""

    TYPE: ClassVar[int] = 0x28
    cmd_id: int
    event_no: int
    """first event wanted"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _EVENTS_FROM.pack(self.cmd_id, self.event_no)
        except struct.error as cause:
            raise _misfit("EventsFrom", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> EventsFrom:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 8:
            payload = _fit(payload, _EVENTS_FROM_ENDS, _EVENTS_FROM_DEFAULT)
        (cmd_id, event_no) = _EVENTS_FROM.unpack(payload)
        return cls(cmd_id, event_no)


_GET_STATE: Final = struct.Struct("<I")
_GET_STATE_ENDS: Final = (4,)
_GET_STATE_DEFAULT: Final = bytes.fromhex("00000000")


@dataclass(frozen=True, slots=True)
class GetState:
    """Ask for a StateReport; it comes before DONE."""

    TYPE: ClassVar[int] = 0x29
    cmd_id: int

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _GET_STATE.pack(self.cmd_id)
        except struct.error as cause:
            raise _misfit("GetState", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> GetState:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 4:
            payload = _fit(payload, _GET_STATE_ENDS, _GET_STATE_DEFAULT)
        (cmd_id,) = _GET_STATE.unpack(payload)
        return cls(cmd_id)


_CLEAR_FAULT: Final = struct.Struct("<I")
_CLEAR_FAULT_ENDS: Final = (4,)
_CLEAR_FAULT_DEFAULT: Final = bytes.fromhex("00000000")


@dataclass(frozen=True, slots=True)
class ClearFault:
    """Leave FAULT: cards in the path are brought to their pockets, then PAUSED."""

    TYPE: ClassVar[int] = 0x2A
    cmd_id: int

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _CLEAR_FAULT.pack(self.cmd_id)
        except struct.error as cause:
            raise _misfit("ClearFault", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> ClearFault:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 4:
            payload = _fit(payload, _CLEAR_FAULT_ENDS, _CLEAR_FAULT_DEFAULT)
        (cmd_id,) = _CLEAR_FAULT.unpack(payload)
        return cls(cmd_id)


_COMMAND_RESULT: Final = struct.Struct("<IBB")
_COMMAND_RESULT_ENDS: Final = (4, 5, 6)
_COMMAND_RESULT_DEFAULT: Final = bytes.fromhex("000000000000")


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How far a command got."""

    TYPE: ClassVar[int] = 0x40
    cmd_id: int
    status: CommandStatus
    reason: Reason

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _COMMAND_RESULT.pack(self.cmd_id, self.status, self.reason)
        except struct.error as cause:
            raise _misfit("CommandResult", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> CommandResult:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 6:
            payload = _fit(payload, _COMMAND_RESULT_ENDS, _COMMAND_RESULT_DEFAULT)
        (cmd_id, status, reason) = _COMMAND_RESULT.unpack(payload)
        return cls(cmd_id, CommandStatus(status), Reason(reason))


_STATE_REPORT: Final = struct.Struct("<BBIBBB4BBBII")
_STATE_REPORT_ENDS: Final = (1, 2, 6, 7, 8, 9, 13, 14, 15, 19, 23)
_STATE_REPORT_DEFAULT: Final = bytes.fromhex("0000000000000000000000000000000000000000000000")


@dataclass(frozen=True, slots=True)
class StateReport:
    """Where the 108 cards are, as the machine counts them."""

    TYPE: ClassVar[int] = 0x41
    state: DeviceState
    reason: StateReason
    """why it is in this state"""
    deal_no: int
    """deal in the machine, 0 if none"""
    fed: int
    """cards fed in this deal"""
    hopper: int
    """cards in the hopper"""
    path: int
    """cards in the path"""
    pockets: tuple[int, int, int, int]
    """cards in the pockets S E N W"""
    intake: int
    """cards in the intake"""
    outside: int
    """cards with the players"""
    head_event: int
    """number of the last event"""
    first_event: int
    """oldest event that EventsFrom can repeat"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _STATE_REPORT.pack(
                self.state, self.reason, self.deal_no, self.fed, self.hopper, self.path, *self.pockets, self.intake,
                self.outside, self.head_event, self.first_event
            )
        except struct.error as cause:
            raise _misfit("StateReport", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> StateReport:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 23:
            payload = _fit(payload, _STATE_REPORT_ENDS, _STATE_REPORT_DEFAULT)
        (
            state, reason, deal_no, fed, hopper, path, pockets_0, pockets_1, pockets_2, pockets_3, intake, outside,
            head_event, first_event
        ) = _STATE_REPORT.unpack(payload)
        return cls(
            DeviceState(state), StateReason(reason), deal_no, fed, hopper, path, (pockets_0, pockets_1, pockets_2,
            pockets_3), intake, outside, head_event, first_event
        )


_BOOT: Final = struct.Struct("<IIB")
_BOOT_ENDS: Final = (4, 8, 9)
_BOOT_DEFAULT: Final = bytes.fromhex("000000000000000000")


@dataclass(frozen=True, slots=True)
class Boot:
    """The device started."""

    TYPE: ClassVar[int] = 0x80
    event_no: int
    """counts all events of the device, without gaps, over restarts too"""
    boot_id: int
    cause: BootCause

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _BOOT.pack(self.event_no, self.boot_id, self.cause)
        except struct.error as cause:
            raise _misfit("Boot", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Boot:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 9:
            payload = _fit(payload, _BOOT_ENDS, _BOOT_DEFAULT)
        (event_no, boot_id, cause) = _BOOT.unpack(payload)
        return cls(event_no, boot_id, BootCause(cause))


_STATE_CHANGED: Final = struct.Struct("<IBB")
_STATE_CHANGED_ENDS: Final = (4, 5, 6)
_STATE_CHANGED_DEFAULT: Final = bytes.fromhex("000000000000")


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The machine entered a state."""

    TYPE: ClassVar[int] = 0x81
    event_no: int
    state: DeviceState
    reason: StateReason

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _STATE_CHANGED.pack(self.event_no, self.state, self.reason)
        except struct.error as cause:
            raise _misfit("StateChanged", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> StateChanged:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 6:
            payload = _fit(payload, _STATE_CHANGED_ENDS, _STATE_CHANGED_DEFAULT)
        (event_no, state, reason) = _STATE_CHANGED.unpack(payload)
        return cls(event_no, DeviceState(state), StateReason(reason))


_CARD_FED: Final = struct.Struct("<IIB")
_CARD_FED_ENDS: Final = (4, 8, 9)
_CARD_FED_DEFAULT: Final = bytes.fromhex("000000000000000000")


@dataclass(frozen=True, slots=True)
class CardFed:
    """A card left the hopper and covers the entry sensor."""

    TYPE: ClassVar[int] = 0x82
    event_no: int
    deal_no: int
    index: int
    """place in the feed order, 0..107"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _CARD_FED.pack(self.event_no, self.deal_no, self.index)
        except struct.error as cause:
            raise _misfit("CardFed", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> CardFed:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 9:
            payload = _fit(payload, _CARD_FED_ENDS, _CARD_FED_DEFAULT)
        (event_no, deal_no, index) = _CARD_FED.unpack(payload)
        return cls(event_no, deal_no, index)


_CARD_READ: Final = struct.Struct("<IIBB")
_CARD_READ_ENDS: Final = (4, 8, 9, 10)
_CARD_READ_DEFAULT: Final = bytes.fromhex("000000000000000000ff")


@dataclass(frozen=True, slots=True)
class CardRead:
    """The reader saw a face. Secret until the card is laid."""

    TYPE: ClassVar[int] = 0x83
    event_no: int
    deal_no: int
    index: int
    card: int = field(repr=False)
    """0..53, or 255 unreadable"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _CARD_READ.pack(self.event_no, self.deal_no, self.index, self.card)
        except struct.error as cause:
            raise _misfit("CardRead", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> CardRead:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 10:
            payload = _fit(payload, _CARD_READ_ENDS, _CARD_READ_DEFAULT)
        (event_no, deal_no, index, card) = _CARD_READ.unpack(payload)
        return cls(event_no, deal_no, index, card)


_CARD_DROPPED: Final = struct.Struct("<IIBBB")
_CARD_DROPPED_ENDS: Final = (4, 8, 9, 10, 11)
_CARD_DROPPED_DEFAULT: Final = bytes.fromhex("000000000000000000ff00")


@dataclass(frozen=True, slots=True)
class CardDropped:
    """A card fell into a pocket."""

    TYPE: ClassVar[int] = 0x84
    event_no: int
    deal_no: int
    index: int
    pocket: int
    """seat 0..3 (S E N W)"""
    count_in_pocket: int
    """cards in that pocket, this one included"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _CARD_DROPPED.pack(self.event_no, self.deal_no, self.index, self.pocket, self.count_in_pocket)
        except struct.error as cause:
            raise _misfit("CardDropped", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> CardDropped:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 11:
            payload = _fit(payload, _CARD_DROPPED_ENDS, _CARD_DROPPED_DEFAULT)
        (event_no, deal_no, index, pocket, count_in_pocket) = _CARD_DROPPED.unpack(payload)
        return cls(event_no, deal_no, index, pocket, count_in_pocket)


_DEAL_DONE: Final = struct.Struct("<II4B")
_DEAL_DONE_ENDS: Final = (4, 8, 12)
_DEAL_DONE_DEFAULT: Final = bytes.fromhex("000000000000000000000000")


@dataclass(frozen=True, slots=True)
class DealDone:
    """All cards of the deal lie in the pockets."""

    TYPE: ClassVar[int] = 0x85
    event_no: int
    deal_no: int
    counts: tuple[int, int, int, int]
    """cards in the pockets S E N W"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _DEAL_DONE.pack(self.event_no, self.deal_no, *self.counts)
        except struct.error as cause:
            raise _misfit("DealDone", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> DealDone:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 12:
            payload = _fit(payload, _DEAL_DONE_ENDS, _DEAL_DONE_DEFAULT)
        (event_no, deal_no, counts_0, counts_1, counts_2, counts_3) = _DEAL_DONE.unpack(payload)
        return cls(event_no, deal_no, (counts_0, counts_1, counts_2, counts_3))


_HAND_TAKEN: Final = struct.Struct("<IIB")
_HAND_TAKEN_ENDS: Final = (4, 8, 9)
_HAND_TAKEN_DEFAULT: Final = bytes.fromhex("0000000000000000ff")


@dataclass(frozen=True, slots=True)
class HandTaken:
    """The cards of a pocket were taken out."""

    TYPE: ClassVar[int] = 0x86
    event_no: int
    deal_no: int
    seat: int

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _HAND_TAKEN.pack(self.event_no, self.deal_no, self.seat)
        except struct.error as cause:
            raise _misfit("HandTaken", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> HandTaken:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 9:
            payload = _fit(payload, _HAND_TAKEN_ENDS, _HAND_TAKEN_DEFAULT)
        (event_no, deal_no, seat) = _HAND_TAKEN.unpack(payload)
        return cls(event_no, deal_no, seat)


_KEY_PRESSED: Final = struct.Struct("<IBBB")
_KEY_PRESSED_ENDS: Final = (4, 5, 6, 7)
_KEY_PRESSED_DEFAULT: Final = bytes.fromhex("0000000000ff00")


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A player pressed a key."""

    TYPE: ClassVar[int] = 0x87
    event_no: int
    key: Key
    seat: int
    value: int
    """COUNT_OK: cards counted"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _KEY_PRESSED.pack(self.event_no, self.key, self.seat, self.value)
        except struct.error as cause:
            raise _misfit("KeyPressed", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> KeyPressed:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 7:
            payload = _fit(payload, _KEY_PRESSED_ENDS, _KEY_PRESSED_DEFAULT)
        (event_no, key, seat, value) = _KEY_PRESSED.unpack(payload)
        return cls(event_no, Key(key), seat, value)


_COLLECTED: Final = struct.Struct("<IB")
_COLLECTED_ENDS: Final = (4, 5)
_COLLECTED_DEFAULT: Final = bytes.fromhex("0000000000")


@dataclass(frozen=True, slots=True)
class Collected:
    """The intake is empty and its cards are stacked in the hopper."""

    TYPE: ClassVar[int] = 0x88
    event_no: int
    count: int
    """cards in the hopper"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _COLLECTED.pack(self.event_no, self.count)
        except struct.error as cause:
            raise _misfit("Collected", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Collected:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 5:
            payload = _fit(payload, _COLLECTED_ENDS, _COLLECTED_DEFAULT)
        (event_no, count) = _COLLECTED.unpack(payload)
        return cls(event_no, count)


_FAULT: Final = struct.Struct("<IBBH")
_FAULT_ENDS: Final = (4, 5, 6, 8)
_FAULT_DEFAULT: Final = bytes.fromhex("000000000000ffff")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something stopped the motors."""

    TYPE: ClassVar[int] = 0x89
    event_no: int
    code: int
    """an unknown number is a fault too (FaultCode)"""
    zone: Zone
    index: int
    """card concerned (feed order), 65535 for none"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _FAULT.pack(self.event_no, self.code, self.zone, self.index)
        except struct.error as cause:
            raise _misfit("Fault", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> Fault:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 8:
            payload = _fit(payload, _FAULT_ENDS, _FAULT_DEFAULT)
        (event_no, code, zone, index) = _FAULT.unpack(payload)
        return cls(event_no, code, Zone(zone), index)


_FAULT_CLEARED: Final = struct.Struct("<IB")
_FAULT_CLEARED_ENDS: Final = (4, 5)
_FAULT_CLEARED_DEFAULT: Final = bytes.fromhex("0000000000")


@dataclass(frozen=True, slots=True)
class FaultCleared:
    """The fault is over."""

    TYPE: ClassVar[int] = 0x8A
    event_no: int
    code: int
    """(FaultCode)"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _FAULT_CLEARED.pack(self.event_no, self.code)
        except struct.error as cause:
            raise _misfit("FaultCleared", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> FaultCleared:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 5:
            payload = _fit(payload, _FAULT_CLEARED_ENDS, _FAULT_CLEARED_DEFAULT)
        (event_no, code) = _FAULT_CLEARED.unpack(payload)
        return cls(event_no, code)


_EVENTS_LOST: Final = struct.Struct("<II")
_EVENTS_LOST_ENDS: Final = (4, 8)
_EVENTS_LOST_DEFAULT: Final = bytes.fromhex("0000000000000000")


@dataclass(frozen=True, slots=True)
class EventsLost:
    """These events can not be repeated any more. Not an event itself: it has no number of its own."""

    TYPE: ClassVar[int] = 0x8B
    first: int
    """first lost event"""
    last: int
    """last lost event"""

    def pack(self) -> bytes:
        """Payload bytes. Raises BadMessage."""
        try:
            return _EVENTS_LOST.pack(self.first, self.last)
        except struct.error as cause:
            raise _misfit("EventsLost", cause) from None

    @classmethod
    def unpack(cls, payload: bytes) -> EventsLost:
        """The message in these payload bytes; any length is read."""
        if len(payload) != 8:
            payload = _fit(payload, _EVENTS_LOST_ENDS, _EVENTS_LOST_DEFAULT)
        (first, last) = _EVENTS_LOST.unpack(payload)
        return cls(first, last)

@dataclass(frozen=True, slots=True)
class Unknown:
    """A message of a later schema. It is delivered, never an error."""

    type: int
    payload: bytes

    def pack(self) -> bytes:
        """The payload as it came."""
        return self.payload


Command = (Plan | DealStart | Pause | Resume | Abort | Present | Collect | Display | EventsFrom | GetState | ClearFault)
Event = (
    Boot | StateChanged | CardFed | CardRead | CardDropped | DealDone | HandTaken | KeyPressed | Collected | Fault |
    FaultCleared
)
Answer = (CommandResult | StateReport | EventsLost)
Known = Hello | HelloAck | Heartbeat | Command | Answer | Event
Message = Known | Unknown

TYPES: Final[Mapping[int, type[Known]]] = {
    0x01: Hello,
    0x02: HelloAck,
    0xC0: Heartbeat,
    0x20: Plan,
    0x21: DealStart,
    0x22: Pause,
    0x23: Resume,
    0x24: Abort,
    0x25: Present,
    0x26: Collect,
    0x27: Display,
    0x28: EventsFrom,
    0x29: GetState,
    0x2A: ClearFault,
    0x40: CommandResult,
    0x41: StateReport,
    0x80: Boot,
    0x81: StateChanged,
    0x82: CardFed,
    0x83: CardRead,
    0x84: CardDropped,
    0x85: DealDone,
    0x86: HandTaken,
    0x87: KeyPressed,
    0x88: Collected,
    0x89: Fault,
    0x8A: FaultCleared,
    0x8B: EventsLost,
}
"""Message number -> class."""


def decode(type_number: int, payload: bytes) -> Message:
    """The message in a frame. Total: every type and payload gives a message."""
    known = TYPES.get(type_number)
    return Unknown(type_number, payload) if known is None else known.unpack(payload)


def encode(message: Message) -> tuple[int, bytes]:
    """Type number and payload of a message. Raises BadMessage for a value that does not fit its field."""
    if isinstance(message, Unknown):
        return message.type, message.payload
    return message.TYPE, message.pack()


def _fit(payload: bytes, ends: tuple[int, ...], default: bytes) -> bytes:
    """Cut a longer payload, fill a shorter one with defaults from its first incomplete field on."""
    whole = max((end for end in ends if end <= len(payload)), default=0)
    return payload[:whole] + default[whole:]


def _misfit(message: str, cause: struct.error) -> BadMessage:
    """The error for a number that struct refuses. The value is not told: it may be a secret."""
    return BadMessage(message, f"holds a number that does not fit its field ({cause})")
