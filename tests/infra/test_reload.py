"""A new configuration under load: nobody notices."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests.infra.house import BASE, House, ask
from tests.support.browser import ARGUMENTS, PATIENCE, TRUSTING
from tests.support.product import eventually

pytestmark = pytest.mark.tls

LABELS = ("cooking", "music", "tech", "garden", "photo", "spanish")


# Linux resets what waits on a listening socket that is closed, unless it is told to hand it to the one beside it
# (net.ipv4.tcp_migrate_req, as infra/compose.yaml tells it).
MIGRATED = Path("/proc/sys/net/ipv4/tcp_migrate_req")


class Load:
    """Visitors who read one page after another, on connections that are kept as browsers keep them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.over = threading.Event()
        self.reloads = 0
        self.answers: list[int] = []
        self.faults: list[str] = []
        self.sent_again = 0
        self.reset_unheard = 0

    def visit(self, label: str) -> None:
        """One visitor's whole visit; whatever goes wrong is a fault.

        An HTTP/1.1 server that stops closes connections between requests; a request that meets this gets no byte of an
        answer, and clients send it again (RFC 9112, 9.3.1). A reload may close the connection in use and the fresh one
        that its outgoing server still took on: what is closed a third time is dropped.
        """
        closed: Counter[int] = Counter()
        try:
            while not self.over.is_set():
                try:
                    self._connection(label)
                except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                    closed[self.reloads] += 1
                    if closed[self.reloads] > 2:
                        raise
                    self.sent_again += 1
        except Exception as fault:
            self.faults.append(repr(fault))

    def _connection(self, label: str) -> None:
        host = f"{label}.{BASE}:{self.house.caddy.https_port}"
        with contextlib.ExitStack() as stack:
            try:
                connection = stack.enter_context(self.house.caddy.connected(f"{label}.{BASE}"))
            except ConnectionResetError:
                self.reset_unheard += 1
                raise
            for _ in range(50):
                answer = ask(connection, "/services", host=host)
                self.answers.append(answer.status)
                if f'"subdomain":"{label}"'.encode() not in answer.body:
                    self.faults.append("another guru's page")
                if answer.headers.get("connection") == "close" or self.over.is_set():
                    return


def judge(house: House, reloads: int) -> None:
    load = Load(house)
    began = time.monotonic()
    visitors = [threading.Thread(target=load.visit, args=(label,)) for label in LABELS]
    for visitor in visitors:
        visitor.start()
    try:
        for _ in range(reloads):
            served = len(load.answers)
            load.reloads += 1
            house.caddy.reload()
            eventually("they go on reading", lambda: len(load.answers) >= served + 50 or bool(load.faults))  # noqa: B023
    finally:
        load.over.set()
        for visitor in visitors:
            visitor.join()
    print(
        f"\n{len(load.answers)} requests, {reloads} reloads in {time.monotonic() - began:.1f} s:"
        f" {len(load.faults)} dropped, {load.sent_again} met a closing connection and were sent again,"
        f" {load.reset_unheard} of them before they were taken on"
    )
    assert load.faults == []
    assert set(load.answers) == {200}
    if MIGRATED.exists() and MIGRATED.read_text().strip() == "1":
        assert load.reset_unheard == 0


def test_a_reload_under_load_drops_nothing(house: House) -> None:
    judge(house, 3)


FETCHING = """
async () => {
    window.answers = 0; window.resent = 0; window.faults = []; window.over = false; window.reloads = 0;
    // A connection the old configuration closes may take a request with it: twice for each reload, as over 1.1.
    const read = async () => {
        const closed = {};
        while (!window.over) {
            try {
                const answer = await fetch("/services", {cache: "no-store"});
                const text = await answer.text();
                if (answer.status !== 200 || !text.includes("Chef")) window.faults.push(`status ${answer.status}`);
                window.answers += 1;
            } catch (fault) {
                closed[window.reloads] = (closed[window.reloads] ?? 0) + 1;
                if (closed[window.reloads] > 2) window.faults.push(String(fault));
                window.resent += 1;
            }
        }
    };
    window.readers = Promise.all(Array.from({length: 8}, read));
}
"""


async def test_a_browser_notices_no_reload(house: House, chromium_path: Path) -> None:
    """Over HTTP/2, as browsers do: not one request fails, or gets another answer, after a resend.

    Browsers send again by themselves what a connection in use took with it. A connection that the outgoing server took
    on in its last moment may be closed before its first request, though, and of a fresh one a browser does not (seen
    about once in 30 reloads of an overloaded machine): that resend is ours, and counted.

    The browser takes our authority's certificates as good by its flag, not by Playwright's `ignore_https_errors`: what
    goes on past a certificate's fault is never sent again, which is no visitor's lot.
    """
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(chromium_path), args=[*ARGUMENTS, TRUSTING])
        page = await browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.set_default_navigation_timeout(PATIENCE)
        await page.goto(f"https://cooking.{BASE}:{house.caddy.https_port}/services")
        await page.evaluate(FETCHING)
        for _ in range(5):
            served = await page.evaluate("window.reloads += 1; window.answers")
            await asyncio.to_thread(house.caddy.reload)
            await page.wait_for_function("served => window.answers >= served + 40", arg=served)
        await page.evaluate("window.over = true; window.readers")
        answers, resent, faults = await page.evaluate("[window.answers, window.resent, window.faults]")
        spoken = await page.evaluate("performance.getEntriesByType('resource').at(-1).nextHopProtocol")
        await browser.close()
    print(f"\n{answers} requests of a browser over {spoken}, 5 reloads: {resent} sent again, {len(faults)} failed")
    assert (spoken, faults) == ("h2", [])


@pytest.mark.drill
def test_many_reloads_under_load_drop_nothing(house: House) -> None:
    judge(house, 40)
