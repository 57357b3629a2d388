"""The packaged rulebooks. The only module of the engine that reads files, and only those packed with it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
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
    return build_rulebook(packaged_layers(name))


def packaged_layers(name: str) -> tuple[Plain, ...]:
    """Content of the packaged rulebook `name` and of what it extends, parent first. Raises UnknownRulebook."""
    if name not in known_rulebooks():
        raise UnknownRulebook(name, known_rulebooks())
    return layers_of(name, {known: _content(known) for known in known_rulebooks()})


@cache
def _content(name: str) -> Plain:
    return tomllib.loads((resources.files("engine") / "rulebooks" / f"{name}.toml").read_text("utf-8"))


def layers_of(name: str, contents: Mapping[str, Plain]) -> tuple[Plain, ...]:
    """Content of `name` and of what it extends, parent first. Raises BadRulebook for an unknown parent and a cycle."""
    chain = [name]
    while (parent := contents[chain[-1]].get("extends")) is not None:
        if not isinstance(parent, str) or parent not in contents:
            raise BadRulebook(chain[-1], f"extends names {parent!r}", f"choose one of {' '.join(contents)}")
        if parent in chain:
            raise BadRulebook(chain[-1], f"extends {parent!r}, which rests on it", "extend another, or nothing")
        chain.append(parent)
    return tuple(contents[link] for link in reversed(chain))
