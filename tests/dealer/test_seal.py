"""Sealing: opened only by the right key for the right record, and a size that tells nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.errors import BadKey
from dealer.seal import MasterKey, Sealer, load_key
from engine.cards import CARDS

MASTER = MasterKey(bytes(range(32)))


def sealer(scope: str = "table 1") -> Sealer:
    return Sealer(MASTER, scope)


@given(secret=st.dictionaries(st.text("abc", max_size=3), st.text(max_size=200) | st.none() | st.integers(-9, 9)))
def test_what_is_sealed_comes_back(secret: dict[str, object]) -> None:
    blob = sealer().seal(secret, deal_no=3, kind="card_dealt")

    assert sealer().unseal(blob, deal_no=3, kind="card_dealt") == secret


def test_every_face_and_no_face_give_one_size() -> None:
    secrets = [{"card": card.text} for card in CARDS] + [{"card": None}]

    assert {len(sealer().seal(secret, deal_no=1, kind="card_dealt")) for secret in secrets} == {93}


def test_two_seals_of_one_card_differ() -> None:
    one, other = (sealer().seal({"card": "TH"}, deal_no=1, kind="card_dealt") for _ in range(2))

    assert one != other
    assert b"TH" not in one


@pytest.mark.parametrize(
    ("scope", "deal_no", "kind"),
    [("table 2", 3, "card_dealt"), ("table 1", 4, "card_dealt"), ("table 1", 3, "deal_started")],
)
def test_another_table_deal_or_kind_does_not_open_it(scope: str, deal_no: int, kind: str) -> None:
    blob = sealer().seal({"card": "TH"}, deal_no=3, kind="card_dealt")

    with pytest.raises(BadKey, match="does not open"):
        sealer(scope).unseal(blob, deal_no=deal_no, kind=kind)


def test_another_master_key_does_not_open_it() -> None:
    blob = sealer().seal({"card": "TH"}, deal_no=3, kind="card_dealt")

    with pytest.raises(BadKey) as caught:
        Sealer(MasterKey.fresh(), "table 1").unseal(blob, deal_no=3, kind="card_dealt")

    assert "TH" not in str(caught.value)
    assert caught.value.remedy


def test_a_change_of_any_byte_and_every_shorter_length_is_refused() -> None:
    blob = sealer().seal({"card": "TH"}, deal_no=3, kind="card_dealt")

    for at in range(len(blob)):
        for spoilt in (blob[:at], blob[:at] + bytes([blob[at] ^ 1]) + blob[at + 1 :]):
            with pytest.raises(BadKey):
                sealer().unseal(spoilt, deal_no=3, kind="card_dealt")


def test_no_key_shows_in_words() -> None:
    assert repr(MASTER) == "MasterKey(...)"
    assert repr(sealer()) == "Sealer(...)"
    assert len(MASTER.fingerprint()) == 8
    assert MASTER.fingerprint() not in bytes(range(32)).hex()


def test_a_key_file_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "config" / "seal.key"

    first, second = load_key(path, create=True), load_key(path, create=True)

    assert first.fingerprint() == second.fingerprint()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["seal.key"]


def test_a_missing_key_file_is_named_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match=r"seal\.key: cannot be read .*bring it back"):
        load_key(tmp_path / "seal.key", create=False)


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "seal.key"
    load_key(path, create=True)
    path.chmod(0o640)

    with pytest.raises(BadKey, match="chmod 600"):
        load_key(path, create=False)


@pytest.mark.parametrize("content", ["", "guandan-dealer sealing key 1\n", "something\n" + "0" * 64, "x" * 500])
def test_a_file_that_is_no_key_is_refused_and_not_quoted(tmp_path: Path, content: str) -> None:
    path = tmp_path / "seal.key"
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    path.write_text(content)

    with pytest.raises(BadKey, match="not a sealing key") as caught:
        load_key(path, create=True)

    assert "000" not in str(caught.value)
    assert path.read_text() == content


def test_sealers_of_tables_share_one_key_and_not_their_seals(tmp_path: Path) -> None:
    house = Sealer.open(tmp_path / "seal.key")
    blob = house.of("1").seal({"card": "TH"}, deal_no=1, kind="card_dealt")

    assert Sealer.open(tmp_path / "seal.key").of("1").unseal(blob, deal_no=1, kind="card_dealt") == {"card": "TH"}
    with pytest.raises(BadKey):
        house.of("2").unseal(blob, deal_no=1, kind="card_dealt")
