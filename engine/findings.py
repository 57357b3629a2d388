"""Findings: what the rules say of a fact, and the catalogue of their kinds.

Names and severities: RULEBOOKS section 6. The engine never punishes: a person rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.cards import Seat
from engine.catalogue_conduct import CONDUCT
from engine.catalogue_dealing import DEALING
from engine.catalogue_order import ORDER
from engine.catalogue_play import PLAY
from engine.catalogue_tribute import TRIBUTE
from engine.kind import Input, Kind, Severity

__all__ = ["CATALOGUE", "Finding", "Input", "Kind", "Severity"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The engine's judgement on one fact. `detail` holds short English words, never cards of a hand."""

    name: str
    seat: Seat | None
    record: int
    """Journal number of the fact that is judged."""
    detail: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> Kind:
        return CATALOGUE[self.name]


CATALOGUE: Final[Mapping[str, Kind]] = MappingProxyType(
    {kind.name: kind for kind in (*DEALING, *PLAY, *ORDER, *TRIBUTE, *CONDUCT)}
)
"""Every kind of finding by name, in the order of the codes."""
