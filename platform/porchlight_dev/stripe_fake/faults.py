"""Faults that the control API adds: what goes wrong with the next calls of an operation.

| action | the call | the answer |
|---|---|---|
| drop_before | is not executed | connection cut, no byte sent |
| drop_after_commit | is executed | connection cut, no byte sent |
| close | is executed | connection cut in the middle of the body |
| status:N | is not executed | status N; a 500 is saved under the key and replayed |
| status_after_commit:N | is executed | status N, saved under the key |
| refuse:CODE | is not executed | 400 with an error code, saved under the key |
| delay:N | is executed after N seconds, and the key is in use meanwhile | as usual |
| hang:N | is executed at once | as usual, N seconds late |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.store import Json, Store

CUTS = ("drop_before", "drop_after_commit", "close")
WITH_VALUE = ("status", "status_after_commit", "refuse", "delay", "hang")
ERROR_KINDS = {401: "authentication_error", 402: "card_error", 409: "idempotency_error", 429: "rate_limit_error"}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: its action and the value after the colon."""

    action: str
    value: str = ""

    @property
    def executes(self) -> bool:
        """Return whether the call is executed."""
        return self.action not in ("drop_before", "status", "refuse")

    @property
    def cuts(self) -> bool:
        """Return whether the connection is cut."""
        return self.action in CUTS

    def error(self) -> StripeRefusal | None:
        """Return the error to answer with, if any."""
        if self.action == "refuse":
            return StripeRefusal(f"The fake Stripe was asked to refuse this call: {self.value}.", code=self.value)
        if self.action in ("status", "status_after_commit"):
            status = int(self.value)
            kind = ERROR_KINDS.get(status, "api_error" if status >= 500 else "invalid_request_error")
            code = {429: "rate_limit", 409: "lock_timeout"}.get(status, "")
            return StripeRefusal(f"The fake Stripe was asked to answer {status}.", status=status, kind=kind, code=code)
        return None


def add(store: Store, values: Mapping[str, Any]) -> Json:
    """Add a fault for the next `times` calls that match `METHOD /path`; `*` matches any rest of a path."""
    method, _, path = str(values["match"]).partition(" ")
    action = str(values["do"])
    name, _, value = action.partition(":")
    if name not in CUTS + WITH_VALUE or (name in WITH_VALUE) != bool(value):
        raise StripeRefusal(f"Unknown fault: {action}")
    times = int(values.get("times", 1))
    query = "INSERT INTO faults (method, path, action, remaining) VALUES (?, ?, ?, ?)"
    store.db.execute(query, [method.upper(), path, action, times])
    return {"match": f"{method.upper()} {path}", "do": action, "times": times}


def waiting(store: Store) -> list[Json]:
    """Return the faults that still wait for calls."""
    rows = store.db.execute("SELECT method, path, action, remaining FROM faults WHERE remaining > 0 ORDER BY seq")
    return [{"match": f"{method} {path}", "do": action, "times": left} for method, path, action, left in rows]


def clear(store: Store) -> None:
    """Remove all faults."""
    store.db.execute("DELETE FROM faults")


def take(store: Store, method: str, path: str) -> Fault | None:
    """Return the first fault for a call and count it down, or None."""
    query = (
        "SELECT seq, action FROM faults WHERE remaining > 0 AND method IN (?, '*')"
        " AND (path = ? OR ? GLOB path) ORDER BY seq LIMIT 1"
    )
    row = store.db.execute(query, [method, path, path]).fetchone()
    if row is None:
        return None
    seq, action = row
    store.db.execute("UPDATE faults SET remaining = remaining - 1 WHERE seq = ?", [seq])
    name, _, value = action.partition(":")
    return Fault(name, value)
