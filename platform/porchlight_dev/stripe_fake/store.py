"""The data of the fake Stripe in one SQLite file. A kill -9 loses nothing that the API has confirmed."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS accounts (id TEXT PRIMARY KEY, body TEXT NOT NULL, created INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS objects (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
    account TEXT NOT NULL, body TEXT NOT NULL, created INTEGER NOT NULL, net INTEGER, available_on INTEGER);
CREATE INDEX IF NOT EXISTS objects_by_type ON objects (type, account, seq);
CREATE INDEX IF NOT EXISTS balances ON objects (account, available_on, net) WHERE net IS NOT NULL;
CREATE TABLE IF NOT EXISTS results (account TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL,
    status INTEGER NOT NULL, body TEXT NOT NULL, created INTEGER NOT NULL, PRIMARY KEY (account, key));
CREATE TABLE IF NOT EXISTS links (token TEXT PRIMARY KEY, kind TEXT NOT NULL, account TEXT NOT NULL,
    return_url TEXT NOT NULL, refresh_url TEXT NOT NULL, expires INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, type TEXT NOT NULL, account TEXT NOT NULL, body TEXT NOT NULL,
    created INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS deliveries (seq INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL,
    held INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
    due REAL NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS deliveries_waiting ON deliveries (seq) WHERE done = 0;
CREATE INDEX IF NOT EXISTS deliveries_of_event ON deliveries (event);
CREATE TABLE IF NOT EXISTS timers (seq INTEGER PRIMARY KEY AUTOINCREMENT, due INTEGER NOT NULL, kind TEXT NOT NULL,
    object TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS timers_by_due ON timers (due, seq);
CREATE INDEX IF NOT EXISTS timers_of_object ON timers (object, kind);
CREATE TABLE IF NOT EXISTS faults (seq INTEGER PRIMARY KEY AUTOINCREMENT, method TEXT NOT NULL, path TEXT NOT NULL,
    action TEXT NOT NULL, remaining INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS calls (seq INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


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
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        # With WAL, NORMAL loses commits only when the machine itself stops.
        self.db.execute("PRAGMA synchronous = NORMAL")
        self.db.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in one transaction, or in a part of the open one that can be undone by itself."""
        inner = self.db.in_transaction
        self.db.execute("SAVEPOINT part" if inner else "BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK TO part" if inner else "ROLLBACK")
            if inner:
                self.db.execute("RELEASE part")
            raise
        self.db.execute("RELEASE part" if inner else "COMMIT")

    def values(self, query: str, params: Sequence[Any] = ()) -> list[Any]:
        """Return the only column of all rows of a query."""
        return [value for (value,) in self.db.execute(query, params)]

    def setting(self, name: str, default: str = "") -> str:
        """Return a setting."""
        return next(iter(self.values("SELECT value FROM settings WHERE name = ?", [name])), default)

    def put_setting(self, name: str, value: str) -> None:
        """Insert or replace a setting."""
        self.db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [name, value])

    # Accounts

    def account(self, account_id: str) -> Json | None:
        """Return an account, or None."""
        found = self.values("SELECT body FROM accounts WHERE id = ?", [account_id])
        return json.loads(found[0]) if found else None

    def accounts(self) -> list[Json]:
        """Return the newest 200 accounts, newest first."""
        query = "SELECT body FROM accounts ORDER BY rowid DESC LIMIT 200"
        return [json.loads(body) for body in self.values(query)]

    def put_account(self, account: Json) -> None:
        """Insert or replace an account."""
        self.db.execute(
            "INSERT INTO accounts (id, body, created) VALUES (?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            [account["id"], json.dumps(account), account["created"]],
        )

    # Objects of all other types

    def put(self, body: Json, account: str = "") -> Json:
        """Insert or replace an object of the platform or of a connected account; return it."""
        line = body["object"] == "balance_transaction"
        self.db.execute(
            "INSERT INTO objects (id, type, account, body, created, net, available_on) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            [
                body["id"], body["object"], account, json.dumps(body), body.get("created", 0),
                body["net"] if line else None, body["available_on"] if line else None,
            ],
        )  # fmt: skip
        return body

    def get(self, object_id: str, account: str | None = None) -> Json | None:
        """Return an object by its id (of this account, unless None)."""
        query = "SELECT body FROM objects WHERE id = ? AND (? IS NULL OR account = ?)"
        found = self.values(query, [object_id, account, account])
        return json.loads(found[0]) if found else None

    def account_of(self, object_id: str) -> str:
        """Return the account that an object belongs to; empty for the platform."""
        return next(iter(self.values("SELECT account FROM objects WHERE id = ?", [object_id])), "")

    def find(
        self,
        kind: str,
        account: str | None = "",
        *,
        where: Mapping[str, Any] | None = None,
        after: str = "",
        before: str = "",
        created: Mapping[str, int] | None = None,
        limit: int = 1_000_000,
    ) -> list[Json]:
        """Return objects, newest first. `where` maps dotted names of fields to values, or to lists of choices."""
        query = "SELECT body FROM objects WHERE type = ?"
        values: list[Any] = [kind]
        if account is not None:
            query, values = query + " AND account = ?", [*values, account]
        for name, value in (where or {}).items():
            choices = value if isinstance(value, list) else [value]
            query += f" AND json_extract(body, ?) IN ({','.join('?' * len(choices))})"
            values += ["$." + ".".join(f'"{part}"' for part in name.split(".")), *choices]
        for name, value in (created or {}).items():
            query += f" AND created {({'gt': '>', 'gte': '>=', 'lt': '<', 'lte': '<='})[name]} ?"
            values.append(value)
        for edge, sign in ((after, "<"), (before, ">")):
            if edge:
                query += f" AND seq {sign} (SELECT seq FROM objects WHERE id = ?)"  # noqa: S608
                values.append(edge)
        query += f" ORDER BY seq {'ASC' if before else 'DESC'} LIMIT ?"
        found = [json.loads(body) for body in self.values(query, [*values, limit])]
        return found[::-1] if before else found

    # Links

    def new_link(self, kind: str, account: str, expires: int, return_url: str = "", refresh_url: str = "") -> Link:
        """Create a link that expires at `expires` (epoch seconds)."""
        link = Link(secrets.token_urlsafe(24), kind, account, return_url, refresh_url, expires, False)
        self.db.execute(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, 0)",
            [link.token, kind, account, return_url, refresh_url, link.expires],
        )
        return link

    def link(self, kind: str, token: str) -> Link | None:
        """Return a link of this kind, expired or not."""
        row = self.db.execute("SELECT * FROM links WHERE token = ? AND kind = ?", [token, kind]).fetchone()
        if row is None:
            return None
        token, kind, account, return_url, refresh_url, expires, used = row
        return Link(token, kind, account, return_url, refresh_url, expires, bool(used))

    def use_link(self, token: str) -> bool:
        """Mark a link as used. Return False when it was used before."""
        return self.db.execute("UPDATE links SET used = 1 WHERE token = ? AND used = 0", [token]).rowcount == 1
