"""Passes and check-in in the browser: without a connection, with a camera, by keyboard, and cleared on sign-out."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import CALL_API, assert_accessible, focus_by_tab, press, sign_in, sign_out, visitor_page
from tests.e2e.own_gurus import OwnGuru, new_owned_guru
from tests.e2e.test_own_sessions import BOOK
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator

pytestmark = pytest.mark.e2e

WIDTHS = (1280, 360)
MAKE_NOW = """
UPDATE bookings SET starts_at = date_trunc('minute', app.now()) + interval '1 hour',
       ends_at = date_trunc('minute', app.now()) + interval '2 hours' WHERE id = %s"""
CHECKED_IN = "SELECT count(*) FROM bookings WHERE id = ANY (%s) AND checked_in_at IS NOT NULL"
# The guru books the first free time for someone without an account. Returns the booking.
BOOK_CUSTOMER = f"""async ([guru, serviceId, name]) => {{
{CALL_API}  const {{ starts }} = await call(`/gurus/${{guru}}/services/${{serviceId}}/slots?days=62`);
  const {{ data }} = await call("/guru/bookings", {{ serviceId, startsAt: starts.at(0).startsAt, name }});
  return data;
}}"""
# Before the camera is a picture of the pass.
CAMERA = """([box, path]) => {
  navigator.mediaDevices.getUserMedia = async () => {
    const [, , side] = box.split(" ").map(Number);
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    const context = canvas.getContext("2d");
    const draw = () => {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = "#fff";
      context.fillRect(0, 0, 640, 480);
      const scale = 400 / side;
      context.setTransform(scale, 0, 0, scale, 120, 40);
      context.fillStyle = "#000";
      context.fill(new Path2D(path));
    };
    draw();
    setInterval(draw, 100);
    return canvas.captureStream(10);
  };
}"""


def _execute(demo: dict[str, Any], statement: str, *params: object) -> list[Any]:
    with psycopg.connect(demo["overseer_url"]) as conn:
        cursor = conn.execute(statement.encode(), params)
        return cursor.fetchall() if cursor.description else []


async def _book_now(page: Page, demo: dict[str, Any], guru: OwnGuru) -> tuple[str, str]:
    """Book a session that is in an hour. Return the ids of the booking and of its service."""
    booked = await page.evaluate(BOOK, [guru.label])
    _execute(demo, MAKE_NOW, booked["id"])
    return str(booked["id"]), str(booked["serviceId"])


async def test_pass_opens_offline_until_sign_out(
    demo: dict[str, Any], browser: Browser, main_origin: str, user: str, emulator: Emulator
) -> None:
    guru = new_owned_guru(demo, emulator, "offline-pass", like="music")
    async with visitor_page(browser, service_workers="allow") as page:
        await sign_in(page, main_origin, user)
        booking, _ = await _book_now(page, demo, guru)
        await page.goto(f"{main_origin}/sessions/{booking}")
        link = page.get_by_role("link", name="Show your pass")
        await focus_by_tab(page, link)
        await page.keyboard.press("Enter")
        code = page.get_by_role("img", name="QR code of your pass")
        await expect(code).to_be_visible()
        await expect(page.get_by_text("Works without a connection")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(page, WIDTHS)
        drawn = await code.locator("path").get_attribute("d")

        await page.context.set_offline(True)
        await page.goto(f"{main_origin}/sessions/{booking}/pass")
        await expect(page.get_by_text("We could not load your pass again, so this is the one from")).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )
        assert await code.locator("path").get_attribute("d") == drawn

        await page.context.set_offline(False)
        await page.goto(f"{main_origin}/dashboard")
        await sign_out(page)
        kept = "indexedDB.databases().then((all) => all.map(({ name }) => name))"
        assert "porchlight" not in await page.evaluate(kept)


async def test_guru_checks_in_by_camera_and_offline(
    demo: dict[str, Any], browser: Browser, main_origin: str, user: str, emulator: Emulator
) -> None:
    guru = new_owned_guru(demo, emulator, "check-in", like="music")
    async with visitor_page(browser) as neighbor:
        await sign_in(neighbor, main_origin, user)
        shown, service = await _book_now(neighbor, demo, guru)
        await neighbor.goto(f"{main_origin}/sessions/{shown}/pass")
        code = neighbor.get_by_role("img", name="QR code of your pass")
        await expect(code).to_be_visible()
        picture = [await code.get_attribute("viewBox"), await code.locator("path").get_attribute("d")]

    async with visitor_page(browser, service_workers="allow") as page:
        await sign_in(page, main_origin, guru.email, guru.password)
        name = "Maximiliane " + "Wolfeschlegelstein" * 3
        customer = (await page.evaluate(BOOK_CUSTOMER, [guru.label, service, name]))["id"]
        _execute(demo, MAKE_NOW, customer)
        await page.goto(f"{main_origin}/guru/check-in")
        await expect(page.get_by_role("button", name="Check in Ada Alvarez")).to_be_visible()
        await expect(page.get_by_text("Works without a connection.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await assert_accessible(page, WIDTHS)
        # From the service worker, the page may use the camera too.
        await page.reload()
        assert await page.evaluate("document.featurePolicy.allowsFeature('camera')")

        await page.evaluate(CAMERA, picture)
        await page.get_by_role("button", name="Scan passes").click()
        await expect(page.get_by_text("Ada Alvarez is checked in.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(page.get_by_text("Everything is saved.")).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await press(page.get_by_role("button", name="Stop the camera"))

        await page.context.set_offline(True)
        await page.goto(f"{main_origin}/guru/check-in")
        tap = page.get_by_role("button", name="Check in Maximiliane").first
        await expect(tap).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await focus_by_tab(page, tap)
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("1 check-in waits for a connection.")).to_be_visible()
        assert _execute(demo, CHECKED_IN, [shown, customer]) == [(1,)]
        await page.context.set_offline(False)
        await expect(page.get_by_text("Everything is saved.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        assert _execute(demo, CHECKED_IN, [shown, customer]) == [(2,)]

        await page.goto(f"{main_origin}/guru")
        assert not await page.evaluate("document.featurePolicy.allowsFeature('camera')")
