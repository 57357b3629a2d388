"""`dealer rules`: list, show and compare rulebooks, begin a regulation, check case files, ask about a position."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from dealer.cli.ask import ask
from dealer.errors import BadInput
from dealer.regulation import as_toml, is_regulation_path, rulebook_of, write_template
from dealer.text_file import read_text
from engine.case_reader import BadCase, parse_case
from engine.cases import CaseResult, Verdict, check_case
from engine.rulebook import Rulebook, UnknownRulebook
from engine.rulebook_data import known_rulebooks, load_rulebook, stages_of

MOST_BYTES: Final = 64 * 1024 * 1024
"""A file of cases."""

app = typer.Typer(
    help="Rulebooks and regulations: list, show, new, diff, check, ask.", no_args_is_help=True, rich_markup_mode=None
)
app.command("ask")(ask)


@app.command("list")
def list_rulebooks() -> None:
    """List the rulebooks that this version knows."""
    for name in known_rulebooks():
        book = load_rulebook(name)
        print(f"{book.id}\t{book.title_en}\t{book.title_zh}")


@app.command("show")
def show(
    rulebook: Annotated[str, typer.Argument(metavar="ID|FILE", help="rulebook id, or file of a regulation")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
) -> None:
    """Show every point of a rulebook or regulation, with its source, and the hash."""
    book = rulebook_of(rulebook)
    if as_json:
        print(json.dumps(book.to_json(), ensure_ascii=False, indent=2))
    else:
        _print_book(book)


@app.command("new")
def new(
    file: Annotated[Path, typer.Argument(help="file to write, as spring-cup.toml")],
    extends: Annotated[str, typer.Option(metavar="ID", help="published rulebook that the regulation extends")],
) -> None:
    """Write a regulation for an event that changes nothing yet, with every point in a comment."""
    book = write_template(file, extends)
    print(f"{file}: regulation {book.id}, extends {book.published}")


@app.command("diff")
def diff(
    first: Annotated[str, typer.Argument(metavar="ID|FILE", help="rulebook id, or file of a regulation")],
    second: Annotated[str, typer.Argument(metavar="ID|FILE", help="the other one")],
) -> None:
    """Show the points in which two rulebooks or regulations differ, each with both sources."""
    one, other = rulebook_of(first), rulebook_of(second)
    before, after = one.points(), other.points()
    points = [point for point in before if before[point] != after[point]]
    for point in points:
        print(f"{point}: {as_toml(one, point)} -> {as_toml(other, point)}")
        for book in (one, other):
            print(f"  {book.id}: {_source(book, point)}")
    if not points:
        print(f"{one.id} and {other.id} differ in no point")


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="cases, one JSON object a line")],
    topic: Annotated[str | None, typer.Option(help="only cases of this topic")] = None,
    rulebook: Annotated[
        str | None, typer.Option(metavar="ID|FILE", help="only cases of this rulebook; of a regulation: under it")
    ] = None,
) -> None:
    """Check the rules engine against a file of cases. Prints one FAIL line a miss; exit 1 on a miss."""
    regulation = _regulation(rulebook)
    name = rulebook if regulation is None else regulation.id
    cases = [case for case in _read_cases(file) if _wanted(case, topic, name)]
    if not cases:
        raise BadInput(f"{file}: no case with topic {topic or 'any'} and rulebook {name or 'any'}; leave one out")
    try:
        results = [check_case(case, regulation) for case in cases]
    except BadCase as error:
        raise BadInput(f"{file}: {error}") from error
    _print_misses(results)
    tally = Counter(result.verdict for result in results)
    print(f"{tally[Verdict.PASSED]} passed, {tally[Verdict.FAILED]} failed, {tally[Verdict.SKIPPED]} skipped")
    if tally[Verdict.FAILED]:
        raise typer.Exit(1)


def _regulation(rulebook: str | None) -> Rulebook | None:
    """The regulation that `--rulebook` names, None for a published rulebook or nothing. Raises BadInput."""
    if rulebook is None:
        return None
    if is_regulation_path(rulebook):
        return rulebook_of(rulebook)
    try:
        stages_of(rulebook)
    except UnknownRulebook as error:
        raise BadInput(f"--rulebook: {error}", "or give the path of a regulation, as event.toml") from error
    return None


def _print_book(book: Rulebook) -> None:
    print(f"{book.id}\t{book.title_en}\t{book.title_zh}")
    print(f"source\t{book.source}")
    print(f"hash\t{book.hash}")
    overrides = {}
    if book.regulation is not None:
        print(f"extends\t{book.regulation.extends}")
        overrides = {override.point: override for override in book.regulation.overrides}
    print()
    width = max(map(len, book.points()))
    for point in book.points():
        print(f"{point:<{width}}  {as_toml(book, point)}")
        print(f"{'':<{width}}  source: {_source(book, point)}")
        if override := overrides.get(point):
            was = as_toml(load_rulebook(book.published), point)
            print(f"{'':<{width}}  overrides {was}; approved by {_line(override.approver)}")
            print(f"{'':<{width}}  {_line(override.text_en)}")


def _source(book: Rulebook, point: str) -> str:
    origin = book.origin(point)
    inherited = f" (inherited_from {origin.inherited_from})" if origin.inherited_from is not None else ""
    return _line(origin.source) + inherited


def _line(text: str) -> str:
    return " ".join(text.split())


def _print_misses(results: list[CaseResult]) -> None:
    for result in results:
        if result.verdict is Verdict.FAILED:
            expected = json.dumps(result.expected, ensure_ascii=False)
            got = json.dumps(result.got, ensure_ascii=False)
            name = result.id if result.id.isprintable() else json.dumps(result.id)  # a miss is one line
            print(f"FAIL {name}: expected {expected} got {got}")


def _wanted(case: Mapping[str, Any], topic: str | None, rulebook: str | None) -> bool:  # a parsed JSON object
    return (topic is None or case.get("topic") == topic) and (rulebook is None or case.get("rulebook") == rulebook)


def _read_cases(file: Path) -> list[Mapping[str, Any]]:  # parsed JSON objects
    lines = read_text(file, MOST_BYTES, "give a file with one JSON object a line").split("\n")
    cases = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            cases.append(parse_case(line))
        except BadCase as error:
            raise BadInput(f"{file} line {number}: {error.wrong}", "mend the line") from error
    if not cases:
        raise BadInput(f"{file}: holds no case; give a file with one JSON object a line")
    return cases
