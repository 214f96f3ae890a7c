"""Neighbors who pay gurus for sessions at the fake Stripe, in one process with the jobs of settlement."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from uuid import UUID

import httpx
import psycopg

from porchlight.app import Porchlight
from porchlight.features.bookings.payments.jobs import deliver_payments
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.billing.plan_shop import PAYS, PlanShop
from tests.porchlight.bookings.api import free_starts, hold, post_booking
from tests.porchlight.factories import SeededGuru, insert_row
from tests.porchlight.payouts.stripe_fake import StripeFake


class SessionShop(PlanShop):
    """The app, the fake Stripe and what is between them, moved on by the test."""

    def __init__(self, database: Database, app: Porchlight, fake: StripeFake, web: httpx.AsyncClient) -> None:
        super().__init__(database, app, fake, web)
        assert app.context.payments is not None
        self.payouts = app.context.payments

    # Gurus

    def let_take_cards(self, guru: SeededGuru, plan: str = "skill-sharer") -> UUID:
        """Give a guru's owner a plan with card payments. Return the owner."""
        (row,) = self.rows("SELECT user_id FROM memberships WHERE tenant_id = %s", guru.id)
        owner: UUID = row["user_id"]
        with psycopg.connect(self.database.service_url) as conn:
            grant = {"user_id": owner, "id": new_id(), "plan": plan, "reason": "test", "until": "2100-01-01T00:00:00Z"}
            insert_row(conn, "plan_grants", grant)
        return owner

    # Neighbors

    async def begin(self, user: ApiUser, guru: SeededGuru, start: str = "", **changes: Any) -> dict[str, Any]:
        """Book a session that is paid by card, and return it with Stripe's page."""
        start = start or (await free_starts(self.web, guru))[-1]
        token = await hold(user, guru, start)
        response = await self.during(post_booking(user, token, **changes))
        assert response.status_code == 201, response.text
        booked: dict[str, Any] = response.json()["data"]
        return booked

    async def pay_for(self, user: ApiUser, guru: SeededGuru, start: str = "", number: str = PAYS) -> dict[str, Any]:
        """Book and pay, and return the booking once the events have arrived."""
        booked = await self.begin(user, guru, start)
        self.pay_page(booked, number)
        await self.settle()
        found: dict[str, Any] = await user.get(f"/api/bookings/{booked['id']}")
        return found

    def pay_page(self, booked: dict[str, Any], number: str = PAYS) -> httpx.Response:
        """Pay on Stripe's page of a booking."""
        response = self.pay(booked["payment"]["url"], number)
        assert response.status_code == 303, re.sub("<[^>]+>", "", response.text)
        return response

    async def cancel(self, user: ApiUser, booked: dict[str, Any], *, settle: bool = True) -> dict[str, Any]:
        """Cancel a booking on the terms of now, and let its refund arrive."""
        current = await user.get(f"/api/bookings/{booked['id']}")
        body = {"termsDigest": current["terms"]["digest"], "reason": ""}
        response = await user.request("POST", f"/api/bookings/{booked['id']}/cancellation", json=body)
        assert response.status_code == 200, response.text
        if settle:
            await self.settle()
        found: dict[str, Any] = await user.get(f"/api/bookings/{booked['id']}")
        return found

    # Time and books

    def end_sessions(self, guru: SeededGuru, hours: int = 25) -> None:
        """Let a guru's sessions have ended some hours ago, as if time had passed."""
        with psycopg.connect(self.database.superuser_url) as conn:
            conn.execute(
                "UPDATE bookings SET starts_at = app.now() - make_interval(hours => %s + 1),"
                " ends_at = app.now() - make_interval(hours => %s) WHERE tenant_id = %s",
                [hours, hours, guru.id],
            )

    async def deliver_due(self) -> None:
        """Run the job that delivers and transfers, and let the transfers arrive."""
        await asyncio.to_thread(deliver_payments, self.database.service_url)
        await self.settle()

    def balances(self, owner: UUID) -> dict[str, int]:
        """Return the guru's balances in cents by kind, without zeros."""
        rows = self.rows(
            "SELECT a.kind, (b.credits - b.debits)::bigint AS cents FROM ledger_accounts a"
            " JOIN ledger_balances b ON b.account_id = a.id WHERE a.user_id = %s AND b.credits <> b.debits",
            owner,
        )
        return {row["kind"]: row["cents"] for row in rows}

    def payments(self, guru: SeededGuru) -> list[dict[str, Any]]:
        """Return the payments of a guru's bookings, the oldest first."""
        return self.rows("SELECT * FROM payments WHERE tenant_id = %s ORDER BY created_at, id", guru.id)
