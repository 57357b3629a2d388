"""Results of duplicate boards (复式). Source: RULEBOOKS section 8, T-11.

No text prints how a single deal becomes points. Here a board is worth its signed level gain (3, 2 or 1), and a team's
score is the sum over both rooms: its pair 1 sits NS in room A, its pair 2 EW in room B.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards import Pair, Seat
from engine.levels import partner_place
from engine.rulebook import Steps

STEPS: Final = Steps()
"""What a board is worth if an event says nothing else: 3, 2 or 1."""


class BadResult(ValueError):
    """A result of a board that cannot be scored."""

    def __init__(self, board: object, wrong: str) -> None:
        super().__init__(f"board {board!r}: {wrong}")


class Room(StrEnum):
    """The two rooms of a team match: closed off from each other, playing the same boards."""

    A = "A"
    B = "B"


@dataclass(frozen=True, slots=True)
class RoomResult:
    """A board as one room played it. `cards`: id of the deal that was really on the table, as read there.

    finish: four seats, or two after a double-down; a deal that a foul ended is a double-down of the other side.
    """

    board: int
    room: Room
    cards: str
    finish: tuple[Seat, ...]


def signed_gain(finish: tuple[Seat, ...], pair: Pair, steps: Steps = STEPS) -> int:
    """Levels that `pair` gains in a deal, negative if the other side gains them; never 0."""
    gain = steps.for_place(partner_place(finish))
    return gain if finish[0].pair is pair else -gain


def home_pair(room: Room) -> Pair:
    """Where the home team sits: NS in room A, EW in room B."""
    return Pair.NS if room is Room.A else Pair.EW


@dataclass(frozen=True, slots=True)
class BoardScore:
    """One board, home team first: gain in room A, in room B, and their sum, -6 to 6 with steps 3/2/1."""

    board: int
    room_a: int
    room_b: int

    @property
    def swing(self) -> int:
        return self.room_a + self.room_b


class NotCompared(StrEnum):
    """Why a board does not count."""

    ONE_ROOM_ONLY = "one_room_only"
    DIFFERENT_CARDS = "different_cards"
    """The rooms did not play the same cards: a fouled board."""


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A team match from the home team's side. `left_out`: boards that do not count, with the reason."""

    boards: tuple[BoardScore, ...]
    left_out: tuple[tuple[int, NotCompared], ...] = ()

    @property
    def total(self) -> int:
        return sum(board.swing for board in self.boards)

    @property
    def winner(self) -> str | None:
        """`home`, `away`, or None for a draw; a knock-out needs a further board then (M-3)."""
        if self.total == 0:
            return None
        return "home" if self.total > 0 else "away"

    def match_points(self, win: int = 2, draw: int = 1, loss: int = 0) -> tuple[int, int]:
        """Match points of home and away by the sign of the total."""
        match self.winner:
            case "home":
                return win, loss
            case "away":
                return loss, win
            case _:
                return draw, draw


def score_teams(results: Iterable[RoomResult], steps: Steps = STEPS) -> TeamScore:
    """Score a match of two teams. Raises BadResult for a board entered twice in a room or a finish that is none."""
    given = list(results)
    _check(given)
    by_place = {(result.board, result.room): result for result in given}
    scores: list[BoardScore] = []
    left_out: list[tuple[int, NotCompared]] = []
    for board in sorted({result.board for result in given}):
        first, second = by_place.get((board, Room.A)), by_place.get((board, Room.B))
        if first is None or second is None:
            left_out.append((board, NotCompared.ONE_ROOM_ONLY))
        elif first.cards != second.cards:
            left_out.append((board, NotCompared.DIFFERENT_CARDS))
        else:
            gain_a, gain_b = (signed_gain(result.finish, home_pair(result.room), steps) for result in (first, second))
            scores.append(BoardScore(board, gain_a, gain_b))
    return TeamScore(tuple(scores), tuple(left_out))


def _check(results: Sequence[RoomResult]) -> None:
    entered = Counter((result.board, result.room) for result in results)
    for (board, room), times in entered.items():
        if times > 1:
            raise BadResult(board, f"room {room.value} has {times} results; keep the one that is signed")
    for result in results:
        check_finish(result.board, result.finish)


def check_finish(board: object, finish: tuple[Seat, ...]) -> None:
    """Raises BadResult unless `finish` names four seats, or two partners after a double-down."""
    different = len(set(finish)) == len(finish)
    double_down = len(finish) == 2 and different and finish[0].partner is finish[1]
    if not double_down and not (len(finish) == 4 and different):
        text = " ".join(seat.value for seat in finish) or "nobody"
        raise BadResult(board, f"finish {text} is neither four seats nor two partners")


@dataclass(frozen=True, slots=True)
class TableResult:
    """A board as one of many tables played it, with the names of its two pairs."""

    table: str
    cards: str
    ns: str
    ew: str
    finish: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PairScore:
    """A pair on one board, among those that sat the same way with the same cards.

    match_points: 2 for each such pair it did better than, 1 for each that did as well; `most` is the maximum.
    against_datum: its gain less the mean gain of them all, itself included; in levels.
    """

    pair: str
    table: str
    side: Pair
    gain: int
    match_points: int
    most: int
    against_datum: float


def score_field(board: object, results: Iterable[TableResult], steps: Steps = STEPS) -> tuple[PairScore, ...]:
    """Score one board over many tables, in the order given, NS before EW.

    Tables are compared only with those that played the same cards. Raises BadResult as `score_teams` does, and for a
    pair that is entered twice.
    """
    given = list(results)
    named = Counter(name for result in given for name in (result.ns, result.ew))
    if twice := next((name for name, times in named.items() if times > 1), None):
        raise BadResult(board, f"pair {twice!r} is entered twice")
    for result in given:
        check_finish(board, result.finish)
    gains = {result.table: signed_gain(result.finish, Pair.NS, steps) for result in given}
    if len(gains) < len(given):
        raise BadResult(board, "a table is entered twice")
    scores: list[PairScore] = []
    for result in given:
        others = [other.table for other in given if other.cards == result.cards and other is not result]
        for side, name in ((Pair.NS, result.ns), (Pair.EW, result.ew)):
            sign = 1 if side is Pair.NS else -1
            own, field = sign * gains[result.table], [sign * gains[table] for table in others]
            points = sum(2 if own > other else int(own == other) for other in field)
            mean = (own + sum(field)) / (1 + len(field))
            scores.append(PairScore(name, result.table, side, own, points, 2 * len(field), own - mean))
    return tuple(scores)
