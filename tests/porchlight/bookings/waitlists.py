"""Full sessions and their waitlists, over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg

from porchlight.features.bookings import commands, store
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, book, execute, free_starts
from tests.porchlight.factories import SeededGuru


async def post_entry(user: ApiUser, guru: SeededGuru, start: str, party: int = 1) -> httpx.Response:
    body = {"guru": guru.label, "serviceId": str(guru.services[0]), "startsAt": start, "party": party}
    return await user.request("POST", "/api/waitlist", json=body)


async def join(user: ApiUser, guru: SeededGuru, start: str, party: int = 1) -> dict[str, Any]:
    response = await post_entry(user, guru, start, party)
    assert response.status_code == 201, response.text
    entry: dict[str, Any] = response.json()["data"]
    return entry


async def entries(user: ApiUser) -> list[tuple[str, int | None]]:
    """Return status and position of the user's places."""
    return [(entry["status"], entry["position"]) for entry in (await user.get("/api/waitlist"))["entries"]]


async def cancel(user: ApiUser, booked: dict[str, Any]) -> None:
    path = f"/api/bookings/{booked['id']}/cancellation"
    response = await user.request("POST", path, json={"termsDigest": booked["terms"]["digest"]})
    assert response.status_code == 200, response.text


async def open_offer(user: ApiUser, entry: dict[str, Any]) -> httpx.Response:
    return await user.request("POST", f"/api/waitlist/{entry['id']}/hold")


def end_offers(database: Database, guru: SeededGuru) -> None:
    """Let the time of the guru's holds pass, and run what each booking runs first."""
    execute(database, "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s AND status = 'held'", guru.id)
    with psycopg.connect(database.app_url) as conn:
        conn.execute(
            "SELECT set_config('app.tenant_id', %(id)s, true), set_config('app.acting_tenant_id', %(id)s, true)",
            {"id": str(guru.id)},
        )
        store.run_on(conn, store.FactsQuery(), commands.Expire())


async def full_session(
    web: httpx.AsyncClient, create_user: CreateUser, guru: SeededGuru, people: int = 2
) -> tuple[str, list[tuple[ApiUser, dict[str, Any]]]]:
    """Return the last start with a booking for each seat."""
    start = (await free_starts(web, guru))[-1]
    users = [await create_user(f"Seated {number}") for number in range(people)]
    return start, [(user, await book(user, guru, start)) for user in users]
