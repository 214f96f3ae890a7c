"""The contact form: kept once, limited, mailed by job in the same transaction."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.contact.actions import ContactLimits
from porchlight.notices.contact import letter_about_message
from tests.platform_.world import BASE, serving, visitor
from tests.support.databases import Database

MESSAGE: dict[str, Any] = {
    "name": "Ada Alvarez",
    "email": "ada@example.com",
    "subject": "Fees",
    "message": "Does teaching cost anything?\n\n<b>Ada</b>",
    "website": "",
}


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with serving(database, limits="on") as made:
        yield made


def _rows(database: Database, where: str = "true") -> list[tuple[Any, ...]]:
    with psycopg.connect(database.superuser_url) as conn:
        return conn.execute(f"SELECT id, email, message FROM contact_messages WHERE {where}").fetchall()


def _jobs(database: Database) -> int:
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'tell_staff_of_message'"
        row = conn.execute(query).fetchone()
    return int(row[0]) if row else -1


async def _send(
    app: Porchlight, body: dict[str, Any], *, key: str | None = None, address: str = "203.0.113.1"
) -> httpx.Response:
    async with visitor(app, BASE, address=address) as web:
        return await web.post("/api/contact", json=body, headers={"idempotency-key": key} if key else {})


async def test_a_message_is_kept_and_mailed(app: Porchlight, database: Database) -> None:
    before = _jobs(database)
    answer = await _send(app, MESSAGE, key="first")
    assert answer.status_code == 201
    assert answer.json() == {"success": True, "message": "Thank you! Your message has been sent."}
    rows = _rows(database, "idempotency_key = 'first'")
    assert [row[1:] for row in rows] == [("ada@example.com", MESSAGE["message"])]
    assert _jobs(database) == before + 1
    with psycopg.connect(database.overseer_url) as conn:
        letter = letter_about_message(conn, rows[0][0], "staff@example.com")
    assert letter is not None
    assert (letter.recipient, letter.reply_to, letter.subject) == ("staff@example.com", "ada@example.com", "Fees")
    assert "Does teaching cost anything?" in letter.plain
    assert "&lt;b&gt;Ada&lt;/b&gt;" in letter.html
    assert "<b>Ada" not in letter.html


async def test_sent_again_it_is_one(app: Porchlight, database: Database) -> None:
    body = MESSAGE | {"message": "Once"}
    answers = await asyncio.gather(*(_send(app, body, key="again", address="203.0.113.2") for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert len(_rows(database, "message = 'Once'")) == 1
    other = await _send(app, body | {"message": "Twice"}, key="again", address="203.0.113.2")
    assert other.status_code == 409


async def test_without_a_key_the_same_words_are_one(app: Porchlight, database: Database) -> None:
    body = MESSAGE | {"message": "No key"}
    first, second = [await _send(app, body, address="203.0.113.3") for _ in range(2)]
    assert (first.status_code, second.status_code) == (201, 200)
    assert len(_rows(database, "message = 'No key'")) == 1


async def test_one_address_is_limited(app: Porchlight, database: Database) -> None:
    most = ContactLimits().per_address
    answers = [
        await _send(app, MESSAGE | {"message": f"Flood {n}"}, key=f"flood-{n}", address="203.0.113.4")
        for n in range(most + 2)
    ]
    assert [answer.status_code for answer in answers] == [201] * most + [429] * 2
    assert answers[-1].headers["retry-after"] == "600"
    assert answers[-1].json()["error"]["message"] == "Too many requests. Please wait a moment and try again."
    assert len(_rows(database, "message LIKE 'Flood%'")) == most
    # A resend of what was kept is answered as it was; somebody else is not concerned.
    assert (await _send(app, MESSAGE | {"message": "Flood 0"}, key="flood-0", address="203.0.113.4")).status_code == 200
    assert (await _send(app, MESSAGE | {"message": "Calm"}, address="203.0.113.5")).status_code == 201


async def test_one_network_of_ipv6_is_one_address(app: Porchlight) -> None:
    most = ContactLimits().per_address
    statuses = [
        (await _send(app, MESSAGE | {"message": f"Six {n}"}, address=f"2001:db8:1:2:{n}::1")).status_code
        for n in range(most + 1)
    ]
    assert statuses == [201] * most + [429]


async def test_the_honeypot_is_thanked(app: Porchlight, database: Database) -> None:
    answer = await _send(app, MESSAGE | {"message": "Buy", "website": "http://spam"}, address="203.0.113.6")
    assert answer.status_code == 201
    assert _rows(database, "message = 'Buy'") == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"email": "no"}, "email"),
        ({"email": "a@b"}, "email"),
        ({"email": "a@b.example\nBcc: x@y.example"}, "email"),
        ({"name": ""}, "name"),
        ({"name": "a\r\nb"}, "name"),
        ({"subject": "x" * 161}, "subject"),
        ({"subject": "a\nb"}, "subject"),
        ({"message": ""}, "message"),
        ({"message": "x" * 4001}, "message"),
        ({"message": "nul\u0000"}, "message"),
        ({"role": "admin"}, "role"),
    ],
)
async def test_wrong_fields_are_named(app: Porchlight, database: Database, change: dict[str, Any], field: str) -> None:
    before = len(_rows(database))
    answer = await _send(app, MESSAGE | change, address="203.0.113.7")
    assert answer.status_code == 422
    assert field in answer.json()["error"]["fields"]
    assert len(_rows(database)) == before


@pytest.mark.parametrize("key", ["x" * 201, "a b", "é", ""])
async def test_a_strange_key_is_refused(app: Porchlight, key: str) -> None:
    async with visitor(app, BASE) as web:
        answer = await web.post("/api/contact", json=MESSAGE, headers=[(b"idempotency-key", key.encode())])
    assert answer.status_code == 422


async def test_guru_hosts_do_not_answer_it(app: Porchlight, database: Database) -> None:
    from tenants.lifecycle import NewGuru, create

    with psycopg.connect(database.overseer_url) as conn:
        create(conn, NewGuru("elsewhere", "Elsewhere", "general", ""))
    async with visitor(app, f"elsewhere.{BASE}") as web:
        assert (await web.post("/api/contact", json=MESSAGE)).status_code == 404
