"""Buying, changing and canceling a plan in a real browser, on the pages of the fake Stripe."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.e2e.browser_session import assert_accessible, sign_in, submit_login
from tests.e2e.test_skillshare import page
from tests.fixtures.identity import PASSWORD

__all__ = ["page"]
pytestmark = pytest.mark.e2e

PAYS, DECLINES = "4242 4242 4242 4242", "4000 0000 0000 0002"


async def _pay(page: Page, number: str = PAYS) -> None:
    """Fill in the form of the fake's Checkout."""
    await page.wait_for_url("**/c/pay/**")
    await page.get_by_label("Card number").fill(number)
    await page.get_by_label("Expiration (MM / YY)").fill("12 / 40")
    await page.get_by_label("Security code").fill("123")
    await page.get_by_role("button", name="Subscribe").click()


async def _buy(page: Page, demo: dict[str, Any], user: str, plan: str = "Skill Sharer") -> None:
    await sign_in(page, demo["base_url"], user, PASSWORD)
    await page.goto(demo["base_url"] + "/pricing")
    await page.get_by_role("button", name=f"Get {plan}").click()
    await _pay(page)
    await expect(page.get_by_text(f"You're a {plan}.")).to_be_visible()


async def test_visitor_signs_in_and_continues_to_checkout(demo: dict[str, Any], page: Page, user: str) -> None:
    await page.goto(demo["base_url"] + "/pricing")
    await page.get_by_role("radio", name="Yearly").check(force=True)
    await expect(page.get_by_text("Yearly saves two months")).to_be_visible()
    await expect(page.get_by_text("$90")).to_be_visible()
    await page.get_by_role("button", name="Get Skill Sharer").click()
    await expect(page.get_by_text("Please sign in to choose a plan.")).to_be_visible()
    await submit_login(page, user, PASSWORD)
    # No second press: the purchase continues by itself.
    await page.wait_for_url("**/c/pay/**")
    await expect(page.get_by_text("$90.00")).to_be_visible()
    await _pay(page, DECLINES)
    await expect(page.get_by_text("Your card was declined.")).to_be_visible()
    await page.get_by_role("link", name="Back to Porchlight").click()
    await expect(page.get_by_text("No charge was made.")).to_be_visible()
    await expect(page).not_to_have_url(re.compile("checkout"))
    await page.get_by_role("radio", name="Yearly").check(force=True)
    await page.get_by_role("button", name="Get Skill Sharer").click()
    await _pay(page)
    await expect(page.get_by_text("You're a Skill Sharer. Add your first priced offer.")).to_be_visible()
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Skill Sharer"))
    await expect(card.get_by_text("Your plan", exact=True)).to_be_visible()


# The gate tests the addresses that Stripe returns to in tests/porchlight/billing/test_purchase.py.
@pytest.mark.sweep
async def test_purchase_returns_to_where_the_buyer_was(demo: dict[str, Any], page: Page, user: str) -> None:
    await sign_in(page, demo["base_url"], user, PASSWORD)
    await page.goto(demo["base_url"] + "/pricing?buy=premium-angel&interval=month&returnTo=%2Fskills%2Fmine")
    await _pay(page)
    await page.wait_for_url("**/skills/mine*")
    await expect(page.get_by_text("You're a Premium Angel.")).to_be_visible()
    await expect(page).not_to_have_url(re.compile("checkout"))


async def test_pricing_table_buys_for_its_user(demo: dict[str, Any], page: Page, user: str) -> None:
    await sign_in(page, demo["base_url"], user, PASSWORD)
    await page.goto(demo["base_url"] + "/pricing")
    await page.get_by_text("Checkout", exact=True).click()
    table = page.locator("stripe-pricing-table")
    await table.get_by_role("link", name="Subscribe to Premium Angel").click()
    await _pay(page)
    await expect(page.get_by_text("You're a Premium Angel.")).to_be_visible()
    await expect(table).to_have_count(0)


async def test_plan_is_upgraded_kept_and_paid_by_new_card(demo: dict[str, Any], page: Page, user: str) -> None:
    await _buy(page, demo, user)
    await page.goto(demo["base_url"] + "/account/plan")
    main = page.get_by_role("main")
    await expect(main.get_by_text("$9 on ")).to_be_visible()
    await expect(main.get_by_text("Visa ending in 4242")).to_be_visible()
    await expect(main.get_by_text("$9.00")).to_be_visible()

    await main.get_by_role("button", name="Choose Premium Angel, monthly").click()
    dialog = page.get_by_role("alertdialog", name="Change to Premium Angel?")
    await expect(dialog.get_by_text("You pay $10 now, and get Premium Angel at once.")).to_be_visible()
    await assert_accessible(page)
    await dialog.get_by_role("button", name="Pay and change").click()
    await expect(main.get_by_role("heading", name="Premium Angel")).to_be_visible()
    await expect(main.get_by_text("$19 on ")).to_be_visible()

    await main.get_by_role("button", name="Cancel plan").click()
    dialog = page.get_by_role("alertdialog", name="Cancel Premium Angel?")
    await expect(dialog.get_by_text("then become read-only. Nothing is deleted.")).to_be_visible()
    await dialog.get_by_role("button", name="Cancel plan").click()
    await expect(main.get_by_text("You keep Premium Angel until")).to_be_visible()
    await expect(main.get_by_text("Ends soon")).to_be_visible()
    await assert_accessible(page, (360, 1280))

    await main.get_by_role("button", name="Keep Premium Angel").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Confirm").click()
    await expect(main.get_by_text("Active", exact=True)).to_be_visible()

    await main.get_by_role("button", name="Update card").click()
    await page.wait_for_url("**/p/session/**")
    await page.get_by_label("Card number").fill("5555 5555 5555 4444")
    await page.get_by_label("Expiration (MM / YY)").fill("12 / 41")
    await page.get_by_label("Security code").fill("123")
    await page.get_by_role("button", name="Update card").click()
    await page.get_by_role("link", name="Return to Porchlight").click()
    await expect(main.get_by_text("Mastercard ending in 4444")).to_be_visible()
