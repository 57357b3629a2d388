"""Access tokens of a running controller: made once, kept in a 0600 file beside the sealing key."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

from api.access import Actor, Role
from dealer.errors import BadInput


def load_or_make(path: Path) -> dict[str, Actor]:
    """Tokens of a referee and a viewer; made with their file when it is absent. Raises BadInput for a damaged file."""
    if not path.exists():
        made = {"referee": secrets.token_urlsafe(24), "viewer": secrets.token_urlsafe(24)}
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(made, file)
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return {str(held[role.value]): Actor(role.value, role) for role in (Role.REFEREE, Role.VIEWER)}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: not a token file ({type(error).__name__}); delete it to make new tokens") from error


def token_of(tokens: dict[str, Actor], role: Role) -> str:
    """The token of a role."""
    return next(token for token, actor in tokens.items() if actor.role is role)
