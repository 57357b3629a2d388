"""The page of all findings says what the catalogue and the suggestions say."""

from __future__ import annotations

from make_findings_page import PAGE, page

from engine.findings import CATALOGUE


def test_page_of_findings_is_up_to_date() -> None:
    remedy = "run python tests/engine/make_findings_page.py"

    assert PAGE.read_text(encoding="utf-8") == page(), remedy


def test_page_of_findings_holds_every_finding() -> None:
    written = page()

    assert [line for line in written.splitlines() if line.startswith("### ")] == [
        f"### {kind.code} `{kind.name}`" for kind in CATALOGUE.values()
    ]
