"""Facts: what happened at the table. A fact may break the rules; it is still a fact.

Facts are values. The journal numbers them; `engine.advance.advance` folds them. A field named `record` or
`action` is the journal number of an earlier fact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.cards import Card, Level, Pair, Seat
from engine.combos import Reading
from engine.passing import PassForm


class Judgement(StrEnum):
    """What a referee ordered about a play, after looking at it."""

    TAKE_BACK = "take_back"
    """The cards return to the hand; the seat in turn plays anew."""
    LET_STAND = "let_stand"
    """The play counts as it lies."""
    NOTED = "noted"
    """Nothing on the table changes (a machine or count matter was put right)."""


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match begins under a rulebook; both sides start at the given levels.

    deals_limit: it ends after so many deals if nobody is past A before; None: no such limit.
    knock_out: there has to be a winner (M-3).
    notices: kinds of findings, of those in `engine.state.NOTICED`, that this table can see and therefore judges.
    """

    rulebook: str
    rulebook_hash: str
    play_order: tuple[Seat, ...]
    level_ew: Level = Level.TWO
    level_ns: Level = Level.TWO
    deals_limit: int | None = None
    knock_out: bool = False
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DealStarted:
    """The machine begins deal `deal_no`. `generator`: `system` or `seeded`; `plan_hash` commits to the seats."""

    deal_no: int
    level: Level
    declarer: Pair | None
    generator: str
    plan_hash: str


@dataclass(frozen=True, slots=True)
class CardDealt:
    """Card number `index` (feed order, 0..107) fell into a seat's pocket. `card`: secret until laid; None: not read."""

    index: int
    seat: Seat
    card: Card | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class DealCompleted:
    """The machine says it is done, with its own pocket counts in play order of the match."""

    counts: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class LeaderDrawn:
    """The physical card `index` was drawn as the turned-up card; its holder leads deal 1 (D-1)."""

    index: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandTaken:
    """A hand left its pocket."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HandConfirmed:
    """A player answered the 27-card question (D-8). `count` is what he counted."""

    seat: Seat
    count: int = 27


@dataclass(frozen=True, slots=True)
class TributeGiven:
    """A seat laid a card open as tribute (进贡). A second one in its place is the first put right."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardReturned:
    """A seat that took the tribute of `to` gave a card back to it (还贡)."""

    seat: Seat
    to: Seat
    card: Card = field(repr=False)
    """It goes face down: secret until it is laid."""


@dataclass(frozen=True, slots=True)
class JokersShown:
    """Seats that owe tribute showed both big jokers, one each or both in one hand (抗贡)."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class LeaderNamed:
    """A score sheet, a pair or a referee said who leads the first trick of this deal (T-11, P-8)."""

    seat: Seat
    by: str


@dataclass(frozen=True, slots=True)
class CardsLaid:
    """A seat laid cards face up in its play zone, listed left to right as that player sees them."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat passed. `form`: how it showed that; None: not known."""

    seat: Seat
    form: PassForm | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """A seat said what its standing play means (C-10.1)."""

    seat: Seat
    reading: Reading


@dataclass(frozen=True, slots=True)
class CountReported:
    """A seat put its report card out with a number of cards left."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class ZoneCleared:
    """A seat's play zone is empty again (cards turned over into the discard zone, or taken back)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Held:
    """Play is to wait: by a referee's tap or a player's call. `alert` is the alert it answers, if any."""

    by: str
    alert: str | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """A hold ended."""

    by: str


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A person has seen an alert and is on it."""

    alert: str
    by: str


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A person judged an alert to be unfounded, with the reason."""

    alert: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """A person ruled on an alert. `record` is the journal number of the fact that it concerns."""

    alert: str
    record: int
    seat: Seat | None
    judgement: Judgement
    by: str
    penalty: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """A person told what a play was that the camera could not read; it counts as that play."""

    question: int
    seat: Seat
    cards: tuple[Card, ...]
    """Empty: it was a pass."""
    by: str


@dataclass(frozen=True, slots=True)
class FinishEntered:
    """A person entered the finishing order of a deal that no camera watched (two seats after a double-down)."""

    order: tuple[Seat, ...]
    by: str


@dataclass(frozen=True, slots=True)
class DealAwarded:
    """A foul ended the deal: the offender's side is double-down (双下).

    The next deal knows no tribute, and `leader` leads it; None: the offender's right-hand neighbour (RULEBOOKS 4.1).
    """

    offender: Seat
    by: str
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class TimeCalled:
    """The time of the match is up; the deal in play is sealed (M-1)."""

    by: str


@dataclass(frozen=True, slots=True)
class MatchForfeited:
    """A side forfeits the match, or withdrew before it began (S-2)."""

    side: Pair
    by: str
    withdrew: bool = False


@dataclass(frozen=True, slots=True)
class MatchAwarded:
    """A side lost the match by penalty: awarded defeat (判负, RULEBOOKS 4.3)."""

    offender: Pair
    by: str


@dataclass(frozen=True, slots=True)
class CardsCollected:
    """All cards are back in the machine: its count."""

    count: int


Fact = (
    MatchStarted
    | DealStarted
    | CardDealt
    | DealCompleted
    | LeaderDrawn
    | HandTaken
    | HandConfirmed
    | TributeGiven
    | CardReturned
    | JokersShown
    | LeaderNamed
    | CardsLaid
    | Passed
    | Declared
    | CountReported
    | ZoneCleared
    | Held
    | Resumed
    | Acknowledged
    | Dismissed
    | Ruled
    | Answered
    | FinishEntered
    | DealAwarded
    | TimeCalled
    | MatchForfeited
    | MatchAwarded
    | CardsCollected
)
