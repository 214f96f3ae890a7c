"""A package that a guru sells: priced in the console, bought by card, booked with, and taken back in part."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tenants.kit.ids import new_id
from tests.e2e.browser_session import assert_accessible, expect_toast, sign_in, visitor_page
from tests.e2e.own_gurus import OwnGuru, new_owned_guru
from tests.e2e.test_book_session import TIME
from tests.e2e.test_paid_session import PAYS, PHONE, SERVICE
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (1280, 360)  # the test goes on in the last one
NAME = "Monthly Mentorship"


@pytest.fixture
def guru(product: dict[str, Any], emulator: Emulator) -> OwnGuru:
    """A guru like the demo's music teacher, who can take cards."""
    created = new_owned_guru(product, emulator, "seller", like="music")
    with psycopg.connect(product["overseer_url"]) as conn:
        owner = conn.execute("SELECT user_id FROM memberships WHERE tenant_id = %s", [created.id]).fetchone()
        assert owner is not None
        conn.execute(
            "INSERT INTO plan_grants (user_id, id, plan, until, reason)"
            " VALUES (%s, %s, 'skill-sharer', app.now() + interval '1 year', 'test')",
            [owner[0], new_id()],
        )
        conn.execute(
            "INSERT INTO payout_accounts (user_id, account_id, connected, charges_enabled, payouts_enabled,"
            " details_submitted) VALUES (%s, %s, true, true, true, true)",
            [owner[0], f"acct_{new_id().hex[:16]}"],
        )
    return created


async def _sell(page: Page, main_origin: str) -> None:
    """Let the guru define the package with its price."""
    await page.goto(f"{main_origin}/guru/services/packages")
    await page.get_by_role("button", name="Add a package").first.click()
    dialog = page.get_by_role("dialog", name="Add a package")
    await dialog.get_by_label("Service").select_option(label=SERVICE)
    await dialog.get_by_label("Name").fill(NAME)
    await dialog.get_by_label("Sessions", exact=True).fill("4")
    await dialog.get_by_label("Price ($)").fill("200")
    await expect(dialog.get_by_text("You get $180.00")).to_be_visible()
    await assert_accessible(page, WIDTHS)
    await dialog.get_by_role("button", name="Save package").click()
    await expect_toast(page, "Added.")


async def _buy(page: Page, guru: OwnGuru, tls_port: int) -> None:
    """Let the neighbor buy it on the guru's site."""
    await page.goto(f"https://{guru.label}.porchlight.localhost:{tls_port}/services")
    await expect(page.get_by_role("heading", name="Packages")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await assert_accessible(page)
    await page.get_by_role("link", name=f"Buy package {NAME}").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Buy {NAME}")
    await assert_accessible(page, WIDTHS)
    await page.get_by_label("Your name").fill("Ada Neighbor")
    await page.get_by_role("button", name="Continue to payment – $200.00").click()
    await page.wait_for_url("**/c/pay/**")
    await page.get_by_label("Card number").fill(PAYS)
    await page.get_by_label("Expiration (MM / YY)").fill("12 / 40")
    await page.get_by_label("Security code").fill("123")
    await page.get_by_role("button", name=re.compile("^Pay \\$200.00")).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("It's yours", timeout=BROWSER_TIMEOUT_MS)
    await assert_accessible(page, WIDTHS)


async def _book(page: Page) -> None:
    """Let the neighbor book a session with it."""
    await page.get_by_role("link", name="Choose a time").click()
    await page.get_by_role("button", name=TIME).first.click()
    await expect(page.get_by_role("checkbox", name=f"Use {NAME}")).to_be_checked(timeout=BROWSER_TIMEOUT_MS)
    await page.get_by_label("Your name").fill("Ada Neighbor")
    await page.get_by_role("button", name="Book this time").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("You're booked!", timeout=BROWSER_TIMEOUT_MS)


async def test_package_is_sold_used_and_refunded_in_part(
    browser: Browser, guru: OwnGuru, main_origin: str, tls_port: int, user: str
) -> None:
    async with visitor_page(browser) as seller, visitor_page(browser, viewport=PHONE) as page:
        await sign_in(seller, main_origin, guru.email)
        await _sell(seller, main_origin)
        await sign_in(page, main_origin, user)
        await _buy(page, guru, tls_port)
        await _book(page)

        await seller.reload()
        await seller.get_by_role("button", name=f"Details of {NAME} of Ada Neighbor").click()
        dialog = seller.get_by_role("dialog")
        await dialog.get_by_role("button", name="Take back sessions").click()
        await dialog.get_by_label("Sessions to take back").fill("2")
        await expect(dialog.get_by_text("Ada Neighbor gets $100.00 back on their card.")).to_be_visible()
        await assert_accessible(seller, WIDTHS)
        await dialog.get_by_label("Reason").fill("I am away in spring.")
        await dialog.get_by_role("button", name="Take back", exact=True).click()
        await expect(dialog.get_by_text("1 of 4 sessions left")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)

        await page.goto(f"{main_origin}/account/orders")
        await expect(page.get_by_text("Partly refunded")).to_be_visible()
        await expect(page.get_by_text(re.compile("\\$100.00 .*the guru took sessions back"))).to_be_visible()
        await assert_accessible(page, WIDTHS)
