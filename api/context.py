"""What every route is handed: the house, the feeds, the actor. Roles are checked here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from api.access import Actor, Role
from api.feed import Feeds
from api.house import HouseLike, TableLike
from api.problems import Problem
from api.public_record import PublicJournal
from api.words import quoted
from dealer.clock import Clock


@dataclass(frozen=True, slots=True)
class ApiSettings:
    """Limits of the API. Times in seconds."""

    host_names: frozenset[str] = frozenset({"127.0.0.1", "localhost", "::1"})
    """Names under which the controller answers; the port is the one it listens on."""
    body_limit: int = 64 * 1024
    ping_s: float = 10.0
    table_gap_s: float = 0.1
    """Least time between two states of one table to one client; states between are skipped, alerts and what the
    camera saw settle never."""
    write_deadline_s: float = 10.0
    """A client that takes nothing for so long is closed."""
    streams_per_role: int = 32
    """Open streams of viewers and of referees are counted apart, so that viewers cannot lock referees out."""


@dataclass(frozen=True, slots=True)
class Context:
    """One application's parts."""

    house: HouseLike
    clock: Clock
    settings: ApiSettings
    feeds: Feeds
    public_journals: dict[str, PublicJournal] = field(default_factory=dict)
    streams: dict[Role, int] = field(default_factory=lambda: dict.fromkeys(Role, 0))

    def table(self, table_id: str) -> TableLike:
        """Raises Problem 404 for a table that this house does not have."""
        table = self.house.tables.get(table_id)
        if table is None:
            known = ", ".join(quoted(key) for key in list(self.house.tables)[:20])
            raise Problem(
                404, "No such table", f"There is no table {quoted(table_id)}. The tables are {known or '(none)'}."
            )
        return table


def context_of(request: Request) -> Context:
    context = request.app.state.context
    assert isinstance(context, Context)
    return context


def reader(request: Request) -> Actor:
    """The actor, of whichever role. The gate lets nobody through to these routes without one; this holds if it did."""
    actor = request.scope.get("state", {}).get("actor")
    if not isinstance(actor, Actor):
        raise Problem(401, "Not signed in", "No token was sent. Open the link that the controller printed.")
    return actor


def referee(request: Request) -> Actor:
    """The actor, who has to be a referee. Raises Problem 403."""
    actor = reader(request)
    if actor.role is not Role.REFEREE:
        raise Problem(
            403,
            "For referees",
            f"The role '{actor.role.value}' may not do this. Open the referee's link to do it.",
            name="for-referees",
        )
    return actor


ContextOf = Annotated[Context, Depends(context_of)]
AnyActor = Annotated[Actor, Depends(reader)]
Referee = Annotated[Actor, Depends(referee)]
