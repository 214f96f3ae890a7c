"""GET /api/bookings/{id}/session.ics, and the waiver of a booking after its user signs again."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from icalendar import Calendar

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.refusals import refusal
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.factories import SeededGuru, seed_booking, seed_guru
from tests.porchlight.named_users import CreateUser

NewBooking = Callable[..., UUID]
_days_ahead = itertools.count(210)  # each booking has a time of its own


@pytest.fixture(scope="module")
def guru(database: Database) -> SeededGuru:
    """A guru whose sessions can be booked."""
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, f"g{new_id().hex[-12:]}")


@pytest.fixture
def new_booking(database: Database, guru: SeededGuru) -> NewBooking:
    """A factory of confirmed bookings of a user; columns can be given."""

    def create(user: ApiUser, **columns: Any) -> UUID:
        with psycopg.connect(database.service_url) as conn:
            return seed_booking(conn, guru, user.user_id, **{"days_ahead": next(_days_ahead)} | columns)

    return create


async def session_event(user: ApiUser, booking_id: UUID) -> tuple[httpx.Response, Any]:
    response = await user.request("GET", f"/api/bookings/{booking_id}/session.ics")
    assert response.status_code == 200, response.text
    calendar = Calendar.from_ical(response.content)
    (event,) = calendar.walk("VEVENT")
    return response, event


async def test_session_file_has_the_event_of_the_booking(create_user: CreateUser, new_booking: NewBooking) -> None:
    user = await create_user("Ada Alvarez")
    booking_id = new_booking(user, place_text="12 Elm Street; Denver", service_name="Knife, skills", sequence=3)
    booked = await user.get(f"/api/bookings/{booking_id}")
    response, event = await session_event(user, booking_id)
    assert response.headers["content-type"] == "text/calendar; method=REQUEST; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="session.ics"'
    assert event["UID"] == f"{booking_id}@{BASE_HOST}"
    assert (event["SEQUENCE"], event["STATUS"], event["LOCATION"]) == (3, "CONFIRMED", "12 Elm Street; Denver")
    assert event["SUMMARY"] == f"Knife, skills with {booked['guruName']}"
    assert event["DTSTART"].dt.isoformat().replace("+00:00", "Z") == booked["startsAt"]
    assert event["DTEND"].dt.isoformat().replace("+00:00", "Z") == booked["endsAt"]
    assert event["ATTENDEE"] == f"mailto:{user.email}"
    assert f"/sessions/{booking_id}\n" in event["DESCRIPTION"]
    assert (await session_event(user, booking_id))[0].content == response.content


async def test_session_file_of_canceled_booking_cancels(create_user: CreateUser, new_booking: NewBooking) -> None:
    user = await create_user("Ada Alvarez")
    booking_id = new_booking(user, confirmed_at="2026-11-01T10:00:00Z")
    digest = (await user.get(f"/api/bookings/{booking_id}"))["terms"]["digest"]
    path = f"/api/bookings/{booking_id}/cancellation"
    assert (await user.request("POST", path, json={"termsDigest": digest})).status_code == 200
    response, event = await session_event(user, booking_id)
    assert "method=CANCEL" in response.headers["content-type"]
    assert (event["SEQUENCE"], event["STATUS"]) == (1, "CANCELLED")


async def test_session_file_of_request_is_not_found(create_user: CreateUser, new_booking: NewBooking) -> None:
    user, other = await create_user("Ada Alvarez"), await create_user("Nosy Nell")
    requested = new_booking(user, status="requested", expires_at="2099-01-01T10:00:00Z")
    confirmed = new_booking(user)
    for owner, booking in ((user, requested), (other, confirmed)):
        assert refusal(await owner.request("GET", f"/api/bookings/{booking}/session.ics")) == (404, "not_found")
    assert (await user.request("GET", f"/api/bookings/{confirmed}/session.ics")).status_code == 200


async def test_new_waiver_replaces_that_of_open_booking(
    create_user: CreateUser, new_booking: NewBooking, guru: SeededGuru, database: Database
) -> None:
    user = await create_user("Ada Alvarez")
    waiver = {"waiver_level": "low", "waiver_until": "2026-11-01T10:00:00Z"}
    booking_id, later = new_booking(user, days_ahead=20, **waiver), new_booking(user, days_ahead=200, **waiver)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE gurus SET published = true, status = 'active' WHERE id = %s", [guru.id])
        # The classifier takes a made-up name for dangerous.
        conn.execute("UPDATE services SET name = 'Python' WHERE tenant_id = %s", [guru.id])
    assert (await user.get(f"/api/bookings/{booking_id}"))["waiverDue"] is True
    payload = {
        "riskLevel": "medium", "emergencyContact": None, "timestamp": "", "skillCategory": "Programming",
        "activityDescription": "Python", "exchangeId": f"{guru.label}/{guru.services[0]}",
    }  # fmt: skip
    response = await user.request("POST", "/api/liability/waiver", json=payload)
    assert response.status_code == 201, response.text
    accepted = response.json()["data"]
    signed = await user.get(f"/api/bookings/{booking_id}")
    assert (signed["waiverDue"], signed["waiverId"]) == (False, accepted["waiverId"])
    assert signed["waiverUntil"] == accepted["expiresAt"]
    assert (await user.get(f"/api/bookings/{later}"))["waiverDue"] is True
    assert (await user.request("POST", f"/api/liability/waivers/{accepted['waiverId']}/withdrawal")).status_code == 200
    withdrawn = await user.get(f"/api/bookings/{booking_id}")
    assert withdrawn["waiverDue"] is True
