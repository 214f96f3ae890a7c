"""Connecting a payout method on the Stripe fake's pages, with the real SDK."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import signal
import socket
import time
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest
import stripe

from porchlight.app import Porchlight
from porchlight.payment_ports import PaymentsOutage
from porchlight.settings.environment import Settings
from porchlight.stripe.accounts import StripePayouts
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.jobs import do_jobs
from tests.fixtures.timeouts import changed_timeouts
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.documents.users import GuruUser, create_guru_user
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, Browser, StripeFake, WebhookDelivery
from tests.porchlight.settlement.both_sides import BothSides

NOT_CONNECTED = {
    "connected": False, "charges_enabled": False, "payouts_enabled": False, "details_submitted": False,
    "currently_due": [],
}  # fmt: skip
CONNECTED = NOT_CONNECTED | dict.fromkeys(
    ("connected", "charges_enabled", "payouts_enabled", "details_submitted"), True
)


@pytest.fixture
async def ada(web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any]) -> GuruUser:
    return await create_guru_user(web, emulator, service_db, "Ada Alvarez")


@pytest.fixture
async def ben(web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any]) -> GuruUser:
    return await create_guru_user(web, emulator, service_db, "Ben Brook")


@pytest.fixture(autouse=True)
def _always_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sync the account on every status request."""
    monkeypatch.setattr("porchlight.features.payouts.queries.MIN_CHECK_INTERVAL", timedelta(0))


async def status(guru: GuruUser) -> dict[str, Any]:
    response = await guru.web.get("/api/connect/status", headers=guru.headers())
    assert response.status_code == 200, response.text
    match: dict[str, Any] = response.json()["data"]
    return match


async def is_step_complete(guru: GuruUser) -> bool:
    """Return whether the guru setup counts the account as connected."""
    response = await guru.web.get("/api/onboarding/status", headers=guru.headers())
    return bool(response.json()["data"]["step"]["payoutConnected"])


async def post(guru: GuruUser, path: str) -> httpx.Response:
    return await guru.web.post(f"/api/connect/{path}", headers=guru.headers())


async def start_onboarding(guru: GuruUser) -> str:
    response = await post(guru, "start")
    assert response.status_code == 200, response.text
    assert response.json()["url"] == response.json()["data"]["url"]
    return str(response.json()["url"])


async def run_jobs(database: Database, app: Porchlight) -> None:
    await do_jobs(database, stripe=app.context.stripe)


def account_id(conn: psycopg.Connection[Any], guru: GuruUser) -> str:
    row = account(conn, guru)
    assert row is not None
    return str(row[0])


def account(conn: psycopg.Connection[Any], guru: GuruUser) -> tuple[Any, ...] | None:
    query = "SELECT account_id, connected, charges_enabled AND payouts_enabled FROM payout_accounts WHERE user_id = %s"
    return conn.execute(query, [guru.user_id]).fetchone()


async def deliver(web: httpx.AsyncClient, event: WebhookDelivery, **headers: str) -> httpx.Response:
    params = {"stripe-signature": event.signature, "content-type": "application/json"} | headers
    return await web.post("/api/stripe/webhooks", content=event.body, headers=params)


async def test_payout_onboarding_connects_account(ada: GuruUser, ben: GuruUser) -> None:
    assert await status(ada) == NOT_CONNECTED
    assert not await is_step_complete(ada)
    browser = Browser()
    browser.open(await start_onboarding(ada))
    assert browser.heading() == "Tell us about yourself"
    begun = await status(ada)
    assert begun["connected"]
    assert "individual.first_name" in begun["currently_due"]
    assert browser.complete_onboarding(await start_onboarding(ada)) == f"http://{BASE_HOST}/onboarding/payout"
    assert await status(ada) == CONNECTED
    assert await is_step_complete(ada)
    assert await status(ben) == NOT_CONNECTED
    assert not await is_step_complete(ben)

    response = await post(ada, "express-login")
    browser.open(response.json()["url"])
    assert browser.heading() == "Express dashboard"
    assert "12 Porch Street, Denver, CO, 80202" in browser.response.text
    browser.open(response.json()["url"])
    assert browser.heading() == "This link has expired"


async def test_interrupted_onboarding_keeps_answers(ada: GuruUser) -> None:
    browser = Browser()
    browser.open(await start_onboarding(ada))
    browser.fill(**{"individual.first_name": "Ada", "individual.last_name": "Alvarez", "dob": "1984-02-29",
                    "individual.email": "ada@example.com", "individual.phone": "1"})  # fmt: skip
    assert browser.heading() == "Where do you live?"
    match = await status(ada)
    assert (match["connected"], match["details_submitted"]) == (True, False)
    assert "individual.first_name" not in match["currently_due"]
    assert "external_account" in match["currently_due"]
    assert (await post(ada, "express-login")).json()["error"]["code"] == "not_connected_yet"
    browser.open(await start_onboarding(ada))
    assert 'value="Alvarez"' in browser.response.text


async def test_onboarding_link_is_single_use(ada: GuruUser) -> None:
    url = await start_onboarding(ada)
    browser = Browser()
    browser.open(url)
    assert browser.open(url) == f"http://{BASE_HOST}/onboarding/payout?again=1"


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"individual.ssn_last_4": "1111"}, {"details_submitted": True, "currently_due": [
            "individual.id_number", "individual.verification.document"]}),
        ({"external_account": "000111111113"}, {"details_submitted": True, "charges_enabled": True, "currently_due": [
            "external_account"]}),
    ],
)  # fmt: skip
async def test_submitted_details_are_not_connected_yet(
    ada: GuruUser, changes: dict[str, str], wanted: dict[str, Any]
) -> None:
    Browser().complete_onboarding(await start_onboarding(ada), **changes)
    assert await status(ada) == NOT_CONNECTED | {"connected": True} | wanted
    assert not await is_step_complete(ada)
    assert (await post(ada, "express-login")).status_code == 200
    Browser().complete_onboarding(await start_onboarding(ada))
    assert await status(ada) == CONNECTED


async def test_concurrent_starts_create_one_account(
    ada: GuruUser, stripe_fake: StripeFake, service_db: psycopg.Connection[Any]
) -> None:
    responses = await asyncio.gather(*(post(ada, "start") for _ in range(6)))
    assert {response.status_code for response in responses} == {200}
    row = account(service_db, ada)
    assert row is not None
    listed = httpx.get(stripe_fake.url, timeout=60, trust_env=False).text
    assert listed.count(ada.email) == 1
    assert row[0] in listed


async def test_interrupted_start_reuses_account(
    app: Porchlight, ada: GuruUser, service_db: psycopg.Connection[Any]
) -> None:
    await start_onboarding(ada)
    first = account(service_db, ada)
    service_db.execute("DELETE FROM payout_accounts WHERE user_id = %s", [ada.user_id])
    await start_onboarding(ada)
    assert account(service_db, ada) == first


async def test_duplicate_event_syncs_account_once(
    app: Porchlight, ada: GuruUser, web: httpx.AsyncClient, stripe_fake: StripeFake, database: Database, service_db: Any
) -> None:
    Browser().complete_onboarding(await start_onboarding(ada))
    events = [stripe_fake.next(account_id(service_db, ada)) for _ in range(4)]
    kinds = {json.loads(event.body)["type"] for event in events}
    assert kinds == {"account.updated"}
    for event in [*events, *reversed(events)]:
        assert (await deliver(web, event)).json() == {"received": True}
    row = account(service_db, ada)
    assert row is not None
    job_count = service_db.execute(
        "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'settlement:process' AND lock = %s",
        [f"stripe:{row[0]}"],
    ).fetchone()
    assert job_count == (4,)
    assert row[2] is False
    await run_jobs(database, app)
    row = account(service_db, ada)
    assert row is not None
    assert row[2] is True


async def test_older_state_never_overwrites_newer(
    app: Porchlight, ada: GuruUser, web: httpx.AsyncClient, stripe_fake: StripeFake, database: Database, service_db: Any
) -> None:
    Browser().complete_onboarding(await start_onboarding(ada))
    await deliver(web, stripe_fake.next(account_id(service_db, ada)))
    await status(ada)
    service_db.execute(
        "UPDATE payout_accounts SET checked_at = app.now() + interval '1 hour' WHERE user_id = %s", [ada.user_id]
    )
    row = account(service_db, ada)
    assert row is not None
    assert stripe_fake.call("DELETE", f"/v1/accounts/{row[0]}").status_code == 200
    await run_jobs(database, app)
    assert account(service_db, ada) == row


async def test_deleted_account_is_replaced(
    app: Porchlight, ada: GuruUser, stripe_fake: StripeFake, service_db: psycopg.Connection[Any]
) -> None:
    Browser().complete_onboarding(await start_onboarding(ada))
    await status(ada)
    row = account(service_db, ada)
    assert row is not None
    stripe_fake.call("DELETE", f"/v1/accounts/{row[0]}")
    service_db.execute(
        "UPDATE payout_accounts SET checked_at = app.now() - interval '13 hours' WHERE user_id = %s", [ada.user_id]
    )
    assert await status(ada) == NOT_CONNECTED
    assert (await post(ada, "express-login")).status_code == 409
    Browser().complete_onboarding(await start_onboarding(ada))
    assert await status(ada) == CONNECTED
    again = account(service_db, ada)
    assert again is not None
    assert again[0] != row[0]


def signed(body: bytes) -> WebhookDelivery:
    timestamp = int(time.time())
    signature = hmac.new(WEBHOOK_SECRET.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return WebhookDelivery(body, f"t={timestamp},v1={signature}")


async def test_event_of_unknown_account_changes_nothing(
    app: Porchlight, web: httpx.AsyncClient, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    created = {"id": "evt_unknown", "object": "event", "type": "account.updated", "account": "acct_unknown",
               "created": int(clock.now().timestamp()), "livemode": False,
               "data": {"object": {"object": "account"}}}  # fmt: skip
    assert (await deliver(web, signed(json.dumps(created).encode()))).status_code == 200
    await run_jobs(database, app)
    recorded = service_db.execute("SELECT state, tries FROM stripe_inbox WHERE id = 'evt_unknown'").fetchall()
    assert recorded == [("done", 0)]


async def test_stripe_outage_loses_no_events(
    ada: GuruUser, stripe_fake: StripeFake, service_db: psycopg.Connection[Any]
) -> None:
    browser = Browser()
    browser.open(await start_onboarding(ada))
    own_account = account_id(service_db, ada)
    stripe_fake.fail_deliveries(own_account, 2)
    browser.fill(**{"individual.first_name": "Ada", "individual.last_name": "Alvarez", "dob": "1984-02-29",
                    "individual.email": "ada@example.com", "individual.phone": "1"})  # fmt: skip
    first = stripe_fake.next(own_account)
    stripe_fake.stop(signal.SIGKILL)
    unavailable = await post(ada, "start")
    assert (unavailable.status_code, unavailable.json()["error"]["code"]) == (503, "payments_away")
    assert "retry-after" in unavailable.headers
    # The status page shows the last synced state during an outage.
    assert (await status(ada))["connected"]
    stripe_fake.start()
    again = stripe_fake.next(own_account)
    assert json.loads(again.body)["id"] == json.loads(first.body)["id"]
    match = await status(ada)
    assert "individual.first_name" not in match["currently_due"]
    assert "external_account" in match["currently_due"]


async def test_unresponsive_stripe_times_out() -> None:
    # Connections are never accepted.
    with socket.create_server(("127.0.0.1", 0), backlog=64) as unresponsive, changed_timeouts(stripe_call_seconds=0.3):
        unavailable = StripePayouts(SECRET_KEY, f"http://127.0.0.1:{unresponsive.getsockname()[1]}")
        responses = await asyncio.gather(*(unavailable.state("acct_1") for _ in range(20)), return_exceptions=True)
        assert {type(response) for response in responses} == {PaymentsOutage}
        await unavailable.close()


async def test_start_answers_in_time_with_both_calls(ada: GuruUser, sides: BothSides) -> None:
    sides.fault("hang:3", "POST /v2/core/account_links", times=2)
    with changed_timeouts(payout_response_seconds=0.5):
        response = await post(ada, "start")
    assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_away")


async def test_start_without_stripe_is_unavailable(database: Database, emulator: Emulator, service_db: Any) -> None:
    parts: dict[str, Any] = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host}
    async with run_app(database, **parts) as app, http_client(app, BASE_HOST) as web:
        guru = await create_guru_user(web, emulator, service_db, "Cleo Cole")
        assert await status(guru) == NOT_CONNECTED
        response = await post(guru, "start")
        assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_unavailable")


async def test_payout_account_is_private(
    web: httpx.AsyncClient, ada: GuruUser, ben: GuruUser, database: Database
) -> None:
    await start_onboarding(ada)
    for method, path in (("GET", "status"), ("POST", "start"), ("POST", "express-login")):
        response = await web.request(method, f"/api/connect/{path}")
        assert response.status_code == 401
    assert (await post(ben, "express-login")).status_code == 409
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(ben.user_id)])
        assert conn.execute("SELECT count(*) FROM payout_accounts").fetchone() == (0,)


def test_invalid_stripe_settings_are_named() -> None:
    settings_env: dict[str, Any] = {"DATABASE_URL": "postgresql://x", "STRIPE_SECRET_KEY": "sk_live_x"}
    assert any("STRIPE_WEBHOOK_SECRET is not set" in problem for problem in Settings(**settings_env).problems())
    insecure = settings_env | {"STRIPE_API_BASE": "http://stripe.example", "PORCHLIGHT_ENV": "production"}
    assert any("STRIPE_API_BASE must be https" in problem for problem in Settings(**insecure).problems())


def test_stripe_fake_rejects_like_stripe(stripe_fake: StripeFake) -> None:
    client = stripe.StripeClient("sk_test_wrong", base_addresses={"api": stripe_fake.url})
    with pytest.raises(stripe.AuthenticationError):
        client.v1.accounts.retrieve("acct_1")
    client = stripe.StripeClient(SECRET_KEY, base_addresses={"api": stripe_fake.url}, max_network_retries=0)
    with pytest.raises(stripe.PermissionError):
        client.v1.accounts.retrieve("acct_1")
    params: Any = {"contact_email": "a@x.example", "dashboard": "express", "identity": {"country": "us"}}
    created = [client.v2.core.accounts.create(params, {"idempotency_key": "one"}).id for _ in range(2)]
    assert created[0] == created[1]
    with pytest.raises(stripe.IdempotencyError):
        client.v2.core.accounts.create(params | {"contact_email": "b@x.example"}, {"idempotency_key": "one"})
    with pytest.raises(stripe.InvalidRequestError):
        client.v1.accounts.login_links.create(created[0])
