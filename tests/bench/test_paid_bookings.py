"""The cost of a session that is paid by card beside one that is not: CPU of API, worker and PostgreSQL together.

Everything that follows a booking counts: Stripe's page, its events, the posting, the emails. The fake Stripe and the
people are in the process of the test and don't count. What the product costs at rest is measured first, and subtracted.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import httpx
import psutil
import psycopg
import pytest

from porchlight.registry import FEATURES
from porchlight.settlement.rules import load_rules
from porchlight_dev.postgres.server import SUPERUSER, LocalPostgres
from tenants.db import roles
from tenants.kit.ids import new_id
from tests.bench.conftest import create_bench_database
from tests.bench.figures import print_figure
from tests.bench.meter import Meter
from tests.bench.test_reconcile import server_seconds
from tests.drills.bookers import open_client, sign_in
from tests.drills.payers import FORM
from tests.drills.payouts import own_stripe
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.fixtures.product import PROGRAM, eventually, wait_until_due_jobs_are_done
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.billing.plan_shop import PAYS
from tests.porchlight.bookings.api import free_starts, post_booking, post_hold
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.factories import SeededGuru, insert_row
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, WebhookDelivery
from tests.porchlight.server import ServerProcess, run_server
from tests.porchlight.settlement.both_sides import BothSides

__all__ = ["certificates", "signer"]
pytestmark = pytest.mark.bench

PEOPLE = int(os.environ.get("PORCHLIGHT_BENCH_PAYERS", "40"))
WINDOWS = 4  # of each kind, alternately; the first of each warms up
AT_ONCE = 4  # people
REST_SECONDS = 5.0
MAX_SECONDS = 300  # of one window


class Costs(NamedTuple):
    """CPU time of each part of the product."""

    api: float
    worker: float
    database: float

    def less(self, other: Costs) -> Costs:
        """Return the differences."""
        return Costs(*(a - b for a, b in zip(self, other, strict=True)))

    def times(self, factor: float) -> Costs:
        """Return the products."""
        return Costs(*(factor * one for one in self))


@dataclass(frozen=True, slots=True)
class Product:
    """The running product. `parts`: the processes of API and worker."""

    server: ServerProcess
    parts: Sequence[psutil.Process]
    meter: Meter
    service_url: str

    def seconds(self) -> Costs:
        """Return the CPU seconds that API, worker and PostgreSQL have used."""
        api, worker = (
            sum(sum(one.cpu_times()[:2]) for one in (part, *part.children(recursive=True))) for part in self.parts
        )
        return Costs(api, worker, server_seconds(self.meter.postmaster))


async def test_paid_booking_beside_an_unpaid_one(
    durable_postgres: LocalPostgres, certificates: CertificateServer, signer: Signer, tmp_path: Path
) -> None:
    name = "bench_paid_bookings"
    made = create_bench_database(durable_postgres, name)
    urls = (made.url(role) for role in (SUPERUSER, roles.OWNER_ROLE, roles.APP_ROLE, roles.SERVICE_ROLE))
    database = Database(name, *urls)
    async with own_stripe(database, tmp_path / "stripe") as sides:
        unpaid, paid = (_guru(database, sides, payment) for payment in ("in_person", "full"))
        with _product(database, sides, certificates) as product, _courier(product.server) as courier:
            sides.fake.relay = courier
            async with open_client(product.server) as web:
                people = [await sign_in(web, signer, f"person-{number}") for number in range(PEOPLE)]
                starts = {guru.id: (await free_starts(web, guru))[::4] for guru in (unpaid, paid)}  # none overlap
                rest = await _rest(product)
                costs: dict[bool, list[Costs]] = {False: [], True: []}
                for window in range(WINDOWS):
                    for guru in (unpaid, paid):
                        start = starts[guru.id][window]
                        costs[guru is paid].append(await _window(product, people, guru, start, rest))
            sides.fake.relay = lambda _delivery: 200
    card, in_person = (min(costs[is_paid][1:], key=sum) for is_paid in (True, False))
    note = " beside ".join(
        f"API {one.api:.1f}, worker {one.worker:.1f}, PostgreSQL {one.database:.1f}" for one in (card, in_person)
    )
    print_figure("booking that is paid by card", sum(card), sum(in_person), "ms", at_most=1.6, note=note)


def _guru(database: Database, sides: BothSides, payment: str) -> SeededGuru:
    connected = sides.guru()
    with psycopg.connect(database.superuser_url) as conn:
        guru = create_bookable_guru(conn, capacity=PEOPLE, payment=payment)
        owner = [connected.user_id, guru.id]
        conn.execute("UPDATE memberships SET user_id = %s WHERE tenant_id = %s", owner)
        grant = {"user_id": connected.user_id, "id": new_id(), "plan": "skill-sharer", "reason": "bench"}
        insert_row(conn, "plan_grants", grant | {"until": "2100-01-01T00:00:00Z"})
    return guru


@contextmanager
def _product(database: Database, sides: BothSides, certificates: CertificateServer) -> Iterator[Product]:
    env = {
        "DATABASE_URL": database.app_url, "PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url,
        "FIREBASE_PROJECT_ID": PROJECT, "PORCHLIGHT_FIREBASE_CERTS_URL": certificates.url,
        "PORCHLIGHT_LIMITS": "off", "PORCHLIGHT_EMBEDDINGS_URL": "off", "STRIPE_SECRET_KEY": SECRET_KEY,
        "STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET, "STRIPE_CONNECT_WEBHOOK_SECRET": WEBHOOK_SECRET,
        "STRIPE_API_BASE": sides.fake.url,
    }  # fmt: skip
    with run_server(env, workers=1) as server:
        worker = psutil.Popen([PROGRAM, "worker"], env=os.environ | env, stdout=-3)
        try:
            meter = Meter(database.superuser_url)
            yield Product(server, [*server.workers(), worker], meter, database.service_url)
        finally:
            worker.terminate()
            worker.wait(30)


@contextmanager
def _courier(server: ServerProcess) -> Iterator[Callable[[WebhookDelivery], int]]:
    """Yield what delivers the kinds of events that the webhook is set up for (infra/README.md)."""
    url = f"http://127.0.0.1:{server.port}/api/stripe/webhooks"
    kinds = {kind for rule in load_rules(FEATURES).objects for kind in rule.events}

    def deliver(delivery: WebhookDelivery) -> int:
        if json.loads(delivery.body)["type"] not in kinds:
            return 200
        headers = {"host": BASE_HOST, "stripe-signature": delivery.signature, "content-type": "application/json"}
        return client.post(url, content=delivery.body, headers=headers).status_code

    with httpx.Client(timeout=30, trust_env=False) as client:
        yield deliver


async def _rest(product: Product) -> Costs:
    """Return the CPU seconds of a second without requests."""
    await asyncio.to_thread(wait_until_due_jobs_are_done, product.service_url)
    before, began = product.seconds(), time.perf_counter()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), REST_SECONDS)
    return product.seconds().less(before).times(1 / (time.perf_counter() - began))


async def _window(product: Product, people: Sequence[ApiUser], guru: SeededGuru, start: str, rest: Costs) -> Costs:
    """Let everyone book a start and pay where it is due. Return the CPU milliseconds of one booking, without rest."""
    before, began = product.seconds(), time.perf_counter()
    turns = asyncio.Semaphore(AT_ONCE)
    async with httpx.AsyncClient(timeout=60, trust_env=False) as stripe:
        await asyncio.gather(*(_book(turns, stripe, one, guru, start) for one in people))
    await asyncio.to_thread(_wait_for_bookings, product.service_url, guru, start, len(people))
    await asyncio.to_thread(wait_until_due_jobs_are_done, product.service_url)
    used = product.seconds().less(before).less(rest.times(time.perf_counter() - began))
    return used.times(1000 / len(people))


def _wait_for_bookings(service_url: str, guru: SeededGuru, start: str, count: int) -> None:
    query = "SELECT count(*) FROM bookings WHERE tenant_id = %s AND starts_at = %s AND status = 'confirmed'"
    with psycopg.connect(service_url, autocommit=True) as conn:
        eventually("all are booked", lambda: conn.execute(query, [guru.id, start]).fetchone() == (count,), MAX_SECONDS)


async def _book(
    turns: asyncio.Semaphore, stripe: httpx.AsyncClient, user: ApiUser, guru: SeededGuru, start: str
) -> None:
    async with turns:
        held = await post_hold(user, guru, start)
        assert held.status_code == 201, held.text
        booked = await post_booking(user, held.json()["data"]["token"])
        assert booked.status_code == 201, booked.text
        payment = booked.json()["data"]["payment"]
        if payment is not None:
            assert payment["state"] == "open", payment
            paid = await stripe.post(payment["url"], data={"number": PAYS, **FORM})
            assert paid.status_code == 303, paid.text
