"""A burst of changes to bookings: the first emails are sent at once, the others become one, which drops nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage as MimeMessage
from typing import Any
from uuid import UUID

import icalendar
import psycopg

from porchlight.emails.sender import MailboxMailer
from porchlight.features.bookings import deadlines
from porchlight.features.bookings.emails.collecting import send_changes
from porchlight.features.bookings.emails.pace import MAX_PROMPT_EMAILS, PAUSE
from porchlight.ports import EmailMessage, Mailer
from tests.fixtures.databases import Database
from tests.fixtures.jobs import create_job_dependencies, do_jobs, running_job
from tests.fixtures.smtp import SmtpServer, smtp_server
from tests.fixtures.strict_email import read_email
from tests.porchlight.bookings.api import NewGuru
from tests.porchlight.bookings.booking_emails import NOW, START, change
from tests.porchlight.bookings.neighbors import NewNeighbor, new_neighbor, of_tenant
from tests.porchlight.factories import SeededGuru

__all__ = ["new_neighbor", "smtp_server"]

CONFIRMED = {"status": "confirmed", "expires_at": None}
CANCELED = {"status": "canceled", "ended_by": "person", "ended_at": NOW, "expires_at": None}
ROUNDS = 40


def owner_of(database: Database, guru: SeededGuru) -> str:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT email FROM users WHERE user_id = %s", [guru.owner]).fetchone()
        assert row is not None
        return str(row[0])


def to(server: SmtpServer, address: str) -> list[MimeMessage]:
    """Return the messages to an address that arrived, in their order."""
    return [message for _, message in server.messages if message["To"] == address]


def plain(message: MimeMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\u00a0", " ").replace("\r\n", "\n")


def calendars(message: MimeMessage) -> list[icalendar.Calendar]:
    """Return the calendars that programs read by themselves, in the order of the parts."""
    parts = [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    found = [icalendar.Calendar.from_ical(str(part.get_content())) for part in parts]
    assert [part.get_param("method") for part in parts] == [str(one["METHOD"]) for one in found]
    return found


async def pass_pause(database: Database, guru: SeededGuru, mailer: Mailer) -> None:
    """Let the pause of collected emails pass, and run the jobs of a minute."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE booking_emails SET due_at = app.now() WHERE tenant_id = %s AND collected", [guru.id])
    deadlines.queue_due_emails(database.service_url)
    await do_jobs(database, mailer=mailer)


def rows(database: Database, guru: SeededGuru, columns: str, side: str = "guru") -> list[tuple[Any, ...]]:
    with psycopg.connect(database.service_url) as conn:
        query = f"SELECT {columns} FROM booking_emails WHERE tenant_id = %s AND side = %s ORDER BY created_at"
        return conn.execute(query.encode(), [guru.id, side]).fetchall()


async def test_forty_rounds_of_book_and_cancel_are_seven_emails(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru, mailer = new_guru(), smtp_server.mailer()
    ada = new_neighbor(guru, mailer)
    for _ in range(ROUNDS):
        booking_id = ada.hold()
        ada.change(booking_id, **CONFIRMED)
        ada.change(booking_id, **CANCELED, sequence=1)
    owner = owner_of(database, guru)
    assert len(to(smtp_server, owner)) == MAX_PROMPT_EMAILS
    assert {kind for (kind,) in rows(database, guru, "status")} == {"sent", "due"}
    await do_jobs(database, mailer=mailer)
    assert len(to(smtp_server, owner)) == MAX_PROMPT_EMAILS  # the pause is not over
    await pass_pause(database, guru, mailer)
    *_, summary = to(smtp_server, owner)
    assert len(to(smtp_server, owner)) == MAX_PROMPT_EMAILS + 1
    assert summary["Subject"] == "37 changes to your bookings"
    text = plain(summary)
    assert text.count("What happened: Booked, then canceled\n") == 37
    assert text.count("Lesson with Ada Neighbor") == 37
    assert "Now: Canceled by Ada Neighbor. They owe nothing." in text
    assert "When: Tuesday, June 1, 2027, 9:00 AM to 10:00 AM MDT" in text
    assert calendars(summary) == []  # no calendar had them
    assert {kind for (kind,) in rows(database, guru, "status")} == {"sent"}
    await pass_pause(database, guru, mailer)
    assert len(to(smtp_server, owner)) == MAX_PROMPT_EMAILS + 1


async def test_collected_email_has_the_final_event_of_each_session(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru, mailer = new_guru(), smtp_server.mailer()
    ada, ben = (new_neighbor(guru, mailer, name) for name in ("Ada Neighbor", "Ben Neighbor"))
    days = [ada.hold(starts_at=START + timedelta(days=day)) for day in range(6)]
    for booking_id in days:
        ada.change(booking_id, **CONFIRMED)
    ada.change(days[0], **CANCELED, sequence=1, reason="My oven broke.")
    ada.change(days[1], starts_at=START + timedelta(days=20), sequence=1)
    ada.change(days[1], starts_at=START + timedelta(days=21), sequence=2)
    new = ben.hold(starts_at=START + timedelta(days=30), place="online", place_text="https://meet.example/a")
    ben.change(new, **CONFIRMED)
    await pass_pause(database, guru, mailer)
    *prompt, summary = to(smtp_server, owner_of(database, guru))
    assert [len(calendars(message)) for message in prompt] == [1] * 6
    assert summary["Subject"] == "3 changes to your bookings"
    text = plain(summary)
    for line in (
        "What happened: Canceled\n", "My oven broke.", "What happened: Moved (2 times)\n",
        "When: Tuesday, June 22, 2027, 9:00 AM to 10:00 AM MDT", "Was: Wednesday, June 2, 2027, 9:00 AM MDT",
        "Lesson with Ben Neighbor\nWhat happened: Booked\nNow: Booked.\n", "Where: https://meet.example/a",
        "A calendar file for each session is attached.", f"https://porchlight.example/guru/calendar?booking={new}",
    ):  # fmt: skip
        assert line in text, line
    found = {str(one.events[0]["UID"]).partition("@")[0]: one for one in calendars(summary)}
    assert {uid: (str(one["METHOD"]), one.events[0]["SEQUENCE"]) for uid, one in found.items()} == {
        str(days[0]): ("CANCEL", 1), str(days[1]): ("REQUEST", 2), str(new): ("REQUEST", 0),
    }  # fmt: skip
    assert found[str(days[1])].events[0].start == datetime(2027, 6, 22, 15, tzinfo=UTC)
    names = [part.get_filename() for part in summary.iter_attachments()]
    assert names == ["session.ics", "session-2.ics", "session-3.ics"]
    raw = next(raw for raw in smtp_server.raw if b"Subject: 3 changes" in raw)
    assert len(read_email(raw).parts) == 4  # by a stricter reader: the texts, and three files


async def test_collected_class_has_one_event_with_all_people(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru, mailer = new_guru(capacity=12), smtp_server.mailer()
    ada, ben = (new_neighbor(guru, mailer, name) for name in ("Ada Neighbor", "Ben Neighbor"))
    for day in range(MAX_PROMPT_EMAILS):
        ada.change(ada.hold(starts_at=START + timedelta(days=day + 1)), **CONFIRMED)
    first, second, third = (
        ada.hold(party=2), ben.hold(starts_at=START + timedelta(days=40)),
        ben.hold(party=3, starts_at=START + timedelta(days=50)),
    )  # fmt: skip
    session = _share_session(database, first, second)
    _share_session(database, third)
    ada.change(first, **CONFIRMED)
    ben.change(second, **CONFIRMED)
    ben.change(third, **CONFIRMED)
    ben.change(third, **CANCELED, sequence=1)
    await pass_pause(database, guru, mailer)
    *_, summary = to(smtp_server, owner_of(database, guru))
    assert summary["Subject"] == "3 changes to your bookings"
    (calendar,) = calendars(summary)  # the other class was over before any calendar had it
    (event,) = calendar.events
    assert event["UID"] == f"{session}@porchlight.example"
    assert str(event["SUMMARY"]) == "Lesson: 3 of 12 spots booked"
    assert "Ada Neighbor (2 spots)\nBen Neighbor\n" in str(event["DESCRIPTION"])


def _share_session(database: Database, first: UUID, *others: UUID) -> UUID:
    """Make the session of a held booking a class, and put the other holds into it."""
    with psycopg.connect(database.service_url) as conn:
        query = "UPDATE appointments a SET capacity = 12 FROM bookings b WHERE b.id = %s AND a.id = b.appointment_id"
        row = conn.execute(f"{query} RETURNING a.id, a.starts_at, a.ends_at", [first]).fetchone()
        assert row is not None
        change = "UPDATE bookings SET appointment_id = %s, starts_at = %s, ends_at = %s WHERE id = ANY (%s)"
        conn.execute(change, [*row, list(others)])
        session: UUID = row[0]
        return session


async def test_person_gets_collected_changes_in_their_zone(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru, mailer = new_guru(), smtp_server.mailer()
    ada = new_neighbor(guru, mailer)
    where = {"place": "online", "place_text": "https://meet.example/a", "person_zone": "Asia/Tokyo"}
    asked, *others = [ada.hold(starts_at=START + timedelta(days=day), **where) for day in range(MAX_PROMPT_EMAILS + 1)]
    for booking_id in others:
        ada.change(booking_id, **CONFIRMED)
    ada.change(asked, status="requested")
    ada.change(asked, status="declined", ended_by="guru", ended_at=NOW, expires_at=None, reason="I'm away.")
    await pass_pause(database, guru, mailer)
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT email FROM users WHERE user_id = %s", [ada.id]).fetchone()
    assert row is not None
    *prompt, summary = to(smtp_server, row[0])
    assert len(prompt) == MAX_PROMPT_EMAILS
    text = plain(summary)
    assert "What happened: Asked for, then declined\n" in text
    assert f"Now: Guru {guru.mark} declined. You owe nothing." in text
    assert "When: Wednesday, June 2, 2027, 12:00 AM to 1:00 AM GMT+9 (Tuesday, June 1" in text
    assert "I'm away." in text
    assert "answer until" not in text  # the request has ended
    assert f"https://porchlight.example/sessions/{asked}" in text
    # The guru, who has been asked, gets no email about their own answer, but also no outdated question.
    *_, of_guru = to(smtp_server, owner_of(database, guru))
    assert "What happened: Asked for\nNow: You declined.\n" in plain(of_guru)


async def test_collected_series_lists_each_session(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru, mailer = new_guru(), smtp_server.mailer()
    ada = new_neighbor(guru, mailer)
    for day in range(MAX_PROMPT_EMAILS):
        ada.change(ada.hold(starts_at=START + timedelta(days=day)), **CONFIRMED)
    first = ada.hold(starts_at=START + timedelta(days=10))
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE bookings SET series_id = id WHERE id = %s", [first])
    second = ada.hold(starts_at=START + timedelta(days=17), series_id=first)
    change(database, first, second, status="requested")
    assert [kind for (kind,) in rows(database, guru, "kind")].count("requested") == 1
    await do_jobs(database, mailer=mailer)
    await pass_pause(database, guru, mailer)
    *_, summary = to(smtp_server, owner_of(database, guru))
    assert summary["Subject"] == "2 changes to your bookings"
    assert plain(summary).count("Now: Please answer by ") == 2
    assert "June 11" in plain(summary)
    assert "June 18" in plain(summary)


async def test_collected_email_to_unverified_address_names_no_one(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru, mailer = new_guru(), smtp_server.mailer()
    ada = new_neighbor(guru, mailer)
    for day in range(MAX_PROMPT_EMAILS + 2):
        ada.change(ada.hold(starts_at=START + timedelta(days=day)), **CONFIRMED)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET email_verified = false WHERE user_id = %s", [guru.owner])
    await pass_pause(database, guru, mailer)
    *_, summary = to(smtp_server, owner_of(database, guru))
    assert summary["Subject"] == "There's news about your sessions"
    assert "Ada" not in plain(summary)
    assert calendars(summary) == []


async def test_reminder_in_a_burst_is_sent_at_once(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru, mailer = new_guru(), smtp_server.mailer()
    ada = new_neighbor(guru, mailer)
    # A reminder is for a session to come, whenever the suite's clock stands.
    bookings = [ada.hold(starts_at=NOW + timedelta(days=30 + day)) for day in range(MAX_PROMPT_EMAILS + 1)]
    for booking_id in bookings:
        ada.change(booking_id, **CONFIRMED)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)"
            " VALUES (%s, %s, 'day_before', 'person', 0, %s, app.now())",
            [guru.id, bookings[-1], ada.id],
        )
    deadlines.queue_due_emails(database.service_url)
    await do_jobs(database, mailer=mailer)
    states = rows(database, guru, "kind, status, collected", "person")
    assert states[-2:] == [("booked", "due", True), ("day_before", "sent", False)]


async def test_change_near_its_session_waits_for_one_pause(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru = new_guru()
    ada = new_neighbor(guru, smtp_server.mailer())
    soon = {"starts_at": NOW + timedelta(hours=20)}
    for number in range(25):
        ada.change(ada.hold(starts_at=START + timedelta(days=number)), **CONFIRMED)
    late = ada.hold(**soon)
    ada.change(late, **CONFIRMED)
    waits = rows(database, guru, "booking_id, due_at - created_at")
    far = [wait for booking_id, wait in waits[MAX_PROMPT_EMAILS:] if booking_id != late]
    near = dict(waits)[late]
    slack = timedelta(minutes=1)  # between the change and the job
    assert PAUSE <= near < PAUSE + slack
    assert all(wait >= PAUSE for wait in far)


class _BrokenMailer:
    """A mailer whose server is down."""

    def send(self, _message: EmailMessage) -> bool:
        raise ConnectionRefusedError


async def test_failed_collected_email_is_tried_again(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    guru, mailer = new_guru(), smtp_server.mailer()
    ada = new_neighbor(guru, mailer)
    for day in range(MAX_PROMPT_EMAILS + 3):
        ada.change(ada.hold(starts_at=START + timedelta(days=day)), **CONFIRMED)
    await pass_pause(database, guru, _BrokenMailer())
    assert rows(database, guru, "status, attempts")[MAX_PROMPT_EMAILS:] == [("due", 1)] * 3
    await pass_pause(database, guru, mailer)
    *_, summary = to(smtp_server, owner_of(database, guru))
    assert summary["Subject"] == "3 changes to your bookings"
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE booking_emails SET status = 'due', attempts = 9 WHERE collected AND side = 'guru'")
    await pass_pause(database, guru, _BrokenMailer())
    assert rows(database, guru, "status")[MAX_PROMPT_EMAILS:] == [("failed",)] * 3


async def test_collected_emails_go_to_their_own_guru(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor
) -> None:
    own, other = new_guru(), new_guru()
    mailer = MailboxMailer(database.service_url)
    for guru in (own, other):
        neighbor = new_neighbor(guru, mailer, f"Neighbor of {guru.mark}")
        for day in range(MAX_PROMPT_EMAILS + 2):
            neighbor.change(neighbor.hold(starts_at=START + timedelta(days=day)), **CONFIRMED)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE booking_emails SET due_at = app.now() WHERE collected")
    with running_job(database, "bookings:send_changes", tenant_id=own.id, side="guru") as job:
        send_changes(of_tenant(job, own), "guru", None, create_job_dependencies(database, mailer=mailer))
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT recipient, plain, invitation FROM dev_mailbox WHERE key LIKE 'booking-changes-guru-%%' AND"
        sent = conn.execute(f"{query} recipient = ANY (%s)", [[owner_of(database, g) for g in (own, other)]]).fetchall()
    ((recipient, text, invitation),) = sent
    assert recipient == owner_of(database, own)
    assert f"Neighbor of {own.mark}" in text
    assert f"Neighbor of {other.mark}" not in text
    assert invitation.count("BEGIN:VCALENDAR") == 2
    assert [status for (status,) in rows(database, other, "status")][MAX_PROMPT_EMAILS:] == ["due"] * 2


async def test_changes_of_others_do_not_wait_behind_a_burst(
    database: Database, new_guru: NewGuru, new_neighbor: NewNeighbor, smtp_server: SmtpServer
) -> None:
    """A burst ends the hour's prompt emails for everyone, but no one waits longer than a pause for another's."""
    guru, mailer = new_guru(), smtp_server.mailer()
    ada, ben = (new_neighbor(guru, mailer, name) for name in ("Ada Neighbor", "Ben Neighbor"))
    for _ in range(15):
        booking_id = ada.hold()
        ada.change(booking_id, **CONFIRMED)
        ada.change(booking_id, **CANCELED, sequence=1)
    ben.change(ben.hold(), **CONFIRMED)
    ((wait,),) = rows(database, guru, "due_at - created_at")[-1:]
    assert PAUSE <= wait < PAUSE + timedelta(minutes=1)
    await pass_pause(database, guru, mailer)
    assert "Ben Neighbor" in plain(to(smtp_server, owner_of(database, guru))[-1])
