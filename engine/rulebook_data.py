"""The packaged rulebooks. The only module of the engine that reads files, and only those packed with it.

A file names its parent in `extends`. Where it takes a group of points from another rulebook than its parent, `borrows`
says so: what that rulebook's own file gives in the group comes before what the parent has (G-1).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from engine.rulebook import POINTS, BadRulebook, Plain, Rulebook, UnknownRulebook
from engine.rulebook_layers import build_rulebook, refuse_unknown
from engine.rulebook_points import Group

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


def stages_of(name: str) -> tuple[Rulebook, ...]:
    """The packaged rulebook `name`, or each stage of one that has several. Raises UnknownRulebook."""
    names = [known for known in known_rulebooks() if known == name or known.startswith(f"{name}/")]
    if not names:
        raise UnknownRulebook(name, known_rulebooks())
    return tuple(map(load_rulebook, names))


def packaged_layers(name: str) -> tuple[Plain, ...]:
    """Content of the packaged rulebook `name` and of what it rests on, parent first. Raises UnknownRulebook."""
    if name not in known_rulebooks():
        raise UnknownRulebook(name, known_rulebooks())
    return layers_of(name, {known: _content(known) for known in known_rulebooks()})


@cache
def _content(name: str) -> Plain:
    return parse_layer(name, (resources.files("engine") / "rulebooks" / f"{name}.toml").read_text("utf-8"))


def parse_layer(name: str, text: str) -> Plain:
    """Content of the file of rulebook `name`. Raises BadRulebook if it is no TOML or has the id of another file."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadRulebook(name, f"is not TOML ({error})", "mend that place") from error
    if content.get("id") != name:
        raise BadRulebook(name, f"id is {content.get('id')!r}", f"write {name!r}, as the file is named")
    return content


def layers_of(name: str, contents: Mapping[str, Plain]) -> tuple[Plain, ...]:
    """Content of `name` and of all that it rests on, parent first, as `build_rulebook` takes it.

    Before each link of the chain of parents stand the points that it borrows. Raises BadRulebook for an unknown
    parent, group or lender, and for a circle of parents.
    """
    chain = [name]
    while (parent := contents[chain[-1]].get("extends")) is not None:
        if not isinstance(parent, str) or parent not in contents:
            raise BadRulebook(chain[-1], f"extends names {parent!r}", f"choose one of {' '.join(contents)}")
        if parent in chain:
            raise BadRulebook(chain[-1], f"extends {parent!r}, which rests on it", "extend another, or nothing")
        chain.append(parent)
    return tuple(layer for link in reversed(chain) for layer in (*_borrowed(link, contents), contents[link]))


def _borrowed(name: str, contents: Mapping[str, Plain]) -> Iterator[Plain]:
    """The points that `name` borrows, one layer a group, under the id of the lender."""
    borrows = contents[name].get("borrows", {})
    if not isinstance(borrows, Mapping):
        raise BadRulebook(name, f"borrows is {borrows!r}, not a table", "write it as [borrows]")
    refuse_unknown(name, "group", borrows, [group.value for group in Group])
    for group, lender in borrows.items():
        if not isinstance(lender, str) or lender not in contents:
            wrong = f"borrows.{group} names {lender!r}"
            raise BadRulebook(name, wrong, f"choose one of {' '.join(contents)}")
        lent = contents[lender].get("points", {})
        if isinstance(lent, Mapping):
            lent = {point: entry for point, entry in lent.items() if point in POINTS and POINTS[point].group == group}
        yield {"id": lender, "points": lent}
