"""People who leave leads and do not give up: each lead has a key, and is sent again until it is acknowledged."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from collections import Counter

from tests.platform_.server import Serving
from tests.platform_.world import BASE, BROWSER

ACKNOWLEDGED = (200, 201)


def leave(server: Serving, label: str, key: str, *, timeout: float = 10) -> int:
    """Send one lead once: the status, or 0 when there was no answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout)
    lead = {"name": "Ada", "email": "ada@example.com", "message": f"About {key}", "consent": True}
    headers = {
        "Host": f"{label}.{BASE}", "Content-Type": "application/json", "Idempotency-Key": key, "User-Agent": BROWSER,
    }  # fmt: skip
    try:
        connection.request("POST", f"/api/gurus/{label}/leads", json.dumps(lead), headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


class Crowd:
    """Several people at once, until told to stop. `acknowledged` are the keys they were thanked for."""

    def __init__(self, server: Serving, labels: list[str], people: int) -> None:
        self._server = server
        self._labels = labels
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.acknowledged: dict[str, str] = {}
        self.statuses: Counter[int] = Counter()
        self.last_success = 0.0
        self._threads = [threading.Thread(target=self._person, args=(number,)) for number in range(people)]

    def __enter__(self) -> Crowd:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _person(self, number: int) -> None:
        label = self._labels[number % len(self._labels)]
        while not self._stop.is_set():
            key = uuid.uuid4().hex
            while True:
                status = leave(self._server, label, key)
                with self._lock:
                    self.statuses[status] += 1
                    if status in ACKNOWLEDGED:
                        self.acknowledged[key] = label
                        self.last_success = time.monotonic()
                if status in ACKNOWLEDGED:
                    break
                if self._stop.wait(0.05):
                    return  # never thanked: it may be there or not
