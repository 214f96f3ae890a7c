"""The jobs of each minute: expired holds and requests, completed sessions, reminders, agendas and unsent emails."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

import psycopg
import pytest

from porchlight.features.bookings import deadlines
from tenants.db.jobs import use_jobs_schema
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import NewGuru
from tests.porchlight.bookings.booking_emails import book, change, emails, statuses
from tests.porchlight.factories import SeededGuru

HOUR = timedelta(hours=1)
LONG_AGO = timedelta(days=30)


@pytest.fixture
def now(database: Database) -> datetime:
    """The current time. Bookings of other tests are gone."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM bookings")
        conn.execute("DELETE FROM booking_agendas")
    return clock.now()


def booked(
    database: Database, guru: SeededGuru, starts_at: datetime, *, ago: timedelta = LONG_AGO, **columns: Any
) -> UUID:
    """Create a booking that was confirmed some time ago."""
    booking_id = book(database, guru, starts_at=starts_at, **columns)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE booking_events SET at = app.now() - %s WHERE booking_id = %s", [ago, booking_id])
    return booking_id


async def remind(database: Database) -> None:
    deadlines.queue_due_emails(database.service_url)
    await do_jobs(database)


def status(database: Database, booking_id: UUID) -> str:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT status FROM bookings WHERE id = %s", [booking_id]).fetchone()
    assert row is not None
    return str(row[0])


async def test_expired_holds_and_requests_end(database: Database, new_guru: NewGuru, now: datetime) -> None:
    guru, other = new_guru(), new_guru()
    past, ahead = now - timedelta(seconds=1), now + HOUR
    held = book(database, guru, status="held", expires_at=past, starts_at=now + 30 * HOUR, idempotency_key=None)
    asked = book(database, other, status="requested", expires_at=past, starts_at=now + 30 * HOUR)
    kept = book(database, other, status="requested", expires_at=ahead, starts_at=now + 40 * HOUR)
    deadlines.expire_bookings(database.service_url)
    assert [status(database, each) for each in (held, asked, kept)] == ["expired", "expired", "requested"]
    await do_jobs(database)
    assert set(emails(database, asked)) == {("expired", "person")}
    assert emails(database, held) == {}


async def test_session_is_completed_a_day_after_its_end(database: Database, new_guru: NewGuru, now: datetime) -> None:
    guru = new_guru()
    over = book(database, guru, starts_at=now - timedelta(hours=25, minutes=1))
    missed = book(database, guru, starts_at=now - 30 * HOUR, status="missed")
    recent = book(database, guru, starts_at=now - 24 * HOUR)
    deadlines.complete_bookings(database.service_url)
    assert [status(database, each) for each in (over, missed, recent)] == ["completed", "missed", "confirmed"]


@pytest.mark.parametrize(
    ("hours", "kinds"), [(25, set()), (23.9, {"day_before"}), (3, {"day_before"}), (1.9, {"soon"}), (-0.1, set())]
)
async def test_reminders_are_sent_once_when_due(
    database: Database, new_guru: NewGuru, now: datetime, hours: float, kinds: set[str]
) -> None:
    booking_id = booked(database, new_guru(), now + hours * HOUR)
    for _ in range(3):
        await remind(database)
    assert set(emails(database, booking_id)) == {(kind, "person") for kind in kinds}


@pytest.mark.parametrize(
    ("level", "until_hours", "hours", "kinds"),
    [
        ("high", 1, 6 * 24, {"waiver_week"}),
        ("high", 1, 36, {"waiver_days"}),
        ("high", 37, 36, set()),
        ("", None, 36, set()),
        ("high", None, 8 * 24, set()),
    ],
)
async def test_waiver_reminder_needs_a_missing_waiver(
    database: Database, new_guru: NewGuru, now: datetime, level: str, until_hours: int | None, hours: int,
    kinds: set[str],
) -> None:  # fmt: skip
    until = now + until_hours * HOUR if until_hours else None
    booking_id = booked(database, new_guru(), now + hours * HOUR, waiver_level=level, waiver_until=until)
    await remind(database)
    assert {kind for kind, _side in emails(database, booking_id)} == kinds


@pytest.mark.parametrize(("minutes_before_due", "is_sent"), [(14, False), (16, True), (-60, False)])
async def test_no_reminder_within_15_minutes_of_booking(
    database: Database, new_guru: NewGuru, now: datetime, minutes_before_due: int, is_sent: bool
) -> None:
    start = now + 20 * HOUR
    confirmed = start - 24 * HOUR - timedelta(minutes=minutes_before_due)
    booking_id = booked(database, new_guru(), start, ago=now - confirmed)
    await remind(database)
    assert bool(emails(database, booking_id)) is is_sent


@pytest.mark.parametrize("outdated_by", ["canceled", "moved"])
async def test_no_reminder_after_cancel_or_move(
    database: Database, new_guru: NewGuru, now: datetime, outdated_by: str
) -> None:
    booking_id = booked(database, new_guru(), now + 20 * HOUR)
    deadlines.queue_due_emails(database.service_url)
    if outdated_by == "canceled":
        change(database, booking_id, status="canceled", ended_by="person", ended_at=now, sequence=1)
    else:
        start = now + 22 * HOUR
        change(database, booking_id, starts_at=start, ends_at=start + HOUR, sequence=1)
    await do_jobs(database)
    await remind(database)
    assert set(emails(database, booking_id)) == {(outdated_by, "person"), (outdated_by, "guru")}
    assert statuses(database, booking_id)["day_before", "person"] == "void"


async def test_lost_job_is_queued_again(database: Database, new_guru: NewGuru, now: datetime) -> None:
    booking_id = book(database, new_guru(), status="requested", expires_at=now + HOUR)
    change(database, booking_id, status="confirmed", expires_at=None)
    with psycopg.connect(database.service_url) as conn:
        use_jobs_schema(conn)
        conn.execute("DELETE FROM procrastinate_jobs")
    await remind(database)
    assert emails(database, booking_id) == {}
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE booking_emails SET due_at = app.now() WHERE booking_id = %s", [booking_id])
    await remind(database)
    assert set(emails(database, booking_id)) == {("accepted", "person"), ("accepted", "guru")}


def evening_zone(now: datetime) -> ZoneInfo:
    """Return a zone in which it is between 6 PM and midnight."""
    zones = (ZoneInfo(name) for name in sorted(available_timezones()) if name.startswith("Etc/GMT"))
    return next(zone for zone in zones if now.astimezone(zone).hour in (19, 20))


def agendas(database: Database, guru: SeededGuru) -> list[str]:
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT plain FROM dev_mailbox WHERE key LIKE %s"
        return [row[0] for row in conn.execute(query, [f"agenda-{guru.id}-%"]).fetchall()]


async def test_agenda_lists_tomorrows_sessions_once(database: Database, new_guru: NewGuru, now: datetime) -> None:
    guru, morning = new_guru(), new_guru()
    zone = evening_zone(now)
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    for days, name in ((1, "Ada"), (2, "Zoe")):
        booked(database, guru, midnight + timedelta(days=days, hours=9), person_name=name, zone=zone.key)
    booked(database, morning, midnight + timedelta(days=1, hours=9))
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE calendars SET zone = %s WHERE tenant_id = %s", [zone.key, guru.id])
        conn.execute("UPDATE calendars SET zone = 'UTC' WHERE tenant_id = %s", [morning.id])
        if now.hour >= 18:
            conn.execute("DELETE FROM bookings WHERE tenant_id = %s", [morning.id])
    for _ in range(2):
        await remind(database)
    (plain,) = agendas(database, guru)
    assert "You have 1 booking tomorrow." in plain
    assert "9:00\u00a0AM to 10:00\u00a0AM" in plain
    assert "Lesson with Ada" in plain
    assert "Zoe" not in plain
    assert agendas(database, morning) == []
