"""A rulebook out of its files: layer upon layer, each point from the last that gives it. Strict: names file and key."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from itertools import product
from typing import Any, Final

from engine.cards import BadCard, BadSeat
from engine.rulebook import POINTS, BadRulebook, Origin, Plain, Rulebook
from engine.rulebook_points import BadPoint, Point, shown

LAYER_KEYS: Final = ("id", "extends", "borrows", "title_en", "title_zh", "source", "points")
"""What the file of a published rulebook may hold; `borrows`: see `engine.rulebook_data`."""
POINT_KEYS: Final = ("value", "source")
"""What a file says of a point."""


def build_rulebook(layers: Iterable[Plain]) -> Rulebook:
    """The rulebook of `layers`, parent first: a later layer overrides points of an earlier one, and names the whole.

    Raises BadRulebook for an unknown key or point, a point without value or source, a point that no layer has, and a
    value of the wrong kind; it names the layer that is wrong.
    """
    given: dict[str, tuple[object, str, str]] = {}
    last: Plain = {}
    for last in layers:
        owner = _text(last, "id")
        for name, (value, source) in read_layer(last).items():
            given[name] = (value, source, owner)
    whole_id = _text(last, "id")
    values: dict[str, Any] = {}  # each as the reader of its field makes it
    origins = []
    for name, known in POINTS.items():
        if name not in given:
            raise BadRulebook(whole_id, f"point {name!r} is missing", "add it, or extend a rulebook that has it")
        value, source, owner = given[name]
        values[name] = _read(owner, name, known, value)
        origins.append(Origin(name, source, owner if owner != whole_id else None))
    _refuse_early_forfeit(whole_id, values)
    return Rulebook(
        id=whole_id,
        title_en=_text(last, "title_en"),
        title_zh=_text(last, "title_zh"),
        source=_text(last, "source"),
        origins=tuple(origins),
        **values,
    )


def read_layer(layer: Plain) -> dict[str, tuple[object, str]]:
    """Value and source of each point that one file gives itself. Raises BadRulebook, naming id and key."""
    refuse_unknown(layer.get("id"), "key", layer, LAYER_KEYS)
    points = layer.get("points", {})
    if not isinstance(points, Mapping):
        raise BadRulebook(layer.get("id"), f"points is {shown(points)}, not a table", "write it as [points]")
    refuse_unknown(layer.get("id"), "point", points, POINTS)
    return {name: _entry(layer.get("id"), name, entry) for name, entry in points.items()}


def _refuse_early_forfeit(owner: str, values: Mapping[str, Any]) -> None:
    """Minutes late bring a warning before a foul and a foul before a forfeit, where both are regulated (X-3)."""
    warning, foul, *forfeits = ("late_warning_min", "late_foul_min", "late_forfeit_over_min", "late_forfeit_from_min")
    for mild, severe in ((warning, foul), *product((warning, foul), forfeits)):
        if values[mild] is not None and values[severe] is not None and values[mild] > values[severe]:
            wrong = f"{mild} is {values[mild]}, more than {severe}, which is {values[severe]}"
            raise BadRulebook(owner, wrong, "write limits that rise from warning to foul to forfeit")


def _entry(owner: object, name: str, entry: object) -> tuple[object, str]:
    if not isinstance(entry, Mapping):
        raise BadRulebook(owner, f"points.{name} is {shown(entry)}", 'write { value = ..., source = "..." }')
    refuse_unknown(owner, f"key of points.{name}", entry, POINT_KEYS)
    if "value" not in entry:
        raise BadRulebook(owner, f"points.{name} has no value", "add it")
    source = entry.get("source")
    if not isinstance(source, str) or not source.strip():
        wrong = f"points.{name}.source is {shown(source)}" if "source" in entry else f"points.{name} has no source"
        raise BadRulebook(owner, wrong, "name the document and the place in it")
    return entry["value"], source


def _read(owner: str, name: str, known: Point, value: object) -> object:
    try:
        return known.read(value)
    except BadPoint as error:
        raise BadRulebook(owner, f"{name} {error.wrong}", error.remedy) from error
    except (BadCard, BadSeat) as error:
        wrong, _, remedy = str(error).partition("; ")
        raise BadRulebook(owner, f"{name}: {wrong}", remedy) from error


def _text(layer: Plain, key: str) -> str:
    value = layer.get(key)
    if not isinstance(value, str) or not value:
        raise BadRulebook(
            layer.get("id"), f"{key} is {shown(value)}, not a text" if key in layer else f"{key!r} is missing"
        )
    return value


def refuse_unknown(rulebook: object, what: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise BadRulebook for the first of `given` that is not among `known`, with the nearest that is."""
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            listed = "a point of `core`" if what == "point" else f"one of {' '.join(known)}"
            remedy = f"did you mean {near[0]!r}?" if near else f"write {listed}, or leave it out"
            raise BadRulebook(rulebook, f"unknown {what} {name!r}", remedy)
