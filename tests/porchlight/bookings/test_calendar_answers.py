"""The answers of calendar programs: what each changes, and an answer that arrives over SMTP."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from icalendar import Calendar, vCalAddress

from porchlight.features.bookings import commands
from porchlight.features.bookings.lifecycle import SAID_NO, decide
from porchlight.features.bookings.states import Actor, Status
from porchlight.inbound_mail.addresses import calendar_address
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.bookings.api import NewGuru
from tests.porchlight.bookings.booking_emails import book, emails
from tests.porchlight.bookings.states import AHEAD, BOOKING, NOW, OTHER, booking, email, facts, only
from tests.porchlight.factories import SeededGuru
from tests.porchlight.inbound_mail.smtp_client import DOMAIN, TRUSTED_SERVER, mail_client

SOON = NOW + (AHEAD - NOW) / 3  # within the 24 hours in which a cancellation costs


def decline(**values: Any) -> commands.DeclineInvitation:
    own: dict[str, Any] = {"id": BOOKING, "actor": Actor.PERSON, "sequence": 0, "is_verified": True}
    return commands.DeclineInvitation(**own | values)


@pytest.mark.parametrize(
    ("command", "one", "expected"),
    [
        (decline(), booking(), (Status.CANCELED, "canceled", ("person", "guru"))),
        (decline(), booking(starts_at=SOON), (Status.CONFIRMED, "person_said_no", ("person",))),
        (decline(is_verified=False), booking(), (Status.CONFIRMED, "person_said_no", ("person",))),
        (decline(actor=Actor.GURU), booking(), (Status.CONFIRMED, "guru_said_no", ("guru",))),
        (decline(sequence=3), booking(sequence=3), (Status.CANCELED, "canceled", ("person", "guru"))),
        (decline(), booking(starts_at=SOON, price_cents=0), (Status.CANCELED, "canceled", ("person", "guru"))),
        (
            decline(),
            booking(starts_at=SOON, price_cents=0, grant_id=OTHER, package_sessions=1),
            (Status.CONFIRMED, "person_said_no", ("person",)),
        ),
    ],
)
def test_decline_invitation_cancels_or_asks(
    command: Any, one: Any, expected: tuple[Status, str, tuple[str, ...]]
) -> None:
    update = only(decide(command, facts(one)))

    assert (update.values.get("status", one.status), email(update)) == (expected[0], expected[1:])


@pytest.mark.parametrize(
    "one",
    [
        booking(sequence=1),
        booking(Status.REQUESTED),
        booking(Status.CANCELED),
        booking(starts_at=NOW),
    ],
)
def test_decline_invitation_that_is_outdated_changes_nothing(one: Any) -> None:
    decision = decide(decline(), facts(one))

    assert (decision.refusal, bool(decision.change)) == (None, False)


@pytest.mark.parametrize(("comment", "reason"), [("", SAID_NO), ("Sorry, ill", "Sorry, ill")])
def test_decline_invitation_gives_the_reason(comment: str, reason: str) -> None:
    update = only(decide(decline(comment=comment), facts(booking())))

    assert (update.values["reason"], update.values["owed_cents"]) == (reason, 0)


def person_of(database: Database, booking_id: UUID) -> str:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute(
            "SELECT u.email FROM users u JOIN bookings b ON b.person_id = u.user_id WHERE b.id = %s", [booking_id]
        ).fetchone()
    assert row is not None
    return str(row[0])


def answer_email(
    tenant_id: UUID, event_id: UUID, sender: str, partstat: str = "DECLINED", attendee: str = ""
) -> EmailMessage:
    """Return the email that a calendar program sends for an answer."""
    calendar = Calendar()
    calendar.add("prodid", "-//Example//Calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "REPLY")
    event = Calendar.from_ical(
        f"BEGIN:VEVENT\r\nUID:{event_id}@{BASE_HOST}\r\nDTSTAMP:20260101T000000Z\r\nSEQUENCE:0\r\nEND:VEVENT\r\n"
    )
    address = vCalAddress(f"mailto:{attendee or sender}")
    address.params["PARTSTAT"] = partstat
    event.add("attendee", address)
    calendar.add_component(event)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, calendar_address(tenant_id, DOMAIN), "Declined: Lesson"
    message["Auto-Submitted"] = "auto-generated"  # as some calendars mark their answers
    message["Authentication-Results"] = f"{TRUSTED_SERVER}; dkim=pass header.d={sender.rpartition('@')[2]}"
    message.set_content("Ada has declined this invitation.")
    message.add_alternative(
        calendar.to_ical(), maintype="text", subtype="calendar", params={"method": "REPLY", "charset": "utf-8"}
    )
    return message


async def send(database: Database, message: EmailMessage, *, server: str = TRUSTED_SERVER) -> tuple[int, str]:
    """Send an email to the mail receiver, and return its answer."""
    async with mail_client(database, Path("/nonexistent"), trusted_server=server) as client:
        return await client.send(message)


def status_of(database: Database, booking_id: UUID) -> tuple[str, str, str]:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT status, ended_by, reason FROM bookings WHERE id = %s", [booking_id]).fetchone()
    assert row is not None
    return row[0], row[1], row[2]


@pytest.fixture
def guru(new_guru: NewGuru) -> SeededGuru:
    """A guru whose bookings can be canceled for free."""
    return new_guru()


async def test_answer_no_of_person_cancels_the_session(database: Database, guru: SeededGuru) -> None:
    booking_id = book(database, guru)

    code, _ = await send(database, answer_email(guru.id, booking_id, person_of(database, booking_id)))

    assert code == 250
    assert status_of(database, booking_id) == ("canceled", "person", SAID_NO)


@pytest.mark.parametrize("partstat", ["ACCEPTED", "TENTATIVE"])
async def test_answer_yes_changes_nothing(database: Database, guru: SeededGuru, partstat: str) -> None:
    booking_id = book(database, guru)

    code, _ = await send(database, answer_email(guru.id, booking_id, person_of(database, booking_id), partstat))

    assert (code, status_of(database, booking_id)[0]) == (250, "confirmed")


async def test_answer_without_proof_asks_by_email(database: Database, guru: SeededGuru) -> None:
    booking_id = book(database, guru)
    message = answer_email(guru.id, booking_id, person_of(database, booking_id))

    assert [(await send(database, message, server=""))[0] for _ in range(2)] == [250, 250]

    assert status_of(database, booking_id)[0] == "confirmed"
    await do_jobs(database)
    assert list(emails(database, booking_id)) == [("person_said_no", "person")]


async def test_answer_of_a_stranger_is_refused(database: Database, guru: SeededGuru) -> None:
    booking_id = book(database, guru)
    address = person_of(database, booking_id)

    of_stranger = await send(database, answer_email(guru.id, booking_id, "eve@example.com"))
    on_behalf = await send(database, answer_email(guru.id, booking_id, "eve@example.com", attendee=address))

    assert (of_stranger[0], on_behalf[0], status_of(database, booking_id)[0]) == (550, 550, "confirmed")


async def test_answer_to_other_address_is_refused(database: Database) -> None:
    message = answer_email(UUID(int=1), UUID(int=2), "ada@example.com")
    del message["To"]
    message["To"] = f"ada@{DOMAIN}"

    assert (await send(database, message))[0] == 550


async def test_letter_to_the_calendar_address_is_refused(database: Database) -> None:
    message = EmailMessage()
    message["From"], message["To"] = "ada@example.com", calendar_address(UUID(int=1), DOMAIN)
    message.set_content("Hello?")

    code, reply = await send(database, message)

    assert (code, reply) == (550, "5.1.1 This address takes the answers of calendar programs only.")


async def test_answer_to_another_guru_is_refused(database: Database, guru: SeededGuru, new_guru: NewGuru) -> None:
    booking_id = book(database, guru)
    message = answer_email(new_guru().id, booking_id, person_of(database, booking_id))

    assert ((await send(database, message))[0], status_of(database, booking_id)[0]) == (550, "confirmed")


async def test_answer_no_of_guru_asks_by_email(database: Database, guru: SeededGuru) -> None:
    booking_id = book(database, guru)
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT email FROM users WHERE user_id = %s", [guru.owner]).fetchone()
    assert row is not None

    code, _ = await send(database, answer_email(guru.id, booking_id, str(row[0])))

    assert (code, status_of(database, booking_id)[0]) == (250, "confirmed")
    await do_jobs(database)
    assert list(emails(database, booking_id)) == [("guru_said_no", "guru")]
