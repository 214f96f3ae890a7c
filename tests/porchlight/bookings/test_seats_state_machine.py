"""Seats and times under random operations: no seat is lost, sold twice or kept for an ended booking."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple
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

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from porchlight.features.bookings.terms import terms_at
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
    operation("book", number=number, user=anyone),
    operation("release", number=number, user=anyone),
    operation("confirm", number=number),
    operation("cancel", number=number),
    operation("move", number=number, half_hour=half_hour),
    operation("book_series", number=number, user=user, half_hours=days),
    operation("join_waitlist", user=user, number=number, seats=seats),
    operation("leave_waitlist", number=number),
    operation("expire", number=number),
)


class Picked(NamedTuple):
    """A booking, its session and its person."""

    id: UUID
    session: UUID
    person: UUID | None
    starts_at: datetime


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

    def pick(self, number: int, condition: str) -> Picked | None:
        """Return a booking that meets a condition."""
        rows = self.superuser.execute(
            "SELECT b.id, b.appointment_id, b.person_id, b.starts_at FROM bookings b"
            f" WHERE b.tenant_id = %s AND {condition} ORDER BY b.id".encode(),
            [self.guru.id],
        ).fetchall()
        return Picked(*rows[number % len(rows)]) if rows else None

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

    def book(self, number: int, user: int) -> None:
        """Book a hold, also one that a visitor made."""
        if self.tokens:
            Client(self.app, self.guru, self.users[user]).book(self.tokens[number % len(self.tokens)])

    def release(self, number: int, user: int) -> None:
        """Give a hold up."""
        if self.tokens:
            Client(self.app, self.guru, self.users[user]).release(self.tokens[number % len(self.tokens)])

    def confirm(self, number: int) -> None:
        """Book a seat that was offered to someone who waited."""
        if found := self.pick(number, "b.status = 'held' AND b.address_hash IS NULL"):
            token = new_id().bytes
            client = Client(self.app, self.guru, found.person)
            opened = commands.OpenOffer(session_id=found.session, token=sha256(token).digest())
            assert client.run(FactsQuery(appointment=found.session), opened).refusal is None
            assert client.book(token).refusal is None

    def cancel(self, number: int) -> None:
        """Cancel a confirmed booking, on its terms."""
        if found := self.pick(number, "b.status = 'confirmed'"):
            client = Client(self.app, self.guru, found.person)
            client.begin()
            facts = store.read_facts_on(self.app, FactsQuery(ids=[found.id]))
            (booking,) = facts.bookings
            digest = terms_at(booking, facts.now).digest
            command = commands.Cancel(id=found.id, actor=Actor.PERSON, terms_digest=digest)
            assert client.run(FactsQuery(ids=[found.id]), command).refusal is None

    def move(self, number: int, half_hour: int) -> None:
        """Move a confirmed booking to a time that the guru proposes. Either it has it, or nothing has changed."""
        if found := self.pick(number, "b.status = 'confirmed'"):
            start = self.day + timedelta(minutes=30 * half_hour)
            if start == found.starts_at:
                return
            until = clock.now() + timedelta(hours=1)
            statement = "UPDATE bookings SET proposed_start = %s, proposed_until = %s WHERE id = %s"
            self.superuser.execute(statement, [start, until, found.id])
            outcome = Client(self.app, self.guru, found.person).move(found.id, start)
            assert outcome in ("moved", "slot_taken", "session_full", "already_booked")
            after = self.superuser.execute("SELECT starts_at FROM bookings WHERE id = %s", [found.id]).fetchall()
            assert after == [(start if outcome == "moved" else found.starts_at,)]
            statement = "UPDATE bookings SET proposed_start = NULL, proposed_until = NULL WHERE id = %s"
            self.superuser.execute(statement, [found.id])

    def book_series(self, number: int, user: int, half_hours: list[int]) -> None:
        """Book a hold with further sessions, on three days. Either all are booked, or nothing has changed."""
        if not self.tokens:
            return
        token, client = self.tokens[number % len(self.tokens)], Client(self.app, self.guru, self.users[user])
        query = (
            "SELECT b.service_id, (SELECT count(*) FROM bookings o WHERE o.tenant_id = b.tenant_id AND o.status IN"
            " ('held', 'requested', 'confirmed')) FROM bookings b WHERE b.tenant_id = %s AND b.hold_hash = %s"
        )
        found = [self.guru.id, sha256(token).digest()]
        ((service, before),) = self.superuser.execute(query, found).fetchall() or [(None, 0)]
        if service is None:
            return
        days = [divmod(half_hour, HALF_HOURS) for half_hour in half_hours]
        starts = [self.day + timedelta(days=day, minutes=30 * half_hour) for day, half_hour in days]
        decision = client.book(token, further=starts, service=service)
        assert set(decision.reasons.values()) <= {"slot_taken", "session_full", "already_booked"}
        added = len(starts) if decision.refusal is None else 0
        assert self.superuser.execute(query, found).fetchall() == [(service, before + added)]

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
        if found := self.pick(number, "b.status = 'held'"):
            self.superuser.execute("UPDATE bookings SET expires_at = app.now() WHERE id = %s", [found.id])
            Client(self.app, self.guru).run(FactsQuery(), commands.Expire())

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
