"""What this room asks of a house of tables. `dealer.house` fulfils it; tests bring their own.

Protocols, because a test house differs from a real one in everything but these few names.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from dealer.command import Command
from dealer.record import Record

Document = dict[str, Any]  # a JSON object on its way out


class ViewLike(Protocol):
    """`dealer.views.PublicView` or `RefereeView`."""

    def to_json(self) -> Document: ...


class JournalLike(Protocol):
    """`dealer.journal.Journal`, reading side. `follow` tells a record as soon as it is durable."""

    async def read(self, after: int = 0, limit: int = 1000) -> Sequence[Record]: ...
    def follow(self, after: int) -> AsyncIterator[Record]: ...


class TableLike(Protocol):
    """`dealer.table.Table`. `submit` raises NotFound, Conflict or BadCommand (dealer.errors)."""

    @property
    def id(self) -> str: ...
    @property
    def journal(self) -> JournalLike: ...
    def view_public(self) -> ViewLike: ...
    def view_referee(self) -> ViewLike: ...
    async def submit(self, command: Command) -> Record: ...


class HouseLike(Protocol):
    """`dealer.house.House`. The set of tables is fixed while the house runs."""

    @property
    def tables(self) -> Mapping[str, TableLike]: ...
    @property
    def stills_dir(self) -> Path: ...


def public_document(table: TableLike) -> Document:
    """A table as anybody may see it.

    Left out: `record` and `settled_ns`. A finding that rests on hidden hands takes a record number too, so a gap
    in the numbers would tell everybody that there was one.
    """
    document = table.view_public().to_json()
    return {key: value for key, value in document.items() if key not in {"record", "settled_ns"}}


def referee_document(table: TableLike) -> Document:
    """A table as its referee sees it: the public view with record number, alerts and questions."""
    return table.view_referee().to_json()
