"""Exceptions of this room: a caller's mistake or an outside failure, each in one line with its remedy.

The text reads `value: what is wrong; what to do`. It never holds a key, a plan or a card that has not been laid.
"""

from __future__ import annotations

from pathlib import Path


class DealerError(Exception):
    """Anything that a person or a calling program can put right. `remedy` is the one next step, "" if none."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(f"{message}; {remedy}" if remedy else message)
        self.remedy = remedy


class BadInput(DealerError):
    """A value from the command line or a file cannot be used."""


class NotFound(DealerError):
    """A name or number that a caller gave does not exist here."""


class Conflict(DealerError):
    """What was asked does not fit how the table stands; asking again later may succeed."""


class BadCommand(DealerError):
    """What was asked is malformed; asking again never succeeds."""


class SettingsError(DealerError):
    """A setting is unknown, unreadable or out of range. `key` is its dotted name."""

    def __init__(self, key: str, wrong: str, remedy: str) -> None:
        super().__init__(f"settings: {key}: {wrong}", remedy)
        self.key = key


class JournalError(DealerError):
    """The record of a table cannot be opened, read or written."""


class JournalBusy(JournalError):
    """Another process writes this journal."""

    def __init__(self, path: Path, owner: str) -> None:
        super().__init__(
            f"{path}: another dealer (process {owner}) runs this table",
            "stop that one, or give this one its own data folder",
        )


class JournalForeign(JournalError):
    """The file is not a journal that this version can read."""

    def __init__(self, path: Path, wrong: str, remedy: str) -> None:
        super().__init__(f"{path}: {wrong}", remedy)


class JournalCorrupt(JournalError):
    """A record does not match its hash. `number` is the first bad one, 0 if not even that can be told."""

    def __init__(self, path: Path, number: int, why: str) -> None:
        super().__init__(
            f"{path}: record {number} is damaged ({why})",
            "start the table again: the undamaged part is kept and the cut is reported",
        )
        self.number = number


class StorageRefused(JournalError):
    """The disk does not keep what it is told to keep, so nothing may be recorded there."""

    def __init__(self, path: Path, wrong: str) -> None:
        super().__init__(f"{path}: {wrong}", "put the data folder on a local disk")


class StorageFull(JournalError):
    """The disk does not take the record; nothing of the batch was written. Trying again later may succeed."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path}: the record cannot be written ({why})",
            "free some space on that disk, and check the right to write there",
        )


class BadRecord(JournalError):
    """A record's kind or body is not one that this version knows, or a draft cannot be written as JSON."""

    def __init__(self, kind: str, wrong: str) -> None:
        super().__init__(f"record {kind!r}: {wrong}", "read this journal with the version that wrote it")


class BadKey(DealerError):
    """The sealing key is missing, unsafe or not the one that sealed this journal."""

    def __init__(self, path: Path | None, wrong: str, remedy: str) -> None:
        super().__init__(f"{path or 'sealing key'}: {wrong}", remedy)


class PortUnreadable(DealerError):
    """A serial port or address cannot be opened."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: cannot be opened ({why})", "check the cable, the name and the right to use it")
        self.path = path


class PortBusy(DealerError):
    """Another program holds the port."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path}: in use by another program", "close that program")
        self.path = path


class StreamLost(DealerError):
    """A byte stream ended or stalled; it has to be opened again."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: lost ({why})", "check the cable")


class DeviceRefused(DealerError):
    """The machine rejected a command or failed at it. `reason` is the machine's own number."""

    def __init__(self, command: str, status: str, reason: int) -> None:
        super().__init__(f"{command}: {status} by the machine, reason {reason}", "look at the machine")
        self.reason = reason


class DeviceSilent(DealerError):
    """The machine did not answer a command in time; whether it acted is unknown until it reports."""

    def __init__(self, command: str, deadline_s: float) -> None:
        super().__init__(f"{command}: no answer in {deadline_s:g} s", "check the cable and the power of the machine")
