"""Emails about reviews: that one waits or is out, and that a session can be reviewed. Never what a review says."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.features.reviews.asking import ask_for_reviews
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, execute
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.owner import GuruOwner
from tests.porchlight.reviews.sessions import end_session, written, written_by_guru

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def of_booking(database: Database, booking: str) -> dict[tuple[str, str], str]:
    """Return the emails about reviews of a booking in the mailbox, each as its whole text."""
    return {key: f"{row['subject']}\n{row['plain']}" for key, row in emails(database, UUID(booking)).items()}


async def test_waiting_review_is_told_without_its_words(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada, person_name="Ada Neighbor")
    await written(ada, booking, 1, "Unspeakable", privateNote="Unspeakable")
    await do_jobs(database)
    found = of_booking(database, booking)
    assert set(found) == {("review_waiting", "guru")}
    ((text),) = found.values()
    assert "Ada Neighbor reviewed" in text
    assert "/guru/reviews" in text
    assert "Unspeakable" not in text
    assert "Choose which emails you get" in text
    await written_by_guru(owner, booking, 1, "Unspeakable, too")
    await do_jobs(database)
    found = of_booking(database, booking)
    assert set(found) == {("review_waiting", "guru"), ("review_out", "guru"), ("review_out", "person")}
    assert "Unspeakable" not in str(found)


async def test_guru_hears_of_waiting_reviews_once_a_day(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    for _ in range(3):
        ada = await create_user("Ada Neighbor")
        await written(ada, end_session(database, owner.guru, ada))
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT count(*) FROM booking_emails WHERE tenant_id = %s AND kind = 'review_waiting'"
        assert conn.execute(query, [owner.guru.id]).fetchone() == (1,)


@pytest.mark.parametrize(
    ("since_end", "expected"),
    [
        (2 * HOUR - timedelta(minutes=1), set()),
        (2 * HOUR, {"review_open"}),
        (26 * HOUR, set()),
        (12 * DAY - timedelta(minutes=1), set()),
        (12 * DAY, {"review_last"}),
        (13 * DAY, set()),
    ],
)
async def test_review_reminders_are_due_after_session(
    create_user: CreateUser, owner: GuruOwner, database: Database, since_end: timedelta, expected: set[str]
) -> None:
    ada = await create_user("Ada Neighbor")
    starts_at = clock.now() - since_end - HOUR
    booking = end_session(database, owner.guru, ada, starts_at=starts_at)
    assert _queued(database, booking) == expected


@pytest.mark.parametrize(
    "columns",
    [{"status": "missed"}, {"status": "canceled"}, {"customer_token": "019aeb3c-1111-7111-8111-222222222222"}],
)
async def test_review_reminders_skip_who_cannot_write(
    create_user: CreateUser, owner: GuruOwner, database: Database, columns: dict[str, Any]
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada, starts_at=_two_hours_ago(), **columns)
    assert _queued(database, booking) == set()


async def test_review_reminder_stops_once_written(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada, starts_at=_two_hours_ago())
    assert _queued(database, booking) == {"review_open"}
    await written(ada, booking)
    await do_jobs(database)
    assert ("review_open", "person") not in of_booking(database, booking)
    # Who comes again soon is not asked again.
    again = end_session(database, owner.guru, ada, starts_at=_two_hours_ago() - 2 * HOUR)
    assert _queued(database, again) == set()


async def test_review_reminder_follows_flag_and_choice(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    flag = "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'reviews', false)"
    execute(database, flag, owner.guru.id)
    booking = end_session(database, owner.guru, ada, starts_at=_two_hours_ago())
    assert _queued(database, booking) == set()
    execute(database, "DELETE FROM guru_flags WHERE tenant_id = %s AND name = 'reviews'", owner.guru.id)
    execute(database, "INSERT INTO email_settings (user_id, kind, is_on) VALUES (%s, 'reviews', false)", ada.user_id)
    assert _queued(database, booking) == {"review_open"}
    await do_jobs(database)
    assert of_booking(database, booking) == {}


def _two_hours_ago() -> datetime:
    return clock.now() - 3 * HOUR - timedelta(minutes=1)


def _queued(database: Database, booking: str) -> set[str]:
    """Run the minute's job, and return the kinds of emails about reviews that a booking has then."""
    with psycopg.connect(database.service_url) as conn:
        ask_for_reviews(conn)
        query = "SELECT kind FROM booking_emails WHERE booking_id = %s AND kind LIKE 'review%%'"
        return {kind for (kind,) in conn.execute(query, [booking]).fetchall()}
