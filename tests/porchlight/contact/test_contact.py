"""The contact form: idempotent, rate limited, emailed by a job of the same transaction."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.contact.actions import MESSAGES_PER_HOUR
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.app_client import BASE_HOST, http_client, run_app

MESSAGE: dict[str, Any] = {
    "name": "Ada Alvarez",
    "email": "ada@example.com",
    "subject": "Fees",
    "message": "Does teaching cost anything?\n\n<b>Ada</b>",
    "website": "",
}


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with run_app(database, limits="on") as created:
        yield created


def _rows(database: Database, where: str = "true") -> list[tuple[Any, ...]]:
    with psycopg.connect(database.superuser_url) as conn:
        return conn.execute(f"SELECT id, email, message FROM contact_messages WHERE {where}").fetchall()


def _jobs(database: Database) -> int:
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'contact:notify_staff'"
        row = conn.execute(query).fetchone()
    return int(row[0]) if row else -1


async def _send(
    app: Porchlight, body: dict[str, Any], *, key: str | None = None, address: str = "203.0.113.1"
) -> httpx.Response:
    async with http_client(app, BASE_HOST, address=address) as web:
        return await web.post("/api/contact", json=body, headers={"idempotency-key": key} if key else {})


async def test_contact_message_is_stored_and_emailed(app: Porchlight, database: Database) -> None:
    before = _jobs(database)
    response = await _send(app, MESSAGE, key="first")
    assert response.status_code == 201
    assert response.json() == {"success": True, "message": "Thank you! Your message has been sent."}
    rows = _rows(database, "idempotency_key = 'first'")
    assert [row[1:] for row in rows] == [("ada@example.com", MESSAGE["message"])]
    assert _jobs(database) == before + 1
    await do_jobs(database, staff_address="staff@example.com")
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT recipient, reply_to, subject, plain, html FROM dev_mailbox WHERE key = %s"
        email = conn.execute(query, [f"contact-{rows[0][0]}"]).fetchone()
    assert email is not None
    assert email[:3] == ("staff@example.com", "ada@example.com", "Fees")
    assert "Does teaching cost anything?" in email[3]
    assert "&lt;b&gt;Ada&lt;/b&gt;" in email[4]
    assert "<b>Ada" not in email[4]


async def test_contact_resend_creates_one_message(app: Porchlight, database: Database) -> None:
    body = MESSAGE | {"message": "Once"}
    responses = await asyncio.gather(*(_send(app, body, key="again", address="203.0.113.2") for _ in range(6)))
    assert sorted(response.status_code for response in responses) == [200] * 5 + [201]
    assert len(_rows(database, "message = 'Once'")) == 1
    other = await _send(app, body | {"message": "Twice"}, key="again", address="203.0.113.2")
    assert other.status_code == 409


async def test_contact_same_text_without_key_is_resend(app: Porchlight, database: Database) -> None:
    body = MESSAGE | {"message": "No key"}
    first, second = [await _send(app, body, address="203.0.113.3") for _ in range(2)]
    assert (first.status_code, second.status_code) == (201, 200)
    assert len(_rows(database, "message = 'No key'")) == 1


async def test_contact_messages_are_limited_per_address(app: Porchlight, database: Database) -> None:
    limit = MESSAGES_PER_HOUR.per_address
    responses = [
        await _send(app, MESSAGE | {"message": f"Flood {n}"}, key=f"flood-{n}", address="203.0.113.4")
        for n in range(limit + 2)
    ]
    assert [response.status_code for response in responses] == [201] * limit + [429] * 2
    assert responses[-1].headers["retry-after"] == "600"
    assert responses[-1].json()["error"]["message"] == "Too many requests. Please wait a moment and try again."
    assert len(_rows(database, "message LIKE 'Flood%'")) == limit
    # A resend succeeds despite the limit, and other addresses are not affected.
    assert (await _send(app, MESSAGE | {"message": "Flood 0"}, key="flood-0", address="203.0.113.4")).status_code == 200
    assert (await _send(app, MESSAGE | {"message": "Calm"}, address="203.0.113.5")).status_code == 201


async def test_contact_limit_counts_ipv6_network_once(app: Porchlight) -> None:
    limit = MESSAGES_PER_HOUR.per_address
    statuses = [
        (await _send(app, MESSAGE | {"message": f"Six {n}"}, address=f"2001:db8:1:2:{n}::1")).status_code
        for n in range(limit + 1)
    ]
    assert statuses == [201] * limit + [429]


async def test_contact_with_honeypot_is_dropped(app: Porchlight, database: Database) -> None:
    response = await _send(app, MESSAGE | {"message": "Buy", "website": "http://spam"}, address="203.0.113.6")
    assert response.status_code == 201
    assert _rows(database, "message = 'Buy'") == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"email": "no"}, "email"),
        ({"email": "a@b"}, "email"),
        ({"email": "zoë@b.example"}, "email"),
        ({"email": "ada@localhost"}, "email"),
        ({"email": "a@b.example\nBcc: x@y.example"}, "email"),
        ({"name": ""}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"name": "a\r\nb"}, "name"),
        ({"subject": "x" * 161}, "subject"),
        ({"subject": "a\nb"}, "subject"),
        ({"message": ""}, "message"),
        ({"message": "x" * 4001}, "message"),
        ({"message": "nul\u0000"}, "message"),
        ({"role": "admin"}, "role"),
    ],
)
async def test_contact_invalid_field_is_named(
    app: Porchlight, database: Database, change: dict[str, Any], field: str
) -> None:
    before = len(_rows(database))
    response = await _send(app, MESSAGE | change, address="203.0.113.7")
    assert list(invalid_fields(response)) == [field]
    assert len(_rows(database)) == before


@pytest.mark.parametrize("key", ["x" * 201, "a b", "é", ""])
async def test_contact_invalid_idempotency_key_is_rejected(app: Porchlight, database: Database, key: str) -> None:
    before = len(_rows(database))
    async with http_client(app, BASE_HOST) as web:
        response = await web.post("/api/contact", json=MESSAGE, headers=[(b"idempotency-key", key.encode())])
    assert list(invalid_fields(response)) == ["Idempotency-Key"]
    assert len(_rows(database)) == before


async def test_contact_on_guru_host_is_not_found(app: Porchlight, database: Database) -> None:
    from tenants.tenancy.lifecycle import NewGuru, create_guru

    with psycopg.connect(database.service_url) as conn:
        create_guru(conn, NewGuru("elsewhere", "Elsewhere", "general", ""))
    before = len(_rows(database))
    async with http_client(app, f"elsewhere.{BASE_HOST}") as web:
        assert refusal(await web.post("/api/contact", json=MESSAGE)) == (404, "not_found")
    assert len(_rows(database)) == before
