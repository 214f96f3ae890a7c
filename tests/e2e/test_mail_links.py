"""What the links of our mails do, in a real browser against the real Auth emulator."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, expect

from tests.e2e.visitor import PATIENCE, arrived, give_credentials, link_in, mail_to, sign_in, visitor
from tests.support.identity import PASSWORD, Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

NEW_PASSWORD = "three lamps on a porch"


async def test_a_new_address_is_confirmed(browser: Browser, main_origin: str, product: dict[str, Any]) -> None:
    email = f"new-{uuid.uuid4().hex[:10]}@mail.example"
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/signup")
        for label, words in (
            ("First name", "Vera"),
            ("Last name", "Verified"),
            ("Email", email),
            ("Password", "porchlight"),
            ("Confirm password", "porchlight"),
        ):
            await page.get_by_label(label, exact=True).fill(words)
        await page.get_by_role("button", name="Create Account").click()
        await arrived(page, f"{main_origin}/dashboard")
        await page.goto(link_in(mail_to(product, email, "Verify your email for Porchlight")))
        await page.get_by_role("button", name="Confirm email address").click()
        await expect(page.get_by_text("Thank you! Your email address is confirmed.")).to_be_visible(timeout=PATIENCE)
        answer = await page.evaluate("async () => (await fetch('/api/auth/profile')).json()")
        assert answer["data"]["email"] == email

    async with visitor(browser) as page:
        await page.goto(link_in(mail_to(product, email, "Verify your email for Porchlight")))
        await page.get_by_role("button", name="Confirm email address").click()
        await expect(page.get_by_text("This link has expired or was used already.")).to_be_visible(timeout=PATIENCE)


async def test_a_forgotten_password_is_set_anew(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/forgot-password")
        await page.get_by_label("Email", exact=True).fill(email)
        await page.get_by_role("button", name="Send reset link").click()
        await expect(page.get_by_text("a link is on its way")).to_be_visible(timeout=PATIENCE)
        await page.goto(link_in(mail_to(product, email, "Reset your password for Porchlight")))
        await page.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
        await page.get_by_label("Confirm password", exact=True).fill(NEW_PASSWORD)
        await page.get_by_role("button", name="Set password").click()
        await expect(page.get_by_text("Your new password is set.")).to_be_visible(timeout=PATIENCE)
        await page.goto(f"{main_origin}/login")
        await give_credentials(page, email, NEW_PASSWORD)
        await arrived(page, f"{main_origin}/dashboard")


async def test_another_address_is_used_once_its_link_is_opened(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator
) -> None:
    email, uid, _ = emulator.sign_up()
    new = f"new-{email}"
    async with visitor(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{main_origin}/profile")
        await page.get_by_label("New email address").fill(new)
        await page.get_by_label("Confirm with your password").fill(PASSWORD)
        await page.get_by_role("button", name="Change email address").click()
        await expect(page.get_by_text(f"We sent a link to {new}.")).to_be_visible(timeout=PATIENCE)
        await page.goto(link_in(mail_to(product, new, "Verify your new email for Porchlight")))
        await page.get_by_role("button", name="Use this address").click()
        await expect(page.get_by_text("Your account has its new email address.")).to_be_visible(timeout=PATIENCE)
    async with visitor(browser) as page:
        await sign_in(page, main_origin, new)
    with psycopg.connect(product["overseer_url"]) as conn:
        ours = conn.execute("SELECT email, email_verified FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert ours == (new, True)
