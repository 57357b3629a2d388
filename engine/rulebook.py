"""A rulebook: the points in which published rules differ, as one checked value.

Source: RULEBOOKS section 12. A point that a text leaves open has the value of its parent (G-1).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from math import inf
from typing import Final, TypeVar

from engine.cards import PLAY_ORDER, BadCard, BadSeat, Card, Rank, Seat, card_texts, parse_cards
from engine.passing import PASS_RULES
from engine.ranking import BY_PROGRESSIVE, Criterion

REPORT_MODES: Final = ("self_once", "card_until_end_of_deal", "opponents_question_only")
LEVEL_POINT_TABLES: Final = ("13_plus_d", "14_plus_d")
LADDERS: Final = ("full", "meaning_only", "none")

Plain = Mapping[str, object]  # a table as a TOML or JSON reader gives it


EQUAL_TRIBUTES: Final = ("clockwise", "first_tendered")
"""Ways to settle two equal tributes."""
LATER_SHUFFLERS: Final = ("first", "last", "left_of_first")
"""Who may shuffle for deals 2, 3, ..., by his place in the deal before."""


class UnknownRulebook(ValueError):
    """An id that names no rulebook."""

    def __init__(self, value: object, known: Iterable[str]) -> None:
        super().__init__(f"{value!r} is not a rulebook; choose one of {' '.join(known)}")


class BadRulebook(ValueError):
    """A rulebook's content that cannot be used. `wrong` names the key; `remedy` is the one next step."""

    def __init__(self, rulebook: object, wrong: str, remedy: str = "mend it, or leave it out") -> None:
        super().__init__(f"rulebook {rulebook!r}: {wrong}; {remedy}")
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


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook. Seconds are limits that include their last moment (X-2); None: not regulated."""

    id: str
    title_en: str
    title_zh: str
    source: str
    play_order: tuple[Seat, ...] = PLAY_ORDER
    redraw_on: frozenset[Card] = frozenset()
    """Turned-up cards that are drawn anew (D-2)."""
    later_shuffler: str = "last"
    """Who shuffles for deals 2, 3, ...; one of LATER_SHUFFLERS (3.1, D-5)."""
    extra_cut: bool = False
    """Whether the opponents of first may cut once more where first and last are partners (3.1)."""
    full_house_joker_pair: bool = True
    """Whether a full house may carry a pair of jokers (C-9)."""
    max_cards_per_play: int = 10
    tribute: bool = True
    """Whether the losers give cards before deals 2, 3, ... (3.2)."""
    return_max_opponent: Rank | None = None
    """The highest rank that may be returned to an opponent, in point order (T-6); None: any card."""
    return_max_partner: Rank | None = None
    equal_double_tribute: str = "clockwise"
    """Who gets which of two equal tributes (T-4, T-5); one of EQUAL_TRIBUTES."""
    steps: Steps = Steps()
    cap_at_a: bool = True
    """Whether gains stop at A, which must be played (U-1)."""
    pass_a_partner_places: tuple[int, ...] = (2, 3)
    """Places of first's partner with which A is passed."""
    only_declarer_passes_a: bool = True
    """Whether A is passed only in a deal at one's own A (U-4)."""
    a_failures_limit: int | None = None
    """Failures at one's own A that set a side back to 2 (U-6); None: A is played until it is passed."""
    reached_first_wins: bool = False
    """Whether who reached equal levels first wins; otherwise they draw (3.5)."""
    sealed_deal_bonus: int = 0
    """Levels for the side that has first in the deal sealed at time-out (M-1)."""
    report_threshold: int | None = 10
    """A play that leaves 1 to this many cards calls for a report."""
    report_mode: str | None = "self_once"
    """`self_once`, `card_until_end_of_deal`, `opponents_question_only`; None: no reporting (R-5)."""
    report_card: bool = False
    """Whether a report card is laid out, beside or instead of the spoken count."""
    report_repeat_questions: str | None = None
    """`forbidden`: after a report nobody may ask again, nobody may answer."""
    report_volunteering: str | None = None
    """`forbidden` or `allowed`: telling the count without being asked."""
    pass_forms: str = "any"
    """Name of a rule in `engine.passing`."""
    full_house_layout: str | None = None
    """`triple_left`; None: either block first, not mixed (P-7)."""
    tribute_s: float | None = None
    return_s: float | None = None
    first_lead_s: float | None = None
    play_s: float | None = None
    countdown_s: float | None = None
    """Length of the announced countdown after a limit; None: there is none (X-2)."""
    late_warning_min: float | None = None
    late_foul_min: float | None = None
    late_forfeit_over_min: float | None = None
    """Minutes late that forfeit when exceeded; `late_forfeit_from_min`: when reached (X-3)."""
    late_forfeit_from_min: float | None = None
    match_points: tuple[int, int | None, int] | None = None
    """Points for win, draw (None: there is none), loss; None: not scored so."""
    level_points: str | None = None
    """Name of a table of level points (S-3, S-4)."""
    forfeit_level_points: tuple[int, int] | None = None
    """Level points of the side that is there and of the one that is not (S-2)."""
    withdrawal_level_points: tuple[int, int] | None = None
    """The same where a side withdraws before the start; None: as any forfeit (3.6)."""
    award_levels: int = 4
    """Levels by which an awarded defeat is lost at least (4.3)."""
    ladder: str = "none"
    """`full`: penalties convert (X-1); `meaning_only`; `none`."""
    ranking: tuple[Criterion, ...] = BY_PROGRESSIVE
    """Criteria in order (3.6)."""
    regulation: Regulation | None = None
    """None: a published rulebook. See `engine.regulation`."""

    @property
    def published(self) -> str:
        """Id of the published rulebook: for a regulation the one that it extends."""
        return self.id if self.regulation is None else self.regulation.extends

    def points(self) -> dict[str, object]:
        """Every point by name, as JSON values."""
        return {
            "play_order": [seat.value for seat in self.play_order],
            "redraw_on": card_texts(sorted(self.redraw_on)),
            "later_shuffler": self.later_shuffler,
            "extra_cut": self.extra_cut,
            "full_house_joker_pair": self.full_house_joker_pair,
            "max_cards_per_play": self.max_cards_per_play,
            "tribute": self.tribute,
            "return_max_opponent": None if self.return_max_opponent is None else self.return_max_opponent.text,
            "return_max_partner": None if self.return_max_partner is None else self.return_max_partner.text,
            "equal_double_tribute": self.equal_double_tribute,
            "steps": {"second": self.steps.second, "third": self.steps.third, "last": self.steps.last},
            "cap_at_a": self.cap_at_a,
            "pass_a_partner_places": list(self.pass_a_partner_places),
            "only_declarer_passes_a": self.only_declarer_passes_a,
            "a_failures_limit": self.a_failures_limit,
            "reached_first_wins": self.reached_first_wins,
            "sealed_deal_bonus": self.sealed_deal_bonus,
            "report_threshold": self.report_threshold,
            "report_mode": self.report_mode,
            "report_card": self.report_card,
            "report_repeat_questions": self.report_repeat_questions,
            "report_volunteering": self.report_volunteering,
            "pass_forms": self.pass_forms,
            "full_house_layout": self.full_house_layout,
            "tribute_s": self.tribute_s,
            "return_s": self.return_s,
            "first_lead_s": self.first_lead_s,
            "play_s": self.play_s,
            "countdown_s": self.countdown_s,
            "late_warning_min": self.late_warning_min,
            "late_foul_min": self.late_foul_min,
            "late_forfeit_over_min": self.late_forfeit_over_min,
            "late_forfeit_from_min": self.late_forfeit_from_min,
            "match_points": None if self.match_points is None else list(self.match_points),
            "level_points": self.level_points,
            "forfeit_level_points": None if self.forfeit_level_points is None else list(self.forfeit_level_points),
            "withdrawal_level_points": (
                None if self.withdrawal_level_points is None else list(self.withdrawal_level_points)
            ),
            "award_levels": self.award_levels,
            "ladder": self.ladder,
            "ranking": list(self.ranking),
        }

    def to_json(self) -> dict[str, object]:
        """Identity, hash and every point; keys in a fixed order."""
        return {
            "id": self.id,
            "title_en": self.title_en,
            "title_zh": self.title_zh,
            "source": self.source,
            "hash": self.hash,
            "points": self.points(),
            "regulation": None if self.regulation is None else asdict(self.regulation),
        }

    @property
    def hash(self) -> str:
        """SHA-256, hex, of identity and points as JSON with sorted keys and no spaces. Equal hash: same rules.

        Of a regulation also its titles, what it extends, and the text and approver of each override.
        """
        content: dict[str, object] = {"id": self.id, "source": self.source, "points": self.points()}
        if self.regulation is not None:
            content |= {"titles": [self.title_zh, self.title_en], "regulation": asdict(self.regulation)}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def is_play_order(order: tuple[Seat, ...]) -> bool:
    """Whether `order` names each seat once with partners opposite each other (C-1)."""
    return len(order) == 4 and len(set(order)) == 4 and order[0].partner is order[2]


def build_rulebook(layers: Iterable[Plain]) -> Rulebook:
    """The rulebook of `layers`, parent first: a later layer overrides points of an earlier one, and names the whole.

    Raises BadRulebook for an unknown key or point, a missing point and a value of the wrong kind.
    """
    points: dict[str, object] = {}
    last: Plain = {}
    for last in layers:
        refuse_unknown(last.get("id"), "key", last, LAYER_KEYS)
        given = last.get("points", {})
        if not isinstance(given, Mapping):
            raise BadRulebook(last.get("id"), f"points is {given!r}, not a table", "write it as [points]")
        refuse_unknown(last.get("id"), "point", given, POINTS)
        points.update(given)
    name = _text(last, last, "id")
    try:
        return Rulebook(
            id=name,
            title_en=_text(last, last, "title_en"),
            title_zh=_text(last, last, "title_zh"),
            source=_text(last, last, "source"),
            play_order=_play_order(last, points),
            redraw_on=frozenset(parse_cards(_texts(last, points, "redraw_on"))),
            later_shuffler=_one_of(last, points, "later_shuffler", LATER_SHUFFLERS),
            extra_cut=_flag(last, points, "extra_cut"),
            full_house_joker_pair=_flag(last, points, "full_house_joker_pair"),
            max_cards_per_play=_at_least_one(last, points, "max_cards_per_play"),
            tribute=_flag(last, points, "tribute"),
            return_max_opponent=_regulated(last, points, "return_max_opponent", _rank),
            return_max_partner=_regulated(last, points, "return_max_partner", _rank),
            equal_double_tribute=_one_of(last, points, "equal_double_tribute", EQUAL_TRIBUTES),
            steps=_steps(last, points),
            cap_at_a=_flag(last, points, "cap_at_a"),
            pass_a_partner_places=_places(last, points),
            only_declarer_passes_a=_flag(last, points, "only_declarer_passes_a"),
            a_failures_limit=_regulated(last, points, "a_failures_limit", _at_least_one),
            reached_first_wins=_flag(last, points, "reached_first_wins"),
            sealed_deal_bonus=_whole(last, points, "sealed_deal_bonus"),
            report_threshold=_regulated(last, points, "report_threshold", _whole),
            report_mode=_word(last, points, "report_mode", REPORT_MODES),
            report_card=_flag(last, points, "report_card"),
            report_repeat_questions=_word(last, points, "report_repeat_questions", ("forbidden",)),
            report_volunteering=_word(last, points, "report_volunteering", ("forbidden", "allowed")),
            pass_forms=_one_of(last, points, "pass_forms", PASS_RULES),
            full_house_layout=_word(last, points, "full_house_layout", ("triple_left",)),
            tribute_s=_seconds(last, points, "tribute_s"),
            return_s=_seconds(last, points, "return_s"),
            first_lead_s=_seconds(last, points, "first_lead_s"),
            play_s=_seconds(last, points, "play_s"),
            countdown_s=_seconds(last, points, "countdown_s"),
            late_warning_min=_regulated(last, points, "late_warning_min", _whole),
            late_foul_min=_regulated(last, points, "late_foul_min", _whole),
            late_forfeit_over_min=_regulated(last, points, "late_forfeit_over_min", _whole),
            late_forfeit_from_min=_regulated(last, points, "late_forfeit_from_min", _whole),
            match_points=_regulated(last, points, "match_points", _match_points),
            level_points=_word(last, points, "level_points", LEVEL_POINT_TABLES),
            forfeit_level_points=_regulated(last, points, "forfeit_level_points", _two_points),
            withdrawal_level_points=_regulated(last, points, "withdrawal_level_points", _two_points),
            award_levels=_whole(last, points, "award_levels"),
            ladder=_one_of(last, points, "ladder", LADDERS),
            ranking=_criteria(last, points),
        )
    except (BadCard, BadSeat) as error:
        key = "play_order" if isinstance(error, BadSeat) else "redraw_on"  # a rank is checked by its reader
        wrong, _, remedy = str(error).partition("; ")
        raise BadRulebook(name, f"{key}: {wrong}", remedy) from error


LAYER_KEYS: Final = ("id", "extends", "title_en", "title_zh", "source", "points")
"""What the file of a published rulebook may hold."""

POINTS: Final = tuple(Rulebook("", "", "", "").points())
"""Names of all points."""


def refuse_unknown(rulebook: object, what: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raise BadRulebook for the first of `given` that is not among `known`, with the nearest that is."""
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            listed = "a point of `core`" if what == "point" else f"one of {' '.join(known)}"
            remedy = f"did you mean {near[0]!r}?" if near else f"write {listed}, or leave it out"
            raise BadRulebook(rulebook, f"unknown {what} {name!r}", remedy)


NOT_REGULATED: Final = "none"
"""How a file says that a point its parent has is not regulated."""

_PLACES: Final = frozenset({2, 3, 4})


def _value(book: Plain, table: Plain, key: str) -> object:
    if key not in table:
        raise BadRulebook(book.get("id"), f"{key!r} is missing", "add it")
    return table[key]


def _text(book: Plain, table: Plain, key: str) -> str:
    value = _value(book, table, key)
    if not isinstance(value, str) or not value:
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not a text")
    return value


def _flag(book: Plain, table: Plain, key: str) -> bool:
    value = _value(book, table, key)
    if not isinstance(value, bool):
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not true or false")
    return value


def _whole(book: Plain, table: Plain, key: str) -> int:
    value = _value(book, table, key)
    if type(value) is not int or value < 0:
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not a whole number")
    return value


def _at_least_one(book: Plain, table: Plain, key: str) -> int:
    value = _whole(book, table, key)
    if value == 0:
        raise BadRulebook(book.get("id"), f"{key} is 0, so that nothing could be done", "write 1 or more")
    return value


def _rank(book: Plain, table: Plain, key: str) -> Rank:
    return Rank.parse(_one_of(book, table, key, "23456789TJQKA"))


def _seconds(book: Plain, table: Plain, key: str) -> float | None:
    value = table.get(key, NOT_REGULATED)
    if value == NOT_REGULATED:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not a positive number of seconds")
    return float(value)


Value = TypeVar("Value")


def _regulated(book: Plain, table: Plain, key: str, read: Callable[[Plain, Plain, str], Value]) -> Value | None:
    if table.get(key, NOT_REGULATED) == NOT_REGULATED:
        return None
    return read(book, table, key)


def _one_of(book: Plain, table: Plain, key: str, words: Sequence[str]) -> str:
    value = _text(book, table, key)
    if value not in words:
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not one of {' '.join(words)}")
    return value


def _word(book: Plain, table: Plain, key: str, words: Sequence[str]) -> str | None:
    if table.get(key, NOT_REGULATED) == NOT_REGULATED:
        return None
    return _one_of(book, table, key, words)


def _criteria(book: Plain, points: Plain) -> tuple[Criterion, ...]:
    names = _texts(book, points, "ranking")
    if wrong := [name for name in names if name not in list(Criterion)]:
        raise BadRulebook(book.get("id"), f"ranking names {wrong[0]!r}, not one of {' '.join(Criterion)}")
    return tuple(map(Criterion, names))


def _numbers(book: Plain, table: Plain, key: str, length: int) -> list[int]:
    value = _value(book, table, key)
    if not isinstance(value, list) or len(value) != length or not all(type(item) is int for item in value):
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not {length} whole numbers")
    return value


def _match_points(book: Plain, table: Plain, key: str) -> tuple[int, int | None, int]:
    """Win, draw, loss; a draw below 0 stands for "there is none", for which TOML has no word."""
    win, draw, loss = _numbers(book, table, key, 3)
    return win, draw if draw >= 0 else None, loss


def _two_points(book: Plain, table: Plain, key: str) -> tuple[int, int]:
    won, lost = _numbers(book, table, key, 2)
    return won, lost


def _texts(book: Plain, table: Plain, key: str) -> list[str]:
    value = _value(book, table, key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadRulebook(book.get("id"), f"{key} is {value!r}, not a list of texts")
    return value


def _play_order(book: Plain, points: Plain) -> tuple[Seat, ...]:
    order = tuple(Seat.parse(text) for text in _texts(book, points, "play_order"))
    if not is_play_order(order):
        raise BadRulebook(book.get("id"), "play_order must name four seats with partners opposite each other")
    return order


def _steps(book: Plain, points: Plain) -> Steps:
    table = _value(book, points, "steps")
    if not isinstance(table, Mapping) or set(table) != {"second", "third", "last"}:
        raise BadRulebook(book.get("id"), "steps must give second, third and last")
    return Steps(_whole(book, table, "second"), _whole(book, table, "third"), _whole(book, table, "last"))


def _places(book: Plain, points: Plain) -> tuple[int, ...]:
    value = _value(book, points, "pass_a_partner_places")
    if not isinstance(value, list) or not all(type(item) is int and item in _PLACES for item in value):
        raise BadRulebook(book.get("id"), f"pass_a_partner_places is {value!r}, not a list of 2, 3 and 4")
    return tuple(value)
