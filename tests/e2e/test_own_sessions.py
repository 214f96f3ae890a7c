"""A neighbor's sessions in the browser: see, move and cancel them, and find a time from the dashboard."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, expect

from tests.e2e.browser_session import (
    CALL_API,
    assert_accessible,
    expect_toast,
    focus_by_tab,
    press,
    sign_in,
    visitor_page,
)
from tests.e2e.effort import Effort
from tests.e2e.own_gurus import new_guru

pytestmark = pytest.mark.e2e

WIDTHS = (360, 1280)
SERVICE = "One-on-One Consultation"
# Books the last free time of the guru's main service. Returns the booking.
BOOK = f"""async ([guru]) => {{
{CALL_API}  const {{ data: {{ gurus: [{{ service }}] }} }} = await call(`/teachers?guru=${{guru}}`);
  const {{ starts }} = await call(`/gurus/${{guru}}/services/${{service.id}}/slots?days=62`);
  const {{ startsAt }} = starts.at(-1);
  const {{ data: {{ token }} }} = await call(`/gurus/${{guru}}/holds`, {{ serviceId: service.id, startsAt, party: 1 }});
  const {{ data: hold }} = await call(`/holds/${{token}}`);
  const {{ data }} = await call("/bookings", {{ hold: token, name: "Ada Alvarez", policyDigest: hold.policyDigest }});
  return data;
}}"""
# The start is in three hours, and half of the price is owed from a day before.
MAKE_LATE = """
UPDATE bookings SET starts_at = app.now() + interval '3 hours', ends_at = app.now() + interval '4 hours',
       terms = terms || '{"late_percent": 50}' WHERE id = %s
"""


async def test_neighbor_moves_and_cancels_late_by_keyboard(demo: dict[str, Any], browser: Browser, user: str) -> None:
    origin = str(demo["base_url"])
    async with visitor_page(browser) as page:
        await sign_in(page, origin, user)
        guru = new_guru(demo, "moved", like="music")
        booked = await page.evaluate(BOOK, [guru.label])
        await page.goto(f"{origin}/sessions")
        session_link = page.get_by_role("link", name=SERVICE)
        await expect(session_link).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await page.get_by_role("tab", name="Upcoming").focus()
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_text("You aren't waiting for an answer or a spot.")).to_be_visible()
        await page.keyboard.press("ArrowLeft")
        await focus_by_tab(page, session_link)
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", level=1)).to_have_text(SERVICE)
        await assert_accessible(page, WIDTHS)
        async with page.expect_download() as download:
            await press(page.get_by_role("button", name="Add to calendar"))
            await page.get_by_role("menuitem", name="Apple Calendar").press("Enter")
        assert (await download.value).suggested_filename == "session.ics"

        effort = Effort()
        await effort.press_on(page.get_by_role("button", name="Move session"))
        dialog = page.get_by_role("dialog", name="Move this session")
        await expect(dialog.get_by_role("gridcell", selected=True)).to_be_visible()
        first = dialog.get_by_role("radio").first
        await expect(first).to_be_attached()
        await assert_accessible(page, WIDTHS)
        await focus_by_tab(page, first)
        await effort.press_on(first, "Space")
        await effort.press_on(dialog.get_by_role("button", name="Move session"))
        await expect(dialog).not_to_be_visible()
        effort.expect_within("Move a session")
        moved = await page.evaluate("id => fetch(`/api/bookings/${id}`).then((r) => r.json())", booked["id"])
        assert moved["data"]["startsAt"] != booked["startsAt"]

        with psycopg.connect(demo["overseer_url"]) as conn:
            conn.execute(MAKE_LATE, [booked["id"]])
        await page.reload()
        await expect(page.get_by_text("If you cancel now, you owe $27.50.")).to_be_visible()
        effort = Effort()
        await effort.press_on(page.get_by_role("button", name="Cancel session"))
        question = page.get_by_role("alertdialog", name="Cancel this session?")
        await expect(question).to_contain_text("You owe $27.50 if you cancel now.")
        await expect(question.get_by_role("button", name="Keep session")).to_be_focused()
        await assert_accessible(page, WIDTHS)
        await effort.type(question.get_by_label(re.compile("^Reason for ")), "I am ill.")
        cancel = question.get_by_role("button", name="Cancel session")
        await focus_by_tab(page, cancel)
        await effort.press_on(cancel)
        await expect_toast(page, "Your session is canceled.")
        effort.expect_within("Cancel a session")
        await expect(page.get_by_text("You canceled this session.")).to_be_visible()
        await expect(page.get_by_text("You owe $27.50.", exact=True)).to_be_visible()

        effort = Effort()
        await effort.open(page.get_by_role("link", name="Book again"))
        await effort.open(page.get_by_role("button", name=re.compile("^[0-9]+:[0-9]{2} [AP]M")).first)
        # This account has no name that the form could begin with.
        await effort.type(page.get_by_label("Your name"), "Ada Alvarez")
        await effort.open(page.get_by_role("button", name=re.compile("^Book for ")))
        await expect(page.get_by_role("heading", level=1)).to_have_text("You're booked!")
        effort.expect_within("Book again")


@pytest.mark.sweep
async def test_dashboard_keeps_a_time_of_a_teacher(demo: dict[str, Any], browser: Browser, user: str) -> None:
    origin = str(demo["base_url"])
    async with visitor_page(browser) as page:
        await sign_in(page, origin, user)
        await page.goto(f"{origin}/skills?q=spanish")
        await page.get_by_role("button", name="Find Teachers").first.click()
        await expect(page.get_by_text("Find Language teachers")).to_be_visible()
        times = page.get_by_role("list", name=f"Next times for {SERVICE} with Profe Guru")
        await expect(times).to_be_visible()
        await assert_accessible(page, WIDTHS)
        async with page.expect_response("**/api/gurus/spanish/holds") as held:
            await times.get_by_role("button").last.click()
        response = await held.value
        assert response.status == 201, await response.text()
