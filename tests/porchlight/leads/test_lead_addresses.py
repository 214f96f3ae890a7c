"""The answer of the owner of a lead's address about email from a site, and what follows from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from sites.leads.address_confirmation import AddressToken
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures import seeded
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import refusal
from tests.porchlight.app_client import http_client, run_app
from tests.porchlight.auth.api_client import create_session_cookie
from tests.porchlight.factories import insert_row, seed_lead
from tests.porchlight.mailbox import emails_to, extract_token
from tests.porchlight.owner import GuruOwner

Connection = psycopg.Connection[Any]

LEAD = {"name": "Nora", "message": "Bread?", "consent": True}
BLOCKED = "This person doesn't want email from your site, so we didn't send your reply."
LIMIT_WORDS = (
    "You can send 20 replies a day to people who haven't confirmed that they wrote to you. Please try again later."
)


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator) -> AsyncIterator[Porchlight]:
    """The app with rate limits."""
    settings = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host, "limits": "on"}
    async with run_app(database, **settings) as created:
        yield created


@pytest.fixture
def visitor() -> str:
    """An address that no other test uses, typed with capitals."""
    return f"Nora-{new_id().hex[-10:]}@mail.example"


@pytest.fixture
def new_site(rosa: GuruOwner, service_db: Connection) -> GuruOwner:
    """A guru whose site began today, without leads."""
    service_db.execute("UPDATE gurus SET created_at = app.now() WHERE id = %s", [rosa.guru.id])
    service_db.execute("DELETE FROM leads WHERE tenant_id = %s", [rosa.guru.id])
    service_db.execute("DELETE FROM lead_addresses WHERE tenant_id = %s", [rosa.guru.id])
    return rosa


async def _leave_lead(app: Porchlight, owner: GuruOwner, email: str, **headers: str) -> None:
    """Leave a lead from an address of its own, so that no limit of the form applies."""
    address = f"2001:db8:0:{new_id().hex[-4:]}::1"
    body = LEAD | {"email": email, "message": seeded.text()}
    async with http_client(app, owner.guru.host, address=address) as web:
        response = await web.post(f"/api/gurus/{owner.guru.label}/leads", json=body, headers=headers)
    assert response.status_code == 201, response.text


def _state(conn: Connection, owner: GuruOwner, email: str) -> str | None:
    query = "SELECT state FROM lead_addresses WHERE tenant_id = %s AND email = lower(%s)"
    row = conn.execute(query, [owner.guru.id, email]).fetchone()
    return row[0] if row else None


def _create_address(conn: Connection, owner: GuruOwner, email: str, state: str = "unconfirmed") -> str:
    """Create an address of the site's leads. Return the token of its link."""
    token = AddressToken(owner.guru.id, new_id())
    row = {"tenant_id": owner.guru.id, "email": email.lower(), "state": state, "token": token.token}
    insert_row(conn, "lead_addresses", row)
    return token.text


LIMITED = (429, "unconfirmed_limit")


def _leads(conn: Connection, owner: GuruOwner, count: int) -> list[UUID]:
    """Create leads with different addresses."""
    return [seed_lead(conn, owner.guru, new_id().hex, email=f"{new_id().hex}@mail.example") for _ in range(count)]


def _reply_before(conn: Connection, owner: GuruOwner, leads: list[UUID], ago: timedelta = timedelta(hours=2)) -> None:
    """Create a reply to each lead at a time in the past."""
    for lead in leads:
        row = {"tenant_id": owner.guru.id, "lead_id": lead, "id": new_id(), "body": "Yes!"}
        insert_row(conn, "lead_replies", row | {"idempotency_key": new_id().hex, "created_at": clock.now() - ago})


async def _reply(owner: GuruOwner, lead: UUID) -> httpx.Response:
    return await owner.web.post(f"/api/guru/leads/{lead}/answers", json={"body": f"Yes! {seeded.text()}"})


async def test_address_link_changes_with_put_only(
    web: httpx.AsyncClient, rosa: GuruOwner, service_db: Connection, visitor: str
) -> None:
    path = f"/api/lead-addresses/{_create_address(service_db, rosa, visitor)}"
    expected = {"site": "alpha.porchlight.localhost", "label": "alpha", "state": "unconfirmed"}
    for _ in range(2):  # a mail scanner and the visitor open it
        response = await web.get(path)
        assert (response.status_code, response.json()["data"]) == (200, expected)
    for state in ("blocked", "confirmed", "blocked"):
        changed = await web.put(path, json={"state": state})
        assert (changed.status_code, changed.json()["data"]) == (200, expected | {"state": state})
        assert (await web.get(path)).json()["data"]["state"] == state
        assert _state(service_db, rosa, visitor) == state
    assert (await web.put(path, json={"state": "unconfirmed"})).status_code == 422


async def test_mail_program_blocks_the_site(
    web: httpx.AsyncClient, rosa: GuruOwner, service_db: Connection, visitor: str
) -> None:
    path = f"/api/lead-addresses/{_create_address(service_db, rosa, visitor)}"
    opened = await web.get(f"{path}/unsubscription")
    assert opened.status_code == 303
    assert opened.headers["location"].endswith(path.replace("/api/lead-addresses/", "/mail/"))
    assert (await web.post(f"{path}/unsubscription", data={"x": "y"})).status_code == 400
    assert _state(service_db, rosa, visitor) == "unconfirmed"
    for _ in range(2):
        response = await web.post(f"{path}/unsubscription", data={"List-Unsubscribe": "One-Click"})
        assert response.json() == {"success": True, "message": "You won't get email from this site anymore."}
    assert _state(service_db, rosa, visitor) == "blocked"


async def test_address_link_unknown_is_not_found(
    web: httpx.AsyncClient, rosa: GuruOwner, theo: GuruOwner, service_db: Connection, visitor: str
) -> None:
    token = _create_address(service_db, rosa, visitor)
    of_other_site = theo.guru.id.hex + token[32:]
    for unknown in (of_other_site, rosa.guru.id.hex + new_id().hex, token[:-1], token.upper(), "x" * 64, "%00"):
        path = f"/api/lead-addresses/{unknown}"
        for response in (await web.get(path), await web.put(path, json={"state": "blocked"})):
            assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found"), unknown
    assert _state(service_db, rosa, visitor) == "unconfirmed"


async def test_blocked_address_gets_no_email_from_site(
    app: Porchlight, web: httpx.AsyncClient, rosa: GuruOwner, theo: GuruOwner, service_db: Connection,
    database: Database, visitor: str,
) -> None:  # fmt: skip
    await _leave_lead(app, rosa, visitor)
    await do_jobs(database)
    (receipt,) = emails_to(service_db, visitor)
    (row,) = (await rosa.call("GET", "/leads", params={"q": visitor}))["leads"]
    lead = UUID(row["id"])
    assert (await rosa.call("GET", f"/leads/{lead}"))["addressState"] == "unconfirmed"
    assert (await _reply(rosa, lead)).status_code == 201  # its job has not begun
    blocked = await web.put(f"/api/lead-addresses/{extract_token(receipt['plain'])}", json={"state": "blocked"})
    assert blocked.status_code == 200

    response = await _reply(rosa, lead)
    assert (response.status_code, response.json()["error"]["code"]) == (409, "address_blocked")
    assert response.json()["error"]["message"] == BLOCKED
    service_db.execute("UPDATE leads SET created_at = created_at - interval '25 hours' WHERE id = %s", [lead])
    await _leave_lead(app, rosa, visitor.upper())
    await do_jobs(database)
    assert emails_to(service_db, visitor) == [receipt]
    assert emails_to(service_db, visitor.upper().replace("MAIL.EXAMPLE", "mail.example")) == []
    shown = await rosa.call("GET", f"/leads/{lead}")
    assert (shown["addressState"], [answer["sentAt"] for answer in shown["answers"]]) == ("blocked", [None])

    await _leave_lead(app, theo, visitor)
    await do_jobs(database)
    assert [email["subject"] for email in emails_to(service_db, visitor)[1:]] == ["We sent your message"]


async def test_new_site_has_daily_limit_of_unconfirmed(new_site: GuruOwner, service_db: Connection) -> None:
    *answered, last, late = _leads(service_db, new_site, 21)
    _reply_before(service_db, new_site, answered)
    assert (await _reply(new_site, last)).status_code == 201
    response = await _reply(new_site, late)
    assert (response.status_code, response.json()["error"]["code"]) == (429, "unconfirmed_limit")
    assert response.json()["error"]["message"] == LIMIT_WORDS
    assert 22 * 3600 - 600 < int(response.headers["retry-after"]) <= 22 * 3600
    unsent = service_db.execute("SELECT 1 FROM lead_replies WHERE lead_id = %s", [late]).fetchall()
    assert unsent == []


async def test_unconfirmed_limit_grows_with_confirmed_addresses(
    new_site: GuruOwner, service_db: Connection, visitor: str
) -> None:
    """Limit a site after its first month too, when it once could mail anyone."""
    *answered, late = _leads(service_db, new_site, 21)
    _reply_before(service_db, new_site, answered)
    age = "UPDATE gurus SET created_at = app.now() - %s WHERE id = %s"
    for days in (29, 31, 400):
        service_db.execute(age, [timedelta(days=days), new_site.guru.id])
        assert refusal(await _reply(new_site, late)) == LIMITED
    _create_address(service_db, new_site, visitor, "confirmed")
    changed = "UPDATE lead_addresses SET changed_at = app.now() - %s WHERE tenant_id = %s AND email = lower(%s)"
    service_db.execute(changed, [timedelta(days=31), new_site.guru.id, visitor])
    assert refusal(await _reply(new_site, late)) == LIMITED, "it was confirmed long ago"
    service_db.execute(changed, [timedelta(days=1), new_site.guru.id, visitor])
    service_db.execute(age, [timedelta(days=29), new_site.guru.id])
    assert refusal(await _reply(new_site, late)) == LIMITED, "the site is new"
    service_db.execute(age, [timedelta(days=31), new_site.guru.id])
    assert (await _reply(new_site, late)).status_code == 201


async def test_unconfirmed_limit_counts_last_24_hours(new_site: GuruOwner, service_db: Connection) -> None:
    *answered, late = _leads(service_db, new_site, 21)
    _reply_before(service_db, new_site, answered[:19])
    _reply_before(service_db, new_site, answered[19:], timedelta(hours=25))
    assert (await _reply(new_site, late)).status_code == 201
    sent = "SELECT count(*) FROM lead_replies WHERE lead_id = %s"
    assert service_db.execute(sent, [late]).fetchone() == (1,)


async def test_unconfirmed_limit_spares_confirmed_address(
    web: httpx.AsyncClient, new_site: GuruOwner, service_db: Connection, visitor: str
) -> None:
    leads = _leads(service_db, new_site, 20)
    _reply_before(service_db, new_site, leads)
    late = seed_lead(service_db, new_site.guru, new_id().hex, email=visitor)
    assert (await _reply(new_site, late)).status_code == 429
    token = _create_address(service_db, new_site, visitor)
    await web.put(f"/api/lead-addresses/{token}", json={"state": "confirmed"})
    assert (await _reply(new_site, late)).status_code == 201
    # Replies to confirmed addresses do not count, so another address can be answered as soon as one is confirmed.
    other = seed_lead(service_db, new_site.guru, new_id().hex, email=f"other-{visitor}")
    assert (await _reply(new_site, other)).status_code == 429
    email = service_db.execute("SELECT email FROM leads WHERE id = %s", [leads[0]]).fetchone()
    assert email is not None
    _create_address(service_db, new_site, email[0], "confirmed")
    assert (await _reply(new_site, other)).status_code == 201


async def test_unconfirmed_limit_holds_for_parallel_replies(new_site: GuruOwner, service_db: Connection) -> None:
    *answered, first, second, third = _leads(service_db, new_site, 22)
    _reply_before(service_db, new_site, answered)
    responses = await asyncio.gather(*(_reply(new_site, lead) for lead in (first, second, third)))
    assert [refusal(response) for response in responses if response.is_error] == [LIMITED] * 2
    count = "SELECT count(*) FROM lead_replies WHERE tenant_id = %s"
    assert service_db.execute(count, [new_site.guru.id]).fetchone() == (20,)


async def test_signed_in_visitor_confirms_own_address(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, rosa: GuruOwner, service_db: Connection
) -> None:
    email, _, token = emulator.sign_up(verified=True)
    cookie = await create_session_cookie(web, token)
    own, foreign = f"http://{rosa.guru.host}", "http://beta.porchlight.localhost"
    await _leave_lead(app, rosa, f"other-{email}", **cookie, origin=own)
    await _leave_lead(app, rosa, email, **cookie)
    await _leave_lead(app, rosa, email, **cookie, origin=foreign)
    assert _state(service_db, rosa, f"other-{email}") is None
    assert _state(service_db, rosa, email) is None
    await _leave_lead(app, rosa, email.upper().replace("MAIL.EXAMPLE", "mail.example"), **cookie, origin=own)
    assert _state(service_db, rosa, email) == "confirmed"


async def test_visitor_with_unverified_address_is_unconfirmed(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, rosa: GuruOwner, service_db: Connection
) -> None:
    email, _, token = emulator.sign_up()
    cookie = await create_session_cookie(web, token)
    await _leave_lead(app, rosa, email, **cookie, origin=f"http://{rosa.guru.host}")
    assert _state(service_db, rosa, email) is None


async def test_signed_in_form_without_script_confirms(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, rosa: GuruOwner, service_db: Connection
) -> None:
    email, _, token = emulator.sign_up(verified=True)
    _create_address(service_db, rosa, email, "blocked")  # by mistake, some time ago
    headers = await create_session_cookie(web, token) | {"origin": f"http://{rosa.guru.host}"}
    async with http_client(app, rosa.guru.host, address="2001:db8:1::1") as site:
        sent = await site.post("/contact", data=LEAD | {"email": email, "consent": "on"}, headers=headers)
    assert sent.status_code == 303
    assert _state(service_db, rosa, email) == "confirmed"
