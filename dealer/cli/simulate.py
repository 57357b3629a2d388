"""`dealer simulate`: many deals without machine and camera, their statistics beside those of the strategy guide."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Annotated

import typer

from dealer.cli.counts import Document, counts, print_counts
from dealer.errors import BadInput
from dealer.regulation import rulebook_of
from engine.cards import Pair
from engine.rulebook import Rulebook
from engine.rulebook_data import DEFAULT
from engine.statistics import Statistics
from simulator.evening import play_deals
from simulator.maxims import ALL_MAXIMS, Maxim

MOST_DEALS = 1_000_000


def simulate(
    deals: Annotated[int, typer.Option(help="deals to play", min=1, max=MOST_DEALS)],
    seed: Annotated[int | None, typer.Option(help="the same seed plays the same deals; drawn if not given")] = None,
    rulebook: Annotated[str, typer.Option(metavar="ID|FILE", help="rulebook id, or file of a regulation")] = DEFAULT,
    maxims: Annotated[bool, typer.Option("--maxims", help="play each maxim against players who ignore it")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
    report: Annotated[Path | None, typer.Option(help="write the JSON document to this file")] = None,
) -> None:
    """Play deals in virtual time and print statistics of play beside the guide's. Exit 1 if a rule was broken."""
    book = rulebook_of(rulebook)
    if report is not None and not report.parent.is_dir():
        raise BadInput(f"--report {report}: there is no folder {report.parent}; make it first")
    drawn = secrets.randbelow(1_000_000) if seed is None else seed
    document = _weigh_maxims(deals, drawn, book) if maxims else _count(deals, drawn, book)
    if report is not None:
        try:
            report.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise BadInput(f"--report {report}: {error.strerror}; choose another place") from error
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
    elif maxims:
        _print_maxims(document)
    else:
        found = f"{document['violations']} violations"
        print_counts(f"seed {document['seed']}, {document['deals']} deals, {found}", document)
    if document.get("violations"):
        raise typer.Exit(1)


def _count(deals: int, seed: int, book: Rulebook) -> Document:
    statistics, faults = Statistics(), []
    for deal in play_deals(deals, seed, book):
        if deal.fault is None:
            statistics.add(deal.level, deal.acts, deal.finish)
        else:
            faults.append(deal.fault)
    return {
        "seed": seed,
        "rulebook": book.id,
        "deals": deals,
        **counts(statistics),
        "violations": len(faults),
        "faults": faults[:10],
    }


def _weigh_maxims(deals: int, seed: int, book: Rulebook) -> Document:
    """Share of deals whose first sits EW, once for each maxim that EW keep and NS do not; the same hands each time."""
    weighed: Document = {}
    for name, ignored in (("none", frozenset[Maxim]()), *((maxim.value, frozenset({maxim})) for maxim in Maxim)):
        sides = {Pair.EW: ALL_MAXIMS, Pair.NS: ALL_MAXIMS - ignored}
        played = [deal for deal in play_deals(deals, seed, book, sides) if deal.finish]
        won = sum(deal.finish[0].pair is Pair.EW for deal in played)
        weighed[name] = {"deals": len(played), "won_percent": round(100 * won / max(1, len(played)), 2)}
    return {"seed": seed, "rulebook": book.id, "deals": deals, "maxims": weighed}


def _print_maxims(document: Document) -> None:
    print(f"seed {document['seed']}, {document['deals']} deals: share won by the pair that keeps the maxim alone")
    for name, figure in document["maxims"].items():
        print(f"{name:<20} {figure['won_percent']:6.2f} %")
