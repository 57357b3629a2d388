"""Records of a table's journal: their form, their canonical text and the hash that chains them.

A record's hash covers a domain text and the RFC 8785 form of every field, the sealed part by its own hash, so
that a record can be checked by someone who may not open it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

import rfc8785

from dealer.errors import BadRecord

DOMAIN: Final = b"guandan-dealer/journal-record/1\x00"
"""Keeps these hashes apart from any other SHA-256 in the system."""

GENESIS: Final = "0" * 64
"""`prev` of record 1."""

MAX_BODY_BYTES: Final = 64 * 1024
"""Largest body or sealed part: a deal's plan is under 1 KiB, so anything near this is a fault of the caller."""

_WRITER: Final = json.JSONEncoder(ensure_ascii=False)  # as RFC 8785 writes texts
_READER: Final = json.JSONDecoder()
_BODY_KEY: Final = '"body":'  # follows `at_utc`, which holds no quote
_TEXT_KEYS: Final = ("at_utc", "boot", "source", "role", "kind", "prev", "hash")
_NUMBER_KEYS: Final = ("number", "mono_ns")

Body = dict[str, Any]  # a JSON object


class Role(StrEnum):
    """What a record is to the fold."""

    FACT = "fact"
    FINDING = "finding"
    CONDITION = "condition"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a caller wants recorded. `sealed` is an encrypted part (seal.py), never plain text."""

    source: str
    role: Role
    kind: str
    body: Body
    sealed: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Record:
    """One record as it stands in the journal. `mono_ns` is comparable only between records of one `boot`."""

    number: int
    at_utc: str
    mono_ns: int
    boot: str
    source: str
    role: Role
    kind: str
    body: Body
    sealed: bytes | None = field(repr=False)
    prev: str
    hash: str


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a batch was written."""

    at_utc: str
    mono_ns: int
    boot: str


@dataclass(frozen=True, slots=True)
class Row:
    """A record with its body as canonical text: what is stored and hashed."""

    number: int
    at_utc: str
    mono_ns: int
    boot: str
    source: str
    role: str
    kind: str
    body: str
    sealed: bytes | None
    prev: str
    hash: str

    def follows(self, number: int, prev: str) -> bool:
        """Whether this row is intact and comes right after the row `number` whose hash is `prev`."""
        return self.number == number + 1 and self.prev == prev and self.hash == row_hash(self)

    def to_record(self) -> Record:
        """The record. Raises BadRecord if the body is not a JSON object or the role is unknown."""
        try:
            body, role = json.loads(self.body), Role(self.role)
        except ValueError as error:
            raise BadRecord(self.kind, "body or role cannot be read") from error
        if not isinstance(body, dict):
            raise BadRecord(self.kind, "body is not a JSON object")
        return Record(
            number=self.number,
            at_utc=self.at_utc,
            mono_ns=self.mono_ns,
            boot=self.boot,
            source=self.source,
            role=role,
            kind=self.kind,
            body=body,
            sealed=self.sealed,
            prev=self.prev,
            hash=self.hash,
        )

    def to_line(self) -> bytes:
        """The row as one line of the text copy, newline included."""
        sealed = "null" if self.sealed is None else f'"{base64.b64encode(self.sealed).decode()}"'
        return (
            f'{{"at_utc":{_text(self.at_utc)},"body":{self.body},"boot":{_text(self.boot)},"hash":"{self.hash}",'
            f'"kind":{_text(self.kind)},"mono_ns":{self.mono_ns},"number":{self.number},"prev":"{self.prev}",'
            f'"role":{_text(self.role)},"sealed":{sealed},"source":{_text(self.source)}}}\n'
        ).encode()

    @classmethod
    def from_line(cls, line: bytes) -> Row | None:
        """The row of one line of the text copy; None if the line is not a whole row. The hash is not checked.

        The body is taken as it is written, since the hash covers its exact text.
        """
        try:
            text = line.decode()
            given = json.loads(text)
            _, end = _READER.raw_decode(text, start := text.index(_BODY_KEY) + len(_BODY_KEY))
            sealed = given["sealed"]
            if not all(type(given[key]) is str for key in _TEXT_KEYS) or not all(
                type(given[key]) is int for key in _NUMBER_KEYS
            ):
                return None
            return cls(
                number=given["number"],
                at_utc=given["at_utc"],
                mono_ns=given["mono_ns"],
                boot=given["boot"],
                source=given["source"],
                role=given["role"],
                kind=given["kind"],
                body=text[start:end],
                sealed=None if sealed is None else base64.b64decode(sealed, validate=True),
                prev=given["prev"],
                hash=given["hash"],
            )
        except (ValueError, TypeError, KeyError, RecursionError, binascii.Error):
            return None


def canonical(value: Any) -> str:  # any JSON value
    """The RFC 8785 text of a JSON value. Raises ValueError on what is not JSON.

    Integers beyond 2^53 are written in full: RFC 8785 refuses them, but a monotonic clock in nanoseconds passes
    2^53 after 104 days without a restart.
    """
    try:
        return rfc8785.dumps(value).decode()
    except rfc8785.IntegerDomainError:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_body(draft: Draft) -> str:
    """The body text of a draft. Raises BadRecord if it is not JSON, not UTF-8, or too large."""
    try:
        text = canonical(draft.body)
        f"{draft.source}{draft.kind}".encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRecord(draft.kind, "the body is not JSON") from error
    if max(len(text), len(draft.sealed or b"")) > MAX_BODY_BYTES:
        raise BadRecord(draft.kind, f"the body is larger than {MAX_BODY_BYTES} bytes")
    return text


def row_hash(row: Row) -> str:
    """Hash of a row: SHA-256, hex, over DOMAIN and the RFC 8785 text of its fields but `hash`.

    The text is put together here because `row.body` is canonical already; keys stand in RFC 8785 order.
    """
    sealed = "null" if row.sealed is None else f'"{hashlib.sha256(row.sealed).hexdigest()}"'
    text = (
        f'{{"at_utc":{_text(row.at_utc)},"body":{row.body},"boot":{_text(row.boot)},"kind":{_text(row.kind)},'
        f'"mono_ns":{row.mono_ns},"number":{row.number},"prev":{_text(row.prev)},"role":{_text(row.role)},'
        f'"sealed_sha256":{sealed},"source":{_text(row.source)}}}'
    )
    return hashlib.sha256(DOMAIN + text.encode("utf-8", "surrogatepass")).hexdigest()


def chain(drafts: list[tuple[Draft, str]], after: int, prev: str, stamp: Stamp) -> list[Row]:
    """Rows for drafts and their canonical bodies, numbered on from row `after` whose hash is `prev`."""
    rows = []
    for number, (draft, body) in enumerate(drafts, after + 1):
        bare = Row(
            number=number,
            at_utc=stamp.at_utc,
            mono_ns=stamp.mono_ns,
            boot=stamp.boot,
            source=draft.source,
            role=draft.role.value,
            kind=draft.kind,
            body=body,
            sealed=draft.sealed,
            prev=prev,
            hash="",
        )
        prev = row_hash(bare)
        rows.append(replace(bare, hash=prev))
    return rows


def public_fields(record: Record) -> Mapping[str, Any]:  # JSON values
    """A record as JSON without its sealed part: what may leave the machine."""
    return {
        "number": record.number,
        "at_utc": record.at_utc,
        "mono_ns": record.mono_ns,
        "boot": record.boot,
        "source": record.source,
        "role": record.role.value,
        "kind": record.kind,
        "body": record.body,
        "sealed": record.sealed is not None,
        "prev": record.prev,
        "hash": record.hash,
    }


def _text(value: str) -> str:
    return _WRITER.encode(value)
