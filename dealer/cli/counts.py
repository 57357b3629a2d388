"""Statistics of play as a JSON document and as a table: those of a simulation and those of a journal look alike."""

from __future__ import annotations

from typing import Any

from engine.statistics import GUIDE, GUIDE_SHARE_PERCENT, Statistics

Document = dict[str, Any]  # a JSON object


def counts(statistics: Statistics) -> Document:
    """The statistics; `guide` has what the strategy guide says of the same."""
    figures = statistics.figures()
    return {
        "plays_per_deal": {"mean": figures.get("plays_per_deal", 0.0)},
        "share_percent": statistics.share_percent(),
        "figures": figures,
        "guide": {"share_percent": dict(GUIDE_SHARE_PERCENT), "figures": dict(GUIDE)},
    }


def print_counts(headline: str, document: Document) -> None:
    """Print a headline, then each figure beside that of the guide."""
    print(headline)
    print(f"{'':<36} {'here':>8} {'guide':>8}")
    for part in ("share_percent", "figures"):
        for name, value in document[part].items():
            label = f"{name}, % of plays" if part == "share_percent" else name.replace("_", " ")
            print(f"{label:<36} {value:>8} {document['guide'][part][name]:>8}")
