"""A full class in the browser: find it, join its waitlist, and take the spot that someone else gives up."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import (
    CALL_API,
    assert_accessible,
    expect_toast,
    extract_link,
    focus_by_tab,
    sign_in,
    submit_login,
    visitor_page,
    wait_for_email,
)
from tests.e2e.own_gurus import new_guru
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (1280, 360)
PHONE = {"width": 360, "height": 740}
SERVICE = "Group Workshop"
# Books a seat in the last free class. Returns the booking.
BOOK = f"""async ([guru, serviceId]) => {{
{CALL_API}  const {{ starts }} = await call(`/gurus/${{guru}}/services/${{serviceId}}/slots?days=62`);
  const {{ startsAt }} = starts.at(-1);
  const {{ data: {{ token }} }} = await call(`/gurus/${{guru}}/holds`, {{ serviceId, startsAt, party: 1 }});
  const {{ data: hold }} = await call(`/holds/${{token}}`);
  const {{ data }} = await call("/bookings", {{
    hold: token, name: "Olive Other", address: "5 Fern Way", policyDigest: hold.policyDigest,
  }});
  return data;
}}"""
CANCEL = """async ([id, termsDigest]) => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ termsDigest });
  const response = await fetch(`/api/bookings/${id}/cancellation`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
}"""


@pytest.fixture
def origin(tls_port: int) -> Callable[[str], str]:
    """The origin of a guru's site."""
    return lambda label: f"https://{label}.porchlight.localhost:{tls_port}"


async def _fill_class(page: Page, product: dict[str, Any], label: str) -> dict[str, Any]:
    """Book the only seat of a class. Return the booking."""
    with psycopg.connect(product["overseer_url"]) as conn:
        query = (
            "SELECT s.id::text FROM services s JOIN gurus g ON g.id = s.tenant_id WHERE g.label = %s AND s.name = %s"
        )
        row = conn.execute(query, [label, SERVICE]).fetchone()
        assert row is not None
        booked: dict[str, Any] = await page.evaluate(BOOK, [label, row[0]])
        conn.execute(
            "UPDATE appointments a SET capacity = 2 FROM bookings b"
            " WHERE b.id = %s AND a.tenant_id = b.tenant_id AND a.id = b.appointment_id",
            [booked["id"]],
        )
        conn.execute("UPDATE bookings SET party = 2 WHERE id = %s", [booked["id"]])
    return booked


async def test_neighbor_takes_freed_spot_by_keyboard(
    browser: Browser,
    origin: Callable[[str], str],
    main_origin: str,
    product: dict[str, Any],
    user: str,
    emulator: Emulator,
) -> None:
    other, _, _ = emulator.sign_up(verified=True)
    label = new_guru(product, "full", like="garden").label
    async with visitor_page(browser) as seated, visitor_page(browser, viewport=PHONE) as page:
        await sign_in(seated, main_origin, other)
        booked = await _fill_class(seated, product, label)
        await page.goto(f"{origin(label)}/services/{booked['serviceId']}/times?day={booked['startsAt'][:10]}")
        link = page.get_by_role("link", name="Full · Join the waitlist")
        await expect(link).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await focus_by_tab(page, link)
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Please sign in to join the waitlist.")).to_be_visible()
        await submit_login(page, user)

        join = page.get_by_role("button", name="Join the waitlist")
        await expect(join).to_be_visible()
        await expect(page.get_by_role("heading", level=1)).to_have_text(SERVICE)
        await assert_accessible(page, WIDTHS)
        await focus_by_tab(page, join)
        await page.keyboard.press("Enter")
        await expect_toast(page, "You're on the waitlist.")
        await expect(page.get_by_text("You're first in line.")).to_be_visible()
        place_url = page.url
        await page.goto(f"{main_origin}/sessions?tab=waiting")
        await expect(page.get_by_role("list", name="Waitlists")).to_contain_text("You're first in line.")

        await seated.evaluate(CANCEL, [booked["id"], booked["terms"]["digest"]])
        email = wait_for_email(product, user, f"A spot is free: {SERVICE} with {booked['guruName']}")
        assert extract_link(email) == place_url
        await page.goto(place_url)
        await expect(
            page.get_by_text(re.compile(r"^A spot is free\. It's yours until .+ [AP]M \w+\.$"))
        ).to_be_visible()
        await expect(page.get_by_role("button", name="No, thanks")).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await focus_by_tab(page, page.get_by_role("button", name="Take the spot"))
        await page.keyboard.press("Enter")
        name = page.get_by_label("Your name")
        await expect(name).to_be_visible()
        await name.fill("Wanda Waiting")
        await page.get_by_label("Your address").fill("5 Fern Way")
        await focus_by_tab(page, page.get_by_role("button", name=re.compile("^Book for ")))
        await page.keyboard.press("Enter")
        title = page.get_by_role("heading", level=1)
        await expect(title).to_have_text("You're booked!", timeout=BROWSER_TIMEOUT_MS)
        await page.goto(place_url)
        await expect(page.get_by_text("You have a spot in this session.")).to_be_visible()


@pytest.mark.sweep
async def test_full_class_links_to_waitlist_without_script(
    browser: Browser, origin: Callable[[str], str], main_origin: str
) -> None:
    # The demo has a full class of this guru.
    async with visitor_page(browser, java_script_enabled=False, viewport=PHONE) as page:
        await page.goto(f"{origin('cooking')}/services")
        await page.get_by_role("link", name=f"See times for {SERVICE}").click()
        link = page.get_by_role("link", name="Full · Join the waitlist")
        days = page.get_by_role("grid").locator("a[href]")
        hrefs = [str(await days.nth(index).get_attribute("href")) for index in range(await days.count())]
        for href in hrefs:
            await page.goto(f"{origin('cooking')}{href}")
            if await link.count() > 0:
                break
        await link.click()
        await expect(page).to_have_url(re.compile(f"^{re.escape(main_origin)}/sessions/waitlist\\?guru=cooking&"))
        # The main platform says what to do, and does not wait for anything.
        await expect(page.get_by_role("heading", name="Please turn on JavaScript")).to_be_in_viewport()
        await expect(page.get_by_text("Loading your skill-sharing platform...")).to_be_hidden()
