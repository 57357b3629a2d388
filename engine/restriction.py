"""Tournament penalties beside the published texts: who may not act after a fault. Source: RULEBOOKS section 10, O2.

They come from an unofficial page, so they hold only where a rulebook's switch `penalties_o2` is on; every function here
gives nothing, or what it was given, while it is off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from engine.cards import Seat
from engine.combos import Type
from engine.infraction_table import Measure
from engine.infractions import Sanction
from engine.ladder import Penalty
from engine.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a fault takes from players, beside its penalty.

    barred: they neither lead nor follow for the rest of the trick, but pass.
    may_not_lead: the type that `partner` may not lead in the next trick, if it is he who leads it.
    void_hand: his hand does not count, and he is last in this deal.
    """

    barred: frozenset[Seat] = frozenset()
    partner: Seat | None = None
    may_not_lead: Type | None = None
    void_hand: Seat | None = None

    def may_act(self, seat: Seat) -> bool:
        """Whether `seat` may play in this trick."""
        return seat not in self.barred and seat is not self.void_hand

    def may_lead_next(self, seat: Seat, lead: Type) -> bool:
        """Whether `seat` may lead the next trick with a combination of type `lead`."""
        return seat is not self.void_hand and (seat is not self.partner or lead is not self.may_not_lead)


FREE: Final = Restriction()
"""Nobody is restricted."""


def after_play_out_of_turn(offender: Seat, laid: Type | None, rulebook: Rulebook) -> Restriction:
    """A play out of turn is taken back; the offender may not play for the rest of the trick.

    `laid`: what he laid, None if it was no combination; his partner may not lead that type next.
    """
    if not rulebook.penalties_o2:
        return FREE
    return Restriction(frozenset({offender}), offender.partner if laid is not None else None, laid)


def after_pass_out_of_turn(offender: Seat, rulebook: Rulebook) -> Restriction:
    """A pass out of turn bars the offender and his partner from following in this trick."""
    return Restriction(frozenset({offender, offender.partner})) if rulebook.penalties_o2 else FREE


def after_wrong_tribute(payer: Seat, play_started: bool, rulebook: Rulebook) -> Restriction:
    """A wrong tribute that is found after play began makes the payer's hand void."""
    return Restriction(void_hand=payer) if rulebook.penalties_o2 and play_started else FREE


_WARNING: Final = Measure(Penalty.WARNING)
_MEASURES: Final[Mapping[tuple[str, str], Measure]] = MappingProxyType(
    {
        ("draw_out_of_turn", "I1"): Measure(),
        ("draw_out_of_turn", "I2"): _WARNING,
        ("draw_out_of_turn", "I3"): _WARNING,
        ("return_wrong_card", "I7"): _WARNING,
        ("tribute_wrong_card", "I8"): Measure(),
        ("report_repeat", "I13"): _WARNING,
    }
)
"""By finding and infraction. A card in the hand is a warning or a violation: the milder one is suggested. A wrong
tribute after play began costs the hand and nothing besides."""


def o2_sanction(found: Sanction, finding: str, rulebook: Rulebook) -> Sanction:
    """What to propose on a finding in place of `found`, which stays where the page says nothing."""
    measure = _MEASURES.get((finding, found.infraction))
    if not rulebook.penalties_o2 or measure is None:
        return found
    source = f"{rulebook.origin('penalties_o2').source}; RULEBOOKS section 10, O2"
    return replace(found, measure=measure, counts_itself=False, printed=True, source=source, inherited_from=None)
