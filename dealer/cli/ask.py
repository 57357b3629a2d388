"""`dealer rules ask`: set a position up from text, then ask what the rules say of it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from dealer.answers import Document, laid, plays, stands
from dealer.errors import BadInput
from dealer.regulation import rulebook_of
from dealer.text_file import decode_text, read_text
from engine.cards import BadCard, BadSeat, Card, Seat, parse_cards
from engine.combos import Reading
from engine.position import BadPosition
from engine.position_reader import parse_position
from engine.position_setup import set_up
from engine.state import Match

MOST_BYTES = 64 * 1024
"""A position is a few lines."""


def ask(
    file: Annotated[str, typer.Argument(metavar="FILE", help="position as text; - for standard input")],
    cards: Annotated[
        str | None, typer.Option(help='cards of the seat, left to right as laid: "7S 7H"; or pass')
    ] = None,
    seat: Annotated[str | None, typer.Option(help="whose plays and cards; else who is in turn")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
) -> None:
    """Say of a position who is in turn, what is owed, what may be laid, and what given cards count as."""
    text = _text(file)
    try:
        position = parse_position(text, rulebook_of)
        book = rulebook_of(position.rulebook)
        outcome = set_up(position, book)
    except (BadPosition, BadInput) as error:
        raise BadInput(f"{file}: {error}") from error
    match = outcome.state
    asked = _seat(seat)
    given = _cards(cards)
    document = stands(match, outcome.findings, book)
    whose = asked or (match.deal.turn if match.deal is not None else None)
    document["plays"] = plays(match, whose, book) if whose is not None else None
    document["cards"] = None
    if given is not None:
        document["cards"] = laid(match, whose or _only_one_who_owes(document), given, book)
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
    else:
        print("\n".join(_lines(document, match)))


def _text(file: str) -> str:
    """The text of a file or of standard input. Raises BadInput."""
    remedy = "give the file of a position, or - for standard input"
    if file != "-":
        return read_text(Path(file), MOST_BYTES, remedy)
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    except (OSError, AttributeError) as error:  # a closed standard input is None
        raise BadInput("-: cannot be read", remedy) from error
    return decode_text("-", data, MOST_BYTES, remedy)


def _seat(text: str | None) -> Seat | None:
    try:
        return None if text is None else Seat.parse(text)
    except BadSeat as error:
        raise BadInput(f"--seat: {error}") from error


def _cards(text: str | None) -> tuple[Card, ...] | None:
    """The cards, none for a pass; None if nothing was asked. Raises BadInput."""
    if text is None:
        return None
    try:
        cards = () if text == "pass" else parse_cards(text.split())
    except BadCard as error:
        raise BadInput(f"--cards: {error}") from error
    if not text.strip():
        raise BadInput("--cards '': no cards", "write them with blanks between, as 7S 7H, or pass")
    for card, copies in Counter(cards).items():
        if copies > 2:
            raise BadInput(f"--cards: {card.text} is there {copies} times", "two packs hold it twice")
    return cards


def _only_one_who_owes(document: Document) -> Seat:
    """Whose card it is where nobody is in turn."""
    seats = {debt["seat"] for debt in document["owed"] if "seat" in debt}
    if len(seats) != 1:
        raise BadInput("--cards: nobody is in turn", "say by --seat whose cards they are")
    return Seat(seats.pop())


def _lines(document: Document, match: Match) -> Iterator[str]:
    side = document["declarer"] or "deal 1"
    sizes = ", ".join(f"{seat.value} {document['hand_sizes'][seat.value]}" for seat in match.play_order)
    yield f"{document['rulebook']}, level {document['level']} ({side}); cards left: {sizes}"
    yield from _standing(document)
    yield from _found(document)
    if document["plays"] is not None:
        yield from _plays(document["plays"], lead=document["stands"] is None)
    if document["cards"] is not None:
        yield from _laid(document["cards"], exchange=document["phase"] == "tribute")


def _standing(document: Document) -> Iterator[str]:
    best = document["stands"]
    if best is not None:
        since = f"{best['passes']} passed since" if best["passes"] else "nobody has passed since"
        yield f"stands: {best['words']} of {best['seat']} ({' '.join(best['cards'])}); {since}"
    if document["phase"] == "over":
        yield f"the deal is over: {' '.join(document['out'])}"
    elif document["phase"] == "tribute":
        yield "in turn: nobody before the exchange is done"
    elif document["turn"] is None:
        yield "in turn: whoever begins"
    elif best is None:
        yield f"in turn: {document['turn']}, who leads"
    else:
        yield f"in turn: {document['turn']}; if all pass, {document['leads']} leads"
    for debt in document["owed"]:
        yield f"owed: {_debt(debt)}"


def _debt(debt: Document) -> str:
    match debt["owes"]:
        case "tribute":
            return f"tribute by {debt['seat']}: {_or(debt['options'])}"
        case "return":
            return f"return by {debt['seat']} to {debt['to']}: {_or(debt['options'])}"
        case "jokers":
            return f"no tribute: {' and '.join(debt['seats'])} hold both big jokers and show them"
        case "report":
            form = "by card" if debt["form"] == "card" else "spoken"
            return f"report by {debt['seat']}: {debt['count']} cards left, {form}"
        case _:
            return f"declaration by {debt['seat']}: {_or(debt['words'])}"


def _or(options: list[str] | None) -> str:
    return "not known, as the hand is not" if options is None else " or ".join(options) or "nothing"


def _found(document: Document) -> Iterator[str]:
    for found in document["findings"]:
        detail = ", ".join(f"{key} {value}" for key, value in found["detail"].items())
        of = f" of {found['seat']}" if found["seat"] is not None else ""
        yield f"finding{of}: {found['code']} {found['name']} ({found['severity']}){': ' + detail if detail else ''}"


def _plays(found: Document, *, lead: bool) -> Iterator[str]:
    if found["readings"] is None:
        yield f"{found['seat']} may lay: not known, as the hand is not"
        return
    count = f"readings {len(found['readings'])}, sets of cards {found['sets_of_cards']}"
    yield f"{found['seat']} may {'lead' if lead else 'pass, or lay'} ({count}):"
    by_type: dict[str, list[str]] = {}
    for play in found["readings"]:
        by_type.setdefault(play["reading"]["type"], []).append(play["words"].partition(" ")[2])
    for kind, keys in by_type.items():
        yield f"  {kind}: {', '.join(filter(None, keys)) or 'yes'}"


def _laid(cards: Document, *, exchange: bool) -> Iterator[str]:
    yield f"{' '.join(cards['cards']) or 'pass'} of {cards['seat']}"
    if cards["cards"] and not exchange:
        yield from _meaning(cards)
    if cards.get("missing"):
        yield f"  not in the hand: {' '.join(cards['missing'])}"
    yield from (f"  {line}" for line in (*_found(cards["after"]), *_standing(cards["after"])))


def _meaning(cards: Document) -> Iterator[str]:
    yield f"  may mean: {_words(cards['readings'])}"
    if cards["chosen"] is not None:
        assumed = ", the highest" if cards["assumed"] else ""
        yield f"  counts here as: {_words([cards['chosen']])}{assumed}"
    elif cards["needs_declaration"]:
        yield f"  counts here as: what {cards['seat']} declares, {_words(cards['legal'])}"
    else:
        yield f"  counts here as: nothing ({cards['reason']})"


def _words(forms: list[Document]) -> str:
    return " or ".join(str(Reading.from_json(form)) for form in forms) or "nothing"
