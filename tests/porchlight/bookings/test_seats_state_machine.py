"""Seats and times under random operations: no seat is lost, sold twice or kept for an ended booking."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.bookings.clients import Client
from tests.porchlight.factories import SeededGuru, seed_calendar, seed_guru, seed_service, seed_user

CAPACITIES = (1, 2, 5)
HOLD_OUTCOMES = frozenset(
    {"held", "slot_taken", "session_full", "already_booked", "party_too_large", "own_limit", "address_limit",
     "visitor_limit"}
)  # fmt: skip
HALF_HOURS = 6
USERS = 5
OCCUPYING = "status IN ('held', 'requested', 'confirmed', 'completed', 'missed')"


def operation(name: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Return calls of a method of the machine."""
    return st.tuples(st.just(name), st.fixed_dictionaries(arguments))


anyone, user, seats = st.integers(0, USERS), st.integers(1, USERS), st.integers(1, 3)
number, half_hour = st.integers(0, 99), st.integers(0, HALF_HOURS - 1)
days = st.lists(st.integers(0, 3 * HALF_HOURS - 1), min_size=1, max_size=4)
STEPS = st.one_of(
    operation("hold", user=anyone, service=st.integers(0, 2), half_hour=half_hour, seats=seats),
    operation("fill", number=number, seats=seats),
    operation("claim", number=number, user=anyone),
    operation("release", number=number, user=anyone),
    operation("confirm", number=number),
    operation("cancel", number=number),
    operation("move", number=number, half_hour=half_hour),
    operation("hold_series", number=number, half_hours=days),
    operation("join_waitlist", user=user, number=number, seats=seats),
    operation("leave_waitlist", number=number),
    operation("expire", number=number),
)


class SeatsMachine(RuleBasedStateMachine):
    """Three services of one guru, five users and visitors, and starts of one morning that overlap."""

    database: Database

    def __init__(self) -> None:
        super().__init__()
        options = "-c synchronous_commit=off"  # nothing is lost but time
        self.superuser = psycopg.connect(self.database.superuser_url, autocommit=True, options=options)
        self.app = psycopg.connect(self.database.app_url, options=options)
        self.tokens: list[bytes] = []
        self.offers: set[tuple[Any, ...]] = set()

    @initialize()
    def create_guru(self) -> None:
        """Create the guru with their services, and the users."""
        with psycopg.connect(self.database.service_url) as conn:
            self.guru: SeededGuru = seed_guru(conn, f"m{new_id().hex[-12:]}", posts=1)
            for table in ("bookings", "appointments", "booking_settings", "calendars"):
                conn.execute(f"DELETE FROM {table} WHERE tenant_id = %s".encode(), [self.guru.id])
            self.guru.services = []
            for capacity in CAPACITIES:
                seed_service(conn, self.guru, f"For {capacity}", duration_minutes=60)
            seed_calendar(conn, self.guru, cleanup_minutes=15)
            for service, capacity in zip(self.guru.services, CAPACITIES, strict=True):
                statement = "UPDATE booking_settings SET capacity = %s, party_max = %s WHERE tenant_id = %s"
                conn.execute(
                    f"{statement} AND service_id = %s".encode(), [capacity, min(capacity, 3), self.guru.id, service]
                )
            self.users: list[UUID | None] = [None, *(seed_user(conn) for _ in range(USERS))]
        self.day = clock.now().replace(hour=16, minute=0, second=0, microsecond=0) + timedelta(days=3)

    def teardown(self) -> None:
        """Close the connections."""
        self.app.close()
        self.superuser.close()

    def change(self, statement: str, *params: object) -> int:
        """Change bookings as the code does, with the lock of the calendar. Return the number of changed rows."""
        with self.superuser.transaction():
            self.superuser.execute("SELECT set_config('app.tenant_id', %s, true)", [str(self.guru.id)])
            self.superuser.execute("SELECT app.lock_calendar()")
            return self.superuser.execute(statement.encode(), params).rowcount

    def pick(self, number: int, condition: str) -> UUID | None:
        """Return the id of a booking that meets a condition."""
        rows = self.superuser.execute(
            f"SELECT id FROM bookings WHERE tenant_id = %s AND {condition} ORDER BY id".encode(), [self.guru.id]
        ).fetchall()
        return rows[number % len(rows)][0] if rows else None

    @rule(step=STEPS)
    def take_step(self, step: tuple[str, dict[str, Any]]) -> None:
        """Run an operation. With a rule for each, Hypothesis leaves out some in each run, and often nothing happens."""
        name, arguments = step
        getattr(self, name)(**arguments)

    def hold(self, user: int, service: int, half_hour: int, seats: int) -> None:
        """Hold seats; any outcome is fine, the invariants decide."""
        self.hold_at(user, self.guru.services[service], self.day + timedelta(minutes=30 * half_hour), seats)

    def fill(self, number: int, seats: int) -> None:
        """Let visitors fill a session, and the users who are not in it wait for it."""
        if sessions := self.sessions("capacity > 1"):
            service, start = sessions[number % len(sessions)]
            while self.hold_at(0, service, start, 1) == "held":
                pass
            for user in self.users[1:]:
                Client(self.app, self.guru, user).join(service, start, seats=seats)

    def sessions(self, wanted: str, *params: object) -> list[tuple[Any, ...]]:
        """Return service and start of two live sessions, mostly of those that meet the condition `wanted`."""
        return self.superuser.execute(
            "SELECT service_id, starts_at FROM appointments WHERE tenant_id = %s AND live"
            f" ORDER BY {wanted} DESC, starts_at LIMIT 2".encode(),
            [self.guru.id, *params],
        ).fetchall()

    def hold_at(self, user: int, service: UUID, start: datetime, seats: int) -> str:
        """Hold seats, keep the token and return the outcome."""
        token = new_id().bytes
        client = Client(self.app, self.guru, self.users[user])
        outcome = client.hold(service, start, seats=seats, token=token, address=token)
        assert outcome in HOLD_OUTCOMES
        if outcome == "held":
            self.tokens.append(token)
        return outcome

    def claim(self, number: int, user: int) -> None:
        """Take a hold over."""
        if self.tokens:
            Client(self.app, self.guru, self.users[user]).claim(self.tokens[number % len(self.tokens)])

    def release(self, number: int, user: int) -> None:
        """Give a hold up."""
        if self.tokens:
            Client(self.app, self.guru, self.users[user]).release(self.tokens[number % len(self.tokens)])

    def confirm(self, number: int) -> None:
        """Confirm a hold of a user."""
        if booking := self.pick(number, "status = 'held' AND person_id IS NOT NULL"):
            statement = "UPDATE bookings SET status = 'confirmed', expires_at = NULL WHERE id = %s AND status = 'held'"
            assert self.change(statement, booking) == 1

    def cancel(self, number: int) -> None:
        """Cancel a confirmed booking."""
        if booking := self.pick(number, "status = 'confirmed'"):
            assert self.change("UPDATE bookings SET status = 'canceled' WHERE id = %s", booking) == 1

    def move(self, number: int, half_hour: int) -> None:
        """Move a confirmed booking. Either it has the new time, or nothing has changed."""
        if booking := self.pick(number, "status = 'confirmed'"):
            person, before = self.superuser.execute(
                "SELECT person_id, starts_at FROM bookings WHERE id = %s", [booking]
            ).fetchall()[0]
            start = self.day + timedelta(minutes=30 * half_hour)
            outcome = Client(self.app, self.guru, person).move(booking, start)
            assert outcome in ("moved", "slot_taken", "session_full", "already_booked")
            after = self.superuser.execute("SELECT starts_at FROM bookings WHERE id = %s", [booking]).fetchall()
            assert after == [(start if outcome == "moved" else before,)]

    def hold_series(self, number: int, half_hours: list[int]) -> None:
        """Hold further sessions beside a hold, on three days. Either all are held, or nothing has changed."""
        if booking := self.pick(number, "status = 'held' AND person_id IS NOT NULL"):
            query = "SELECT (SELECT person_id FROM bookings WHERE id = %s), count(*) FROM bookings WHERE tenant_id = %s"
            person, before = self.superuser.execute(query, [booking, self.guru.id]).fetchall()[0]
            days = [divmod(half_hour, HALF_HOURS) for half_hour in half_hours]
            starts = [self.day + timedelta(days=day, minutes=30 * number) for day, number in days]
            outcomes = Client(self.app, self.guru, person).hold_series(booking, starts)
            assert len(outcomes) == len(starts)
            assert set(outcomes) <= {"held", "slot_taken", "session_full", "already_booked"}
            added = len(starts) if set(outcomes) == {"held"} else 0
            assert self.superuser.execute(query, [booking, self.guru.id]).fetchall() == [(person, before + added)]

    def join_waitlist(self, user: int, number: int, seats: int) -> None:
        """Wait for a session, mostly for one without enough seats; any outcome is fine, the invariants decide."""
        if sessions := self.sessions("capacity > 1 AND taken + %s > capacity", seats):
            Client(self.app, self.guru, self.users[user]).join(*sessions[number % len(sessions)], seats=seats)

    def leave_waitlist(self, number: int) -> None:
        """Give up a place on a waitlist, or an offer."""
        rows = self.superuser.execute(
            "SELECT person_id, appointment_id FROM waitlist WHERE tenant_id = %s"
            " AND status IN ('waiting', 'offered') ORDER BY appointment_id, number",
            [self.guru.id],
        ).fetchall()
        if rows:
            person, appointment = rows[number % len(rows)]
            Client(self.app, self.guru, person).leave(appointment)

    def expire(self, number: int) -> None:
        """Let the time of a hold pass. Its seats are free once the next transaction ends it."""
        if booking := self.pick(number, "status = 'held'"):
            self.superuser.execute("UPDATE bookings SET expires_at = app.now() WHERE id = %s", [booking])
            self.change("SELECT app.expire_bookings()")

    @invariant()
    def check_seats_equal_parties(self) -> None:
        """Compare each appointment's counter with its bookings."""
        if not hasattr(self, "guru"):
            return
        wrong = self.superuser.execute(
            "SELECT a.taken, a.live, coalesce(sum(b.party), 0) FROM appointments a LEFT JOIN bookings b"
            f" ON b.tenant_id = a.tenant_id AND b.appointment_id = a.id AND b.{OCCUPYING}"
            " WHERE a.tenant_id = %s GROUP BY a.tenant_id, a.id"
            " HAVING a.taken <> coalesce(sum(b.party), 0) OR a.taken > a.capacity OR a.live <> (a.taken > 0)".encode(),
            [self.guru.id],
        ).fetchall()
        assert wrong == []

    @invariant()
    def check_live_times_do_not_overlap(self) -> None:
        """Compare all live times of the guru with each other."""
        if not hasattr(self, "guru"):
            return
        overlapping = self.superuser.execute(
            "SELECT a.id FROM appointments a JOIN appointments b ON b.tenant_id = a.tenant_id AND b.id <> a.id"
            " AND b.blocked && a.blocked AND b.live WHERE a.live AND a.tenant_id = %s",
            [self.guru.id],
        ).fetchall()
        assert overlapping == []

    @invariant()
    def check_waitlist_is_served_in_order(self) -> None:
        """No one waits while their party fits; the counters are exact; each offer has its hold."""
        if not hasattr(self, "guru"):
            return
        wrong = self.superuser.execute(
            "SELECT a.id FROM appointments a LEFT JOIN waitlist w ON w.tenant_id = a.tenant_id"
            " AND w.appointment_id = a.id LEFT JOIN bookings b ON b.tenant_id = a.tenant_id AND b.appointment_id = a.id"
            " AND b.person_id = w.person_id AND b.status = 'held' AND b.party = w.party WHERE a.tenant_id = %s"
            " GROUP BY a.tenant_id, a.id HAVING a.waiting <> count(w) FILTER (WHERE w.status = 'waiting')"
            " OR count(*) FILTER (WHERE w.status = 'waiting' AND (NOT a.live OR w.party <= a.capacity - a.taken)) > 0"
            " OR count(*) FILTER (WHERE w.status = 'offered' AND b.id IS NULL) > 0",
            [self.guru.id],
        ).fetchall()
        assert wrong == []
        self.check_later_entries_had_no_seats()

    def check_later_entries_had_no_seats(self) -> None:
        """Compare new offers with those who still wait before them: their parties must be too large."""
        offers = self.superuser.execute(
            "SELECT w.appointment_id, w.number, (SELECT coalesce(min(f.party), 99) FROM waitlist f"
            " WHERE f.tenant_id = w.tenant_id AND f.appointment_id = w.appointment_id AND f.number < w.number"
            " AND f.status = 'waiting') > w.party FROM waitlist w WHERE w.tenant_id = %s AND w.status = 'offered'",
            [self.guru.id],
        ).fetchall()
        assert [offer for offer in offers if not offer[2] and offer[:2] not in self.offers] == []
        self.offers |= {offer[:2] for offer in offers}

    @invariant()
    def check_history_has_no_gap(self) -> None:
        """Compare the last entry of each history with the booking's status."""
        if not hasattr(self, "guru"):
            return
        wrong: list[Any] = self.superuser.execute(
            "SELECT b.id FROM bookings b JOIN LATERAL (SELECT count(*) AS entries, max(number) AS last,"
            " (array_agg(event ORDER BY number DESC))[1] AS event FROM booking_events e"
            " WHERE e.tenant_id = b.tenant_id AND e.booking_id = b.id) h ON true"
            " WHERE b.tenant_id = %s AND (h.event NOT IN (b.status, 'moved') OR h.entries <> h.last)",
            [self.guru.id],
        ).fetchall()
        assert wrong == []


def run_machine(database: Database, examples: int, steps: int) -> None:
    class Machine(SeatsMachine):
        pass

    Machine.database = database
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    run_state_machine_as_test(
        Machine,
        settings=settings(
            settings.default, max_examples=examples, stateful_step_count=steps, suppress_health_check=checks
        ),
    )


def test_seats_under_random_operations_stay_exact(database: Database) -> None:
    run_machine(database, 10, 200)


@pytest.mark.drill
def test_seats_under_many_operations_stay_exact(database: Database) -> None:
    run_machine(database, 400, 500)
