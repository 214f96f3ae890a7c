"""Many people book the same session at once, over HTTP at several workers: each seat is booked once."""

from __future__ import annotations

import asyncio
from collections import Counter
from uuid import UUID

import psycopg
import pytest

from porchlight.features.bookings.deadlines import expire_bookings
from tests.bench.figures import print_figure
from tests.drills.bookers import Requests, open_client, sign_in
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import code, free_starts, post_booking, post_hold
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.factories import SeededGuru
from tests.porchlight.server import run_server

__all__ = ["certificates", "signer"]
pytestmark = pytest.mark.parts


async def _race(requests: Requests, guru: SeededGuru, users: list[ApiUser], start: str) -> Counter[str]:
    """Let all users hold a seat at once, and those who got one book it at once, except every third."""
    outcomes: Counter[str] = Counter()
    ready = asyncio.Barrier(len(users))

    async def book(number: int, user: ApiUser) -> None:
        # Everyone has the page with the free times open, and with it a connection to the server.
        assert start in await free_starts(user.web, guru)
        await ready.wait()
        held = await requests.send(lambda: post_hold(user, guru, start, key=f"hold-{guru.label}-{number}"))
        if held.status_code != 201:
            outcomes[code(held)] += 1
        elif number % 3 == 0:
            outcomes["left"] += 1
        else:
            token, headers = held.json()["data"]["token"], {"idempotency-key": f"book-{guru.label}-{number}"}
            seen = await requests.send(lambda: user.request("GET", f"/api/holds/{token}"))
            digest = seen.json()["data"]["policyDigest"]
            booked = await requests.send(lambda: post_booking(user, token, digest, headers=headers))
            outcomes["booked" if booked.status_code == 201 else code(booked)] += 1

    await asyncio.gather(*(book(number, user) for number, user in enumerate(users)))
    return outcomes


def _seats(conn: psycopg.Connection[tuple[object, ...]], tenant_id: UUID) -> tuple[object, ...] | None:
    """Return the occupied seats, the confirmed bookings and their people."""
    return conn.execute(
        "SELECT coalesce(max(a.taken), 0), count(b), count(DISTINCT b.person_id) FROM appointments a"
        " LEFT JOIN bookings b ON b.tenant_id = a.tenant_id AND b.appointment_id = a.id AND b.status = 'confirmed'"
        " WHERE a.tenant_id = %s",
        [tenant_id],
    ).fetchone()


async def _race_at_server(
    database: Database, certificates: CertificateServer, signer: Signer, clients: int, workers: int, *sizes: int
) -> None:
    env = {
        "DATABASE_URL": database.app_url, "PORCHLIGHT_LIMITS": "off", "FIREBASE_PROJECT_ID": PROJECT,
        "PORCHLIGHT_FIREBASE_CERTS_URL": certificates.url,
    }  # fmt: skip
    with run_server(env, workers=workers) as server, psycopg.connect(database.superuser_url, autocommit=True) as conn:
        async with open_client(server) as client:
            users = [await sign_in(client, signer, f"racer-{number}") for number in range(clients)]
            # As on a site that has visitors: the workers have opened their connections to the database.
            warm_up = create_bookable_guru(conn, capacity=1)
            await _race(Requests(), warm_up, users, (await free_starts(client, warm_up))[0])
            for capacity in sizes:
                guru = create_bookable_guru(conn, capacity=capacity)
                start = (await free_starts(client, guru))[0]
                requests = Requests()
                outcomes = await _race(requests, guru, users, start)
                booked = outcomes["booked"]
                full = "slot_taken" if capacity == 1 else "session_full"
                assert outcomes == {
                    name: count
                    for name, count in
                    (("booked", booked), ("left", capacity - booked), (full, clients - capacity))
                    if count
                }  # fmt: skip
                conn.execute(
                    "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s AND status = 'held'", [guru.id]
                )
                expire_bookings(database.service_url)
                assert _seats(conn, guru.id) == (booked, booked, booked)
                print_figure(
                    f"{clients} people for {capacity} spots, slowest of 99 %", requests.percentile(99), None, "ms",
                    at_most=2000, note=f"{booked} booked, answers {dict(requests.statuses)}",
                )  # fmt: skip
        found = conn.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
        assert found == (0,)


async def test_booking_race_at_workers_books_each_seat_once(
    database: Database, certificates: CertificateServer, signer: Signer
) -> None:
    await _race_at_server(database, certificates, signer, 24, 2, 1, 12)


@pytest.mark.drill
async def test_booking_race_of_200_books_each_seat_once(
    database: Database, certificates: CertificateServer, signer: Signer
) -> None:
    await _race_at_server(database, certificates, signer, 200, 4, 1, 3, 12, 100)
