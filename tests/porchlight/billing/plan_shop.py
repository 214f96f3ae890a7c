"""Users who buy plans from the fake Stripe in one process with the jobs of settlement."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg
from psycopg.rows import dict_row

from porchlight.app import Porchlight
from porchlight.features.billing.catalog import save_catalog, sync_catalog
from porchlight.payment_ports import StripeApi
from porchlight.registry import FEATURES
from porchlight.settlement.jobs import Settlement
from porchlight.settlement.rules import load_rules
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.documents.users import create_guru_user
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, StripeFake

DAY = 86_400
PAYS, DECLINES, FAILS_LATER = "4242 4242 4242 4242", "4000 0000 0000 0002", "4000 0000 0000 0341"
TABLES = (
    "subscriptions", "plan_invoices", "plan_checkouts", "plan_changes", "plan_grants", "billing_customers",
    "ledger_transfers",
)  # fmt: skip
# When a row was fetched says nothing about its content.
_TIMES = {"checked_at", "created_at", "sent_at"}


@dataclass
class Buyer:
    """A signed-in user and the calls of the plan pages."""

    web: httpx.AsyncClient
    user_id: UUID
    email: str
    token: str

    async def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request as the user."""
        headers = {"authorization": f"Bearer {self.token}"}
        return await self.web.request(method, f"/api/billing{path}", headers=headers, **options)

    async def billing(self) -> dict[str, Any]:
        """Return what the plan page shows."""
        response = await self.send("GET", "")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()["data"]
        return found


class PlanShop:
    """The app, the fake Stripe and what is between them, moved on by the test."""

    def __init__(self, database: Database, app: Porchlight, fake: StripeFake, web: httpx.AsyncClient) -> None:
        assert app.context.stripe is not None
        self.database = database
        self.fake = fake
        self.web = web
        self.stripe: StripeApi = app.context.stripe
        self.settlement = Settlement(database.service_url, self.stripe, load_rules(FEATURES))
        self.delivered: set[str] = set()

    async def open(self) -> None:
        """Create the prices, and skip the events of earlier tests."""
        entries = await sync_catalog(self.stripe)
        with psycopg.connect(self.database.service_url) as conn:
            save_catalog(conn, entries)
        self.delivered = {event["id"] for event in self.objects("event")}

    async def buyer(self, emulator: Emulator, name: str) -> Buyer:
        """Create a signed-in user."""
        with psycopg.connect(self.database.service_url, autocommit=True) as conn:
            user = await create_guru_user(self.web, emulator, conn, name)
        return Buyer(self.web, user.user_id, user.email, user.token)

    # The fake Stripe

    def control(self, path: str, **values: Any) -> Any:
        """Call the control API."""
        response = httpx.post(f"{self.fake.url}/_twin/{path}", json=values, timeout=60, trust_env=False)
        assert response.status_code == 200, response.text
        return response.json()

    def clear_faults(self) -> None:
        """Remove the faults that no call has met."""
        httpx.delete(f"{self.fake.url}/_twin/faults", timeout=60, trust_env=False).raise_for_status()

    def objects(self, kind: str, **filters: str) -> list[dict[str, Any]]:
        """Return the fake's objects of a type, the oldest first."""
        params = {"type": kind} | filters
        response = httpx.get(f"{self.fake.url}/_twin/objects", params=params, timeout=60, trust_env=False)
        found: list[dict[str, Any]] = response.json()["data"]
        return found

    def v1(self, method: str, path: str, **params: Any) -> dict[str, Any]:
        """Call the fake's API directly."""
        headers = {"authorization": f"Bearer {SECRET_KEY}"}
        url = f"{self.fake.url}/v1/{path}"
        response = httpx.request(method, url, headers=headers, data=params, timeout=60, trust_env=False)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def pay(self, url: str, number: str = PAYS) -> httpx.Response:
        """Fill in the card form of a hosted page. Redirects are not followed."""
        form = {"number": number, "expiry": "12 / 40", "cvc": "123", "name": "Ada Alvarez"}
        return httpx.post(url, data=form, timeout=60, trust_env=False)

    def advance(self, days: float) -> None:
        """Move the fake's clock."""
        self.control("clock", advance_s=int(days * DAY))

    # What is between them

    async def during(self, request: Coroutine[Any, Any, httpx.Response]) -> httpx.Response:
        """Return the response of a request that waits for the worker, which runs meanwhile."""
        task = asyncio.create_task(request)
        while not task.done():
            await self.settlement.send_due()
            await asyncio.sleep(0.01)
        return task.result()

    def new_events(self) -> list[dict[str, Any]]:
        """Return the events that were not delivered yet, and count them as delivered."""
        found = [event for event in self.objects("event") if event["id"] not in self.delivered]
        self.delivered |= {event["id"] for event in found}
        return [{name: value for name, value in event.items() if name != "_account"} for event in found]

    async def deliver(self, event: dict[str, Any]) -> None:
        """Send an event to the webhook."""
        body = json.dumps(event).encode()
        signed_at = int(time.time())
        signature = hmac.new(WEBHOOK_SECRET.encode(), f"{signed_at}.".encode() + body, hashlib.sha256).hexdigest()
        headers = {"stripe-signature": f"t={signed_at},v1={signature}", "content-type": "application/json"}
        response = await self.web.post("/api/stripe/webhooks", content=body, headers=headers)
        assert response.status_code == 200, response.text

    async def process(self) -> None:
        """Process the received events in the order of their arrival, as the worker does."""
        with psycopg.connect(self.database.service_url) as conn:
            rows = conn.execute("SELECT id FROM stripe_inbox WHERE state = 'new' ORDER BY received_at, id").fetchall()
        for (event_id,) in rows:
            await self.settlement.process_event(event_id)
        with psycopg.connect(self.database.service_url) as conn:
            left = conn.execute("SELECT kind, error FROM stripe_inbox WHERE state IN ('new', 'failed')").fetchall()
        assert left == []

    async def settle(self) -> None:
        """Send what is due and deliver every event, until nothing is left."""
        while True:
            await self.settlement.send_due()
            events = self.new_events()
            for event in events:
                await self.deliver(event)
            await self.process()
            if not events:
                return

    # Purchases

    async def checkout(self, buyer: Buyer, plan: str, interval: str = "month", **more: str) -> str:
        """Start a purchase and return the address of Stripe's page."""
        body = {"plan": plan, "interval": interval, **more}
        response = await self.during(buyer.send("POST", "/checkout", json=body))
        assert response.status_code == 200, response.text
        return str(response.json()["data"]["url"])

    async def buy(self, buyer: Buyer, plan: str, interval: str = "month", number: str = PAYS) -> str:
        """Buy a plan, and return where Stripe leads back to."""
        response = self.pay(await self.checkout(buyer, plan, interval), number)
        assert response.status_code == 303, re.sub("<[^>]+>", "", response.text)
        await self.settle()
        return response.headers["location"]

    async def change(self, buyer: Buyer, plan: str, interval: str = "month") -> httpx.Response:
        """Change a plan and let the events arrive."""
        response = await self.during(buyer.send("POST", "/change", json={"plan": plan, "interval": interval}))
        await self.settle()
        return response

    # What is stored

    def rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        """Return rows as the service role sees them."""
        with psycopg.connect(self.database.service_url, row_factory=dict_row) as conn:
            return conn.execute(query.encode(), values).fetchall()

    def subscription(self, buyer: Buyer) -> dict[str, Any]:
        """Return the one subscription of a user."""
        (found,) = self.rows("SELECT * FROM subscriptions WHERE user_id = %s", buyer.user_id)
        return found

    def plan(self, buyer: Buyer) -> str:
        """Return the plan that limits a user now."""
        (found,) = self.rows("SELECT app.plan_of(%s) AS plan", buyer.user_id)
        return str(found["plan"])

    def digest(self) -> str:
        """Return a checksum of everything that billing stores, whichever time it was fetched."""
        content = {
            table: sorted(
                repr({name: value for name, value in row.items() if name not in _TIMES})
                for row in self.rows(f"SELECT * FROM {table}")
            )
            for table in TABLES
        }
        return hashlib.sha256(repr(content).encode()).hexdigest()
