"""What the journeys share: a first-time visitor's page, toasts, signing in and the mail that arrives."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from playwright.async_api import Browser, Locator, Page, expect

from tests.support.browser import PATIENCE
from tests.support.identity import PASSWORD
from tests.support.product import eventually

# Toasts stay for four seconds; on a busy machine nobody may look so soon. The page itself writes down what they say.
TOASTS = """
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

# The same words once more are the same toast, as long as it is there.
TOASTED = """
words => {
    const there = [...document.querySelectorAll("ol > li *")].some((part) => part.textContent.trim() === words);
    const at = window.toasts.indexOf(words);
    if (at >= 0) window.toasts.splice(at, 1);
    return there || at >= 0;
}
"""


@asynccontextmanager
async def visitor(browser: Browser, **options: Any) -> AsyncIterator[Page]:
    """A fresh context's page. The run fails when a script of it threw, or the content policy refused anything.

    Nothing moves: what is looked at halfway, by axe for one, would be judged as if it stayed so.
    """
    ordinary: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
    context = await browser.new_context(**ordinary | options)
    context.set_default_timeout(PATIENCE)
    context.set_default_navigation_timeout(PATIENCE)
    await context.add_init_script(TOASTS)
    faults: list[str] = []
    context.on("weberror", lambda fault: faults.append(str(fault.error)))
    context.on("console", lambda said: faults.append(said.text) if "Content Security" in said.text else None)
    try:
        yield await context.new_page()
    finally:
        await context.close()
    assert faults == []


async def shows(place: Locator, words: str) -> None:
    """`place` says exactly these words."""
    await expect(place.filter(visible=True)).to_have_text(words, timeout=PATIENCE)


async def toasted(page: Page, words: str) -> None:
    """A toast with exactly these words comes up. It may be gone a moment later."""
    await page.wait_for_function(TOASTED, arg=words, timeout=PATIENCE)


async def arrived(page: Page, address: str) -> None:
    """The browser is at exactly this address."""
    await expect(page).to_have_url(address, timeout=PATIENCE)


async def give_credentials(page: Page, email: str, password: str = PASSWORD) -> None:
    """Fill in the login page and press Sign In."""
    await page.get_by_label("Email", exact=True).fill(email)
    await page.get_by_label("Password", exact=True).fill(password)
    await page.get_by_role("main").get_by_role("button", name="Sign In", exact=True).click()


async def sign_in(page: Page, main_origin: str, email: str) -> None:
    """Sign in from the login page, up to the dashboard."""
    await page.goto(f"{main_origin}/login")
    await give_credentials(page, email)
    await arrived(page, f"{main_origin}/dashboard")


async def sign_out(page: Page) -> None:
    """Sign out by the user menu."""
    await page.get_by_role("button", name=re.compile("^Account menu for ")).click()
    await page.get_by_role("menuitem", name="Sign Out", exact=True).click()
    await toasted(page, "Signed out successfully")


def mail_to(product: Mapping[str, Any], recipient: str, subject: str) -> str:
    """The plain text of the one mail with this subject in the demo's mailbox; waits for it."""
    found: list[str] = []

    def there() -> bool:
        with psycopg.connect(product["overseer_url"]) as conn:
            rows = conn.execute(
                "SELECT plain FROM mailbox WHERE recipient = %s AND subject = %s", [recipient, subject]
            ).fetchall()
        found[:] = [row[0] for row in rows]
        return bool(found)

    eventually(f"{subject!r} reaches the mailbox", there)
    assert len(found) == 1
    return found[0]


def link_in(mail: str) -> str:
    """The one address in a mail's plain text."""
    (address,) = re.findall(r"https://\S+", mail)
    return str(address)
