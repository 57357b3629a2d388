"""Make docs/images/console-alert.png: the demo's console at the moment an alert with its picture is raised.

    python tests/make_screenshot.py

Needs Chromium (the system's own, found on PATH) and a few minutes of simulated play.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import httpx2
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs/images/console-alert.png"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
WAIT_S = 400


def main() -> int:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("chromium is not installed; install it to make the screenshot", file=sys.stderr)
        return 2
    demo = subprocess.Popen(
        [sys.executable, "-m", "dealer", "demo", "--seed", "11", "--deals", "1", "--speed", "2", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )
    try:
        assert demo.stdout is not None
        address = demo.stdout.readline().split()[-1]
        base, _, token = address.partition("/#token=")
        return take(base, token, address, chromium)
    finally:
        demo.terminate()
        demo.wait(15)


def take(base: str, token: str, address: str, chromium: str) -> int:
    end = time.monotonic() + WAIT_S
    headers = {"Authorization": f"Bearer {token}"}
    while time.monotonic() < end:
        alerts = httpx2.get(f"{base}/api/v1/alerts", headers=headers, timeout=5).json()
        if any(alert["status"] == "raised" for alert in alerts.get("alerts", alerts) if isinstance(alert, dict)):
            break
        time.sleep(0.5)
    else:
        print("no alert was raised in time", file=sys.stderr)
        return 1
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.wait_for_timeout(4000)
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(TARGET))
        browser.close()
    print(f"wrote {TARGET.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
