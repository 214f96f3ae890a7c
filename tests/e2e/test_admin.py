"""The admin console: key, tabs, reports, suspension of sites and impersonation."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import assert_accessible, expect_toast, expect_url, press, sign_in_as_staff, visitor_page
from tests.e2e.effort import Effort
from tests.e2e.own_gurus import new_guru
from tests.fixtures.browser import BROWSER_TIMEOUT_MS, set_width
from tests.porchlight.app_client import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

REPORT_DETAILS = "The second paragraph asks for a deposit by gift card."


async def _log_in_with_form(page: Page, main_origin: str, key: str) -> None:
    await page.goto(f"{main_origin}/admin")
    await expect_url(page, f"{main_origin}/admin/login")
    login = page.get_by_role("button", name="Login", exact=True)
    field = page.get_by_label("Admin key")
    await expect(field).to_have_attribute("type", "password")
    await expect(page.get_by_role("link", name="Back to Home", exact=True)).to_have_attribute("href", "/")
    await field.fill("   ")
    await expect(login).to_be_disabled()
    await field.fill("not the key at all, but long enough")
    await login.click()
    await expect(page.get_by_text("Invalid admin key", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await field.fill(key)
    await login.click()
    await expect_url(page, f"{main_origin}/admin")


async def _risk_rating(page: Page, activity: str) -> tuple[str, bool]:
    """Return the activity's risk level and whether it is known. An unknown activity joins the review queue."""
    data = await page.evaluate(
        "async (activity) => (await (await fetch('/api/liability/risk', { method: 'POST', headers: {"
        " 'Content-Type': 'application/json' },"
        " body: JSON.stringify({ skillCategory: '', activityDescription: activity }) })).json()).data",
        activity,
    )
    return data["rating"], data["known"]


async def _rate_activity(page: Page, main_origin: str, activity: str) -> None:
    """Rate an unknown activity as staff and wait until the rating applies."""
    assert await _risk_rating(page, activity) == ("medium", False)
    await page.goto(f"{main_origin}/admin/risks?search={activity}")
    await page.get_by_role("button", name=activity).click()
    dialog = page.get_by_role("dialog", name=activity)
    await expect(dialog.get_by_text("We don't know this activity yet.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await dialog.get_by_label("Risk level").select_option("High")
    await dialog.get_by_label("Note").fill("It rolls downhill.")
    await dialog.get_by_role("button", name="Save rating").click()
    await expect_toast(page, "Saved: high risk.")
    await expect(dialog.get_by_text("Reviewed by our team: high risk.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await assert_accessible(page, (1280, 360))
    await dialog.get_by_role("button", name="Close").click()
    await expect(dialog).to_have_count(0)
    await expect(page.get_by_text("No results match these filters.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)

    async def is_applied() -> bool:
        return await _risk_rating(page, activity) == ("high", True)

    await wait_until("the decision counts", is_applied)


async def _report_site(browser: Browser, site_url: str) -> None:
    """Report a site in a browser without JavaScript."""
    async with visitor_page(browser, java_script_enabled=False) as page:
        await page.goto(site_url)
        await page.get_by_role("link", name="Report this site", exact=True).click()
        await page.get_by_label("What's wrong?").select_option("scam")
        await page.get_by_label(re.compile("^Anything else")).fill(REPORT_DETAILS)
        await page.get_by_role("button", name="Send report").click()
        await expect(page.get_by_text("Thanks. Your report has been sent to our team.")).to_be_visible()


async def test_sections_stand_beside_page_on_wide_screens(
    browser: Browser, product: dict[str, Any], main_origin: str
) -> None:
    """The frame is the same in the console; workspace.test.tsx tests that neither has the footer of public pages."""
    async with visitor_page(browser) as page:
        await sign_in_as_staff(page, main_origin, product["admin_key"])
        await page.goto(f"{main_origin}/admin")
        sections, heading = page.get_by_role("navigation", name="Admin"), page.get_by_role("heading", level=1)
        menu = page.get_by_role("button", name=re.compile("^Menu"))
        await expect(heading).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(menu).to_be_hidden()
        rail, content = await sections.bounding_box(), await heading.bounding_box()
        assert rail is not None
        assert content is not None
        assert rail["x"] + rail["width"] < content["x"]
        assert rail["y"] < content["y"] + content["height"]
        await set_width(page, 360)
        await expect(menu).to_be_visible()
        await expect(sections).to_be_hidden()


async def test_staff_log_in_rate_activity_and_log_out(
    browser: Browser, product: dict[str, Any], main_origin: str
) -> None:
    async with visitor_page(browser, viewport={"width": 360, "height": 900}) as page:
        await _log_in_with_form(page, main_origin, product["admin_key"])
        await page.get_by_role("tab", name="Users", exact=True).click()
        await page.get_by_label("Search by name, email or handle").fill("rosa.delgado")
        await expect(page.get_by_role("table").locator("tbody tr")).to_have_count(1, timeout=BROWSER_TIMEOUT_MS)
        await page.get_by_role("table").get_by_role("button").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("rosa.delgado@example.com")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(page, selector="[role=dialog]")
        await page.keyboard.press("Escape")
        await _rate_activity(page, main_origin, "qvorxling of fqgs")
        await page.get_by_role("button", name="Logout", exact=True).click()
        await expect_url(page, f"{main_origin}/")
        await page.goto(f"{main_origin}/admin")
        await expect_url(page, f"{main_origin}/admin/login")


@pytest.mark.sweep  # The gate tests what they do in sessions-tab.test.tsx and waiver-records.test.tsx.
async def test_admin_sessions_and_waivers_are_accessible(
    browser: Browser, product: dict[str, Any], main_origin: str
) -> None:
    async with visitor_page(browser, viewport={"width": 360, "height": 900}) as page:
        await sign_in_as_staff(page, main_origin, product["admin_key"])
        await page.goto(f"{main_origin}/admin?tab=sessions&search=machine+safety")
        records = page.get_by_role("region", name="Waiver records")
        await expect(records.get_by_text(re.compile("records verified"))).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await records.get_by_text(re.compile("^[0-9]+ chains$")).press("Enter")
        chains = records.get_by_role("list", name="Chains").get_by_role("listitem")
        await expect(chains.filter(has_text="Workshop Guru")).to_contain_text("No problems found")
        session = page.get_by_role("table", name="Exchange sessions").get_by_role(
            "button", name="Machine Safety Morning"
        )
        await expect(session).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(page, (1280, 360))
        await press(session)
        dialog = page.get_by_role("dialog", name="Session: Machine Safety Morning")
        await expect(dialog.get_by_text("Confirmed by the person")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(page, (1280, 360))
        await press(dialog.get_by_role("button", name="Cancel for both…"))
        await expect(dialog.get_by_label("Reason")).to_be_visible()
        await assert_accessible(page, (1280, 360))


@pytest.fixture
def reported_label(product: dict[str, Any]) -> str:
    """The label of a new guru. The sites of the demo must not be suspended while other tests visit them."""
    return new_guru(product, "reported").label


async def test_report_resolved_by_staff_suspends_site(
    browser: Browser, product: dict[str, Any], main_origin: str, tls_port: int, reported_label: str
) -> None:
    site = f"https://{reported_label}.porchlight.localhost:{tls_port}"
    await _report_site(browser, site)
    async with visitor_page(browser) as page:
        await sign_in_as_staff(page, main_origin, product["admin_key"])
        await page.goto(f"{main_origin}/admin")
        effort = Effort()
        await effort.tap(page.get_by_role("tab", name="Reports", exact=True))
        report = page.get_by_role("table").locator("tbody tr").filter(has_text=reported_label)
        await effort.tap(report.get_by_role("button"))
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text(REPORT_DETAILS)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await effort.choose(dialog.get_by_label("Outcome"), "acted")
        await effort.type(dialog.get_by_label("Note"), "The site is down until they answer.")
        await effort.tap(dialog.get_by_role("button", name="Resolve", exact=True))
        await expect_toast(page, "Report resolved.")
        effort.expect_within("Resolve a report")
        await expect(dialog.get_by_text("The site is down until they answer.")).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )

        await page.goto(f"{main_origin}/admin/sites?search={reported_label}")
        await page.get_by_role("button", name=reported_label, exact=True).click()
        await dialog.get_by_role("button", name="Suspend…").click()
        await dialog.get_by_role("button", name="Suspend this site").click()
        await expect(dialog.get_by_text("Please enter a reason.")).to_be_visible()
        await dialog.get_by_label("Reason").fill("Asks for deposits")
        await dialog.get_by_role("button", name="Suspend this site").click()
        await expect_toast(page, f"{reported_label} suspended.")
        async with visitor_page(browser) as reader:
            response = await reader.goto(site)
            assert response is not None
            assert response.status == 410
            await dialog.get_by_role("button", name="Restore this site").click()
            await expect_toast(page, f"{reported_label} restored.")
            response = await reader.goto(site)
            assert response is not None
            assert response.status == 200


async def test_impersonation_of_guru_is_read_only(browser: Browser, product: dict[str, Any], main_origin: str) -> None:
    label = new_guru(product, "viewed").label
    async with visitor_page(browser) as page:
        await sign_in_as_staff(page, main_origin, product["admin_key"])
        await page.goto(f"{main_origin}/admin/sites?search={label}")
        await page.get_by_role("button", name=label, exact=True).click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="View as this guru…").click()
        await dialog.get_by_label("Reason").fill("They asked how leads look")
        await dialog.get_by_role("button", name="Open the console").click()
        await expect_url(page, f"{main_origin}/guru")
        banner = page.get_by_label("Viewing as a guru")
        await expect(banner).to_contain_text(f"({label}) as its guru. Read-only.", timeout=BROWSER_TIMEOUT_MS)
        await expect(
            page.get_by_role("main").get_by_text(re.compile(rf"{label}\.porchlight\.localhost")).first
        ).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await page.reload()
        await expect(banner).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await assert_accessible(page, (1280, 360))
        status = await page.evaluate(
            "async (label) => (await fetch('/api/guru/services', { method: 'POST', headers: {"
            " 'Content-Type': 'application/json', 'Porchlight-Impersonate': label },"
            " body: JSON.stringify({ name: 'A lesson', priceCents: 4000, durationMinutes: 60 }) })).status",
            label,
        )
        assert status == 403
        await banner.get_by_role("button", name="Stop viewing").click()
        await expect_url(page, f"{main_origin}/admin/sites")
        await expect(banner).to_have_count(0)
        await page.goto(f"{main_origin}/admin/audit?action=impersonation")
        entries = page.get_by_role("table").locator("tbody tr")
        await expect(entries.first).to_contain_text("impersonation.end", timeout=BROWSER_TIMEOUT_MS)
        await expect(entries.nth(1)).to_contain_text("They asked how leads look")
        await page.get_by_role("button", name="Verify audit log").click()
        await expect(page.get_by_text(re.compile("^Audit log verified"))).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
