"""Sessions paid by card in a storm: many people, few seats, workers that are killed, and a faulty Stripe.

Each seat is paid once by the person who has it. Everyone else has their money back or was never charged, and the ledger
equals Stripe to the cent.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.features.bookings.deadlines import expire_bookings
from porchlight.settlement.reconcile.run import reconcile
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.drills.bookers import open_client, sign_in
from tests.drills.payers import KEEPS, LEAVES, Crowd, Habit, Payer
from tests.drills.payouts import MAX_RECOVERY_SECONDS, Worker, open_writes, own_stripe, running_worker
from tests.drills.stripe_faults import StripeFaults
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.fixtures.product import eventually
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.bookings.api import execute, free_starts
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.factories import insert_row
from tests.porchlight.money.ledger import ledger_errors
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, WebhookDelivery
from tests.porchlight.server import ServerProcess, run_server
from tests.porchlight.settlement.both_sides import BothSides

__all__ = ["certificates", "signer"]

pytestmark = pytest.mark.parts
CENTS, FEE_CENTS = 4501, 450
FAULTS = ("drop_before", "drop_after_commit", "close", "status:429", "status:409", "status:500",
          "status_after_commit:500")  # fmt: skip
# What can fail, by its calls: the second value matches their paths.
FAULTY = {
    "POST /v1/checkout/sessions": ("POST", "/v1/checkout/sessions"),
    "POST /v1/refunds": ("POST", "/v1/refunds"),
    "GET /v1/checkout/sessions*": ("GET", "/v1/checkout/sessions"),
}
PAGE_SECONDS = 34 * 60  # after which Stripe has closed a page


class Courier:
    """Delivers Stripe's events to the product. Some are lost, some refused at first, some arrive twice."""

    def __init__(self, server: ServerProcess) -> None:
        self._url = f"http://127.0.0.1:{server.port}/api/stripe/webhooks"
        self.counts: Counter[str] = Counter()

    def __call__(self, delivery: WebhookDelivery) -> int:
        """Deliver an event and return the status that Stripe sees."""
        fate = random.choice(("lost", "refused", "twice", *[""] * 13))
        self.counts[fate or "once"] += 1
        if fate == "lost":
            return 200
        if fate == "refused":
            return 503
        headers = {"host": BASE_HOST, "stripe-signature": delivery.signature, "content-type": "application/json"}
        try:
            for _ in range(2 if fate == "twice" else 1):
                response = httpx.post(self._url, content=delivery.body, headers=headers, timeout=30, trust_env=False)
        except httpx.TransportError:
            return 503  # the process was killed
        return response.status_code


class PaidStorm:
    """A guru with a session that is paid by card, and the product beside a faulty Stripe."""

    def __init__(self, database: Database, sides: BothSides, seats: int) -> None:
        self.database = database
        self.sides = sides
        self.seats = seats
        self.connected = sides.guru()
        with psycopg.connect(database.superuser_url) as conn:
            self.guru = create_bookable_guru(conn, capacity=seats, payment="full")
            owner = [self.connected.user_id, self.guru.id]
            conn.execute("UPDATE memberships SET user_id = %s WHERE tenant_id = %s", owner)
            grant = {"user_id": self.connected.user_id, "id": new_id(), "plan": "skill-sharer", "reason": "test"}
            insert_row(conn, "plan_grants", grant | {"until": "2100-01-01T00:00:00Z"})

    def environment(self, certificates: CertificateServer) -> dict[str, str]:
        """Return the environment of API and worker."""
        return {
            "DATABASE_URL": self.database.app_url, "PORCHLIGHT_OVERSEER_DATABASE_URL": self.database.service_url,
            "FIREBASE_PROJECT_ID": PROJECT, "PORCHLIGHT_FIREBASE_CERTS_URL": certificates.url,
            "PORCHLIGHT_LIMITS": "off", "PORCHLIGHT_EMBEDDINGS_URL": "off", "STRIPE_SECRET_KEY": SECRET_KEY,
            "STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET, "STRIPE_CONNECT_WEBHOOK_SECRET": WEBHOOK_SECRET,
            "STRIPE_API_BASE": self.sides.fake.url,
        }  # fmt: skip

    def faulty_calls(self) -> dict[str, int]:
        """Return how many calls of each operation in FAULTY there were."""
        calls = self.sides.calls()
        return {match: sum(_is_call(one, *operation) for one in calls) for match, operation in FAULTY.items()}

    def pages(self) -> int:
        """Return how many calls asked Stripe for a page."""
        return sum(_is_call(one, "POST", "/v1/checkout/sessions") for one in self.sides.calls())

    def count(self, query: str) -> int:
        """Return the number that a query of the service role finds."""
        return int(self.sides.one(query)[0])

    def confirmed(self) -> int:
        """Return the number of booked seats."""
        return self.count("SELECT count(*) FROM bookings WHERE status = 'confirmed'")

    def unsettled(self) -> int:
        """Return the number of writes and events without an outcome."""
        return open_writes(self.sides) + self.count("SELECT count(*) FROM stripe_inbox WHERE state = 'new'")

    def end_leases(self) -> None:
        """Let a minute be over since the worker died, so that another one sends what it had claimed."""
        execute(self.database, "UPDATE stripe_outbox SET due_at = app.now() WHERE state = 'sent'")
        execute(self.database, "SELECT app.enqueue('settlement:send', '{}', 'settlement:send')")

    def pass_a_day(self) -> None:
        """Let leases, retries and the memory of keys be over, as if a day had passed."""
        for statement in (
            "UPDATE stripe_outbox SET due_at = app.now(), first_sent_at = CASE WHEN lookup"
            " THEN first_sent_at - interval '26 hours' ELSE first_sent_at END"
            " WHERE state IN ('ready', 'sent', 'unknown')",
            "UPDATE stripe_inbox SET due_at = app.now() WHERE state = 'new'",
            "UPDATE payments SET created_at = created_at - interval '2 hours',"
            " checked_at = checked_at - interval '2 hours' WHERE state IN ('open', 'canceled')",
        ):
            execute(self.database, statement)

    async def settle(self, worker: Worker) -> None:
        """Let everything on its way arrive, close the pages that are still open, and end the holds that are left."""
        await self._drain(worker)
        self.sides.control("events/hold")
        self.sides.control("clock", advance_s=PAGE_SECONDS)
        self.sides.control("clock", advance_s=-PAGE_SECONDS)
        await self.sides.settlement.receive_undelivered()
        self.sides.control("events/release", order=f"shuffle:{random.random()}", copies=2)
        await self._drain(worker)
        statement = "UPDATE bookings SET expires_at = app.now() WHERE status = 'held'"
        execute(self.database, statement)
        await asyncio.to_thread(expire_bookings, self.database.service_url)

    async def _drain(self, worker: Worker) -> None:
        """Wait until every write and every event has an outcome. A worker that died left what it had claimed."""
        deadline = time.monotonic() + MAX_RECOVERY_SECONDS
        while True:
            worker.kill()
            self.pass_a_day()
            worker.start()
            await self.sides.settlement.fetch_open_objects()  # of lost events
            await self.sides.settlement.sweep()
            try:
                eventually("all is settled", lambda: self.unsettled() == 0, 5)
            except AssertionError:
                assert time.monotonic() < deadline, "every write and event has an outcome"
                continue
            return


def _is_call(call: dict[str, Any], method: str, path: str) -> bool:
    is_page = call["path"] == path or (method == "GET" and call["path"].startswith(path))
    return bool(call["method"] == method and is_page)


async def run_storm(
    database: Database,
    folder: Path,
    certificates: CertificateServer,
    signer: Signer,
    *,
    people: int,
    seats: int,
    kills: int,
) -> None:
    async with own_stripe(database, folder / "stripe") as sides:
        storm = PaidStorm(database, sides, seats)
        env = storm.environment(certificates)
        with run_server(env, workers=2) as server, running_worker(env) as worker:
            courier = sides.fake.relay = Courier(server)
            crowd = await gather_crowd(storm, server, signer, people)
            with ThreadPoolExecutor(1) as pool, StripeFaults(sides, FAULTS, storm.faulty_calls) as faults:
                running = pool.submit(asyncio.run, crowd.run(server))
                cause_kills(storm, server, worker, running, kills)
                running.result()
            began = time.monotonic()
            await storm.settle(worker)
            recovery = time.monotonic() - began
            left = await fill_seats(storm, crowd, server, signer, worker)
            sides.fake.relay = lambda _delivery: 200
        figures = await assert_paid_once(storm)
    sums = {str(name): count for name, count in sorted(crowd.counts.items())}
    print(
        f"\n{people} people for {seats} seats, {kills} kills, {faults.added.total()} faults, events"
        f" {dict(courier.counts)}: {sums}, {left} seats still free; {figures}; all settled after {recovery:.1f} s"
    )


async def gather_crowd(storm: PaidStorm, server: ServerProcess, signer: Signer, people: int) -> Crowd:
    """Sign people in. Most will not keep their seat, so that many pages are opened."""
    async with open_client(server) as client:
        start = (await free_starts(client, storm.guru))[-1]
        payers = []
        for number in range(people):
            habit = KEEPS[number // 6 % len(KEEPS)] if number % 6 == 0 else LEAVES[number % len(LEAVES)]
            payers.append(Payer(await sign_in(client, signer, f"payer-{number}"), habit))
    return Crowd(storm.database, storm.guru, start, payers)


async def fill_seats(storm: PaidStorm, crowd: Crowd, server: ServerProcess, signer: Signer, worker: Worker) -> int:
    """Let people who still want a seat pay for those that are free, and return how many were free."""
    deadline = time.monotonic() + MAX_RECOVERY_SECONDS
    free = storm.seats - storm.confirmed()
    arrived = 0
    crowd.waiting = [Payer(one.user, Habit.PAYS) for one in crowd.waiting]
    while storm.confirmed() < storm.seats:
        assert time.monotonic() < deadline, "free seats are offered"
        async with open_client(server) as client:
            for _ in range(storm.seats):
                arrived += 1
                crowd.waiting.append(Payer(await sign_in(client, signer, f"newcomer-{arrived}"), Habit.PAYS))
        await crowd.run(server)
        await storm.settle(worker)
    return free


def cause_kills(storm: PaidStorm, server: ServerProcess, worker: Worker, running: Future[None], kills: int) -> None:
    """Kill the worker, and each third time a process of the API, while people pay.

    Events of that time arrive later, twice, and in another order.
    """
    for number in range(kills):
        asked = storm.pages()
        eventually("Stripe is asked for a page", lambda asked=asked: (  # type: ignore[misc]
            running.done() or storm.pages() > asked + storm.seats // 3
        ), MAX_RECOVERY_SECONDS)  # fmt: skip
        storm.sides.control("events/hold")
        if number % 3 == 2:
            random.choice(server.workers()).kill()
            eventually("another API process runs", lambda: len(server.workers()) == 2)
        else:
            worker.kill()
            storm.end_leases()
            worker.start()
        storm.sides.control("events/release", order=f"shuffle:{number}", copies=2)


async def assert_paid_once(storm: PaidStorm) -> str:
    """Compare bookings, payments, refunds and the ledger with Stripe, and return the figures."""
    sides, seats = storm.sides, storm.seats
    found = sides.one(
        "SELECT count(*), count(DISTINCT b.person_id), coalesce(max(a.taken), 0), count(DISTINCT a.id)"
        " FROM bookings b JOIN appointments a ON a.tenant_id = b.tenant_id AND a.id = b.appointment_id"
        " WHERE b.status = 'confirmed'"
    )
    assert found == (seats, seats, seats, 1), "each seat is booked by a person of its own"
    charges = {one["id"]: one for one in sides.objects("charge") if one["status"] == "succeeded"}
    stored = sides.one("SELECT array_agg(charge_id ORDER BY charge_id) FROM payments WHERE state = 'paid'")
    assert stored[0] == sorted(charges), "each charge is one payment here"
    kept = sides.one(
        "SELECT array_agg(p.charge_id ORDER BY p.charge_id) FROM payments p"
        " JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id"
        " WHERE b.status = 'confirmed' AND p.state = 'paid' AND p.refunded_cents = 0"
    )
    assert kept[0] == sorted(one["id"] for one in charges.values() if not one["amount_refunded"]), "who is booked paid"
    assert len(kept[0]) == seats
    refunds = sides.objects("refund")
    returned = sorted(one["id"] for one in charges.values() if one["refunded"])
    assert sorted(one["charge"] for one in refunds) == returned, "the others have all their money back, once"
    assert len(charges) == seats + len(returned)
    assert storm.count("SELECT count(*) FROM payments WHERE state IN ('opening', 'open')") == 0
    assert storm.count("SELECT count(*) FROM refunds WHERE state = 'requested'") == 0
    assert storm.count("SELECT count(*) FROM refunds WHERE state = 'done'") == len(refunds)
    assert storm.count("SELECT count(*) FROM bookings WHERE status = 'held'") == 0
    assert storm.unsettled() == 0
    assert storm.count("SELECT count(*) FROM stripe_inbox WHERE state = 'failed'") == 0
    report = await reconcile(
        storm.database.service_url, sides.api, [storm.connected.account_id], until=clock.now() + timedelta(hours=3)
    )
    assert report.findings == []
    with psycopg.connect(storm.database.superuser_url) as conn:
        assert ledger_errors(conn) == {}
        cents: dict[str, int] = dict(
            conn.execute(
                "SELECT a.kind, sum(b.credits - b.debits)::bigint FROM ledger_accounts a"
                " JOIN ledger_balances b ON b.account_id = a.id GROUP BY a.kind"
            ).fetchall()
        )
        deadlocks = conn.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
    assert (cents["card_network"], cents["guru_held"]) == (-seats * CENTS, seats * (CENTS - FEE_CENTS))
    assert cents["platform_fees"] == seats * FEE_CENTS - cents["processor_fees"]
    at_stripe = sides.v1("GET", "/v1/balance")
    balance = sum(part["amount"] for kind in ("available", "pending") for part in at_stripe[kind])
    assert balance == cents["guru_held"] + cents["platform_fees"]
    assert deadlocks == (0,)
    return (
        f"{len(charges)} charges, {seats} kept, {len(returned)} returned once, {report.lines} lines without a finding"
    )


@pytest.mark.drill
async def test_paid_seats_in_storm_are_paid_once(
    new_database: Callable[[], Database], tmp_path: Path, certificates: CertificateServer, signer: Signer
) -> None:
    await run_storm(new_database(), tmp_path, certificates, signer, people=20, seats=3, kills=2)


@pytest.mark.drill
async def test_paid_seats_in_long_storm_are_paid_once(
    new_database: Callable[[], Database], tmp_path: Path, certificates: CertificateServer, signer: Signer
) -> None:
    await run_storm(new_database(), tmp_path, certificates, signer, people=200, seats=12, kills=9)
