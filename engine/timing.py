"""Limits of time: tribute, return, first lead, plays, arrival, a round. Source: RULEBOOKS 3.7, M-1, X-2 to X-5, X-9.

All times are seconds or minutes that a caller measured; nothing here reads a clock. Limits include their last moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.infractions import sanction
from engine.ladder import Penalty
from engine.rulebook import Rulebook


class Timed(StrEnum):
    """What has a limit of seconds."""

    TRIBUTE = "tribute"
    RETURN = "return"
    FIRST_LEAD = "first_lead"
    PLAY = "play"


def limit_s(action: Timed, rulebook: Rulebook) -> float | None:
    """Seconds allowed, the last one included; None where the rulebook sets no limit."""
    return {
        Timed.TRIBUTE: rulebook.tribute_s,
        Timed.RETURN: rulebook.return_s,
        Timed.FIRST_LEAD: rulebook.first_lead_s,
        Timed.PLAY: rulebook.play_s,
    }[action]


@dataclass(frozen=True, slots=True)
class TimeVerdict:
    """What a time means. `response`: `countdown` while that runs, else None. `penalty`: the one to suggest."""

    overtime: bool
    response: str | None = None
    penalty: Penalty | None = None


def judge_time(
    action: Timed,
    seconds: float,
    rulebook: Rulebook,
    occurrence: int = 1,
    countdown_finished: bool | None = None,
) -> TimeVerdict:
    """Judge an act that took `seconds` so far. `occurrence`: how often the player is late, this time included.

    Where the rulebook has a countdown, it begins at the limit, and only its end brings a penalty (X-2).
    `countdown_finished`: what the table says of it; None: by its length.
    """
    limit = limit_s(action, rulebook)
    if limit is None or seconds <= limit:
        return TimeVerdict(False)
    if rulebook.countdown_s is not None:
        by_length = seconds > limit + rulebook.countdown_s
        if not (by_length if countdown_finished is None else countdown_finished):
            return TimeVerdict(True, response="countdown")
    return TimeVerdict(True, penalty=overtime_penalty(rulebook, occurrence))


def overtime_penalty(rulebook: Rulebook, occurrence: int = 1) -> Penalty | None:
    """What being too slow costs for the `occurrence`-th time: the rulebook's own list (X-4), else infraction I21."""
    if rulebook.overtime is None:
        return sanction(rulebook.published, "I21", occurrence).measure.penalty
    return rulebook.overtime[min(max(occurrence, 1), len(rulebook.overtime)) - 1]


def is_time_up(minutes: float, rulebook: Rulebook, deal_open: bool = False) -> bool:
    """Whether a round that began `minutes` ago is at its time-out; never where the rulebook sets no time.

    deal_open: a deal is being played, which puts time-out off where the rulebook has it played to its end (M-1).
    """
    if rulebook.round_minutes is None or minutes < rulebook.round_minutes:
        return False
    return not (deal_open and rulebook.finish_current_deal)


@dataclass(frozen=True, slots=True)
class Lateness:
    """What being late costs. `opponent_advances`: the side that is there goes on without a game."""

    penalty: Penalty | None = None
    opponent_advances: bool = False


def judge_lateness(minutes: float, rulebook: Rulebook) -> Lateness:
    """What a pair gets that arrives `minutes` after the start; no penalty: in time, or within what is let pass.

    Limits that are exceeded and limits that are reached differ by rulebook (X-3).
    """
    if minutes <= 0:
        return Lateness()
    reached, exceeded = rulebook.late_forfeit_from_min, rulebook.late_forfeit_over_min
    if (reached is not None and minutes >= reached) or (exceeded is not None and minutes > exceeded):
        return Lateness(sanction(rulebook.published, "I22").measure.penalty, opponent_advances=True)
    for limit, penalty in ((rulebook.late_warning_min, Penalty.WARNING), (rulebook.late_foul_min, Penalty.FOUL)):
        if limit is not None and minutes <= limit:
            return Lateness(penalty)
    return Lateness()


def judge_both_late(first_min: float, second_min: float, rulebook: Rulebook) -> tuple[Lateness, Lateness]:
    """What both sides get if both are late: the earlier one is warned, the later one is judged by its time (3.7).

    Arriving together, both are judged by their time.
    """
    first, second = judge_lateness(first_min, rulebook), judge_lateness(second_min, rulebook)
    if first.penalty is None or second.penalty is None or first_min == second_min:
        return first, second
    warned = Lateness(Penalty.WARNING)
    return (warned, second) if first_min < second_min else (first, warned)


@dataclass(frozen=True, slots=True)
class Moments:
    """When things happened, seconds on one clock; None: not yet, or not in this deal."""

    hands_confirmed_s: float | None = None
    """The fourth hand has been taken and its 27 confirmed."""
    tribute_seen_s: float | None = None
    returns_seen_s: float | None = None
    """The last return is on the table."""
    last_act_s: float | None = None
    """The last play or pass."""


def clock_start_s(action: Timed, moments: Moments, has_tribute: bool, rulebook: Rulebook) -> float | None:
    """When the clock of an act starts (X-9); None while that has not happened.

    `has_tribute`: False in deal 1, after anti-tribute or a foul, and in duplicate. The rulebook's allowance for
    sorting one's hand comes before the first clock of the deal alone.
    """
    dealt = moments.hands_confirmed_s
    first = None if dealt is None else dealt + rulebook.sort_allowance_s
    match action:
        case Timed.TRIBUTE:
            return first if has_tribute else None
        case Timed.RETURN:
            return moments.tribute_seen_s if has_tribute else None
        case Timed.FIRST_LEAD:
            return moments.returns_seen_s if has_tribute else first
        case Timed.PLAY:
            return moments.last_act_s


def elapsed_s(start_s: float, now_s: float, holds: Iterable[tuple[float, float | None]]) -> float:
    """Seconds on the clock from `start_s` to `now_s`, without the time of holds (X-9).

    holds: (begin, end), in any order, possibly overlapping; end None: still on.
    """
    stopped, covered = 0.0, start_s
    for begin, end in sorted(holds, key=lambda hold: hold[0]):
        begin = max(begin, covered)
        until = now_s if end is None else min(end, now_s)
        if until > begin:
            stopped += until - begin
            covered = until
    return now_s - start_s - stopped
