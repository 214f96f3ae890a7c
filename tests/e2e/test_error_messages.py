"""SPEC's texts for errors and disabled features, byte for byte (SPEC 2.7, 8.1, 8.2).

Other texts are tested in test_main_platform.py (SPEC 2.1 to 2.3, 2.10, 5), test_sign_in.py
(2.5, 2.6, 5, success messages of 8.1, offline mode) and test_google.py (popups, other sign-in methods).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.browser_session import expect_toast, expect_url, submit_login, visitor_page
from tests.fixtures.browser import BROWSER_TIMEOUT_MS

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# SPEC 8.1, by the error code of the identity provider. The other rows are not API responses:
# popups are in test_google.py, and every row is in main-web/shared/auth-errors.test.ts.
AUTH_ERROR_MESSAGES = {
    "EMAIL_NOT_FOUND": "No account found with this email address.",
    "INVALID_PASSWORD": "Incorrect password. Please try again.",
    "INVALID_EMAIL": "Please enter a valid email address.",
    "USER_DISABLED": "This account has been disabled. Please contact support.",
    "TOO_MANY_ATTEMPTS_TRY_LATER": "Too many failed attempts. Please try again later.",
    "EMAIL_EXISTS": "An account with this email already exists.",
    "WEAK_PASSWORD": "Password should be at least 6 characters long.",
    "OPERATION_NOT_ALLOWED": "This sign-in method is not enabled.",
    "INVALID_LOGIN_CREDENTIALS": "Invalid credentials. Please check your email and password.",
    "FEDERATED_USER_ID_ALREADY_LINKED": "This credential is already associated with a different account.",
}
# SPEC 8.2.
STATUS_MESSAGES = {
    401: "Authentication required. Please sign in and try again.",
    403: "Access denied. You don't have permission to perform this action.",
    429: "Too many requests. Please wait a moment and try again.",
    500: "Server error. Please try again later.",
    503: "Server error. Please try again later.",
    409: "The kettle is on.",
    418: "Request failed. Please check your connection and try again.",
}


async def _mock_auth_error(page: Page, service: str, code: str) -> None:
    body = {"error": {"code": 400, "message": code, "errors": [{"message": code}]}}
    await page.unroute(service)
    await page.route(service, lambda route: route.fulfill(status=400, json=body))


@pytest.mark.sweep
async def test_auth_error_shows_spec_message(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser) as page:
        service = "**/accounts:signInWithPassword*"
        await page.goto(f"{main_origin}/login")
        for code, text in AUTH_ERROR_MESSAGES.items():
            await _mock_auth_error(page, service, code)
            await submit_login(page, "someone@example.com")
            await expect_toast(page, text)
        await page.unroute(service)
        await page.route(service, lambda route: route.abort("internetdisconnected"))
        await submit_login(page, "someone@example.com")
        await expect_toast(page, "Network error. Please check your internet connection.")
        await expect_url(page, f"{main_origin}/login")


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (None, "Network error. Please check your connection."),
        pytest.param(500, "Authentication error. Please refresh the page.", marks=pytest.mark.sweep),
    ],
)
async def test_session_check_failure_shows_message(
    browser: Browser, main_origin: str, status: int | None, text: str
) -> None:
    async def fail(route: Route) -> None:
        if status is None:
            await route.abort("internetdisconnected")
        else:
            await route.fulfill(status=status, json={"success": False})

    async with visitor_page(browser) as page:
        await page.add_init_script("localStorage.setItem('porchlight.signed-in', '1')")
        await page.route("**/api/config", fail)
        await page.goto(f"{main_origin}/about")
        await expect_toast(page, text)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.sweep
async def test_api_error_status_shows_spec_message(browser: Browser, main_origin: str) -> None:
    async with visitor_page(browser) as page:
        statuses: list[int | None] = []

        async def fail(route: Route) -> None:
            status = statuses[-1]
            if status is None:
                await route.abort("internetdisconnected")
                return
            error = {"code": "x", "message": "The kettle is on."} if status != 418 else {}
            await route.fulfill(status=status, json={"success": False, "error": error})

        await page.route("**/api/skills", fail)
        banner = page.get_by_role("alert")
        for status, text in [*STATUS_MESSAGES.items(), (None, "Network error. Please check your internet connection.")]:
            statuses.append(status)
            if len(statuses) == 1:
                await page.goto(f"{main_origin}/skills")
            else:
                await page.get_by_role("button", name="Try again").click()
            await expect(banner.get_by_text(text, exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
            await expect(banner.get_by_text("Unable to load skills", exact=True)).to_be_visible()


def _respond_with(body: dict[str, Any]) -> Callable[[Route], Awaitable[None]]:
    """Return a request handler that responds with this JSON body."""

    async def respond(route: Route) -> None:
        await route.fulfill(json=body)

    return respond
