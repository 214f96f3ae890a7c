"""A new configuration under load: nobody notices."""

from __future__ import annotations

import asyncio
import http.client
import threading
import time
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests.infra.house import BASE, House, ask
from tests.support.browser import ARGUMENTS, TRUSTING
from tests.support.product import eventually

pytestmark = pytest.mark.tls

LABELS = ("cooking", "music", "tech", "garden", "photo", "spanish")


class Load:
    """Visitors who read one page after another, on connections that are kept as browsers keep them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.over = threading.Event()
        self.answers: list[int] = []
        self.faults: list[str] = []
        self.sent_again = 0

    def visit(self, label: str) -> None:
        """One visitor's whole visit; whatever goes wrong is a fault."""
        try:
            while not self.over.is_set():
                self._connection(label, again=False)
        except Exception as fault:
            self.faults.append(repr(fault))

    def _connection(self, label: str, *, again: bool) -> None:
        host = f"{label}.{BASE}:{self.house.caddy.https_port}"
        with self.house.caddy.connected(f"{label}.{BASE}") as connection:
            for number in range(50):
                try:
                    answer = ask(connection, "/services", host=host)
                except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                    # An HTTP/1.1 server that stops closes connections between requests; a request that meets this
                    # gets no byte of an answer, and clients send it again (RFC 9112, 9.3.1). Twice is a drop.
                    if again and number == 0:
                        raise
                    break
                self.answers.append(answer.status)
                if f'"subdomain":"{label}"'.encode() not in answer.body:
                    self.faults.append("another guru's page")
                if answer.headers.get("connection") == "close" or self.over.is_set():
                    return
            else:
                return
        self.sent_again += 1
        self._connection(label, again=True)


def judge(house: House, reloads: int) -> None:
    load = Load(house)
    began = time.monotonic()
    visitors = [threading.Thread(target=load.visit, args=(label,)) for label in LABELS]
    for visitor in visitors:
        visitor.start()
    try:
        for _ in range(reloads):
            served = len(load.answers)
            house.caddy.reload()
            eventually("they go on reading", lambda: len(load.answers) >= served + 50 or bool(load.faults))  # noqa: B023
    finally:
        load.over.set()
        for visitor in visitors:
            visitor.join()
    print(
        f"\n{len(load.answers)} requests, {reloads} reloads in {time.monotonic() - began:.1f} s:"
        f" {len(load.faults)} dropped, {load.sent_again} met a closing connection and were sent again"
    )
    assert load.faults == []
    assert set(load.answers) == {200}


def test_a_reload_under_load_drops_nothing(house: House) -> None:
    judge(house, 3)


FETCHING = """
async () => {
    window.answers = 0; window.resent = 0; window.faults = []; window.over = false;
    // A connection the old configuration closes may take a request with it: it is sent once more, as over 1.1.
    const ask = async () => {
        const answer = await fetch("/services", {cache: "no-store"});
        return [answer.status, await answer.text()];
    };
    const read = async () => {
        while (!window.over) {
            try {
                const [status, text] = await ask().catch(() => { window.resent += 1; return ask(); });
                if (status !== 200 || !text.includes("Chef")) window.faults.push(`status ${status}`);
                window.answers += 1;
            } catch (fault) { window.faults.push(String(fault)); }
        }
    };
    window.readers = Promise.all(Array.from({length: 8}, read));
}
"""


async def test_a_browser_notices_no_reload(house: House, chromium_path: Path) -> None:
    """Over HTTP/2, as browsers do: not one request fails, or gets another answer, after one resend.

    Browsers send again by themselves what a connection in use took with it. A connection that the outgoing server took
    on in its last moment may be closed before its first request, though, and of a fresh one a browser does not (seen
    about once in 30 reloads of an overloaded machine): that one resend is ours, and counted.

    The browser takes our authority's certificates as good by its flag, not by Playwright's `ignore_https_errors`: what
    goes on past a certificate's fault is never sent again, which is no visitor's lot.
    """
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(chromium_path), args=[*ARGUMENTS, TRUSTING])
        page = await browser.new_page()
        await page.goto(f"https://cooking.{BASE}:{house.caddy.https_port}/services")
        await page.evaluate(FETCHING)
        for _ in range(5):
            served = await page.evaluate("window.answers")
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
