"""Visitors who send leads. Each lead has an idempotency key and is retried until it is acknowledged."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from collections import Counter

from tests.porchlight.app_client import BASE_HOST, USER_AGENT
from tests.porchlight.server import ServerProcess

ACKNOWLEDGED = (200, 201)


def post_lead(server: ServerProcess, label: str, key: str, *, timeout: float = 10) -> int:
    """Send a lead once. Return the status, or 0 without a response."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout)
    lead = {"name": "Ada", "email": "ada@example.com", "message": f"About {key}", "consent": True}
    headers = {
        "Host": f"{label}.{BASE_HOST}", "Content-Type": "application/json", "Idempotency-Key": key,
        "User-Agent": USER_AGENT,
    }  # fmt: skip
    try:
        connection.request("POST", f"/api/gurus/{label}/leads", json.dumps(lead), headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


class LeadSenders:
    """Threads that send leads until stopped. `acknowledged` maps the keys of accepted leads to their guru's label."""

    def __init__(self, server: ServerProcess, labels: list[str], count: int) -> None:
        self._server = server
        self._labels = labels
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.acknowledged: dict[str, str] = {}
        self.statuses: Counter[int] = Counter()
        self.last_success = 0.0
        self._threads = [threading.Thread(target=self._send_leads, args=(number,)) for number in range(count)]

    def __enter__(self) -> LeadSenders:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _send_leads(self, number: int) -> None:
        label = self._labels[number % len(self._labels)]
        while not self._stop.is_set():
            key = uuid.uuid4().hex
            while True:
                status = post_lead(self._server, label, key)
                with self._lock:
                    self.statuses[status] += 1
                    if status in ACKNOWLEDGED:
                        self.acknowledged[key] = label
                        self.last_success = time.monotonic()
                if status in ACKNOWLEDGED:
                    break
                if self._stop.wait(0.05):
                    return  # not acknowledged: it may be stored or not
