"""The cost of a hold, a booking and a cancellation in CPU of the API and PostgreSQL, and how a race for seats settles.

The figures are compared between two builds: run the file in both checkouts in turn, A B A B, and take the least.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import statistics
import time

import psycopg
import pytest

from porchlight_dev.postgres.server import SUPERUSER, LocalPostgres
from tests.bench.meter import Meter
from tests.bench.test_bookings import SMALL_COUNT, BookingSite, _site
from tests.fixtures.identity import CertificateServer, Signer, certificates, signer

__all__ = ["certificates", "signer"]
pytestmark = pytest.mark.bench

ROUNDS = int(os.environ.get("PORCHLIGHT_BENCH_BOOKINGS", "400"))
RACERS = 200
RACES = 8


async def test_booking_costs_cpu(
    durable_postgres: LocalPostgres, certificates: CertificateServer, signer: Signer
) -> None:
    name = "bench_booking_costs"
    async with _site(durable_postgres, name, SMALL_COUNT, certificates, signer) as site:
        meter = Meter(durable_postgres.url(SUPERUSER, name))
        with psycopg.connect(durable_postgres.url(SUPERUSER, name), autocommit=True) as conn:
            conn.execute("UPDATE bookings SET created_at = created_at - interval '1 day'")
            wanted = [(await site.slots())[1] for _ in range(len(site.services))]
            wanted = [wanted[number % len(wanted)] for number in range(ROUNDS)]
            for first in range(0, ROUNDS, len(site.services)):
                await _measure(meter, site, wanted[first : first + len(site.services)])
                conn.execute("UPDATE bookings SET created_at = created_at - interval '1 day'")
        await _race(site, durable_postgres.url(SUPERUSER, name))


async def _measure(meter: Meter, site: BookingSite, wanted: list[tuple[str, str, str]]) -> None:
    """Hold, book and cancel each of the starts, and print what each step costs."""
    held: list[str] = []
    booked: list[str] = []
    await meter.spend("hold", lambda: _hold(site, wanted, held), len(wanted))
    with contextlib.redirect_stdout(io.StringIO()):
        pairs = [(token, (await site.user.get(f"/api/holds/{token}"))["policyDigest"]) for token in held]
    await meter.spend("booking", lambda: _book(site, pairs, booked), len(wanted))
    with contextlib.redirect_stdout(io.StringIO()):
        terms = [(one, (await site.user.get(f"/api/bookings/{one}"))["terms"]["digest"]) for one in booked]
    await meter.spend("cancellation", lambda: _cancel(site, terms), len(wanted))


async def _hold(site: BookingSite, wanted: list[tuple[str, str, str]], held: list[str]) -> None:
    for label, service, start in wanted:
        body = {"serviceId": service, "startsAt": start, "party": 1}
        response = await site.user.request("POST", f"/api/gurus/{label}/holds", json=body)
        assert response.status_code == 201, response.text
        held.append(response.json()["data"]["token"])


async def _book(site: BookingSite, pairs: list[tuple[str, str]], booked: list[str]) -> None:
    for token, digest in pairs:
        body = {"hold": token, "name": "Ada Neighbor", "note": "I am new to this.", "policyDigest": digest}
        response = await site.user.request("POST", "/api/bookings", json=body)
        assert response.status_code == 201, response.text
        booked.append(response.json()["data"]["id"])


async def _cancel(site: BookingSite, terms: list[tuple[str, str]]) -> None:
    for booking, digest in terms:
        response = await site.user.request(
            "POST", f"/api/bookings/{booking}/cancellation", json={"termsDigest": digest, "reason": ""}
        )
        assert response.status_code == 200, response.text


async def _race(site: BookingSite, url: str) -> None:
    """Let 200 visitors of different addresses want the same two seats at once, several times."""
    settled, slowest = [], []
    for number in range(RACES):
        slot = (await site.slots())[1]
        with psycopg.connect(url) as conn:
            conn.execute("UPDATE booking_settings SET capacity = 2 WHERE service_id = %s::uuid", [slot[1]])
        with contextlib.redirect_stdout(io.StringIO()):
            began = time.perf_counter()
            results = await asyncio.gather(*(_want(site, slot, f"race-{number}-{racer}") for racer in range(RACERS)))
            settled.append(1000 * (time.perf_counter() - began))
        assert sum(status == 201 for status, _ in results) == 2, results
        slowest.append(statistics.quantiles([milliseconds for _, milliseconds in results], n=100)[98])
    print(f"race of {RACERS}: all settled in {min(settled):.0f} ms, p99 {min(slowest):.0f} ms")


async def _want(site: BookingSite, slot: tuple[str, str, str], key: str) -> tuple[int, float]:
    """Return the status of a visitor's hold, and the milliseconds that it took."""
    label, service, start = slot
    body = {"serviceId": service, "startsAt": start, "party": 1}
    began = time.perf_counter()
    response = await site.web.post(f"/api/gurus/{label}/holds", json=body, headers={"idempotency-key": key})
    return response.status_code, 1000 * (time.perf_counter() - began)
