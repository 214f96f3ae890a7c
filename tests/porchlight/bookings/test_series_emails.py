"""Emails about series: the first shows all sessions that change together, and each one has a calendar file."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import icalendar
import psycopg

from porchlight.app import Porchlight
from porchlight.features.bookings import deadlines
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, NewGuru, execute
from tests.porchlight.bookings.booking_emails import change, emails
from tests.porchlight.bookings.series import book_series, weekly
from tests.porchlight.bookings.sessions import create_owner
from tests.porchlight.factories import SeededGuru


def queued(database: Database, guru: SeededGuru) -> list[tuple[str, str]]:
    """Return kind and side of all emails about the guru's bookings."""
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT kind, side FROM booking_emails WHERE tenant_id = %s ORDER BY kind, side DESC"
        return conn.execute(query, [guru.id]).fetchall()


def first_emails(database: Database, series: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return emails(database, UUID(series["id"]))


async def test_booked_series_has_an_email_for_each_session(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(place="online", place_text="https://meet.example/a")
    series = await book_series(await create_user("Ada Neighbor"), guru, await weekly(web, guru, 4))
    assert queued(database, guru) == [("booked", "person")] * 4 + [("booked", "guru")] * 4
    await do_jobs(database)
    sent = first_emails(database, series)
    person, other = sent["booked", "person"], sent["booked", "guru"]
    assert person["subject"] == f"You're booked: 4 sessions of Lesson with Guru {guru.mark}"
    assert other["subject"] == "New booking: 4 sessions of Lesson with Ada Neighbor"
    assert "Your 4 sessions are booked. The calendar file is attached." in person["plain"]
    assert "This one is for the first." in person["plain"]
    assert "Ada Neighbor booked 4 sessions with you." in other["plain"]
    assert [f"Session {number}: " in person["plain"] for number in range(1, 6)] == [True] * 4 + [False]
    assert "Price: $45.01 for each session, $180.04 in total" in person["plain"]
    assert "View your sessions" in person["plain"]
    second = emails(database, UUID(series["bookings"][1]["id"]))
    assert second["booked", "person"]["subject"] == f"Session 2 of 4: Lesson with Guru {guru.mark}"
    assert second["booked", "guru"]["subject"] == "Session 2 of 4: Lesson with Ada Neighbor"
    assert "Price: $45.01\n" in second["booked", "person"]["plain"]
    assert "Session 1:" not in second["booked", "person"]["plain"]


async def test_email_of_series_lists_what_is_still_booked(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    series = await book_series(user, guru, await weekly(web, guru, 3))
    first = series["bookings"][0]
    terms = {"termsDigest": first["terms"]["digest"]}
    assert (await user.request("POST", f"/api/bookings/{first['id']}/cancellation", json=terms)).status_code == 200
    await do_jobs(database)
    second, third = (emails(database, UUID(one["id"])) for one in series["bookings"][1:])
    assert second["booked", "person"]["subject"].startswith("You're booked: 2 sessions of Lesson")
    assert third["booked", "person"]["subject"].startswith("Session 2 of 2: Lesson")
    sent = first_emails(database, series)
    assert set(sent) == {("canceled", "person"), ("canceled", "guru")}
    calendar = icalendar.Calendar.from_ical(sent["canceled", "person"]["invitation"])
    assert (str(calendar["METHOD"]), len(calendar.events)) == ("CANCEL", 1)
    assert sent["canceled", "person"]["subject"].startswith("You canceled Lesson with")


async def test_moved_session_of_series_has_an_email_of_its_own(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    series = await book_series(user, guru, (await weekly(web, guru, 3)))
    await do_jobs(database)
    moved = series["bookings"][1]
    later = datetime.fromisoformat(moved["startsAt"]) + timedelta(hours=2)
    change(database, UUID(moved["id"]), starts_at=later, sequence=1)
    await do_jobs(database)
    sent = emails(database, UUID(moved["id"]))
    assert set(sent) == {(kind, side) for kind in ("booked", "moved") for side in ("person", "guru")}
    (event,) = icalendar.Calendar.from_ical(sent["moved", "person"]["invitation"]).events
    assert (str(event["UID"]), int(str(event["SEQUENCE"]))) == (f"{moved['id']}@porchlight.example", 1)


async def test_requested_series_has_one_email_per_answer(
    app: Porchlight,
    web: httpx.AsyncClient,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
    signer: Signer,
) -> None:
    guru = new_guru(approval="request")
    series = await book_series(await create_user("Ada Neighbor"), guru, await weekly(web, guru, 4))
    await do_jobs(database)
    sent = first_emails(database, series)
    assert sent["requested", "guru"]["subject"].startswith("Ada wants to book 4 sessions of Lesson, from ")
    owner = await create_owner(app, web, signer, database, guru)
    first, *_, last = [one["id"] for one in series["bookings"]]
    await owner.call("POST", f"/bookings/{last}/answer", {"accept": False})
    await owner.call("POST", f"/bookings/{first}/answer", {"accept": True, "wholeSeries": True})
    await do_jobs(database)
    assert queued(database, guru) == [
        *[("accepted", "person")] * 3, *[("accepted", "guru")] * 3, ("declined", "person"),
        ("requested", "person"), ("requested", "guru"),
    ]  # fmt: skip
    assert emails(database, UUID(last))["declined", "person"]["subject"] == f"Guru {guru.mark} can't take your session"
    accepted = first_emails(database, series)["accepted", "person"]
    assert accepted["subject"] == f"You're booked: 3 sessions of Lesson with Guru {guru.mark}"
    later = emails(database, UUID(series["bookings"][1]["id"]))["accepted", "person"]
    assert later["subject"] == f"Session 2 of 3: Lesson with Guru {guru.mark}"


async def test_expired_requests_of_series_have_one_email(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(approval="request")
    await book_series(await create_user("Ada Neighbor"), guru, await weekly(web, guru, 3))
    execute(database, "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s", guru.id)
    deadlines.expire_bookings(database.service_url)
    await do_jobs(database)
    assert [kind for kind, _ in queued(database, guru)].count("expired") == 1
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT plain FROM dev_mailbox WHERE tenant_id = %s AND key LIKE '%%-expired-%%'"
        ((plain,),) = conn.execute(query, [guru.id]).fetchall()
    assert "your request for 3 sessions of Lesson has expired" in plain
