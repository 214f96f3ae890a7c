"""The neighbor's address of a session at their place, which they correct until it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from icalendar import Calendar

from porchlight.app import Porchlight
from porchlight.features.bookings import lifecycle
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, NewGuru, code, free_starts, hold, post_booking
from tests.porchlight.bookings.booking_emails import NOW, emails
from tests.porchlight.bookings.sessions import book_session, create_owner, session_of
from tests.porchlight.owner import GuruOwner

HOME = "735 Quail Creek Lane, the yellow gate"
NEW_HOME = "2210 Bluebell Court, ring twice"
AT_ADAS = {"place": "person", "place_text": "A table, please."}


@pytest.fixture
async def gina(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, database: Database, new_guru: NewGuru
) -> AsyncIterator[GuruOwner]:
    """The owner of a guru who comes to people's places, with other neighbors."""
    owner = await create_owner(app, web, signer, database, new_guru(**AT_ADAS, capacity=3))
    yield owner
    await owner.web.aclose()


async def book_at_home(web: httpx.AsyncClient, user: ApiUser, owner: GuruOwner) -> dict[str, Any]:
    token = await hold(user, owner.guru, (await free_starts(web, owner.guru))[0])
    response = await post_booking(user, token, address=HOME)
    assert response.status_code == 201, response.text
    booked: dict[str, Any] = response.json()["data"]
    return booked


async def change_address(user: ApiUser, booking_id: str, address: str) -> httpx.Response:
    return await user.request("PUT", f"/api/bookings/{booking_id}/address", json={"address": address})


def place_changes(database: Database, booking_id: str) -> list[str]:
    """Return who changed the place of a booking, the first first."""
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT actor FROM booking_events WHERE booking_id = %s AND event = 'place_changed' ORDER BY number"
        return [actor for (actor,) in conn.execute(query, [booking_id])]


async def test_corrected_address_updates_both_calendars(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booked = await book_at_home(web, ada, gina)
    await do_jobs(database)
    for _ in range(2):  # the second time nothing changes, so no email is sent
        response = await change_address(ada, booked["id"], f" {NEW_HOME} ")
        assert (response.status_code, response.json()["data"]["address"]) == (200, NEW_HOME)
    await do_jobs(database)
    sent = emails(database, UUID(booked["id"]))
    assert set(sent) == {(kind, side) for kind in ("booked", "address_changed") for side in ("person", "guru")}
    # The guru's event is the session, whose first change was the booking.
    for side, sequence, said in (("person", 1, "You changed your address"), ("guru", 2, "Ada Neighbor changed the")):
        message = sent["address_changed", side]
        assert message["subject"].startswith("New address: Lesson with ")
        assert said in message["plain"]
        assert NEW_HOME in message["plain"]
        calendar = Calendar.from_ical(message["invitation"])
        (event,) = calendar.walk("VEVENT")
        assert (calendar["METHOD"], event["SEQUENCE"], event["LOCATION"]) == ("REQUEST", sequence, NEW_HOME)
    seen = await gina.call("GET", f"/bookings/{booked['id']}")
    assert seen["address"] == NEW_HOME
    last = seen["events"][-1]
    assert (last["actor"], last["event"]) == ("person", "place_changed")
    assert place_changes(database, booked["id"]) == ["person"]
    file = await ada.request("GET", f"/api/bookings/{booked['id']}/session.ics")
    (event,) = Calendar.from_ical(file.content).walk("VEVENT")
    assert (event["SEQUENCE"], event["LOCATION"]) == (1, NEW_HOME)


async def test_address_without_text_or_too_long_is_refused(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner
) -> None:
    ada = await create_user("Ada Neighbor")
    booked = await book_at_home(web, ada, gina)
    for address in ("", "  \n "):
        refused = invalid_fields(await change_address(ada, booked["id"], address))
        assert refused == {"address": "Enter the address where you'd like to meet."}
    assert list(invalid_fields(await change_address(ada, booked["id"], "x" * 301))) == ["address"]
    assert (await ada.get(f"/api/bookings/{booked['id']}"))["address"] == HOME


async def test_address_of_request_changes_without_email(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
) -> None:
    owner = await create_owner(app, web, signer, database, new_guru(**AT_ADAS, approval="request"))
    ada = await create_user("Ada Neighbor")
    asked = await book_at_home(web, ada, owner)
    assert (await change_address(ada, asked["id"], NEW_HOME)).status_code == 200
    await do_jobs(database)  # the emails about the request still hold
    assert set(emails(database, UUID(asked["id"]))) == {("requested", "person"), ("requested", "guru")}
    assert (await owner.call("GET", f"/bookings/{asked['id']}"))["address"] == NEW_HOME
    await owner.call("POST", f"/bookings/{asked['id']}/answer", {"accept": True})
    assert (await ada.get(f"/api/bookings/{asked['id']}"))["address"] == NEW_HOME
    await owner.web.aclose()


async def test_address_changes_until_the_session_ends(
    create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    columns = {"confirmed_at": NOW - timedelta(days=1), "place": "person", "person_address": HOME}
    running = book_session(database, gina.guru, ada, NOW - timedelta(minutes=30), **columns)
    ended = book_session(database, gina.guru, ada, NOW - timedelta(hours=3), **columns)
    assert (await change_address(ada, running, NEW_HOME)).status_code == 200
    assert code(await change_address(ada, ended, NEW_HOME)) == "booking_changed"
    assert (await ada.get(f"/api/bookings/{ended}"))["address"] == HOME


async def test_address_of_session_elsewhere_is_refused(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booked = await book_at_home(web, ada, gina)
    place = {"place": "guru", "placeText": "9 Oak Street"}
    await gina.call("PUT", f"/sessions/{session_of(database, booked['id'])}/place", place)
    assert code(await change_address(ada, booked["id"], NEW_HOME)) == "booking_changed"
    await do_jobs(database)
    assert ("address_changed", "guru") not in emails(database, UUID(booked["id"]))
    await ada.request("POST", f"/api/bookings/{booked['id']}/cancellation", json={})
    assert code(await change_address(ada, booked["id"], NEW_HOME)) == "booking_changed"


async def test_address_of_other_persons_session_is_404(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner
) -> None:
    ada, bo = await create_user("Ada Neighbor"), await create_user("Bo Neighbor")
    booked = await book_at_home(web, ada, gina)
    for address in (NEW_HOME, ""):
        assert code(await change_address(bo, booked["id"], address)) == "not_found"
    assert (await ada.get(f"/api/bookings/{booked['id']}"))["address"] == HOME


async def test_same_address_sent_twice_at_once_is_one_change(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booked = await book_at_home(web, ada, gina)
    answers = await asyncio.gather(*(change_address(ada, booked["id"], NEW_HOME) for _ in range(4)))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert place_changes(database, booked["id"]) == ["person"]


async def test_address_changes_are_limited(
    web: httpx.AsyncClient,
    create_user: CreateUser,
    gina: GuruOwner,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lifecycle, "MAX_ADDRESS_CHANGES", 2)
    ada = await create_user("Ada Neighbor")
    booked = await book_at_home(web, ada, gina)
    # What the guru changes counts for them, not for the neighbor.
    place = {"place": "person", "placeText": "Two chairs"}
    await gina.call("PUT", f"/sessions/{session_of(database, booked['id'])}/place", place)
    for address in ("1 Elm Street", "2 Elm Street"):
        assert (await change_address(ada, booked["id"], address)).status_code == 200
    assert code(await change_address(ada, booked["id"], "3 Elm Street")) == "too_many_addresses"
    assert (await change_address(ada, booked["id"], "2 Elm Street")).status_code == 200
    assert place_changes(database, booked["id"]) == ["guru", "person", "person"]
