"""The stream of everything that happens, over all tables, by Server-Sent Events."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Header
from fastapi.sse import EventSourceResponse
from starlette.responses import Response

from api.context import AnyActor, ContextOf
from api.event_stream import EventStream
from api.problems import Problem
from api.reader import BadCursor, Cursor, Reader, parse_cursor

router: Final = APIRouter(tags=["stream"])


@router.get("/stream", response_class=Response, responses={200: {"content": {EventSourceResponse.media_type: {}}}})
async def stream(
    context: ContextOf, actor: AnyActor, last_event_id: Annotated[str | None, Header()] = None
) -> EventStream:
    """Events `alert` (referees), `table`, `condition` and `ping`; resumes after `Last-Event-ID`."""
    settings = context.settings
    cursor = _cursor(last_event_id)
    if context.feeds.closed:
        raise Problem(
            503, "Stopping", "The controller is stopping. Try again in a moment.", headers={"retry-after": "2"}
        )
    if context.streams[actor.role] >= settings.streams_per_role:
        raise Problem(
            429,
            "Too many streams",
            f"{settings.streams_per_role} streams of the role '{actor.role.value}' are open. Close one of them.",
            headers={"retry-after": "10"},
        )
    context.streams[actor.role] += 1

    def ended() -> None:
        context.streams[actor.role] -= 1

    reader = Reader(
        context.feeds, actor.role, cursor, ping_ns=int(settings.ping_s * 1e9), gap_ns=int(settings.table_gap_s * 1e9)
    )
    return EventStream(context.feeds, reader, context.clock, settings.write_deadline_s, ended)


def _cursor(text: str | None) -> Cursor:
    if not text:
        return {}
    try:
        return parse_cursor(text)
    except BadCursor as error:
        raise Problem(400, "Unknown place in the stream", str(error), name="bad-cursor") from None
