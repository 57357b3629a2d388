"""What to propose to a referee: from a finding, or an infraction, to penalty, correction and source.

Source: RULEBOOKS section 5 and the last column of section 6. The engine proposes; a person rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from engine.infraction_table import Measure
from engine.infractions import Sanction, sanction, suggestion
from engine.ladder import Counters, Penalty, StopExtent, give
from engine.restriction import o2_sanction
from engine.rulebook import Rulebook
from engine.timing import judge_lateness, overtime_penalty


class DrawState(StrEnum):
    """How far a card went that was drawn out of turn."""

    RETURNED_UNSEEN = "returned_unseen"
    CARD_SEEN = "card_seen"
    IN_HAND = "in_hand"


_DRAW: Final = {DrawState.RETURNED_UNSEEN: "I1", DrawState.CARD_SEEN: "I2", DrawState.IN_HAND: "I3"}
EXCHANGE: Final = frozenset({"tribute_wrong_card", "return_wrong_card", "tribute_pairing"})
"""Findings on tribute and return, whose infraction depends on whether play has begun."""

_MERELY_WARNED: Final = frozenset({"report_wrong_count", "report_card_removed", "exposed_card"})
"""Findings that are milder than the infraction they come nearest to: a report was made, one card is not the hand."""


def draw_infraction(state: DrawState) -> str:
    """The infraction of drawing out of turn: the dearer the further the card went (I1 to I3)."""
    return _DRAW[state]


def exchange_infraction(play_started: bool) -> str:
    """The infraction of a wrong tribute or return: it turns grave once play has begun (I7, I8)."""
    return "I8" if play_started else "I7"


INFRACTION: Final[Mapping[str, str]] = MappingProxyType(
    {
        "deck_count": "I6",
        "hand_count": "I5",
        "first_leader": "I9",
        "leader_wrong": "I9",
        "turn_order": "I9",
        "shuffle_cut_manner": "I25",
        "tribute_late": "I21",
        "return_late": "I21",
        "lead_late": "I21",
        "play_late": "I21",
        "not_a_combination": "I11",
        "not_higher": "I11",
        "too_many_cards": "I11",
        "undeclared_wild": "I28",
        "card_not_in_hand": "I18",
        "hand_below_table": "I18",
        "split_play": "I10",
        "bad_arrangement": "I10",
        "outside_zone": "I10",
        "discard_touched": "I16",
        "exposed_card": "I19",
        "report_missing": "I12",
        "report_wrong_count": "I12",
        "report_card_removed": "I12",
        "report_repeat": "I13",
        "report_volunteered": "I14",
        "pass_form": "I15",
        "late_arrival": "I22",
        "illegal_signal": "I17",
        "substitution": "I20",
        "disturbance": "I26",
        "withdrawal": "I23",
    }
)
"""The infraction that a finding reports, by the finding's name. A finding that stands here under no name, such as
`finish_order` or `needs_declaration`, reports none; of `borrowed_wind` section 6 says only that it is taken back."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the referee's console may offer on one irregularity.

    sanction: None where the finding reports no infraction. counters: those of the offending side after the penalty;
    reached: penalties that the ladder adds to it. Both are empty under a rulebook without a full ladder.
    stops: how long the offender may be stopped from playing, None: not at all (X-6; who waives it: `ladder.stop`).
    """

    finding: str
    sanction: Sanction | None
    counters: Counters | None = None
    reached: tuple[Penalty, ...] = ()
    stops: StopExtent | None = None

    @property
    def penalty(self) -> Penalty | None:
        """The penalty to suggest; None: none."""
        return self.sanction.measure.penalty if self.sanction is not None else None

    @property
    def heaviest(self) -> Penalty | None:
        """The penalty to suggest with what the ladder makes of it."""
        return self.reached[-1] if self.reached else self.penalty


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What tells infractions apart that share a finding."""

    play_started: bool = False
    """Whether play had begun when a wrong tribute or return was found."""
    draw_state: DrawState = DrawState.RETURNED_UNSEEN
    minutes_late: float = 0.0
    hand_shown: bool = False
    """More than one card was shown: the hand."""
    machine_at_fault: bool = False
    """A wrong number of cards came from the dealing machine, which is nobody's offence."""


USUAL: Final = Circumstances()


def proposal(
    finding: str,
    rulebook: Rulebook,
    occurrence: int = 1,
    counters: Counters | None = None,
    about: Circumstances = USUAL,
) -> Proposal:
    """What to propose on a finding under a rulebook.

    occurrence: see `infractions.occurrence`. counters: of the side in this round before it, where the ladder is kept.
    A finding that reports no infraction gets an empty proposal.
    """
    infraction = infraction_of(finding, about)
    if infraction is None:
        return Proposal(finding, None)
    merely_warned = finding in _MERELY_WARNED and not (finding == "exposed_card" and about.hand_shown)
    found = suggestion(infraction) if merely_warned else sanction(rulebook.published, infraction, occurrence)
    if infraction == "I22" and found.printed:
        found = replace(found, measure=Measure(judge_lateness(about.minutes_late, rulebook).penalty))
    if infraction == "I21" and rulebook.overtime is not None:
        found = _own_overtime(found, rulebook, occurrence)
    found = o2_sanction(found, finding, rulebook)
    if about.machine_at_fault:
        found = replace(found, measure=Measure())
    penalty = found.measure.penalty
    if counters is None or rulebook.ladder != "full" or penalty is None or found.counts_itself:
        return Proposal(finding, found, stops=_stops(found.measure, penalty, rulebook))
    rise = give(counters, penalty)
    heaviest = rise.reached[-1] if rise.reached else penalty
    return Proposal(finding, found, rise.counters, rise.reached, _stops(found.measure, heaviest, rulebook))


def _own_overtime(found: Sanction, rulebook: Rulebook, occurrence: int) -> Sanction:
    """The rulebook's own list, which says where it stands and counts further occurrences by itself (X-4)."""
    origin = rulebook.origin("overtime")
    return replace(
        found,
        measure=Measure(overtime_penalty(rulebook, occurrence)),
        counts_itself=rulebook.overtime is not None and len(rulebook.overtime) > 1,
        printed=True,
        source=origin.source,
        inherited_from=origin.inherited_from,
    )


def _stops(measure: Measure, heaviest: Penalty | None, rulebook: Rulebook) -> StopExtent | None:
    """A printed whole trick, or the single turn that a violation means where the ladder's words have a meaning."""
    if measure.stops_one_trick:
        return StopExtent.TRICK
    return StopExtent.TURN if heaviest is Penalty.VIOLATION and rulebook.ladder != "none" else None


def infraction_of(finding: str, about: Circumstances = USUAL) -> str | None:
    """Number of the infraction that a finding reports; None where it reports none."""
    if finding == "draw_out_of_turn":
        return draw_infraction(about.draw_state)
    if finding in EXCHANGE:
        return exchange_infraction(about.play_started)
    if finding == "hand_count" and about.machine_at_fault:
        return "I4"  # the machine's own wrong deal
    return INFRACTION.get(finding)
