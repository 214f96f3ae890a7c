"""A guru at their desk: the look with its preview, a post from the first word to the live site, a lead answered."""

from __future__ import annotations

import re
import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.visitor import PATIENCE, arrived, mail_to, sign_in, toasted, visitor
from tests.platform_.world import BASE
from tests.sites.pages.village import AXE
from tests.support.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

OWNER, LABEL = "hannah.sato@example.com", "photo"  # a story that no other journey looks at
DEMO_PASSWORD = "porchlight"


async def _come_in(page: Page, origin: str) -> None:
    await page.goto(f"{origin}/login")
    await page.get_by_label("Email", exact=True).fill(OWNER)
    await page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    await page.get_by_role("main").get_by_role("button", name="Sign In", exact=True).click()
    await arrived(page, f"{origin}/dashboard")


async def _fair(page: Page) -> None:
    """No fault that axe knows, and nothing wider than the screen, from a phone to a desk."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    for width in (360, 768, 1280):
        await page.set_viewport_size({"width": width, "height": 900})
        # Frames show the guru's site, which has tests of its own.
        violations = await page.evaluate(
            "async () => (await axe.run(document, {iframes: false})).violations"
            ".map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)}`)"
        )
        assert violations == [], (page.url, width)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)


@pytest.fixture
def site(tls_port: int) -> str:
    """The guru's site behind Caddy."""
    return f"https://{LABEL}.{BASE}:{tls_port}"


async def test_a_guru_at_their_desk(browser: Browser, product: dict[str, Any], main_origin: str, site: str) -> None:
    mark = uuid.uuid4().hex[:8]
    async with visitor(browser) as neighbour:
        await neighbour.goto(f"{site}/contact")
        await neighbour.get_by_label("Name").fill("Nora Newcomer")
        await neighbour.get_by_label("Email").fill(f"{mark}@example.com")
        await neighbour.get_by_role("textbox", name="Message").fill(f"Could you photograph our porch? {mark}")
        await neighbour.get_by_role("checkbox").check()
        await neighbour.get_by_role("button", name=re.compile("Send")).click()
        await expect(neighbour.get_by_text("Thank you! Your message has been sent.")).to_be_visible(timeout=PATIENCE)

    async with visitor(browser) as page:
        await _come_in(page, main_origin)
        await expect(page.get_by_role("heading", name="Your site")).to_be_visible(timeout=PATIENCE)
        await page.get_by_role("button", name=re.compile("^Account menu for ")).click()
        await page.get_by_role("menuitem", name="My site", exact=True).click()
        await arrived(page, f"{main_origin}/guru")
        await expect(page.get_by_role("main").get_by_text("Live").first).to_be_visible(timeout=PATIENCE)
        await _fair(page)
        await _change_the_look(page, mark)
        await _write_a_post(browser, page, main_origin, site, mark)
        await _answer_the_lead(page, main_origin, mark)
    letter = mail_to(product, f"{mark}@example.com", "Lens Guru answered your message")
    assert f"Gladly, on Tuesday. {mark}" in letter
    assert f"> Could you photograph our porch? {mark}" in letter


async def _change_the_look(page: Page, mark: str) -> None:
    await page.get_by_role("navigation", name="My site").get_by_role("link", name="Site", exact=True).click()
    await page.get_by_label("Tagline").fill(f"Light, and patience {mark}")
    await page.get_by_label("Primary color", exact=True).fill("#ff6600")
    shown = page.frame_locator('iframe[title="Preview of your site"]')
    await expect(shown.get_by_text(f"Light, and patience {mark}").first).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("Reads well on your dark pages (6.0:1).")).to_be_visible(timeout=PATIENCE)
    await _fair(page)
    await page.get_by_role("button", name="Save changes").click()
    await toasted(page, "Saved. Your site shows it now.")


async def _write_a_post(browser: Browser, page: Page, main_origin: str, site: str, mark: str) -> None:
    await page.get_by_role("navigation", name="My site").get_by_role("link", name="Posts", exact=True).click()
    await page.get_by_role("button", name="New post").first.click()
    await page.get_by_label("Title").fill(f"Fog at the lake {mark}")
    content = page.get_by_label("Content")
    await content.fill("Get up early. ")
    await content.press("End")
    await page.get_by_role("button", name="Bold", exact=True).click()
    await page.keyboard.type("Earlier than that")
    await expect(content).to_have_value("Get up early. **Earlier than that**")
    await expect(page.get_by_text("All changes saved", exact=True)).to_be_visible(timeout=PATIENCE)
    await page.reload()
    await expect(page.get_by_label("Content")).to_have_value("Get up early. **Earlier than that**", timeout=PATIENCE)
    await page.get_by_role("button", name="Preview", exact=True).click()
    shown = page.frame_locator('iframe[title="Preview of your post"]')
    await expect(shown.locator("strong", has_text="Earlier than that")).to_be_visible(timeout=PATIENCE)
    await _fair(page)
    await page.get_by_role("button", name="Publish…").click()
    await page.get_by_role("button", name="Publish now").click()
    await toasted(page, "Published. It is on your site now.")
    async with visitor(browser) as reader:
        await reader.goto(f"{site}/blog/fog-at-the-lake-{mark}")
        await expect(reader.get_by_role("heading", level=1)).to_have_text(f"Fog at the lake {mark}", timeout=PATIENCE)
        await expect(reader.locator("strong", has_text="Earlier than that")).to_be_visible()
        await reader.goto(site)
        await expect(reader.get_by_text(f"Light, and patience {mark}").first).to_be_visible(timeout=PATIENCE)
        colour = await reader.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
        assert colour.strip().startswith("#ff")

    await page.get_by_role("button", name="Unpublish", exact=True).click()
    await expect(page.get_by_role("button", name="Publish…")).to_be_visible(timeout=PATIENCE)
    await page.get_by_role("button", name="Publish…").click()
    await page.get_by_role("radio", name=re.compile("Later")).check()
    due = datetime.now() + timedelta(days=2)  # noqa: DTZ005 - the field is in the browser's own zone
    await page.get_by_label("Day and time").fill(due.strftime("%Y-%m-%dT%H:%M"))
    await _fair(page)
    await page.get_by_role("button", name="Schedule", exact=True).click()
    await expect(page.get_by_text("Scheduled", exact=True).first).to_be_visible(timeout=PATIENCE)
    await page.goto(f"{main_origin}/guru/posts?standing=scheduled")
    row = page.get_by_role("listitem").filter(has_text=mark)
    await expect(row).to_contain_text("Comes out", timeout=PATIENCE)
    await _fair(page)
    await row.get_by_role("button", name=re.compile("^Delete")).click()
    await page.get_by_role("button", name="Delete for good").click()
    await toasted(page, "The post is deleted.")


async def _answer_the_lead(page: Page, main_origin: str, mark: str) -> None:
    await page.goto(f"{main_origin}/guru/services")
    await expect(page.get_by_role("list", name="Services").get_by_role("listitem").first).to_be_visible(
        timeout=PATIENCE
    )
    await _fair(page)
    await page.goto(f"{main_origin}/guru/leads")
    await page.get_by_label("Search leads").fill(mark)
    row = page.get_by_role("list", name="Leads").get_by_role("listitem")
    await expect(row).to_have_count(1, timeout=PATIENCE)
    await _fair(page)
    await row.get_by_role("link").click()
    await page.get_by_label("Your mail to Nora Newcomer").fill(f"Gladly, on Tuesday. {mark}")
    await page.get_by_role("button", name="Send answer").click()
    await expect(page.get_by_text(re.compile(r"^sent "))).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("Answered", exact=True).first).to_be_visible()
    await _fair(page)


async def test_who_has_no_site_is_invited(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{main_origin}/guru/posts")
        link = page.get_by_role("link", name="Become a Guru")
        await expect(link).to_have_attribute("href", "/onboarding", timeout=PATIENCE)
        await page.get_by_role("button", name=re.compile("^Account menu for ")).click()
        await expect(page.get_by_role("menuitem")).to_have_text(["Profile", "Sign Out"])
