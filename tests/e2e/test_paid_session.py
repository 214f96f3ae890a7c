"""A session that is paid by card: booked, paid at the fake Stripe, canceled, given up, and with a card that is kept."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pypdfium2
import pytest
from playwright.async_api import Browser, Page, expect

from tenants.kit.ids import new_id
from tests.e2e.browser_session import assert_accessible, sign_in, visitor_page
from tests.e2e.own_gurus import OwnGuru, new_owned_guru
from tests.e2e.test_book_session import TIME
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

PHONE = {"width": 360, "height": 740}
PAYS, DECLINES, ASKS = "4242 4242 4242 4242", "4000 0000 0000 0002", "4000 0025 0000 3155"
SERVICE = "Guitar Check and Setup"


@pytest.fixture
def guru(product: dict[str, Any], emulator: Emulator) -> OwnGuru:
    """A guru like the demo's music teacher, whose guitar service is paid by card."""
    created = new_owned_guru(product, emulator, "paid", like="music")
    with psycopg.connect(product["overseer_url"]) as conn:
        owner = conn.execute("SELECT user_id FROM memberships WHERE tenant_id = %s", [created.id]).fetchone()
        assert owner is not None
        conn.execute(
            "INSERT INTO plan_grants (user_id, id, plan, until, reason)"
            " VALUES (%s, %s, 'skill-sharer', app.now() + interval '1 year', 'test')",
            [owner[0], new_id()],
        )
        conn.execute(
            "UPDATE booking_settings b SET payment = 'full' FROM services s"
            " WHERE b.tenant_id = %s AND s.tenant_id = b.tenant_id AND s.id = b.service_id AND s.name = %s",
            [created.id, SERVICE],
        )
    return created


@pytest.fixture
async def page(browser: Browser, main_origin: str, user: str) -> AsyncIterator[Page]:
    """A page on a phone of a neighbor who is signed in."""
    async with visitor_page(browser, viewport=PHONE) as opened:
        await sign_in(opened, main_origin, user)
        yield opened


async def _choose_time(page: Page, product: dict[str, Any], guru: OwnGuru, tls_port: int) -> None:
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute("SELECT id FROM services WHERE tenant_id = %s AND name = %s", [guru.id, SERVICE]).fetchone()
    assert row is not None
    await page.goto(f"https://{guru.label}.porchlight.localhost:{tls_port}/services/{row[0]}/times")
    await page.get_by_role("button", name=TIME).first.click()
    await expect(page.get_by_role("heading", name="Payment")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)


async def _continue_to_payment(page: Page) -> None:
    await page.get_by_label("Your name").fill("Ada Neighbor")
    await page.get_by_role("button", name="Continue to payment – $65.00").click()
    await page.wait_for_url("**/c/pay/**")


async def _pay(page: Page, number: str, button: str | re.Pattern[str] = re.compile("^Pay \\$65.00")) -> None:
    await page.get_by_label("Card number").fill(number)
    await page.get_by_label("Expiration (MM / YY)").fill("12 / 40")
    await page.get_by_label("Security code").fill("123")
    await page.get_by_role("button", name=button).click()


async def test_paid_session_is_booked_then_refunded(
    page: Page, guru: OwnGuru, product: dict[str, Any], main_origin: str, tls_port: int
) -> None:
    await _choose_time(page, product, guru, tls_port)
    await expect(page.get_by_text("Pay $65.00 by card")).to_be_visible()
    await assert_accessible(page)
    await _continue_to_payment(page)
    await _pay(page, DECLINES)
    await expect(page.get_by_text("Your card was declined.")).to_be_visible()
    await page.get_by_role("link", name="Back to Porchlight").click()  # the time is still held
    await expect(page.get_by_role("heading", name="Your payment")).to_be_visible()
    await assert_accessible(page)
    await page.get_by_role("link", name="Pay $65.00").click()
    await _pay(page, PAYS)
    await expect(page.get_by_text("You're booked! We got your payment of $65.00.").first).to_be_visible(
        timeout=BROWSER_TIMEOUT_MS
    )
    await expect(page).not_to_have_url(re.compile("payment="))
    await expect(page.get_by_text("Paid $65.00 with Visa ending in 4242")).to_be_visible()
    await assert_accessible(page)

    await page.goto(f"{main_origin}/account/orders")
    await expect(page.get_by_role("heading", level=1, name="Orders")).to_be_visible()
    await assert_accessible(page)
    async with page.expect_download() as download:
        await page.get_by_role("link", name=re.compile("^Receipt")).first.click()
    document = pypdfium2.PdfDocument(await (await download.value).path())
    assert "$65.00" in document[0].get_textpage().get_text_bounded()

    await page.get_by_role("link", name=SERVICE, exact=True).click()
    await page.get_by_role("button", name="Cancel session").click()
    dialog = page.get_by_role("alertdialog")
    await expect(dialog.get_by_text("You get $65.00 back.")).to_be_visible()
    await dialog.get_by_role("button", name="Cancel session").click()
    await expect(page.get_by_text(re.compile("Refunded \\$65.00 to your card"))).to_be_visible()
    await page.goto(f"{main_origin}/account/orders")
    await expect(page.get_by_text("Refunded", exact=True)).to_be_visible()


async def test_held_time_is_given_up_instead_of_paid(
    page: Page, guru: OwnGuru, product: dict[str, Any], main_origin: str, tls_port: int
) -> None:
    await _choose_time(page, product, guru, tls_port)
    await _continue_to_payment(page)
    await page.goto(f"{main_origin}/sessions")
    await expect(page.get_by_text("Waiting for your payment").first).to_be_visible()
    await page.get_by_role("link", name=SERVICE, exact=True).first.click()
    await page.get_by_role("button", name="Give up this time").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Give up this time").click()
    await expect(page.get_by_text("You gave this time up. Nothing was charged.")).to_be_visible()


async def test_card_that_asks_for_confirmation_books(
    page: Page, guru: OwnGuru, product: dict[str, Any], tls_port: int
) -> None:
    await _choose_time(page, product, guru, tls_port)
    await _continue_to_payment(page)
    await _pay(page, ASKS)
    await page.get_by_role("button", name="Complete").click()
    await expect(page.get_by_text("You're booked! We got your payment of $65.00.").first).to_be_visible(
        timeout=BROWSER_TIMEOUT_MS
    )


async def test_kept_card_is_charged_for_late_cancellation(
    page: Page, guru: OwnGuru, product: dict[str, Any], main_origin: str, tls_port: int
) -> None:
    with psycopg.connect(product["overseer_url"]) as conn:
        conn.execute(
            "UPDATE booking_settings b SET payment = 'hold', policy = 'own', free_until_minutes = 43200,"
            " late_percent = 50, missed_percent = 100 FROM services s"
            " WHERE b.tenant_id = %s AND s.tenant_id = b.tenant_id AND s.id = b.service_id AND s.name = %s",
            [guru.id, SERVICE],
        )
    await _choose_time(page, product, guru, tls_port)
    await expect(page.get_by_text("Nothing to pay now", exact=True)).to_be_visible()
    await assert_accessible(page)
    await page.get_by_label("Your name").fill("Ada Neighbor")
    await page.get_by_role("button", name="Continue to your card – nothing to pay now").click()
    await page.wait_for_url("**/c/pay/**")
    await _pay(page, PAYS, "Save card")
    await expect(page.get_by_text("You're booked! Your card is kept, and nothing was charged.").first).to_be_visible(
        timeout=BROWSER_TIMEOUT_MS
    )
    await assert_accessible(page)

    await page.get_by_role("button", name="Cancel session").click()
    dialog = page.get_by_role("alertdialog")
    await expect(dialog.get_by_text("Your card will be charged $32.50.")).to_be_visible()
    await dialog.get_by_role("button", name="Cancel session").click()
    await expect(dialog).to_be_hidden()
    await page.goto(f"{main_origin}/account/orders")
    await expect(page.get_by_text("Charged because you canceled late.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await expect(page.get_by_text("$32.50")).to_be_visible()
    await assert_accessible(page)
