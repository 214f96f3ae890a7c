"""Clients that hold seats in the database, in the app role."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import psycopg

from tenants.kit.ids import new_id
from tenants.kit.zones import local_time
from tests.fixtures.clock import INSTANT
from tests.porchlight.factories import SeededGuru

HOLD = "SELECT outcome, held_until FROM app.hold_seat(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
START = INSTANT.replace(hour=18, minute=0) + timedelta(days=3)


class Client:
    """A visitor or a user who holds seats, on a connection in the app role."""

    def __init__(self, conn: psycopg.Connection[Any], guru: SeededGuru, user: UUID | None = None) -> None:
        self.conn = conn
        self.guru = guru
        self.user = user

    def begin(self) -> None:
        self.conn.rollback()
        self.conn.execute(
            "SELECT set_config('app.tenant_id', %s, true), set_config('app.user_id', %s, true)",
            [str(self.guru.id), str(self.user or "")],
        )

    def hold(
        self,
        service: UUID,
        start: datetime = START,
        *,
        seats: int = 1,
        token: bytes = b"",
        address: bytes = b"here",
        rules: int | None = None,
        max_of_visitors: int = 100,
    ) -> str:
        self.begin()
        version = self.conn.execute("SELECT rules_version, zone FROM calendars").fetchone()
        assert version is not None
        token_hash = sha256(token).digest() if token else new_id().bytes
        rules = version[0] if rules is None else rules
        row = self.conn.execute(
            HOLD,
            [
                new_id(),
                new_id(),
                service,
                start,
                seats,
                token_hash,
                address,
                rules,
                max_of_visitors,
                local_time(start, version[1]),
            ],
        ).fetchone()
        self.conn.commit()
        assert row is not None
        return str(row[0])

    def claim(self, token: bytes) -> str:
        self.begin()
        self.conn.execute("SELECT app.lock_calendar()")
        row = self.conn.execute("SELECT outcome FROM app.claim_hold(%s)", [sha256(token).digest()]).fetchone()
        self.conn.commit()
        assert row is not None
        return str(row[0])

    def release(self, token: bytes) -> bool:
        self.begin()
        row = self.conn.execute("SELECT app.release_hold(%s)", [sha256(token).digest()]).fetchone()
        self.conn.commit()
        assert row is not None
        return bool(row[0])

    def move(self, booking: UUID, start: datetime) -> str:
        self.begin()
        row = self.conn.execute(
            "SELECT app.move_booking(%s, %s, %s, rules_version, true) FROM calendars", [booking, new_id(), start]
        ).fetchone()
        self.conn.commit()
        assert row is not None
        return str(row[0])

    def hold_series(self, held: UUID, starts: list[datetime]) -> list[str]:
        """Return the outcome of each start; an empty list if the user does not hold the first one."""
        self.begin()
        ids, appointments = ([new_id() for _ in starts] for _ in range(2))
        row = self.conn.execute(
            "SELECT app.hold_series(%s, %s, %s, %s, array_fill(rules_version, ARRAY[%s])) FROM calendars",
            [held, ids, appointments, starts, len(starts)],
        ).fetchone()
        self.conn.commit()
        assert row is not None
        return row[0] or []

    def join(self, service: UUID, start: datetime = START, *, seats: int = 1) -> str:
        self.begin()
        row = self.conn.execute("SELECT outcome FROM app.join_waitlist(%s, %s, %s)", [service, start, seats]).fetchone()
        self.conn.commit()
        assert row is not None
        return str(row[0])

    def leave(self, appointment: UUID) -> None:
        self.begin()
        self.conn.execute("SELECT app.leave_waitlist(%s)", [appointment])
        self.conn.commit()
