"""Settings: one file, strict names, remedies in one line, a page that is never stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer.errors import SettingsError
from dealer.settings import Settings, load_settings, settings_page
from engine.cards import PLAY_ORDER, Seat


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DEALER_HOME", "DEALER_API__PORT", "DEALER_DATA_DIR", "DEALER_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def given(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "dealer.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_without_a_file_everything_has_a_default(tmp_path: Path) -> None:
    settings = load_settings()

    assert settings.tables == ()
    assert (settings.api.host, settings.api.port) == ("127.0.0.1", 8765)
    assert settings.data_dir == tmp_path / "data" / "dealer"
    assert settings.key_file == tmp_path / "config" / "dealer" / "seal.key"


def test_a_table_is_read_with_its_defaults(tmp_path: Path) -> None:
    settings = load_settings(given(tmp_path, '[[tables]]\nid = "A1"\nserial = "/dev/serial/by-id/x"\n'))

    [table] = settings.tables
    assert (table.id, table.serial, table.camera) == ("A1", "/dev/serial/by-id/x", None)
    assert (table.rulebook, table.alert_reach, table.play_order) == ("competitive-2022", "referee_hold", PLAY_ORDER)


def test_the_order_of_play_may_be_turned(tmp_path: Path) -> None:
    file = given(tmp_path, '[[tables]]\nid = "1"\nplay_order = ["S", "W", "N", "E"]\n')

    assert load_settings(file).tables[0].play_order == (Seat.S, Seat.W, Seat.N, Seat.E)


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALER_API__PORT", "9001")

    assert load_settings(given(tmp_path, "[api]\nport = 9000\n")).api.port == 9001


def test_the_home_moves_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALER_HOME", str(tmp_path / "elsewhere"))

    assert load_settings().data_dir == tmp_path / "elsewhere"
    assert Settings().data_dir == tmp_path / "elsewhere"


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("prot = 1", "prot", "unknown setting"),
        ("[api]\nprot = 1", "api.prot", "did you mean port?"),
        ("[apis]\nport = 1", "apis", "did you mean api?"),
        ('[[tables]]\nid = "1"\nrulebok = "x"', "tables.0.rulebok", "did you mean rulebook?"),
        ("[link]\nqqqqqqq = 1", "link.qqqqqqq", "known here: baud_bps"),
        ('[api]\nhost = "0.0.0.0"', "api.host", "use 127.0.0.1"),
        ('[api]\nhost = "::"', "api.host", "use 127.0.0.1"),
        ('[api]\nhost = "example.org"', "api.host", "use 127.0.0.1"),
        ("[api]\nport = 70000", "api.port", "70000"),
        ('[api]\nport = "http"', "api.port", "'http'"),
        ('[[tables]]\nid = "a-b"', "tables.0.id", "a-b"),
        ('[[tables]]\nid = "../x"', "tables.0.id", "../x"),
        ("[[tables]]\n", "tables.0.id", "required"),
        ('[[tables]]\nid = "a"\n[[tables]]\nid = "A"', "tables", "two tables have the id 'a'"),
        (
            '[[tables]]\nid = "1"\nserial = "/dev/x"\n[[tables]]\nid = "2"\nserial = "/dev/x"',
            "tables",
            "two tables have the serial",
        ),
        ('[[tables]]\nid = "1"\nplay_order = ["S", "S", "N", "W"]', "tables.0.play_order", "once"),
        ('[[tables]]\nid = "1"\nalert_reach = "all"', "tables.0.alert_reach", "all"),
        ('data_dir = "/srv/d"\nkey_file = "/srv/d/k"', "key_file", "inside data_dir"),
    ],
)
def test_a_wrong_setting_is_named_with_a_remedy_in_one_line(tmp_path: Path, text: str, key: str, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(given(tmp_path, text))

    assert caught.value.key == key
    assert words in str(caught.value)
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"a = ", b"\xff\xfe", b"[api\n"])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "dealer.toml"
    file.write_bytes(content)

    with pytest.raises(SettingsError, match=r"dealer\.toml: not TOML"):
        load_settings(file)


def test_a_named_file_has_to_exist(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no such file"):
        load_settings(tmp_path / "absent.toml")


def test_an_unreadable_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALER_TABLES", "[1,")

    with pytest.raises(SettingsError, match="DEALER_"):
        load_settings()


def test_the_settings_page_is_not_stale() -> None:
    page = Path(__file__).parents[2] / "docs" / "settings.md"

    assert page.read_text(encoding="utf-8") == settings_page(), "run: python -m dealer.settings > docs/settings.md"


def test_every_setting_has_a_meaning() -> None:
    assert "None" not in settings_page()
