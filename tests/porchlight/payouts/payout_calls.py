"""Calls of the payout routes, and a worker that sends payouts to the fake Stripe meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import psycopg

from porchlight.app import Porchlight
from porchlight.registry import FEATURES
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.fixtures.timeouts import changed_timeouts
from tests.porchlight.documents.users import GuruUser

# 1.5 % and at least 50 cents: 19,704 + 296 = 20,000.
NET, FEE = 19_704, 296


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


def store_instant_payouts(conn: psycopg.Connection[Any], user: GuruUser, cents: int, count: int = 1) -> None:
    """Store paid instant payouts of today."""
    conn.execute(
        "INSERT INTO payouts (user_id, id, account_id, amount, method, state)"
        " SELECT user_id, uuidv7(), account_id, %s, 'instant', 'paid'"
        " FROM payout_accounts, generate_series(1, %s) WHERE user_id = %s",
        [cents, count, user.user_id],
    )
