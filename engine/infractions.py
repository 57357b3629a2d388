"""Infractions I1 to I28: what each rulebook says of them. Source: RULEBOOKS section 5, inheritance by G-1.

The table itself is `engine.infraction_table`; here stands what a line of it means and how silence is filled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.cards import Pair
from engine.infraction_table import ALL_BOOKS, DOCUMENTS, LINES, TITLES, Line, Measure, Offence
from engine.ladder import Penalty
from engine.rulebook import UnknownRulebook

SUGGESTED: Final = "RULEBOOKS section 5: no figure is printed, so a warning is suggested"
"""The source of a proposal that rests on no text."""

_PARENTS: Final = {
    "jiangsu-simple": ("competitive-2022", "national-2017"),
    "competitive-2022": ("jiangsu-simple", "national-2017"),
}
"""Where a rulebook that is silent on an offence looks, in order (G-1). The others have only their own lines."""


class UnknownInfraction(ValueError):
    """A number that is not in the table."""

    def __init__(self, value: object) -> None:
        super().__init__(f"{value!r} is not an infraction; write one of {' '.join(TITLES)}")


@dataclass(frozen=True, slots=True)
class Sanction:
    """What one rulebook says of one infraction at one occurrence.

    counts_itself: further occurrences have measures of their own, so the ladder does not count them too.
    printed: a text gives the figure; False: the warning is a suggestion that the referee may well leave.
    inherited_from: id of the rulebook whose text it is, None if it is the rulebook's own.
    """

    infraction: str
    measure: Measure
    counts_itself: bool
    printed: bool
    correction: str
    source: str
    inherited_from: str | None

    @property
    def offence(self) -> Offence:
        """Titles and usual correction of the infraction."""
        return TITLES[self.infraction]


def sanction(rulebook: str, infraction: str, occurrence: int = 1) -> Sanction:
    """What `rulebook` says of the `occurrence`-th such infraction; the last measure goes for all further ones.

    `rulebook`: a published id, `Rulebook.published`. See `occurrence` for the count.
    Raises UnknownRulebook and UnknownInfraction.
    """
    if infraction not in TITLES:
        raise UnknownInfraction(infraction)
    book = rulebook.partition("/")[0]
    if book not in ALL_BOOKS:
        raise UnknownRulebook(rulebook, ALL_BOOKS)
    for owner in (book, *parents(book)):
        line = LINES.get((owner, infraction))
        if line is not None:
            return _read(line, infraction, owner, book, occurrence)
    return suggestion(infraction, _unless("core", book))


def parents(rulebook: str) -> tuple[str, ...]:
    """Rulebooks in which an infraction is sought that `rulebook` is silent on, in order (G-1)."""
    return _PARENTS.get(rulebook.partition("/")[0], ())


def suggestion(infraction: str, inherited_from: str | None = "core") -> Sanction:
    """What to suggest where no text prints a figure: a warning, marked as not printed."""
    warning, usual = Measure(Penalty.WARNING), TITLES[infraction].correction
    return Sanction(infraction, warning, False, False, usual, SUGGESTED, inherited_from)


@dataclass(frozen=True, slots=True)
class Incident:
    """An infraction that was ruled on, in game number `game`."""

    infraction: str
    pair: Pair
    game: int


def occurrence(ruled: Iterable[Incident], now: Incident) -> int:
    """How often a pair has committed an infraction in a game, `now` included.

    `ruled`: the incidents whose rulings stand, `now` not among them. Pair and game are what `national-2017` counts by
    (X-1); texts that only say "again" or "the third time" name no other unit.
    """
    return 1 + sum(incident == now for incident in ruled)


def _read(line: Line, infraction: str, owner: str, book: str, occurrence: int) -> Sanction:
    return Sanction(
        infraction=infraction,
        measure=line.measures[min(max(occurrence, 1), len(line.measures)) - 1],
        counts_itself=len(line.measures) > 1,
        printed=line.printed,
        correction=line.correction or TITLES[infraction].correction,
        source=f"{DOCUMENTS[line.meaning_from or owner]}; RULEBOOKS section 5, {infraction} ({line.place})",
        inherited_from=_unless(line.meaning_from or owner, book),
    )


def _unless(owner: str, book: str) -> str | None:
    return owner if owner != book else None
