"""The report form of a guru's site during a flood, in the browser: it proves its work and the report arrives."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, expect

from sites.reports.actions import REPORTS_PER_HOUR
from tests.e2e.browser_session import assert_accessible, focus_by_tab, visitor_page

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

_FLOOD = """
INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, reason, address_hash, network_hash,
                     idempotency_key, digest)
SELECT gen_random_uuid(), 'site', gen_random_uuid(), 'cooking', '', 'spam', int8send(n), int8send(n), %s || n, ''
  FROM generate_series(1, %s) n"""


async def test_report_form_in_flood_sends_report_by_keyboard(
    browser: Browser, product: dict[str, Any], tls_port: int
) -> None:
    mark = uuid.uuid4().hex[:10]
    origin = f"https://cooking.porchlight.localhost:{tls_port}"
    with psycopg.connect(product["overseer_url"], autocommit=True) as conn:
        conn.execute(_FLOOD, [f"flood-{mark}-", REPORTS_PER_HOUR.flood_from])
        try:
            async with visitor_page(browser, viewport={"width": 360, "height": 740}) as page:
                await page.goto(f"{origin}/report", wait_until="networkidle")
                await page.get_by_label("What's wrong?").select_option("other")
                send = page.get_by_role("button", name="Send report")
                await focus_by_tab(page, send)
                await page.keyboard.press("Enter")
                await expect(page.get_by_text("Please tell us what's wrong.")).to_be_visible()
                await expect(page.get_by_label("Anything else we should know?")).to_be_focused()
                await page.keyboard.type(f"Flooded {mark}")
                await assert_accessible(page, (360, 1280))
                await focus_by_tab(page, send)
                await page.keyboard.press("Enter")
                await expect(page.get_by_role("heading", name="Report sent")).to_be_visible()
            stored = conn.execute("SELECT count(*) FROM reports WHERE details = %s", [f"Flooded {mark}"])
            assert stored.fetchone() == (1,)
        finally:
            conn.execute("DELETE FROM reports WHERE idempotency_key LIKE %s", [f"flood-{mark}-%"])
