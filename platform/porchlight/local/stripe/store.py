"""What the local Stripe knows, in one SQLite file: a kill -9 loses nothing that was answered."""

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
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, request TEXT NOT NULL, status INTEGER NOT NULL,
                                    body TEXT NOT NULL, created INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS links (token TEXT PRIMARY KEY, kind TEXT NOT NULL, account TEXT NOT NULL,
                                  return_url TEXT NOT NULL, refresh_url TEXT NOT NULL, expires INTEGER NOT NULL,
                                  used INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, type TEXT NOT NULL, account TEXT NOT NULL, body TEXT NOT NULL,
                                   created INTEGER NOT NULL, delivered INTEGER NOT NULL DEFAULT 0,
                                   attempts INTEGER NOT NULL DEFAULT 0, due REAL NOT NULL);
"""
ANSWERS_KEPT = 24 * 3600  # seconds, as Stripe keeps idempotency keys


def new_name(prefix: str) -> str:
    """An id as Stripe's look: a prefix and random letters."""
    return f"{prefix}_1{secrets.token_hex(12)}"


@dataclass(frozen=True, slots=True)
class Link:
    """A page that somebody may open: `setup` and `express` are good once, what they lead to is good until `expires`."""

    token: str
    kind: str
    account: str
    return_url: str
    refresh_url: str
    expires: int
    used: bool


class Store:
    """The file. Calls are short and come from one thread."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """All of it or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # Accounts

    def account(self, account_id: str) -> Json | None:
        """An account as it was put in."""
        row = self._db.execute("SELECT body FROM accounts WHERE id = ?", [account_id]).fetchone()
        return json.loads(row[0]) if row else None

    def accounts(self) -> list[Json]:
        """All of them, the newest first."""
        return [
            json.loads(row[0]) for row in self._db.execute("SELECT body FROM accounts ORDER BY rowid DESC LIMIT 200")
        ]

    def put_account(self, account: Json) -> None:
        """Keep an account, new or changed."""
        self._db.execute(
            "INSERT INTO accounts (id, body, created) VALUES (?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            [account["id"], json.dumps(account), account["created"]],
        )

    # Answers under idempotency keys

    def answered(self, key: str, request: str, answer: Callable[[], tuple[int, Json]]) -> tuple[int, Json] | None:
        """The answer to a request under a key: the earlier one, or that of `answer`. None: the key was for another."""
        now = int(time.time())
        self._db.execute("DELETE FROM answers WHERE created < ?", [now - ANSWERS_KEPT])
        row = self._db.execute("SELECT request, status, body FROM answers WHERE key = ?", [key]).fetchone()
        if row is not None:
            return (row[1], json.loads(row[2])) if row[0] == request else None
        with self.at_once():
            status, body = answer()
            if status < 500:
                values = [key, request, status, json.dumps(body), now]
                self._db.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", values)
        return status, body

    # Links

    def new_link(self, kind: str, account: str, seconds: int, return_url: str = "", refresh_url: str = "") -> Link:
        """A link that is good for so long."""
        made = Link(
            secrets.token_urlsafe(24), kind, account, return_url, refresh_url, int(time.time()) + seconds, False
        )
        self._db.execute(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, 0)",
            [made.token, kind, account, return_url, refresh_url, made.expires],
        )
        return made

    def link(self, kind: str, token: str) -> Link | None:
        """A link of a kind, however old."""
        row = self._db.execute("SELECT * FROM links WHERE token = ? AND kind = ?", [token, kind]).fetchone()
        if row is None:
            return None
        token, kind, account, return_url, refresh_url, expires, used = row
        return Link(token, kind, account, return_url, refresh_url, expires, bool(used))

    def use_link(self, token: str) -> bool:
        """Use a link up. False when somebody did already."""
        return self._db.execute("UPDATE links SET used = 1 WHERE token = ? AND used = 0", [token]).rowcount == 1

    # Events

    def put_event(self, event: Json) -> None:
        """Have an event delivered."""
        self._db.execute(
            "INSERT INTO events (id, type, account, body, created, due) VALUES (?, ?, ?, ?, ?, ?)",
            [event["id"], event["type"], event.get("account", ""), json.dumps(event), event["created"], time.time()],
        )

    def due_events(self) -> list[tuple[str, str, int]]:
        """What is to be delivered now: id, body, attempts so far."""
        return self._db.execute(
            "SELECT id, body, attempts FROM events WHERE delivered = 0 AND due <= ? ORDER BY rowid LIMIT 20",
            [time.time()],
        ).fetchall()

    def events(self) -> list[tuple[str, str, str, int, int]]:
        """The newest: id, type, account, whether delivered, attempts."""
        return self._db.execute(
            "SELECT id, type, account, delivered, attempts FROM events ORDER BY rowid DESC LIMIT 50"
        ).fetchall()

    def delivered(self, event_id: str) -> None:
        """An event has arrived."""
        self._db.execute("UPDATE events SET delivered = 1, attempts = attempts + 1 WHERE id = ?", [event_id])

    def not_delivered(self, event_id: str, again_at: float) -> None:
        """An event did not arrive and is tried again at a time (epoch seconds)."""
        self._db.execute("UPDATE events SET attempts = attempts + 1, due = ? WHERE id = ?", [again_at, event_id])

    def again(self, event_id: str) -> bool:
        """Have an event delivered once more, as Stripe now and then does by itself. False for an unknown one."""
        query = "UPDATE events SET delivered = 0, due = ? WHERE id = ?"
        return self._db.execute(query, [time.time(), event_id]).rowcount == 1
