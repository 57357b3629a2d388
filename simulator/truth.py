"""The simulator's own account of what happened: one JSON object a line, written before anything else is done.

{"kind": "deal", ...}, {"kind": "play", ...}, {"kind": "pass", ...}, {"kind": "taken_back", ...},
{"kind": "finish", ...}, {"kind": "expected", ...}, {"kind": "done"}. A taken-back play is named by its place among the
plays and passes of its deal, counted from 0.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from engine.cards import Card, Rank, Seat, card_texts
from engine.combos import Reading
from engine.findings import CATALOGUE

Line = Mapping[str, object]


class Account(Protocol):
    """Takes the lines. A port: a file in a run, a list in a test."""

    async def write(self, line: Line) -> None: ...


class AccountFile:
    """Lines in a file, each on disk for other programs when `write` returns. An old file is begun anew."""

    def __init__(self, path: Path) -> None:
        """Raises OSError if the file cannot be written."""
        self._file = path.open("w", encoding="utf-8")

    async def write(self, line: Line) -> None:
        await asyncio.to_thread(self._write, json.dumps(line, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()

    def _write(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()


class NoAccount:
    """For a table of which nobody keeps an account."""

    async def write(self, line: Line) -> None:
        pass


def deal_line(deal: int, level: Rank, leader: Seat, hands: Mapping[Seat, Sequence[Card]]) -> Line:
    """A deal begins to be played; `hands` as they were dealt."""
    return {
        "kind": "deal",
        "deal": deal,
        "level": level.text,
        "leader": leader.value,
        "hands": {seat.value: card_texts(sorted(hands[seat])) for seat in Seat},
    }


def play_line(deal: int, seat: Seat, cards: Sequence[Card], reading: Reading | None, laid_mono_ns: int) -> Line:
    """Cards lie, left to right, and the hand has left. `reading` is what is meant; None where it can mean nothing."""
    return {
        "kind": "play",
        "deal": deal,
        "seat": seat.value,
        "cards": card_texts(cards),
        "reading": reading.to_json() if reading is not None else None,
        "laid_mono_ns": laid_mono_ns,
    }


def pass_line(deal: int, seat: Seat, laid_mono_ns: int) -> Line:
    """The PASS card lies."""
    return {"kind": "pass", "deal": deal, "seat": seat.value, "laid_mono_ns": laid_mono_ns}


def taken_back_line(deal: int, play: int) -> Line:
    """The cards of play number `play` of the deal are back in the hand."""
    return {"kind": "taken_back", "deal": deal, "play": play}


def expected_line(name: str, seat: Seat, deal: int) -> Line:
    """A violation has been staged that has to be found. Raises KeyError for a name that no finding has."""
    severity = CATALOGUE[name].severity.value
    return {"kind": "expected", "name": name, "severity": severity, "seat": seat.value, "deal": deal}


def finish_line(deal: int, finish: Sequence[Seat]) -> Line:
    """A deal is over: places in order, two after a double-down."""
    return {"kind": "finish", "deal": deal, "finish": [seat.value for seat in finish]}


DONE: Line = {"kind": "done"}
"""All deals have been played."""
