"""The links in a site's emails in the browser: someone else's address is typed, and its owner ends the emails."""

from __future__ import annotations

import re
import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, expect

from tests.e2e.browser_session import (
    POST_JSON,
    assert_accessible,
    focus_by_tab,
    sign_in,
    visitor_page,
    wait_for_email,
)
from tests.e2e.own_gurus import new_owned_guru
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (360, 1280)
LEAD_ID = "SELECT id::text FROM leads WHERE email = %s"
REPLY = "Gladly, on Tuesday. Write me any time."


async def test_owner_of_typed_address_blocks_and_reports(
    browser: Browser, product: dict[str, Any], main_origin: str, tls_port: int, emulator: Emulator
) -> None:
    owned = new_owned_guru(product, emulator, "written")
    site, email = f"{owned.label}.porchlight.localhost", f"typed-{uuid.uuid4().hex[:10]}@mail.example"
    async with visitor_page(browser) as guru, visitor_page(browser) as page:
        await guru.goto(f"https://{site}:{tls_port}/contact")
        lead = {"name": "Nora Newcomer", "email": email, "message": "Hello", "consent": True}
        await guru.evaluate(POST_JSON, [f"/api/gurus/{owned.label}/leads", lead])
        with psycopg.connect(product["overseer_url"]) as conn:
            row = conn.execute(LEAD_ID, [email]).fetchone()
        assert row is not None
        await sign_in(guru, main_origin, owned.email, owned.password)
        await guru.goto(f"{main_origin}/guru/leads/{row[0]}")
        reply = guru.get_by_label("Your reply to Nora Newcomer")
        await reply.fill(REPLY)

        receipt = wait_for_email(product, email, "We sent your message")
        assert f"We sent your message to {site}:{tls_port}." in receipt
        answer_url, report_url = re.findall(r"https://\S+/mail/\S+", receipt)
        await page.goto(answer_url)
        await expect(page.get_by_role("heading", level=1)).to_have_text(f"Did you write to {site}?")
        await focus_by_tab(page, page.get_by_role("button", name="This wasn't me"))
        await page.keyboard.press("Enter")
        blocked = page.get_by_text(f"Thanks for telling us. We won't send you email from {site} anymore.")
        await expect(blocked).to_be_visible()
        await expect(page.get_by_role("button", name="This wasn't me")).to_have_attribute("aria-pressed", "true")
        await assert_accessible(page, WIDTHS)
        await page.reload()
        await expect(blocked).to_be_visible()

        await guru.get_by_role("button", name="Send reply").click()
        await expect(guru.get_by_text(re.compile("^This person doesn't want email from your site"))).to_be_visible()
        await expect(reply).to_have_value(REPLY)

        # Only the fragment differs, so the browser would not load the page again.
        await page.goto("about:blank")
        await page.goto(report_url)
        dialog = page.get_by_role("dialog", name="Report this")
        await expect(dialog).to_contain_text(site)
        await assert_accessible(page, WIDTHS)
        await dialog.get_by_label("What's wrong?").select_option("spam")
        await dialog.get_by_role("button", name="Send report").click()
        await expect(page.get_by_text("Thanks. Your report has been sent to our team.")).to_be_visible()
    with psycopg.connect(product["overseer_url"]) as conn:
        reports = conn.execute("SELECT 1 FROM reports WHERE subject_kind = 'site' AND subject_name = %s", [owned.label])
        assert reports.fetchall()
