"""Emails about bookings: who gets which, what they say, and that each is sent once and only while it is true."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import icalendar
import psycopg
import pytest

from porchlight.emails.sender import MailboxMailer
from porchlight.features.bookings.emails.clocks import Clocks
from porchlight.features.bookings.emails.collecting import MAX_SEND_ATTEMPTS
from porchlight.ports import EmailMessage
from tenants.db.jobs import enqueue_as_service
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import NewGuru
from tests.porchlight.bookings.booking_emails import NOW, START, book, change, emails, statuses
from tests.porchlight.bookings.sessions import session_of

PERIOD = "Tuesday, June 1, 2027, 9:00\u00a0AM to 10:00\u00a0AM\u00a0MDT"
UNTIL = {"expires_at": NOW + timedelta(hours=5)}


def event(invitation: str) -> tuple[str, int, str]:
    """Return method, sequence and UID of an invitation."""
    calendar = icalendar.Calendar.from_ical(invitation)
    (found,) = calendar.events
    return str(calendar["METHOD"]), int(str(found["SEQUENCE"])), str(found["UID"])


def test_clock_of_a_subject_names_a_near_day_by_its_weekday() -> None:
    clocks = Clocks(ZoneInfo("America/Denver"))
    today = clock.now().astimezone(clocks.zone).replace(hour=9, minute=5)
    assert clocks.short(today + timedelta(days=5)) == f"{today + timedelta(days=5):%a} 9:05 AM"
    later = today + timedelta(days=6)
    assert clocks.short(later) == f"{later:%a}, {later:%b} {later.day}, 9:05 AM"


ENDED = {"expires_at": None, "ended_at": NOW}
CANCELED = {"status": "canceled", "ended_at": NOW, "sequence": 1, "reason": "I'm <b>ill</b>."}


@pytest.mark.parametrize(
    ("before", "after", "subjects"),
    [
        ({"status": "held"} | UNTIL, {"status": "requested"} | UNTIL,
         {("requested", "person"): "You asked {guru} for Lesson",
          ("requested", "guru"): "Ada wants to book Lesson, {starts}. Answer by {answer}"}),
        ({"status": "held"} | UNTIL, {"status": "confirmed", "expires_at": None},
         {("booked", "person"): "You're booked: Lesson with {guru}",
          ("booked", "guru"): "New booking: Lesson with Ada Neighbor"}),
        ({"status": "requested"} | UNTIL, {"status": "confirmed", "expires_at": None},
         {("accepted", "person"): "You're booked: Lesson with {guru}",
          ("accepted", "guru"): "Booked: Lesson with Ada Neighbor"}),
        ({"status": "requested"} | UNTIL, {"status": "declined", "ended_by": "guru"} | ENDED,
         {("declined", "person"): "{guru} can't take your session"}),
        ({"status": "requested"} | UNTIL, {"status": "expired", "ended_by": "system"} | ENDED,
         {("expired", "person"): "{guru} didn't answer in time"}),
        ({"status": "requested"} | UNTIL, {"status": "canceled", "ended_by": "person"} | ENDED,
         {("withdrawn", "guru"): "Ada Neighbor withdrew their request"}),
        ({}, CANCELED | {"ended_by": "person"},
         {("canceled", "person"): "You canceled Lesson with {guru}",
          ("canceled", "guru"): "Ada Neighbor canceled Lesson"}),
        ({}, CANCELED | {"ended_by": "guru"},
         {("canceled", "person"): "{guru} canceled your session",
          ("canceled", "guru"): "You canceled Lesson with Ada Neighbor"}),
        ({}, CANCELED | {"ended_by": "staff"},
         {("canceled", "person"): "Your session with {guru} is canceled",
          ("canceled", "guru"): "Your session with Ada Neighbor is canceled"}),
        ({}, {"starts_at": START + timedelta(days=1), "ends_at": START + timedelta(days=1, hours=1), "sequence": 1},
         {("moved", "person"): "New time: Lesson with {guru}",
          ("moved", "guru"): "New time: Lesson with Ada Neighbor"}),
        ({"status": "held"} | UNTIL, {"status": "expired"} | ENDED, {}),
        ({"starts_at": NOW - timedelta(hours=3)}, {"status": "missed"}, {}),
        ({"starts_at": NOW - timedelta(hours=30)}, {"status": "completed"}, {}),
        ({"starts_at": NOW - timedelta(hours=3), "status": "missed"}, {"status": "confirmed"}, {}),
    ],
)  # fmt: skip
async def test_each_change_emails_the_right_sides(
    database: Database,
    new_guru: NewGuru,
    before: dict[str, Any],
    after: dict[str, Any],
    subjects: dict[tuple[str, str], str],
) -> None:
    guru = new_guru()
    booking_id = book(database, guru, **before)
    change(database, booking_id, **after)
    await do_jobs(database)
    sent = emails(database, booking_id)
    denver = Clocks(ZoneInfo("America/Denver"))
    words = {"guru": f"Guru {guru.mark}", "starts": denver.short(START), "answer": denver.short(UNTIL["expires_at"])}
    expected = {key: subject.format_map(words) for key, subject in subjects.items()}
    assert {key: row["subject"] for key, row in sent.items()} == expected
    assert set(statuses(database, booking_id).values()) <= {"sent"}
    with psycopg.connect(database.service_url) as conn:
        people = "SELECT email FROM users WHERE user_id = %s"
        owner = conn.execute(people, [guru.owner]).fetchone()
    for (_kind, side), row in sent.items():
        assert (row["recipient"] == (owner or [""])[0]) is (side == "guru")
        link = f"/sessions/{booking_id}" if side == "person" else f"/guru/calendar?booking={booking_id}"
        other = f"https://{guru.label}.porchlight.example/services/{guru.services[0]}/times"
        assert f"https://porchlight.example{link}" in row["plain"] or (side == "person" and other in row["plain"])
        assert "<b>" not in row["html"].replace("<b>Ada", "<b>!")
        assert "{" not in row["subject"] + row["plain"]
        asked = side == "person" and _kind in ("requested", "declined", "expired")
        assert ("because you asked for a session" in row["plain"]) is asked


async def test_booked_email_shows_time_place_and_event(database: Database, new_guru: NewGuru) -> None:
    booking_id = book(
        database, new_guru(), status="held", place="online", place_text="https://meet.example/a", party=2, **UNTIL
    )
    change(database, booking_id, status="confirmed", expires_at=None)
    await do_jobs(database)
    sent = emails(database, booking_id)
    person = sent["booked", "person"]
    for line in (f"When: {PERIOD}", "Where: https://meet.example/a", "Spots: 2", "Price: $75.00"):
        assert line in person["plain"]
    for side in ("person", "guru"):
        invitation = sent["booked", side]["invitation"]
        # Of a session for two, the guru has one event, with the id of the session.
        found = session_of(database, str(booking_id)) if side == "guru" else booking_id
        assert event(invitation)[::2] == ("REQUEST", f"{found}@porchlight.example")
        unfolded = invitation.replace("\r\n ", "")
        assert f"mailto:{sent['booked', side]['recipient']}" in unfolded
        # A reply reaches the other side, whose address is nowhere else.
        other = sent["booked", "guru" if side == "person" else "person"]["recipient"]
        assert sent["booked", side]["reply_to"] == other
        assert ", reply to this email." in sent["booked", side]["plain"]
        assert other not in unfolded + sent["booked", side]["plain"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"status": "held"} | UNTIL, {"status": "requested"}),
        ({"status": "requested"} | UNTIL, {"status": "declined"} | ENDED),
        ({}, {"status": "canceled", "ended_by": "person"} | ENDED),
    ],
)
async def test_address_is_kept_until_a_session_is_confirmed(
    database: Database, new_guru: NewGuru, before: dict[str, Any], after: dict[str, Any]
) -> None:
    booking_id = book(database, new_guru(), **before)
    change(database, booking_id, **after)
    await do_jobs(database)
    sent = emails(database, booking_id)
    assert sent
    assert {row["reply_to"] for row in sent.values()} == {""}
    assert not [row for row in sent.values() if "reply to this email" in row["plain"]]


async def test_unverified_address_is_not_given_to_the_other_side(database: Database, new_guru: NewGuru) -> None:
    guru = new_guru()
    booking_id = book(database, guru, status="held", **UNTIL)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET email_verified = false WHERE user_id = %s", [guru.owner])
    change(database, booking_id, status="confirmed", expires_at=None)
    await do_jobs(database)
    sent = emails(database, booking_id)
    assert sent["booked", "person"]["reply_to"] == ""


async def test_move_and_cancel_update_the_event(database: Database, new_guru: NewGuru) -> None:
    booking_id = book(database, new_guru())
    later = START + timedelta(days=2)
    change(database, booking_id, starts_at=later, ends_at=later + timedelta(hours=1), sequence=1)
    await do_jobs(database)
    change(database, booking_id, status="canceled", ended_by="guru", ended_at=NOW, reason="Flooded.", sequence=2)
    await do_jobs(database)
    sent = emails(database, booking_id)
    uid = f"{booking_id}@porchlight.example"
    assert event(sent["moved", "person"]["invitation"]) == ("REQUEST", 1, uid)
    assert event(sent["canceled", "person"]["invitation"]) == ("CANCEL", 2, uid)
    assert "Was: Tuesday, June 1, 2027, 9:00\u00a0AM\u00a0MDT" in sent["moved", "person"]["plain"]
    assert "Flooded." in sent["canceled", "person"]["plain"]
    assert "You owe nothing." in sent["canceled", "person"]["plain"]


async def test_late_cancellation_names_its_cost(database: Database, new_guru: NewGuru) -> None:
    booking_id = book(database, new_guru())
    change(database, booking_id, **CANCELED, ended_by="person", owed_cents=3750)
    await do_jobs(database)
    sent = emails(database, booking_id)
    assert "you owe $37.50" in sent["canceled", "person"]["plain"]
    assert "they owe $37.50" in sent["canceled", "guru"]["plain"]


async def test_outdated_email_is_void(database: Database, new_guru: NewGuru) -> None:
    booking_id = book(database, new_guru(), status="held", **UNTIL)
    change(database, booking_id, status="confirmed", expires_at=None)
    change(database, booking_id, status="canceled", ended_by="person", ended_at=NOW, sequence=1)
    await do_jobs(database)
    assert set(emails(database, booking_id)) == {("canceled", "person"), ("canceled", "guru")}
    assert statuses(database, booking_id)["booked", "person"] == "void"


async def test_suspended_account_gets_no_email(database: Database, new_guru: NewGuru) -> None:
    booking_id = book(database, new_guru(), status="held", **UNTIL)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE users SET status = 'suspended' WHERE user_id = (SELECT person_id FROM bookings WHERE id = %s)",
            [booking_id],
        )
    change(database, booking_id, status="confirmed", expires_at=None)
    await do_jobs(database)
    assert set(emails(database, booking_id)) == {("booked", "guru")}


class _BrokenMailer:
    """A mailer whose server is down."""

    def send(self, _message: EmailMessage) -> bool:
        raise ConnectionRefusedError


async def test_failed_email_is_tried_later_then_given_up(database: Database, new_guru: NewGuru) -> None:
    booking_id = book(database, new_guru(), status="requested", **UNTIL)
    change(database, booking_id, status="declined", ended_by="guru", ended_at=NOW, expires_at=None)
    await do_jobs(database, mailer=_BrokenMailer())
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        late = "due_at - app.now() > interval '50 seconds'"
        query = f"SELECT attempts, {late}, status FROM booking_emails WHERE booking_id = %s"
        assert conn.execute(query, [booking_id]).fetchone() == (1, True, "due")
        conn.execute("UPDATE booking_emails SET due_at = app.now() WHERE booking_id = %s", [booking_id])
    await _send(database, booking_id, MailboxMailer(database.service_url))
    assert statuses(database, booking_id) == {("declined", "person"): "sent"}
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE booking_emails SET status = 'due', attempts = %s, due_at = app.now() WHERE booking_id = %s",
            [MAX_SEND_ATTEMPTS - 1, booking_id],
        )
    await _send(database, booking_id, _BrokenMailer())
    assert statuses(database, booking_id) == {("declined", "person"): "failed"}


async def _send(database: Database, booking_id: UUID, mailer: Any) -> None:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT tenant_id FROM bookings WHERE id = %s", [booking_id]).fetchone()
        assert row is not None
        enqueue_as_service(conn, "bookings:send_emails", tenant_id=str(row[0]), booking_id=str(booking_id))
    await do_jobs(database, mailer=mailer)
