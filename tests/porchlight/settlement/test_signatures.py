"""The webhook over HTTP: tampered, replayed, oversized and wrong-mode events never cause a server error."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.settings.environment import Settings
from tenants.kit import clock
from tenants.tenancy.lifecycle import NewGuru, create_guru
from tests.fixtures.databases import Database
from tests.fixtures.refusals import refusal
from tests.porchlight.app_client import BASE_HOST, http_client, run_app

PATH = "/api/stripe/webhooks"
PLATFORM, CONNECT, OLD = "whsec_platform", "whsec_connect", "whsec_old"


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    """The app with both endpoints' secrets. No request of these tests reaches Stripe."""
    parts: dict[str, Any] = {
        "stripe_secret_key": "sk_test_x", "stripe_webhook_secret": f"{PLATFORM},{OLD}",
        "stripe_connect_webhook_secret": CONNECT, "stripe_api_base": "http://127.0.0.1:1",
    }  # fmt: skip
    async with run_app(database, **parts) as created:
        yield created


def event(event_id: str, **changes: Any) -> bytes:
    values: dict[str, Any] = {
        "id": event_id, "object": "event", "type": "payout.paid",
        "created": int(clock.now().timestamp()), "livemode": False,
        "account": "acct_1", "data": {"object": {"id": "po_1", "object": "payout"}},
    }  # fmt: skip
    return json.dumps(values | changes).encode()


def header(body: bytes, secret: str = CONNECT, age: int = 0) -> str:
    at = int(time.time()) - age
    return f"t={at},v1={hmac.new(secret.encode(), f'{at}.'.encode() + body, 'sha256').hexdigest()}"


async def deliver(web: httpx.AsyncClient, body: bytes, signature: str | None = None) -> httpx.Response:
    headers = {"stripe-signature": header(body) if signature is None else signature}
    return await web.post(PATH, content=body, headers=headers | {"content-type": "application/json"})


def stored(conn: psycopg.Connection[Any], event_id: str) -> tuple[Any, ...] | None:
    query = "SELECT endpoint, account, kind, object_id, livemode, state FROM stripe_inbox WHERE id = %s"
    return conn.execute(query, [event_id]).fetchone()


def jobs(conn: psycopg.Connection[Any], event_id: str) -> list[tuple[Any, ...]]:
    query = "SELECT lock FROM jobs.procrastinate_jobs WHERE args ->> 'event_id' = %s"
    return conn.execute(query, [event_id]).fetchall()


async def test_event_is_stored_with_its_job(web: httpx.AsyncClient, service_db: psycopg.Connection[Any]) -> None:
    body = event("evt_new")
    assert (await deliver(web, body)).json() == {"received": True}
    assert stored(service_db, "evt_new") == ("connect", "acct_1", "payout.paid", "po_1", False, "new")
    assert jobs(service_db, "evt_new") == [("stripe:po_1",)]
    kept = service_db.execute("SELECT body FROM stripe_inbox WHERE id = 'evt_new'").fetchone()
    assert kept == (body,)


async def test_thousand_replays_store_one_row(web: httpx.AsyncClient, service_db: psycopg.Connection[Any]) -> None:
    body = event("evt_replayed")
    statuses: set[int] = set()
    for _ in range(20):
        responses = await asyncio.gather(*(deliver(web, body) for _ in range(50)))
        statuses |= {response.status_code for response in responses}
    assert statuses == {200}
    count = "SELECT count(*) FROM stripe_inbox WHERE id = 'evt_replayed'"
    assert service_db.execute(count).fetchone() == (1,)
    assert len(jobs(service_db, "evt_replayed")) == 1


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("evt_kind", {"type": "customer.tax_id.updated"}),
        ("evt_platform_payout", {"account": None}),
        ("evt_no_id", {"data": {"object": {"object": "payout"}}}),
        ("evt_odd", {"type": "transfer.created", "data": {"object": {"object": "transfer", "metadata": 5}}}),
    ],
)
async def test_event_that_is_not_ours_is_not_stored(
    web: httpx.AsyncClient, service_db: psycopg.Connection[Any], name: str, changes: dict[str, Any]
) -> None:
    assert (await deliver(web, event(name, **changes))).status_code == 200
    assert stored(service_db, name) is None
    assert jobs(service_db, name) == []


async def test_event_of_the_other_mode_is_ignored(web: httpx.AsyncClient, service_db: psycopg.Connection[Any]) -> None:
    assert (await deliver(web, event("evt_live", livemode=True))).status_code == 200
    row = stored(service_db, "evt_live")
    assert row is not None
    assert row[-1] == "ignored"
    assert jobs(service_db, "evt_live") == []


async def test_rotated_secrets_are_accepted(web: httpx.AsyncClient, service_db: psycopg.Connection[Any]) -> None:
    for secret, endpoint in ((PLATFORM, "platform"), (OLD, "platform"), (CONNECT, "connect")):
        body = event(f"evt_by_{secret}")
        assert (await deliver(web, body, header(body, secret))).status_code == 200
        row = stored(service_db, f"evt_by_{secret}")
        assert row is not None
        assert row[0] == endpoint


@pytest.mark.parametrize(
    ("signature", "age"),
    [("", 0), ("t=1,v1=" + "0" * 64, 0), ("x" * 5_000, 0), (None, 301), (None, -61), (None, -(10**8))],
)
async def test_bad_signature_is_refused(web: httpx.AsyncClient, signature: str | None, age: int) -> None:
    body = event("evt_bad")
    response = await deliver(web, body, header(body, age=age) if signature is None else signature)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_signature")


async def test_tampered_event_is_refused(web: httpx.AsyncClient, service_db: psycopg.Connection[Any]) -> None:
    body = event("evt_tampered")
    signature = header(body)
    for bit in range(0, len(body) * 8, 7):
        changed = bytearray(body)
        changed[bit // 8] ^= 1 << bit % 8
        assert (await deliver(web, bytes(changed), signature)).status_code == 400
    assert stored(service_db, "evt_tampered") is None


@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"\xff", b"[" * 100_000, event("evt_odd_1", created="x"), event("evt_odd_2", created=10**40),
        event("evt_odd_3", extra="\0"), event("evt_odd_4", extra="\ud800"), event("evt_odd_5", data=None),
        event("evt_odd_6", account=["acct_1"]), event("x" * 256),
    ],
)  # fmt: skip
async def test_signed_nonsense_is_refused(web: httpx.AsyncClient, body: bytes) -> None:
    response = await deliver(web, body)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_signature")


NESTED = b"[" * 50_000 + b"]" * 50_000  # complete JSON, which the standard parser cannot read
HOSTILE_BODIES = {
    "nested list": event("evt_deep", extra=0).replace(b'"extra": 0', b'"extra": ' + NESTED),
    "nested object": b'{"":' * 50_000 + b"1" + b"}" * 50_000,
    "raw NUL": event("evt_nul").replace(b"payout.paid", b"payout\0paid"),
    "escaped NUL": event("evt_nul", type="payout\0paid"),
    "NUL in a name": event("evt_nul", **{"a\0": 1}),
    "high surrogate": event("evt_surrogate", extra="\ud83d"),
    "low surrogate": event("evt_surrogate", account="acct_\udc00"),
    "surrogate bytes": event("evt_surrogate", extra="X").replace(b"X", b"\xed\xa0\x80"),
}


@pytest.mark.parametrize("secret", [PLATFORM, CONNECT])
@pytest.mark.parametrize("name", HOSTILE_BODIES)
async def test_signed_hostile_json_is_refused(
    web: httpx.AsyncClient, service_db: psycopg.Connection[Any], name: str, secret: str
) -> None:
    body = HOSTILE_BODIES[name]
    for age in (0, -61):
        response = await deliver(web, body, header(body, secret, age))
        assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_signature")
    count = "SELECT count(*) FROM stripe_inbox WHERE id IN ('evt_deep', 'evt_nul', 'evt_surrogate')"
    assert service_db.execute(count).fetchone() == (0,)


async def test_nesting_at_the_parser_limit_is_no_error(web: httpx.AsyncClient) -> None:
    # A body that one parser of a request can read, and the next one in a deeper call cannot, would fail there.
    statuses: set[int] = set()
    for depth in (10, 100, *range(850, 1000)):
        body = event(f"evt_depth_{depth}", extra=0).replace(b'"extra": 0', b'"extra": ' + b"[" * depth + b"]" * depth)
        statuses.add((await deliver(web, body)).status_code)
    assert statuses == {200, 400}


async def test_large_event_is_refused(web: httpx.AsyncClient, service_db: psycopg.Connection[Any]) -> None:
    largest = 256 * 1024
    padding = largest - len(event("evt_large", extra=""))
    body = event("evt_large", extra="x" * padding)
    assert len(body) == largest
    assert (await deliver(web, body)).status_code == 200
    assert stored(service_db, "evt_large") is not None
    response = await deliver(web, b"x" * 257 * 1024)
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")


async def test_webhook_without_stripe_is_not_found(database: Database) -> None:
    async with run_app(database) as app, http_client(app, BASE_HOST) as web:
        assert refusal(await deliver(web, event("evt_none"))) == (404, "not_found")


async def test_webhook_exists_on_main_host_only(app: Porchlight, service_db: psycopg.Connection[Any]) -> None:
    create_guru(service_db, NewGuru("cooking", "Cooking", "general", ""))
    async with http_client(app, f"cooking.{BASE_HOST}") as web:
        assert refusal(await deliver(web, event("evt_guru_host"))) == (404, "not_found")
    assert service_db.execute("SELECT FROM stripe_inbox WHERE id = 'evt_guru_host'").fetchall() == []


def test_missing_connect_secret_is_named() -> None:
    env: dict[str, Any] = {
        "DATABASE_URL": "postgresql://x",
        "STRIPE_SECRET_KEY": "sk_test_x",
        "STRIPE_WEBHOOK_SECRET": "x",
    }
    assert any("STRIPE_CONNECT_WEBHOOK_SECRET" in problem for problem in Settings(**env).problems())
