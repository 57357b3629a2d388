"""Mistakes of the caller of this room. Bad bytes from the wire are data (`frame.BadFrame`), never exceptions."""

from __future__ import annotations


class BadMessage(ValueError):
    """A message holds a value that does not fit its field."""

    def __init__(self, message: str, why: str) -> None:
        super().__init__(f"{message} {why}")


class BadPlan(ValueError):
    """A seat sequence that is no plan."""


class BadSchema(ValueError):
    """The schema file contradicts itself."""


class LinkNotUp(RuntimeError):
    """A message was given to a link that has no session."""

    def __init__(self) -> None:
        super().__init__("the link is not up; wait for Up before sending")


class QueueFull(RuntimeError):
    """More messages wait for the window than the link holds."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} messages are waiting already; wait for acknowledgements before sending more")
