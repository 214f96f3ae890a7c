"""The reads of the API by a page, which a test lets fail or holds back."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import Literal
from urllib.parse import urlsplit

from playwright.async_api import Error, Page, Request, Route, expect

from tests.fixtures.browser import wait_two_frames

# Of every page: other tests let them fail. A failed ping leads staff to the login (SPEC 8.4).
OF_EVERY_PAGE = re.compile(r"/api/(config|auth/.*|admin/ping)")
# What a page says when something didn't load.
FAILURE = re.compile(
    r"(couldn't|didn't|could not|failed to|unable to) (load|reach|get|verify)|isn't (responding|answering)",
    re.IGNORECASE,
)
BUSY = "main [aria-busy=true], [role=status]:has-text('Loading')"
# Longer than a busy machine needs to draw an answer that has arrived.
DRAW_MS = 15_000

Fate = Literal["answer", "fail", "abort", "hold"]


class ApiReads:
    """The reads of the API by one page, apart from those of every page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._fate: Fate = "answer"
        self._paths: frozenset[str] | None = None
        self._pending: set[Request] = set()
        self._idle = asyncio.Event()
        self._held = asyncio.Event()
        self._released = asyncio.Event()
        self.seen: set[str] = set()

    async def start(self) -> None:
        """Begin to watch the page's requests."""
        self._page.on("request", self._begin)
        self._page.on("requestfinished", self._end)
        self._page.on("requestfailed", self._end)
        await self._page.route(re.compile(r"/api/"), self._answer)

    async def open(self, url: str, fate: Fate = "answer", paths: frozenset[str] | None = None) -> None:
        """Open the page while these reads, or all, have this fate."""
        self._fate, self._paths = fate, paths
        self._released.set()  # what the page before still waits for
        self._held, self._released = asyncio.Event(), asyncio.Event()
        self._pending.clear()
        self.seen.clear()
        await self._page.goto(url, wait_until="commit")
        if fate == "hold":
            await self._held.wait()
        else:
            await self.settle()

    async def release(self) -> None:
        """Answer all reads from now on, also those that were held back."""
        self._fate = "answer"
        self._released.set()

    async def settle(self) -> None:
        """Wait until the page has its h1, and asks for nothing more: neither for data nor for scripts."""
        await expect(self._page.get_by_role("heading", level=1).first).to_be_visible()
        while True:
            await self._idle.wait()
            await wait_two_frames(self._page)
            if not self._pending:
                return

    def _begin(self, request: Request) -> None:
        if request.resource_type in ("fetch", "xhr", "script"):
            self._pending.add(request)
            self._idle.clear()

    def _end(self, request: Request) -> None:
        self._pending.discard(request)
        if not self._pending:
            self._idle.set()

    async def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        is_read = route.request.method == "GET" and route.request.resource_type in ("fetch", "xhr")
        fate: Fate = "answer"
        if is_read and not OF_EVERY_PAGE.fullmatch(path):
            self.seen.add(path)
            if self._paths is None or path in self._paths:
                fate = self._fate
        # The page may be gone by now.
        with contextlib.suppress(Error):
            if fate == "fail":
                await route.fulfill(status=500, json={"success": False, "error": {"code": "x", "message": "No."}})
            elif fate == "abort":
                await route.abort()
            else:
                if fate == "hold":
                    released = self._released
                    self._held.set()
                    await released.wait()
                await route.continue_()
