"""Who may ask: actors, their roles and the bearer tokens that name them."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final

from api.words import is_plain

SHORTEST_TOKEN: Final = 22
"""Characters of a URL-safe token of 128 bits (ASVS 5.0, V6: unguessable tokens)."""
LONGEST_NAME: Final = 64


class BadToken(ValueError):
    """A token that would be too easy to guess. The text never holds the token."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the token of {name!r} is shorter than {SHORTEST_TOKEN} characters or holds other characters than "
            "A-Z a-z 0-9 . _ ~ -; make one with secrets.token_urlsafe(32)"
        )


class BadActor(ValueError):
    """A name that could not stand in the record."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name[:80]!r} is not a name; write 1 to {LONGEST_NAME} visible characters")


class Role(StrEnum):
    """What an actor may see and do. A viewer sees what lies open; a referee sees evidence and rules."""

    VIEWER = "viewer"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Actor:
    """A person or program behind a token; `name` goes into the record of every act. Raises BadActor."""

    name: str
    role: Role

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= LONGEST_NAME or not is_plain(self.name):
            raise BadActor(self.name)


class Tokens:
    """The tokens in force. Only their digests are kept, so that no dump of this object gives one away."""

    def __init__(self, actors: Mapping[str, Actor]) -> None:
        """Raises BadToken for a token that is too short or cannot stand in a header."""
        for token, actor in actors.items():
            if len(token) < SHORTEST_TOKEN or not all(c.isascii() and (c.isalnum() or c in "._~-") for c in token):
                raise BadToken(actor.name)
        self._actors = tuple((_digest(token), actor) for token, actor in actors.items())

    def actor_of(self, presented: str) -> Actor | None:
        """The actor whose token this is. Every token is compared, each in constant time."""
        digest = _digest(presented)
        found: Actor | None = None
        for known, actor in self._actors:
            if hmac.compare_digest(known, digest):
                found = actor
        return found


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogateescape")).digest()
