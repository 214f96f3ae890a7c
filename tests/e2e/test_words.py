"""SPEC's words byte for byte, where they are said only when something fails or is switched off (2.7, 8.1, 8.2).

The words of screens that work stand in the journeys: test_main_platform.py (2.1 to 2.3, 2.10, 5), test_sign_in.py
(2.5, 2.6, 5, 8.1's successes, offline mode) and test_google.py (popups, accounts of another method).
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.visitor import PATIENCE, give_credentials, shows, sign_in, toasted, visitor
from tests.support.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# A worker's own requests cannot be given another answer.
PLAIN: dict[str, Any] = {"service_workers": "block"}

# SPEC 8.1, by what the identity service answers on the wire. Its browser library has no such answer for the rest:
# popups are in test_google.py, and every row is in main-web/shared/auth-errors.test.ts.
SAID_BY_THE_SERVICE = {
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
SAID_BY_STATUS = {
    401: "Authentication required. Please sign in and try again.",
    403: "Access denied. You don't have permission to perform this action.",
    429: "Too many requests. Please wait a moment and try again.",
    500: "Server error. Please try again later.",
    503: "Server error. Please try again later.",
    409: "The kettle is on.",
    418: "Request failed. Please check your connection and try again.",
}


async def _refuse(page: Page, service: str, code: str) -> None:
    body = {"error": {"code": 400, "message": code, "errors": [{"message": code}]}}
    await page.unroute(service)
    await page.route(service, lambda route: route.fulfill(status=400, json=body))


async def test_what_the_identity_service_refuses(browser: Browser, main_origin: str) -> None:
    async with visitor(browser, **PLAIN) as page:
        service = "**/accounts:signInWithPassword*"
        await page.goto(f"{main_origin}/login")
        for code, words in SAID_BY_THE_SERVICE.items():
            await _refuse(page, service, code)
            await give_credentials(page, "somebody@example.com")
            await toasted(page, words)
        await page.unroute(service)
        await page.route(service, lambda route: route.abort("internetdisconnected"))
        await give_credentials(page, "somebody@example.com")
        await toasted(page, "Network error. Please check your internet connection.")
        assert page.url == f"{main_origin}/login"


async def test_a_reset_mail_that_cannot_be_sent(browser: Browser, main_origin: str) -> None:
    async with visitor(browser, **PLAIN) as page:
        await _refuse(page, "**/accounts:sendOobCode*", "TOO_MANY_ATTEMPTS_TRY_LATER")
        await page.goto(f"{main_origin}/forgot-password")
        await page.get_by_label("Email", exact=True).fill("somebody@example.com")
        await page.get_by_role("button", name="Send reset link").click()
        words = "Failed to send password reset email: Too many failed attempts. Please try again later."
        await toasted(page, words)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (None, "Network error. Please check your connection."),
        (500, "Authentication error. Please refresh the page."),
    ],
)
async def test_a_sign_in_state_that_cannot_be_checked(
    browser: Browser, main_origin: str, status: int | None, words: str
) -> None:
    async def fail(route: Route) -> None:
        if status is None:
            await route.abort("internetdisconnected")
        else:
            await route.fulfill(status=status, json={"success": False})

    async with visitor(browser, **PLAIN) as page:
        await page.add_init_script("localStorage.setItem('porchlight.signed-in', '1')")
        await page.route("**/api/config", fail)
        await page.goto(f"{main_origin}/about")
        await toasted(page, words)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()


async def test_what_a_call_says_by_its_status(browser: Browser, main_origin: str) -> None:
    async with visitor(browser, **PLAIN) as page:
        answers: list[int | None] = []

        async def fail(route: Route) -> None:
            status = answers[-1]
            if status is None:
                await route.abort("internetdisconnected")
                return
            error = {"code": "x", "message": "The kettle is on."} if status != 418 else {}
            await route.fulfill(status=status, json={"success": False, "error": error})

        await page.route("**/api/skills", fail)
        banner = page.get_by_role("alert")
        for status, words in [*SAID_BY_STATUS.items(), (None, "Network error. Please check your internet connection.")]:
            answers.append(status)
            if len(answers) == 1:
                await page.goto(f"{main_origin}/skills")
            else:
                await page.get_by_role("button", name="Try again").click()
            await expect(banner.get_by_text(words, exact=True)).to_be_visible(timeout=PATIENCE)
            await expect(banner.get_by_text("Unable to load skills", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("flag", "path", "words"),
    [
        ("booking", "/dashboard", "Dashboard Coming Soon"),
        ("userProfiles", "/profile", "Profile Management Coming Soon"),
    ],
)
async def test_what_stands_there_while_a_flag_is_off(
    browser: Browser, main_origin: str, emulator: Emulator, flag: str, path: str, words: str
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **PLAIN) as page:
        await page.goto(f"{main_origin}/about")
        real = await page.evaluate("async () => (await fetch('/api/config')).json()")
        assert real["data"]["flags"][flag] is True
        await sign_in(page, main_origin, email)
        await page.goto(main_origin + path)
        await page.get_by_role("heading", level=1).wait_for()
        await expect(page.get_by_text(words)).to_have_count(0)
        real["data"]["flags"][flag] = False
        await page.route("**/api/config", lambda route: route.fulfill(json=real))
        await page.reload()
        await shows(page.get_by_role("main").get_by_text(words), words)
        assert page.url == main_origin + path
