"""Events: https://docs.stripe.com/api/events. Each is stored with the change that it reports and then delivered.

Events of connected accounts carry `account` and go to the Connect endpoint; all others go to the platform's endpoint.
"""

from __future__ import annotations

import json
import random
import time
from typing import Any

from porchlight_dev.stripe_fake.clock import Clock
from porchlight_dev.stripe_fake.store import Json, Store, new_id

API_VERSION = "2026-10-28.endive"
# Fields that an object has only when a call expands them (https://docs.stripe.com/api/expanding_objects).
INCLUDED = {"checkout.session": ("line_items",), "invoice": ("payments",)}


class Events:
    """The stored events and their deliveries."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.request: Json = {"id": None, "idempotency_key": None}

    def emit(self, kind: str, obj: Json, account: str = "", previous: Json | None = None) -> Json:
        """Store an event about an object and queue its delivery."""
        left_out = INCLUDED.get(obj["object"], ())
        shown = {name: value for name, value in public(obj).items() if name not in left_out}
        data: Json = {"object": shown} | ({"previous_attributes": previous} if previous else {})
        event: Json = {
            "id": new_id("evt"),
            "object": "event",
            "api_version": API_VERSION,
            "created": self._clock.now(),
            "data": data,
            "livemode": False,
            "pending_webhooks": 1,
            "request": dict(self.request),
            "type": kind,
        }
        if account:
            event["account"] = account
        values = [event["id"], kind, account, json.dumps(event), event["created"]]
        self._store.db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", values)
        self._queue(event["id"], held=self.held)
        return event

    def _queue(self, event_id: str, *, held: bool = False) -> None:
        self._store.db.execute("INSERT INTO deliveries (event, held) VALUES (?, ?)", [event_id, int(held)])

    @property
    def held(self) -> bool:
        """Whether new events wait for `release`."""
        return self._store.setting("events_held") == "1"

    def hold(self) -> int:
        """Hold back every delivery from now on; return how many already wait."""
        self._store.put_setting("events_held", "1")
        return self._store.db.execute("UPDATE deliveries SET held = 1 WHERE done = 0").rowcount

    def release(self, order: str = "given", copies: int = 1) -> int:
        """Deliver what is held, in order `given`, `reverse` or `shuffle:SEED`, `copies` times; return the number."""
        with self._store.transaction():
            query = "SELECT event FROM deliveries WHERE held = 1 AND done = 0 ORDER BY seq"
            events = self._store.values(query) * max(1, copies)
            if order == "reverse":
                events.reverse()
            elif order.startswith("shuffle:"):
                random.Random(order.removeprefix("shuffle:")).shuffle(events)  # noqa: S311
            elif order != "given":
                raise ValueError(order)
            self._store.db.execute("DELETE FROM deliveries WHERE held = 1 AND done = 0")
            for event in events:
                self._queue(event)
            self._store.put_setting("events_held", "0")
        return len(events)

    def due(self) -> list[tuple[int, str, str, int]]:
        """Return the deliveries to make now: number, body, account, attempts so far."""
        query = (
            "SELECT d.seq, e.body, e.account, d.attempts FROM deliveries d JOIN events e ON e.id = d.event"
            " WHERE d.done = 0 AND d.held = 0 AND d.due <= ? ORDER BY d.seq LIMIT 20"
        )
        return self._store.db.execute(query, [time.time()]).fetchall()

    def mark_delivered(self, delivery: int) -> None:
        """Mark a delivery as accepted."""
        self._store.db.execute("UPDATE deliveries SET done = 1, attempts = attempts + 1 WHERE seq = ?", [delivery])

    def schedule_retry(self, delivery: int, retry_at: float) -> None:
        """Repeat a delivery at `retry_at` (epoch seconds of this machine)."""
        query = "UPDATE deliveries SET attempts = attempts + 1, due = ? WHERE seq = ?"
        self._store.db.execute(query, [retry_at, delivery])

    def again(self, event_id: str) -> bool:
        """Deliver an event once more, as Stripe sometimes does. Return False for an unknown event."""
        if not self._store.db.execute("SELECT 1 FROM events WHERE id = ?", [event_id]).fetchone():
            return False
        self._queue(event_id)
        return True

    def latest(self) -> list[tuple[str, str, str, int, int]]:
        """Return the newest 50 events: id, type, account, delivered (0 or 1), attempts."""
        query = (
            "SELECT e.id, e.type, e.account, coalesce(min(d.done), 1), coalesce(sum(d.attempts), 0) FROM events e"
            " LEFT JOIN deliveries d ON d.event = e.id GROUP BY e.rowid ORDER BY e.rowid DESC LIMIT 50"
        )
        return self._store.db.execute(query).fetchall()

    def find(self, account: str, query: str, values: list[Any], limit: int) -> list[Json]:
        """Return events of an account, newest first, that match an SQL condition on `e`."""
        waiting = "EXISTS (SELECT 1 FROM deliveries d WHERE d.event = e.id AND d.done = 0)"
        select = f"SELECT e.body, {waiting} FROM events e WHERE e.account = ?{query} ORDER BY e.rowid DESC LIMIT ?"  # noqa: S608
        rows = self._store.db.execute(select, [account, *values, limit])
        return [json.loads(body) | {"pending_webhooks": pending} for body, pending in rows]


def public(obj: Json) -> Json:
    """Return an object without the fields that only the fake knows."""
    return {name: value for name, value in obj.items() if not name.startswith("_")}
