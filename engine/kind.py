"""What a kind of finding is: code, name, severity and words. Source: RULEBOOKS section 6."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How loud a finding is. Source: RULEBOOKS section 6."""

    INFO = "info"
    """Log only."""
    WARN = "warn"
    """On the referee's screen."""
    ALERT = "alert"
    """Stopping play is advised."""
    CRITICAL = "critical"
    """For the chief referee."""


class Input(StrEnum):
    """What a finding is judged from, by its letter in RULEBOOKS section 6."""

    DEALT = "a"
    """The dealt hands, known to the dealing machine."""
    SEEN = "b"
    """Cards and zones that the table camera sees."""
    TIMED = "c"
    """The table's clocks."""
    PERSON = "d"
    """A person: referee key, spoken word, score entry."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding and its words.

    inputs: what it is judged from; empty where it follows from other findings. hidden: it rests on hidden hands, so
    only referees may know of it. by_person: no machine notices it; it is a finding once a person has entered it.
    article: document and place, with the sections and decisions of RULEBOOKS. Penalties differ by rulebook:
    `engine.suggestions`; so may the correction, where a rulebook prints one of its own.
    """

    code: str
    name: str
    severity: Severity
    inputs: tuple[Input, ...]
    title_en: str
    title_zh: str
    article: str
    correction: str
    correction_zh: str
    hidden: bool = False
    by_person: bool = False
