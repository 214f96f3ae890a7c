"""The guru console: site profile with preview, a post from draft to publication, a reply to a lead."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tenants.kit import clock
from tests.e2e.browser_session import (
    assert_accessible,
    expect_toast,
    expect_url,
    sign_in,
    visitor_page,
    wait_for_email,
)
from tests.e2e.effort import Effort
from tests.e2e.plan_grants import grant_premium
from tests.fixtures import seeded
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.porchlight.app_client import BASE_HOST

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

OWNER, LABEL = "hannah.sato@example.com", "photo"  # a demo guru that no other test uses
DEMO_PASSWORD = "porchlight"


async def _assert_accessible(page: Page) -> None:
    """Assert that the page is accessible and has no horizontal scroll, on phone and desktop."""
    # Frames show the guru's site, which has its own tests.
    await assert_accessible(page, (360, 1280), iframes=False)


@pytest.fixture
def site(tls_port: int) -> str:
    """The guru's site behind Caddy."""
    return f"https://{LABEL}.{BASE_HOST}:{tls_port}"


async def test_console_edits_site_posts_and_leads(
    browser: Browser, product: dict[str, Any], main_origin: str, site: str
) -> None:
    mark = seeded.word()
    grant_premium(product, OWNER)  # for a color of their own
    async with visitor_page(browser) as neighbor:
        await neighbor.goto(f"{site}/contact")
        await neighbor.get_by_label("Name").fill("Nora Newcomer")
        await neighbor.get_by_label("Email").fill(f"{mark}@example.com")
        await neighbor.get_by_role("textbox", name="Message").fill(f"Could you photograph our porch? {mark}")
        await neighbor.get_by_role("checkbox").check()
        await neighbor.get_by_role("button", name=re.compile("Send")).click()
        await expect(neighbor.get_by_text("Thank you! Your message has been sent.")).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )

    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, OWNER, DEMO_PASSWORD)
        await page.goto(f"{main_origin}/dashboard")
        await expect(page.get_by_role("heading", name="Your site")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await page.get_by_role("button", name=re.compile("^Account menu for ")).click()
        await page.get_by_role("menuitem", name="My site", exact=True).click()
        await expect_url(page, f"{main_origin}/guru")
        await expect(page.get_by_role("main").get_by_text("Live").first).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await _edit_site(page, mark)
        await _write_post(browser, page, main_origin, site, mark)
        await _reply_to_lead(page, main_origin, mark)
    email = wait_for_email(product, f"{mark}@example.com", "Lens Guru replied to your message")
    assert f"Gladly, on Tuesday. {mark}" in email
    assert f"Could you photograph our porch? {mark}" not in email  # the visitor's address is not verified


async def _edit_site(page: Page, mark: str) -> None:
    await page.get_by_role("navigation", name="My site").get_by_role("link", name="Site", exact=True).click()
    await page.get_by_label("Tagline").fill(f"Light, and time {mark}")
    await page.get_by_label("Primary color", exact=True).fill("#ff6600")
    preview = page.frame_locator('iframe[title="Preview of your site"]')
    await expect(preview.get_by_text(f"Light, and time {mark}").first).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await expect(page.get_by_text("Easy to read on your site (6.0:1).")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await _assert_accessible(page)
    await page.get_by_role("button", name="Save changes").click()
    await expect_toast(page, "Saved. Your changes are live.")


async def _write_post(browser: Browser, page: Page, main_origin: str, site: str, mark: str) -> None:
    effort = Effort()  # without the words in bold and the preview
    await effort.open(page.get_by_role("navigation", name="My site").get_by_role("link", name="Posts", exact=True))
    await effort.open(page.get_by_role("button", name="New post").first)
    await effort.type(page.get_by_role("textbox", name="Title"), f"Fog at the lake {mark}")
    content = page.get_by_label("Content")
    await effort.type(content, "Get up early. ")
    await content.press("End")
    await page.get_by_role("button", name="Bold", exact=True).click()
    await page.keyboard.type("Earlier than that")
    await expect(content).to_have_value("Get up early. **Earlier than that**")
    await expect(page.get_by_role("status").get_by_text("Saved", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await page.reload()
    await expect(page.get_by_label("Content")).to_have_value(
        "Get up early. **Earlier than that**", timeout=BROWSER_TIMEOUT_MS
    )
    await page.get_by_role("button", name="Preview", exact=True).click()
    preview = page.frame_locator('iframe[title="Preview of your post"]')
    await expect(preview.locator("strong", has_text="Earlier than that")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await _assert_accessible(page)
    await effort.tap(page.get_by_role("button", name="Publish…"))
    await effort.tap(page.get_by_role("button", name="Publish now"))
    await expect_toast(page, "Published. Your post is live.")
    effort.expect_within("Write and publish a post")
    async with visitor_page(browser) as reader:
        await reader.goto(f"{site}/blog/fog-at-the-lake-{mark}")
        await expect(reader.get_by_role("heading", level=1)).to_have_text(
            f"Fog at the lake {mark}", timeout=BROWSER_TIMEOUT_MS
        )
        await expect(reader.locator("strong", has_text="Earlier than that")).to_be_visible()
        await reader.goto(site)
        await expect(reader.get_by_text(f"Light, and time {mark}").first).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        color = await reader.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
        assert color.strip().startswith("#ff")

    await page.get_by_role("button", name="Unpublish", exact=True).click()
    await expect(page.get_by_role("button", name="Publish…")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await page.get_by_role("button", name="Publish…").click()
    await page.get_by_role("radio", name=re.compile("Later")).check()
    due = clock.now().astimezone() + timedelta(days=2)  # the field is in the browser's own zone
    await page.get_by_label("Date and time").fill(due.strftime("%Y-%m-%dT%H:%M"))
    await _assert_accessible(page)
    await page.get_by_role("button", name="Schedule", exact=True).click()
    await expect(page.get_by_text("Scheduled", exact=True).first).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await page.goto(f"{main_origin}/guru/posts?standing=scheduled")
    row = page.get_by_role("listitem").filter(has_text=mark)
    await expect(row).to_contain_text("Scheduled for", timeout=BROWSER_TIMEOUT_MS)
    await row.get_by_role("button", name=re.compile("^Delete")).click()
    await page.get_by_role("button", name="Delete permanently").click()
    await expect_toast(page, "Post deleted.")


async def _reply_to_lead(page: Page, main_origin: str, mark: str) -> None:
    await page.goto(f"{main_origin}/guru/leads")
    await page.get_by_label("Search leads").fill(mark)
    row = page.get_by_role("list", name="Leads").get_by_role("listitem")
    await expect(row).to_have_count(1, timeout=BROWSER_TIMEOUT_MS)
    await row.get_by_role("link").click()
    await page.get_by_label("Your reply to Nora Newcomer").fill(f"Gladly, on Tuesday. {mark}")
    await page.get_by_role("button", name="Send reply").click()
    await expect(page.get_by_text(re.compile(r"^sent "))).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await expect(page.get_by_text("Replied", exact=True).first).to_be_visible()
