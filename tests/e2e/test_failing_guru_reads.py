"""A guru's site without the data its scripts ask for: failed, blocked and late answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Request, Route, expect

from tests.e2e.browser_session import visitor_page

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

NEXT_STARTS, SLOTS = re.compile("/next-starts$"), re.compile(r"/slots\?")
TIME = re.compile("^[0-9]+:[0-9]{2} [AP]M")
NO_TIMES = "We couldn't load the times."

Handler = Callable[[Route], Awaitable[None]]

_SOURCE = Path(__file__).resolve().parents[2] / "guru-web" / "src"
# The modules that ask the API for data, and the test of what a page says without them. Others only write.
READS = {
    "lib/use-next-starts.ts": "test_services_without_next_starts_lead_to_times",
    "lib/use-sold-packages.ts": "guru-web/src/components/package-offers.test.tsx",
    "features/bookings/api/get-times.ts": "test_times_that_fail_to_load_say_so",
    "fallback/fetch-guru.ts": "tests/sites/rendering/test_outage.py",
    "lib/use-current-user.ts": "guru-web/src/lib/use-current-user.test.tsx",
}
WRITES = {
    "features/leads/api/create-lead.ts",
    "features/bookings/api/create-hold.ts",
    "features/reports/api/create-report.ts",
}


async def _fail(route: Route) -> None:
    await route.fulfill(status=500, json={"success": False, "error": {"code": "x", "message": "No."}})


async def _block(route: Route) -> None:
    await route.abort()


def _is_next_starts(request: Request) -> bool:
    return NEXT_STARTS.search(request.url) is not None


FAILURES: tuple[Handler, ...] = (_fail, _block)


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A visitor's page without a service worker, which would answer without the network."""
    async with visitor_page(browser, service_workers="block") as opened:
        yield opened


@pytest.fixture
def services_url(tls_port: int) -> str:
    """The services of a guru with free times in the next months."""
    return f"https://music.porchlight.localhost:{tls_port}/services"


async def _next_month(page: Page) -> None:
    """Show the next month. The first one comes with the page, whose links work without scripts, too."""
    await expect(page.get_by_role("grid").locator("[tabindex='0']")).to_be_attached()
    await page.get_by_role("link", name="Next month").click()


async def test_services_without_next_starts_lead_to_times(page: Page, services_url: str) -> None:
    """The next free start is one more line of a card, which has its service, its price and its times without it."""
    links = page.get_by_role("main").get_by_role("link", name=re.compile("^See times for"))
    line = page.locator(".next-start").filter(has_text=re.compile(r"\S"))
    await page.goto(services_url)
    await expect(line.first).to_be_visible()
    count = await links.count()
    assert count > 0
    for handler in FAILURES:
        await page.route(NEXT_STARTS, handler)
        async with page.expect_event("requestfinished" if handler is _fail else "requestfailed", _is_next_starts):
            await page.goto(services_url)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await expect(links).to_have_count(count)
        await expect(line).to_have_count(0)
        await page.unroute(NEXT_STARTS)


async def test_times_that_fail_to_load_say_so(page: Page, services_url: str) -> None:
    time = page.get_by_role("button", name=TIME).first
    await page.goto(services_url)
    await page.get_by_role("link", name=re.compile("^See times for")).first.click()
    await expect(time).to_be_visible()
    url = page.url
    for handler in FAILURES:
        await page.goto(url)
        await page.route(SLOTS, handler)
        await _next_month(page)
        await expect(page.get_by_text(NO_TIMES)).to_be_visible()
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await page.unroute(SLOTS)
        await page.get_by_role("button", name="Try again").click()
        await expect(time).to_be_visible()
        await expect(page.get_by_text(NO_TIMES)).to_have_count(0)


async def test_late_times_show_that_they_load(page: Page, services_url: str) -> None:
    asked, released = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        asked.set()
        await released.wait()
        await route.continue_()

    loading = page.get_by_role("status").filter(has_text="Looking for times…")
    await page.goto(services_url)
    await page.get_by_role("link", name=re.compile("^See times for")).first.click()
    await expect(page.get_by_role("button", name=TIME).first).to_be_visible()
    await page.route(SLOTS, hold)
    await _next_month(page)
    await asked.wait()
    await expect(loading).to_be_visible()
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    released.set()
    await expect(page.get_by_role("button", name=TIME).first).to_be_visible()
    await expect(loading).to_have_count(0)


def test_reads_in_sources_have_a_test() -> None:
    callers = {
        path.relative_to(_SOURCE).as_posix()
        for path in _SOURCE.rglob("*.ts*")
        if ".test." not in path.name and re.search(r"\bapi\s*\.[A-Z]+\(", path.read_text(encoding="utf-8"))
    }
    assert callers == {*READS, *WRITES}
    for where in READS.values():
        assert where in globals() or (_SOURCE.parents[1] / where).is_file(), where
