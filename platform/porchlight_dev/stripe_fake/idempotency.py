"""Idempotency keys, as Stripe treats them.

Facts (https://docs.stripe.com/api/idempotent_requests):
- v1 saves status and body of the first call with a key, whether it succeeds or fails, 500s included.
- Nothing is saved when the parameters fail validation, or when the call conflicts with one that runs: those can be
  repeated. The latter is answered 409 `idempotency_key_in_use`.
- A key with other parameters is refused (400 `idempotency_error`).
- Keys can be pruned once they are 24 hours old; a call with a pruned key is a new one.
- v2 runs a failed call again; only its success is final (https://docs.stripe.com/api-v2-overview, 30 days).
Keys belong to the account for which a call is made: the platform or the one in the Stripe-Account header.
"""

from __future__ import annotations

import hashlib
import json

from porchlight_dev.stripe_fake.clock import DAY, Clock
from porchlight_dev.stripe_fake.errors import ValidationError
from porchlight_dev.stripe_fake.store import Json, Store

V1_KEY_SECONDS = DAY
V2_KEY_SECONDS = 30 * DAY
MAX_KEY = 255


class KeyInUse(ValidationError):
    """A call with the same key still runs."""

    def __init__(self, key: str) -> None:
        message = f"There is currently another in-progress request using this Idempotent Key: {key}."
        super().__init__(message, status=409, code="idempotency_key_in_use", kind="idempotency_error")


class Idempotency:
    """The saved results, by account and key."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._running: set[tuple[str, str]] = set()

    @staticmethod
    def digest(method: str, path: str, body: bytes) -> str:
        """Return what identifies the request of a key."""
        return hashlib.sha256(f"{method} {path}\0".encode() + body).hexdigest()

    def saved(self, account: str, key: str, digest: str, *, v2: bool) -> tuple[int, Json] | None:
        """Return the saved result of a key. Raises KeyInUse, or ValidationError for other parameters."""
        if len(key) > MAX_KEY:
            raise ValidationError("Idempotency keys have at most 255 characters.", kind="idempotency_error")
        if (account, key) in self._running:
            raise KeyInUse(key)
        oldest = self._clock.now() - (V2_KEY_SECONDS if v2 else V1_KEY_SECONDS)
        query = "SELECT request, status, body FROM results WHERE account = ? AND key = ? AND created > ?"
        row = self._store.db.execute(query, [account, key, oldest]).fetchone()
        if row is None:
            return None
        request, status, body = row
        if request != digest:
            message = (
                "Keys for idempotent requests can only be used with the same parameters they were first used with."
                f" Try using a key other than '{key}' if you meant to execute a different request."
            )
            raise ValidationError(message, kind="idempotency_error")
        return int(status), json.loads(body)

    def begin(self, account: str, key: str) -> None:
        """Mark a key as in use until `end`."""
        self._running.add((account, key))

    def end(self, account: str, key: str) -> None:
        """Mark a key as no longer in use."""
        self._running.discard((account, key))

    def save(self, account: str, key: str, digest: str, status: int, body: Json, *, v2: bool) -> None:
        """Save the result of a call that executed."""
        if v2 and status >= 400:
            return
        values = [account, key, digest, status, json.dumps(body), self._clock.now()]
        self._store.db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)", values)
