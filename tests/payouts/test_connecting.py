"""Connecting a payout method, on the local Stripe's pages, with the real SDK in between."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import signal
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest
import stripe

from porchlight import jobs
from porchlight.app import Porchlight
from porchlight.notices.mail import MailboxMailer
from porchlight.payouts.stripe import StripePayouts
from porchlight.ports import PaymentsOutage
from porchlight.settings import Settings
from tests.documents.people import Guru, new_guru
from tests.payouts.twin import SECRET_KEY, WEBHOOK_SECRET, Browser, Delivery, Twin
from tests.platform_.world import BASE, serving, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, Emulator
from tests.support.jobs import do_jobs

NOTHING = {
    "connected": False, "charges_enabled": False, "payouts_enabled": False, "details_submitted": False,
    "currently_due": [],
}  # fmt: skip
WHOLE = NOTHING | dict.fromkeys(("connected", "charges_enabled", "payouts_enabled", "details_submitted"), True)


@pytest.fixture
async def ada(web: httpx.AsyncClient, emulator: Emulator, overseer: psycopg.Connection[Any]) -> Guru:
    return await new_guru(web, emulator, overseer, "Ada Alvarez")


@pytest.fixture
async def ben(web: httpx.AsyncClient, emulator: Emulator, overseer: psycopg.Connection[Any]) -> Guru:
    return await new_guru(web, emulator, overseer, "Ben Brook")


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every status is asked for anew."""
    monkeypatch.setattr("porchlight.payouts.queries.FRESH", timedelta(0))


async def status(guru: Guru) -> dict[str, Any]:
    answer = await guru.web.get("/api/connect/status", headers=guru.headers())
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


async def post(guru: Guru, path: str) -> httpx.Response:
    return await guru.web.post(f"/api/connect/{path}", headers=guru.headers())


async def started(guru: Guru) -> str:
    answer = await post(guru, "start")
    assert answer.status_code == 200, answer.text
    assert answer.json()["url"] == answer.json()["data"]["url"]
    return str(answer.json()["url"])


async def run_jobs(database: Database, app: Porchlight) -> None:
    helpers = jobs.Helpers(
        MailboxMailer(database.overseer_url), "s@x.example", None, "http://x", payments=app.platform.payments
    )
    await do_jobs(database.overseer_url, helpers)


def account_id(conn: psycopg.Connection[Any], guru: Guru) -> str:
    row = account(conn, guru)
    assert row is not None
    return str(row[0])


def account(conn: psycopg.Connection[Any], guru: Guru) -> tuple[Any, ...] | None:
    query = "SELECT account_id, connected, charges_enabled AND payouts_enabled FROM payout_accounts WHERE user_id = %s"
    return conn.execute(query, [guru.user_id]).fetchone()


async def deliver(web: httpx.AsyncClient, event: Delivery, **headers: str) -> httpx.Response:
    sent = {"stripe-signature": event.signature, "content-type": "application/json"} | headers
    return await web.post("/api/stripe/webhooks", content=event.body, headers=sent)


async def test_the_whole_way(app: Porchlight, ada: Guru, ben: Guru) -> None:
    assert await status(ada) == NOTHING
    assert not await app.platform.payouts.connected(ada.user_id)
    browser = Browser()
    browser.open(await started(ada))
    assert browser.heading() == "Tell us about yourself"
    begun = await status(ada)
    assert begun["connected"]
    assert "individual.first_name" in begun["currently_due"]
    assert browser.whole_way(await started(ada)) == f"http://{BASE}/onboarding/payout"
    assert await status(ada) == WHOLE
    assert await app.platform.payouts.connected(ada.user_id)
    assert await status(ben) == NOTHING
    assert not await app.platform.payouts.connected(ben.user_id)

    answer = await post(ada, "express-login")
    browser.open(answer.json()["url"])
    assert browser.heading() == "Express dashboard"
    assert "12 Porch Street, Denver, CO, 80202" in browser.response.text
    browser.open(answer.json()["url"])
    assert browser.heading() == "This link is no longer good"


async def test_leaving_on_the_way_keeps_what_was_said_and_says_what_is_missing(ada: Guru) -> None:
    browser = Browser()
    browser.open(await started(ada))
    browser.fill(**{"individual.first_name": "Ada", "individual.last_name": "Alvarez", "dob": "1984-02-29",
                    "individual.email": "ada@example.com", "individual.phone": "1"})  # fmt: skip
    assert browser.heading() == "Where do you live?"
    found = await status(ada)
    assert (found["connected"], found["details_submitted"]) == (True, False)
    assert "individual.first_name" not in found["currently_due"]
    assert "external_account" in found["currently_due"]
    assert (await post(ada, "express-login")).json()["error"]["code"] == "not_connected_yet"
    browser.open(await started(ada))
    assert 'value="Alvarez"' in browser.response.text


async def test_a_link_is_good_once(ada: Guru) -> None:
    url = await started(ada)
    browser = Browser()
    browser.open(url)
    assert browser.open(url) == f"http://{BASE}/onboarding/payout?again=1"


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"individual.ssn_last_4": "1111"}, {"details_submitted": True, "currently_due": [
            "individual.id_number", "individual.verification.document"]}),
        ({"external_account": "000111111113"}, {"details_submitted": True, "charges_enabled": True, "currently_due": [
            "external_account"]}),
    ],
)  # fmt: skip
async def test_submitted_is_not_yet_connected(
    app: Porchlight, ada: Guru, changes: dict[str, str], wanted: dict[str, Any]
) -> None:
    Browser().whole_way(await started(ada), **changes)
    assert await status(ada) == NOTHING | {"connected": True} | wanted
    assert not await app.platform.payouts.connected(ada.user_id)
    assert (await post(ada, "express-login")).status_code == 200
    Browser().whole_way(await started(ada))
    assert await status(ada) == WHOLE


async def test_starting_many_times_at_once_opens_one_account(
    ada: Guru, twin: Twin, overseer: psycopg.Connection[Any]
) -> None:
    answers = await asyncio.gather(*(post(ada, "start") for _ in range(6)))
    assert {answer.status_code for answer in answers} == {200}
    row = account(overseer, ada)
    assert row is not None
    listed = httpx.get(twin.url, timeout=60, trust_env=False).text
    assert listed.count(ada.email) == 1
    assert row[0] in listed


async def test_a_start_that_broke_off_after_stripe_answered_comes_to_the_same_account(
    app: Porchlight, ada: Guru, overseer: psycopg.Connection[Any]
) -> None:
    await started(ada)
    first = account(overseer, ada)
    overseer.execute("DELETE FROM payout_accounts WHERE user_id = %s", [ada.user_id])
    await started(ada)
    assert account(overseer, ada) == first


async def test_an_event_is_followed_once_and_twice_is_nothing(
    app: Porchlight, ada: Guru, web: httpx.AsyncClient, twin: Twin, database: Database, overseer: Any
) -> None:
    Browser().whole_way(await started(ada))
    events = [twin.next(account_id(overseer, ada)) for _ in range(4)]
    kinds = {json.loads(event.body)["type"] for event in events}
    assert kinds == {"account.updated"}
    for event in [*events, *reversed(events)]:
        assert (await deliver(web, event)).json() == {"received": True}
    row = account(overseer, ada)
    assert row is not None
    waiting = overseer.execute(
        "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'follow_payout_account'"
        " AND args ->> 'account_id' = %s",
        [row[0]],
    ).fetchone()
    assert waiting == (4,)
    assert row[2] is False
    await run_jobs(database, app)
    row = account(overseer, ada)
    assert row is not None
    assert row[2] is True


async def test_an_older_answer_never_overwrites_a_newer(
    app: Porchlight, ada: Guru, web: httpx.AsyncClient, twin: Twin, database: Database, overseer: Any
) -> None:
    Browser().whole_way(await started(ada))
    await deliver(web, twin.next(account_id(overseer, ada)))
    await status(ada)
    overseer.execute(
        "UPDATE payout_accounts SET checked_at = now() + interval '1 hour' WHERE user_id = %s", [ada.user_id]
    )
    row = account(overseer, ada)
    assert row is not None
    assert twin.call("DELETE", f"/v1/accounts/{row[0]}").status_code == 200
    await run_jobs(database, app)
    assert account(overseer, ada) == row


async def test_an_account_that_is_gone_is_not_connected_and_another_is_opened(
    app: Porchlight, ada: Guru, twin: Twin, overseer: psycopg.Connection[Any]
) -> None:
    Browser().whole_way(await started(ada))
    await status(ada)
    row = account(overseer, ada)
    assert row is not None
    twin.call("DELETE", f"/v1/accounts/{row[0]}")
    overseer.execute(
        "UPDATE payout_accounts SET checked_at = now() - interval '13 hours' WHERE user_id = %s", [ada.user_id]
    )
    assert await status(ada) == NOTHING
    assert (await post(ada, "express-login")).status_code == 409
    Browser().whole_way(await started(ada))
    assert await status(ada) == WHOLE
    again = account(overseer, ada)
    assert again is not None
    assert again[0] != row[0]


def signed(body: bytes, secret: str = WEBHOOK_SECRET, at: int | None = None) -> Delivery:
    moment = int(time.time()) if at is None else at
    mark = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return Delivery(body, f"t={moment},v1={mark}")


def event(**changes: Any) -> bytes:
    made = {"id": "evt_1", "object": "event", "type": "account.updated", "account": "acct_1",
            "data": {"object": {"id": "acct_1", "object": "account"}}}  # fmt: skip
    return json.dumps(made | changes).encode()


@pytest.mark.parametrize(
    "made",
    [
        lambda: signed(event(), "whsec_wrong"),
        lambda: signed(event(), at=int(time.time()) - 3600),
        lambda: Delivery(event(), ""),
        lambda: Delivery(event(), "t=1,v1=00"),
        lambda: Delivery(event() + b" ", signed(event()).signature),
        lambda: signed(b"not json"),
        lambda: signed(b"[]"),
        lambda: signed(b"\xff\xfe"),
        lambda: signed(b'{"object": "event"}'),
        lambda: signed(b'{"object": "v2.core.event", "id": "evt_2", "type": "x"}'),
    ],
)
async def test_what_stripe_did_not_sign_is_refused(
    web: httpx.AsyncClient, overseer: psycopg.Connection[Any], made: Callable[[], Delivery]
) -> None:
    before = overseer.execute("SELECT count(*) FROM payment_events").fetchone()
    answer = await deliver(web, made())
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_signature")
    assert overseer.execute("SELECT count(*) FROM payment_events").fetchone() == before


async def test_events_of_other_kinds_are_kept_and_lead_to_nothing(
    web: httpx.AsyncClient, overseer: psycopg.Connection[Any]
) -> None:
    answers = await asyncio.gather(*(deliver(web, signed(event(id="evt_other", type="payout.paid"))) for _ in range(4)))
    assert {answer.status_code for answer in answers} == {200}
    kept = overseer.execute("SELECT kind, account_id FROM payment_events WHERE id = 'evt_other'").fetchall()
    assert kept == [("payout.paid", "acct_1")]
    jobs_made = overseer.execute(
        "SELECT count(*) FROM jobs.procrastinate_jobs WHERE args ->> 'event_id' = 'evt_other'"
    ).fetchone()
    assert jobs_made == (0,)


async def test_killed_stripe_has_lost_nothing_and_events_arrive_all_the_same(
    ada: Guru, twin: Twin, overseer: psycopg.Connection[Any]
) -> None:
    browser = Browser()
    browser.open(await started(ada))
    own = account_id(overseer, ada)
    twin.refuse(own, 2)
    browser.fill(**{"individual.first_name": "Ada", "individual.last_name": "Alvarez", "dob": "1984-02-29",
                    "individual.email": "ada@example.com", "individual.phone": "1"})  # fmt: skip
    first = twin.next(own)
    twin.stop(signal.SIGKILL)
    away = await post(ada, "start")
    assert (away.status_code, away.json()["error"]["code"]) == (503, "payments_away")
    assert "retry-after" in away.headers
    # As we heard last: its page does not fail because Stripe does.
    assert (await status(ada))["connected"]
    twin.start()
    again = twin.next(own)
    assert json.loads(again.body)["id"] == json.loads(first.body)["id"]
    found = await status(ada)
    assert "individual.first_name" not in found["currently_due"]
    assert "external_account" in found["currently_due"]


async def test_nobody_waits_for_a_stripe_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porchlight.payouts.stripe.PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:  # the system connects; nobody ever accepts
        away = StripePayouts(SECRET_KEY, WEBHOOK_SECRET, f"http://127.0.0.1:{silent.getsockname()[1]}")
        answers = await asyncio.gather(*(away.state("acct_1") for _ in range(20)), return_exceptions=True)
        assert {type(answer) for answer in answers} == {PaymentsOutage}
        await away.close()


async def test_without_stripe_there_is_no_start(database: Database, emulator: Emulator, overseer: Any) -> None:
    parts: dict[str, Any] = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host}
    async with serving(database, **parts) as app, visitor(app, BASE) as web:
        guru = await new_guru(web, emulator, overseer, "Cleo Cole")
        assert await status(guru) == NOTHING
        answer = await post(guru, "start")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "payouts_unavailable")


async def test_only_whose_account_it_is(web: httpx.AsyncClient, ada: Guru, ben: Guru, database: Database) -> None:
    await started(ada)
    for method, path in (("GET", "status"), ("POST", "start"), ("POST", "express-login")):
        answer = await web.request(method, f"/api/connect/{path}")
        assert answer.status_code == 401
    assert (await post(ben, "express-login")).status_code == 409
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(ben.user_id)])
        assert conn.execute("SELECT count(*) FROM payout_accounts").fetchone() == (0,)
        assert conn.execute("SELECT app.payouts_connected(%s)", [ada.user_id]).fetchone() == (False,)


def test_wrong_settings_are_named() -> None:
    given: dict[str, Any] = {"DATABASE_URL": "postgresql://x", "STRIPE_SECRET_KEY": "sk_live_x"}
    assert any("STRIPE_WEBHOOK_SECRET is not set" in fault for fault in Settings(**given).faults())
    open_road = given | {"STRIPE_API_BASE": "http://stripe.example", "PORCHLIGHT_ENV": "production"}
    assert any("STRIPE_API_BASE must be https" in fault for fault in Settings(**open_road).faults())


def test_the_twin_refuses_what_stripe_refuses(twin: Twin) -> None:
    client = stripe.StripeClient("sk_test_wrong", base_addresses={"api": twin.url})
    with pytest.raises(stripe.AuthenticationError):
        client.v1.accounts.retrieve("acct_1")
    client = stripe.StripeClient(SECRET_KEY, base_addresses={"api": twin.url}, max_network_retries=0)
    with pytest.raises(stripe.PermissionError):
        client.v1.accounts.retrieve("acct_1")
    sent: Any = {"contact_email": "a@x.example", "dashboard": "express", "identity": {"country": "us"}}
    made = [client.v2.core.accounts.create(sent, {"idempotency_key": "one"}).id for _ in range(2)]
    assert made[0] == made[1]
    with pytest.raises(stripe.IdempotencyError):
        client.v2.core.accounts.create(sent | {"contact_email": "b@x.example"}, {"idempotency_key": "one"})
    with pytest.raises(stripe.InvalidRequestError):
        client.v1.accounts.login_links.create(made[0])
