"""An event's regulation: a published rulebook and the points that the event settles for itself.

Source: RULEBOOKS, glossary "regulation". A regulation extends exactly one published rulebook, never another regulation,
so that every change stands in one file, with its text and the person who approved it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.rulebook import POINTS, BadRulebook, Override, Plain, Regulation, Rulebook, UnknownRulebook
from engine.rulebook_layers import build_rulebook, refuse_unknown
from engine.rulebook_points import shown

REGULATION_KEYS: Final = ("id", "extends", "title_en", "title_zh", "overrides")
OVERRIDE_KEYS: Final = ("value", "text_zh", "text_en", "approver")
"""What a file may hold, and each of its tables [overrides.POINT]."""

_ID: Final = re.compile(r"\w[\w.-]{0,63}")


def is_regulation_id(text: str) -> bool:
    """Whether `text` may name a regulation: 1 to 64 letters of any script, digits, `-`, `_` and `.`."""
    return _ID.fullmatch(text) is not None


def build_regulation(content: Plain, layers_of: Callable[[str], Sequence[Plain]]) -> Rulebook:
    """The rulebook of a regulation's `content`, under an id and a hash of its own.

    The source of an overridden point is the regulation's own Chinese text. `layers_of` gives the layers of a published
    rulebook, parent first, and raises UnknownRulebook. Raises BadRulebook for an unknown key, point or parent, for a
    value of the wrong kind, and for an override without text or approver.
    """
    name = _text(content.get("id"), content, "id")
    refuse_unknown(name, "key", content, REGULATION_KEYS)
    if not is_regulation_id(name):
        raise BadRulebook(name, f"id is {name!r}", "write up to 64 letters, digits, - and _, without spaces")
    if _is_published(name, layers_of):
        raise BadRulebook(name, f"id {name!r} is that of a published rulebook", "write an id of its own")
    extends = _text(name, content, "extends")
    try:
        layers = layers_of(extends)
    except UnknownRulebook as error:
        wrong, _, remedy = str(error).partition("; ")
        raise BadRulebook(name, f"extends: {wrong}", remedy) from error
    overrides = content.get("overrides", {})
    if not isinstance(overrides, Mapping):
        raise BadRulebook(name, f"overrides is {shown(overrides)}", "write a table [overrides.POINT] for each point")
    refuse_unknown(name, "point", overrides, POINTS)
    notes = tuple(_override(name, point, table) for point, table in sorted(overrides.items()))
    title_zh, title_en = _text(name, content, "title_zh"), _text(name, content, "title_en")
    book = build_rulebook(
        (
            *layers,
            {
                "id": name,
                "title_en": title_en,
                "title_zh": title_zh,
                "source": f"{title_zh}; {layers[-1]['source']}",
                "points": {
                    note.point: {"value": overrides[note.point]["value"], "source": f"{title_zh}: {note.text_zh}"}
                    for note in notes
                },
            },
        )
    )
    return replace(book, regulation=Regulation(extends, notes))


def _is_published(name: str, layers_of: Callable[[str], Sequence[Plain]]) -> bool:
    try:
        layers_of(name)
    except UnknownRulebook:
        return False
    return True


def _override(name: str, point: str, table: object) -> Override:
    if not isinstance(table, Mapping):
        raise BadRulebook(name, f"overrides.{point} is {shown(table)}", f"write it as a table [overrides.{point}]")
    try:
        refuse_unknown(name, "key", table, OVERRIDE_KEYS)
    except BadRulebook as error:
        raise BadRulebook(name, f"overrides.{point}: {error.wrong}", error.remedy) from error
    if "value" not in table:
        raise BadRulebook(name, f"overrides.{point} has no value", "add it")
    zh, en, approver = (_text(name, table, key, f"overrides.{point}.") for key in OVERRIDE_KEYS[1:])
    return Override(point, zh, en, approver)


def _text(name: object, table: Plain, key: str, place: str = "") -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        found = f"is {shown(value)}, not a text" if key in table else "is missing"
        raise BadRulebook(name, f"{place}{key} {found}", "write it in quotation marks")
    return value
