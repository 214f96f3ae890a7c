"""Continue with Google: the real popup of the Auth emulator, over TLS and over plain HTTP."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any
from urllib.parse import parse_qs, urlencode

import psycopg
import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.browser_session import expect_text, expect_toast, expect_url, sign_out, submit_login, visitor_page
from tests.fixtures.identity import PASSWORD, Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]


def _new_email() -> str:
    return f"g-{uuid.uuid4().hex[:12]}@example.com"


async def _open_popup(page: Page) -> Page:
    """Press the button and return the opened popup."""
    async with page.expect_popup() as opened:
        await page.get_by_role("button", name="Continue with Google").click()
    return await opened.value


async def _add_google_account(popup: Page, email: str, name: str) -> None:
    """Choose a Google account that is new to the product."""
    await popup.get_by_role("button", name="Add new account").click()
    await popup.locator("#email-input").fill(email)
    await popup.locator("#display-name-input").fill(name)
    await popup.locator("#profile-photo-input").fill("https://pictures.example/grace.png")
    await popup.get_by_role("button", name=re.compile("Sign in with")).click()


def _profile(product: dict[str, Any], email: str) -> tuple[Any, ...] | None:
    with psycopg.connect(product["overseer_url"]) as conn:
        return conn.execute(
            "SELECT display_name, photo_url, registered_at IS NOT NULL FROM profiles JOIN users USING (user_id)"
            " WHERE email = %s",
            [email],
        ).fetchone()


@pytest.mark.parametrize("url_key", ["tls_url", pytest.param("base_url", marks=pytest.mark.sweep)])
async def test_google_sign_in_creates_then_reuses_account(
    browser: Browser, product: dict[str, Any], url_key: str
) -> None:
    origin, email = str(product[url_key]).rstrip("/"), _new_email()
    async with visitor_page(browser, service_workers="allow") as page:
        requested: list[str] = []
        page.context.on("request", lambda request: requested.append(request.url))
        await page.goto(f"{origin}/signup")
        await _add_google_account(await _open_popup(page), email, "Grace Google")
        await expect_url(page, f"{origin}/dashboard")
        await expect_toast(page, "Signed in with Google!")
        await expect_text(page.get_by_role("heading", level=1), "Good to see you, Grace")
        assert _profile(product, email) == ("Grace Google", "https://pictures.example/grace.png", True)
        await sign_out(page)
        await page.goto(f"{origin}/login")
        popup = await _open_popup(page)
        await popup.locator("li").filter(has_text=email).click()
        await expect_url(page, f"{origin}/dashboard")
        await expect_toast(page, "Signed in with Google!")
        # No request leaves the machine, except for the user's photo.
        hosts = {url.split("/")[2] for url in requested if not url.startswith("data:")}
        assert {host for host in hosts if "porchlight.localhost" not in host and "127.0.0.1" not in host} <= {
            "pictures.example"
        }


async def test_google_popup_closed_shows_message(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/login")
        popup = await _open_popup(page)
        # Chromium can lose the close of a window whose first page is still arriving.
        await popup.get_by_role("button", name="Add new account").wait_for()
        await popup.close()
        await expect_toast(page, "Sign-in cancelled. Please try again.")
        await expect(page.get_by_role("button", name="Continue with Google")).to_be_enabled()
        await expect_url(page, f"{main_origin}/login")


@pytest.mark.sweep
async def test_google_popup_blocked_shows_message(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser) as page:
        # A blocked popup.
        await page.add_init_script("window.open = () => null")
        await page.goto(f"{main_origin}/login")
        await page.get_by_role("button", name="Continue with Google").click()
        await expect_toast(page, "Popup blocked. Please allow popups for this site.")
        await expect(page.get_by_role("button", name="Continue with Google")).to_be_enabled()


@pytest.mark.sweep
async def test_signup_with_google_email_is_rejected(browser: Browser, main_origin: str) -> None:
    email = _new_email()
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/login")
        await _add_google_account(await _open_popup(page), email, "Grace Google")
        await expect_url(page, f"{main_origin}/dashboard")
        await sign_out(page)
        await page.goto(f"{main_origin}/signup")
        for label, text in (
            ("First name", "Grace"),
            ("Last name", "Google"),
            ("Email", email),
            ("Password", PASSWORD),
            ("Confirm password", PASSWORD),
        ):
            await page.get_by_label(label, exact=True).fill(text)
        await page.get_by_role("button", name="Create Account").click()
        await expect_toast(page, "An account with this email already exists.")


@pytest.mark.sweep
async def test_google_unverified_email_is_not_linked(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    """Accounts with the same email are linked only if Google has verified it."""
    email, _, _ = emulator.sign_up()

    async def unverify_email(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        uri, _, query = body["requestUri"].partition("?")
        texts = {name: values[0] for name, values in parse_qs(query).items()}
        texts["id_token"] = json.dumps(json.loads(texts["id_token"]) | {"email_verified": False})
        await route.continue_(post_data=json.dumps(body | {"requestUri": f"{uri}?{urlencode(texts)}"}))

    async with visitor_page(browser) as page:
        await page.route("**/accounts:signInWithIdp*", unverify_email)
        await page.goto(f"{main_origin}/login")
        await _add_google_account(await _open_popup(page), email, "Not Me")
        await expect_toast(page, "An account already exists with the same email but different sign-in method.")
        await expect_url(page, f"{main_origin}/login")
        await submit_login(page, email)
        await expect_url(page, f"{main_origin}/dashboard")
