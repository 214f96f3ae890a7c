"""The Stripe fake as a process that tests can kill, a server for its webhooks, and a browser for its pages."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from tenants.kit.clock import OFFSET_VARIABLE
from tests.fixtures.ports import free_ports

SECRET_KEY = "sk_test_local"
WEBHOOK_SECRET = "whsec_local"
CONNECT_WEBHOOK_SECRET = "whsec_connect_local"
PERSONAL_DETAILS = {
    "individual.first_name": "Ada",
    "individual.last_name": "Alvarez",
    "dob": "1984-02-29",
    "individual.email": "ada@example.com",
    "individual.phone": "303 555 0100",
}
ADDRESS = {
    "individual.address.line1": "12 Porch Street",
    "individual.address.city": "Denver",
    "individual.address.state": "CO",
    "individual.address.postal_code": "80202",
    "individual.ssn_last_4": "4242",
}
BANK_ACCOUNT = {"routing": "110000000", "external_account": "000123456789"}


@dataclass(frozen=True)
class WebhookDelivery:
    """A received webhook: its raw body and signature."""

    body: bytes
    signature: str


class StripeFake:
    """The process of the Stripe fake and the server that receives its webhooks."""

    def __init__(self, folder: Path, connect_secret: str = WEBHOOK_SECRET) -> None:
        port, webhook_port = free_ports(2), 0
        webhook_port = port + 1
        self._folder = folder
        self._connect_secret = connect_secret
        self._port = port
        self.url = f"http://127.0.0.1:{port}"
        self._deliveries: dict[str, queue.Queue[WebhookDelivery]] = {}  # by account
        self._failures: dict[str, int] = {}
        self.relay: Callable[[WebhookDelivery], int] | None = None  # passes webhooks on, and returns the status
        stripe_fake = self

        class WebhookHandler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                account = json.loads(body).get("account", "")  # empty for events of the platform
                remaining = stripe_fake._failures.get(account, 0)
                stripe_fake._failures[account] = max(0, remaining - 1)
                delivery = WebhookDelivery(body, self.headers["stripe-signature"])
                stripe_fake._of(account).put(delivery)
                relay = stripe_fake.relay
                self.send_response(relay(delivery) if relay else 500 if remaining else 200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._webhook_server = ThreadingHTTPServer(("127.0.0.1", webhook_port), WebhookHandler)
        self._thread = threading.Thread(target=self._webhook_server.serve_forever, daemon=True)
        self._argv = [
            sys.executable, "-m", "porchlight_dev.stripe_fake", f"--port={port}", f"--state={folder}",
            f"--webhook-url=http://127.0.0.1:{webhook_port}/", "--webhook-host=porchlight.localhost",
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> StripeFake:
        self._thread.start()
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop(signal.SIGTERM)
        self._webhook_server.shutdown()
        self._thread.join()
        self._webhook_server.server_close()

    def start(self) -> None:
        """Start the process and wait until it responds."""
        secrets = {
            "STRIPE_SECRET_KEY": SECRET_KEY,
            "STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
            "STRIPE_CONNECT_WEBHOOK_SECRET": self._connect_secret,
            OFFSET_VARIABLE: os.environ.get(OFFSET_VARIABLE, ""),
        }
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

    def stop(self, signal_number: signal.Signals) -> None:
        """Send a signal to the process and wait until it ends."""
        if self._process is not None:
            self._process.send_signal(signal_number)
            self._process.wait(60)
            self._process = None

    def _of(self, account: str) -> queue.Queue[WebhookDelivery]:
        return self._deliveries.setdefault(account, queue.Queue())

    def next(self, account: str) -> WebhookDelivery:
        """Wait for the next webhook about an account."""
        return self._of(account).get(timeout=60)

    def fail_deliveries(self, account: str, times: int) -> None:
        """Respond 500 to the next webhooks about an account."""
        self._failures[account] = times

    def call(self, method: str, path: str) -> httpx.Response:
        """Call the fake's API directly."""
        headers = {"authorization": f"Bearer {SECRET_KEY}"}
        return httpx.request(method, self.url + path, headers=headers, timeout=60, trust_env=False)


class Browser:
    """A browser on the fake's hosted pages."""

    def __init__(self) -> None:
        self._client = httpx.Client(trust_env=False, timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
        self.response: httpx.Response

    def open(self, url: str) -> str:
        """Open a page, follow redirects on the same host, and return the final URL."""
        self.response = self._client.get(url)
        return self._follow()

    def fill(self, **fields: Any) -> str:
        """Submit the form of the current page and return the final URL."""
        self.response = self._client.post(self.response.url, data=fields)
        return self._follow()

    def _follow(self) -> str:
        while self.response.is_redirect:
            target = self.response.url.join(self.response.headers["location"])
            if target.host != "127.0.0.1":
                return str(target)
            self.response = self._client.get(target)
        return str(self.response.url)

    def heading(self) -> str:
        """Return the heading of the current page."""
        match = re.search("<h1>(.*?)</h1>", self.response.text)
        return match[1] if match else ""

    def complete_onboarding(self, url: str, **changes: str) -> str:
        """Complete the onboarding and return the URL it leads back to."""
        self.open(url)
        for page in (PERSONAL_DETAILS, ADDRESS, BANK_ACCOUNT, {}):
            last = self.fill(**{name: changes.get(name, value) for name, value in page.items()})
        return last
