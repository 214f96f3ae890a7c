"""A hold and its booking, compared with a durable lead, and with few and with very many gurus."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import statistics
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.demo_data import bulk_data
from porchlight_dev.postgres.server import SUPERUSER, LocalPostgres
from tenants.db import roles
from tests.bench.conftest import create_bench_database
from tests.bench.figures import print_figure
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.porchlight.angels.users import ApiUser, register_user
from tests.porchlight.app_client import BASE_HOST, http_client, run_app

__all__ = ["certificates", "signer"]
pytestmark = pytest.mark.bench

SMALL_COUNT = 100
LARGE_COUNT = int(os.environ.get("PORCHLIGHT_BENCH_GURUS", "20000"))  # 100,000 for a soak test
ROUNDS = 300
LEAD = {
    "name": "Ada Alvarez",
    "email": "ada@example.com",
    "message": "Could you teach my daughter to bake bread? We live two streets away.",
    "consent": True,
}
# Every guru has hours, and sessions in the past and in the future, so that the tables and their indexes have a size.
SEED_BOOKINGS = """
SET session_replication_role = replica;
INSERT INTO calendars (tenant_id, zone) SELECT id, 'America/Denver' FROM gurus;
INSERT INTO weekly_hours (tenant_id, weekday, during)
SELECT g.id, day, int4range(540, 1020) FROM gurus g, generate_series(0, 6) day;
INSERT INTO booking_settings (tenant_id, service_id, open)
SELECT tenant_id, id, true FROM services WHERE duration_minutes IS NOT NULL;
INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity, taken)
SELECT s.tenant_id, gen_random_uuid(), s.id, at, at + interval '1 hour', 'America/Denver',
       tstzrange(at, at + interval '1 hour'), 1, 1
  FROM services s, LATERAL (SELECT date_trunc('day', app.now()) + make_interval(days => day, hours => 17) AS at
                              FROM generate_series(-2, 2) day) days
 WHERE s.position = 0;
INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, status, guru_label, guru_name, service_name,
                      starts_at, ends_at, zone, price_cents, currency, approval, place, terms, terms_digest)
SELECT a.tenant_id, gen_random_uuid(), a.id, a.service_id, gen_random_uuid(), 'confirmed', g.label, g.character,
       'One-on-One Consultation', a.starts_at, a.ends_at, a.zone, 7500, 'USD', 'instant', 'agreed', '{}', 'x'
  FROM appointments a JOIN gurus g ON g.id = a.tenant_id
"""


@dataclass
class BookingSite:
    """An app on a durable database, with a user who books at one guru after another."""

    web: httpx.AsyncClient
    user: ApiUser
    services: list[tuple[str, str]]  # guru's label and service
    _next: itertools.count[int] = field(default_factory=itertools.count)

    async def slots(self) -> tuple[float, tuple[str, str, str]]:
        """Return the milliseconds of reading a guru's free times, and a free start."""
        label, service = self.services[next(self._next) % len(self.services)]
        began = time.perf_counter()
        response = await self.web.get(f"/api/gurus/{label}/services/{service}/slots")
        milliseconds = 1000 * (time.perf_counter() - began)
        assert response.status_code == 200, response.text
        return milliseconds, (label, service, response.json()["next"]["startsAt"])

    async def book(self) -> float:
        """Return the milliseconds of a hold and its booking."""
        _, (label, service, start) = await self.slots()
        body = {"serviceId": service, "startsAt": start, "party": 1}
        began = time.perf_counter()
        response = await self.user.request("POST", f"/api/gurus/{label}/holds", json=body)
        milliseconds = 1000 * (time.perf_counter() - began)
        assert response.status_code == 201, response.text
        token = response.json()["data"]["token"]
        digest = (await self.user.get(f"/api/holds/{token}"))["policyDigest"]
        body = {"hold": token, "name": "Ada Neighbor", "note": "I am new to this.", "policyDigest": digest}
        began = time.perf_counter()
        response = await self.user.request("POST", "/api/bookings", json=body)
        milliseconds += 1000 * (time.perf_counter() - began)
        assert response.status_code == 201, response.text
        return milliseconds

    async def lead(self) -> float:
        """Return the milliseconds of a lead."""
        label, _ = self.services[next(self._next) % len(self.services)]
        number = next(self._next)
        began = time.perf_counter()
        response = await self.web.post(f"/api/gurus/{label}/leads", json=LEAD | {"message": f"{number}"})
        milliseconds = 1000 * (time.perf_counter() - began)
        assert response.status_code in (200, 201), response.text
        return milliseconds


@asynccontextmanager
async def _site(
    postgres: LocalPostgres, name: str, gurus: int, certificates: CertificateServer, signer: Signer
) -> AsyncIterator[BookingSite]:
    created = create_bench_database(postgres, name)
    bulk_data.build(created.url(roles.SERVICE_ROLE), gurus, posts_per_guru=1)
    superuser_url = postgres.url(SUPERUSER, name)
    with psycopg.connect(superuser_url) as conn:
        conn.execute(SEED_BOOKINGS)
        conn.commit()
        conn.autocommit = True
        conn.execute("VACUUM ANALYZE")
        services = conn.execute(
            "SELECT g.label, s.id::text FROM services s JOIN gurus g ON g.id = s.tenant_id WHERE s.position = 0"
            " ORDER BY md5(g.label) LIMIT 100"
        ).fetchall()
    urls = (created.url(role) for role in (roles.OWNER_ROLE, roles.APP_ROLE, roles.SERVICE_ROLE))
    database = Database(name, superuser_url, *urls)
    async with (
        run_app(database, firebase_project_id=PROJECT, firebase_certs_url=certificates.url) as app,
        http_client(app, BASE_HOST) as web,
    ):
        yield BookingSite(web, await register_user(web, signer, database, "Ada Neighbor"), services)


async def _medians(*measurements: Callable[[], Coroutine[Any, Any, float]]) -> list[float]:
    """Return the median of each measurement, taken alternately after a warm-up."""
    with contextlib.redirect_stdout(io.StringIO()):  # the app's log
        times = [[await measure() for measure in measurements] for _ in range(ROUNDS + 20)][20:]
    return [statistics.median(column) for column in zip(*times, strict=True)]


async def test_hold_and_booking_time(
    durable_postgres: LocalPostgres, certificates: CertificateServer, signer: Signer
) -> None:
    async with _site(durable_postgres, "bench_bookings", SMALL_COUNT, certificates, signer) as site:
        booked, lead = await _medians(site.book, site.lead)
    print_figure("hold and booking beside a lead, median", booked, lead, "ms", at_most=4)


async def test_many_gurus_booking_cost(
    durable_postgres: LocalPostgres, certificates: CertificateServer, signer: Signer
) -> None:
    async with (
        _site(durable_postgres, "bench_bookings_small", SMALL_COUNT, certificates, signer) as small,
        _site(durable_postgres, "bench_bookings_large", LARGE_COUNT, certificates, signer) as large,
    ):
        name = f"{LARGE_COUNT:,} gurus beside {SMALL_COUNT}"

        async def large_slots() -> float:
            return (await large.slots())[0]

        async def small_slots() -> float:
            return (await small.slots())[0]

        booked = await _medians(large.book, small.book)
        read = await _medians(large_slots, small_slots)
    print_figure(f"{name}, hold and booking", booked[0], booked[1], "ms", at_most=1.15)
    print_figure(f"{name}, free times", read[0], read[1], "ms", at_most=1.15)
