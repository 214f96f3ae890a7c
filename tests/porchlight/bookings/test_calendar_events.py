"""The events of bookings in both calendars: emails as calendars read them in order, and the same file as a download."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
from psycopg.rows import dict_row

from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.bookings.api import CreateUser, NewGuru, book, execute, free_starts, hold, post_booking
from tests.porchlight.bookings.booking_emails import change
from tests.porchlight.bookings.calendar_readers import Event, read_with_all
from tests.porchlight.bookings.series import book_series, weekly
from tests.porchlight.factories import SeededGuru

ANSWERS = "We don't get the answers “Yes”, “No” and “Maybe” from your calendar."


async def send_emails(database: Database) -> None:
    """Send the queued emails with the settings of the app."""
    origin = f"https://{BASE_HOST}"
    await do_jobs(database, base_host=BASE_HOST, main_origin=origin, sender_address=f"notices@{BASE_HOST}")


def mailbox(database: Database, guru: SeededGuru, recipient: str) -> list[dict[str, Any]]:
    """Return the emails about a guru's bookings to an address that have a calendar file, the first one first."""
    with psycopg.connect(database.service_url, row_factory=dict_row) as conn:
        query = (
            "SELECT subject, plain, invitation FROM dev_mailbox"
            " WHERE tenant_id = %s AND recipient = %s AND invitation <> '' ORDER BY id"
        )
        return conn.execute(query, [guru.id, recipient]).fetchall()


def owner_address(database: Database, guru: SeededGuru) -> str:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT email FROM users WHERE user_id = %s", [guru.owner]).fetchone()
    assert row is not None
    return str(row[0])


def calendar(emails: list[dict[str, Any]]) -> dict[str, Event]:
    """Return the events that a calendar shows after these emails, by UID: the one with the highest sequence."""
    files = {str(number): email["invitation"].encode() for number, email in enumerate(emails)}
    shown: dict[str, Event] = {}
    for by_library in read_with_all(files).values():
        events = by_library["icalendar"]
        assert by_library == dict.fromkeys(by_library, events)
        (event,) = events  # a REQUEST has one UID (RFC 5546, section 3.2.2)
        assert event["method"] in ("REQUEST", "CANCEL")
        assert len(event["attendees"]) == 1
        if event["sequence"] >= shown.get(event["uid"], {"sequence": 0})["sequence"]:
            shown[event["uid"]] = event
    return {uid: event for uid, event in shown.items() if event["method"] == "REQUEST"}


def summaries(emails: list[dict[str, Any]]) -> list[str]:
    return sorted(event["summary"] for event in calendar(emails).values())


async def cancel(user: ApiUser, booking_id: str) -> None:
    digest = (await user.get(f"/api/bookings/{booking_id}"))["terms"]["digest"]
    path = f"/api/bookings/{booking_id}/cancellation"
    assert (await user.request("POST", path, json={"termsDigest": digest})).status_code == 200


async def move(user: ApiUser, booking_id: str, start: str) -> None:
    digest = (await user.get(f"/api/bookings/{booking_id}"))["terms"]["digest"]
    body = {"startsAt": start, "termsDigest": digest}
    response = await user.request("POST", f"/api/bookings/{booking_id}/move", json=body)
    assert response.status_code == 200, response.text


async def test_series_enters_both_calendars_like_single_sessions(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    series = await book_series(user, guru, await weekly(web, guru, 3))
    await send_emails(database)
    to_person, to_guru = mailbox(database, guru, user.email), mailbox(database, guru, owner_address(database, guru))
    for emails in (to_person, to_guru):
        assert len(emails) == 3
        events = calendar(emails)
        assert set(events) == {f"{one['id']}@{BASE_HOST}" for one in series["bookings"]}
        starts = {event["dtstart"].replace(".000Z", "Z") for event in events.values()}
        assert starts == {one["startsAt"] for one in series["bookings"]}
    assert {email["subject"] for email in to_person} == {
        f"You're booked: 3 sessions of Lesson with Guru {guru.mark}",
        f"Session 2 of 3: Lesson with Guru {guru.mark}",
        f"Session 3 of 3: Lesson with Guru {guru.mark}",
    }
    assert [("You get a separate email" in email["plain"]) for email in to_person].count(True) == 1


async def test_class_is_one_event_in_the_gurus_calendar(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=4, party_max=2, move_until_minutes=60)
    ada, bob = await create_user("Ada Neighbor"), await create_user("Bob Builder")
    start, _, later, *_ = await free_starts(web, guru)
    first = await book(ada, guru, start)
    await send_emails(database)
    owner = owner_address(database, guru)
    assert summaries(mailbox(database, guru, owner)) == ["Lesson: 1 of 4 spots booked"]
    token = await hold(bob, guru, start, party=2)
    second = (await post_booking(bob, token, name="Bob Builder", participants=["Bob", "Eve"])).json()["data"]
    await send_emails(database)
    ((uid, event),) = calendar(mailbox(database, guru, owner)).items()
    assert event["summary"] == "Lesson: 3 of 4 spots booked"
    assert event["description"].startswith("Ada Neighbor\nBob Builder (2 spots)\n")
    assert first["id"] not in uid
    assert second["id"] not in uid
    # Each person's own calendar has their booking.
    for user, booked in ((ada, first), (bob, second)):
        assert list(calendar(mailbox(database, guru, user.email))) == [f"{booked['id']}@{BASE_HOST}"]
    await move(ada, first["id"], later)
    await send_emails(database)
    assert summaries(mailbox(database, guru, owner)) == ["Lesson: 1 of 4 spots booked", "Lesson: 2 of 4 spots booked"]
    await cancel(bob, second["id"])
    await send_emails(database)
    assert [each["dtstart"] for each in calendar(mailbox(database, guru, owner)).values()] == [
        later.replace("Z", ".000Z")
    ]
    await cancel(ada, first["id"])
    await send_emails(database)
    assert calendar(mailbox(database, guru, owner)) == {}


async def test_class_shows_its_event_again_with_a_higher_number(
    create_user: CreateUser, new_guru: NewGuru, database: Database, web: httpx.AsyncClient
) -> None:
    guru = new_guru(capacity=4)
    user = await create_user("Ada Neighbor")
    start = (await free_starts(web, guru))[0]
    first = await book(user, guru, start)
    # A session with a fixed start stays without bookings, too.
    execute(database, "UPDATE appointments SET fixed = true WHERE tenant_id = %s", guru.id)
    await cancel(user, first["id"])
    await book(user, guru, start)
    await send_emails(database)
    assert summaries(mailbox(database, guru, owner_address(database, guru))) == ["Lesson: 1 of 4 spots booked"]


async def test_moved_session_leaves_no_second_event(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(move_until_minutes=60)
    user = await create_user("Ada Neighbor")
    start, _, later, *_ = await free_starts(web, guru)
    booked = await book(user, guru, start)
    await send_emails(database)
    # The guru lets several people take part from now on: the new session is a class, the old one was not.
    execute(database, "UPDATE booking_settings SET capacity = 3 WHERE tenant_id = %s", guru.id)
    await move(user, booked["id"], later)
    await send_emails(database)
    for address in (user.email, owner_address(database, guru)):
        events = calendar(mailbox(database, guru, address)).values()
        assert [event["dtstart"] for event in events] == [later.replace("Z", ".000Z")]


async def test_downloaded_file_has_the_bytes_of_the_email(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(place="guru", place_text="9 Oak Street", move_until_minutes=60)
    user = await create_user("Ada Neighbor")
    start, _, later, *_ = await free_starts(web, guru)
    booked = await book(user, guru, start)

    async def check(method: str, sequence: int) -> None:
        await send_emails(database)
        mailed = mailbox(database, guru, user.email)[-1]["invitation"]
        response = await user.request("GET", f"/api/bookings/{booked['id']}/session.ics")
        assert response.content == mailed.encode()
        assert f"METHOD:{method}\r\n" in mailed
        assert f"SEQUENCE:{sequence}\r\n" in mailed

    await check("REQUEST", 0)
    await move(user, booked["id"], later)
    await check("REQUEST", 1)
    proposal = datetime.fromisoformat(later) + timedelta(days=1)
    execute(
        database,
        "UPDATE bookings SET proposed_start = %s, proposed_until = app.now() + interval '1 day', proposals = 1"
        " WHERE id = %s",
        proposal, UUID(booked["id"]),
    )  # fmt: skip
    await check("REQUEST", 1)  # a proposal changes no calendar
    for ended in ("completed", "missed"):
        change(database, UUID(booked["id"]), status=ended)
        await check("REQUEST", 1)
    change(database, UUID(booked["id"]), status="confirmed")
    await cancel(user, booked["id"])
    await check("CANCEL", 2)


async def test_downloaded_series_has_the_bytes_of_its_emails(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    series = await book_series(user, guru, await weekly(web, guru, 3))
    await send_emails(database)
    downloads = {
        (await user.request("GET", f"/api/bookings/{one['id']}/session.ics")).content for one in series["bookings"]
    }
    assert downloads == {email["invitation"].encode() for email in mailbox(database, guru, user.email)}
    assert len(downloads) == 3


async def test_invitation_says_where_an_answer_counts(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    booked = await book(user, guru, (await free_starts(web, guru))[0])
    await send_emails(database)
    for address, page in (
        (user.email, f"/sessions/{booked['id']}"),
        (owner_address(database, guru), f"/guru/calendar?booking={booked['id']}"),
    ):
        (email,) = mailbox(database, guru, address)
        (event,) = calendar([email]).values()
        assert ANSWERS in email["plain"]
        assert ANSWERS in event["description"]
        assert page in email["plain"]
        assert page in event["description"]
    await cancel(user, booked["id"])
    await send_emails(database)
    assert ANSWERS not in mailbox(database, guru, user.email)[-1]["plain"]
