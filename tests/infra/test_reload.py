"""Reloads of Caddy's configuration under load."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.product import eventually
from tests.infra.deployment import BASE, Deployment, send_request

pytestmark = pytest.mark.tls

LABELS = ("cooking", "music", "tech", "garden", "photo", "spanish")


# Linux resets pending connections of a closed listening socket unless net.ipv4.tcp_migrate_req is set, as in
# infra/compose.yaml.
TCP_MIGRATE = Path("/proc/sys/net/ipv4/tcp_migrate_req")


class Load:
    """Visitors who request page after page on keep-alive connections, as browsers do."""

    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.stop = threading.Event()
        self.reloads = 0
        self.statuses: list[int] = []
        self.errors: list[str] = []
        self.retries = 0
        self.early_resets = 0

    def visit(self, label: str) -> None:
        """Run one visitor. Any exception counts as an error.

        A stopping HTTP/1.1 server closes connections between requests, and clients then retry (RFC 9112, 9.3.1). A
        reload may close the connection in use and a new one that the old server still accepted. A third closed
        connection is an error.
        """
        closed: Counter[int] = Counter()
        try:
            while not self.stop.is_set():
                try:
                    self._read_pages(label)
                except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                    closed[self.reloads] += 1
                    if closed[self.reloads] > 2:
                        raise
                    self.retries += 1
        except Exception as error:
            self.errors.append(repr(error))

    def _read_pages(self, label: str) -> None:
        host = f"{label}.{BASE}:{self.deployment.caddy.https_port}"
        with contextlib.ExitStack() as stack:
            try:
                connection = stack.enter_context(self.deployment.caddy.connected(f"{label}.{BASE}"))
            except ConnectionResetError:
                self.early_resets += 1
                raise
            for _ in range(50):
                response = send_request(connection, "/services", host=host)
                self.statuses.append(response.status)
                if f'"subdomain":"{label}"'.encode() not in response.body:
                    self.errors.append("another guru's page")
                if response.headers.get("connection") == "close" or self.stop.is_set():
                    return


def reload_under_load(deployment: Deployment, reloads: int) -> None:
    load = Load(deployment)
    began = time.monotonic()
    threads = [threading.Thread(target=load.visit, args=(label,)) for label in LABELS]
    for thread in threads:
        thread.start()
    try:
        for _ in range(reloads):
            served = len(load.statuses)
            load.reloads += 1
            deployment.caddy.reload()
            eventually("visitors continue to read", lambda: len(load.statuses) >= served + 50 or bool(load.errors))  # noqa: B023
    finally:
        load.stop.set()
        for thread in threads:
            thread.join()
    print(
        f"\n{len(load.statuses)} requests, {reloads} reloads in {time.monotonic() - began:.1f} s:"
        f" {len(load.errors)} dropped, {load.retries} met a closing connection and were sent again,"
        f" {load.early_resets} of them before they were taken on"
    )
    assert load.errors == []
    assert set(load.statuses) == {200}
    if TCP_MIGRATE.exists() and TCP_MIGRATE.read_text().strip() == "1":
        assert load.early_resets == 0


@pytest.mark.drill
def test_caddy_reload_under_load_drops_no_request(deployment: Deployment) -> None:
    reload_under_load(deployment, 3)


FETCH_LOOP = """
async () => {
    window.answers = 0; window.resent = 0; window.faults = []; window.over = false; window.reloads = 0;
    // A connection the old configuration closes may take a request with it: twice for each reload, as over 1.1.
    // A request without a response after a minute is an error: browsers would wait forever.
    const read = async () => {
        const closed = {};
        while (!window.over) {
            try {
                const answer = await fetch("/services", {cache: "no-store", signal: AbortSignal.timeout(60000)});
                const text = await answer.text();
                if (answer.status !== 200 || !text.includes("Chef")) window.faults.push(`status ${answer.status}`);
                window.answers += 1;
            } catch (fault) {
                if (fault.name === "TimeoutError") window.faults.push(String(fault));
                closed[window.reloads] = (closed[window.reloads] ?? 0) + 1;
                if (closed[window.reloads] > 2) window.faults.push(String(fault));
                window.resent += 1;
            }
        }
    };
    window.readers = Promise.all(Array.from({length: 8}, read));
}
"""


@pytest.mark.drill
async def test_caddy_reload_is_invisible_to_browser(deployment: Deployment, browser: Browser) -> None:
    """No request over HTTP/2 fails after a retry.

    Browsers retry a request on a reused connection that was closed. They do not retry on a new connection, which the
    old server may accept and close before its first request (about once in 30 reloads on an overloaded machine), so
    the page retries then and counts it.

    The browser trusts the certificate by a flag, not by Playwright's `ignore_https_errors`: Chromium never retries a
    request after an ignored certificate error.
    """
    async with await browser.new_context() as context:
        context.set_default_timeout(BROWSER_TIMEOUT_MS)
        context.set_default_navigation_timeout(BROWSER_TIMEOUT_MS)
        page = await context.new_page()
        await page.goto(f"https://cooking.{BASE}:{deployment.caddy.https_port}/services")
        await page.evaluate(FETCH_LOOP)
        for _ in range(5):
            served = await page.evaluate("window.reloads += 1; window.answers")
            await asyncio.to_thread(deployment.caddy.reload)
            await page.wait_for_function("served => window.answers >= served + 40", arg=served)
        await page.evaluate("window.over = true; window.readers")
        statuses, retries, errors = await page.evaluate("[window.answers, window.resent, window.faults]")
        protocol = await page.evaluate("performance.getEntriesByType('resource').at(-1).nextHopProtocol")
    print(f"\n{statuses} requests of a browser over {protocol}, 5 reloads: {retries} sent again, {len(errors)} failed")
    assert (protocol, errors) == ("h2", [])


@pytest.mark.drill
def test_many_caddy_reloads_drop_no_request(deployment: Deployment) -> None:
    reload_under_load(deployment, 40)
