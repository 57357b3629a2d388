"""Ways to pass. Source: RULEBOOKS 3.2 (pass form), I15."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class PassForm(StrEnum):
    """How a player shows that he passes."""

    SAY_PASS = "say_pass"
    KNOCK = "knock"
    DOUBLE_KNOCK = "double_knock"
    PASS_CARD = "pass_card"


@dataclass(frozen=True, slots=True)
class PassVerdict:
    """Whether a pass was shown properly, and which forms would have been proper if not."""

    ok: bool
    required: tuple[PassForm, ...] = ()


@dataclass(frozen=True, slots=True)
class _Forms:
    allowed: tuple[PassForm, ...]
    one_per_game: bool = False


_RULES: Final[Mapping[str, _Forms]] = MappingProxyType(
    {
        "any": _Forms(tuple(PassForm)),
        "pass_card": _Forms((PassForm.PASS_CARD,)),
        "say_or_double_knock": _Forms((PassForm.SAY_PASS, PassForm.DOUBLE_KNOCK)),
        "one_of_say_or_knock_per_game": _Forms((PassForm.SAY_PASS, PassForm.KNOCK), one_per_game=True),
    }
)
PASS_RULES: Final = tuple(_RULES)
"""Names that a rulebook's `pass_forms` may have."""


def judge_pass(form: PassForm, earlier: PassForm | None, pass_forms: str) -> PassVerdict:
    """Judge one pass under a rulebook's `pass_forms`. `earlier`: the player's form so far in this game, if any.

    Where a knock is a form, the text does not count knocks: two are one.
    """
    rule = _RULES[pass_forms]
    if form is PassForm.DOUBLE_KNOCK and form not in rule.allowed and PassForm.KNOCK in rule.allowed:
        form = PassForm.KNOCK
    if earlier is PassForm.DOUBLE_KNOCK and earlier not in rule.allowed:
        earlier = PassForm.KNOCK
    if rule.one_per_game and earlier in rule.allowed:
        return PassVerdict(True) if form is earlier else PassVerdict(False, (earlier,))
    return PassVerdict(True) if form in rule.allowed else PassVerdict(False, rule.allowed)
