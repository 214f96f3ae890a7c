"""All screens of the main platform, for a visitor, a user without data, one with much data, a guru and staff.

The gate looks at a phone's width; the other widths, the smallest phone, and text of twice the size are a sweep.

PORCHLIGHT_SCREENSHOTS=1 also writes a screenshot of each to artifacts/screens; Playwright makes the folders.
"""

from __future__ import annotations

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tenants.kit import clock
from tests.e2e.browser_session import expect_text, expect_url, sign_in, sign_in_as_staff, visitor_page
from tests.e2e.page_texts import COMING_SOON, SPEC_TEXTS
from tests.e2e.plan_grants import grant_premium
from tests.e2e.screen_addresses import GURU, GURU_OWNER, SIGNED_IN, STAFF, screen_addresses, starting_with
from tests.fixtures.browser import BROWSER_TIMEOUT_MS, axe_violations, excess_width
from tests.fixtures.clipped_fields import clipped_fields
from tests.fixtures.cut_texts import text_faults
from tests.fixtures.identity import Emulator
from tests.fixtures.page_observer import observed_page
from tests.fixtures.tap_targets import small_targets
from tests.fixtures.views import ENLARGED, PHONE, View

pytestmark = [pytest.mark.e2e, pytest.mark.tls, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "artifacts" / "screens"
TAKE_SCREENSHOTS = os.environ.get("PORCHLIGHT_SCREENSHOTS") == "1"
# The layout at 768 px has the elements of one of the others.
AXE_WIDTHS = (1280, PHONE.width)
at_each_width = pytest.mark.parametrize(
    "view",
    [PHONE, *(pytest.param(view, marks=pytest.mark.sweep) for view in (View(768), View(1280), *ENLARGED))],
    ids=str,
)
# Opens another screen in the loaded app, as a press on a link does. Each heading that is there keeps its text.
OPEN_SCREEN = """address => {
  for (const heading of document.querySelectorAll("h1, h2")) heading.dataset.left = heading.textContent;
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate", { state: null }));
}"""
# A redirect may lead back to where the person was.
IS_OPEN = """address => location.pathname !== address
  || [...document.querySelectorAll("h1, h2")].some((heading) => heading.dataset.left !== heading.textContent)"""
# Their tabs are screens of their own.
STAFF_TABS = ("users", "listings", "sessions", "reports", "flags", "documents")
LONG_WORD = "Wolfeschlegelsteinhausenbergerdorff"
LEVELS = ("beginner", "intermediate", "advanced", "expert", None)
LONG_PROFILE: dict[str, Any] = {
    "firstName": LONG_WORD,
    "lastName": f"{LONG_WORD}-{LONG_WORD}"[:60],
    "displayName": f"{LONG_WORD} {LONG_WORD} {LONG_WORD}",
    "bio": f"{LONG_WORD * 6}\n\n" + "I have lived on this street for forty years and know every roof of it. " * 22,
    "location": "Tuggeranong Administrative District, Australian Capital Territory, Australia",
    "languages": [f"{LONG_WORD[:30]} {number}" for number in range(20)],
    "availability": "Every second Tuesday after the bins are out, " * 9,
    "skills": {
        side: [{"name": f"{word} {number} {LONG_WORD}"[:60], "level": LEVELS[number % 5]} for number in range(30)]
        for side, word in (("offered", "Teaching"), ("wanted", "Learning"))
    },
}


async def _wait_until_loaded(page: Page) -> None:
    main = page.get_by_role("main")
    await expect(page.get_by_role("heading", level=1).first).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await expect(main.get_by_role("status").filter(has_text="Loading")).to_have_count(0, timeout=BROWSER_TIMEOUT_MS)
    await page.wait_for_load_state("networkidle")
    await expect(page.locator("main [aria-busy=true]")).to_have_count(0, timeout=BROWSER_TIMEOUT_MS)


async def _check_screen(page: Page, viewer: str, address: str, view: View) -> list[str]:
    """Check the loaded screen. Return the errors."""
    where, width = f"{viewer} {address} at {view}", view.width
    if TAKE_SCREENSHOTS:
        await _take_screenshot(page, viewer, address, view)
    excess = await excess_width(page)
    faults = [f"{where}: {excess} px too wide: {await page.evaluate(WIDEST)}"] if excess > 0 else []
    faults += [f"{where}: {fault}" for fault in await text_faults(page)]
    if view.is_double:
        return faults
    faults += [f"{where}: clipped field: {field}" for field in await clipped_fields(page)]
    if width <= PHONE.width:
        faults += [f"{where}: smaller than a finger: {target}" for target in await small_targets(page)]
    if width in AXE_WIDTHS:
        faults += [f"{where}: {violation}" for violation in await axe_violations(page)]
    return faults


# The elements that reach furthest to the right, with their texts, and hold no others that do.
WIDEST = """() => {
  const reach = (element) => element.getBoundingClientRect().left + Math.max(element.scrollWidth, element.offsetWidth);
  const isWide = (element) => reach(element) > innerWidth + 0.5;
  const beyond = [...document.body.querySelectorAll("*")].filter(
    (element) => isWide(element) && ![...element.children].some(isWide),
  );
  return beyond
    .sort((one, other) => reach(other) - reach(one))
    .slice(0, 8)
    .map((element) => `${element.localName}.${element.className} in .${element.parentElement.className}: ` +
      `${element.textContent.slice(0, 30)}`)
    .join("; ");
}"""


async def _take_screenshot(page: Page, viewer: str, address: str, view: View) -> None:
    name = re.sub(r"[^\w-]+", "-", address.strip("/")) or "home"
    path = SCREENSHOTS / viewer / f"{name}-{view}.jpg"
    await page.screenshot(path=path, full_page=True, type="jpeg", quality=70)


async def _check_screens(page: Page, viewer: str, origin: str, addresses: list[str], view: View) -> list[str]:
    """Load the first screen, open the others from it, and check each. Return the errors."""
    faults: list[str] = []
    for address in addresses:
        # A screen keeps its heading when only its query changes.
        if address == addresses[0] or "?" in address:
            await page.goto(origin + address)
        else:
            await page.evaluate(OPEN_SCREEN, address)
            await page.wait_for_function(IS_OPEN, arg=address)
        await _wait_until_loaded(page)
        faults += await _check_screen(page, viewer, address, view)
    return faults


async def _expect_texts(page: Page, path: str) -> None:
    """Expect the texts of SPEC on the page. A page that is only announced has its title and its plans."""
    main = page.get_by_role("main")
    for text in SPEC_TEXTS.get(path, ()):
        await expect(main.get_by_text(text, exact=True).first).to_be_attached()
    if path in COMING_SOON:
        title = COMING_SOON[path]
        await expect_text(page.get_by_role("heading", level=1), title)
        await expect(main.get_by_text("Coming Soon", exact=True)).to_be_visible()
        await expect(main.get_by_role("listitem").nth(2)).to_be_attached()
        await expect(page).to_have_title(re.compile(re.escape(title)))


@at_each_width
async def test_screens_for_visitor_have_no_faults(
    browser: Browser, main_origin: str, product: dict[str, Any], view: View
) -> None:
    """Each screen has its texts, writes nothing to the console, fits the width and is accessible."""
    addresses = screen_addresses(product)
    restricted = {*starting_with(addresses, (*SIGNED_IN, *GURU, *STAFF))} - {"/admin/login"}
    public = [address for address in addresses if address not in restricted]
    assert {*SPEC_TEXTS, *COMING_SOON} <= set(public)
    faults: list[str] = []
    async with observed_page(browser, **view.options) as visit:
        page = visit.page
        await view.enlarge(page)
        # Like a first visit: each page comes from the server, although the first page registers the service worker.
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Network.enable")
        await devtools.send("Network.setBypassServiceWorker", {"bypass": True})
        for address in public:
            await page.goto(main_origin + address)
            await _wait_until_loaded(page)
            await expect_url(page, main_origin + address)
            await _expect_texts(page, address)
            faults += await _check_screen(page, "visitor", address, view)
            # Chromium misses a user name beside the admin key.
            if address != "/admin/login":
                faults += [f"{address}: {message}" for message in visit.errors]
            visit.errors.clear()
    assert faults == []


@at_each_width
async def test_screens_for_new_user_have_no_faults(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator, view: View
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser, **view.options) as page:
        await view.enlarge(page)
        await sign_in(page, main_origin, email)
        faults = await _check_screens(
            page, "newcomer", main_origin, starting_with(screen_addresses(product), SIGNED_IN), view
        )
    assert faults == []


@at_each_width
async def test_screens_with_long_content_have_no_faults(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator, view: View
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser, **view.options) as page:
        await view.enlarge(page)
        await sign_in(page, main_origin, email)
        grant_premium(product, email)
        profile = await page.evaluate(CALL_API, ["PUT", "/api/auth/profile", LONG_PROFILE])
        needs = [await page.evaluate(CALL_API, ["POST", "/api/needs", _need(number)]) for number in range(6)]
        paths = starting_with(
            screen_addresses(product), ("/dashboard", "/profile", "/needs", "/be-an-angel", "/skills/mine")
        )
        detail_paths = [f"/u/{profile['handle']}", f"/needs/{needs[0]['need']['id']}", "/needs?tab=own", "/", "/skills"]
        faults = await _check_screens(page, "much", main_origin, [*paths, *detail_paths], view)
        # Other tests must not see these needs.
        for need in needs:
            await page.evaluate(CALL_API, ["POST", f"/api/needs/{need['need']['id']}/withdrawal", None])
    assert faults == []


CALL_API = """async ([method, path, body]) => {
  const headers = body ? { "content-type": "application/json" } : {};
  const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).data;
}"""


def _need(number: int) -> dict[str, Any]:
    day = clock.now().date()
    return {
        "title": f"{LONG_WORD} {LONG_WORD} {number}",
        "description": f"{LONG_WORD * 8}\n\n" + "And then the other side of the fence, which leans as well. " * 20,
        "serviceId": "moving-help",  # another test uses up the daily emails about handyman services
        "wantedFrom": day.isoformat(),
        "wantedUntil": (day + timedelta(days=30)).isoformat(),
        "timeNote": f"{LONG_WORD} " * 4,
        "hours": 12,
        "budgetCents": 999_900,
        "place": {"text": "Denver, Colorado"},
    }


@at_each_width
async def test_console_screens_for_guru_have_no_faults(
    browser: Browser, main_origin: str, product: dict[str, Any], view: View
) -> None:
    password = next(user["password"] for user in product["users"] if user["email"] == GURU_OWNER)
    async with visitor_page(browser, **view.options) as page:
        await view.enlarge(page)
        await sign_in(page, main_origin, GURU_OWNER, password)
        addresses = starting_with(screen_addresses(product), GURU)
        faults = await _check_screens(page, "guru", main_origin, addresses, view)
    assert faults == []


@at_each_width
async def test_admin_screens_for_staff_have_no_faults(
    browser: Browser, main_origin: str, product: dict[str, Any], view: View
) -> None:
    async with visitor_page(browser, **view.options) as page:
        await view.enlarge(page)
        await sign_in_as_staff(page, main_origin, product["admin_key"])
        screens = [path for path in starting_with(screen_addresses(product), STAFF) if path != "/admin/login"]
        tabs = [f"/admin?tab={tab}" for tab in STAFF_TABS]
        faults = await _check_screens(page, "staff", main_origin, [*screens, *tabs], view)
    assert faults == []
