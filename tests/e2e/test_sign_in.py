"""Sign-up, sign-in and sign-out over TLS on two hosts, with the Auth emulator."""

from __future__ import annotations

import re
import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import (
    assert_accessible,
    expect_text,
    expect_toast,
    expect_url,
    extract_link,
    sign_in_with_form,
    sign_out,
    submit_login,
    visitor_page,
    wait_for_email,
)
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import PASSWORD, Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

OFFLINE = "Authentication features are currently unavailable. Please configure Firebase to enable login."
OFFLINE_GOOGLE = (
    "Google Sign-in is currently unavailable. Please configure Firebase with Google Auth to enable this feature."
)


def _new_email() -> str:
    return f"{uuid.uuid4().hex[:12]}@example.com"


async def _fill_signup(page: Page, email: str, *, password: str = PASSWORD, confirm: str = PASSWORD) -> None:
    await page.get_by_label("First name", exact=True).fill("Nora")
    await page.get_by_label("Last name", exact=True).fill("Newcomer")
    await page.get_by_label("Email", exact=True).fill(email)
    await page.get_by_label("Password", exact=True).fill(password)
    await page.get_by_label("Confirm password", exact=True).fill(confirm)


async def _create_account(page: Page) -> None:
    await page.get_by_role("button", name="Create Account", exact=True).click()


async def _answer_skills_question(page: Page) -> None:
    """Answer the question of a new account, and see who teaches it."""
    question = page.get_by_role("region", name="What would you like to learn? What could you teach?")
    await question.get_by_label("I'd like to learn").fill("Sourdough baking")
    await question.get_by_label("Your town").fill("Denver, Colorado")
    await question.get_by_role("button", name="Show who fits").click()
    found = page.get_by_role("region", name="These neighbors fit")
    await expect(found.get_by_text("Teaches Sourdough baking").first).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await assert_accessible(page, (360, 1280))
    await found.get_by_role("button", name="Done").click()
    await expect(found).to_have_count(0)


async def test_new_user_signs_up_and_out(browser: Browser, main_origin: str, product: dict[str, Any]) -> None:
    email = _new_email()
    async with visitor_page(browser, service_workers="allow") as page:
        await page.goto(main_origin)
        await page.get_by_role("banner").get_by_role("link", name="Sign Up", exact=True).click()
        await _fill_signup(page, email)
        await _create_account(page)
        await expect_url(page, f"{main_origin}/dashboard")
        await expect_toast(page, "Account created successfully!")
        await expect_text(
            page.get_by_text("Please check your email"),
            "Account created successfully! Please check your email to verify your account.",
        )
        await expect_text(page.get_by_role("heading", level=1), "Good to see you, Nora")
        await _answer_skills_question(page)
        await page.get_by_role("button", name="Account menu for Nora Newcomer").click()
        await page.get_by_role("menuitem", name="Profile", exact=True).click()
        await expect_url(page, f"{main_origin}/profile")
        await sign_out(page)
        await expect_url(page, f"{main_origin}/")
        await expect(page.get_by_role("banner").get_by_role("link", name="Dashboard")).to_have_count(0)
        await page.goto(f"{main_origin}/dashboard")
        await expect_url(page, f"{main_origin}/login")
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute(
            "SELECT display_name, registered_at IS NOT NULL FROM profiles JOIN users USING (user_id) WHERE email = %s",
            [email],
        ).fetchone()
    assert row == ("Nora Newcomer", True)
    assert extract_link(wait_for_email(product, email, "Verify your email for Porchlight")).startswith(
        f"{main_origin}/"
    )


@pytest.mark.sweep
async def test_signup_with_taken_email_is_rejected(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/signup")
        await _fill_signup(page, email, password="another light", confirm="another light")
        await _create_account(page)
        await expect_toast(page, "An account with this email already exists.")
        await expect_url(page, f"{main_origin}/signup")
        await expect(page.get_by_label("Email", exact=True)).to_have_value(email)


async def test_login_after_wrong_password_keeps_deep_link(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    deep_link = f"{main_origin}/dashboard?action=book-service&category=Pets&message=Pet%20Sitting#today"
    async with visitor_page(browser) as page:
        await page.goto(deep_link)
        await expect_url(page, f"{main_origin}/login")
        await submit_login(page, email, "no porch light")
        await expect_toast(page, "Invalid credentials. Please check your email and password.")
        await expect_url(page, f"{main_origin}/login")
        await submit_login(page, email)
        await expect_url(page, deep_link)
        await expect_toast(page, "Welcome back!")
        await page.reload()
        await expect_url(page, deep_link)
        await expect_text(page.get_by_role("heading", level=1), "Good to see you")


@pytest.mark.sweep
async def test_login_with_disabled_account_is_rejected(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, uid, _ = emulator.sign_up()
    emulator.disable(uid)
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/login")
        await submit_login(page, email)
        await expect_toast(page, "This account has been disabled. Please contact support.")
        await expect_url(page, f"{main_origin}/login")


async def test_guru_site_login_continues_the_booking(
    browser: Browser, main_origin: str, tls_port: int, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    site = f"https://cooking.porchlight.localhost:{tls_port}"
    async with visitor_page(browser) as page:
        await page.goto(f"{site}/services")
        book = page.get_by_role("main").get_by_role("link", name="Book Now").first
        await book.click()
        await expect(page).to_have_url(
            re.compile(f"^{re.escape(main_origin)}/login\\?next="), timeout=BROWSER_TIMEOUT_MS
        )
        await expect(page.get_by_text(re.compile(r"^Please sign in to book .+ with .+\.$"))).to_be_visible()
        await submit_login(page, email)
        dashboard = re.compile(f"^{re.escape(main_origin)}/dashboard\\?action=book-service")
        await expect(page).to_have_url(dashboard, timeout=BROWSER_TIMEOUT_MS)
        await expect(page.get_by_role("main").get_by_text(re.compile("^Book .+ with .+"))).to_be_visible()
        await expect_text(page.get_by_role("heading", level=1), "Good to see you")
        await page.goto(f"{site}/services")
        session = page.get_by_role("main").get_by_role("link", name="Book a Session").first
        await expect(session).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await session.click()
        await expect(page).to_have_url(dashboard)
        await expect_text(page.get_by_role("heading", level=1), "Good to see you")
        await sign_out(page)
        await expect_url(page, f"{main_origin}/")
        await page.goto(f"{site}/services")
        await expect(page.get_by_role("main").get_by_role("link", name="Book Now").first).to_be_visible()
        await page.wait_for_load_state("networkidle")
        await expect(page.get_by_role("main").get_by_role("link", name="Book a Session")).to_have_count(0)
        response = await page.evaluate("async () => (await (await fetch('/api/auth/session')).json()).data.user")
        assert response is None


async def test_return_path_to_foreign_host_is_ignored(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/login?next=https%3A%2F%2Fcooking.porchlight.localhost.example%2F")
        await submit_login(page, email)
        await expect_url(page, f"{main_origin}/dashboard")


async def test_sign_out_updates_other_tab(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor_page(browser) as page:
        await sign_in_with_form(page, main_origin, email)
        other = await page.context.new_page()
        await other.goto(f"{main_origin}/about")
        await expect(other.get_by_role("button", name=re.compile("^Account menu"))).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )
        # A background page does not render.
        await page.bring_to_front()
        await sign_out(page)
        await other.bring_to_front()
        await expect(other.get_by_role("banner").get_by_role("link", name="Sign In")).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )


@pytest.mark.sweep
async def test_password_reset_hides_account_existence(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator
) -> None:
    known, _, _ = emulator.sign_up()
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/forgot-password")
        texts = []
        for email in (_new_email(), known):
            await page.get_by_label("Email", exact=True).fill(email)
            await page.get_by_role("button", name="Send reset link").click()
            await expect_toast(page, "Password reset email sent! Check your inbox.")
            notice = page.get_by_text("we've sent a link")
            await expect(notice).to_contain_text(email)
            texts.append((await notice.inner_text()).replace(email, "EMAIL"))
        assert texts[0] == texts[1]
    assert extract_link(wait_for_email(product, known, "Reset your password for Porchlight")).startswith(
        f"{main_origin}/"
    )


@pytest.mark.sweep
async def test_login_without_firebase_shows_message(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/about")
        real = await page.evaluate("async () => (await fetch('/api/config')).json()")
        assert real["data"]["firebase"] is not None
        real["data"]["firebase"] = None
        await page.route("**/api/config", lambda route: route.fulfill(json=real))
        await page.goto(f"{main_origin}/login")
        await submit_login(page, "someone@example.com")
        await expect_toast(page, OFFLINE)
        await page.get_by_role("button", name="Continue with Google").click()
        await expect_toast(page, OFFLINE_GOOGLE)
        await page.goto(f"{main_origin}/signup")
        await _fill_signup(page, "someone@example.com")
        await _create_account(page)
        await expect_toast(page, OFFLINE)
        await page.goto(f"{main_origin}/dashboard")
        await expect_url(page, f"{main_origin}/login")
