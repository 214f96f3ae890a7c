"""A guru's sessions in the browser, by keyboard on a phone: hours, a request, another time, and a missed session."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import CALL_API, assert_accessible, expect_toast, focus_by_tab, sign_in, visitor_page
from tests.e2e.effort import Effort

pytestmark = pytest.mark.e2e

OWNER, LABEL = "dana.kowalczyk@example.com", "fitness"  # a demo guru that no other test uses
DEMO_PASSWORD = "porchlight"
SERVICE = "One-on-One Consultation"
WIDTHS = (1280, 360)  # the narrow one last: it stays
PHONE = {"width": 360, "height": 740}
LONG_NAME = "Maximiliane Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren"
LONG_SERVICE = "Wolfeschlegelsteinhausenbergerdorff" * 2
# Accepts the waiver and asks for the last free time of the guru's service. Returns the request.
ASK = f"""async ([guru, name]) => {{
{CALL_API}  const {{ data: {{ gurus: [{{ service }}] }} }} = await call(`/teachers?guru=${{guru}}`);
  const {{ starts }} = await call(`/gurus/${{guru}}/services/${{service.id}}/slots?days=62`);
  const {{ startsAt }} = starts.at(-1);
  const {{ data: {{ token }} }} = await call(`/gurus/${{guru}}/holds`, {{ serviceId: service.id, startsAt, party: 1 }});
  const {{ data: hold }} = await call(`/holds/${{token}}`);
  await call("/liability/waiver", {{
    riskLevel: "high", emergencyContact: {{ name: "Maria", phone: "+1 303 555 0199", relationship: "" }}, timestamp: "",
    skillCategory: "Fitness", activityDescription: "Training", exchangeId: `${{guru}}/${{service.id}}`,
  }});
  const {{ data }} = await call("/bookings", {{ hold: token, name, policyDigest: hold.policyDigest }});
  return data;
}}"""
MAKE_OVER = """
UPDATE bookings SET starts_at = app.now() - interval '3 hours', ends_at = app.now() - interval '2 hours'
 WHERE id = %s"""


def _execute(demo: dict[str, Any], statement: str, *params: object) -> None:
    with psycopg.connect(demo["overseer_url"]) as conn:
        conn.execute(statement.encode(), params)


async def _press(page: Page, name: str | re.Pattern[str], *, role: Any = "button") -> None:
    """Press Enter on the first element with this role and name, which the keyboard reaches."""
    await focus_by_tab(page, page.get_by_role(role, name=name).first)
    await page.keyboard.press("Enter")


async def _set_hours(page: Page, origin: str) -> None:
    """Add hours to Monday and copy them to every day."""
    await page.goto(f"{origin}/guru/hours")
    await expect(page.get_by_role("heading", name="Weekly hours")).to_be_visible()
    await _press(page, "Add hours to Monday")
    start = page.get_by_label("Monday, from", exact=True)
    await start.focus()  # it is before the button
    await page.keyboard.type("0800AM")
    await expect(start).to_have_value("08:00")
    await _press(page, "Copy to… (hours of Monday)")
    dialog = page.get_by_role("dialog", name="Copy Monday's hours")
    await expect(dialog).to_be_visible()
    await assert_accessible(page, WIDTHS)
    await _press(page, "Every day")
    await _press(page, "Copy")
    await expect(page.get_by_label("Sunday, from", exact=True)).to_have_value("08:00")
    await _press(page, "Save hours")
    await expect_toast(page, "Saved. Neighbors see your new hours.")


async def _decide_on_requests(page: Page, origin: str) -> None:
    """Let the guru decide on each request for the service."""
    await page.goto(f"{origin}/guru/services")
    await _press(page, f"Booking settings of {SERVICE}", role="link")
    decide = page.get_by_role("radio", name="I approve each request")
    await expect(decide).to_be_attached()
    await decide.focus()
    await page.keyboard.press("Space")
    await _press(page, re.compile("^Save"))
    await expect_toast(page, "Saved. They apply to new bookings.")


async def test_guru_runs_a_session_by_keyboard(demo: dict[str, Any], browser: Browser, user: str) -> None:
    origin = str(demo["base_url"])
    for change in ("DELETE FROM weekly_hours", "DELETE FROM bookings", "DELETE FROM appointments",
                   "UPDATE booking_settings SET approval = 'instant'"):  # fmt: skip
        _execute(demo, f"{change} WHERE tenant_id = (SELECT id FROM gurus WHERE label = %s)", LABEL)
    async with visitor_page(browser, viewport=PHONE) as guru, visitor_page(browser, viewport=PHONE) as person:
        await sign_in(guru, origin, OWNER, DEMO_PASSWORD)
        await guru.goto(f"{origin}/guru")
        await expect(guru.get_by_text("Set your hours and neighbors can book you.")).to_be_visible()
        await guru.goto(f"{origin}/guru/calendar")
        await expect(guru.get_by_text("No sessions").first).to_be_visible()
        await _set_hours(guru, origin)
        await _decide_on_requests(guru, origin)

        await sign_in(person, origin, user)
        asked = await person.evaluate(ASK, [LABEL, LONG_NAME])
        assert asked["status"] == "requested"
        _execute(demo, "UPDATE bookings SET service_name = %s WHERE id = %s", LONG_SERVICE, asked["id"])
        await guru.goto(f"{origin}/guru")
        await expect(guru.get_by_role("heading", name="1 request is waiting")).to_be_visible()
        await assert_accessible(guru, WIDTHS)
        accept, effort = guru.get_by_role("button", name=f"Accept {LONG_NAME}").first, Effort()
        await focus_by_tab(guru, accept)
        await effort.press_on(accept)
        await expect_toast(guru, "Accepted.")
        effort.expect_within("Accept a waiting request")

        await guru.goto(f"{origin}/guru")
        await expect(guru.get_by_role("link", name=LONG_NAME)).to_be_visible()
        await assert_accessible(guru, WIDTHS)
        await _press(guru, LONG_NAME, role="link")
        await expect(guru.get_by_role("dialog", name=LONG_NAME)).to_be_visible()
        await _propose_another_time(guru)
        await _accept_the_new_time(person, origin, asked["id"])

        _execute(demo, MAKE_OVER, asked["id"])
        await guru.goto(f"{origin}/guru/calendar?tab=past")
        await _press(guru, f"Details of {LONG_NAME}")
        await _press(guru, "Did not come")
        await expect(guru.get_by_role("button", name="Undo “Did not come”")).to_be_visible()
        await assert_accessible(guru, WIDTHS)
        await _press(guru, "Undo “Did not come”")
        await expect(guru.get_by_role("button", name="Did not come", exact=True)).to_be_visible()


async def _propose_another_time(guru: Page) -> None:
    """Propose another time in the open dialog of a booking."""
    await _press(guru, "Propose another time")
    dialog = guru.get_by_role("dialog", name="Propose another time")
    first = dialog.get_by_role("radio").first
    await expect(first).to_be_attached()
    await assert_accessible(guru, WIDTHS)
    await focus_by_tab(guru, first)
    await guru.keyboard.press("Space")
    await focus_by_tab(guru, dialog.get_by_label("Reason"))
    await guru.keyboard.type("The park is closed that day.")
    await _press(guru, "Ask to move")
    await expect(guru.get_by_text(f"Waiting for {LONG_NAME}'s answer")).to_be_visible()


async def _accept_the_new_time(person: Page, origin: str, booking_id: str) -> None:
    """Find the marked session in the list and accept the new time."""
    await person.goto(f"{origin}/sessions")
    await expect(person.get_by_text("New time proposed")).to_be_visible()
    await person.goto(f"{origin}/sessions/{booking_id}")
    card = person.get_by_role("region", name="Coach Guru asks to move this session")
    await expect(card).to_contain_text("The park is closed that day.")
    await assert_accessible(person, WIDTHS)
    await _press(person, "Accept the new time")
    await expect(card).to_have_count(0)
    await expect(person.get_by_text("Booked", exact=True)).to_be_visible()
