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

from tests.e2e.visitor import arrived, give_credentials, shows, sign_out, toasted, visitor
from tests.support.identity import PASSWORD, Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# A worker's own requests cannot be given another answer.
PLAIN: dict[str, Any] = {"service_workers": "block"}


def _new_email() -> str:
    return f"g-{uuid.uuid4().hex[:12]}@example.com"


async def _press(page: Page) -> Page:
    """Press the button; the popup that opens."""
    async with page.expect_popup() as opened:
        await page.get_by_role("button", name="Continue with Google").click()
    return await opened.value


async def _as_somebody_new(popup: Page, email: str, name: str) -> None:
    """Choose an account that Google has and we have not seen."""
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


@pytest.mark.parametrize("way", ["tls_url", "base_url"])
async def test_a_newcomer_and_then_an_old_friend(browser: Browser, product: dict[str, Any], way: str) -> None:
    origin, email = str(product[way]).rstrip("/"), _new_email()
    async with visitor(browser) as page:
        asked: list[str] = []
        page.context.on("request", lambda request: asked.append(request.url))
        await page.goto(f"{origin}/signup")
        await _as_somebody_new(await _press(page), email, "Grace Google")
        await arrived(page, f"{origin}/dashboard")
        await toasted(page, "Signed in with Google!")
        await shows(page.get_by_role("heading", level=1), "Good to see you, Grace")
        assert _profile(product, email) == ("Grace Google", "https://pictures.example/grace.png", True)
        await sign_out(page)
        await page.goto(f"{origin}/login")
        popup = await _press(page)
        await popup.locator("li").filter(has_text=email).click()
        await arrived(page, f"{origin}/dashboard")
        await toasted(page, "Signed in with Google!")
        # Nothing of it came from the network (the person's own picture apart).
        afar = {url.split("/")[2] for url in asked if not url.startswith("data:")}
        assert {host for host in afar if "porchlight.localhost" not in host and "127.0.0.1" not in host} <= {
            "pictures.example"
        }


async def test_a_popup_that_is_closed(browser: Browser, main_origin: str) -> None:
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/login")
        popup = await _press(page)
        await popup.close()
        await toasted(page, "Sign-in cancelled. Please try again.")
        await expect(page.get_by_role("button", name="Continue with Google")).to_be_enabled()
        assert page.url == f"{main_origin}/login"


async def test_a_popup_that_is_blocked(browser: Browser, main_origin: str) -> None:
    async with visitor(browser) as page:
        # What a browser that blocks the popup answers.
        await page.add_init_script("window.open = () => null")
        await page.goto(f"{main_origin}/login")
        await page.get_by_role("button", name="Continue with Google").click()
        await toasted(page, "Popup blocked. Please allow popups for this site.")
        await expect(page.get_by_role("button", name="Continue with Google")).to_be_enabled()


async def test_the_address_came_with_google_before(browser: Browser, main_origin: str) -> None:
    email = _new_email()
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/login")
        await _as_somebody_new(await _press(page), email, "Grace Google")
        await arrived(page, f"{main_origin}/dashboard")
        await sign_out(page)
        await page.goto(f"{main_origin}/signup")
        for label, words in (
            ("First name", "Grace"),
            ("Last name", "Google"),
            ("Email", email),
            ("Password", PASSWORD),
            ("Confirm password", PASSWORD),
        ):
            await page.get_by_label(label, exact=True).fill(words)
        await page.get_by_role("button", name="Create Account").click()
        await toasted(page, "An account with this email already exists.")


async def test_the_address_came_with_a_password_before(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    """Google vouches for its addresses, so accounts are joined. For one it does not vouch for, they are not."""
    email, _, _ = emulator.sign_up()

    async def unvouched(route: Route) -> None:
        sent = json.loads(route.request.post_data or "{}")
        uri, _, query = sent["requestUri"].partition("?")
        said = {name: values[0] for name, values in parse_qs(query).items()}
        said["id_token"] = json.dumps(json.loads(said["id_token"]) | {"email_verified": False})
        await route.continue_(post_data=json.dumps(sent | {"requestUri": f"{uri}?{urlencode(said)}"}))

    async with visitor(browser, **PLAIN) as page:
        await page.route("**/accounts:signInWithIdp*", unvouched)
        await page.goto(f"{main_origin}/login")
        await _as_somebody_new(await _press(page), email, "Not Me")
        await toasted(page, "An account already exists with the same email but different sign-in method.")
        assert page.url == f"{main_origin}/login"
        await give_credentials(page, email)
        await arrived(page, f"{main_origin}/dashboard")
