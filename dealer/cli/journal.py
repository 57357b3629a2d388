"""`dealer journal`: show and verify a table's record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dealer.journal import iterate, verify_file
from dealer.record import public_fields

app = typer.Typer(help="The record of a table: show, verify.", no_args_is_help=True, rich_markup_mode=None)


@app.command("show")
def show(
    file: Annotated[Path, typer.Argument(help="journal.db of a table")],
    after: Annotated[int, typer.Option(min=0, help="only records after this number")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON list")] = False,
) -> None:
    """Show the records; what is sealed stays sealed."""
    records = [public_fields(record) for record in iterate(file, after)]
    if as_json:
        print(json.dumps(records, ensure_ascii=False))
        return
    for record in records:
        body = json.dumps(record["body"], ensure_ascii=False, separators=(",", ":"))
        print(f"{record['number']:>6} {record['at_utc']} {record['source']:<10} {record['kind']} {body}")


@app.command("verify")
def verify(file: Annotated[Path, typer.Argument(help="journal.db of a table")]) -> None:
    """Check that no record was changed, cut out or put in; exit 1 if one was."""
    verdict = verify_file(file)
    if verdict.ok:
        print(f"PASS {verdict.records} records")
        return
    print(f"FAIL at record {verdict.first_bad or verdict.text_first_bad} of {verdict.records}")
    raise typer.Exit(1)
