"""The console: its page and words without a browser, and what a referee does on it with one."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from api_clients import ClientFor, ServerFor
from api_fakes import REFEREE_TOKEN, VIEWER_TOKEN, FakeHouse
from playwright.async_api import Page, async_playwright, expect

from dealer.clock import SystemClock

CONSOLE = Path(__file__).resolve().parents[2] / "api" / "console"
LOCALES = CONSOLE.parent / "locales"
ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK, PHONE = (1280, 800), (390, 844)
PICTURE = bytes.fromhex(  # a grey JPEG of 1 x 1 pixel
    "ffd8ffe000104a46494600010100000100010000ffdb004300080606070605080707070909080a0c140d0c0b0b0c1912130f141d1a1f1e1d"
    "1a1c1c20242e2720222c231c1c2837292c30313434341f27393d38323c2e333432ffc0000b080001000101011100ffc4001f000001050101"
    "0101010100000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d010203000411051221314106"
    "13516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455"
    "565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9ba"
    "c2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffda0008010100003f00fbd0ffd9"
)


# Without a browser.


def _words(language: str) -> dict[str, str]:
    words: dict[str, str] = json.loads((LOCALES / f"{language}.json").read_text(encoding="utf-8"))
    return words


def test_both_languages_say_the_same_things() -> None:
    english, chinese = _words("en"), _words("zh")

    assert english.keys() == chinese.keys()
    for key in english:
        assert set(re.findall(r"\{\w+\}", english[key])) == set(re.findall(r"\{\w+\}", chinese[key])), key


def test_every_word_that_the_page_asks_for_is_in_the_catalogue() -> None:
    known = _words("en").keys()
    pages = [*(CONSOLE / "static").glob("*.js"), CONSOLE / "templates" / "console.html"]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)

    asked = set(re.findall(r"""say\("(\w+)"|data-word="(\w+)"|data-label="(\w+)"|words\.(\w+) }}""", text))

    assert len(asked) > 40
    assert {name for group in asked for name in group if name} - known == set()


async def test_page_is_in_the_language_asked_for_and_loads_only_own_files(client_for: ClientFor) -> None:
    client = client_for(None)

    chinese = await client.get("/", headers={"accept-language": "zh-CN,zh;q=0.9"})
    english = await client.get("/", headers={"accept-language": "fr, en;q=0.7"})

    assert '<html lang="zh">' in chinese.text
    assert "掼蛋牌桌" in chinese.text
    assert '<html lang="en">' in english.text
    for address in re.findall(r'(?:src|href)="([^"]+)"', english.text):
        assert address.startswith("/console/")
        assert (await client.get(address)).status_code == 200, address


# With a browser.


@dataclass
class Desk:
    """A page and what its browser complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)


@pytest.fixture
def chromium() -> str:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("no chromium: install it, or name its file in CHROMIUM")
    return found


@pytest.fixture
def house(tmp_path: Path) -> FakeHouse:
    house = FakeHouse(tmp_path, SystemClock(), tables=("1",))
    table = house.tables["1"]
    table.deal("E", "7")
    table.lay("E", ["3S", "4S", "5H", "6D", "7C"])
    return house


@asynccontextmanager
async def desk_at(
    url: str, chromium: str, size: tuple[int, int] = DESK, token: str | None = REFEREE_TOKEN
) -> AsyncIterator[Desk]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=ARGS)
        try:
            context = await browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-GB")
            page = await context.new_page()
            desk = Desk(page)
            page.on("console", lambda m: desk.complaints.append(m.text) if m.type in {"error", "warning"} else None)
            page.on("pageerror", lambda error: desk.complaints.append(str(error)))
            await page.goto(f"{url}/" + (f"#token={token}" if token else ""))
            yield desk
            await context.close()
        finally:
            await browser.close()


@pytest.mark.slow
async def test_referee_holds_and_has_a_play_taken_back(house: FakeHouse, server_for: ServerFor, chromium: str) -> None:
    table = house.tables["1"]
    still = house.add_still(PICTURE)
    async with server_for(house) as url, desk_at(url, chromium) as desk:
        page = desk.page
        await expect(page.locator("#board .card")).to_have_count(5)
        alert_id = table.find("turn_order", "W", ["BJ", "SJ"], still=still)
        alert = page.locator(f'[data-alert="{alert_id}"]')
        await expect(alert).to_contain_text("West: Played out of turn")
        await expect(alert.locator(".still img")).to_be_visible()

        await alert.get_by_role("button", name="Hold").click()
        await expect(page.locator("#hold")).to_contain_text("Play is held")
        await alert.get_by_role("button", name="Take back").click()
        await expect(alert).to_have_count(0)
        await expect(page.locator("#hold")).to_contain_text("West is to take the cards back")
        address = page.url

    acts = [(record.kind, record.source, record.body["fact"]) for record in table.journal.records[-2:]]
    assert acts == [
        ("held", "person:Chen", {"by": "Chen", "alert": alert_id}),
        ("ruled", "person:Chen", {"alert": alert_id, "judgement": "take_back"}),
    ]
    assert table.alerts[alert_id]["reason"] == "take_back: take back; warning"
    assert "token" not in address
    assert desk.complaints == []


@pytest.mark.slow
async def test_keys_act_on_the_chosen_alert_and_dismissal_needs_a_reason(
    house: FakeHouse, server_for: ServerFor, chromium: str
) -> None:
    table = house.tables["1"]
    first, second = table.find("turn_order", "W"), table.find("not_higher", "N")
    async with server_for(house) as url, desk_at(url, chromium) as desk:
        page = desk.page
        await expect(page.locator(f'[data-alert="{first}"].chosen')).to_be_visible()
        await page.keyboard.press("j")
        await expect(page.locator(f'[data-alert="{second}"].chosen')).to_be_visible()
        await page.wait_for_timeout(700)  # keys rest for a moment after an alert came up by itself
        await page.keyboard.press("d")
        await page.keyboard.type("misread")
        await page.keyboard.press("Enter")
        await expect(page.locator(f'[data-alert="{second}"]')).to_have_count(0)
        await expect(page.locator("#done")).to_contain_text("Settled (1)")

    assert (table.alerts[first]["status"], table.alerts[second]["status"]) == ("raised", "dismissed")
    assert table.alerts[second]["reason"] == "misread"
    assert desk.complaints == []


@pytest.mark.slow
async def test_unclear_cards_and_meanings_are_entered(house: FakeHouse, server_for: ServerFor, chromium: str) -> None:
    table = house.tables["1"]
    question = table.ask("W", ["7S", None], [["7S"], ["8H", "8D"]])
    readings = [{"type": "full_house", "rank": rank, "pair": pair} for rank, pair in ("98", "89")]
    alert_id = table.find("needs_declaration", "S", ["7H", "8S", "8D", "9C", "9D"], readings=readings)
    async with server_for(house) as url, desk_at(url, chromium) as desk:
        page = desk.page
        form = page.locator(f'[data-question="{question}"]')
        await expect(form.get_by_role("button", name="Enter these cards")).to_be_disabled()
        await form.get_by_role("button", name="♦8").click()
        await form.get_by_role("button", name="Enter these cards").click()
        await expect(form).to_have_count(0)
        await page.get_by_role("button", name="Full house 8 + 9").click()
        await expect(page.locator("#alerts")).to_contain_text("Nothing needs you")

    assert table.state["zones"]["W"]["cards"] == ["7S", "8D"]
    assert table.alerts[alert_id]["status"] == "ruled"
    assert table.journal.records[-1].body["fact"]["reading"] == readings[1]
    assert desk.complaints == []


@pytest.mark.slow
async def test_phone_shows_alert_first_in_either_language(
    house: FakeHouse, server_for: ServerFor, chromium: str
) -> None:
    table = house.tables["1"]
    table.find("turn_order", "W", ["3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS"])
    table.condition("C301", "camera_no_frames", True)
    async with server_for(house) as url, desk_at(url, chromium, PHONE) as desk:
        page = desk.page
        await expect(page.locator("#conditions")).to_contain_text("Check the camera's cable")
        widths = [await page.evaluate("document.documentElement.scrollWidth")]
        await page.get_by_role("button", name="中文").click()
        await expect(page.locator("#alerts")).to_contain_text("西家：未轮到出牌")
        await expect(page.locator("#conditions")).to_contain_text("检查摄像头的线缆")
        widths.append(await page.evaluate("document.documentElement.scrollWidth"))
        alert, board = await page.locator("#alerts").bounding_box(), await page.locator("#board").bounding_box()

    assert max(widths) <= PHONE[0]
    assert alert is not None
    assert board is not None
    assert alert["y"] < board["y"]
    assert desk.complaints == []


@pytest.mark.slow
async def test_viewer_gets_no_buttons_and_a_stranger_is_told_what_to_do(
    house: FakeHouse, server_for: ServerFor, chromium: str
) -> None:
    house.tables["1"].find("turn_order", "W", ["3S"])
    async with server_for(house) as url:
        async with desk_at(url, chromium, token=VIEWER_TOKEN) as viewer:
            await expect(viewer.page.locator("#board .card")).to_have_count(5)
            await expect(viewer.page.locator("#work")).to_contain_text("Alerts go to the referee")
            await expect(viewer.page.locator("#main button:visible")).to_have_count(0)
        async with desk_at(url, chromium, token=None) as stranger:
            await expect(stranger.page.locator("#sign-in")).to_contain_text("Open the link")
            await expect(stranger.page.locator("#main")).to_be_hidden()

    assert viewer.complaints == []
    assert stranger.complaints == []


@pytest.mark.slow
async def test_lost_controller_is_said_and_the_page_comes_back(
    house: FakeHouse, server_for: ServerFor, chromium: str
) -> None:
    async with server_for(house) as url, desk_at(url, chromium, token=None) as desk:
        page, lets = desk.page, False
        await page.route("**/api/v1/stream", lambda route: route.continue_() if lets else route.abort())
        await page.evaluate("token => { location.hash = `token=${token}`; }", REFEREE_TOKEN)
        await expect(page.locator("#lost")).to_contain_text("What you see may be old")
        lets = True
        await expect(page.locator("#stream")).to_contain_text("Live")
        await expect(page.locator("#lost")).to_be_hidden()
