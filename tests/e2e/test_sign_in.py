"""Coming in: sign-up, sign-in and everything round it, over TLS on two hosts, against the real Auth emulator."""

from __future__ import annotations

import re
import uuid
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.visitor import (
    PATIENCE,
    arrived,
    give_credentials,
    link_in,
    mail_to,
    shows,
    sign_in,
    sign_out,
    toasted,
    visitor,
)
from tests.support.identity import PASSWORD, Emulator

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


async def test_sign_up_says_what_is_wrong_and_takes_it_back(browser: Browser, main_origin: str) -> None:
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/signup")
        await _create_account(page)
        for words in (
            "First name is required",
            "Last name is required",
            "Email is required",
            "Password is required",
        ):
            await expect(page.get_by_text(words, exact=True)).to_be_visible()
        await _fill_signup(page, "nobody at example", password="12345", confirm="54321")
        for words in ("First name is required", "Last name is required", "Email is required", "Password is required"):
            await expect(page.get_by_text(words, exact=True)).to_have_count(0)
        await _create_account(page)
        slips = ("Email is invalid", "Password must be at least 6 characters", "Passwords do not match")
        for words in slips:
            await expect(page.get_by_text(words, exact=True)).to_be_visible()
        await _fill_signup(page, "nobody@example.com")
        for words in slips:
            await expect(page.get_by_text(words, exact=True)).to_have_count(0)
        assert page.url == f"{main_origin}/signup"


async def test_the_login_page_says_what_is_wrong_and_shows_the_password(browser: Browser, main_origin: str) -> None:
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/login")
        press = page.get_by_role("main").get_by_role("button", name="Sign In", exact=True)
        await press.click()
        await expect(page.get_by_text("Email is required", exact=True)).to_be_visible()
        await expect(page.get_by_text("Password is required", exact=True)).to_be_visible()
        await page.get_by_label("Email", exact=True).fill("nobody.example.com")
        await expect(page.get_by_text("Email is required", exact=True)).to_have_count(0)
        await press.click()
        await expect(page.get_by_text("Invalid email address", exact=True)).to_be_visible()
        password = page.get_by_label("Password", exact=True)
        await expect(password).to_have_attribute("type", "password")
        await page.get_by_role("button", name="Show password").click()
        await expect(password).to_have_attribute("type", "text")
        await page.get_by_role("button", name="Hide password").click()
        await expect(password).to_have_attribute("type", "password")
        await page.get_by_role("link", name="Forgot your password?", exact=True).click()
        await arrived(page, f"{main_origin}/forgot-password")
        await page.go_back()
        await page.get_by_role("link", name="Create an account").click()
        await arrived(page, f"{main_origin}/signup")


async def test_a_newcomer_signs_up_and_out(browser: Browser, main_origin: str, product: dict[str, Any]) -> None:
    email = _new_email()
    async with visitor(browser) as page:
        await page.goto(main_origin)
        await page.get_by_role("banner").get_by_role("link", name="Sign Up", exact=True).click()
        await _fill_signup(page, email)
        await _create_account(page)
        await arrived(page, f"{main_origin}/dashboard")
        await toasted(page, "Account created successfully!")
        await shows(
            page.get_by_text("Please check your email"),
            "Account created successfully! Please check your email to verify your account.",
        )
        await shows(page.get_by_role("heading", level=1), "Good to see you, Nora")
        await page.get_by_role("button", name="Account menu for Nora Newcomer").click()
        await page.get_by_role("menuitem", name="Profile", exact=True).click()
        await arrived(page, f"{main_origin}/profile")
        await sign_out(page)
        await arrived(page, f"{main_origin}/")
        await expect(page.get_by_role("banner").get_by_role("link", name="Dashboard")).to_have_count(0)
        await page.goto(f"{main_origin}/dashboard")
        await arrived(page, f"{main_origin}/login")
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute(
            "SELECT display_name, registered_at IS NOT NULL FROM profiles JOIN users USING (user_id) WHERE email = %s",
            [email],
        ).fetchone()
    assert row == ("Nora Newcomer", True)
    assert link_in(mail_to(product, email, "Verify your email for Porchlight")).startswith(f"{main_origin}/")


async def test_an_address_that_is_taken(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/signup")
        await _fill_signup(page, email, password="another light", confirm="another light")
        await _create_account(page)
        await toasted(page, "An account with this email already exists.")
        assert page.url == f"{main_origin}/signup"
        await expect(page.get_by_label("Email", exact=True)).to_have_value(email)


async def test_a_deep_link_is_kept_through_a_wrong_and_a_right_password(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    wanted = f"{main_origin}/dashboard?action=book-service&category=Pets&message=Pet%20Sitting#today"
    async with visitor(browser) as page:
        await page.goto(wanted)
        await arrived(page, f"{main_origin}/login")
        await give_credentials(page, email, "no porch light")
        await toasted(page, "Invalid credentials. Please check your email and password.")
        assert page.url == f"{main_origin}/login"
        await give_credentials(page, email)
        await arrived(page, wanted)
        await toasted(page, "Welcome back!")
        await page.reload()
        await arrived(page, wanted)
        await shows(page.get_by_role("heading", level=1), "Good to see you")


async def test_the_signed_in_have_no_business_at_the_door(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await sign_in(page, main_origin, email)
        for path in ("/login", "/signup"):
            await page.goto(f"{main_origin}/about")
            await page.goto(main_origin + path)
            await arrived(page, f"{main_origin}/dashboard")
        banner = page.get_by_role("banner")
        await expect(banner.get_by_role("link", name="Dashboard", exact=True)).to_be_visible()
        await expect(banner.get_by_role("link", name="Sign In")).to_have_count(0)


@pytest.mark.parametrize("path", ["/dashboard", "/profile"])
async def test_the_signed_out_are_sent_to_the_door(browser: Browser, main_origin: str, path: str) -> None:
    async with visitor(browser) as page:
        await page.goto(main_origin + path)
        await arrived(page, f"{main_origin}/login")


async def test_a_disabled_account(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, uid, _ = emulator.sign_up()
    emulator.disable(uid)
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/login")
        await give_credentials(page, email)
        await toasted(page, "This account has been disabled. Please contact support.")
        assert page.url == f"{main_origin}/login"


async def test_from_a_gurus_book_now_and_back_signed_in_until_the_sign_out(
    browser: Browser, main_origin: str, tls_port: int, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    site = f"https://cooking.porchlight.localhost:{tls_port}"
    async with visitor(browser) as page:
        await page.goto(f"{site}/services")
        book = page.get_by_role("main").get_by_role("link", name="Book Now").first
        await book.click()
        await expect(page).to_have_url(re.compile(f"^{re.escape(main_origin)}/login\\?next="), timeout=PATIENCE)
        await expect(page.get_by_text(re.compile(r"^Please sign in to book .+ with .+\.$"))).to_be_visible()
        await give_credentials(page, email)
        await expect(page).to_have_url(re.compile(f"^{re.escape(site)}/services#service-"), timeout=PATIENCE)
        session = page.get_by_role("main").get_by_role("link", name="Book a Session").first
        await expect(session).to_be_visible(timeout=PATIENCE)
        await session.click()
        await expect(page).to_have_url(re.compile(f"^{re.escape(main_origin)}/dashboard\\?action=book-service"))
        await expect(page.get_by_role("main").get_by_text(re.compile("^Book .+ with .+"))).to_be_visible()
        await shows(page.get_by_role("heading", level=1), "Good to see you")
        await sign_out(page)
        await arrived(page, f"{main_origin}/")
        await page.goto(f"{site}/services")
        await expect(page.get_by_role("main").get_by_role("link", name="Book Now").first).to_be_visible()
        await page.wait_for_load_state("networkidle")
        await expect(page.get_by_role("main").get_by_role("link", name="Book a Session")).to_have_count(0)
        answer = await page.evaluate("async () => (await (await fetch('/api/auth/session')).json()).data.user")
        assert answer is None


async def test_a_return_path_to_a_strangers_host_is_not_followed(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/login?next=https%3A%2F%2Fcooking.porchlight.localhost.example%2F")
        await give_credentials(page, email)
        await arrived(page, f"{main_origin}/dashboard")


async def test_signing_out_in_one_tab_is_felt_in_the_other(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await sign_in(page, main_origin, email)
        other = await page.context.new_page()
        await other.goto(f"{main_origin}/about")
        await expect(other.get_by_role("button", name=re.compile("^Account menu"))).to_be_visible(timeout=PATIENCE)
        # A page behind another one draws nothing.
        await page.bring_to_front()
        await sign_out(page)
        await other.bring_to_front()
        await expect(other.get_by_role("banner").get_by_role("link", name="Sign In")).to_be_visible(timeout=PATIENCE)


async def test_a_forgotten_password_is_answered_alike_for_everybody(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator
) -> None:
    known, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/forgot-password")
        said = []
        for email in (_new_email(), known):
            await page.get_by_label("Email", exact=True).fill(email)
            await page.get_by_role("button", name="Send reset link").click()
            await toasted(page, "Password reset email sent! Check your inbox.")
            notice = page.get_by_text("a link is on its way")
            await expect(notice).to_contain_text(email)
            said.append((await notice.inner_text()).replace(email, "somebody"))
        assert said[0] == said[1]
    assert link_in(mail_to(product, known, "Reset your password for Porchlight")).startswith(f"{main_origin}/")


async def test_offline_mode_says_so(browser: Browser, main_origin: str) -> None:
    # A worker's own requests cannot be given another answer.
    async with visitor(browser, service_workers="block") as page:
        await page.goto(f"{main_origin}/about")
        real = await page.evaluate("async () => (await fetch('/api/config')).json()")
        assert real["data"]["firebase"] is not None
        real["data"]["firebase"] = None
        await page.route("**/api/config", lambda route: route.fulfill(json=real))
        await page.goto(f"{main_origin}/login")
        await give_credentials(page, "somebody@example.com")
        await toasted(page, OFFLINE)
        await page.get_by_role("button", name="Continue with Google").click()
        await toasted(page, OFFLINE_GOOGLE)
        await page.goto(f"{main_origin}/signup")
        await _fill_signup(page, "somebody@example.com")
        await _create_account(page)
        await toasted(page, OFFLINE)
        await page.goto(f"{main_origin}/dashboard")
        await arrived(page, f"{main_origin}/login")
