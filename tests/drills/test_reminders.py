"""SIGKILL of workers while they send reminders: each reminder is in the mailbox exactly once."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest

from porchlight.features.bookings import deadlines
from tenants.kit import clock
from tests.drills.kills import start_worker
from tests.fixtures.databases import Database
from tests.fixtures.product import eventually
from tests.porchlight.factories import seed_booking, seed_guru, seed_user

pytestmark = pytest.mark.parts
WORKERS = 3
SESSIONS = 20  # per guru, in the hours in which a reminder is due


def _seed_bookings(database: Database, gurus: int) -> int:
    """Create bookings whose reminder is due. Return how many."""
    first = clock.now() + timedelta(hours=2, minutes=30)
    with psycopg.connect(database.service_url) as conn:
        for number in range(gurus):
            guru = seed_guru(conn, f"reminding-{number}", posts=0)
            conn.execute("DELETE FROM bookings WHERE tenant_id = %s", [guru.id])
            for hour in range(SESSIONS):
                seed_booking(conn, guru, seed_user(conn), starts_at=first + timedelta(hours=hour))
        conn.execute("UPDATE booking_events SET at = app.now() - interval '30 days'")
    return gurus * SESSIONS


def _reminders(database: Database) -> list[str]:
    """Return the keys of the reminders in the mailbox."""
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute("SELECT key FROM dev_mailbox WHERE key LIKE 'booking-%-day_before-person-0'").fetchall()
    return [row[0] for row in rows]


def _statuses(database: Database) -> set[str]:
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT DISTINCT status FROM booking_emails WHERE kind = 'day_before'"
        return {row[0] for row in conn.execute(query).fetchall()}


def _send_with_kills(database: Database, gurus: int, kills: int) -> None:
    total = _seed_bookings(database, gurus)
    workers = [start_worker(database) for _ in range(WORKERS)]
    try:
        for number in range(kills):
            eventually("more reminders are sent", _sent_at_least(database, total * number // kills + 1), 300)
            victim = workers.pop(random.randrange(WORKERS))
            victim.kill()
            victim.wait(10)
            workers.append(start_worker(database))
        eventually("every reminder is sent", _sent_at_least(database, total), 300)
        eventually("every reminder is recorded as sent", lambda: _queue_and_read(database) == {"sent"}, 300)
    finally:
        for worker in workers:
            worker.kill()
            worker.wait(10)
    keys = _reminders(database)
    assert (len(keys), len(set(keys))) == (total, total)


def _sent_at_least(database: Database, count: int) -> Callable[[], bool]:
    def check() -> bool:
        deadlines.queue_due_emails(database.service_url)
        return len(_reminders(database)) >= count

    return check


def _queue_and_read(database: Database) -> set[str]:
    deadlines.queue_due_emails(database.service_url)
    return _statuses(database)


@pytest.mark.drill
def test_reminders_survive_killed_workers(database: Database) -> None:
    _send_with_kills(database, gurus=3, kills=3)


@pytest.mark.drill
def test_drill_of_3000_reminders_with_100_kills(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM gurus")
        conn.execute("DELETE FROM dev_mailbox")
    _send_with_kills(database, gurus=150, kills=100)
