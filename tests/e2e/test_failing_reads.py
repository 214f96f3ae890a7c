"""Pages of each kind without the data it asks for: failed, blocked and late answers.

The page keeps its heading, says what is missing, and loads it when the visitor tries again.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.api_reads import BUSY, DRAW_MS, FAILURE, ApiReads
from tests.e2e.browser_session import sign_in, sign_in_as_staff, visitor_page
from tests.e2e.screen_addresses import GURU_OWNER, screen_address
from tests.fixtures.browser import BROWSER_TIMEOUT_MS

pytestmark = [pytest.mark.e2e, pytest.mark.tls, pytest.mark.slow]

Viewer = Literal["visitor", "guru", "staff"]

# What a browser adds to `main-web/src/testing/failures`, which has every page of the router: prerendered pages that the
# app takes over, signed-in pages behind a real session, and the consoles of gurus and staff.
PAGES: tuple[tuple[Viewer, str], ...] = (
    ("visitor", "/"),
    ("visitor", "/skills"),
    ("visitor", "/search?q=bread"),
    ("guru", "/dashboard"),
    ("guru", "/onboarding/review"),
    ("guru", "/guru/calendar"),
    ("staff", "/admin"),
    ("staff", "/admin/money"),
)
# The page is whole without these reads, as in pages.ts.
OPTIONAL: tuple[tuple[str, str], ...] = (
    ("(?!/guru|/dashboard).*", "/api/guru"),
    ("/onboarding/(categories|review)", "/api/billing"),
    ("/admin", "/api/admin/dashboard"),
    ("/skills", "/api/skills/matches/.*"),
    (".*", "/api/messages/changes"),
    (".*", "/api/notification-count"),
    (".*", "/api/porch-lights"),
)


@pytest.fixture(scope="module")
async def sign_ins(browser: Browser, demo: dict[str, Any]) -> dict[Viewer, Any]:
    """The stored sign-in of each viewer, for new browser contexts."""
    origin = str(demo["tls_url"]).rstrip("/")
    password = next(user["password"] for user in demo["users"] if user["email"] == GURU_OWNER)
    async with visitor_page(browser) as page:
        await sign_in(page, origin, GURU_OWNER, password)
        guru = await page.context.storage_state()
    async with visitor_page(browser) as page:
        await sign_in_as_staff(page, origin, demo["admin_key"])
        staff = await page.context.storage_state()
    return {"visitor": None, "guru": guru, "staff": staff}


@asynccontextmanager
async def _page_of(browser: Browser, state: Any) -> AsyncIterator[Page]:
    # The service worker would answer without the network.
    async with visitor_page(browser, service_workers="block", storage_state=state) as page:
        yield page


async def _faults_without(page: Page, *, says_so: bool) -> list[str]:
    """Return what is wrong with the settled page that lacks a read."""
    faults = []
    try:
        if says_so:
            await expect(page.get_by_text(FAILURE).filter(visible=True).first).to_be_visible(timeout=DRAW_MS)
    except AssertionError:
        faults.append("is silent")
    if not says_so and await page.get_by_text(FAILURE).filter(visible=True).count():
        faults.append("says so, though it is whole")
    try:
        await expect(page.locator(BUSY)).to_have_count(0, timeout=DRAW_MS)
    except AssertionError:
        faults.append("stays busy")
    if not await page.get_by_role("heading", level=1).filter(visible=True).count():
        faults.append("has no h1")
    return faults


async def _expect_whole(page: Page, timeout: float = BROWSER_TIMEOUT_MS) -> None:
    """Expect a page with everything: nothing is loading and nothing has failed."""
    await expect(page.get_by_role("heading", level=1).first).to_be_visible(timeout=timeout)
    await expect(page.locator(BUSY)).to_have_count(0, timeout=timeout)
    await expect(page.get_by_text(FAILURE).filter(visible=True)).to_have_count(0, timeout=timeout)


async def _try_again(page: Page, reads: ApiReads) -> list[str]:
    """Press every "Try again" and expect the whole page."""
    buttons = page.get_by_role("button", name="Try again").filter(visible=True)
    if not await buttons.count():
        return ["has no button"]
    # All at once: what one of them loads may be what another waits for.
    await buttons.evaluate_all("buttons => buttons.forEach((button) => button.click())")
    await reads.settle()
    try:
        await _expect_whole(page, timeout=DRAW_MS)
    except AssertionError:
        return ["does not come back"]
    return []


async def _faults_while_held(page: Page, *, loads: bool) -> list[str]:
    """Return what is wrong with the page while its reads are held back."""
    heading = page.get_by_role("heading", level=1)
    busy = page.locator(BUSY)
    try:
        await expect((busy if loads else heading).first).to_be_attached(timeout=DRAW_MS)
        await expect(heading.or_(page.get_by_role("status").filter(has_text="Loading")).first).to_be_visible(
            timeout=DRAW_MS
        )
    except AssertionError:
        return ["shows no loading state" if await heading.count() else "shows no heading"]
    return []


@pytest.mark.parametrize(("viewer", "path"), PAGES, ids=[f"{viewer} {path}" for viewer, path in PAGES])
async def test_page_without_its_reads_says_so(
    browser: Browser,
    main_origin: str,
    product: dict[str, Any],
    sign_ins: dict[Viewer, Any],
    viewer: Viewer,
    path: str,
) -> None:
    url = main_origin + screen_address(product, path)
    faults: list[str] = []
    async with _page_of(browser, sign_ins[viewer]) as page:
        reads = ApiReads(page)
        await reads.start()
        await reads.open(url)
        await _expect_whole(page)
        calls = frozenset(reads.seen)
        optional = {
            call
            for call in calls
            if any(re.fullmatch(where, path) and re.fullmatch(what, call) for where, what in OPTIONAL)
        }
        for call in sorted(calls):
            await reads.open(url, "fail", frozenset({call}))
            faults += [f"500 of {call}: {fault}" for fault in await _faults_without(page, says_so=call not in optional)]
        if calls:
            await reads.open(url, "abort")
            faults += [f"blocked: {fault}" for fault in await _faults_without(page, says_so=calls > optional)]
            await reads.release()
            if calls > optional:
                faults += [f"tried again: {fault}" for fault in await _try_again(page, reads)]
            await reads.open(url, "hold")
            faults += [f"held: {fault}" for fault in await _faults_while_held(page, loads=calls > optional)]
            await reads.release()
            await _expect_whole(page)
    assert faults == []
