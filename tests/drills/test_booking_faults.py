"""A worker or the database fails between a hold and its booking: the hold is kept, and the booking made once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from porchlight_dev.postgres.server import LocalPostgres
from tests.drills.bookers import open_client, sign_in
from tests.drills.kills import durable_postgres, kill_postgres, kill_worker
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import free_starts, hold, post_booking
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.factories import SeededGuru
from tests.porchlight.server import ServerProcess, run_server

__all__ = ["certificates", "signer"]
pytestmark = pytest.mark.parts
OUTAGE_SECONDS = 5.0
MAX_REJECTION_SECONDS = 3.0
KEY = {"idempotency-key": "book-once"}


@pytest.fixture(scope="module")
def postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A migrated server."""
    with durable_postgres(run_directory) as server_process:
        yield server_process


@pytest.fixture(scope="module")
def server(postgres: LocalPostgres, certificates: CertificateServer) -> Iterator[ServerProcess]:
    """Two workers."""
    env = {
        "DATABASE_URL": postgres.app_url, "PORCHLIGHT_LIMITS": "off", "FIREBASE_PROJECT_ID": PROJECT,
        "PORCHLIGHT_FIREBASE_CERTS_URL": certificates.url,
    }  # fmt: skip
    with run_server(env, workers=2) as running:
        yield running


@pytest.fixture
def guru(postgres: LocalPostgres) -> SeededGuru:
    """A guru who can be booked."""
    with psycopg.connect(postgres.service_url) as conn:
        return create_bookable_guru(conn)


def _booked(postgres: LocalPostgres, guru: SeededGuru) -> list[tuple[Any, ...]]:
    """Return status, seats, history and emails of the guru's bookings."""
    with psycopg.connect(postgres.service_url) as conn:
        return conn.execute(
            "SELECT b.status, a.taken,"
            " (SELECT array_agg(e.event ORDER BY e.number) FROM booking_events e WHERE e.booking_id = b.id),"
            " (SELECT count(*) FROM booking_emails m WHERE m.booking_id = b.id)"
            " FROM bookings b JOIN appointments a ON a.tenant_id = b.tenant_id AND a.id = b.appointment_id"
            " WHERE b.tenant_id = %s",
            [guru.id],
        ).fetchall()


async def _book_until_answered(user: ApiUser, token: str, digest: str) -> httpx.Response:
    """Send the same booking until the server answers it."""
    while True:
        try:
            response = await post_booking(user, token, digest, headers=KEY)
        except httpx.TransportError:  # the worker of the connection was killed
            continue
        if response.status_code != 503:
            return response
        await asyncio.sleep(float(response.headers["retry-after"]))


ONCE = [("confirmed", 1, ["held", "confirmed"], 2)]


@pytest.mark.drill
async def test_killed_worker_keeps_hold_for_its_booking(
    server: ServerProcess, postgres: LocalPostgres, guru: SeededGuru, signer: Signer
) -> None:
    async with open_client(server) as client:
        user = await sign_in(client, signer, "kept-kim")
        token = await hold(user, guru, (await free_starts(client, guru))[0])
        digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
        for _ in range(2):  # both workers
            kill_worker(server)
        first = await _book_until_answered(user, token, digest)
        second = await _book_until_answered(user, token, digest)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert _booked(postgres, guru) == ONCE


@pytest.mark.drill
async def test_worker_killed_while_booking_books_once(
    server: ServerProcess, postgres: LocalPostgres, guru: SeededGuru, signer: Signer
) -> None:
    async with open_client(server) as client:
        user = await sign_in(client, signer, "cut-off-cleo")
        token = await hold(user, guru, (await free_starts(client, guru))[0])
        digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
        with psycopg.connect(postgres.service_url) as locking:  # the booking waits for the calendar
            locking.execute("SELECT FROM calendars WHERE tenant_id = %s FOR UPDATE", [guru.id])
            cut_off = asyncio.create_task(post_booking(user, token, digest, headers=KEY))
            await asyncio.to_thread(_wait_for_blocked_statement, postgres)
            for worker in server.workers():
                worker.kill()
        with pytest.raises(httpx.TransportError):
            await cut_off
        booked = await _book_until_answered(user, token, digest)
    assert booked.status_code == 201, booked.text
    assert _booked(postgres, guru) == ONCE


def _wait_for_blocked_statement(postgres: LocalPostgres) -> None:
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"  # only the booking can wait
    with psycopg.connect(postgres.superuser_url, autocommit=True) as conn:
        while conn.execute(query).fetchone() == (0,):
            pass


@pytest.mark.drill
async def test_database_outage_keeps_hold_for_its_booking(
    server: ServerProcess, postgres: LocalPostgres, guru: SeededGuru, signer: Signer
) -> None:
    rejections: list[float] = []
    async with open_client(server) as client:
        user = await sign_in(client, signer, "patient-pat")
        token = await hold(user, guru, (await free_starts(client, guru))[0])
        digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
        kill_postgres(postgres)
        ended = time.monotonic() + OUTAGE_SECONDS
        while time.monotonic() < ended:
            began = time.monotonic()
            response = await post_booking(user, token, digest, headers=KEY)
            rejections.append(time.monotonic() - began)
            assert (response.status_code, response.json()["error"]["code"]) == (503, "unavailable")
            assert int(response.headers["retry-after"]) > 0
        postgres.start()
        restarted = time.monotonic()
        booked = await _book_until_answered(user, token, digest)
        recovery = time.monotonic() - restarted
    assert booked.status_code == 201, booked.text
    assert _booked(postgres, guru) == ONCE
    print(
        f"\ndatabase out for {OUTAGE_SECONDS:g} s: {len(rejections)} refusals, the slowest after"
        f" {max(rejections):.2f} s; booked {recovery:.2f} s after its return"
    )
    assert max(rejections) <= MAX_REJECTION_SECONDS
