"""Emails to a person, and what they say about the cost of canceling their session."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import NewGuru
from tests.porchlight.bookings.booking_emails import NOW, START, book, change, emails

TERMS = {
    "policy": "own", "free_until_minutes": 1440, "late_percent": 50, "missed_percent": 100, "moves_max": 2,
    "move_until_minutes": 1440,
}  # fmt: skip
HELD = {"status": "held", "expires_at": NOW + timedelta(hours=5)}


@pytest.mark.parametrize(
    ("columns", "words", "in_calendar"),
    [
        ({"starts_at": START}, "Cancel free until Monday, May 31, 2027, 9:00 AM MDT. After that, you owe $37.50.",
         "Cancel free until 24 hours before. After that\\, canceling costs 50% of the price."),
        ({"starts_at": NOW + timedelta(hours=5)}, "If you cancel now, you owe $37.50.",
         "Cancel free until 24 hours before."),
        ({"starts_at": START, "terms": TERMS | {"late_percent": 0}}, "Cancel free anytime.", "Cancel free anytime."),
        ({"starts_at": START, "price_cents": 0}, "Cancel free anytime.", "Cancel free anytime."),
    ],
)  # fmt: skip
async def test_booked_email_says_what_canceling_costs(
    database: Database, new_guru: NewGuru, columns: dict[str, Any], words: str, in_calendar: str
) -> None:
    values: dict[str, Any] = {"price_cents": 7500, "terms": TERMS} | HELD | columns
    booking_id = book(database, new_guru(), **values | {"terms": Jsonb(values["terms"])})
    change(database, booking_id, status="confirmed", expires_at=None)
    await do_jobs(database)
    sent = emails(database, booking_id)
    assert f"Cancellation: {words}" in sent["booked", "person"]["plain"].replace("\u00a0", " ")
    assert "Cancellation:" not in sent["booked", "guru"]["plain"]
    assert in_calendar in sent["booked", "person"]["invitation"].replace("\r\n ", "")


async def test_request_email_says_that_withdrawing_is_free(database: Database, new_guru: NewGuru) -> None:
    booking_id = book(database, new_guru(), **HELD)
    change(database, booking_id, status="requested")
    await do_jobs(database)
    assert "Cancellation: Withdraw it free anytime." in emails(database, booking_id)["requested", "person"]["plain"]
