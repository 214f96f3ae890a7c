"""Emails with the personal links of participants: when they are sent, what they say, and that they end."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import httpx
import psycopg

from porchlight.features.bookings import deadlines
from porchlight.worker.maintenance import purge_expired
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, NewGuru, execute
from tests.porchlight.bookings.booking_emails import change
from tests.porchlight.bookings.parties import LINK, RISKY, book_party, link_of, sign_link
from tests.porchlight.bookings.series import book_series, weekly


async def send_due(database: Database) -> None:
    """Run a minute's job, and the jobs that it queues."""
    deadlines.queue_due_emails(database.service_url)
    await do_jobs(database)


def link_mails(database: Database, address: str) -> list[str]:
    """Return the texts of the emails with links to an address, the first one first."""
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT plain FROM dev_mailbox WHERE recipient = %s ORDER BY id"
        return [text for (text,) in conn.execute(query, [address]).fetchall()]


async def test_link_is_emailed_without_words_of_the_booker(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Mailing Max")
    booked = await book_party(user, web, guru, {"Theo Barnes": {**LINK, "email": "theo.one@example.com"}})
    link = await link_of(user, booked, 1)
    await send_due(database)
    await send_due(database)
    (text,) = link_mails(database, "theo.one@example.com")
    assert f"https://porchlight.example/sign/{link}" in text
    assert "Theo Barnes" not in text
    assert "Ada Neighbor" not in text
    assert (await user.get(f"/api/bookings/{booked['id']}"))["people"][0]["emailedAt"]
    await link_of(user, booked, 1, "theo.one@example.com")
    assert (await sign_link(web, guru, link)).status_code == 201
    await send_due(database)
    assert len(link_mails(database, "theo.one@example.com")) == 1


async def test_link_of_a_request_is_emailed_once_it_is_accepted(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY, approval="request"), await create_user("Asking Abe")
    booked = await book_party(user, web, guru, {"Theo Barnes": {**LINK, "email": "theo.two@example.com"}})
    assert booked["status"] == "requested"
    await send_due(database)
    assert link_mails(database, "theo.two@example.com") == []
    change(database, UUID(booked["id"]), status="confirmed", confirmed_at=clock.now())
    await send_due(database)
    assert len(link_mails(database, "theo.two@example.com")) == 1


async def test_signer_is_reminded_a_week_and_two_days_before(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Reminding Rui")
    booked = await book_party(user, web, guru, {"Theo Barnes": {**LINK, "email": "theo.three@example.com"}})
    await send_due(database)
    move = "UPDATE bookings SET starts_at = app.now() + %s, ends_at = app.now() + %s WHERE id = %s"
    # The email before each start is older than the reminder is due.
    sent = "UPDATE participants SET emailed_at = %s::timestamptz WHERE booking_id = %s"
    sent_in_total = []
    for hours, last in ((7 * 24 + 1, -100), (7 * 24 - 1, -100), (7 * 24 - 2, -1), (47, -48), (46, -1)):
        execute(database, move, timedelta(hours=hours), timedelta(hours=hours + 1), booked["id"])
        execute(database, sent.replace("%s::timestamptz", f"app.now() + interval '{last} hours'"), booked["id"])
        await send_due(database)
        sent_in_total.append(len(link_mails(database, "theo.three@example.com")))
    assert sent_in_total == [1, 2, 2, 3, 3]


async def test_link_of_a_series_is_emailed_once_per_reminder(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Repeating Ray")
    signer = {**LINK, "email": "theo.five@example.com"}
    starts = await weekly(web, guru, 2, first=-60)
    series = await book_series(user, guru, starts, participants=["Theo Barnes"], signers=[signer])
    await send_due(database)
    assert len(link_mails(database, "theo.five@example.com")) == 1
    later = series["bookings"][1]["id"]
    move = "UPDATE bookings SET starts_at = app.now() + %s, ends_at = app.now() + %s WHERE id = %s"
    execute(database, move, timedelta(days=6), timedelta(days=6, hours=1), later)
    await send_due(database)
    assert (await user.get(f"/api/bookings/{later}"))["people"][0]["emailedAt"] is None  # the first email is from today
    earlier = "UPDATE participants SET emailed_at = emailed_at - interval '2 days' WHERE email = %s"
    execute(database, earlier, signer["email"])
    await send_due(database)
    await send_due(database)
    assert len(link_mails(database, "theo.five@example.com")) == 2


async def test_addresses_are_erased_a_month_after_the_session(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, user = new_guru(**RISKY), await create_user("Purging Pia")
    booked = await book_party(user, web, guru, {"Theo Barnes": {**LINK, "email": "theo.four@example.com"}})
    query = "SELECT email, token IS NULL FROM participants WHERE booking_id = %s"
    past = "UPDATE bookings SET starts_at = app.now() - %s, ends_at = app.now() - %s WHERE id = %s"
    for days, left in ((29, ("theo.four@example.com", False)), (31, ("", True))):
        execute(database, past, timedelta(days=days, hours=1), timedelta(days=days), booked["id"])
        purge_expired(database.service_url)
        with psycopg.connect(database.service_url) as conn:
            assert conn.execute(query, [booked["id"]]).fetchone() == left
