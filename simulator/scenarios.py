"""What the people at the table are up to: scenarios by name, each with a director who says what happens next."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from simulator.device import Stacker
from simulator.game import Act, Game, Lay, Pass
from simulator.players import choose
from simulator.staging import Stacking, ViolationsDirector


class Director(Protocol):
    """Says what happens next at the table. Scenarios differ in it."""

    def begin(self, game: Game) -> None:
        """A deal has been dealt."""
        ...

    def next_act(self, game: Game) -> Act:
        """What happens next. May be asked again before it has happened."""
        ...

    def performed(self, act: Act) -> None:
        """The act has happened."""
        ...


class CleanDirector:
    """Everybody keeps the rules."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def begin(self, game: Game) -> None:
        pass

    def next_act(self, game: Game) -> Act:
        seat = game.turn
        play = choose(game.view(seat), self._rng)
        return Lay(seat, play.cards, play.reading) if play is not None else Pass(seat)

    def performed(self, act: Act) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. `stacker` makes the feed order of a machine with this seed, None leaves it shuffled."""

    name: str
    title_en: str
    title_zh: str
    director: Callable[[random.Random], Director]
    stacker: Callable[[int], Stacker | None]
    needs_camera: bool = False
    """Without a camera nobody notices what it stages; then people play as in `clean`."""


_ALL: Final = (
    Scenario("clean", "Everybody keeps the rules", "规规矩矩打牌", CleanDirector, lambda _: None),
    Scenario(
        "violations",
        "Five kinds of violation in the first deal",
        "首副牌出现五种违规",
        ViolationsDirector,
        Stacking,
        needs_camera=True,
    ),
)

SCENARIOS: Final[Mapping[str, Scenario]] = MappingProxyType({scenario.name: scenario for scenario in _ALL})
"""Every scenario by name."""
