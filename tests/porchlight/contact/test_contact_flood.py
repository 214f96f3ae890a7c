"""A flood of contact messages: senders prove work, honest visitors get through, and the staff gets digests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.contact.actions import MESSAGES_PER_HOUR
from porchlight.features.contact.emails import EMAILS_PER_HOUR, MAX_MESSAGES
from tenants.db.jobs import use_jobs_schema
from tenants.db.rate_limit import hash_sender
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.fixtures.proofs import solve
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.mailbox import emails_to

MESSAGE = {"name": "Ada Alvarez", "email": "ada@example.com", "subject": "Fees", "message": "Hello", "website": ""}
HOUR = clock.now().replace(minute=0, second=0, microsecond=0)  # the same for a test that runs into the next one
STAFF = "digests@porchlight.example"
_FLOOD = """
INSERT INTO contact_messages (id, name, email, subject, message, address_hash, network_hash, idempotency_key, digest)
SELECT gen_random_uuid(), 'x', 'x@x.example', 'x', 'x', %s, %s, gen_random_uuid()::text, ''
  FROM generate_series(1, %s)"""
_ENQUEUE = """
INSERT INTO contact_messages (id, name, email, subject, message, address_hash, idempotency_key, digest, created_at)
SELECT gen_random_uuid(), 'Sender ' || n, 's' || n || '@mail.example', '', 'Words ' || n, '', gen_random_uuid()::text,
       '', %s + n * interval '1 millisecond'
  FROM generate_series(%s::int, %s) n
RETURNING app.enqueue('contact:notify_staff', jsonb_build_object('message_id', id), NULL)"""
_DIGEST_JOBS = "FROM jobs.procrastinate_jobs WHERE task_name = 'contact:send_digest' AND status = 'todo'"


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with run_app(database, limits="on") as created:
        yield created


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """An autocommit connection to a database without messages and their emails."""
    with psycopg.connect(database.service_url, autocommit=True) as created:
        created.execute("DELETE FROM contact_messages")
        created.execute("DELETE FROM dev_mailbox WHERE recipient = %s", [STAFF])
        yield created


async def _send(app: Porchlight, key: str, address: str, proof: str = "") -> httpx.Response:
    headers = {"idempotency-key": key} | ({"porchlight-proof": proof} if proof else {})
    async with http_client(app, BASE_HOST, address=address) as web:
        return await web.post("/api/contact", json=MESSAGE, headers=headers)


def _flood(app: Porchlight, conn: psycopg.Connection[Any], addresses: list[str], count: int = 1) -> None:
    """Store messages of this hour, as an attacker who solves each challenge leaves them."""
    senders = [hash_sender(app.settings.address_secret, address, purpose="contact") for address in addresses]
    with conn.cursor() as cursor:
        cursor.executemany(_FLOOD, [(sender.address_hash, sender.network_hash, count) for sender in senders])


def _count(conn: psycopg.Connection[Any]) -> int:
    row = conn.execute("SELECT count(*) FROM contact_messages").fetchone()
    return int(row[0]) if row else -1


@pytest.mark.parametrize("address_count", [30, 300])
async def test_contact_flood_refuses_no_honest_visitor(
    app: Porchlight, conn: psycopg.Connection[Any], address_count: int
) -> None:
    attackers = [f"10.{number // 250}.{number % 250}.7" for number in range(address_count)]
    _flood(app, conn, attackers, MESSAGES_PER_HOUR.per_address)
    before = _count(conn)
    for number in range(3):
        address = f"198.51.{number}.20"
        challenged = await _send(app, f"honest-{number}", address)
        error = challenged.json()["error"]
        assert (challenged.status_code, error["code"]) == (429, "proof_required")
        assert (await _send(app, f"honest-{number}", address, solve(error["challenge"]))).status_code == 201
    assert _count(conn) == before + 3


async def test_contact_network_has_one_share_of_the_hour(app: Porchlight, conn: psycopg.Connection[Any]) -> None:
    _flood(app, conn, [f"192.0.2.{number}" for number in range(1, MESSAGES_PER_HOUR.per_network + 1)])
    refused = await _send(app, "same", "192.0.2.200")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limited")
    challenge = (await _send(app, "other", "192.0.3.1")).json()["error"]["challenge"]
    assert (await _send(app, "other", "192.0.3.1", solve(challenge))).status_code == 201


async def test_contact_proof_is_good_for_one_message(app: Porchlight, conn: psycopg.Connection[Any]) -> None:
    _flood(app, conn, [f"10.0.{number}.7" for number in range(MESSAGES_PER_HOUR.flood_from)])
    proof = solve((await _send(app, "k1", "192.0.2.1")).json()["error"]["challenge"])
    assert (await _send(app, "k2", "192.0.2.1", proof)).json()["error"]["code"] == "proof_required"
    assert (await _send(app, "k1", "192.0.2.1", "x" * 5000)).json()["error"]["code"] == "proof_required"
    assert [(await _send(app, "k1", "192.0.2.1", proof)).status_code for _ in range(2)] == [201, 200]
    assert _count(conn) == MESSAGES_PER_HOUR.flood_from + 1


async def _receive(database: Database, conn: psycopg.Connection[Any], first: int, last: int) -> None:
    """Store messages of this hour and run their jobs."""
    conn.execute(_ENQUEUE, [HOUR, first, last])
    await do_jobs(database, staff_address=STAFF)


async def _finish_hour(database: Database, conn: psycopg.Connection[Any]) -> None:
    """Run the digest job that waits for the end of the hour."""
    with conn.transaction():
        use_jobs_schema(conn)
        conn.execute(f"UPDATE jobs.procrastinate_jobs SET scheduled_at = now() WHERE id IN (SELECT id {_DIGEST_JOBS})")
    await do_jobs(database, staff_address=STAFF)


async def test_contact_messages_beyond_ten_an_hour_are_in_digest(
    database: Database, conn: psycopg.Connection[Any]
) -> None:
    await _receive(database, conn, 1, 12)
    await _receive(database, conn, 13, 14)
    assert len(emails_to(conn, STAFF)) == EMAILS_PER_HOUR
    minute = "extract(minute FROM scheduled_at + (app.now() - now()))::int"
    assert conn.execute(f"SELECT DISTINCT {minute} {_DIGEST_JOBS}").fetchall() == [(1,)]
    await _finish_hour(database, conn)
    *own, digest = emails_to(conn, STAFF)
    assert len(own) == EMAILS_PER_HOUR
    assert digest["subject"] == "4 new messages from the contact form"
    for number in range(11, 15):
        assert f"From: Sender {number}\nEmail: s{number}@mail.example\n\nWords {number}\n" in digest["plain"]
        assert f"Words {number}</blockquote>" in digest["html"]
    assert conn.execute("SELECT count(*) FROM contact_messages WHERE awaits_digest").fetchone() == (0,)


async def test_contact_digests_leave_no_message_out(database: Database, conn: psycopg.Connection[Any]) -> None:
    count = 2 * MAX_MESSAGES + 5
    await _receive(database, conn, 1, EMAILS_PER_HOUR + count)
    await _finish_hour(database, conn)
    digests = emails_to(conn, STAFF)[EMAILS_PER_HOUR:]
    assert len(digests) == 3
    listed = [line for digest in digests for line in digest["plain"].splitlines() if line.startswith("From: ")]
    assert listed == [f"From: Sender {number}" for number in range(EMAILS_PER_HOUR + 1, EMAILS_PER_HOUR + count + 1)]
