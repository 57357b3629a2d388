"""Which machine is at the other end: what it says of itself when a session begins, and how it differs from before."""

from __future__ import annotations

from enum import Enum, auto

from firmware_proto.messages import PROTOCOL_VERSION, HelloAck


class Meeting(Enum):
    """Who has answered, compared with who answered before."""

    AS_BEFORE = auto()
    RESTARTED = auto()
    """The same machine has started anew; its events go on."""
    REPLACED = auto()
    """Another machine, or one without its memory: its events are counted anew."""


class Identity:
    """The machine that answered last. Everything is None before its first answer."""

    def __init__(self, *, simulator_only: bool) -> None:
        self.device_id: str | None = None
        self.level: int | None = None
        self.is_simulator: bool | None = None
        self._boot_id: int | None = None
        self._simulator_only = simulator_only

    def unfit(self, peer: HelloAck) -> str | None:
        """Why this program cannot work with the machine; None if it can."""
        self.is_simulator = bool(peer.flags & 1)
        if peer.version != PROTOCOL_VERSION:
            return f"protocol version {peer.version}, this program speaks {PROTOCOL_VERSION}"
        if self._simulator_only and not self.is_simulator:
            return "seeded deals are for simulators only"
        return None

    def meet(self, peer: HelloAck, delivered: int) -> Meeting:
        """Take note of a machine that fits. `delivered`: number of the last event delivered."""
        other = self.device_id is not None and self.device_id != peer.device_id
        restarted = self._boot_id is not None and self._boot_id != peer.boot_id
        self.device_id, self.level, self._boot_id = peer.device_id, peer.level, peer.boot_id
        if other or peer.head_event < delivered:
            return Meeting.REPLACED
        return Meeting.RESTARTED if restarted else Meeting.AS_BEFORE
