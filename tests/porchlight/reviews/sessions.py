"""Sessions that have ended, and their reviews over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import httpx
import psycopg

from porchlight.features.reviews import publishing
from porchlight.personal_links import CustomerLink
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import wait_until
from tests.porchlight.bookings.sessions import book_session
from tests.porchlight.factories import SeededGuru, seed_booking
from tests.porchlight.owner import GuruOwner

_hours = count(3, 2)  # sessions do not overlap
PUBLIC_PATHS = ("/api/gurus/{label}/home", "/api/gurus/{label}/services", "/api/gurus/{label}/reviews")


def end_session(database: Database, guru: SeededGuru, user: ApiUser, **columns: Any) -> str:
    """Create a booking of a user whose session ended today or yesterday."""
    starts_at = columns.pop("starts_at", clock.now() - timedelta(hours=next(_hours)))
    return book_session(database, guru, user, starts_at, status=columns.pop("status", "completed"), **columns)


def end_customer_session(database: Database, guru: SeededGuru, **columns: Any) -> tuple[str, str]:
    """Create an ended session that a guru booked for a customer. Return its id, and the path of its link in the API."""
    token = new_id()
    values: dict[str, Any] = {"starts_at": clock.now() - timedelta(hours=next(_hours)), "status": "completed"}
    values |= {"customer_token": token, "customer_email": "wanda@mail.example", "person_name": "Wanda Walk-In"}
    with psycopg.connect(database.service_url) as conn:
        booking = str(seed_booking(conn, guru, new_id(), **values | columns))
    return booking, f"/api/booked/{CustomerLink(guru.id, token).text}"


async def write(user: ApiUser, booking: str, stars: int = 5, body: str = "", **changes: Any) -> httpx.Response:
    """Review a session as its person."""
    return await user.request("PUT", f"/api/bookings/{booking}/review", json={"stars": stars, "body": body} | changes)


async def written(user: ApiUser, booking: str, stars: int = 5, body: str = "", **changes: Any) -> dict[str, Any]:
    """Review a session as its person, and return its reviews."""
    response = await write(user, booking, stars, body, **changes)
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


async def written_by_guru(owner: GuruOwner, booking: str, stars: int = 5, body: str = "") -> dict[str, Any]:
    """Review the person of a session as the guru, and return its reviews."""
    data: dict[str, Any] = await owner.call("PUT", f"/bookings/{booking}/review", {"stars": stars, "body": body})
    return data


async def public_answers(web: httpx.AsyncClient, guru: SeededGuru) -> dict[str, bytes]:
    """Return everything that visitors get about a guru's reviews."""
    found = {}
    for path in PUBLIC_PATHS:
        response = await web.get(path.format(label=guru.label))
        assert response.status_code == 200, response.text
        found[path] = response.content
    return found


async def reviews_of(
    web: httpx.AsyncClient, guru: SeededGuru, *, until: Callable[[dict[str, Any]], bool] = lambda _page: True
) -> dict[str, Any]:
    """Return the first page of a guru's public reviews. `until`: the cache has received the change."""
    page: dict[str, Any] = {}

    async def is_fresh() -> bool:
        response = await web.get(f"/api/gurus/{guru.label}/reviews")
        assert response.status_code == 200, response.text
        page.clear()
        page.update(response.json())
        return until(page)

    await wait_until("the reviews are fresh", is_fresh)
    return page


def publish(database: Database, guru: SeededGuru) -> None:
    """Publish a guru's revealed reviews, as the minute's job does."""
    with psycopg.connect(database.service_url) as conn:
        publishing.publish(conn, guru.id)


def forget_seeded(database: Database, guru: SeededGuru) -> None:
    """Remove the reviews that each seeded guru has."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM reviews WHERE tenant_id = %s", [guru.id])
        conn.execute("DELETE FROM review_totals WHERE tenant_id = %s", [guru.id])
