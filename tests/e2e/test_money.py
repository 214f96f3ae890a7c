"""Money in a browser: balance, instant payout, statement, and the money pages of staff."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from porchlight.features.admin.named_keys import add_key
from tenants.kit.ids import new_id
from tests.e2e.browser_session import assert_accessible, expect_toast, sign_in, sign_in_as_staff, visitor_page

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (1280, 360)


def _owner(product: dict[str, Any], label: str) -> tuple[str, str]:
    """Return the email address and the password of a demo guru's owner."""
    return next((user["email"], user["password"]) for user in product["users"] if user["guru"] == label)


async def _open_payouts(page: Page, main_origin: str) -> None:
    await page.goto(f"{main_origin}/account/payouts")
    await expect(page.get_by_role("region", name="Balance")).to_be_visible()
    await expect(page.get_by_role("region", name="History")).to_be_visible()


async def test_instant_payout_is_submitted(browser: Browser, main_origin: str, product: dict[str, Any]) -> None:
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, *_owner(product, "cooking"))
        await _open_payouts(page, main_origin)
        balance = page.get_by_role("region", name="Balance")
        for label in ("Available", "On the way to your balance", "Held until your sessions take place"):
            await expect(balance.get_by_text(label, exact=True)).to_be_visible()
        failed = "Failed: the bank account is closed. Update it in Stripe."
        await expect(page.get_by_role("list", name="Payouts").get_by_text(failed)).to_be_visible()
        box = page.get_by_role("region", name="Instant payout")
        await expect(box).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await box.get_by_label("Amount ($)").fill("0.5")
        await box.get_by_role("button", name="Pay out now").click()
        await expect(box.get_by_text("The smallest instant payout is $1.00.")).to_be_visible()
        await box.get_by_label("Amount ($)").fill("12.5")
        await box.get_by_role("button", name="Pay out now").click()
        dialog = page.get_by_role("alertdialog", name="Pay out $12.50 now?")
        await expect(dialog.get_by_text(re.compile("fee of \\$0\\.50"))).to_be_visible()
        await dialog.get_by_role("button", name="Confirm payout").click()
        toast = page.get_by_text(re.compile(r"^Instant payout submitted \(\$12\.50\)\. Status: \w+$"))
        await expect(toast.first).to_be_visible()
        history = page.get_by_role("list", name="Payouts").get_by_role("listitem")
        await expect(history.first).to_contain_text("$12.50")
        await expect(history.first).to_contain_text("Instant")


@pytest.mark.sweep
async def test_debt_and_statement_are_shown(browser: Browser, main_origin: str, product: dict[str, Any]) -> None:
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, *_owner(product, "music"))
        await _open_payouts(page, main_origin)
        debt = "A refund of $42.75 is taken off here. Your next earnings cover it first."
        await expect(page.get_by_text(debt, exact=True)).to_be_visible()
        await page.goto(f"{main_origin}/guru/money?account=held")
        table = page.get_by_role("table", name="Held for sessions")
        await expect(table.get_by_role("rowheader", name="Session took place")).to_be_visible()
        await assert_accessible(page, WIDTHS)
        async with page.expect_download() as download:
            await page.get_by_role("button", name=re.compile("^Export as CSV")).click()
        assert (await download.value).suggested_filename == "statement-held.csv"


async def test_staff_see_the_books_and_adjust_them(browser: Browser, main_origin: str, product: dict[str, Any]) -> None:
    async with visitor_page(browser) as page:
        with psycopg.connect(product["overseer_url"]) as conn:
            key = add_key(conn, f"Books {new_id().hex}")  # a shared key corrects nothing
        await sign_in_as_staff(page, main_origin, key)
        await page.goto(f"{main_origin}/admin/money")
        await expect(
            page.get_by_text(re.compile("^(Matches Stripe to the cent|Off by \\$.* in \\d+ account)"))
        ).to_be_visible()
        await page.goto(f"{main_origin}/admin/money?tab=adjustments")
        for amount, result in (("100.01", "Requested. Someone else has to approve it."), ("1", "Posted.")):
            await page.get_by_role("button", name="Request an adjustment").click()
            dialog = page.get_by_role("dialog")
            await dialog.get_by_label("What to correct").select_option("goodwill_credit")
            await dialog.get_by_label("Their email address").fill("june.halvorsen@example.com")
            await dialog.get_by_label("Amount ($)").fill(amount)
            await dialog.get_by_label("Reason").fill("A flood in the kitchen")
            await dialog.get_by_role("button", name="Request adjustment").click()
            await expect_toast(page, result)
        await page.get_by_label("Show").select_option("posted")
        await expect(page.get_by_role("table", name="Adjustments").get_by_text("$1.00").first).to_be_visible()
        await assert_accessible(page, WIDTHS)
