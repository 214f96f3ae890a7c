"""Every screen of the main platform at three widths, for a visitor, a newcomer without anything and somebody with much
of everything. The pictures stay in artifacts/screens, to be looked at."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.visitor import PATIENCE, sign_in, visitor
from tests.sites.pages.village import AXE
from tests.support.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

ROOT = Path(__file__).resolve().parents[2]
PATHS = ROOT / "main-web" / "src" / "app" / "paths.ts"
PICTURES = ROOT / "artifacts" / "screens"
WIDTHS = (1280, 768, 360)
# What stands for the parameters of an address; one without an entry here is walked by nobody and fails the test.
EXAMPLES: dict[str, str] = {
    "/u/:handle": "/u/maya-lindqvist",
    "/guru/posts/:id": "/guru/posts/none",
    "/guru/leads/:id": "/guru/leads/none",
}
# Screens of signed-in people, by the beginnings of their addresses.
SIGNED_IN = ("/dashboard", "/profile", "/u/", "/onboarding", "/account", "/guru")

LONG = "Wolfeschlegelsteinhausenbergerdorff"
LEVELS = ("beginner", "intermediate", "advanced", "expert", None)
MUCH: dict[str, Any] = {
    "firstName": LONG,
    "lastName": f"{LONG}-{LONG}"[:60],
    "displayName": f"{LONG} {LONG} {LONG}",
    "bio": f"{LONG * 6}\n\n" + "I have lived on this street for forty years and know every roof of it. " * 22,
    "location": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, Wales",
    "languages": [f"{LONG[:30]} {number}" for number in range(20)],
    "availability": "Every second Tuesday after the bins are out, " * 9,
    "skills": {
        side: [{"name": f"{word} {number} {LONG}"[:60], "level": LEVELS[number % 5]} for number in range(30)]
        for side, word in (("offered", "Teaching"), ("wanted", "Learning"))
    },
}


def _addresses() -> list[str]:
    found = re.findall(r':\s*"(/[^"]*)"', PATHS.read_text(encoding="utf-8"))
    missing = [path for path in found if ":" in path and path not in EXAMPLES]
    assert missing == [], f"name an example of {missing} in EXAMPLES, so that its screen is looked at too"
    return [EXAMPLES.get(path, path) for path in found]


async def _settled(page: Page) -> None:
    await expect(page.get_by_role("heading", level=1).first).to_be_visible(timeout=PATIENCE)
    await page.wait_for_load_state("networkidle")
    await expect(page.locator("main [aria-busy=true]")).to_have_count(0, timeout=PATIENCE)


async def _walk(page: Page, who: str, origin: str, addresses: list[str]) -> list[str]:
    """Look at every screen at every width; what is wrong with them."""
    faults: list[str] = []
    folder = PICTURES / who
    folder.mkdir(parents=True, exist_ok=True)
    for address in addresses:
        await page.goto(origin + address)
        await _settled(page)
        await page.evaluate(AXE.read_text(encoding="utf-8"))
        for width in WIDTHS:
            await page.set_viewport_size({"width": width, "height": 900})
            where = f"{who} {address} at {width}"
            name = address.strip("/").replace("/", "-").replace("?", "-") or "home"
            await page.screenshot(path=folder / f"{name}-{width}.jpg", full_page=True, type="jpeg", quality=70)
            wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if wide > 0:
                faults.append(f"{where}: {wide} px too wide")
            violations = await page.evaluate(
                "async () => (await axe.run()).violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)}`)"
            )
            faults += [f"{where}: {violation}" for violation in violations]
    return faults


# Pictures of a movement half done would be judged as if they stayed.
STILL: dict[str, Any] = {"reduced_motion": "reduce"}


async def test_a_visitor_sees_every_screen_whole(browser: Browser, main_origin: str) -> None:
    async with visitor(browser, **STILL) as page:
        faults = await _walk(page, "visitor", main_origin, _addresses())
    assert faults == []


async def test_somebody_without_anything_sees_every_screen_whole(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    mine = [address for address in _addresses() if address.startswith(SIGNED_IN)]
    async with visitor(browser, **STILL) as page:
        await sign_in(page, main_origin, email)
        faults = await _walk(page, "newcomer", main_origin, mine)
    assert faults == []


async def test_somebody_with_much_of_everything_sees_every_screen_whole(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **STILL) as page:
        await sign_in(page, main_origin, email)
        handle = await page.evaluate(
            """async (profile) => {
              const headers = { "content-type": "application/json" };
              const sent = { method: "PUT", headers, body: JSON.stringify(profile) };
              const answer = await fetch("/api/auth/profile", sent);
              return (await answer.json()).data.handle;
            }""",
            MUCH,
        )
        mine = [address for address in _addresses() if address.startswith(SIGNED_IN)]
        faults = await _walk(page, "much", main_origin, [*mine, f"/u/{handle}", "/", "/skills"])
    assert faults == []
