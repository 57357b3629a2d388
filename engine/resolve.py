"""Which reading of a play counts, or why none may be played.

Source: RULEBOOKS 2.5 and decision C-10. First all readings, then those that beat the current play; of these the
declared one, else the one that the arrangement on the table shows, else the only one, else the highest if all have
one type; otherwise the player has to declare.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, Rank
from engine.combos import BadReading, Reading, Type, readings
from engine.order import beats, bomb_class, is_bomb, key
from engine.rulebook import Rulebook

_TYPE_ORDER: Final = tuple(Type)
_NATURAL: Final = (Rank.ACE, *(Rank(i) for i in range(13)))
"""Natural order of sequences, the ace low and high; `_NATURAL[rank + 1]` is the rank itself."""
_COPIES: Final = {Type.STRAIGHT: (5, 1), Type.STRAIGHT_FLUSH: (5, 1), Type.TUBE: (3, 2), Type.PLATE: (2, 3)}
"""Length of a run and cards of each rank in it."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What became of a play.

    chosen: the reading that counts; None if the play is illegal or has to be declared.
    legal: every reading that may be played here, weakest type first.
    assumed: the highest was taken by C-10.4.
    reason: why nothing is legal, or why the declaration does not hold: `not_a_combination`, `type_mismatch`,
    `not_higher`, `bomb_too_small`, `too_many_cards`; None if the play stands or needs a declaration.
    """

    chosen: Reading | None
    legal: tuple[Reading, ...]
    needs_declaration: bool = False
    assumed: bool = False
    reason: str | None = None


def resolve(
    cards_left_to_right: Iterable[Card],
    level: Rank,
    current: Reading | None,
    rulebook: Rulebook,
    declared: Reading | None = None,
    use_placement: bool = True,
) -> Resolution:
    """Judge cards as a lead (`current` None) or as a play on `current`.

    `use_placement`: the order of the cards is the order on the table as the player sees it (C-10.2). Where it is not
    known, pass False.
    """
    cards = tuple(cards_left_to_right)
    found = readings(cards, level, full_house_joker_pair=rulebook.full_house_joker_pair)
    if not found:
        return Resolution(None, (), reason="not_a_combination")
    if len(cards) > rulebook.max_cards_per_play:
        return Resolution(None, (), reason="too_many_cards")
    legal = found if current is None else tuple(reading for reading in found if beats(reading, current, level))
    if declared is not None:
        if declared in legal:
            return Resolution(declared, legal)
        return Resolution(None, legal, reason=_why_not((declared,) if declared in found else (), current))
    if not legal:
        return Resolution(None, (), reason=_why_not(found, current))
    if use_placement:
        placed = [reading for reading in legal if lies_as(cards, reading, level)]
        if len(placed) == 1:
            return Resolution(placed[0], legal)
    if len(legal) == 1:
        return Resolution(legal[0], legal)
    if len({reading.type for reading in legal}) == 1:
        return Resolution(highest(legal, level), legal, assumed=True)
    return Resolution(None, legal, needs_declaration=True)


def _why_not(found: tuple[Reading, ...], current: Reading | None) -> str:
    if not found or current is None:
        return "not_a_combination"
    if any(is_bomb(reading) for reading in found):  # on an ordinary type it would be legal
        return "bomb_too_small"
    if any(reading.type is current.type for reading in found):
        return "not_higher"
    return "type_mismatch"


def highest(legal: Iterable[Reading], level: Rank) -> Reading:
    """The strongest reading: bombs first, then by key; types that do not compare stand in the order of `Type`.

    Raises ValueError for no readings.
    """
    return max(legal, key=lambda reading: (bomb_class(reading), _TYPE_ORDER.index(reading.type), key(reading, level)))


def slots(reading: Reading) -> tuple[Rank, ...] | None:
    """Rank that belongs at each place, left to right; None where every place has the same rank and order says nothing.

    Sequences ascend; a full house has the triple on the left (C-10.2).
    """
    if reading.type is Type.FULL_HOUSE and reading.rank is not None and reading.pair is not None:
        return (reading.rank,) * 3 + (reading.pair,) * 2
    if reading.type in _COPIES and reading.high is not None:
        length, copies = _COPIES[reading.type]
        top = int(reading.high) + 1
        return tuple(rank for rank in _NATURAL[top - length + 1 : top + 1] for _ in range(copies))
    return None


def lies_as(cards: tuple[Card, ...], reading: Reading, level: Rank) -> bool:
    """Whether each natural card lies where `reading` has its rank; a wild may lie anywhere."""
    wanted = slots(reading)
    if wanted is None:
        return True
    return all(card.rank is rank or card.is_wild(level) for card, rank in zip(cards, wanted, strict=True))


def arrange(cards: Iterable[Card], reading: Reading, level: Rank) -> tuple[Card, ...]:
    """`cards` left to right so that the arrangement shows `reading`, wilds at the places they stand for.

    One reading cannot be shown: a full house whose pair is two wilds lies like a bomb of five (C-5). Raises
    BadReading if the cards do not make the reading.
    """
    given = tuple(cards)
    if reading not in readings(given, level):
        raise BadReading(str(reading), "the cards do not make it")
    natural = [card for card in given if not card.is_wild(level)]
    wilds = [card for card in given if card.is_wild(level)]
    wanted = slots(reading)
    if wanted is None:
        # Wilds first: triple, wild, wild could also be a full house over a pair of level cards.
        return tuple(wilds + natural) if reading.type is Type.BOMB else tuple(natural + wilds)
    placed: list[Card] = []
    for rank in wanted:
        fitting = next((card for card in natural if card.rank is rank), None)
        if fitting is None:
            placed.append(wilds.pop())
        else:
            natural.remove(fitting)
            placed.append(fitting)
    return tuple(placed)
