"""What cannot be in a position: a third copy, a seat that is out and holds cards, a play that nobody can have made.

Rules that people may break at a table are no contradictions; `engine.position_setup` tells them as findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.cards import PACKS, Card, Level, Pair, Seat, card_texts
from engine.combos import readings
from engine.position import Place, Position, Standing, others_in, place_of
from engine.rulebook import Rulebook
from engine.state import HAND


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What cannot be in a position, the line that says it, and the remedy."""

    place: Place
    wrong: str
    remedy: str


def contradictions(position: Position, rulebook: Rulebook) -> Iterator[Contradiction]:
    """What cannot be in a position. The exchange so far is followed card by card in `engine.position_setup`."""
    yield from _of_levels(position)
    yield from _of_holdings(position)
    yield from _of_play(position, rulebook) if position.turn is not None else _before_play(position)
    yield from _of_cards(position)


def _of_levels(position: Position) -> Iterator[Contradiction]:
    levels, declarer = position.levels, position.declarer
    for pair in Pair:
        if levels[pair] is Level.PAST_ACE:
            yield Contradiction(("levels", None), f"{pair.value} is past A, so the match is over", "write a level to A")
    named = list(levels.values()) if declarer is None else [levels[declarer]]
    if int(position.level) not in named:
        if declarer is None:
            wrong = f"{position.level.text} is nobody's level"
            yield Contradiction(("level", None), wrong, "write the level of a side, as the line levels has it")
        else:
            wrong = f"the declaring side {declarer.value} is at {levels[declarer].text}"
            yield Contradiction(("level", None), wrong, "write that level, or put levels or declarer right")
    first = position.previous[0] if position.previous else None
    if first is not None and first.pair is not declarer:
        wrong = f"{first.value} was first of the deal before, so {first.pair.value} declares"
        yield Contradiction(("declarer", None), wrong, f"write declarer {first.pair.value}, or put previous right")
    if _is_no_finish(position.previous):
        yield Contradiction(
            ("previous", None), "not an order in which a deal ends", "write four seats, or the two of a double-down"
        )


def _is_no_finish(order: tuple[Seat, ...]) -> bool:
    double_down = len(order) >= 2 and order[0].partner is order[1]
    return bool(order) and (len(set(order)) != len(order) or len(order) != (2 if double_down else 4))


def _of_holdings(position: Position) -> Iterator[Contradiction]:
    for seat in Seat:
        place: Place = ("hand" if seat in position.hands else "size", seat)
        held = position.held(seat)
        told = sum((seat in position.hands, seat in position.sizes, seat in position.out))
        if told == 0:
            yield Contradiction(
                place, f"nothing is told of {seat.value}", f"add hand {seat.value}, size {seat.value}, or out"
            )
        elif seat in position.out and told > 1:
            yield Contradiction(place, f"{seat.value} is out and holds {held}", "take it from out, or leave this out")
        elif told > 1:
            yield Contradiction(("size", seat), f"hand {seat.value} is given too", "keep one of the two")
        elif seat not in position.out and not 1 <= held <= HAND:
            yield Contradiction(place, f"{held} cards in a hand", f"write 1 to {HAND}, or name the seat in out")
    if len(set(position.out)) != len(position.out):
        yield Contradiction(("out", None), "a seat is named twice", "keep it once")
    if len(position.out) > 2 or (len(position.out) == 2 and position.out[0].partner is position.out[1]):
        yield Contradiction(("out", None), "that ends the deal", "name those who were out while it was played")


def _of_cards(position: Position) -> Iterator[Contradiction]:
    """Two packs hold each card twice, and 108 cards in all."""
    seen: Counter[Card] = Counter()
    parts: list[tuple[Place, tuple[Card, ...]]] = [(("hand", seat), hand) for seat, hand in position.hands.items()]
    parts.append((("laid", None), position.laid))
    if position.current is not None:
        parts.append((("current", None), position.current.cards))
    for place, cards in parts:
        for card in cards:
            seen[card] += 1
            if seen[card] > 2:
                wrong = f"a third {card.text}; two packs hold it twice"
                yield Contradiction(place, wrong, "take one of the three away, from hands, laid or current")
                return
    gone = len(position.laid) + (len(position.current.cards) if position.current is not None else 0)
    held = sum(position.held(seat) for seat in Seat)
    if gone + held > len(PACKS):
        wrong = f"{held} cards in the hands and {gone} on the table are {gone + held} of {len(PACKS)}"
        yield Contradiction(("laid" if position.laid else "current", None), wrong, "take some away, or put sizes right")


def _of_play(position: Position, rulebook: Rulebook) -> Iterator[Contradiction]:
    turn = position.turn
    if position.given:
        place = place_of(position.given[0])
        yield Contradiction(place, "with turn the exchange is over", "leave it out, or leave turn out")
    if turn is not None and turn in position.out:
        yield Contradiction(("turn", None), f"{turn.value} is out", "name a seat that holds cards")
        return
    if position.current is not None:
        yield from _of_current(position, position.current, rulebook)
        yield from _of_turn(position, position.current)
    elif position.passes:
        yield Contradiction(("passes", None), "on a lead nobody passes", "leave passes out, or add current")


def _of_current(position: Position, current: Standing, rulebook: Rulebook) -> Iterator[Contradiction]:
    place: Place = ("current", None)
    found = readings(current.cards, position.level, full_house_joker_pair=rulebook.full_house_joker_pair)
    if not found:
        yield Contradiction(place, f"{_cards(current.cards)} is no combination", "write cards that are one")
    elif current.reading not in found:
        meant = " or ".join(map(str, found))
        yield Contradiction(place, f"these cards are no {current.reading}", f"write = {meant}")
    if len(current.cards) > rulebook.max_cards_per_play:
        wrong = f"{len(current.cards)} cards, where {rulebook.id} allows {rulebook.max_cards_per_play} in a play"
        yield Contradiction(place, wrong, "write a shorter play")
    seat = current.seat
    if seat in position.out and position.out[-1] is not seat:
        wrong = f"{position.out[-1].value} went out after {seat.value}, so this play does not stand any more"
        yield Contradiction(place, wrong, f"name {seat.value} last in out, or the play that stands")
    had = position.held(seat) + len(current.cards)
    if had > HAND:
        wrong = f"{seat.value} holds {position.held(seat)} cards and has laid {len(current.cards)}: {had} of {HAND}"
        yield Contradiction(place, wrong, f"take cards from hand or size {seat.value}")


def _of_turn(position: Position, current: Standing) -> Iterator[Contradiction]:
    """The turn follows from what stands and the passes since; when all others have passed, nothing stands any more."""
    others = others_in(position, current.seat)
    if position.passes >= len(others):
        wrong = f"{len(others)} others hold cards, and after {position.passes} passes the trick is over"
        yield Contradiction(("passes", None), wrong, "leave current and passes out, and name who leads in turn")
        return
    seat = others[position.passes]
    if seat is not position.turn:
        wrong = f"after {current.seat.value} and {position.passes} passes it is {seat.value}'s turn"
        yield Contradiction(("turn", None), wrong, f"write turn {seat.value}, or put passes right")


def _before_play(position: Position) -> Iterator[Contradiction]:
    """Without `turn` play has not begun: whole hands, nothing laid."""
    if not position.previous:
        yield Contradiction(("turn", None), "is missing", "add turn and a seat, or previous if tribute is due")
    begun = {
        "laid": position.laid,
        "out": position.out,
        "current": position.current,
        "passes": position.passes,
    }
    for word, value in begun.items():
        if value:
            yield Contradiction((word, None), "without turn play has not begun", "add turn and a seat, or leave it out")
    for seat in position.reported:
        yield Contradiction(("reported", seat), "without turn play has not begun", "add turn and a seat")
    for seat in Seat:
        if position.held(seat) != HAND:
            place: Place = ("hand" if seat in position.hands else "size", seat)
            wrong = f"{position.held(seat)} cards, where the exchange begins with {HAND}"
            yield Contradiction(place, wrong, "write the hand before the exchange, or add turn and a seat")


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(card_texts(cards))
