"""The emails of a busy hour: ten of their own, then one digest, and no lead is left out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import psycopg
import pytest

from sites.leads.digest import EMAILS_PER_HOUR
from tenants.db.jobs import use_jobs_schema
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.factories import SeededGuru, seed_guru, verify_contact_address
from tests.porchlight.mailbox import emails_to

ORIGIN = "https://porchlight.example"
HOUR = clock.now().replace(minute=0, second=0, microsecond=0)  # the same for a test that runs into the next one
_LEAVE = """
INSERT INTO leads (tenant_id, id, name, email, message, address_hash, idempotency_key, digest, created_at)
SELECT %(guru)s, gen_random_uuid(), 'Visitor ' || n, 'v@mail.example', 'x', '', gen_random_uuid()::text, '',
       %(hour)s + n * interval '1 millisecond' - %(hours_ago)s * interval '1 hour'
  FROM generate_series(%(first)s::int, %(last)s) n
RETURNING app.enqueue('leads:notify_guru', jsonb_build_object('lead_id', id, 'tenant_id', tenant_id), NULL)"""
_DIGEST_JOBS = """
SELECT scheduled_at + (app.now() - now()) FROM jobs.procrastinate_jobs
 WHERE task_name = 'leads:send_digest' AND args ->> 'tenant_id' = %s AND status = 'todo'"""
_WAITING = "SELECT count(*) FROM leads WHERE tenant_id = %s AND awaits_digest"


@pytest.fixture
def guru(service_db: psycopg.Connection[Any]) -> SeededGuru:
    """Create a guru without leads, whose contact address is verified."""
    created = seed_guru(service_db, f"digest-{new_id().hex[-10:]}")
    verify_contact_address(service_db, created)
    service_db.execute("DELETE FROM leads WHERE tenant_id = %s", [created.id])
    return created


async def _leave_leads(database: Database, guru: SeededGuru, first: int, last: int, hours_ago: int = 0) -> None:
    """Create leads of one hour and run their jobs."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute(_LEAVE, {"guru": guru.id, "first": first, "last": last, "hour": HOUR, "hours_ago": hours_ago})
    await do_jobs(database, main_origin=ORIGIN)


def _digest_jobs(conn: psycopg.Connection[Any], guru: SeededGuru) -> list[datetime]:
    """Return the times of the digest jobs that wait."""
    return [row[0] for row in conn.execute(_DIGEST_JOBS, [str(guru.id)]).fetchall()]


async def _finish_hour(database: Database, guru: SeededGuru) -> None:
    """Run the digest jobs that wait for the end of the hour."""
    with psycopg.connect(database.service_url) as conn:
        use_jobs_schema(conn)
        conn.execute(
            "UPDATE jobs.procrastinate_jobs SET scheduled_at = now() - interval '1 second'"
            " WHERE task_name = 'leads:send_digest' AND args ->> 'tenant_id' = %s AND status = 'todo'",
            [str(guru.id)],
        )
    await do_jobs(database, main_origin=ORIGIN)


async def test_leads_beyond_ten_an_hour_are_in_one_digest(
    database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    await _leave_leads(database, guru, 1, EMAILS_PER_HOUR)
    assert len(emails_to(service_db, f"{guru.mark}@mail.example")) == EMAILS_PER_HOUR
    assert _digest_jobs(service_db, guru) == []
    await _leave_leads(database, guru, 11, 20)
    await _leave_leads(database, guru, 21, 22)
    assert len(emails_to(service_db, f"{guru.mark}@mail.example")) == EMAILS_PER_HOUR
    assert {(due.minute, due.second) for due in _digest_jobs(service_db, guru)} == {(1, 0)}
    await _finish_hour(database, guru)
    emails = emails_to(service_db, f"{guru.mark}@mail.example")
    assert len(emails) == EMAILS_PER_HOUR + 1
    digest = emails[-1]
    assert digest["subject"] == f"12 new messages for Guru {guru.mark}"
    names = [f"Visitor {number}" for number in range(11, 23)]
    assert [line[2:] for line in digest["plain"].splitlines() if line.startswith("• ")] == names
    assert all(f"<li>{name}</li>" in digest["html"] for name in names)
    assert f"Open your inbox:\n{ORIGIN}/guru/leads\n" in digest["plain"]
    assert service_db.execute(_WAITING, [guru.id]).fetchone() == (0,)


async def test_digest_job_again_sends_no_second_email(
    database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    await _leave_leads(database, guru, 1, 12)
    await _finish_hour(database, guru)
    # As after a worker that died between the email and the record of it.
    service_db.execute(
        "UPDATE leads SET awaits_digest = true WHERE tenant_id = %s AND name IN ('Visitor 11', 'Visitor 12')", [guru.id]
    )
    service_db.execute(
        "SELECT app.enqueue('leads:send_digest', jsonb_build_object('tenant_id', %s::text), NULL)", [str(guru.id)]
    )
    await do_jobs(database, main_origin=ORIGIN)
    assert len(emails_to(service_db, f"{guru.mark}@mail.example")) == EMAILS_PER_HOUR + 1
    assert service_db.execute(_WAITING, [guru.id]).fetchone() == (0,)


async def test_lead_after_digest_is_in_the_next_one(
    database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    await _leave_leads(database, guru, 1, 11, hours_ago=1)
    await _finish_hour(database, guru)
    await _leave_leads(database, guru, 12, 12, hours_ago=1)  # its job was late
    await _finish_hour(database, guru)
    subjects = [email["subject"] for email in emails_to(service_db, f"{guru.mark}@mail.example")]
    assert subjects[EMAILS_PER_HOUR:] == [f"1 new message for Guru {guru.mark}"] * 2


async def test_leads_of_another_hour_get_their_own_emails(
    database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    await _leave_leads(database, guru, 1, EMAILS_PER_HOUR, hours_ago=1)
    await _leave_leads(database, guru, 1, 2)
    assert len(emails_to(service_db, f"{guru.mark}@mail.example")) == EMAILS_PER_HOUR + 2


async def test_digest_names_the_first_fifty(
    database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    await _leave_leads(database, guru, 1, 70)
    await _finish_hour(database, guru)
    digest = emails_to(service_db, f"{guru.mark}@mail.example")[-1]
    assert digest["subject"] == f"60 new messages for Guru {guru.mark}"
    assert digest["plain"].count("• Visitor") == 50
    assert "… and 10 more." in digest["plain"]


async def test_digest_to_typed_address_has_no_names(
    database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    service_db.execute("UPDATE users SET email_verified = false WHERE user_id = %s", [guru.owner])
    await _leave_leads(database, guru, 1, 12)
    await _finish_hour(database, guru)
    digest = emails_to(service_db, f"{guru.mark}@mail.example")[-1]
    assert digest["subject"] == "You have 2 new messages on your site"
    assert "Visitor" not in digest["plain"] + digest["html"]
