"""Clients that hold seats in the database, in the app role."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.facts import to_facts
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.store import FactsQuery
from tenants.kit.ids import new_id
from tenants.kit.zones import day_bounds, local_time
from tests.fixtures.clock import INSTANT
from tests.porchlight.factories import SeededGuru

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

    def run(self, needs: FactsQuery, command: commands.Command) -> Decision:
        """Carry out a command in a transaction of its own, without the lock of the calendar, as the API does."""
        while True:
            self.begin()
            query, parameters = needs.statement()
            ((answer,),) = self.conn.execute(query.encode(), parameters).fetchall()
            facts = to_facts(answer)
            decision = decide(command, facts)
            statement = store.statement_of(decision, facts, needs, is_locked=False)
            is_written = statement is None or not self.conn.execute(statement[0].encode(), statement[1]).fetchall()
            self.conn.commit()
            if is_written:
                return decision

    def seats(self, service: UUID, start: datetime, *, rules: int | None = None) -> commands.WantedSeats:
        """Return seats at a start, by the rules of now."""
        self.begin()
        row = self.conn.execute("SELECT rules_version, zone FROM calendars").fetchone()
        assert row is not None
        version, zone = row
        local_start = local_time(start, zone)
        return commands.WantedSeats(
            service_id=service, starts_at=start, local_start=local_start,
            day=day_bounds(ZoneInfo(zone), local_start.date()), rules_version=version if rules is None else rules,
        )  # fmt: skip

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
        needs, command = hold_command(
            self.seats(service, start, rules=rules), seats=seats, token=token, address=address,
            max_of_visitors=max_of_visitors,
        )  # fmt: skip
        return str(self.run(needs, command).refusal or "held")

    def book(self, token: bytes, *, further: list[datetime] | None = None, service: UUID | None = None) -> Decision:
        """Book a hold, with further starts as a series."""
        digest = sha256(token).digest()
        self.begin()
        row = self.conn.execute(
            "SELECT encode(h.terms_digest, 'hex'), c.rules_version FROM app.find_hold(%s) h, calendars c", [digest]
        ).fetchone()
        policy, version = row or ("", 0)
        wanted = [self.seats(service, start) for start in further or () if service]
        command = commands.Book(
            booked=commands.Booked(key=str(new_id()), digest=digest, name="Ada Neighbor"), policy=policy,
            rules_version=version, further=wanted,
        )  # fmt: skip
        needs = FactsQuery(token=digest, counted=True, service=service, starts=further or [])
        return self.run(needs, command)

    def release(self, token: bytes) -> bool:
        return bool(self.run(FactsQuery(token=sha256(token).digest()), commands.Release()).change)

    def move(self, booking: UUID, start: datetime) -> str:
        """Move a booking to a time, as the guru proposed it: the terms do not matter."""
        self.begin()
        row = self.conn.execute("SELECT service_id FROM bookings WHERE id = %s", [booking]).fetchone()
        assert row is not None
        command = commands.Move(first_id=booking, wanted={booking: self.seats(row[0], start)}, is_counted=False)
        needs = FactsQuery(ids=[booking], service=row[0], starts=[start])
        return str(self.run(needs, command).refusal or "moved")

    def join(self, service: UUID, start: datetime = START, *, seats: int = 1) -> str:
        command = commands.JoinWaitlist(service_id=service, starts_at=start, party=seats, waits_for=0)
        needs = FactsQuery(service=service, starts=[start])
        return str(self.run(needs, command).refusal or "joined")

    def leave(self, appointment: UUID) -> None:
        self.run(FactsQuery(appointment=appointment), commands.LeaveWaitlist(session_id=appointment))


def hold_command(
    wanted: commands.WantedSeats,
    *,
    seats: int,
    token: bytes = b"",
    address: bytes = b"here",
    max_of_visitors: int = 100,
) -> tuple[FactsQuery, commands.HoldSeats]:
    """Return the command that holds seats, and the needs about its facts."""
    start = wanted.starts_at
    digest = sha256(token).digest() if token else new_id().bytes
    command = commands.HoldSeats(
        id=new_id(), seats=wanted, party=seats, token=digest, address=address, max_of_visitors=max_of_visitors
    )
    needs = FactsQuery(
        token=digest, service=wanted.service_id, starts=[start], counted=True, address=address,
    )  # fmt: skip
    return needs, command
