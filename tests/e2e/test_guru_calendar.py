"""The guru's week in the browser: drag a session to another time, block an empty time, and do both by keyboard."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.browser_session import CALL_API, assert_accessible, expect_toast, sign_in, visitor_page

pytestmark = pytest.mark.e2e

OWNER, LABEL = "lucia.ortega@example.com", "spanish"  # a demo guru that no other test uses
DEMO_PASSWORD = "porchlight"
NAME = "Maximiliane Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren"
WIDTHS = (1280, 360)
HOURS_LATER = 2
# Books the last start of the guru's first service that is also free some hours later. Returns start and zone.
BOOK = f"""async ([guru, name, hours]) => {{
{CALL_API}  const {{ data: {{ gurus: [{{ service }}] }} }} = await call(`/teachers?guru=${{guru}}`);
  const {{ starts, zone }} = await call(`/gurus/${{guru}}/services/${{service.id}}/slots?days=30`);
  const times = starts.map((one) => Date.parse(one.startsAt));
  const startsAt = starts[times.findLastIndex((time) => times.includes(time + hours * 3600000))].startsAt;
  const {{ data: {{ token }} }} = await call(`/gurus/${{guru}}/holds`, {{ serviceId: service.id, startsAt, party: 1 }});
  const {{ data: hold }} = await call(`/holds/${{token}}`);
  await call("/bookings", {{ hold: token, name, policyDigest: hold.policyDigest }});
  return {{ startsAt, zone }};
}}"""


def _prepare(demo: dict[str, Any]) -> None:
    """Leave the guru without sessions, with hours on every day."""
    tenant = "(SELECT id FROM gurus WHERE label = %s)"
    with psycopg.connect(demo["overseer_url"]) as conn:
        for table in ("bookings", "appointments", "date_hours", "weekly_hours"):
            conn.execute(f"DELETE FROM {table} WHERE tenant_id = {tenant}".encode(), [LABEL])
        hours = "generate_series(0, 6) AS weekday"
        conn.execute(
            "INSERT INTO weekly_hours (tenant_id, weekday, during)"
            f" SELECT {tenant}, weekday, int4range(540, 1080) FROM {hours}".encode(),
            [LABEL],
        )
        conn.execute(
            "UPDATE booking_settings SET approval = 'instant', place = 'agreed', place_text = '', waiver = 'risk',"
            f" risk = 'low', starts = 'hours', open = true WHERE tenant_id = {tenant}".encode(),
            [LABEL],
        )


async def _drag(page: Page, target: Locator, hours: float) -> None:
    """Drag something in the grid down by some hours."""
    grid = page.get_by_role("grid")
    rows = [await grid.locator(f"[data-row='{row}']").bounding_box() for row in (0, 2)]
    box = await target.bounding_box()
    assert box
    assert rows[0]
    assert rows[1]
    height = rows[1]["y"] - rows[0]["y"]
    x, y = box["x"] + box["width"] / 2, box["y"] + min(box["height"], height / 2) / 4
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + height * hours / 2, steps=4)
    await page.mouse.move(x, y + height * hours, steps=4)


async def test_guru_moves_and_blocks_in_the_week(demo: dict[str, Any], browser: Browser, user: str) -> None:
    origin = str(demo["base_url"])
    _prepare(demo)
    async with visitor_page(browser) as person:
        await sign_in(person, origin, user)
        booked = await person.evaluate(BOOK, [LABEL, NAME, HOURS_LATER])
    start = datetime.fromisoformat(booked["startsAt"]).astimezone(ZoneInfo(booked["zone"]))
    async with visitor_page(browser) as guru:
        await sign_in(guru, origin, OWNER, DEMO_PASSWORD)
        await guru.goto(f"{origin}/guru/calendar?from={start.date()}")
        session = guru.get_by_role("grid").get_by_role("button", name=NAME)
        await expect(session).to_be_visible()
        await assert_accessible(guru, WIDTHS[:1])
        await _drag_session(guru, session, start)
        await _block_by_mouse(guru)
        await _move_block_by_keyboard(guru)
        await _see_the_list(guru)


async def _drag_session(guru: Page, session: Locator, start: datetime) -> None:
    """Drag a session, let it go back on Escape, then ask its person to move on the terms of the dialog."""
    await _drag(guru, session, HOURS_LATER)
    await guru.keyboard.press("Escape")
    await guru.mouse.up()
    await expect(guru.get_by_role("dialog")).to_have_count(0)
    await _drag(guru, session, HOURS_LATER)
    await guru.mouse.up()
    dialog = guru.get_by_role("dialog", name="Move this session?")
    later = start + timedelta(hours=HOURS_LATER)
    await expect(dialog).to_contain_text(f"{later:%a, %b} {later.day}, {later:%-I:%M}")
    await expect(dialog).to_contain_text("They can accept, or cancel for free, until")
    await assert_accessible(guru, WIDTHS[:1])
    await dialog.get_by_role("button", name="Ask to move").click()
    await expect(dialog.get_by_text("Enter a reason")).to_be_visible()
    await dialog.get_by_label("Reason").fill("The room is taken.")
    await dialog.get_by_role("button", name="Ask to move").click()
    await expect_toast(guru, f"We've asked {NAME}.")
    await expect(guru.get_by_role("button", name="new time proposed")).to_be_visible()


async def _block_by_mouse(guru: Page) -> None:
    """Drag over an empty time, block it, undo, and block it again."""
    cell = guru.get_by_role("gridcell", name="10:00 AM").last
    for is_undone in (True, False):
        await _drag(guru, cell, 1.5)
        await guru.mouse.up()
        await guru.get_by_role("button", name="Block this time").click()
        await assert_accessible(guru, WIDTHS[:1])
        await guru.get_by_role("button", name="Save busy time").click()
        blocked = guru.get_by_role("grid").get_by_role("button", name="Blocked")
        await expect(blocked).to_be_visible()
        if is_undone:
            await guru.get_by_role("button", name="Undo").click()
            await expect(blocked).to_have_count(0)


async def _move_block_by_keyboard(guru: Page) -> None:
    """Reach the blocked time with the arrows from the empty time above it, and move it down by a quarter of an hour."""
    blocked = guru.get_by_role("grid").get_by_role("button", name="Blocked")
    await guru.get_by_role("gridcell", name="9:30 AM").last.focus()
    await guru.keyboard.press("ArrowDown")
    await expect(blocked).to_be_focused()
    before = await blocked.text_content()
    await guru.keyboard.press("m")
    await guru.keyboard.press("ArrowDown")
    await guru.keyboard.press("Enter")
    await expect_toast(guru, "Changed.")
    await expect(blocked).not_to_have_text(str(before))
    await blocked.click()
    await guru.get_by_role("button", name="Remove this blocked time").click()
    await expect(blocked).to_have_count(0)


async def _see_the_list(guru: Page) -> None:
    """See on a phone only the days with something, and a day by the hour."""
    await guru.set_viewport_size({"width": 360, "height": 740})
    days = guru.get_by_role("list", name="Days")
    await expect(days.get_by_role("heading")).to_have_count(1)
    await assert_accessible(guru, (360, 320))
    await guru.get_by_role("button", name="Day", exact=True).click()
    await expect(guru.get_by_role("grid", name="Day")).to_be_visible()
    await assert_accessible(guru, (360, 320))
