"""Where sessions take place: the neighbor's address, the guru's address or link, and a place that changes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from icalendar import Calendar

from porchlight.app import Porchlight
from porchlight.features.bookings.guru import overview as guru_overview
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.bookings.api import CreateUser, NewGuru, book, free_starts, hold, post_booking
from tests.porchlight.bookings.booking_emails import NOW, emails, statuses
from tests.porchlight.bookings.series import post_series, weekly
from tests.porchlight.bookings.sessions import book_session, create_owner, erase_bookings, session_of
from tests.porchlight.owner import GuruOwner

HOME = "735 Quail Creek Lane, the yellow gate"
LINK = "https://meet.example/a"
AT_ADAS = {"place": "person", "place_text": "A table, please."}


@pytest.fixture
async def gina(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, database: Database, new_guru: NewGuru
) -> AsyncIterator[GuruOwner]:
    """The owner of a guru without bookings, who meets people online."""
    guru = new_guru(place="online", place_text=LINK, capacity=3, party_max=2)
    owner = await create_owner(app, web, signer, database, guru)
    yield owner
    await owner.web.aclose()


async def change_place(owner: GuruOwner, session: str, place: str, text: str, *, expect: int = 200) -> dict[str, Any]:
    body = {"place": place, "placeText": text}
    answer: dict[str, Any] = await owner.call("PUT", f"/sessions/{session}/place", body, expect=expect)
    return answer


async def test_session_at_persons_place_needs_address(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
) -> None:
    guru = new_guru(**AT_ADAS)
    owner = await create_owner(app, web, signer, database, guru)
    ada = await create_user("Ada Neighbor")
    token = await hold(ada, guru, (await free_starts(web, guru))[0])
    for address in ("", "  \n "):
        refused = invalid_fields(await post_booking(ada, token, address=address))
        assert refused == {"address": "Enter the address where you'd like to meet."}
    response = await post_booking(ada, token, address=HOME)
    assert response.status_code == 201, response.text
    booked = response.json()["data"]
    assert (booked["address"], booked["placeText"]) == (HOME, "A table, please.")
    # The list of all sessions leaves it out: the guru needs it for this one.
    assert (await owner.call("GET", f"/bookings/{booked['id']}"))["address"] == HOME
    assert HOME not in str(await owner.call("GET", "/bookings"))
    await do_jobs(database)
    for message in emails(database, UUID(booked["id"])).values():
        assert f"Where: {HOME}" in message["plain"]
        assert "Needed there: A table, please." in message["plain"]
        (event,) = Calendar.from_ical(message["invitation"]).walk("VEVENT")
        assert event["LOCATION"] == HOME
    file = await ada.request("GET", f"/api/bookings/{booked['id']}/session.ics")
    assert HOME in str(Calendar.from_ical(file.content).walk("VEVENT")[0]["LOCATION"])
    canceled = await owner.call("POST", f"/bookings/{booked['id']}/cancellation", {"reason": "I am ill."})
    assert (canceled["address"], (await ada.get(f"/api/bookings/{booked['id']}"))["address"]) == ("", "")
    await owner.web.aclose()


async def test_booking_sent_again_keeps_address_and_zone(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(**AT_ADAS)
    ada = await create_user("Ada Neighbor")
    token = await hold(ada, guru, (await free_starts(web, guru))[0])
    digest = (await ada.get(f"/api/holds/{token}"))["policyDigest"]
    request = {"address": HOME, "zone": "Europe/Berlin", "headers": {"idempotency-key": "attempt-1"}}
    first, second = [await post_booking(ada, token, digest, **request) for _ in range(2)]
    assert (first.status_code, second.json()) == (201, first.json())
    booked = UUID(first.json()["data"]["id"])
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT person_address, person_zone FROM bookings WHERE id = %s"
        assert conn.execute(query, [booked]).fetchone() == (HOME, "Europe/Berlin")
    await do_jobs(database)
    assert set(emails(database, booked)) == {("booked", "person"), ("booked", "guru")}


async def test_erased_address_is_no_change_of_the_place(
    create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(**AT_ADAS)
    columns = {"confirmed_at": NOW - timedelta(days=1), "place": "person", "person_address": HOME}
    ada = await create_user("Ada Neighbor")
    booked = UUID(book_session(database, guru, ada, NOW - timedelta(hours=2), **columns))
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM booking_emails WHERE booking_id = %s", [booked])
    erase_bookings(database, guru, ada.user_id)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT status, person_address FROM bookings WHERE id = %s"
        assert conn.execute(query, [booked]).fetchone() == ("confirmed", "")
        events = "SELECT count(*) FROM booking_events WHERE booking_id = %s AND event = 'place_changed'"
        assert conn.execute(events, [booked]).fetchone() == (0,)
    assert statuses(database, booked) == {}


async def test_series_at_persons_place_has_the_address(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(**AT_ADAS)
    ada = await create_user("Ada Neighbor")
    starts = await weekly(web, guru, 3)
    token = await hold(ada, guru, starts[0])
    assert list(invalid_fields(await post_series(ada, token, starts[1:]))) == ["address"]
    response = await post_series(ada, token, starts[1:], address=HOME)
    assert [one["address"] for one in response.json()["data"]["bookings"]] == [HOME] * 3


async def test_address_is_not_kept_for_other_places(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner
) -> None:
    ada = await create_user("Ada Neighbor")
    token = await hold(ada, gina.guru, (await free_starts(web, gina.guru))[0])
    response = await post_booking(ada, token, address=HOME)
    assert response.json()["data"]["address"] == ""


async def test_place_of_guru_is_shown_after_confirmation(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
) -> None:
    guru = new_guru(place="guru", place_text="9 Oak Street", approval="request")
    owner = await create_owner(app, web, signer, database, guru)
    ada = await create_user("Ada Neighbor")
    asked = await book(ada, guru, (await free_starts(web, guru))[0])
    assert (asked["status"], asked["placeText"]) == ("requested", "")
    await owner.call("POST", f"/bookings/{asked['id']}/answer", {"accept": True})
    assert (await ada.get(f"/api/bookings/{asked['id']}"))["placeText"] == "9 Oak Street"
    await owner.web.aclose()


async def test_changed_place_updates_both_calendars(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    ada, bo = await create_user("Ada Neighbor"), await create_user("Bo Neighbor")
    start, other_start = (await free_starts(web, gina.guru))[:4:3]
    booked, elsewhere = await book(ada, gina.guru, start), await book(bo, gina.guru, other_start)
    await do_jobs(database)
    session = session_of(database, booked["id"])
    await change_place(gina, session, "guru", "9 Oak Street, the red door")
    await change_place(gina, session, "guru", "9 Oak Street, the red door")  # nothing changes, so no email is sent
    await do_jobs(database)
    sent = emails(database, UUID(booked["id"]))
    assert set(sent) == {(kind, side) for kind in ("booked", "place_changed") for side in ("person", "guru")}
    # The guru's event is the session, whose first change was the booking.
    for side, sequence in (("person", 1), ("guru", 2)):
        message = sent["place_changed", side]
        assert message["subject"].startswith("New place: Lesson with ")
        assert "Where: 9 Oak Street, the red door" in message["plain"]
        calendar = Calendar.from_ical(message["invitation"])
        (event,) = calendar.walk("VEVENT")
        assert (calendar["METHOD"], event["SEQUENCE"], event["LOCATION"]) == (
            "REQUEST",
            sequence,
            "9 Oak Street, the red door",
        )
    found = await ada.get(f"/api/bookings/{booked['id']}")
    assert (found["place"], found["placeText"]) == ("guru", "9 Oak Street, the red door")
    events = (await gina.call("GET", f"/bookings/{booked['id']}"))["events"]
    assert [(event["actor"], event["event"]) for event in events][-1] == ("guru", "place_changed")
    assert (await bo.get(f"/api/bookings/{elsewhere['id']}"))["placeText"] == LINK
    assert ("place_changed", "person") not in emails(database, UUID(elsewhere["id"]))
    # Who books the session later, or moves there, comes to the same place.
    assert (await book(bo, gina.guru, start))["placeText"] == "9 Oak Street, the red door"


async def test_move_into_session_takes_its_place(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    ada, bo = await create_user("Ada Neighbor"), await create_user("Bo Neighbor")
    starts = await weekly(web, gina.guru, 2)
    booked, moved = await book(ada, gina.guru, starts[0]), await book(bo, gina.guru, starts[1])
    await change_place(gina, session_of(database, booked["id"]), "guru", "9 Oak Street")
    body = {"startsAt": starts[0], "termsDigest": moved["terms"]["digest"]}
    response = await bo.request("POST", f"/api/bookings/{moved['id']}/move", json=body)
    assert response.json()["data"]["placeText"] == "9 Oak Street"


async def test_place_change_without_address_is_refused(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    booked = await book(await create_user("Ada Neighbor"), gina.guru, (await free_starts(web, gina.guru))[0])
    session = session_of(database, booked["id"])
    for place, text, field in (("guru", " ", "placeText"), ("online", "", "placeText"), ("person", "A table", "place")):
        error = await change_place(gina, session, place, text, expect=422)
        assert list(error["fields"]) == [field]
    assert (await gina.call("GET", f"/bookings/{booked['id']}"))["placeText"] == LINK


async def test_place_of_other_gurus_session_is_404(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    create_user: CreateUser,
    gina: GuruOwner,
    new_guru: NewGuru,
    database: Database,
) -> None:
    booked = await book(await create_user("Ada Neighbor"), gina.guru, (await free_starts(web, gina.guru))[0])
    otto = await create_owner(app, web, signer, database, new_guru())
    error = await change_place(otto, session_of(database, booked["id"]), "guru", "9 Oak Street", expect=404)
    assert error["code"] == "not_found"
    assert (await gina.call("GET", f"/bookings/{booked['id']}"))["placeText"] == LINK
    await otto.web.aclose()


async def test_overview_names_what_has_no_place(
    web: httpx.AsyncClient,
    create_user: CreateUser,
    gina: GuruOwner,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    booked = await book(await create_user("Ada Neighbor"), gina.guru, (await free_starts(web, gina.guru))[0])
    overview = await gina.call("GET", "/bookings/overview")
    assert (overview["unplaced"], overview["unplacedServices"]) == ([], [])
    with psycopg.connect(database.superuser_url) as conn:  # as before the place was needed
        conn.execute("UPDATE booking_settings SET place_text = '' WHERE tenant_id = %s", [gina.guru.id])
        conn.execute("UPDATE bookings SET place_text = '' WHERE tenant_id = %s", [gina.guru.id])
    overview = await gina.call("GET", "/bookings/overview")
    assert overview["unplaced"] == [
        {
            "id": booked["id"], "personName": "Ada Neighbor", "serviceName": "Lesson", "startsAt": booked["startsAt"],
            "zone": "America/Denver",
        }
    ]  # fmt: skip
    assert overview["unplacedServices"] == [{"id": str(gina.guru.services[0]), "name": "Lesson"}]
    assert overview["moreUnplaced"] is False
    monkeypatch.setattr(guru_overview, "MAX_UNPLACED", 0)
    overview = await gina.call("GET", "/bookings/overview")
    assert (overview["unplaced"], overview["unplacedServices"], overview["moreUnplaced"]) == ([], [], True)
