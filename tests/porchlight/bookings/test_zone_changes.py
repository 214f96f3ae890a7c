"""Rules of a time zone that changed: sessions stay at their local time, and both sides learn the new instant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
import pytest
from psycopg.types.range import Range

from porchlight.features.bookings.zone_changes import follow_zone_rules
from tenants.kit.ids import new_id
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import NewGuru
from tests.porchlight.bookings.booking_emails import book, emails
from tests.porchlight.factories import SeededGuru, insert_row

ZONE = "America/Vancouver"
YEAR = INSTANT.year + 1  # ahead at each of the suite's clocks
NINE = datetime(YEAR, 12, 1, 9)  # noqa: DTZ001 - by the clocks of ZONE
BEFORE = datetime(YEAR, 12, 1, 17, tzinfo=UTC)  # by the rules until 2026
TODAY = datetime(YEAR, 12, 1, 16, tzinfo=UTC)
HOUR = timedelta(hours=1)


def agreed(database: Database, guru: SeededGuru, starts_at: datetime = BEFORE, **columns: object) -> UUID:
    """Create a booking at NINE by the rules of before."""
    booking_id = book(database, guru, starts_at=starts_at, zone=ZONE, **columns)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE appointments a SET local_start = %s FROM bookings b WHERE b.id = %s AND a.id = b.appointment_id",
            [NINE, booking_id],
        )
    return booking_id


def times(database: Database, booking_id: UUID) -> tuple[datetime, datetime, datetime, int]:
    """Return the start of a booking and of its appointment, the end of the latter with cleanup, and the sequence."""
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute(
            "SELECT b.starts_at, a.starts_at, upper(a.blocked), b.sequence FROM bookings b JOIN appointments a"
            " ON a.tenant_id = b.tenant_id AND a.id = b.appointment_id WHERE b.id = %s",
            [booking_id],
        ).fetchone()
    assert row is not None
    return row


async def test_session_stays_at_its_local_time(database: Database, new_guru: NewGuru) -> None:
    booking_id = agreed(database, new_guru())
    follow_zone_rules(database.service_url)
    assert times(database, booking_id) == (TODAY, TODAY, TODAY + HOUR, 1)
    await do_jobs(database)
    sent = emails(database, booking_id)
    assert set(sent) == {("clocks_changed", "person"), ("clocks_changed", "guru")}
    text = sent["clocks_changed", "person"]["plain"].replace("\N{NO-BREAK SPACE}", " ")
    assert f"{NINE:%A}, December 1, {YEAR}, 9:00 AM to 10:00 AM MST" in text
    assert follow_zone_rules(database.service_url) == 0
    assert times(database, booking_id)[-1] == 1


@pytest.mark.parametrize("status", ["held", "requested"])
async def test_open_request_stays_at_its_local_time(database: Database, new_guru: NewGuru, status: str) -> None:
    booking_id = agreed(database, new_guru(), status=status, expires_at=BEFORE - HOUR)
    follow_zone_rules(database.service_url)
    assert times(database, booking_id)[:2] == (TODAY, TODAY)
    await do_jobs(database)
    assert emails(database, booking_id) == {}


def test_sessions_in_a_row_move_in_order(database: Database, new_guru: NewGuru) -> None:
    guru = new_guru()
    first = agreed(database, guru)
    second = book(database, guru, starts_at=BEFORE + HOUR, zone=ZONE)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE appointments a SET local_start = %s FROM bookings b WHERE b.id = %s AND a.id = b.appointment_id",
            [NINE + HOUR, second],
        )
    follow_zone_rules(database.service_url)
    assert [times(database, each)[1] for each in (first, second)] == [TODAY, TODAY + HOUR]


def test_block_keeps_both_local_times(database: Database, new_guru: NewGuru) -> None:
    guru, block = new_guru(), new_id()
    with psycopg.connect(database.service_url) as conn:
        row = {
            "tenant_id": guru.id, "id": block, "kind": "block", "starts_at": BEFORE, "ends_at": BEFORE + 8 * HOUR,
            "zone": ZONE, "blocked": Range(BEFORE, BEFORE + 8 * HOUR), "local_start": NINE,
            "local_end": NINE + 8 * HOUR,
        }  # fmt: skip
        insert_row(conn, "appointments", row)
    follow_zone_rules(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        found = conn.execute("SELECT starts_at, ends_at FROM appointments WHERE id = %s", [block]).fetchone()
    assert found == (TODAY, TODAY + 8 * HOUR)


def test_time_without_local_time_gets_that_of_today(database: Database, new_guru: NewGuru) -> None:
    booking_id = book(database, new_guru(), starts_at=TODAY, zone=ZONE)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE appointments SET local_start = NULL")
    follow_zone_rules(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        found = conn.execute("SELECT local_start FROM appointments a JOIN bookings b ON a.id = b.appointment_id"
                             " WHERE b.id = %s", [booking_id]).fetchone()  # fmt: skip
    assert found == (NINE,)
    assert times(database, booking_id)[0] == TODAY


def test_second_of_two_equal_local_times_is_kept(database: Database, new_guru: NewGuru) -> None:
    first_sunday = 1 + (6 - datetime(YEAR, 11, 1, tzinfo=UTC).weekday()) % 7
    second = datetime(YEAR, 11, first_sunday, 8, 30, tzinfo=UTC)  # 1:30 in Denver for the second time
    booking_id = book(database, new_guru(), starts_at=second, zone="America/Denver")
    follow_zone_rules(database.service_url)
    assert times(database, booking_id)[0] == second


def test_session_in_the_way_is_left_at_its_instant(database: Database, new_guru: NewGuru) -> None:
    guru = new_guru()
    other = book(database, guru, starts_at=TODAY, zone="America/Denver")
    booking_id = agreed(database, guru)
    follow_zone_rules(database.service_url)
    assert [times(database, each)[0] for each in (other, booking_id)] == [TODAY, BEFORE]
