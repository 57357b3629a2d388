"""What a typed word may hold: visible characters only, so that a record or a screen cannot be made to lie."""

from __future__ import annotations

import unicodedata
from typing import Final

_FORBIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, bidirectional overrides and other invisible marks, surrogates, line separators (Unicode categories)."""


def is_plain(text: str) -> bool:
    """Whether `text` is one line of visible characters and plain spaces, and not only spaces."""
    return bool(text.strip()) and not any(unicodedata.category(c) in _FORBIDDEN for c in text)


def quoted(value: object, longest: int = 80) -> str:
    """`value` as it may be named in an answer: printable ASCII escapes, cut after `longest` characters."""
    text = ascii(value) if not isinstance(value, str) or not is_plain(value) else f"'{value}'"
    return text if len(text) <= longest else text[: longest - 1] + "…"
