"""The last answers of a neighbor's sessions in the browser: without a connection, with a server that is down."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import assert_accessible, sign_in, sign_out, visitor_page
from tests.e2e.own_gurus import new_guru
from tests.e2e.test_own_sessions import BOOK, SERVICE
from tests.fixtures.browser import BROWSER_TIMEOUT_MS

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

OFFLINE = "You're offline. Pages you've visited still work. Changes will load when you're back online. As of "
DOWN = "Porchlight isn't answering right now. As of "
# The keys of what the browser keeps. The database is gone after a sign-out.
KEPT = """async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === "porchlight")) return [];
  const request = (made) => new Promise((resolve) => (made.onsuccess = () => resolve(made.result)));
  const database = await request(indexedDB.open("porchlight", 1));
  const keys = await request(database.transaction("kept").objectStore("kept").getAllKeys());
  database.close();
  return keys.filter((key) => key.startsWith("answers/"));
}"""


async def _expect_last_answers(page: Page, origin: str, session: str, banner: str) -> None:
    """Expect the dashboard, the sessions and one session, each with one banner and without errors."""
    for path in ("/dashboard", "/sessions", session):
        await page.goto(f"{origin}{path}")
        await expect(page.get_by_text(SERVICE).first).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(page.get_by_text(banner)).to_have_count(1)
        await expect(page.locator("main [aria-busy=true]")).to_have_count(0)
        await expect(page.get_by_role("alert")).to_have_count(0)
    await assert_accessible(page, (360, 1280))


async def test_sessions_show_last_answers_until_sign_out(
    demo: dict[str, Any], browser: Browser, main_origin: str, user: str
) -> None:
    async with visitor_page(browser, service_workers="allow") as page:
        await sign_in(page, main_origin, user)
        booked = await page.evaluate(BOOK, [new_guru(demo, "offline-sessions", like="music").label])
        session = f"/sessions/{booked['id']}"
        await page.goto(f"{main_origin}/dashboard")
        await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        for path in ("/dashboard", "/sessions", session):  # through the service worker, which keeps their files
            await page.goto(f"{main_origin}{path}", wait_until="networkidle")
            await expect(page.get_by_text(SERVICE).first).to_be_visible()
        await expect(page.get_by_text("As of")).to_have_count(0)

        await page.context.set_offline(True)
        await _expect_last_answers(page, main_origin, session, OFFLINE)
        await page.context.set_offline(False)
        await expect(page.get_by_text("As of")).to_have_count(0, timeout=BROWSER_TIMEOUT_MS)

        await page.route("**/api/**", lambda route: route.fulfill(status=503, body=""))
        await _expect_last_answers(page, main_origin, session, DOWN)
        await page.unroute_all()
        await page.get_by_role("button", name="Try again").click()
        await expect(page.get_by_text("As of")).to_have_count(0, timeout=BROWSER_TIMEOUT_MS)

        assert await page.evaluate(KEPT) != []
        await sign_out(page)
        assert await page.evaluate(KEPT) == []
