"""A rulebook: the points in which published rules differ, as one checked value.

Source: RULEBOOKS section 12; a point that a text leaves open comes from another rulebook (G-1). To add a point: a field
here, a value with its source in `rulebooks/core.toml`, a line in docs/rules.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Final

from engine.cards import Card, Level, Rank, Seat
from engine.ladder import Penalty
from engine.passing import PASS_RULES
from engine.ranking import Criterion
from engine.rulebook_points import (
    BadPoint,
    Group,
    Point,
    allowance,
    as_plain,
    at_least_one,
    count_of_hand,
    criteria,
    duration,
    first_or_second,
    flag,
    level,
    match_points,
    one_of,
    partner_places,
    penalties,
    point,
    rank,
    redrawn,
    regulated,
    shown,
    texts,
    two_numbers,
    whole,
)

Plain = Mapping[str, object]  # a table as a TOML or JSON reader gives it


class UnknownRulebook(ValueError):
    """An id that names no rulebook."""

    def __init__(self, value: object, known: Iterable[str]) -> None:
        super().__init__(f"{value!r} is not a rulebook; choose one of {' '.join(known)}")


class BadRulebook(ValueError):
    """A rulebook's content that cannot be used. `wrong` names the key; `remedy` is the one next step."""

    def __init__(self, rulebook: object, wrong: str, remedy: str = "mend it, or leave it out") -> None:
        super().__init__(f"rulebook {shown(rulebook)}: {wrong}; {remedy}")
        self.wrong = wrong
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Steps:
    """Levels that the side of first gains, by the place of his partner. Source: RULEBOOKS 3.5."""

    second: int = 3
    third: int = 2
    last: int = 1

    def for_place(self, place: int) -> int:
        """Levels gained when the partner finishes at `place` (2, 3 or 4)."""
        return {2: self.second, 3: self.third}.get(place, self.last)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the value of a point stands: document and place in it, or the decision that settles it.

    inherited_from: id of the rulebook whose file gives the value, None if it is the rulebook's own (G-1).
    """

    point: str
    source: str
    inherited_from: str | None


@dataclass(frozen=True, slots=True)
class Override:
    """A point that an event settles for itself: what its regulation says, and who approved it."""

    point: str
    text_zh: str
    text_en: str
    approver: str


@dataclass(frozen=True, slots=True)
class Regulation:
    """What makes a rulebook an event's own: id of the published rulebook under it, and the points that it changes."""

    extends: str
    overrides: tuple[Override, ...] = ()


def is_play_order(order: tuple[Seat, ...]) -> bool:
    """Whether `order` names each seat once with partners opposite each other (C-1)."""
    return len(order) == 4 and len(set(order)) == 4 and order[0].partner is order[2]


def _play_order(value: object) -> tuple[Seat, ...]:
    order = tuple(Seat.parse(text) for text in texts(value))
    if not is_play_order(order):
        raise BadPoint(f"is {shown(value)}", "name four seats with partners opposite each other")
    return order


def _steps(value: object) -> Steps:
    if not isinstance(value, Mapping) or set(value) != {"second", "third", "last"}:
        raise BadPoint(f"is {shown(value)}", "give second, third and last")
    return Steps(whole(value["second"]), whole(value["third"]), whole(value["last"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """One rulebook. Seconds are limits that include their last moment (X-2); None: not regulated."""

    id: str
    title_en: str
    title_zh: str
    source: str
    origins: tuple[Origin, ...]
    """Where the value of each point stands, in the order of POINTS."""

    play_order: tuple[Seat, ...] = field(metadata=point(Group.DEAL, _play_order))
    redraw_on: frozenset[Card] = field(metadata=point(Group.DEAL, redrawn))
    """Turned-up cards that are drawn anew (D-2)."""
    first_drawer: str = field(metadata=point(Group.DEAL, one_of("count_from_cutter", "random")))
    """Deal 1: counted by the turned-up card's points, or a random card names the leader and no drawer (3.1, D-1)."""
    ace_count: int = field(metadata=point(Group.DEAL, at_least_one))
    """Points of an ace that is turned up (D-3)."""
    later_shuffler: str = field(metadata=point(Group.DEAL, one_of("first", "last", "left_of_first")))
    """Who shuffles for deals 2, 3, ..., by his place in the deal before (3.1, D-5)."""
    extra_cut: bool = field(metadata=point(Group.DEAL, flag))
    """Whether the opponents of first may cut once more where first and last are partners (3.1)."""

    full_house_joker_pair: bool = field(metadata=point(Group.PLAY, flag))
    """Whether a full house may carry a pair of jokers (C-9)."""
    max_cards_per_play: int = field(metadata=point(Group.PLAY, at_least_one))
    pass_forms: str = field(metadata=point(Group.PLAY, one_of(*PASS_RULES)))
    """Name of a rule in `engine.passing`."""
    full_house_layout: str | None = field(metadata=point(Group.PLAY, regulated(one_of("triple_left"))))
    """None: either block first, not mixed (P-7)."""

    tribute: bool = field(metadata=point(Group.TRIBUTE, flag))
    """Whether the losers give cards before deals 2, 3, ... (3.3)."""
    tribute_exempt_wild: bool = field(metadata=point(Group.TRIBUTE, flag))
    """Whether a wild is no tribute, however high it ranks (T-2)."""
    anti_tribute: str | None = field(metadata=point(Group.TRIBUTE, regulated(one_of("both_big_jokers_on_paying_side"))))
    """What cancels the tribute (T-1, T-9); None: nothing does."""
    equal_double_tribute: str = field(metadata=point(Group.TRIBUTE, one_of("clockwise", "first_tendered")))
    """Who gets which of two equal tributes (T-4, T-5)."""
    equal_double_leader: str = field(metadata=point(Group.TRIBUTE, one_of("payer_to_first", "right_of_first")))
    """Who leads after two equal tributes; the same seat where they go clockwise (T-4, T-5)."""
    leader_later_deals: str = field(metadata=point(Group.TRIBUTE, one_of("by_tribute", "first")))
    """Who leads deals 2, 3, ...: as the tribute says, which is first where none is paid, or always first (3.3, P-8)."""
    return_max_opponent: Rank | None = field(metadata=point(Group.TRIBUTE, regulated(rank)))
    """The highest rank that may be returned to an opponent, in point order (T-6); None: any card."""
    return_max_partner: Rank | None = field(metadata=point(Group.TRIBUTE, regulated(rank)))
    return_fallback: str = field(metadata=point(Group.TRIBUTE, one_of("smallest", "any")))
    """What may go back from a hand without a card that is low enough (T-7)."""

    report_threshold: int | None = field(metadata=point(Group.REPORT, regulated(count_of_hand)))
    """A play that leaves 1 to this many cards calls for a report."""
    report_mode: str | None = field(
        metadata=point(
            Group.REPORT, regulated(one_of("self_once", "card_until_end_of_deal", "opponents_question_only"))
        )
    )
    """None: no reporting (R-5)."""
    report_card: bool = field(metadata=point(Group.REPORT, flag))
    """Whether a report card is laid out, beside or instead of the spoken count."""
    report_repeat_questions: str | None = field(metadata=point(Group.REPORT, regulated(one_of("forbidden"))))
    """`forbidden`: after a report nobody may ask again, nobody may answer."""
    report_volunteering: str | None = field(metadata=point(Group.REPORT, regulated(one_of("forbidden", "allowed"))))
    """Telling the count without being asked."""

    first_level: Level = field(metadata=point(Group.LEVEL, level))
    """Level of both sides at the start of a match (2.1)."""
    steps: Steps = field(metadata=point(Group.LEVEL, _steps))
    cap_at_a: bool = field(metadata=point(Group.LEVEL, flag))
    """Whether gains stop at A, which must be played (U-1)."""
    pass_a_partner_places: tuple[int, ...] = field(metadata=point(Group.LEVEL, partner_places))
    """Places of first's partner with which A is passed."""
    only_declarer_passes_a: bool = field(metadata=point(Group.LEVEL, flag))
    """Whether A is passed only in a deal at one's own A (U-4)."""
    a_failures_limit: int | None = field(metadata=point(Group.LEVEL, regulated(at_least_one)))
    """Failures at one's own A that set a side back to 2 (U-6); None: A is played until it is passed."""
    intro_streak_rule: bool = field(metadata=point(Group.LEVEL, flag))
    """Whether a player's third and each further first (last) moves his side a level more up (down) (U-3)."""

    equal_levels: str = field(metadata=point(Group.END, one_of("draw", "reached_first")))
    """Equal levels at the limit: a draw, or a win of the side that reached them first (3.5)."""
    extra_deal_on_tie: bool = field(metadata=point(Group.END, flag))
    """Whether equal levels call for one extra deal in a stage for points too; in a knock-out they always do (M-4)."""
    sealed_deal_bonus: int = field(metadata=point(Group.END, whole))
    """Levels for the side that has first in the deal sealed at time-out (M-1)."""
    finish_current_deal: bool = field(metadata=point(Group.END, flag))
    """Whether a deal that is being played at time-out is played to its end and counts (M-1)."""

    match_points: tuple[int, int | None, int] | None = field(metadata=point(Group.SCORE, regulated(match_points)))
    """Points for win, draw (None: there is none), loss; None: not scored so."""
    level_points: str | None = field(metadata=point(Group.SCORE, regulated(one_of("13_plus_d", "14_plus_d"))))
    """Name of a table of level points (S-3, S-4)."""
    ranking: tuple[Criterion, ...] = field(metadata=point(Group.SCORE, criteria))
    """Criteria in order (3.6)."""
    progressive_from_round: int = field(metadata=point(Group.SCORE, first_or_second))
    """The round with which the running totals of progressive points begin: 1, or 2, which leaves round 1 out (S-1)."""

    tribute_s: float | None = field(metadata=point(Group.TIME, regulated(duration)))
    return_s: float | None = field(metadata=point(Group.TIME, regulated(duration)))
    first_lead_s: float | None = field(metadata=point(Group.TIME, regulated(duration)))
    play_s: float | None = field(metadata=point(Group.TIME, regulated(duration)))
    countdown_s: float | None = field(metadata=point(Group.TIME, regulated(duration)))
    """Length of the announced countdown after a limit; None: there is none (X-2)."""
    sort_allowance_s: float = field(metadata=point(Group.TIME, allowance))
    """Time for sorting one's hand, before the first clock of a deal (X-9)."""
    overtime: tuple[Penalty, ...] | None = field(metadata=point(Group.TIME, regulated(penalties)))
    """Penalties for being too slow, by occurrence, the last for all further ones (X-4); None: as infraction I21."""

    round_minutes: float | None = field(metadata=point(Group.ORGANISATION, regulated(duration)))
    """Length of a round; None: the event sets it, or there is no limit (3.7)."""
    late_warning_min: int | None = field(metadata=point(Group.ORGANISATION, regulated(whole)))
    late_foul_min: int | None = field(metadata=point(Group.ORGANISATION, regulated(whole)))
    late_forfeit_over_min: int | None = field(metadata=point(Group.ORGANISATION, regulated(whole)))
    """Minutes late that forfeit when exceeded; `late_forfeit_from_min`: when reached (X-3)."""
    late_forfeit_from_min: int | None = field(metadata=point(Group.ORGANISATION, regulated(whole)))

    ladder: str = field(metadata=point(Group.PENALTY, one_of("full", "meaning_only", "none")))
    """`full`: penalties convert (X-1); `meaning_only`: they are given but not added up."""
    penalties_o2: bool = field(metadata=point(Group.PENALTY, flag))
    """Whether the tournament penalties of RULEBOOKS 10, O2 hold; see `engine.restriction`."""
    machine_may_call: bool = field(metadata=point(Group.PENALTY, flag))
    """Whether the machine's own alert counts as pointing out (X-7)."""
    forfeit_level_points: tuple[int, int] | None = field(metadata=point(Group.PENALTY, regulated(two_numbers)))
    """Level points of the side that is there and of the one that is not (S-2)."""
    withdrawal_level_points: tuple[int, int] | None = field(metadata=point(Group.PENALTY, regulated(two_numbers)))
    """The same where a side withdraws before the start; None: as any forfeit (3.6)."""
    award_levels: int = field(metadata=point(Group.PENALTY, whole))
    """Levels by which an awarded defeat is lost at least (4.3)."""

    regulation: Regulation | None = None
    """None: a published rulebook. See `engine.regulation`."""

    @property
    def published(self) -> str:
        """Id of the published rulebook: for a regulation the one that it extends."""
        return self.id if self.regulation is None else self.regulation.extends

    @property
    def reached_first_wins(self) -> bool:
        """Whether equal levels are won by the side that reached them first."""
        return self.equal_levels == "reached_first"

    def origin(self, name: str) -> Origin:
        """Where the value of a point stands. Raises KeyError for a name that is no point."""
        return {origin.point: origin for origin in self.origins}[name]

    def points(self) -> dict[str, object]:
        """Every point by name, as JSON values."""
        return {name: as_plain(value) for name, value in asdict(self).items() if name in POINTS}

    def to_json(self) -> dict[str, object]:
        """Identity, hash, every point and where its value stands; keys in a fixed order."""
        return {
            "id": self.id,
            "title_en": self.title_en,
            "title_zh": self.title_zh,
            "source": self.source,
            "hash": self.hash,
            "points": self.points(),
            "origins": {
                origin.point: {"source": origin.source, "inherited_from": origin.inherited_from}
                for origin in self.origins
            },
            "regulation": None if self.regulation is None else asdict(self.regulation),
        }

    @property
    def hash(self) -> str:
        """SHA-256, hex, of identity and points as JSON with sorted keys and no spaces. Equal hash: same rules.

        Origins of single points are left out: a citation that is put right changes no rule, and must not make a
        journal look as if it had been played under another rulebook. Of a regulation also its titles, what it
        extends, and the text and approver of each override: there the text is the rule.
        """
        content: dict[str, object] = {"id": self.id, "source": self.source, "points": self.points()}
        if self.regulation is not None:
            content |= {"titles": [self.title_zh, self.title_en], "regulation": asdict(self.regulation)}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


POINTS: Final[Mapping[str, Point]] = {
    entry.name: entry.metadata["point"] for entry in fields(Rulebook) if "point" in entry.metadata
}
"""Every point by name, in the order in which they are shown."""
