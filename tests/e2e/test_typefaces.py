"""The fonts of a page: few bytes, and nothing moves when they are late."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Browser, Request, Route, expect

from tests.fixtures.browser import wait_two_frames
from tests.fixtures.page_observer import observed_page

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

MAX_FONT_BYTES = 45_000
FONT = re.compile(r"/([a-z-]+)-latin-[\w-]+\.woff2$")
# Families that the page uses or that wait for their file.
FAMILIES = """() => [...document.fonts].filter((face) => face.status === "loaded" && face.display === "swap")
  .map((face) => face.family.replaceAll('"', "")).sort()"""


@pytest.mark.parametrize(
    ("host", "fonts"),
    [
        ("", ["figtree", "fraunces"]),
        ("cooking.", ["figtree", "fraunces"]),
        ("photo.", ["bricolage-grotesque", "figtree"]),
        ("spanish.", ["literata"]),
    ],
)
async def test_page_loads_only_fonts_of_its_pair(browser: Browser, tls_port: int, host: str, fonts: list[str]) -> None:
    async with observed_page(browser, ignore_https_errors=True) as visit:
        files: list[Request] = []
        visit.page.on("requestfinished", lambda call: files.append(call) if call.resource_type == "font" else None)
        await visit.page.goto(f"https://{host}porchlight.localhost:{tls_port}/")
        await visit.page.wait_for_load_state("networkidle")
        sizes = {file.url: len(await answer.body()) for file in files if (answer := await file.response())}
        headers = [await answer.all_headers() for file in files if (answer := await file.response())]
    names = [match[1] for url in sizes if (match := FONT.search(url))]
    assert sorted(names) == fonts
    assert len(names) == len(sizes)
    assert 0 < sum(sizes.values()) <= MAX_FONT_BYTES
    assert all("immutable" in header["cache-control"] for header in headers)


@pytest.mark.parametrize(("host", "link"), [("", "SkillShare"), ("cooking.", "About")])
async def test_late_fonts_move_nothing_until_next_page(browser: Browser, tls_port: int, host: str, link: str) -> None:
    released = asyncio.Event()

    async def hold(route: Route) -> None:
        await released.wait()
        await route.continue_()

    async with observed_page(browser, viewport={"width": 1280, "height": 800}, ignore_https_errors=True) as visit:
        page = visit.page
        await page.route(re.compile(r"\.woff2$"), hold)
        await page.goto(f"https://{host}porchlight.localhost:{tls_port}/", wait_until="commit")
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await page.wait_for_function("() => window.__notes.painted !== null")
        async with page.expect_event("requestfinished", lambda call: call.resource_type == "font"):
            released.set()
        await page.wait_for_load_state("networkidle")
        await wait_two_frames(page)
        assert await page.evaluate("() => window.__notes.shift") == 0
        assert await page.evaluate(FAMILIES) == []
        await page.get_by_role("navigation", name="Main").get_by_role("link", name=link).first.click()
        await page.wait_for_function(f"({FAMILIES})().includes('Fraunces')")
        assert await page.evaluate(FAMILIES) == ["Figtree", "Fraunces"]
