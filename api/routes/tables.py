"""Tables: how they stand, what was recorded, the stills, and commands."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Final, assert_never

from fastapi import APIRouter, Body, Query
from starlette.responses import FileResponse

from api.access import Actor, Role
from api.context import AnyActor, Context, ContextOf, Referee
from api.house import Document, TableLike, public_document, referee_document
from api.models import (
    AnswerCommand,
    CommandBody,
    DeclareCommand,
    EnterFinishCommand,
    HoldCommand,
    ResumeCommand,
    StartDealCommand,
)
from api.problems import Problem
from api.public_record import PublicJournal, referee_record
from api.words import quoted
from dealer.command import Answer, Command, Declare, EnterFinish, Hold, Resume, StartDeal
from engine.cards import parse_cards
from engine.combos import BadReading

router: Final = APIRouter(tags=["tables"])
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def _document(table: TableLike, actor: Actor) -> Document:
    return referee_document(table) if actor.role is Role.REFEREE else public_document(table)


@router.get("/tables")
async def list_tables(context: ContextOf, actor: AnyActor) -> Document:
    """All tables, as the asker's role may see them."""
    return {"tables": [_document(table, actor) for table in context.house.tables.values()]}


@router.get("/tables/{table_id}")
async def show_table(table_id: str, context: ContextOf, actor: AnyActor) -> Document:
    """One table, as the asker's role may see it."""
    return _document(context.table(table_id), actor)


@router.get("/tables/{table_id}/journal")
async def show_journal(
    table_id: str,
    context: ContextOf,
    actor: AnyActor,
    after: Annotated[int, Query(ge=0, le=10**15)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Document:
    """Records after number `after`. A viewer reads what lay open, under its own count."""
    table = context.table(table_id)
    if actor.role is Role.REFEREE:
        records = [referee_record(r) for r in await table.journal.read(after, limit)]
    else:
        records = await _public_records(context, table, after, limit)
    return {"records": records, "next": records[-1]["number"] if records else after}


async def _public_records(context: Context, table: TableLike, after: int, limit: int) -> list[Document]:
    journal = context.public_journals.setdefault(table.id, PublicJournal(table.journal))
    return await journal.read(after, limit)


@router.get("/tables/{table_id}/stills/{sha256}")
async def show_still(table_id: str, sha256: str, context: ContextOf, actor: Referee) -> FileResponse:
    """A picture of evidence, by the SHA-256 of its bytes."""
    context.table(table_id)
    if _SHA256.fullmatch(sha256) is None:
        raise Problem(422, "Not understood", f"{quoted(sha256)} names no still; write the 64 hex digits of the alert.")
    path = context.house.stills_dir / f"{sha256}.jpg"
    if not await asyncio.to_thread(path.is_file):
        raise Problem(404, "No such still", f"There is no picture {quoted(sha256)} any more.")
    return FileResponse(path, media_type="image/jpeg", content_disposition_type="inline", filename=f"{sha256}.jpg")


@router.post("/tables/{table_id}/commands")
async def command_table(
    table_id: str, body: Annotated[CommandBody, Body()], context: ContextOf, actor: Referee
) -> Document:
    """Carry out a command; the answer is the record that it left."""
    table = context.table(table_id)
    return referee_record(await table.submit(_command(body, actor.name)))


def _command(body: CommandBody, by: str) -> Command:
    match body:
        case HoldCommand():
            return Hold(by=by)
        case ResumeCommand():
            return Resume(by=by)
        case StartDealCommand():
            return StartDeal(by=by)
        case DeclareCommand():
            try:
                reading = body.reading.to_reading()
            except BadReading as error:
                raise Problem(422, "Not understood", f"reading: {error}", name="not-understood") from None
            return Declare(alert=body.alert, reading=reading, by=by)
        case AnswerCommand():
            return Answer(question=body.question, cards=parse_cards(body.cards), by=by)
        case EnterFinishCommand():
            return EnterFinish(order=body.order, by=by)
        case _:
            assert_never(body)
