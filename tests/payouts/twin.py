"""The local Stripe for tests: a process that can be killed, a door its events arrive at, a person at its pages."""

from __future__ import annotations

import json
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from tests.support.ports import free_ports

SECRET_KEY = "sk_test_local"
WEBHOOK_SECRET = "whsec_local"
PERSON = {
    "individual.first_name": "Ada",
    "individual.last_name": "Alvarez",
    "dob": "1984-02-29",
    "individual.email": "ada@example.com",
    "individual.phone": "303 555 0100",
}
HOME = {
    "individual.address.line1": "12 Porch Street",
    "individual.address.city": "Denver",
    "individual.address.state": "CO",
    "individual.address.postal_code": "80202",
    "individual.ssn_last_4": "4242",
}
BANK = {"routing": "110000000", "external_account": "000123456789"}


@dataclass(frozen=True)
class Delivery:
    """An event as it arrived: its raw body and its signature."""

    body: bytes
    signature: str


class Twin:
    """The process, and the door."""

    def __init__(self, folder: Path) -> None:
        port, door = free_ports(2), 0
        door = port + 1
        self._folder = folder
        self._port = port
        self.url = f"http://127.0.0.1:{port}"
        self._deliveries: dict[str, queue.Queue[Delivery]] = {}  # by account: those of others come when they come
        self._refusals: dict[str, int] = {}
        twin = self

        class Door(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                account = json.loads(body)["account"]
                left = twin._refusals.get(account, 0)
                twin._refusals[account] = max(0, left - 1)
                twin._of(account).put(Delivery(body, self.headers["stripe-signature"]))
                self.send_response(500 if left else 200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._door = ThreadingHTTPServer(("127.0.0.1", door), Door)
        self._thread = threading.Thread(target=self._door.serve_forever, daemon=True)
        self._argv = [
            sys.executable, "-m", "porchlight.local.stripe", f"--port={port}", f"--state={folder}",
            f"--webhook-url=http://127.0.0.1:{door}/", "--webhook-host=porchlight.localhost",
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Twin:
        self._thread.start()
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop(signal.SIGTERM)
        self._door.shutdown()
        self._thread.join()
        self._door.server_close()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        secrets = {"STRIPE_SECRET_KEY": SECRET_KEY, "STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET}
        self._process = subprocess.Popen(self._argv, env=secrets)
        deadline = time.monotonic() + 240
        while True:
            try:
                httpx.get(self.url, timeout=2, trust_env=False)
                return
            except httpx.TransportError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, how: signal.Signals) -> None:
        """End it."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def _of(self, account: str) -> queue.Queue[Delivery]:
        return self._deliveries.setdefault(account, queue.Queue())

    def next(self, account: str) -> Delivery:
        """The next event about an account that arrives."""
        return self._of(account).get(timeout=60)

    def refuse(self, account: str, times: int) -> None:
        """Have the door answer the next events about an account with 500."""
        self._refusals[account] = times

    def call(self, method: str, path: str) -> httpx.Response:
        """A call of its API that the product does not make."""
        headers = {"authorization": f"Bearer {SECRET_KEY}"}
        return httpx.request(method, self.url + path, headers=headers, timeout=60, trust_env=False)


class Browser:
    """A person at the hosted pages."""

    def __init__(self) -> None:
        self._client = httpx.Client(trust_env=False, timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
        self.response: httpx.Response

    def open(self, url: str) -> str:
        """Open a page, following where it leads on the same host; where that is."""
        self.response = self._client.get(url)
        return self._follow()

    def fill(self, **fields: Any) -> str:
        """Send the form of the present page; where that leads."""
        self.response = self._client.post(self.response.url, data=fields)
        return self._follow()

    def _follow(self) -> str:
        while self.response.is_redirect:
            to = self.response.url.join(self.response.headers["location"])
            if to.host != "127.0.0.1":
                return str(to)
            self.response = self._client.get(to)
        return str(self.response.url)

    def heading(self) -> str:
        """The heading of the present page."""
        found = re.search("<h1>(.*?)</h1>", self.response.text)
        return found[1] if found else ""

    def whole_way(self, url: str, **changes: str) -> str:
        """Go through onboarding to its end; where it leads back to."""
        self.open(url)
        for page in (PERSON, HOME, BANK, {}):
            last = self.fill(**{name: changes.get(name, value) for name, value in page.items()})
        return last
