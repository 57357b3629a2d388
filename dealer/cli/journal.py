"""`dealer journal`: show and verify a table's record, count its plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dealer.cli.counts import counts, print_counts
from dealer.errors import BadInput
from dealer.journal import iterate, verify_file
from dealer.record import public_fields
from dealer.regulation import rulebook_of
from dealer.tally import tally_of
from engine.rulebook import Rulebook
from engine.rulebook_data import known_rulebooks, load_rulebook

app = typer.Typer(help="The record of a table: show, verify, statistics.", no_args_is_help=True, rich_markup_mode=None)


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


@app.command("statistics")
def statistics(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="journal.db of each table")],
    rulebook: Annotated[
        str | None, typer.Option(metavar="FILE", help="the regulation that was played under, if it was one")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
) -> None:
    """Count the plays of finished deals, beside the strategy guide's figures; what was taken back does not count."""
    if len({file.resolve() for file in files}) < len(files):
        raise BadInput(f"{' '.join(map(str, files))}: a journal is named twice", "name each once")
    regulation = rulebook_of(rulebook) if rulebook is not None else None

    def book_of(name: str) -> Rulebook:
        if regulation is not None and regulation.id == name:
            return regulation
        if name not in known_rulebooks():
            raise BadInput(f"{name!r}: a match was played under it", "give the file of that regulation by --rulebook")
        return load_rulebook(name)

    tally = tally_of(files, book_of)
    document = {
        "journals": [str(file) for file in files],
        "rulebooks": tally.rulebooks,
        "deals": tally.statistics.deals,
        "left_out": tally.left_out,
        **counts(tally.statistics),
    }
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
        return
    books = " ".join(tally.rulebooks) or "no match"
    print_counts(f"{books}: {document['deals']} deals, {tally.left_out} left out that plays did not end", document)
