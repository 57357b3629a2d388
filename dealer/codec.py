"""Facts to and from journal bodies, derived from the facts' own definitions.

`kind` is the class name in snake case; the body has one key per field. Cards, levels and ranks are texts, seats
and other enums their values, readings their JSON form, tuples lists. Secret fields (a card that has not been
laid) come apart from the body, to be sealed. Decoding is strict: what this version does not know is refused. A key
may be missing only where the fact has a default, so that records of earlier versions can be read.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from dealer.errors import BadRecord
from engine import facts
from engine.cards import Card, Level, Rank
from engine.combos import Reading
from engine.facts import CardDealt, CardReturned, Fact

Json = Any  # a JSON value; its form is checked by the decoder of the field
Body = dict[str, Json]

SECRET_FIELDS: Final[Mapping[type, frozenset[str]]] = {
    CardDealt: frozenset({"card"}),
    CardReturned: frozenset({"card"}),
}
"""Fields that may not stand in a readable body. Source: DESIGN, secrets."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A fact as a journal body. `secret` holds the fields to seal, None if the fact has none."""

    kind: str
    body: Body
    secret: Body | None = dataclasses.field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class _Form:
    """How one type is written and read."""

    write: Callable[[Any], Json]  # called with a value of that type only
    read: Callable[[Json], Any]  # gives a value of that type, or raises ValueError, TypeError or KeyError


def kind_of(fact_type: type) -> str:
    """`CardsLaid` -> `cards_laid`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", fact_type.__name__).lower()


FACT_OF_KIND: Final[Mapping[str, type]] = {kind_of(t): t for t in typing.get_args(Fact)}
"""Every fact class by its kind."""


def encode(fact: Fact) -> Encoded:
    """The journal form of a fact."""
    fact_type: type = type(fact)
    secret_names = SECRET_FIELDS.get(fact_type, frozenset())
    body: Body = {}
    secret: Body = {}
    for name, form in _forms(fact_type).items():
        value = operator.attrgetter(name)(fact)  # names come from the class's own definition
        (secret if name in secret_names else body)[name] = form.write(value)
    return Encoded(kind_of(fact_type), body, secret if secret_names else None)


def decode(kind: str, body: Mapping[str, Json], secret: Mapping[str, Json] | None = None) -> Fact:
    """The fact that `encode` wrote. Raises BadRecord on an unknown kind or key, a missing key or a bad value.

    The message names the key, never its value: the value may be secret.
    """
    fact_type = FACT_OF_KIND.get(kind)
    if fact_type is None:
        raise BadRecord(kind, "no such fact")
    if not isinstance(body, Mapping) or not isinstance(secret, Mapping | None):
        raise BadRecord(kind, "the body is not an object")
    forms = _forms(fact_type)
    given = {**body, **(secret or {})}
    if unknown := sorted(given.keys() - forms.keys()):
        raise BadRecord(kind, f"unknown key {unknown[0]!r}")
    optional = {f.name for f in dataclasses.fields(fact_type) if f.default is not dataclasses.MISSING}
    if missing := sorted(forms.keys() - given.keys() - optional):
        raise BadRecord(kind, f"key {missing[0]!r} is missing")
    values = {}
    for name, form in forms.items():
        if name not in given:
            continue  # a field that an earlier version did not know: its default says what was so then
        try:
            values[name] = form.read(given[name])
        except (ValueError, TypeError, KeyError, AttributeError):
            raise BadRecord(kind, f"key {name!r} has a bad value") from None  # the cause may quote a secret
    fact: Fact = fact_type(**values)
    return fact


@functools.cache
def _forms(fact_type: type) -> Mapping[str, _Form]:
    hints = typing.get_type_hints(fact_type, vars(facts))
    return {field.name: _form(hints[field.name]) for field in dataclasses.fields(fact_type)}


def _form(hint: Any) -> _Form:  # a type or a generic alias: typing has no common type for them
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in {typing.Union, types.UnionType}:
        return _optional(arguments)
    if origin is tuple:
        return _sequence(arguments)
    if not isinstance(hint, type):
        raise TypeError(f"no journal form for {hint}")
    if hint is Card:
        return _Form(operator.attrgetter("text"), lambda v: Card.parse(_text(v)))
    if hint in {Level, Rank}:
        return _Form(operator.attrgetter("text"), lambda v: hint.parse(_text(v)))
    if hint is Reading:
        return _Form(lambda r: r.to_json(), Reading.from_json)
    if issubclass(hint, Enum):
        return _Form(operator.attrgetter("value"), hint)
    if hint in {int, str, bool}:
        return _Form(lambda v: v, lambda v: _plain(hint, v))
    raise TypeError(f"no journal form for {hint}")


def _optional(arguments: tuple[Any, ...]) -> _Form:  # type hints
    inner = [a for a in arguments if a is not type(None)]
    if len(inner) != 1:
        raise TypeError(f"no journal form for a choice of {arguments}")
    form = _form(inner[0])
    return _Form(
        lambda v: None if v is None else form.write(v),
        lambda v: None if v is None else form.read(v),
    )


def _sequence(arguments: tuple[Any, ...]) -> _Form:  # type hints
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        form = _form(arguments[0])
        return _Form(
            lambda values: [form.write(v) for v in values],
            lambda values: tuple(form.read(v) for v in _list(values)),
        )
    forms = [_form(a) for a in arguments]
    return _Form(
        lambda values: [f.write(v) for f, v in zip(forms, values, strict=True)],
        lambda values: tuple(f.read(v) for f, v in zip(forms, _list(values), strict=True)),
    )


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _plain(wanted: type, value: Json) -> Json:
    if type(value) is not wanted:  # bool is an int to isinstance
        raise TypeError(f"not {wanted.__name__}")
    return value
