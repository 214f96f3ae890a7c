"""Emails to people on a waitlist: one about each free spot, and one when the guru cancels the session."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx
import psycopg
from psycopg.rows import dict_row

from porchlight.app import Porchlight
from porchlight.emails.session_times import format_clock
from porchlight.features.bookings.admin_actions import cancel_for_both
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, NewGuru, execute
from tests.porchlight.bookings.sessions import create_owner
from tests.porchlight.bookings.waitlists import cancel, end_offers, entries, full_session, join


def inbox(database: Database, user: ApiUser) -> list[dict[str, Any]]:
    """Return the emails to a user about sessions, the oldest first."""
    query = (
        "SELECT m.subject, m.plain, m.html FROM dev_mailbox m JOIN users u ON u.email = m.recipient"
        " WHERE u.user_id = %s AND (m.key LIKE 'booking-%%' OR m.key LIKE 'waitlist-%%') ORDER BY m.id"
    )
    with psycopg.connect(database.service_url, row_factory=dict_row) as conn:
        return conn.execute(query, [user.user_id]).fetchall()


async def test_each_offer_is_emailed_to_its_person_once(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2)
    start, seated = await full_session(web, create_user, guru)
    ada, bob = await create_user("Emailed Ada"), await create_user("Emailed Bob")
    entry = await join(ada, guru, start)
    await join(bob, guru, start)
    await do_jobs(database)
    assert inbox(database, ada) == []  # joining shows the position on the page
    await cancel(*seated[0])
    await do_jobs(database)
    offer = (await ada.get("/api/waitlist"))["entries"][0]
    until = format_clock(datetime.fromisoformat(offer["offeredUntil"]).astimezone(ZoneInfo(offer["zone"])))
    (email,) = inbox(database, ada)
    assert email["subject"] == f"A spot is free: Lesson with Guru {guru.mark}"
    starts = datetime.fromisoformat(offer["startsAt"]).astimezone(ZoneInfo(offer["zone"]))
    opened = f"A spot opened in Lesson, {starts:%A}, {format_clock(starts)}. It's yours until {until}."
    assert opened in email["plain"]
    assert f"https://porchlight.example/sessions/waitlist/{entry['id']}\n" in email["plain"]
    assert "because you joined a waitlist" in email["plain"]
    assert inbox(database, bob) == []
    await do_jobs(database)
    assert len(inbox(database, ada)) == 1
    end_offers(database, guru)
    await do_jobs(database)
    assert (len(inbox(database, ada)), [email["subject"] for email in inbox(database, bob)]) == (1, [email["subject"]])


async def test_email_of_ended_offer_is_not_sent(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2)
    start, seated = await full_session(web, create_user, guru)
    left, late = await create_user("Left Lea"), await create_user("Late Lia")
    entry = await join(left, guru, start)
    await join(late, guru, start)
    await cancel(*seated[0])
    assert (await left.request("DELETE", f"/api/waitlist/{entry['id']}")).status_code == 200
    # The second offer has ended too, but is not settled yet.
    execute(database, "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s AND status = 'held'", guru.id)
    await do_jobs(database)
    assert (inbox(database, left), inbox(database, late)) == ([], [])


async def test_canceled_session_is_told_to_those_who_waited(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
) -> None:
    guru = new_guru(capacity=2)
    owner = await create_owner(app, web, signer, database, guru)
    start, seated = await full_session(web, create_user, guru)
    offered, waiting, gone = [await create_user(f"Person {number}") for number in range(3)]
    places = [await join(user, guru, start) for user in (offered, waiting, gone)]
    assert (await gone.request("DELETE", f"/api/waitlist/{places[2]['id']}")).status_code == 200
    await cancel(*seated[0])
    await do_jobs(database)
    path = f"/sessions/{places[0]['id']}/cancellation"
    await owner.call("POST", path, {"reason": "The oven broke."})
    await do_jobs(database)
    subject = f"Guru {guru.mark} canceled the session you were waiting for"
    assert [email["subject"] for email in inbox(database, waiting)] == [subject]
    assert [email["subject"] for email in inbox(database, offered)][1:] == [subject]
    assert inbox(database, gone) == []
    (email,) = inbox(database, waiting)
    assert "You're off the waitlist and owe nothing." in email["plain"]
    assert f"https://{guru.label}.porchlight.example/services/{guru.services[0]}/times" in email["plain"]
    for user, place in ((offered, places[0]), (waiting, places[1])):
        assert await entries(user) == []
        assert (await user.request("POST", f"/api/waitlist/{place['id']}/hold")).status_code == 409
        assert (await user.request("GET", f"/api/waitlist/sessions/{place['id']}")).status_code == 404


async def test_staff_cancellation_offers_seat_to_first(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2)
    start, seated = await full_session(web, create_user, guru)
    waiting = await create_user("Lucky Lu")
    await join(waiting, guru, start)
    with psycopg.connect(database.service_url) as conn:
        cancel_for_both(conn, "staff", UUID(seated[0][1]["id"]), "Reported.")
    await do_jobs(database)
    assert await entries(waiting) == [("offered", None)]
    assert [email["subject"] for email in inbox(database, waiting)] == [f"A spot is free: Lesson with Guru {guru.mark}"]
