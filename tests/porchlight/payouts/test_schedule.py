"""The schedule of payouts over HTTP, with the fake Stripe."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from porchlight.app import Porchlight
from porchlight.stripe.client import MAX_CONCURRENT_CALLS, StripeClient
from tests.fixtures.refusals import NOT_A_CHOICE, invalid_fields
from tests.fixtures.timeouts import changed_timeouts
from tests.porchlight.documents.users import GuruUser
from tests.porchlight.payouts.conftest import account_of
from tests.porchlight.settlement.both_sides import BothSides

ONLY_WEEKLY = "Choose a day for weekly payouts, and only for them."
ONLY_MONTHLY = "Choose a day for monthly payouts, and only for them."


@pytest.mark.parametrize(
    "schedule",
    [
        {"interval": "daily", "weekday": None, "dayOfMonth": None},
        {"interval": "weekly", "weekday": "friday", "dayOfMonth": None},
        {"interval": "monthly", "weekday": None, "dayOfMonth": 31},
        {"interval": "manual", "weekday": None, "dayOfMonth": None},
    ],
)
async def test_schedule_is_changed_at_stripe(guru: GuruUser, sides: BothSides, schedule: dict[str, Any]) -> None:
    response = await guru.web.put("/api/payouts/schedule", json=schedule, headers=guru.headers())
    assert response.json()["data"] == schedule
    assert (await guru.web.get("/api/payouts/schedule", headers=guru.headers())).json()["data"] == schedule
    kept = sides.v1("GET", "/v1/balance_settings", account_of(sides, guru))["payments"]
    assert kept["debit_negative_balances"] is True


@pytest.mark.parametrize(
    ("schedule", "fields"),
    [
        ({"interval": "weekly"}, {"weekday": ONLY_WEEKLY}),
        ({"interval": "monthly"}, {"dayOfMonth": ONLY_MONTHLY}),
        ({"interval": "daily", "weekday": "monday"}, {"weekday": ONLY_WEEKLY}),
        ({"interval": "weekly", "weekday": "monday", "dayOfMonth": 1}, {"dayOfMonth": ONLY_MONTHLY}),
        ({"interval": "weekly", "weekday": "sunday"}, {"weekday": NOT_A_CHOICE}),
        ({"interval": "monthly", "dayOfMonth": 0}, {"dayOfMonth": "Use 1 or more."}),
        ({"interval": "monthly", "dayOfMonth": 32}, {"dayOfMonth": "Use 31 or less."}),
        ({"interval": "hourly"}, {"interval": NOT_A_CHOICE}),
    ],
)
async def test_invalid_schedule_is_refused(guru: GuruUser, schedule: dict[str, Any], fields: dict[str, str]) -> None:
    before = (await guru.web.get("/api/payouts/schedule", headers=guru.headers())).json()
    response = await guru.web.put("/api/payouts/schedule", json=schedule, headers=guru.headers())
    assert invalid_fields(response) == fields
    assert (await guru.web.get("/api/payouts/schedule", headers=guru.headers())).json() == before


async def test_schedule_waits_in_time_for_a_free_slot(app: Porchlight, guru: GuruUser, sides: BothSides) -> None:
    assert isinstance(app.context.stripe, StripeClient)
    slots = app.context.stripe._slots
    for _ in range(MAX_CONCURRENT_CALLS):
        await slots.acquire()  # as calls that hang do
    try:
        with changed_timeouts(payout_response_seconds=0.5):
            response = await asyncio.wait_for(
                guru.web.put("/api/payouts/schedule", json={"interval": "daily"}, headers=guru.headers()), 60
            )
    finally:
        for _ in range(MAX_CONCURRENT_CALLS):
            slots.release()
    assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_away")
