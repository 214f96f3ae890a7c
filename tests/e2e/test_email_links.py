"""Links in emails, in a real browser with the Auth emulator."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, expect

from tests.e2e.browser_session import (
    expect_toast,
    expect_url,
    extract_link,
    sign_in,
    submit_login,
    visitor_page,
    wait_for_email,
)
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import PASSWORD, Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

NEW_PASSWORD = "three lamps on a porch"


async def test_signup_email_link_verifies_address(browser: Browser, main_origin: str, product: dict[str, Any]) -> None:
    email = f"new-{uuid.uuid4().hex[:10]}@mail.example"
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/signup")
        for label, text in (
            ("First name", "Vera"),
            ("Last name", "Verified"),
            ("Email", email),
            ("Password", "porchlight"),
            ("Confirm password", "porchlight"),
        ):
            await page.get_by_label(label, exact=True).fill(text)
        await page.get_by_role("button", name="Create Account").click()
        await expect_url(page, f"{main_origin}/dashboard")
        await page.goto(extract_link(wait_for_email(product, email, "Verify your email for Porchlight")))
        await page.get_by_role("button", name="Yes, confirm").click()
        await expect(page.get_by_text("Thanks! Your email address is confirmed.")).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )
        response = await page.evaluate("async () => (await fetch('/api/auth/profile')).json()")
        assert response["data"]["email"] == email

    async with visitor_page(browser) as page:
        await page.goto(extract_link(wait_for_email(product, email, "Verify your email for Porchlight")))
        await page.get_by_role("button", name="Yes, confirm").click()
        await expect(page.get_by_text("This link has expired or was already used.")).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )


async def test_email_steps_right_after_reload_work(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    """A remembered user can press the buttons before Firebase has been loaded."""
    email, uid, _ = emulator.sign_up()
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{main_origin}/dashboard")
        await expect(page.get_by_role("heading", name="Verify your email")).to_be_visible()
        await page.reload()
        await page.get_by_role("button", name="Resend email").click()
        await expect_toast(page, "Verification email sent! Check your inbox.")
        emulator.verify(uid)
        await page.reload()
        await page.get_by_role("button", name="I've verified my email").click()
        await expect_toast(page, "Your email is verified.")


async def test_password_reset_link_sets_new_password(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/forgot-password")
        await page.get_by_label("Email", exact=True).fill(email)
        await page.get_by_role("button", name="Send reset link").click()
        await expect(page.get_by_text("we've sent a link")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await page.goto(extract_link(wait_for_email(product, email, "Reset your password for Porchlight")))
        await page.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
        await page.get_by_label("Confirm password", exact=True).fill(NEW_PASSWORD)
        await page.get_by_role("button", name="Set password").click()
        await expect(page.get_by_text("Your password has been changed.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await page.goto(f"{main_origin}/login")
        await submit_login(page, email, NEW_PASSWORD)
        await expect_url(page, f"{main_origin}/dashboard")


async def test_email_change_link_updates_address(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator
) -> None:
    email, uid, _ = emulator.sign_up()
    new_email = f"new-{email}"
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{main_origin}/profile")
        await page.get_by_label("New email address").fill(new_email)
        await page.get_by_label("Confirm with your password").fill(PASSWORD)
        await page.get_by_role("button", name="Change email address").click()
        await expect(page.get_by_text(f"We sent a link to {new_email}.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await page.goto(extract_link(wait_for_email(product, new_email, "Verify your new email for Porchlight")))
        await page.get_by_role("button", name="Use this address").click()
        await expect(page.get_by_text("Your email address has been changed.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, new_email)
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute("SELECT email, email_verified FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert row == (new_email, True)
