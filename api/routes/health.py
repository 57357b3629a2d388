"""Whether the controller is well, who one is, and the description of this API."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request

from api.access import Actor, Role
from api.context import AnyActor, ContextOf, Referee
from api.house import Document, referee_document

router: Final = APIRouter(tags=["controller"])


@router.get("/health")
async def health(request: Request, context: ContextOf) -> Document:
    """`{"ok": true}` for anybody; a referee's token also gets what each table lacks."""
    feeds = context.feeds
    answer: Document = {"ok": not feeds.failed and not feeds.closed}
    actor = request.scope.get("state", {}).get("actor")
    if isinstance(actor, Actor) and actor.role is Role.REFEREE:
        answer["streams"] = {role.value: count for role, count in context.streams.items()}
        answer["tables"] = [_table_health(referee_document(table)) for table in context.house.tables.values()]
        answer["not_followed"] = sorted(feeds.failed)
    return answer


def _table_health(document: Document) -> Document:
    return {key: document.get(key) for key in ("id", "record", "phase", "mode", "link", "camera", "conditions")}


@router.get("/me")
async def me(actor: AnyActor) -> Document:
    """Name and role of the token."""
    return {"name": actor.name, "role": actor.role.value}


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request, actor: Referee) -> Document:
    """The description of this API (OpenAPI)."""
    document: Document = request.app.openapi()
    return document
