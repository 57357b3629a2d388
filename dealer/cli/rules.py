"""`dealer rules`: list and show rulebooks, check case files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from dealer.errors import BadInput
from engine.case_reader import BadCase
from engine.cases import CaseResult, Verdict, check_case
from engine.rulebook import UnknownRulebook
from engine.rulebook_data import known_rulebooks, load_rulebook

app = typer.Typer(help="Rulebooks: list, show, check case files.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_rulebooks() -> None:
    """List the rulebooks that this version knows."""
    for name in known_rulebooks():
        book = load_rulebook(name)
        print(f"{book.id}\t{book.title_en}\t{book.title_zh}")


@app.command("show")
def show(rulebook: Annotated[str, typer.Argument(help="rulebook id")]) -> None:
    """Show every point of a rulebook, with its hash."""
    try:
        book = load_rulebook(rulebook)
    except UnknownRulebook as error:
        raise BadInput(str(error)) from error
    print(json.dumps(book.to_json(), ensure_ascii=False, indent=2))


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="cases, one JSON object a line")],
    topic: Annotated[str | None, typer.Option(help="only cases of this topic")] = None,
    rulebook: Annotated[str | None, typer.Option(help="only cases of this rulebook")] = None,
) -> None:
    """Check the rules engine against a file of cases. Prints one FAIL line a miss; exit 1 on a miss."""
    cases = [case for case in _read_cases(file) if _wanted(case, topic, rulebook)]
    if not cases:
        raise BadInput(f"{file}: no case with topic {topic or 'any'} and rulebook {rulebook or 'any'}; leave one out")
    try:
        results = [check_case(case) for case in cases]
    except BadCase as error:
        raise BadInput(f"{file}: {error}") from error
    _print_misses(results)
    tally = Counter(result.verdict for result in results)
    print(f"{tally[Verdict.PASSED]} passed, {tally[Verdict.FAILED]} failed, {tally[Verdict.SKIPPED]} skipped")
    if tally[Verdict.FAILED]:
        raise typer.Exit(1)


def _print_misses(results: list[CaseResult]) -> None:
    for result in results:
        if result.verdict is Verdict.FAILED:
            expected = json.dumps(result.expected, ensure_ascii=False)
            got = json.dumps(result.got, ensure_ascii=False)
            print(f"FAIL {result.id}: expected {expected} got {got}")


def _wanted(case: dict[str, Any], topic: str | None, rulebook: str | None) -> bool:  # a parsed JSON object
    return (topic is None or case.get("topic") == topic) and (rulebook is None or case.get("rulebook") == rulebook)


def _read_cases(file: Path) -> list[dict[str, Any]]:  # parsed JSON objects
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise BadInput(f"{file}: cannot be read ({reason}); give a file with one JSON object a line") from error
    cases = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadInput(f"{file} line {number}: not JSON ({error.msg}); mend the line") from error
        if not isinstance(case, dict):
            raise BadInput(f"{file} line {number}: not a JSON object; mend the line")
        cases.append(case)
    if not cases:
        raise BadInput(f"{file}: holds no case; give a file with one JSON object a line")
    return cases
