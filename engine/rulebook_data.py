"""The packaged rulebooks. The only module of the engine that reads files, and only those packed with it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from engine.rulebook import BadRulebook, Plain, Rulebook, UnknownRulebook, build_rulebook

DEFAULT = "competitive-2022"
"""The rulebook of a table that was told nothing else."""


@cache
def known_rulebooks() -> tuple[str, ...]:
    """Ids of all packaged rulebooks, sorted; `core` holds what is true under every rulebook."""
    return tuple(sorted(_names(resources.files("engine") / "rulebooks", "")))


def _names(folder: Traversable, prefix: str) -> Iterator[str]:
    """Ids in a folder; a rulebook of several stages is a folder of its own."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _names(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".toml"):
            yield prefix + entry.name.removesuffix(".toml")


@cache
def load_rulebook(name: str) -> Rulebook:
    """The packaged rulebook `name`. Raises UnknownRulebook, which lists the known ids."""
    layers: list[Plain] = []
    wanted: object = name
    while wanted is not None:
        if not isinstance(wanted, str) or wanted not in known_rulebooks():
            raise UnknownRulebook(wanted, known_rulebooks())
        layer = tomllib.loads((resources.files("engine") / "rulebooks" / f"{wanted}.toml").read_text("utf-8"))
        if layer in layers:
            raise BadRulebook(name, "extends itself")
        layers.append(layer)
        wanted = layer.get("extends")
    return build_rulebook(reversed(layers))
