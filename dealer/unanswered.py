"""Commands that a machine was given and has not answered yet, by number."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from firmware_proto.messages import Command, CommandResult


class Unanswered:
    """The commands of one machine, and their numbers: no number is used twice, not even by the next run."""

    def __init__(self) -> None:
        self._last_id = int.from_bytes(os.urandom(4), "little")
        self._waiting: dict[int, tuple[Command, asyncio.Future[CommandResult]]] = {}

    def next_id(self) -> int:
        """A number for a command, 1..2**32-1."""
        self._last_id = self._last_id % (2**32 - 1) + 1
        return self._last_id

    @contextmanager
    def ask(self, build: Callable[[int], Command]) -> Iterator[tuple[Command, asyncio.Future[CommandResult]]]:
        """The command made from its number, and its first answer to come; it is kept until the end of the block."""
        number = self.next_id()
        asked = build(number), asyncio.get_running_loop().create_future()
        self._waiting[number] = asked
        try:
            yield asked
        finally:
            del self._waiting[number]

    def settle(self, result: CommandResult) -> bool:
        """An answer has come. Returns whether somebody waited for it."""
        waiting = self._waiting.get(result.cmd_id)
        if waiting is None or waiting[1].done():
            return False
        waiting[1].set_result(result)
        return True

    def commands(self) -> tuple[Command, ...]:
        """Those to be given again after a reconnection, in the order in which they were given."""
        return tuple(command for command, _ in self._waiting.values())
