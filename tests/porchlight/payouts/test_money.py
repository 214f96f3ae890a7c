"""Balance, instant payouts and history over HTTP, with the fake Stripe and a worker."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.payouts.money import instant
from porchlight.features.payouts.money.balance import InstantStanding, standing_of
from porchlight.features.payouts.money.errors import WORDS
from porchlight.registry import FEATURES
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields
from tests.fixtures.refusals import refusal as error_code
from tests.fixtures.timeouts import changed_timeouts
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.documents.users import GuruUser, create_guru_user
from tests.porchlight.payouts.conftest import EARNINGS, account_of, connect, connected
from tests.porchlight.settlement.both_sides import BothSides, ConnectedGuru

# 1.5 % and at least 50 cents: 19,704 + 296 = 20,000.
NET, FEE = 19_704, 296
PRICE = {"minimum": 100, "feeBasisPoints": 150, "feeMinimum": 50}


@pytest.fixture(autouse=True)
def _flag(service_db: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn instant payouts on, and read flags without a cache."""
    monkeypatch.setattr("porchlight.features.flags.queries.TTL_SECONDS", 0.0)
    service_db.execute(
        "INSERT INTO flag_settings (name, enabled) VALUES ('instantPayouts', true)"
        " ON CONFLICT (name) DO UPDATE SET enabled = true"
    )


@asynccontextmanager
async def worker(database: Database, app: Porchlight) -> AsyncIterator[None]:
    """Run jobs beside the requests, which wait for their outcome even on a busy machine."""
    task = asyncio.create_task(do_jobs(database, wait=True, features=FEATURES, stripe=app.context.stripe))
    try:
        with changed_timeouts(payout_response_seconds=120.0):
            yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def balance(user: GuruUser) -> dict[str, Any]:
    response = await user.web.get("/api/payouts/balance", headers=user.headers())
    assert response.status_code == 200, response.text
    assert response.headers["cache-control"] == "no-store"
    data: dict[str, Any] = response.json()["data"]
    return data


async def take(user: GuruUser, cents: int | None = None, key: str = "", total: int | None = None) -> httpx.Response:
    headers = user.headers() | ({"idempotency-key": key} if key else {})
    body = {name: value for name, value in (("amountCents", cents), ("totalCents", total)) if value is not None}
    return await user.web.post("/api/payouts/instant", json=body, headers=headers)


def refusal(response: httpx.Response) -> tuple[int, str, str]:
    body = response.json()
    assert (body["success"], body["ok"]) == (False, False)
    return response.status_code, body["error"]["code"], body["error"]["message"]


async def history(user: GuruUser, query: str = "") -> dict[str, Any]:
    response = await user.web.get(f"/api/payouts{query}", headers=user.headers())
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


async def test_balance_of_stranger_is_empty(web: httpx.AsyncClient, emulator: Emulator, service_db: Any) -> None:
    user = await create_guru_user(web, emulator, service_db, "Ben Brook")
    empty: list[Any] = []
    assert await balance(user) == {
        "connected": False,
        "balance": {"available": empty, "pending": empty, "instant_available": empty},
        "availableCents": 0,
        "belowZeroCents": 0,
        "held": 0,
        "debt": 0,
        "instant": PRICE | {
            "eligible": False, "reason": WORDS["not_connected_yet"], "gross": 0, "fee": 0, "net": 0, "destination": "",
        },
    }  # fmt: skip


async def test_balance_offers_everything(guru: GuruUser) -> None:
    found = await balance(guru)
    assert found["connected"] is True
    assert found["balance"]["available"] == [{"amount": EARNINGS, "currency": "usd"}]
    assert found["balance"]["instant_available"] == [{"amount": EARNINGS, "currency": "usd"}]
    assert found["instant"] == PRICE | {
        "eligible": True, "reason": None, "gross": EARNINGS, "fee": FEE, "net": NET,
        "destination": "bank account ending in 6789",
    }  # fmt: skip


async def test_instant_payout_of_everything(
    app: Porchlight, guru: GuruUser, database: Database, sides: BothSides
) -> None:
    async with worker(database, app):
        response = await take(guru)
    assert response.json() == {"success": True, "ok": True, "data": {"amountCents": NET, "status": "pending"}}
    (made,) = sides.objects("payout", amount=str(NET), account=account_of(sides, guru))
    assert (made["method"], made["application_fee_amount"], made["amount"]) == ("instant", FEE, NET)
    (item,) = (await history(guru))["items"]
    assert item | {"id": "", "createdAt": ""} == {
        "id": "", "createdAt": "", "amountCents": NET, "feeCents": FEE, "method": "instant", "automatic": False,
        "last4": "6789", "state": "sent", "failureCode": "", "arrivalDate": item["arrivalDate"],
    }  # fmt: skip
    assert sides.ledger(ConnectedGuru(guru.user_id, "")) == (0, 0)
    found = await balance(guru)
    assert found["instant"]["reason"] == WORDS["payout_in_progress"]


@pytest.mark.parametrize(("cents", "fee"), [(200, 50), (100, 50), (5_000, 75), (19_704, 296)])
async def test_fee_taken_is_the_fee_quoted(
    app: Porchlight, guru: GuruUser, database: Database, sides: BothSides, cents: int, fee: int
) -> None:
    response = await guru.web.get(f"/api/payouts/quote?amountCents={cents}", headers=guru.headers())
    quote = response.json()["data"]
    assert quote == {"gross": cents + fee, "fee": fee, "net": cents}
    async with worker(database, app):
        taken = await take(guru, cents, total=quote["gross"])
    assert taken.status_code == 200, taken.text
    (made,) = sides.objects("payout", amount=str(cents), account=account_of(sides, guru))
    assert made["application_fee_amount"] == fee
    (item,) = (await history(guru))["items"]
    assert (item["amountCents"], item["feeCents"]) == (cents, fee)


@pytest.mark.parametrize(("cents", "total"), [(200, 203), (None, EARNINGS - 1), (None, 100_000)])
async def test_other_total_than_confirmed_is_refused(guru: GuruUser, cents: int | None, total: int) -> None:
    assert refusal(await take(guru, cents, total=total)) == (409, "amounts_changed", WORDS["amounts_changed"])
    assert (await history(guru))["items"] == []


async def test_quote_tells_the_minimum(guru: GuruUser) -> None:
    response = await guru.web.get("/api/payouts/quote?amountCents=99", headers=guru.headers())
    assert refusal(response) == (422, "amount_too_small", "The smallest instant payout is $1.00.")


async def test_other_price_at_stripe_ends_the_offer(guru: GuruUser, sides: BothSides) -> None:
    sides.control("pricing", instant_bps=100)
    try:
        found = (await balance(guru))["instant"]
        assert (found["eligible"], found["reason"]) == (False, WORDS["price_differs"])
        assert refusal(await take(guru, 1_000))[1] == "price_differs"
    finally:
        sides.control("pricing", instant_bps=150)


async def test_same_key_pays_once(app: Porchlight, guru: GuruUser, database: Database, sides: BothSides) -> None:
    async with worker(database, app):
        responses = await asyncio.gather(*(take(guru, 1_000, "two-tabs") for _ in range(6)))
        assert {response.status_code for response in responses} == {200}
        assert refusal(await take(guru, 1_001, "two-tabs"))[:2] == (409, "key_of_other_request")
    assert len(sides.objects("payout", account=account_of(sides, guru))) == 1


async def test_same_key_stored_meanwhile_pays_once(
    app: Porchlight, guru: GuruUser, database: Database, sides: BothSides, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other tab's request is stored between the two reads of this one."""
    other: list[httpx.Response] = []

    async def standing_after_other(*args: Any) -> InstantStanding:
        monkeypatch.setattr(instant, "standing_of", standing_of)
        other.append(await take(guru, 1_000, "two-tabs"))
        return await standing_of(*args)

    monkeypatch.setattr(instant, "standing_of", standing_after_other)
    async with worker(database, app):
        responses = [await take(guru, 1_000, "two-tabs"), *other]
    assert [response.status_code for response in responses] == [200, 200]
    assert len(sides.objects("payout", account=account_of(sides, guru))) == 1


async def test_two_tabs_at_once_pay_once(app: Porchlight, guru: GuruUser, database: Database, sides: BothSides) -> None:
    async with worker(database, app):
        responses = await asyncio.gather(*(take(guru, 1_000, f"tab-{tab}") for tab in range(4)))
    codes = sorted(response.status_code for response in responses)
    assert codes == [200, 409, 409, 409]
    assert {refusal(response)[1] for response in responses if response.status_code == 409} == {"payout_in_progress"}
    assert len(sides.objects("payout", account=account_of(sides, guru))) == 1


@pytest.mark.parametrize("cents", [0, -1, 99, -(2**50)])
async def test_too_small_amount_is_refused(guru: GuruUser, cents: int) -> None:
    assert refusal(await take(guru, cents)) == (422, "amount_too_small", WORDS["amount_too_small"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"amountCents": 10.5}, "amountCents"),
        ({"amountCents": "100"}, "amountCents"),
        ({"amountCents": True}, "amountCents"),
        ({"amountCents": 2**60}, "amountCents"),
        ({"amount": 1}, "amount"),
        ([], "body"),
    ],
)
async def test_malformed_amount_is_invalid(guru: GuruUser, body: Any, field: str) -> None:
    response = await guru.web.post("/api/payouts/instant", json=body, headers=guru.headers())
    assert list(invalid_fields(response)) == [field]
    assert (await history(guru))["items"] == []


@pytest.mark.parametrize("cents", [NET + 1, 2**53])
async def test_too_large_amount_names_the_most(guru: GuruUser, cents: int) -> None:
    expected = (409, "amount_too_large", "You can get up to $197.04 right now.")
    assert refusal(await take(guru, cents)) == expected


REASONS: dict[str, Callable[[psycopg.Connection[Any], GuruUser], Any]] = {
    "not_connected_yet": lambda db, user: db.execute(
        "UPDATE payout_accounts SET connected = false WHERE user_id = %s", [user.user_id]
    ),
    "payouts_paused": lambda db, user: db.execute(
        "UPDATE payout_accounts SET payouts_enabled = false WHERE user_id = %s", [user.user_id]
    ),
    "destination_is_new": lambda db, user: db.execute(
        "UPDATE payout_accounts SET destinations_changed_at = app.now() - interval '71 hours' WHERE user_id = %s",
        [user.user_id],
    ),
    "payout_in_progress": lambda db, user: db.execute(
        "INSERT INTO payouts (user_id, id, account_id, amount, method)"
        " SELECT user_id, uuidv7(), account_id, 100, 'standard' FROM payout_accounts WHERE user_id = %s",
        [user.user_id],
    ),
    "payout_limit": lambda db, user: db.execute(
        "INSERT INTO payouts (user_id, id, account_id, amount, method, state)"
        " SELECT user_id, uuidv7(), account_id, 100, 'instant', 'paid'"
        " FROM payout_accounts, generate_series(1, 5) WHERE user_id = %s",
        [user.user_id],
    ),
}


@pytest.mark.parametrize("reason", REASONS)
async def test_reason_is_told_before_and_on_request(
    guru: GuruUser, service_db: psycopg.Connection[Any], sides: BothSides, reason: str
) -> None:
    REASONS[reason](service_db, guru)
    found = (await balance(guru))["instant"]
    assert (found["eligible"], found["reason"]) == (False, WORDS[reason])
    status, code, message = refusal(await take(guru, 1_000))
    assert (status, message) == (409, WORDS[reason])
    assert code == {"destination_is_new": "payout_limit"}.get(reason, reason)


async def test_daily_amount_caps_the_offer(
    guru: GuruUser, service_db: psycopg.Connection[Any], sides: BothSides
) -> None:
    service_db.execute(
        "INSERT INTO payouts (user_id, id, account_id, amount, method, state)"
        " SELECT user_id, uuidv7(), account_id, 240000, 'instant', 'paid' FROM payout_accounts WHERE user_id = %s",
        [guru.user_id],
    )
    found = (await balance(guru))["instant"]
    assert (found["eligible"], found["net"]) == (True, 10_000)
    assert refusal(await take(guru, 10_001))[1] == "payout_limit"


async def test_debt_is_covered_first(guru: GuruUser, sides: BothSides) -> None:
    sides.run(
        "SELECT app.post(uuidv7(), 'refunded', 'refund', %s, ARRAY[app.ledger_account('guru_payable', 'usd', NULL, %s,"
        " NULL)], ARRAY[app.ledger_account('card_network', 'usd', NULL, NULL, NULL)], ARRAY[700::bigint])",
        str(guru.user_id), guru.user_id,
    )  # fmt: skip
    found = await balance(guru)
    assert (found["debt"], found["instant"]["reason"]) == (700, WORDS["balance_negative"])
    assert (found["availableCents"], found["belowZeroCents"]) == (EARNINGS - 700, 0)
    assert refusal(await take(guru))[1] == "balance_negative"


async def test_account_without_instant_method_is_told(
    web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any], sides: BothSides
) -> None:
    user = await create_guru_user(web, emulator, service_db, "Cleo Cole")
    await connect(user, sides, external_account="000555555559")
    sides.earn(connected(service_db, user), 5_000)
    assert (await balance(user))["instant"]["reason"] == WORDS["no_instant_method"]
    assert refusal(await take(user, 1_000))[1] == "no_instant_method"


async def test_old_sign_in_cannot_take_large_payout(
    guru: GuruUser, service_db: psycopg.Connection[Any], sides: BothSides, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides.earn(connected(service_db, guru), 100_000)
    real = clock.now
    monkeypatch.setattr("tenants.kit.clock.now", lambda: real() + timedelta(minutes=31))
    assert refusal(await take(guru, 50_001))[:2] == (409, "sign_in_is_old")


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("refuse:balance_insufficient", "payout_refused"),
        ("refuse:instant_payouts_limit_exceeded", "platform_limit"),
        ("refuse:instant_payouts_unsupported", "no_instant_method"),
    ],
)
async def test_refusal_of_stripe_returns_the_money(
    app: Porchlight, guru: GuruUser, database: Database, sides: BothSides, fault: str, code: str
) -> None:
    sides.fault(fault)
    async with worker(database, app):
        assert refusal(await take(guru, 1_000)) == (409, code, WORDS[code])
    assert sides.ledger(ConnectedGuru(guru.user_id, "")) == (EARNINGS, 0)
    (item,) = (await history(guru))["items"]
    assert (item["state"], item["failureCode"]) == ("failed", fault.partition(":")[2])


async def test_slow_stripe_makes_payout_pending(guru: GuruUser, sides: BothSides) -> None:
    with changed_timeouts(payout_response_seconds=0.5):
        response = await take(guru, 1_000)  # no worker sends it
    assert response.json()["data"] == {"amountCents": 1_000, "status": "pending"}
    assert sides.ledger(ConnectedGuru(guru.user_id, ""))[1] == 1_000 + 50  # the minimum


async def test_hanging_stripe_is_said_in_time(guru: GuruUser, sides: BothSides) -> None:
    sides.fault("hang:5", "GET /v1/balance", times=2)
    started = time.monotonic()
    with changed_timeouts(stripe_call_seconds=0.5):
        response = await guru.web.get("/api/payouts/balance", headers=guru.headers())
        assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_away")
        response = await take(guru)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_away")
    assert time.monotonic() - started < 60
    assert (await history(guru))["items"] == []


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
    REASONS["payout_limit"](service_db, guru)
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
