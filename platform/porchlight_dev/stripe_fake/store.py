"""The data of the fake Stripe in one SQLite file. A kill -9 loses nothing that the API has confirmed."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS accounts (id TEXT PRIMARY KEY, body TEXT NOT NULL, created INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS idempotency_keys (key TEXT PRIMARY KEY, request TEXT NOT NULL, status INTEGER NOT NULL,
                                             body TEXT NOT NULL, created INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS links (token TEXT PRIMARY KEY, kind TEXT NOT NULL, account TEXT NOT NULL,
                                  return_url TEXT NOT NULL, refresh_url TEXT NOT NULL, expires INTEGER NOT NULL,
                                  used INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, type TEXT NOT NULL, account TEXT NOT NULL, body TEXT NOT NULL,
                                   created INTEGER NOT NULL, delivered INTEGER NOT NULL DEFAULT 0,
                                   attempts INTEGER NOT NULL DEFAULT 0, due REAL NOT NULL);
"""
IDEMPOTENCY_KEY_TTL_SECONDS = 24 * 3600  # as Stripe keeps them


def new_id(prefix: str) -> str:
    """Return a random id in Stripe's format."""
    return f"{prefix}_1{secrets.token_hex(12)}"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a hosted page. `setup` and `express` links work once; the pages behind them work until `expires`."""

    token: str
    kind: str
    account: str
    return_url: str
    refresh_url: str
    expires: int
    used: bool


class Store:
    """The SQLite file. All calls are short and come from one thread."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in one transaction."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # Accounts

    def account(self, account_id: str) -> Json | None:
        """Return an account, or None."""
        row = self._db.execute("SELECT body FROM accounts WHERE id = ?", [account_id]).fetchone()
        return json.loads(row[0]) if row else None

    def accounts(self) -> list[Json]:
        """Return the newest 200 accounts, newest first."""
        return [
            json.loads(row[0]) for row in self._db.execute("SELECT body FROM accounts ORDER BY rowid DESC LIMIT 200")
        ]

    def put_account(self, account: Json) -> None:
        """Insert or replace an account."""
        self._db.execute(
            "INSERT INTO accounts (id, body, created) VALUES (?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            [account["id"], json.dumps(account), account["created"]],
        )

    # Idempotency keys

    def idempotent(self, key: str, request: str, handle: Callable[[], tuple[int, Json]]) -> tuple[int, Json] | None:
        """Return the stored result for `key`, else that of `handle`; None when the key belongs to another request."""
        now = int(time.time())
        self._db.execute("DELETE FROM idempotency_keys WHERE created < ?", [now - IDEMPOTENCY_KEY_TTL_SECONDS])
        row = self._db.execute("SELECT request, status, body FROM idempotency_keys WHERE key = ?", [key]).fetchone()
        if row is not None:
            return (row[1], json.loads(row[2])) if row[0] == request else None
        with self.transaction():
            status, body = handle()
            if status < 500:
                values = [key, request, status, json.dumps(body), now]
                self._db.execute("INSERT INTO idempotency_keys VALUES (?, ?, ?, ?, ?)", values)
        return status, body

    # Links

    def new_link(self, kind: str, account: str, seconds: int, return_url: str = "", refresh_url: str = "") -> Link:
        """Create a link that expires in `seconds`."""
        link = Link(
            secrets.token_urlsafe(24), kind, account, return_url, refresh_url, int(time.time()) + seconds, False
        )
        self._db.execute(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, 0)",
            [link.token, kind, account, return_url, refresh_url, link.expires],
        )
        return link

    def link(self, kind: str, token: str) -> Link | None:
        """Return a link of this kind, expired or not."""
        row = self._db.execute("SELECT * FROM links WHERE token = ? AND kind = ?", [token, kind]).fetchone()
        if row is None:
            return None
        token, kind, account, return_url, refresh_url, expires, used = row
        return Link(token, kind, account, return_url, refresh_url, expires, bool(used))

    def use_link(self, token: str) -> bool:
        """Mark a link as used. Return False when it was used before."""
        return self._db.execute("UPDATE links SET used = 1 WHERE token = ? AND used = 0", [token]).rowcount == 1

    # Events

    def put_event(self, event: Json) -> None:
        """Queue an event for delivery."""
        self._db.execute(
            "INSERT INTO events (id, type, account, body, created, due) VALUES (?, ?, ?, ?, ?, ?)",
            [event["id"], event["type"], event.get("account", ""), json.dumps(event), event["created"], time.time()],
        )

    def due_events(self) -> list[tuple[str, str, int]]:
        """Return the events to deliver now: id, body, attempts so far."""
        return self._db.execute(
            "SELECT id, body, attempts FROM events WHERE delivered = 0 AND due <= ? ORDER BY rowid LIMIT 20",
            [time.time()],
        ).fetchall()

    def events(self) -> list[tuple[str, str, str, int, int]]:
        """Return the newest events: id, type, account, delivered (0 or 1), attempts."""
        return self._db.execute(
            "SELECT id, type, account, delivered, attempts FROM events ORDER BY rowid DESC LIMIT 50"
        ).fetchall()

    def mark_delivered(self, event_id: str) -> None:
        """Mark an event as delivered."""
        self._db.execute("UPDATE events SET delivered = 1, attempts = attempts + 1 WHERE id = ?", [event_id])

    def schedule_retry(self, event_id: str, retry_at: float) -> None:
        """Schedule the next delivery of an event at `retry_at` (epoch seconds)."""
        self._db.execute("UPDATE events SET attempts = attempts + 1, due = ? WHERE id = ?", [retry_at, event_id])

    def again(self, event_id: str) -> bool:
        """Deliver an event again, as Stripe sometimes does. Return False for an unknown event."""
        query = "UPDATE events SET delivered = 0, due = ? WHERE id = ?"
        return self._db.execute(query, [time.time(), event_id]).rowcount == 1
