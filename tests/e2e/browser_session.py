"""Helpers for e2e tests: a first-time visitor's page, toasts, sign-in and received emails."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from playwright.async_api import Browser, Locator, Page, expect

from tests.fixtures.browser import BROWSER_TIMEOUT_MS, axe_violations, excess_width, set_width
from tests.fixtures.identity import PASSWORD
from tests.fixtures.product import eventually

# Toasts disappear after four seconds, which is too soon on a busy machine, so the page records their texts.
RECORD_TOASTS = """
window.toasts = [];
const seen = new WeakSet();
new MutationObserver(() => {
    for (const part of document.querySelectorAll("ol > li *")) {
        if (part.childElementCount > 0 || seen.has(part)) continue;
        seen.add(part);
        window.toasts.push(part.textContent.trim());
    }
}).observe(document, {subtree: true, childList: true});
"""

# A visible toast matches again and again.
TAKE_TOAST = """
words => {
    const there = [...document.querySelectorAll("ol > li *")].some((part) => part.textContent.trim() === words);
    const at = window.toasts.indexOf(words);
    if (at >= 0) window.toasts.splice(at, 1);
    return there || at >= 0;
}
"""

# Chrome replaces each text node, also later ones, by a <font> in a <font> with other words. Here the words stay.
TRANSLATE = """
const translate = () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (!text.data.trim() || text.parentElement.closest("font, script, style, noscript, template, textarea")) continue;
    const outer = document.createElement("font");
    outer.append(document.createElement("font"));
    outer.firstChild.append(text.data);
    text.replaceWith(outer);
  }
};
document.addEventListener("DOMContentLoaded", () => {
  translate();
  new MutationObserver(translate).observe(document, { subtree: true, childList: true, characterData: true });
});
"""

HYDRATION_DIFFERS = "Minified React error #418"

# Leaves what the login form leaves in a browser: the session cookie, Firebase's user and the app's hint. Firebase moves
# its user from the local storage to its database on the next page.
SIGN_IN = """async ([email, password]) => {
  const post = async (url, body) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { firebase } = (await (await fetch("/api/config")).json()).data;
  const accounts = `${firebase.emulatorUrl}/identitytoolkit.googleapis.com/v1/accounts`;
  const credentials = { email, password, returnSecureToken: true };
  const account = await post(`${accounts}:signInWithPassword?key=${firebase.apiKey}`, credentials);
  await post("/api/auth/session", { idToken: account.idToken });
  const user = {
    uid: account.localId,
    email,
    emailVerified: false,
    isAnonymous: false,
    providerData: [],
    stsTokenManager: {
      refreshToken: account.refreshToken,
      accessToken: account.idToken,
      expirationTime: Date.now() + Number(account.expiresIn) * 1000,
    },
  };
  localStorage.setItem(`firebase:authUser:${firebase.apiKey}:[DEFAULT]`, JSON.stringify(user));
  localStorage.setItem("porchlight.signed-in", String(Date.now()));
}"""

# Defines a function that calls the API and returns the answer: a POST with a body, otherwise a GET.
CALL_API = """
  const call = async (path, body) => {
    const options = body && {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    };
    const response = await fetch(`/api${path}`, options);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
"""

# Without it, messages are asked for every 20 seconds. A stream stays open, so `networkidle` never comes.
NO_STREAMS = "delete window.EventSource;"

POST_JSON = """async ([url, body]) => {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}"""


@asynccontextmanager
async def visitor_page(
    browser: Browser, *, streams: bool = False, translated: bool = False, **options: Any
) -> AsyncIterator[Page]:
    """Yield a page in a new browser context. Script errors and CSP violations fail the test.

    Animations are disabled, because axe would check their intermediate states. The service worker is blocked: it loads
    the other screens after the first, and Playwright cannot mock its requests. `service_workers="allow"` lets it work.
    `streams`: the server may announce messages. `translated`: the browser translates each text, also before React takes
    over the prerendered HTML, which then differs: React says so, and renders it.
    """
    defaults: dict[str, Any] = {
        "viewport": {"width": 1280, "height": 800},
        "reduced_motion": "reduce",
        "service_workers": "block",
    }
    context = await browser.new_context(**defaults | options)
    context.set_default_timeout(BROWSER_TIMEOUT_MS)
    context.set_default_navigation_timeout(BROWSER_TIMEOUT_MS)
    await context.add_init_script(RECORD_TOASTS)
    if not streams:
        await context.add_init_script(NO_STREAMS)
    if translated:
        await context.add_init_script(TRANSLATE)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on("console", lambda texts: errors.append(texts.text) if "Content Security" in texts.text else None)
    try:
        yield await context.new_page()
    finally:
        await context.close()
    assert [error for error in errors if not (translated and HYDRATION_DIFFERS in error)] == []


async def expect_text(locator: Locator, text: str) -> None:
    """Expect the visible text of `locator` to be exactly `text`."""
    await expect(locator.filter(visible=True)).to_have_text(text, timeout=BROWSER_TIMEOUT_MS)


async def expect_toast(page: Page, text: str) -> None:
    """Expect a toast with exactly this text. It may be gone afterwards."""
    await page.wait_for_function(TAKE_TOAST, arg=text, timeout=BROWSER_TIMEOUT_MS)


async def expect_url(page: Page, url: str) -> None:
    """Expect exactly this URL."""
    await expect(page).to_have_url(url, timeout=BROWSER_TIMEOUT_MS)


async def assert_accessible(
    page: Page, widths: Iterable[int] = (), *, selector: str | None = None, iframes: bool = True
) -> None:
    """Assert that the page has no horizontal scroll at each width, and that axe finds no violation at the last one.

    Without widths, the current one counts. The page is not loaded again. `selector` limits axe to one element; without
    `iframes`, it skips frames. test_screens.py looks at the screens; this is for dialogs and for what they don't show.
    """
    if selector is None:
        await expect(page.locator("h1").first).to_be_attached(timeout=BROWSER_TIMEOUT_MS)  # the page has loaded
    for width in tuple(widths) or (None,):
        if width is not None:
            await set_width(page, width)
        assert await excess_width(page) == 0, (page.url, width)
    found = await axe_violations(page, selector, iframes=iframes)
    assert found == [], (page.url, found)


async def focus_by_tab(page: Page, target: Locator) -> None:
    """Focus the element, and assert that Tab leads to it from the one before: the keyboard reaches it.

    A button may be disabled until the page knows all that it needs; it takes no focus before.
    """
    await expect(target).to_be_enabled()
    await target.focus()
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Tab")
    await expect(target).to_be_focused()


async def press(target: Locator, key: str = "Enter") -> None:
    """Press a key on a button or a choice once it is enabled. Playwright presses it on a disabled one, too."""
    await expect(target).to_be_enabled()
    await target.press(key)


async def submit_login(page: Page, email: str, password: str = PASSWORD) -> None:
    """Fill in the login page and press Sign In. To someone who keeps a time, it offers a code first."""
    instead = page.get_by_role("button", name="Use a password instead")
    password_field = page.get_by_label("Password", exact=True)
    await expect(instead.or_(password_field)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    if await instead.is_visible():
        await instead.click()
    await page.get_by_label("Email", exact=True).fill(email)
    await password_field.fill(password)
    await page.get_by_role("main").get_by_role("button", name="Sign In", exact=True).click()


async def sign_in(page: Page, main_origin: str, email: str, password: str = PASSWORD) -> None:
    """Sign in without a form: at the Auth emulator and with the session endpoint. Leaves the page without content."""
    # A small document, from which the browser may call both. It has no Content-Security-Policy and no scripts.
    await page.goto(f"{main_origin}/robots.txt")
    await page.evaluate(SIGN_IN, [email, password])


async def sign_in_with_form(page: Page, main_origin: str, email: str, password: str = PASSWORD) -> None:
    """Sign in on the login page and wait for the dashboard."""
    await page.goto(f"{main_origin}/login")
    await submit_login(page, email, password)
    await expect_url(page, f"{main_origin}/dashboard")


async def sign_in_as_staff(page: Page, main_origin: str, key: str) -> None:
    """Sign in to the admin console without a form. Leaves the page without content."""
    await page.goto(f"{main_origin}/robots.txt")
    await page.evaluate(POST_JSON, ["/api/admin/login", {"key": key}])


async def sign_out(page: Page) -> None:
    """Sign out with the user menu."""
    await page.get_by_role("button", name=re.compile("^Account menu for ")).click()
    await page.get_by_role("menuitem", name="Sign Out", exact=True).click()
    await expect_toast(page, "Signed out successfully")


def wait_for_email(product: Mapping[str, Any], recipient: str, subject: str) -> str:
    """Wait for the email with this subject in the demo's mailbox and return its plain text."""
    texts: list[str] = []

    def is_received() -> bool:
        with psycopg.connect(product["overseer_url"]) as conn:
            rows = conn.execute(
                "SELECT plain FROM dev_mailbox WHERE recipient = %s AND subject = %s", [recipient, subject]
            ).fetchall()
        texts[:] = [row[0] for row in rows]
        return bool(texts)

    eventually(f"{subject!r} reaches the mailbox", is_received)
    assert len(texts) == 1
    return texts[0]


def extract_link(text: str) -> str:
    """Return the only URL in an email's plain text, beside that of the settings of emails."""
    (url,) = re.findall(r"https://(?!\S+/email-settings/)\S+", text)
    return str(url)
