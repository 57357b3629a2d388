"""`dealer read`: recognise the cards in pictures of any table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dealer.errors import BadInput
from vision.picture import BadPicture, PictureReading, read_picture


def read(
    images: Annotated[list[str], typer.Argument(metavar="IMAGE...", help="pictures to read")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON list")] = False,
    annotate: Annotated[Path | None, typer.Option(metavar="DIR", help="write a marked copy of each picture")] = None,
) -> None:
    """Recognise the cards in pictures. Unsure readings are listed as unsure."""
    try:
        readings = [read_picture(image, annotate) for image in images]
    except BadPicture as error:
        raise BadInput(str(error)) from error
    if as_json:
        print(json.dumps([reading.to_json() for reading in readings], ensure_ascii=False))
        return
    for reading in readings:
        print(_line(reading))


def _line(reading: PictureReading) -> str:
    cards = " ".join(found.card.text for found in reading.cards) or "no card"
    unsure = " ".join(found.guess.text for found in reading.unsure)
    return f"{reading.file}: {cards}" + (f"; unsure: {unsure}" if unsure else "")
