"""Access to the payout routes, the history, and sites where payouts are off or not set up."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.refusals import refusal as error_code
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.documents.users import GuruUser, create_guru_user
from tests.porchlight.payouts.payout_calls import history, refusal, store_instant_payouts, take

pytestmark = pytest.mark.usefixtures("instant_payouts_on")


async def test_flag_off_hides_instant_payouts(guru: GuruUser, service_db: psycopg.Connection[Any]) -> None:
    service_db.execute("UPDATE flag_settings SET enabled = false WHERE name = 'instantPayouts'")
    assert error_code(await take(guru)) == (404, "not_found")
    assert (await history(guru))["items"] == []


async def test_history_has_pages(guru: GuruUser, service_db: psycopg.Connection[Any]) -> None:
    service_db.execute(
        "INSERT INTO payouts (user_id, id, account_id, amount, method, state, automatic, created_at)"
        " SELECT user_id, uuidv7(), account_id, n, 'standard', 'paid', true, app.now() - make_interval(days => n)"
        " FROM payout_accounts, generate_series(1, 120) n WHERE user_id = %s",
        [guru.user_id],
    )
    page = await history(guru)
    amounts = [item["amountCents"] for item in page["items"]]
    while page["nextCursor"] is not None:
        page = await history(guru, f"?cursor={page['nextCursor']}")
        amounts += [item["amountCents"] for item in page["items"]]
    assert amounts == list(range(1, 121))
    assert (await guru.web.get("/api/payouts?cursor=x", headers=guru.headers())).status_code == 422


ROUTES = (
    ("GET", "/balance"),
    ("GET", "/quote"),
    ("POST", "/instant"),
    ("GET", ""),
    ("GET", "/schedule"),
    ("PUT", "/schedule"),
)


async def test_anonymous_caller_is_refused(web: httpx.AsyncClient) -> None:
    for method, path in ROUTES:
        body = None if method == "GET" else {"interval": "daily"} if method == "PUT" else {}
        response = await web.request(method, f"/api/payouts{path}", json=body)
        assert error_code(response) == (401, "unauthenticated"), path


async def test_payouts_of_others_are_invisible(
    guru: GuruUser, web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any], database: Database
) -> None:
    store_instant_payouts(service_db, guru, 100, 5)
    other = await create_guru_user(web, emulator, service_db, "Ben Brook")
    assert (await history(other))["items"] == []
    assert len((await history(guru))["items"]) == 5
    assert refusal(await take(other))[1] == "not_connected_yet"
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(other.user_id)])
        assert conn.execute("SELECT count(*) FROM payouts").fetchone() == (0,)
    with psycopg.connect(database.app_url) as conn:
        assert conn.execute("SELECT count(*) FROM payouts").fetchone() == (0,)


async def test_without_stripe_money_is_not_set_up(
    database: Database, emulator: Emulator, service_db: psycopg.Connection[Any]
) -> None:
    parts: dict[str, Any] = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host}
    async with run_app(database, **parts) as app, http_client(app, BASE_HOST) as web:
        user = await create_guru_user(web, emulator, service_db, "Dan Day")
        for method, path in (("GET", "/balance"), ("POST", "/instant"), ("GET", "/schedule")):
            response = await web.request(
                method, f"/api/payouts{path}", headers=user.headers(), json=None if method == "GET" else {}
            )
            error = response.json()["error"]
            assert (response.status_code, error["code"]) == (503, "payments_unavailable")
            assert error["message"] == "Payments are not set up on this site yet."
        assert (await web.get("/api/config")).json()["data"]["payments"] == {"available": False}
        assert (await history(user))["items"] == []


async def test_config_says_that_payments_are_set_up(web: httpx.AsyncClient) -> None:
    assert (await web.get("/api/config")).json()["data"]["payments"] == {"available": True}
