"""Pretend players: which play to make, from one's own hand and what lies open on the table.

Pure: the same view and the same generator give the same choice. They keep every rule, and lay only sets whose
arrangement says what they mean, so that nobody has to declare anything.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import Card, Rank, Seat
from engine.combos import Reading, Type
from engine.legal import Play, legal_plays
from engine.order import BOMB_TYPES, beats, key, strength
from engine.resolve import resolve
from engine.rulebook import Rulebook
from simulator.grouping import group
from simulator.maxims import ALL_MAXIMS, Maxim

NEARLY_OUT: Final = 8
"""An opponent with so few cards left is worth a bomb."""
FEW_SETS: Final = 6
"""With so few sets left a player goes for the end and bombs what he cannot beat."""
LONG_WISH: Final = 0.09
"""How much rather a set is led for each of its cards."""
PAIR_WISH: Final = 0.5
"""How much rather a pair is led against an opponent with five cards."""
MOST_WEIGHED: Final = 8
"""Plays that break a set are weighed up to this many, weakest first."""


@dataclass(frozen=True, slots=True)
class View:
    """What a player sees when he is to act.

    current: what stands in the trick, None when he leads. standing: who laid it. sizes: cards in each hand.
    """

    seat: Seat
    hand: tuple[Card, ...]
    level: Rank
    current: Reading | None
    standing: Seat | None
    sizes: Mapping[Seat, int]
    rulebook: Rulebook
    maxims: frozenset[Maxim] = ALL_MAXIMS

    @property
    def groups(self) -> list[Play]:
        """The sets that the player sees in his hand."""
        return group(self.hand, self.level, small_bombs=Maxim.BOMBS_OF_FOUR in self.maxims)


def choose(view: View, rng: random.Random) -> Play | None:
    """The play to make; None to pass. A leader always plays. Raises ValueError for an empty hand."""
    if not view.hand:
        raise ValueError(f"seat {view.seat.value} holds no cards and cannot act")
    groups = view.groups
    if view.current is None:
        return _lead(view, groups, rng)
    out = _way_out(view)
    if out is not None:
        return out
    if view.standing is view.seat.partner and Maxim.SPARE_THE_PARTNER in view.maxims:
        return _over_partner(view, groups, rng)
    return _over_opponent(view, groups, view.current, rng)


def is_plain(play: Play, view: View) -> bool:
    """Whether the cards as they lie mean the intended reading and nothing else."""
    found = resolve(play.cards, view.level, view.current, view.rulebook)
    return found.chosen == play.reading and not found.assumed


def without(hand: Iterable[Card], cards: Iterable[Card]) -> tuple[Card, ...]:
    """The hand after cards have left it; order kept."""
    leaving = Counter(cards)
    left = []
    for card in hand:
        if leaving[card]:
            leaving[card] -= 1
        else:
            left.append(card)
    return tuple(left)


def _is_bomb(play: Play) -> bool:
    return play.reading.type in BOMB_TYPES


def _way_out(view: View) -> Play | None:
    """The play that empties the hand, if there is one."""
    if len(view.hand) > 10:
        return None
    plays = (play for play in _legal(view) if len(play.cards) == len(view.hand))
    return next(plays, None)


def _legal(view: View) -> list[Play]:
    plays = legal_plays(view.hand, view.level, view.current, view.rulebook)
    return [play for play in plays if is_plain(play, view)]


def _lead(view: View, groups: list[Play], rng: random.Random) -> Play:
    """Shed many cards, low ones first; bombs last."""
    plain = [play for play in groups if not _is_bomb(play) and is_plain(play, view)]
    bombs = [play for play in groups if _is_bomb(play) and is_plain(play, view)]
    if not plain:
        return min(bombs, key=lambda play: key(play.reading, view.level)) if bombs else _any_lead(view)
    if len(plain) == 1 and bombs and _strong(plain[0].reading, view.level) < 0.5:
        return min(bombs, key=lambda play: key(play.reading, view.level))  # the last low set follows the bomb home
    few = min(view.sizes[seat] for seat in _opponents(view))
    wishes = {play: _lead_wish(play, view.level, few) + rng.uniform(0, 0.35) for play in plain}
    if Maxim.PAIRS_AGAINST_FIVE in view.maxims and any(view.sizes[seat] == 5 for seat in _opponents(view)):
        wishes |= {play: wish + PAIR_WISH for play, wish in wishes.items() if play.reading.type is Type.PAIR}
    return max(plain, key=lambda play: wishes[play])


def _lead_wish(play: Play, level: Rank, opponents_least: int) -> float:
    """Higher is rather led: low sets, long sets; never what an opponent with one or two cards could take home."""
    wish = 0.5 - _strong(play.reading, level) + LONG_WISH * len(play.cards)
    if len(play.cards) == opponents_least <= 2:
        wish -= 0.8 - 1.2 * _strong(play.reading, level)
    return wish


def _any_lead(view: View) -> Play:
    """A plain set there always is: one card."""
    card = min(view.hand, key=lambda card: strength(card.rank, view.level))
    return Play((card,), Reading(Type.SINGLE, card.rank))


def _strong(reading: Reading, level: Rank) -> float:
    """0 for the lowest of its type, about 1 for the highest."""
    return key(reading, level)[1] / 15


def _opponents(view: View) -> tuple[Seat, ...]:
    return tuple(seat for seat in Seat if seat not in {view.seat, view.seat.partner} and view.sizes[seat])


def _over_partner(view: View, groups: list[Play], rng: random.Random) -> Play | None:
    """Let the partner's play stand, unless it is low and one's own next set is a small step above it."""
    assert view.current is not None  # a partner's play stands
    if Maxim.TAKE_OVER not in view.maxims:
        return None
    if view.current.type in BOMB_TYPES or _strong(view.current, view.level) > 0.55 or view.sizes[view.seat.partner] < 5:
        return None
    fitting = _fitting(view, groups)
    low = [play for play in fitting if not _is_bomb(play) and _strong(play.reading, view.level) < 0.85]
    return low[0] if low and rng.random() < 0.45 else None


def _over_opponent(view: View, groups: list[Play], current: Reading, rng: random.Random) -> Play | None:
    """The cheapest set that beats; else a set out of a longer one; else perhaps a bomb."""
    fitting = _fitting(view, groups)
    plain = [play for play in fitting if not _is_bomb(play)]
    danger = min((view.sizes[seat] for seat in _opponents(view)), default=27)
    if plain:
        high = _strong(plain[0].reading, view.level) > 0.9 and _strong(current, view.level) < 0.5 and danger > 12
        return None if high and rng.random() < 0.3 else plain[0]
    broken = _breaking(view, groups)
    if broken is not None and (danger <= NEARLY_OUT or rng.random() < 0.4):
        return broken
    bombs = [play for play in fitting if _is_bomb(play)]
    if not bombs:
        return None
    eager = 0.2 + 0.5 * (danger <= NEARLY_OUT) + 0.35 * (len(groups) <= FEW_SETS)
    eager += 0.2 * (_strong(current, view.level) > 0.8 or current.type not in {Type.SINGLE, Type.PAIR})
    return bombs[0] if rng.random() < eager else None


def _fitting(view: View, groups: list[Play]) -> list[Play]:
    """Sets of the sorted hand that beat what stands, weakest first."""
    current = view.current
    assert current is not None  # somebody's play stands
    found = [play for play in groups if beats(play.reading, current, view.level) and is_plain(play, view)]
    return sorted(found, key=lambda play: key(play.reading, view.level))


def _breaking(view: View, groups: list[Play]) -> Play | None:
    """The weakest play out of a longer set that leaves no more than one set more than before, and no bomb less."""
    bombs = sum(_is_bomb(play) for play in groups)
    plays = [play for play in _legal(view) if not _is_bomb(play)]
    plays.sort(key=lambda play: key(play.reading, view.level))
    for play in plays[:MOST_WEIGHED]:
        left = replace(view, hand=without(view.hand, play.cards)).groups
        if len(left) <= len(groups) and sum(_is_bomb(other) for other in left) >= bombs:
            return play
    return None
