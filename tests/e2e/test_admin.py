"""Staff at work, in a real browser: the key, seven tabs, a report settled, a site down and up, a look as its guru."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.visitor import PATIENCE, arrived, toasted, visitor
from tests.platform_.world import until
from tests.sites.pages.village import AXE

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

TABS = ("Overview", "Users", "Listings", "Sessions", "Reports", "Feature Flags", "Documents")
REPORTED = "The second paragraph asks for a deposit by gift card."


async def _sound(page: Page) -> None:
    """Nothing axe complains of, and nothing wider than the screen."""
    await expect(page.get_by_role("status").filter(has_text="Loading")).to_have_count(0)
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = await page.evaluate(
        "async () => (await axe.run()).violations.map((v) => [v.id, v.nodes[0].html.slice(0, 200)])"
    )
    assert violations == []
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


async def _enter(page: Page, main_origin: str, key: str) -> None:
    await page.goto(f"{main_origin}/admin")
    await arrived(page, f"{main_origin}/admin/login")
    login = page.get_by_role("button", name="Login", exact=True)
    field = page.get_by_label("Admin key")
    await expect(field).to_have_attribute("type", "password")
    await expect(page.get_by_role("link", name="Back to Home", exact=True)).to_have_attribute("href", "/")
    await field.fill("   ")
    await expect(login).to_be_disabled()
    await field.fill("not the key at all, but long enough")
    await login.click()
    await expect(page.get_by_text("Invalid admin key", exact=True)).to_be_visible(timeout=PATIENCE)
    await field.fill(key)
    await login.click()
    await arrived(page, f"{main_origin}/admin")


async def _rating(page: Page, activity: str) -> tuple[str, bool]:
    """How risky an activity is said to be, and whether somebody knows; what nobody does waits for staff from now on."""
    found = await page.evaluate(
        "async (activity) => (await (await fetch('/api/liability/risk', { method: 'POST', headers: {"
        " 'Content-Type': 'application/json' },"
        " body: JSON.stringify({ skillCategory: '', activityDescription: activity }) })).json()).data",
        activity,
    )
    return found["rating"], found["known"]


async def _decide(page: Page, main_origin: str, activity: str) -> None:
    """Staff rate what nobody has rated, and it counts."""
    assert await _rating(page, activity) == ("medium", False)
    await page.goto(f"{main_origin}/admin/risks?search={activity}")
    await page.get_by_role("button", name=activity).click()
    dialog = page.get_by_role("dialog", name=activity)
    await expect(dialog.get_by_text("We do not know this activity yet.")).to_be_visible(timeout=PATIENCE)
    await _sound(page)
    await dialog.get_by_label("How risky it is").select_option("High")
    await dialog.get_by_label("Note").fill("It rolls downhill.")
    await dialog.get_by_role("button", name="Decide").click()
    await toasted(page, "It is decided: high risk.")
    await expect(dialog.get_by_text("Reviewed by our team: high risk.")).to_be_visible(timeout=PATIENCE)
    await _sound(page)
    await dialog.get_by_role("button", name="Close").click()
    await expect(dialog).to_have_count(0)
    await expect(page.get_by_text("Nothing matches these filters.")).to_be_visible(timeout=PATIENCE)

    async def counts() -> bool:
        return await _rating(page, activity) == ("high", True)

    await until("the decision counts", counts)


async def _report(browser: Browser, address: str) -> None:
    """A visitor whose browser runs no scripts reports a post."""
    async with visitor(browser, java_script_enabled=False) as page:
        await page.goto(f"{address}/blog")
        await page.get_by_role("main").locator("article a, a.card, .card a").first.click()
        await page.get_by_role("link", name="Report this", exact=True).click()
        await page.get_by_label("What is wrong?").select_option("scam")
        await page.get_by_label(re.compile("^Anything that helps")).fill(REPORTED)
        await page.get_by_role("button", name="Send report").click()
        await expect(page.get_by_text("Thank you. Your report has been sent to our team.")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
async def test_staff_walk_the_tabs(browser: Browser, product: dict[str, Any], main_origin: str, width: int) -> None:
    async with visitor(browser, viewport={"width": width, "height": 800}, reduced_motion="reduce") as page:
        await _enter(page, main_origin, product["admin_key"])
        tabs = page.get_by_role("tab")
        await expect(tabs).to_have_text(list(TABS))
        await expect(page.get_by_role("tab", name="Overview")).to_have_attribute("aria-selected", "true")
        for words in ("Total Users", "Skill Listings", "Exchange Sessions", "Reports"):
            await expect(page.get_by_role("tabpanel").get_by_text(words, exact=True)).to_be_visible()
        for tab in TABS:
            await page.get_by_role("tab", name=tab, exact=True).click()
            await expect(page.get_by_role("tabpanel")).to_be_visible(timeout=PATIENCE)
            await _sound(page)
        await page.get_by_role("tab", name="Users", exact=True).click()
        await page.get_by_label("Search by name, email or handle").fill("rosa.delgado")
        await expect(page.get_by_role("table").locator("tbody tr")).to_have_count(1, timeout=PATIENCE)
        await page.get_by_role("table").get_by_role("button").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("rosa.delgado@example.com")).to_be_visible(timeout=PATIENCE)
        box = await dialog.bounding_box()
        assert box is not None
        assert box["width"] <= 800
        await _sound(page)
        await page.keyboard.press("Escape")
        await page.get_by_role("tab", name="Feature Flags", exact=True).click()
        flags = page.get_by_role("tabpanel")
        await expect(flags.get_by_text("User Profiles", exact=True)).to_be_visible(timeout=PATIENCE)
        await expect(flags.get_by_text("Enabled", exact=True).first).to_be_visible()
        await expect(flags.get_by_text("Disabled", exact=True).first).to_be_visible()
        await _rating(page, "Blorfing in the dark")
        areas = (("/admin/sites", "Guru sites"), ("/admin/risks", "Risk reviews"), ("/admin/audit", "Audit log"))
        for path, heading in areas:
            await page.goto(main_origin + path)
            await expect(page.get_by_role("heading", name=heading)).to_be_visible(timeout=PATIENCE)
            await expect(page.get_by_role("table")).to_be_visible(timeout=PATIENCE)
            await _sound(page)
        await _decide(page, main_origin, f"zorbing of frogs {width}")
        await page.get_by_role("button", name="Logout", exact=True).click()
        await arrived(page, f"{main_origin}/")
        await page.goto(f"{main_origin}/admin")
        await arrived(page, f"{main_origin}/admin/login")


async def test_a_report_leads_to_a_site_taken_down(
    browser: Browser, product: dict[str, Any], main_origin: str, tls_port: int
) -> None:
    site = f"https://garden.porchlight.localhost:{tls_port}"
    await _report(browser, site)
    async with visitor(browser) as page:
        await _enter(page, main_origin, product["admin_key"])
        await page.get_by_role("tab", name="Reports", exact=True).click()
        await page.get_by_role("table").locator("tbody tr").filter(has_text="garden/").get_by_role("button").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text(REPORTED)).to_be_visible(timeout=PATIENCE)
        await dialog.get_by_label("Outcome").select_option("acted")
        await dialog.get_by_label("Note").fill("The site is down until they answer.")
        await dialog.get_by_role("button", name="Resolve", exact=True).click()
        await toasted(page, "The report is resolved.")
        await expect(dialog.get_by_text("The site is down until they answer.")).to_be_visible(timeout=PATIENCE)

        await page.goto(f"{main_origin}/admin/sites?search=garden")
        await page.get_by_role("button", name="garden", exact=True).click()
        await dialog.get_by_role("button", name="Suspend…").click()
        await dialog.get_by_role("button", name="Suspend this site").click()
        await expect(dialog.get_by_text("Please give a reason.")).to_be_visible()
        await dialog.get_by_label("Reason").fill("Asks for deposits")
        await dialog.get_by_role("button", name="Suspend this site").click()
        await toasted(page, "garden is suspended.")
        async with visitor(browser) as reader:
            answer = await reader.goto(site)
            assert answer is not None
            assert answer.status == 410
            await dialog.get_by_role("button", name="Restore this site").click()
            await toasted(page, "garden is back.")
            answer = await reader.goto(site)
            assert answer is not None
            assert answer.status == 200


async def test_staff_look_as_a_guru(browser: Browser, product: dict[str, Any], main_origin: str) -> None:
    async with visitor(browser) as page:
        await _enter(page, main_origin, product["admin_key"])
        await page.goto(f"{main_origin}/admin/sites?search=music")
        await page.get_by_role("button", name="music", exact=True).click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="View as this guru…").click()
        await dialog.get_by_label("Reason").fill("They asked how leads look")
        await dialog.get_by_role("button", name="Open the console").click()
        await arrived(page, f"{main_origin}/guru")
        banner = page.get_by_label("Viewing as a guru")
        await expect(banner).to_contain_text("(music) as its guru. Read-only.", timeout=PATIENCE)
        await expect(
            page.get_by_role("main").get_by_text(re.compile(r"music\.porchlight\.localhost")).first
        ).to_be_visible(timeout=PATIENCE)
        await page.reload()
        await expect(banner).to_be_visible(timeout=PATIENCE)
        await _sound(page)
        refused = await page.evaluate(
            "async () => (await fetch('/api/guru/services', { method: 'POST', headers: {"
            " 'Content-Type': 'application/json', 'Porchlight-As': 'music' },"
            " body: JSON.stringify({ name: 'A lesson', priceCents: 4000, durationMinutes: 60 }) })).status"
        )
        assert refused == 403
        await banner.get_by_role("button", name="Stop viewing").click()
        await arrived(page, f"{main_origin}/admin/sites")
        await expect(banner).to_have_count(0)
        await page.goto(f"{main_origin}/admin/audit?action=impersonation")
        acts = page.get_by_role("table").locator("tbody tr")
        await expect(acts.first).to_contain_text("impersonation.end", timeout=PATIENCE)
        await expect(acts.nth(1)).to_contain_text("They asked how leads look")
        await page.get_by_role("button", name="Verify the log").click()
        await expect(page.get_by_text(re.compile("^The audit log is whole"))).to_be_visible(timeout=PATIENCE)
