"""Sealing: what the machine knows and nobody may see yet is encrypted in the journal.

The master key lies in a file of its own, mode 0600, outside the data folder, so that a copied data folder tells
nothing. Each deal has its own key, derived from it. A sealed blob's size says nothing about what is inside.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from dealer.errors import BadKey
from dealer.record import canonical

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_VERSION: Final = b"\x01"
_BLOCK_BYTES: Final = 64  # a card and its key fit in one block, a plan of 108 seats in two or three
_FILE_HEAD: Final = "guandan-dealer sealing key 1"

Secret = dict[str, Any]  # a JSON object


class MasterKey:
    """The key from which every deal's key is derived. Never printed."""

    def __init__(self, raw: bytes) -> None:
        if len(raw) != KEY_BYTES:
            raise BadKey(None, "not a key of 32 bytes", "bring back the key file from its backup")
        self._raw = raw

    def derive(self, purpose: str) -> bytes:
        """A key for one purpose; different purposes give unrelated keys (HKDF-SHA-256, RFC 5869)."""
        hkdf = HKDF(algorithm=hashes.SHA256(), length=KEY_BYTES, salt=None, info=purpose.encode())
        return hkdf.derive(self._raw)

    def fingerprint(self) -> str:
        """Eight hex digits that tell one key from another and nothing else."""
        return self.derive("fingerprint")[:4].hex()

    def __repr__(self) -> str:
        return "MasterKey(...)"

    @classmethod
    def fresh(cls) -> MasterKey:
        """A key from the system's secure generator, held in memory only."""
        return cls(ChaCha20Poly1305.generate_key())


class Sealer:
    """Seals and opens the secret parts of one journal's records."""

    def __init__(self, master: MasterKey, scope: str) -> None:
        """`scope` names the journal (the table's id) and never changes for it."""
        self._master = master
        self._scope = scope

    @classmethod
    def open(cls, key_file: Path) -> Sealer:
        """A sealer with the key of this file, made if it is absent; see `of`. Blocking. Raises BadKey."""
        return cls(load_key(key_file, create=True), "")

    def of(self, scope: str) -> Sealer:
        """The sealer of one table: what one table sealed, no other opens."""
        return Sealer(self._master, scope)

    def fingerprint(self) -> str:
        """Eight hex digits that tell one master key from another."""
        return self._master.fingerprint()

    def __repr__(self) -> str:
        return "Sealer(...)"

    def seal(self, secret: Mapping[str, Any], *, deal_no: int, kind: str) -> bytes:  # a JSON object
        """Encrypt a JSON object for the record `kind` of deal `deal_no`.

        The blob is 29 bytes longer than the next multiple of 64 above the text: cards of one record kind give
        blobs of one size.
        """
        plain = canonical(dict(secret)).encode() + b"\x80"
        plain += bytes(-len(plain) % _BLOCK_BYTES)
        nonce = os.urandom(_NONCE_BYTES)
        return _VERSION + nonce + self._cipher(deal_no).encrypt(nonce, plain, self._bound(deal_no, kind))

    def unseal(self, blob: bytes, *, deal_no: int, kind: str) -> Secret:
        """The object that `seal` took for the same table, deal and kind. Raises BadKey."""
        nonce, cipher_text = blob[1 : 1 + _NONCE_BYTES], blob[1 + _NONCE_BYTES :]
        if blob[:1] != _VERSION or len(nonce) != _NONCE_BYTES:
            raise BadKey(None, "the sealed part has an unknown form", "use the version of the program that wrote it")
        try:
            plain = self._cipher(deal_no).decrypt(nonce, cipher_text, self._bound(deal_no, kind))
        except InvalidTag:
            wrong = f"the key does not open a {kind} record of deal {deal_no}"
            raise BadKey(None, wrong, "bring back the key file that was in use when it was written") from None
        secret: Secret = json.loads(plain.rstrip(b"\x00")[:-1])
        return secret

    def _cipher(self, deal_no: int) -> ChaCha20Poly1305:
        return ChaCha20Poly1305(self._master.derive(f"deal\x00{self._scope}\x00{deal_no}"))

    def _bound(self, deal_no: int, kind: str) -> bytes:
        return f"{self._scope}\x00{deal_no}\x00{kind}".encode()


def load_key(path: Path, *, create: bool) -> MasterKey:
    """The master key in the file at `path`, made first if it is absent and `create` is true. Blocking.

    Raises BadKey if it is missing, unreadable or readable by others. Settings see to it that it lies outside the
    data folder, where a backup would carry key and sealed cards together.
    """
    if create and not path.exists():
        _create(path)
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
        raise BadKey(path, why, "bring it back from its backup; without it sealed cards cannot be opened") from error
    with open(fd, encoding="ascii", errors="replace") as file:
        if stat.S_IMODE(os.fstat(fd).st_mode) & 0o077:
            raise BadKey(path, "other users can read it", f"run: chmod 600 {path}")
        lines = file.read(200).split("\n")
    try:
        head, digits = lines[0], lines[1]
        raw = bytes.fromhex(digits)
    except (IndexError, ValueError):
        head, raw = "", b""
    if head != _FILE_HEAD or len(raw) != KEY_BYTES:
        raise BadKey(path, "not a sealing key", "bring it back from its backup")
    return MasterKey(raw)


def _create(path: Path) -> None:
    """Write a key file in one step: it is whole or absent, and an existing one is never overwritten."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.unlink(missing_ok=True)
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(fd, "w", encoding="ascii") as file:
            file.write(f"{_FILE_HEAD}\n{ChaCha20Poly1305.generate_key().hex()}\n")
            file.flush()
            os.fsync(fd)
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    except OSError as error:
        raise BadKey(path, f"cannot be written ({error.strerror})", "give a key_file that can be written") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
