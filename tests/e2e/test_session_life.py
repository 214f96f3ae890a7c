"""How a signed-in person fares: renewed tokens, too many attempts, lost networks, and sessions that end elsewhere."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Response, Route, expect

from tests.e2e.visitor import PATIENCE, arrived, give_credentials, shows, sign_in, sign_out, toasted, visitor
from tests.support.identity import PASSWORD, Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# A worker's own requests cannot be given another answer.
PLAIN: dict[str, Any] = {"service_workers": "block"}

# An ID token of this person that has ended; kept_too: in place of the one that Firebase keeps in the browser.
EXPIRE = """async (kept_too) => {
  const db = await new Promise((done) => {
    const open = indexedDB.open("firebaseLocalStorageDb");
    open.onsuccess = () => done(open.result);
  });
  const store = () => db.transaction("firebaseLocalStorage", "readwrite").objectStore("firebaseLocalStorage");
  const ask = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
  const kept = (await ask(store().getAll())).find((entry) => entry.fbase_key.startsWith("firebase:authUser"));
  const tokens = kept.value.stsTokenManager;
  const [head, claims] = tokens.accessToken.split(".");
  const said = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
  const old = btoa(JSON.stringify({ ...said, exp: said.iat - 7200, iat: said.iat - 10800 })).replace(/=+$/, "");
  tokens.accessToken = `${head}.${old.replaceAll("+", "-").replaceAll("/", "_")}.`;
  tokens.expirationTime = Date.now() - 3_600_000;
  if (kept_too) await ask(store().put(kept));
  return tokens.accessToken;
}"""


def _refusal(code: str) -> dict[str, Any]:
    """The identity service's own shape of a refusal."""
    return {"status": 400, "json": {"error": {"code": 400, "message": code, "errors": [{"message": code}]}}}


async def test_too_many_attempts_and_then_a_good_one(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **PLAIN) as page:
        service = "**/accounts:signInWithPassword*"
        await page.route(service, lambda route: route.fulfill(**_refusal("TOO_MANY_ATTEMPTS_TRY_LATER")))
        await page.goto(f"{main_origin}/login")
        await give_credentials(page, email)
        await toasted(page, "Too many failed attempts. Please try again later.")
        await page.unroute(service)
        await give_credentials(page, email)
        await arrived(page, f"{main_origin}/dashboard")


async def test_without_a_network_nothing_typed_is_lost(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **PLAIN) as page:
        await page.goto(f"{main_origin}/login")
        await page.get_by_label("Email", exact=True).focus()
        service = "**/identitytoolkit.googleapis.com/**"
        await page.route(service, lambda route: route.abort("internetdisconnected"))
        await give_credentials(page, email)
        await toasted(page, "Network error. Please check your internet connection.")
        await expect(page.get_by_label("Password", exact=True)).to_have_value(PASSWORD)
        await page.unroute(service)
        await page.get_by_role("main").get_by_role("button", name="Sign In", exact=True).click()
        await arrived(page, f"{main_origin}/dashboard")


@pytest.mark.parametrize("noticed_by", ["browser", "server"])
async def test_an_expired_token_is_renewed_unnoticed(
    browser: Browser, main_origin: str, emulator: Emulator, noticed_by: str
) -> None:
    """The browser knows that its token is old; or its clock is wrong, and only the server knows."""
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **PLAIN) as page:
        await sign_in(page, main_origin, email)
        expired = str(await page.evaluate(EXPIRE, noticed_by == "browser"))
        shown: list[str] = []
        answered: list[int] = []

        async def pass_on(route: Route) -> None:
            headers = dict(await route.request.all_headers())
            if noticed_by == "server" and not shown:
                headers["authorization"] = f"Bearer {expired}"
            shown.append(headers["authorization"].removeprefix("Bearer "))
            await route.continue_(headers=headers)

        def note(answer: Response) -> None:
            if answer.url.endswith("/api/auth/profile"):
                answered.append(answer.status)

        await page.route("**/api/auth/profile", pass_on)
        page.on("response", note)
        async with page.expect_request(re.compile("securetoken")):
            await page.goto(f"{main_origin}/profile")
            await expect(page.get_by_label("Display name")).to_be_visible(timeout=PATIENCE)
        assert page.url == f"{main_origin}/profile"
        assert shown[-1] != expired
        assert answered == ([200] if noticed_by == "browser" else [401, 200])
        await expect(page.locator("ol > li")).to_have_count(0)


async def test_a_disabled_account_is_felt_within_a_minute(
    browser: Browser, main_origin: str, tls_port: int, emulator: Emulator
) -> None:
    email, uid, _ = emulator.sign_up()
    async with visitor(browser, **PLAIN) as page:
        await sign_in(page, main_origin, email)
        site = await page.context.new_page()
        await site.goto(f"https://cooking.porchlight.localhost:{tls_port}/services")
        booked = site.get_by_role("main").get_by_role("link", name="Book a Session").first
        await expect(booked).to_be_visible(timeout=PATIENCE)
        await page.bring_to_front()
        emulator.disable(uid)
        # Nobody touches the page. SPEC's minute, which tests/accounts measures by a clock of its own, and what a busy
        # machine takes to show it.
        await expect(page.get_by_role("heading", name="Welcome back")).to_be_visible(timeout=90_000)
        await toasted(page, "This account has been disabled. Please contact support.")
        await site.reload()
        await expect(site.get_by_role("main").get_by_role("link", name="Book Now").first).to_be_visible()
        answer = await site.evaluate("async () => (await (await fetch('/api/auth/session')).json()).data.user")
        assert answer is None


async def test_signed_out_everywhere_is_felt_on_the_other_device(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **PLAIN) as here, visitor(browser, **PLAIN) as there:
        await there.clock.install()
        await sign_in(there, main_origin, email)
        await sign_in(here, main_origin, email)
        await shows(there.get_by_role("heading", level=1), "Good to see you")  # it looks after the session from then on
        await here.goto(f"{main_origin}/profile")
        token = await here.evaluate("async () => (await fetch('/api/auth/sessions')).status")
        assert token == 200
        ended = await here.evaluate("async () => (await fetch('/api/auth/sessions', {method: 'DELETE'})).status")
        assert ended == 200
        await there.clock.fast_forward(30_000)
        await toasted(there, "Your session has ended. Please sign in again.")
        await arrived(there, f"{main_origin}/login")
        # And whoever signs in again is back where they were.
        await give_credentials(there, email)
        await arrived(there, f"{main_origin}/dashboard")


async def test_a_guru_site_that_was_left_open_notices_the_sign_out(
    browser: Browser, main_origin: str, tls_port: int, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await sign_in(page, main_origin, email)
        site = await page.context.new_page()
        await site.goto(f"https://cooking.porchlight.localhost:{tls_port}/services")
        booked = site.get_by_role("main").get_by_role("link", name="Book a Session").first
        await expect(booked).to_be_visible(timeout=PATIENCE)
        await page.bring_to_front()
        await sign_out(page)
        await site.bring_to_front()
        # Headless pages are always in sight, so they are told.
        await site.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(site.get_by_role("main").get_by_role("link", name="Book Now").first).to_be_visible(
            timeout=PATIENCE
        )
        await expect(booked).to_have_count(0)


async def test_signing_in_in_one_tab_is_felt_in_the_other(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        other = await page.context.new_page()
        await other.goto(f"{main_origin}/about")
        await page.bring_to_front()
        await sign_in(page, main_origin, email)
        await other.bring_to_front()
        await expect(other.get_by_role("button", name=re.compile("^Account menu"))).to_be_visible(timeout=PATIENCE)


async def test_the_cookie_is_renewed_on_a_long_visit(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **PLAIN) as page:
        await page.clock.install()
        await sign_in(page, main_origin, email)
        await shows(page.get_by_role("heading", level=1), "Good to see you")  # it looks after the session from then on
        before = {cookie["name"]: cookie["value"] for cookie in await page.context.cookies()}
        async with page.expect_response(
            lambda answer: answer.url.endswith("/api/auth/session") and answer.request.method == "POST"
        ) as renewed:
            await page.clock.fast_forward("13:00:00")
        assert (await renewed.value).status == 200
        after = {cookie["name"]: cookie["value"] for cookie in await page.context.cookies()}
        assert after["__session"] != before["__session"]
        await shows(page.get_by_role("heading", level=1), "Good to see you")


async def test_a_deep_link_is_kept_through_signing_up(browser: Browser, main_origin: str) -> None:
    wanted = f"{main_origin}/profile?section=account#photo"
    async with visitor(browser) as page:
        await page.goto(wanted)
        await arrived(page, f"{main_origin}/login")
        await page.get_by_role("link", name="Create an account").click()
        await arrived(page, f"{main_origin}/signup")
        for label, words in (
            ("First name", "Deep"),
            ("Last name", "Link"),
            ("Email", f"deep.{id(page)}@example.com"),
            ("Password", PASSWORD),
            ("Confirm password", PASSWORD),
        ):
            await page.get_by_label(label, exact=True).fill(words)
        await page.get_by_role("button", name="Create Account").click()
        await arrived(page, wanted)


async def test_the_first_screen_waits_for_the_first_check(
    browser: Browser, main_origin: str, emulator: Emulator
) -> None:
    """SPEC 2.2: nobody who is signed in sees the login page for a moment."""
    email, _, _ = emulator.sign_up()

    async def slow(route: Route) -> None:
        seen.append(await route.request.frame.page.locator("body").inner_text())
        await route.continue_()

    seen: list[str] = []
    async with visitor(browser, **PLAIN) as page:
        await sign_in(page, main_origin, email)
        await page.route("**/api/config", slow)
        await page.goto(f"{main_origin}/dashboard")
        await shows(page.get_by_role("heading", level=1), "Good to see you")
        assert seen
        assert {words.strip() for words in seen} == {"Loading your skill-sharing platform..."}
