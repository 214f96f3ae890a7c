"""A browser page that remembers everything it complained about and asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page

from tests.support.browser import PATIENCE

# Runs before anything of the page: notes when it was first painted and how much it moved.
NOTES = """
window.__notes = { shift: 0, painted: null };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__notes.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) {
    if (name === "first-contentful-paint") window.__notes.painted = startTime;
  }
}).observe({ type: "paint", buffered: true });
"""

# What stands at an address that a guru gave for a picture.
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

# React keeps hidden properties on every element it has taken over, and takes over one piece of the page after another.
# What a guru wrote is HTML inside an element, and stays the browser's.
ALIVE = """
() => {
  const kept = (element, name) => element[Object.keys(element).find((key) => key.startsWith(name))];
  const alive = (element) => {
    if (kept(element, "__reactFiber")) return true;
    const outer = element.parentElement.closest("#__next *");
    return outer !== null && (kept(outer, "__reactProps")?.dangerouslySetInnerHTML || !kept(outer, "__reactFiber"))
      && alive(outer);
  };
  const all = [...document.querySelectorAll("#__next *")];
  return all.length > 0 && all.every(alive);
}
"""


class Watched:
    """A page and its complaints."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", lambda request: self.requests.append(f"{request.method} {request.url}"))

    async def open(self, url: str) -> None:
        """Go there and wait until React has taken over."""
        await self.page.goto(url, wait_until="load")
        await self.page.wait_for_function(ALIVE)
        # Effects run after the take-over; two frames later they have.
        await self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        await self.page.wait_for_load_state("networkidle")

    async def text(self) -> str:
        """The words a person reads."""
        words: str = await self.page.evaluate("() => document.body.innerText")
        return words

    def data_requests(self) -> list[str]:
        """Requests for data: none is needed for what a page shows."""
        return [request for request in self.requests if "/api/" in request or "/_next/data/" in request]


@asynccontextmanager
async def watched(browser: Browser, **options: Any) -> AsyncIterator[Watched]:
    """A fresh context, as a first-time visitor's."""
    context = await browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    context.set_default_navigation_timeout(PATIENCE)
    await context.route(
        "https://pictures.example/**", lambda route: route.fulfill(body=DOT, content_type="image/svg+xml")
    )
    if options.get("java_script_enabled", True):
        await context.add_init_script(NOTES)
    try:
        yield Watched(await context.new_page())
    finally:
        await context.close()
