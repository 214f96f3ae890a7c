"""Answers a write with an error, with nothing, and late, and checks what the page does."""

from __future__ import annotations

import asyncio
import re
from collections import Counter

from playwright.async_api import Page, Route, expect

from tests.e2e.failing_writes.steps import Write
from tests.fixtures.page_observer import IS_HYDRATED

# No page may show the text of a server error's body.
_BODY = {"success": False, "error": {"code": "boiler_burst", "message": "The boiler burst."}}
_VALUES = """
() => [...document.querySelectorAll("input:not([type=file]), textarea, select")]
  .map((field) => (/checkbox|radio/.test(field.type) ? `${field.value}: ${field.checked}` : field.value))
  .filter((value) => value !== "")
"""
# A toast that is still visible is not repeated.
_SAYS = """
words => {
    const isSeen = (part) => part.checkVisibility() && part.textContent.includes(words);
    const alerts = [...document.querySelectorAll("[role=alert], [role=status], [aria-live], ol > li")];
    return alerts.some(isSeen) || window.toasts.some((text) => text.includes(words));
}
"""
# Some stay in the order of focus while they are busy.
_IS_BUSY = "button => button.matches(':disabled, [aria-busy=true], [aria-disabled=true]')"


class Catcher:
    """Answers the requests of one write; they never reach the server."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._release = asyncio.Event()
        self._caught = asyncio.Event()
        self.mode = ""
        self.count = 0

    async def start(self, page: Page) -> None:
        """Catch the write's requests from now on."""
        path = re.compile(rf"/api{self._write.route}(\?.*)?$")
        await page.route(path, self._answer)

    async def _answer(self, route: Route) -> None:
        if route.request.method != self._write.method:
            await route.fallback()
            return
        self.count += 1
        self._caught.set()
        if self.mode == "held":
            await self._release.wait()
        if self.mode == "aborted":
            await route.abort("internetdisconnected")
        else:
            await route.fulfill(status=500, json=_BODY)

    def expect(self, mode: str) -> None:
        """Answer the next request in this way."""
        self.mode, self.count = mode, 0
        self._caught.clear()
        self._release.clear()

    async def wait(self) -> None:
        """Wait for a request."""
        await asyncio.wait_for(self._caught.wait(), 20)

    def release(self) -> None:
        """Answer the held request."""
        self._release.set()


async def _expect_failure(page: Page, write: Write, text: str, values: Counter[str]) -> None:
    """Expect the text, the kept input and a button that can be pressed again."""
    button = write.button(page)
    await expect(button).to_be_visible()
    await expect(button).to_be_enabled()
    await expect(button).not_to_have_attribute("aria-busy", "true")
    await page.wait_for_function(_SAYS, arg=text)
    await expect(page.get_by_text("The boiler burst.")).to_have_count(0)
    # More fields may have loaded meanwhile.
    assert values - Counter(await page.evaluate(_VALUES)) == Counter()


async def check_write(page: Page, write: Write, address: str) -> None:
    """Check the write in the three cases, one after another on the same page."""
    page.set_default_timeout(20_000)
    catcher = Catcher(write)
    await catcher.start(page)
    await page.goto(address)
    for step in write.steps:
        await step(page)
    button = write.button(page)
    await expect(button).to_be_enabled()
    if write.viewer == "guest":
        # Guru sites work without scripts: an earlier press would send the form instead of the request.
        await page.wait_for_function(IS_HYDRATED)
    values = Counter(await page.evaluate(_VALUES))
    for mode, text in (("answered", write.on_server_error), ("aborted", write.on_network_error)):
        await page.evaluate("window.toasts.length = 0")
        catcher.expect(mode)
        await button.click()
        await catcher.wait()
        await _expect_failure(page, write, text, values)
        assert catcher.count == 1, mode
    catcher.expect("held")
    await page.evaluate("window.toasts.length = 0")
    held = await button.element_handle()  # before the press: its name may change while it is busy
    await button.click()
    await catcher.wait()
    # A second press, also in the moment before the button is drawn as busy.
    await page.wait_for_function(_IS_BUSY, arg=held)
    await held.evaluate("button => button.click()")
    catcher.release()
    await _expect_failure(page, write, write.on_server_error, values)
    assert catcher.count == 1, "a second press sent a second request"
