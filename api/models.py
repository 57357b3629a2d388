"""What a person may send, checked before it becomes a command. Fields that are not listed are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from api.words import is_plain
from engine.cards import BadCard, Card, Seat
from engine.combos import BadReading, Reading
from engine.facts import Judgement


def _plain(text: str) -> str:
    if not is_plain(text):
        raise ValueError("write one line of visible characters")
    return text


def _plain_or_empty(text: str) -> str:
    return _plain(text) if text else text


def _card(text: str) -> str:
    try:
        return Card.parse(text).text
    except BadCard as error:
        raise ValueError(str(error)) from None


AlertId = Annotated[str, StringConstraints(pattern=r"^\S{1,64}-\d{1,15}$")]
"""`TABLE-RECORD`, as in the alert."""
Reason = Annotated[str, StringConstraints(min_length=1, max_length=300, strip_whitespace=True), AfterValidator(_plain)]
Penalty = Annotated[str, StringConstraints(max_length=300, strip_whitespace=True), AfterValidator(_plain_or_empty)]
CardText = Annotated[str, AfterValidator(_card)]


class Sent(BaseModel):
    """A body: immutable, nothing but the listed fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Nothing(Sent):
    """A body without fields; may also be left out."""


class DismissBody(Sent):
    reason: Reason


class RuleBody(Sent):
    judgement: Judgement
    penalty: Penalty = ""


class ReadingBody(Sent):
    """A reading of RULEBOOKS section 11: `type` and the keys of that type."""

    type: Annotated[str, StringConstraints(max_length=20)]
    rank: Annotated[str, StringConstraints(max_length=2)] | None = None
    pair: Annotated[str, StringConstraints(max_length=2)] | None = None
    high: Annotated[str, StringConstraints(max_length=2)] | None = None
    suit: Annotated[str, StringConstraints(max_length=1)] | None = None
    size: Annotated[int, Field(ge=4, le=10)] | None = None

    def to_reading(self) -> Reading:
        """Raises BadReading."""
        return Reading.from_json(self.model_dump(exclude_none=True))


class HoldCommand(Sent):
    kind: Literal["hold"]


class ResumeCommand(Sent):
    kind: Literal["resume"]


class StartDealCommand(Sent):
    kind: Literal["start_deal"]


class DeclareCommand(Sent):
    """What the player said his play means; answers a `needs_declaration` alert."""

    kind: Literal["declare"]
    alert: AlertId
    reading: ReadingBody


class AnswerCommand(Sent):
    """What lay there, left to right as that player sees it; no cards: it was a pass."""

    kind: Literal["answer"]
    question: Annotated[int, Field(ge=1)]
    cards: Annotated[tuple[CardText, ...], Field(max_length=27)]


class EnterFinishCommand(Sent):
    """The finishing order of a deal that no camera watched."""

    kind: Literal["enter_finish"]
    order: Annotated[tuple[Seat, ...], Field(min_length=2, max_length=4)]


CommandBody = Annotated[
    HoldCommand | ResumeCommand | StartDealCommand | DeclareCommand | AnswerCommand | EnterFinishCommand,
    Field(discriminator="kind"),
]

__all__ = ["BadReading", "CommandBody", "DismissBody", "Nothing", "RuleBody", "Sent"]
