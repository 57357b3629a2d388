"""What to suggest on a finding under a rulebook, in words: penalty and correction, Chinese and English.

Source: RULEBOOKS section 5 and the last column of section 6. What is suggested is `engine.proposals`' business; here it
gets its words. A person rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.findings import CATALOGUE, Kind, Severity
from engine.infraction_table import CORRECTIONS, Measure
from engine.infractions import Sanction
from engine.ladder import Penalty
from engine.penalty_text import (
    BARRED_FOR_TRICK,
    CHIEF_REFEREE_DECIDES,
    NO_PENALTY,
    REFEREE_DECIDES,
    PenaltyText,
    words,
)
from engine.proposals import EXCHANGE, USUAL, Circumstances, proposal
from engine.rulebook import Rulebook

Words = tuple[str, str]  # English, Chinese

_NO_OFFENCE: Final[Mapping[str, Words]] = MappingProxyType(
    {
        "needs_declaration": ("none; ask the player", "不罚；询问牌手"),
        "penalty_escalation": ("the penalty that the counters have reached", "按累计所达的处罚"),
    }
)
"""What is suggested on findings that report no infraction, where that is more than nothing."""

_PROVISOS: Final[Mapping[str, Words]] = MappingProxyType(
    {
        "hand_count": ("none if the machine misdealt", "若系机器发错则不罚"),
        "undeclared_wild": ("only after a first reminder", "先提醒一次，再犯方罚"),
    }
)
"""What a penalty depends on that its finding cannot tell."""


class UnknownFinding(ValueError):
    """A name that no finding has."""

    def __init__(self, value: object) -> None:
        super().__init__(f"{value!r} is no finding; write one of {' '.join(CATALOGUE)}")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a referee's screen may offer on one finding.

    infraction: its number; None where the finding reports none.
    penalty: None where none is suggested, or where the measure is none of the ladder's (levels for the other side ...).
    printed: a text gives the figure; False: there is none, or a warning is suggested for want of one.
    inherited_from: id of the rulebook that the penalty was taken from, None if it is its own or there is none (G-1).
    source: document and place of the penalty; the finding's own article where it reports no infraction.
    """

    infraction: str | None
    penalty: Penalty | None
    penalty_en: str
    penalty_zh: str
    correction_en: str
    correction_zh: str
    printed: bool
    source: str
    inherited_from: str | None


def suggested(name: str, rulebook: Rulebook, occurrence: int = 1, about: Circumstances = USUAL) -> Suggestion:
    """What to suggest on the finding `name` under a rulebook.

    occurrence: see `infractions.occurrence`. about: what the finding cannot know, the mildest if left out.
    Raises UnknownFinding.
    """
    kind = CATALOGUE.get(name)
    if kind is None:
        raise UnknownFinding(name)
    found = proposal(name, rulebook, occurrence, about=about).sanction
    if found is None:
        penalty_en, penalty_zh = _NO_OFFENCE.get(name, (NO_PENALTY.title_en, NO_PENALTY.title_zh))
    else:
        penalty_en, penalty_zh = _penalty(kind, found, _restriction(name, rulebook))
    correction_en, correction_zh = _correction(kind, found)
    return Suggestion(
        infraction=None if found is None else found.infraction,
        penalty=None if found is None else found.measure.penalty,
        penalty_en=penalty_en[0].upper() + penalty_en[1:],
        penalty_zh=penalty_zh,
        correction_en=correction_en,
        correction_zh=correction_zh,
        printed=found is not None and found.printed,
        source=kind.article if found is None else found.source,
        inherited_from=None if found is None else found.inherited_from,
    )


def _penalty(kind: Kind, found: Sanction, restriction: PenaltyText | None) -> Words:
    """The measure, with what a referee has to settle before he gives it, and what players may no longer do."""
    english, chinese = words(found.measure)
    beside = [] if restriction is None else [(restriction.title_en, restriction.title_zh)]
    if found.measure == Measure():
        return beside[0] if beside else (english, chinese)
    if kind.severity is Severity.CRITICAL and not kind.by_person:
        text = CHIEF_REFEREE_DECIDES
        english, chinese = f"{text.title_en}: {english}", f"{text.title_zh}：{chinese}"
    if kind.name in _PROVISOS:
        beside.append(_PROVISOS[kind.name])
    if kind.name in EXCHANGE and not found.printed:
        beside.append((REFEREE_DECIDES.title_en, REFEREE_DECIDES.title_zh))
    return "; ".join([english, *(en for en, _ in beside)]), "；".join([chinese, *(zh for _, zh in beside)])


def _restriction(name: str, rulebook: Rulebook) -> PenaltyText | None:
    """What the unofficial penalties take from players (`engine.restriction`), where the rulebook has them on."""
    return BARRED_FOR_TRICK if rulebook.penalties_o2 and name == "turn_order" else None


def _correction(kind: Kind, found: Sanction | None) -> Words:
    """The finding's own words, unless the rulebook prints another correction of the infraction."""
    if found is None or found.correction == found.offence.correction:
        return kind.correction, kind.correction_zh
    return CORRECTIONS[found.correction]
