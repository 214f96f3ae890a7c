"""What a first visit downloads: little, and nothing of the identity service until somebody is about to sign in."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Request, expect

from tests.e2e.visitor import visitor

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

MOST = 130_000  # bytes of compressed JavaScript
# The worker fetches the other screens for later, when the first has long been shown.
PLAIN: dict[str, Any] = {"service_workers": "block"}
IDENTITY = re.compile(r"firebase|/js/api\.js")


def _scripts(page: Page) -> list[Request]:
    found: list[Request] = []
    page.on("requestfinished", lambda request: found.append(request) if request.resource_type == "script" else None)
    return found


ENTRANCES = ["/", "/skills", "/angels-list", "/search", "/pricing", "/login", "/signup", "/forgot-password"]


@pytest.mark.parametrize("path", ENTRANCES)
async def test_little_is_loaded_at_first(browser: Browser, main_origin: str, path: str) -> None:
    async with visitor(browser, **PLAIN) as page:
        scripts = _scripts(page)
        await page.goto(main_origin + path)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await page.wait_for_load_state("networkidle")
        sizes = {script.url: (await script.sizes())["responseBodySize"] for script in scripts}
        encodings = {(await script.all_headers()).get("accept-encoding", "") for script in scripts}
    assert len(sizes) >= 3
    assert all("br" in named for named in encodings)
    assert sum(sizes.values()) <= MOST, sizes
    assert [url for url in sizes if IDENTITY.search(url)] == []


@pytest.mark.parametrize("path", ENTRANCES)
async def test_the_page_itself_names_what_its_screen_needs(browser: Browser, main_origin: str, path: str) -> None:
    """So that all of it is fetched at once, and nothing only after something else has run."""
    async with visitor(browser, **PLAIN) as page:
        needed: list[str] = []
        page.on(
            "request", lambda call: needed.append(call.url) if call.resource_type in ("script", "stylesheet") else None
        )
        answer = await page.goto(main_origin + path)
        assert answer is not None
        html = await answer.text()
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await page.wait_for_load_state("networkidle")
    named = {main_origin + found for found in re.findall(r'(?:src|href)="(/assets/[^"]+)"', html)}
    assert len(named) >= 5
    assert set(needed) == named


async def test_the_identity_service_comes_when_the_form_is_entered(browser: Browser, main_origin: str) -> None:
    async with visitor(browser, **PLAIN) as page:
        scripts = _scripts(page)
        await page.goto(f"{main_origin}/login")
        await page.wait_for_load_state("networkidle")
        assert [script.url for script in scripts if IDENTITY.search(script.url)] == []
        async with page.expect_request(re.compile("firebase-identity")):
            await page.get_by_label("Email", exact=True).focus()
        await page.wait_for_load_state("networkidle")
        assert [script.url for script in scripts if "/js/api.js" in script.url] == []
        async with page.expect_request(re.compile(r"/js/api\.js")):
            await page.get_by_role("button", name="Continue with Google").hover()


async def test_the_worker_keeps_the_frame_and_what_was_opened(browser: Browser, main_origin: str) -> None:
    """A first visit does not fetch the screens that nobody asked for; what was opened is there without a connection."""
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/")
        await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        kept: list[str] = await page.evaluate(
            "async () => (await Promise.all((await caches.keys()).map(async (name) =>"
            " (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)))).flat()"
        )
        assert "/index.html" in kept
        assert len(kept) < 20
        assert [path for path in kept if IDENTITY.search(path) or "-page-" in path] == []
        await page.goto(f"{main_origin}/about")
        heading = page.get_by_role("heading", level=1)
        words = await heading.inner_text()
        await page.context.set_offline(True)
        await page.reload()
        await expect(heading).to_have_text(words)
        await page.goto(f"{main_origin}/terms")
        await expect(heading).to_have_text("You are offline")
