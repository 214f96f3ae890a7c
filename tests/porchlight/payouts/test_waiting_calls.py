"""Requests that wait for Stripe hold no connection to the database; a drill proves it for the processes of a server."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.app_client import wait_until
from tests.porchlight.documents.users import GuruUser
from tests.porchlight.settlement.both_sides import BothSides

OPEN_TRANSACTIONS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND usename = 'porchlight_app' AND xact_start IS NOT NULL"
)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/payouts/balance", None),
        ("GET", "/api/payouts/schedule", None),
        ("PUT", "/api/payouts/schedule", {"interval": "manual"}),
        ("POST", "/api/connect/express-login", {}),
        ("POST", "/api/connect/start", {}),
    ],
)
async def test_request_waiting_for_stripe_holds_no_connection(
    guru: GuruUser, sides: BothSides, database: Database, method: str, path: str, body: Any
) -> None:
    def hanging() -> int:
        return sum(bool(call["fault"]) for call in sides.calls())

    before = hanging()
    sides.fault("hang:2", "* /v*")
    waiting = asyncio.create_task(guru.web.request(method, path, json=body, headers=guru.headers()))

    async def is_waiting() -> bool:
        return await asyncio.to_thread(hanging) > before

    await wait_until("the request waits for Stripe", is_waiting)
    with psycopg.connect(database.superuser_url) as conn:  # other roles do not see the app's transactions
        assert conn.execute(OPEN_TRANSACTIONS).fetchone() == (0,)
    assert (await waiting).status_code == 200
