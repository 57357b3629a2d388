"""How the console looks when everything happens at once, in both languages and sizes; hostile words stay words.

Screenshots are left in the test's temporary folder (`pytest --basetemp DIR` to look at them).
"""

from __future__ import annotations

import base64
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from api_clients import ServerFor
from api_fakes import REFEREE_TOKEN, TOKENS, FakeHouse

from api import Actor, Role
from dealer.clock import SystemClock

playwright_api = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
CHROMIUM = Path("/usr/bin/chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed (apt-get install chromium)"),
]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = (1280, 800), (390, 844)
EVIL = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
# One grey pixel: a still has to be a picture that a browser can show.
STILL = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgy"
    "PC4zNDL/wAALCAABAAEBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG"
    "E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJ"
    "ipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APn+v//Z"
)


class Page:
    """A page of the console, with everything that went wrong in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("console", lambda m: self.wrong.append(m.text) if m.type in {"error", "warning"} else None)
        page.on("dialog", lambda dialog: self.wrong.append(f"dialog: {dialog.message}"))

    async def sees(self, words: str | re.Pattern[str]) -> None:
        await playwright_api.expect(self.page.locator("body")).to_contain_text(words, timeout=5000)


Opener = Callable[..., AbstractAsyncContextManager[Page]]


@pytest.fixture
def opener() -> Opener:
    """`async with opener(url, token, size, language)`: a page of the console."""

    @asynccontextmanager
    async def opened(
        url: str, token: str | None = REFEREE_TOKEN, size: tuple[int, int] = DESKTOP, language: str = "en-GB"
    ) -> AsyncIterator[Page]:
        async with playwright_api.async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
            try:
                context = await browser.new_context(
                    viewport={"width": size[0], "height": size[1]}, locale=language, has_touch=size == PHONE
                )
                page = Page(await context.new_page())
                await page.page.goto(url + (f"/#token={token}" if token else "/"))
                yield page
            finally:
                await browser.close()

    return opened


@pytest.fixture
def house(tmp_path: Path) -> FakeHouse:
    house = FakeHouse(tmp_path, SystemClock())
    table = house.tables["1"]
    table.deal("S", "8")
    table.lay("S", ["7S", "7H", "7D", "JC", "JS"])
    table.lay("E", ["9S", "9H", "8H", "QC", "QD"])
    table.passes("N")
    table.state["zones"]["W"]["report"] = 9
    table.state["hand_sizes"]["W"] = 9
    table.lay("W", ["6S", "6H", "6D", "KC", "KS"], judged=False)
    return house


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_state_is_shown_in_both_languages_and_sizes(
    house: FakeHouse, server_for: ServerFor, opener: Opener, tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    table, still = house.tables["1"], house.add_still(STILL)
    table.find("not_higher", "W", ["6S", "6H", "6D", "KC", "KS"], still=still)
    table.find("card_not_in_hand", "E", ["9S"])
    table.find(
        "needs_declaration",
        "E",
        ["4S", "4H", "5S", "5D", "8H", "8H"],
        readings=[{"type": "tube", "high": "5"}, {"type": "plate", "high": "5"}],
    )
    table.ask("N", ["TS", None, "TD"], [["TS"], ["TH", "TD"], ["TD"]], still)
    table.condition("C301", "camera_no_frames", True)
    locale = {"en": "en-GB", "zh": "zh-CN"}[language]
    async with server_for(house) as url, opener(url, size=size, language=locale) as console:
        page, name = console.page, f"{'phone' if size == PHONE else 'desktop'}-{language}"
        await console.sees({"en": "A card that was not dealt to this seat", "zh": "打出了未发给该家的牌"}[language])
        await page.wait_for_selector("img[src^='blob:']")
        await page.screenshot(path=tmp_path / f"all-{name}.png")
        await page.screenshot(path=tmp_path / f"all-{name}-full.png", full_page=True)

        wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        small = await page.evaluate(
            "[...document.querySelectorAll('main button')].filter(b => b.checkVisibility())"
            ".map(b => [b.textContent, b.getBoundingClientRect().height]).filter(([, h]) => h < 36)"
        )
        shown = await page.locator("body").inner_text()
        assert wide <= 0
        assert small == []
        assert not re.search(r"\b[a-z]+_[a-z_]+\b|undefined|null|NaN|\{\w+\}", shown), shown
        assert console.wrong == []


async def test_hostile_words_stay_words(house: FakeHouse, server_for: ServerFor, opener: Opener) -> None:
    table = house.tables["1"]
    table.find("turn_order", "S", ["7S"], title=EVIL)
    table.state["mode"] = EVIL
    table.condition("C301", EVIL, True)
    token = "evil-token-0123456789abcdef"
    TOKENS[token] = Actor(EVIL, Role.REFEREE)
    try:
        async with server_for(house) as url, opener(url, token) as console:
            await console.sees(EVIL)
            await console.page.wait_for_timeout(700)  # keys rest for a moment after an alert came up by itself
            await console.page.keyboard.press("h")
            await console.sees("called")
            assert await console.page.locator("img[src='x'], body script").count() == 0
            assert console.wrong == []
    finally:
        del TOKENS[token]


async def test_what_comes_up_is_said_aloud_and_sound_is_a_choice(
    house: FakeHouse, server_for: ServerFor, opener: Opener
) -> None:
    async with server_for(house) as url, opener(url) as console:
        page = console.page
        await console.sees("Sound off")
        house.tables["1"].find("turn_order", "S", ["7S"])
        await playwright_api.expect(page.locator("#said")).to_contain_text("South: Played out of turn", timeout=5000)
        await page.locator("#sound").click()
        await console.sees("Sound on")
        await page.reload()
        await console.sees("Sound on")
        assert console.wrong == []


async def test_lost_connection_says_since_when(house: FakeHouse, server_for: ServerFor, opener: Opener) -> None:
    async with server_for(house) as url, opener(url, None) as console:
        await console.page.route("**/api/v1/stream", lambda route: route.abort())
        await console.page.evaluate("token => { location.hash = `token=${token}`; }", REFEREE_TOKEN)
        await console.sees(re.compile(r"Not connected since \d{2}:\d{2}:\d{2}\. What you see may be old"))
