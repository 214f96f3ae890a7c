"""Emails with a calendar invitation: sent through a real SMTP server, or shown on the mailbox page."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from email.message import MIMEPart
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from playwright.async_api import Browser, Route, expect

from porchlight.emails.invitation_card import read_invitation_cards
from porchlight.emails.invitations import invitation_file
from porchlight.emails.kinds import MailKind
from porchlight.emails.sender import MailboxMailer
from porchlight.emails.session_times import format_period
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tests.fixtures.browser import axe_violations, excess_width, set_width
from tests.fixtures.databases import Database
from tests.fixtures.smtp import SmtpServer, smtp_server
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.bookings.invitations import create_invitation

__all__ = ["smtp_server"]

UNSAFE = "<script>alert(1)</script>\"'&{{7*7}} Zoë 🍞"


def create_email(key: str = "booked", **changes: Any) -> EmailMessage:
    """Return an email with an invitation; `changes` are fields of Invitation."""
    invitation = invitation_file(create_invitation(**changes))
    return EmailMessage(key, "ada@example.com", "You are booked", "Plain\n", "<p>HTML</p>", invitation=invitation)


def structure(part: MIMEPart) -> Any:
    """Return the content type of a part, or of a multipart as a pair with the structures of its parts."""
    kind = part.get_content_type()
    if not part.is_multipart():
        return kind
    return kind, [structure(child) for child in part.iter_parts()]


@pytest.mark.parametrize("method", ["request", "cancel"])
@pytest.mark.parametrize("summary", ["A lesson", UNSAFE])
async def test_smtp_invitation_is_alternative_and_attachment(
    smtp_server: SmtpServer, method: str, summary: str
) -> None:
    message = create_email(method=method, summary=summary)
    await asyncio.to_thread(smtp_server.mailer().send, message)
    ((_, mime),) = smtp_server.messages
    assert structure(mime) == (
        "multipart/mixed",
        [("multipart/alternative", ["text/plain", "text/html", "text/calendar"]), "application/ics"],
    )
    assert mime.defects == []
    body, attachment = mime.iter_parts()
    _, _, calendar = body.iter_parts()
    assert dict(calendar["Content-Type"].params) == {"method": method.upper(), "charset": "utf-8"}
    assert calendar["Content-Disposition"] is None
    assert (attachment.get_content_disposition(), attachment.get_filename()) == ("attachment", "session.ics")
    assert message.invitation is not None
    for part in (calendar, attachment):
        assert part.get_payload(decode=True) == message.invitation.content
        assert part.defects == []


async def test_smtp_email_without_invitation_has_two_parts(smtp_server: SmtpServer) -> None:
    message = EmailMessage("key", "ada@example.com", "Hello", "Plain\n", "<p>HTML</p>")
    await asyncio.to_thread(smtp_server.mailer().send, message)
    ((_, mime),) = smtp_server.messages
    assert structure(mime) == ("multipart/alternative", ["text/plain", "text/html"])


def test_template_message_carries_the_invitation() -> None:
    invitation = invitation_file(create_invitation())
    templates = EmailTemplates("porchlight.features.profiles", {"welcome": MailKind.ACCOUNT})
    action = Action("Open it", "https://porchlight.example")
    message = templates.create_message(
        "welcome",
        key="key",
        to=Recipient("ada@example.com", True, person=None),
        why="",
        action=action,
        invitation=invitation,
    )
    assert message.invitation == invitation


def store(database: Database, message: EmailMessage) -> UUID:
    """Store an email in the mailbox and return its id."""
    MailboxMailer(database.service_url).send(message)
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT id FROM dev_mailbox WHERE key = %s", [message.key]).fetchone()
    assert row is not None
    email_id: UUID = row[0]
    return email_id


async def store_and_open(database: Database, message: EmailMessage) -> tuple[str, dict[str, Any], httpx.Response]:
    """Store an email. Return its page, its JSON and the response with its invitation."""
    email_id = store(database, message)
    async with run_app(database) as app, http_client(app, BASE_HOST) as web:
        page = await web.get(f"/_mail/{email_id}")
        assert page.status_code == 200
        json = await web.get(f"/_mail/{email_id}/message.json")
        return page.text, json.json(), await web.get(f"/_mail/{email_id}/session.ics")


async def test_mailbox_invitation_is_shown_and_downloaded(database: Database) -> None:
    message = create_email("shown")
    page, json, download = await store_and_open(database, message)
    for text in (
        "One-on-One Consultation with Chef Rosa",
        "Tuesday, December 1, 2026, 4:00\u00a0PM to 5:00\u00a0PM\u00a0UTC",
        "12 Elm Street, Denver",
        "Chef Rosa (notices@porchlight.example)",
        "Bring an apron.\nSee you then.",
        "/session.ics",
    ):
        assert text in page
    assert "Canceled" not in page
    assert message.invitation is not None
    assert json["invitation"].encode() == download.content == message.invitation.content
    assert download.headers["content-type"] == "text/calendar; charset=utf-8"
    assert download.headers["content-disposition"] == 'attachment; filename="session.ics"'


async def test_mailbox_canceled_invitation_says_canceled(database: Database) -> None:
    page, _, download = await store_and_open(database, create_email("canceled", method="cancel", sequence=1))
    assert "Canceled" in page
    assert b"METHOD:CANCEL\r\n" in download.content


async def test_mailbox_email_without_invitation_has_no_card(database: Database) -> None:
    message = EmailMessage("none", "ada@example.com", "Hello", "Plain\n", "<p>HTML</p>")
    page, json, download = await store_and_open(database, message)
    assert "session.ics" not in page
    assert json["invitation"] == ""
    assert download.status_code == 404


async def test_mailbox_unsafe_invitation_stays_text(database: Database) -> None:
    fields = dict.fromkeys(("summary", "description", "location", "organizer_name"), UNSAFE)
    page, _, _ = await store_and_open(database, create_email("unsafe", **fields))
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 4
    assert "{{7*7}}" in page


@pytest.mark.parametrize("location", ["https://meet.example/a?b=1&c=2", "javascript:alert(1)"])
async def test_mailbox_invitation_links_only_web_addresses(database: Database, location: str) -> None:
    page, _, _ = await store_and_open(database, create_email(f"at {location}", location=location))
    escaped = location.replace("&", "&amp;")
    assert escaped in page
    assert (f'href="{escaped}"' in page) == location.startswith("https:")


@pytest.mark.parametrize(
    ("start", "end", "period"),
    [
        ((1, 9), (1, 10, 5), "Tuesday, December 1, 2026, 9:00 AM to 10:05 AM UTC"),
        ((1, 0), (1, 12), "Tuesday, December 1, 2026, 12:00 AM to 12:00 PM UTC"),
        ((1, 23, 30), (2, 0, 30), "Tuesday, December 1, 2026, 11:30 PM to Wednesday, December 2, 2026, 12:30 AM UTC"),
    ],
)
def test_period_names_day_time_and_zone(start: tuple[int, ...], end: tuple[int, ...], period: str) -> None:
    def moment(day: int, hour: int, minute: int = 0) -> datetime:
        return datetime(2026, 12, day, hour, minute, tzinfo=UTC)

    assert format_period(moment(*start), moment(*end)).replace("\u00a0", " ") == period


@pytest.mark.parametrize("content", ["", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"])
def test_invitation_card_broken_file_raises(content: str) -> None:
    with pytest.raises(ValueError):
        read_invitation_cards(content)


@pytest.mark.parametrize("method", ["request", "cancel"])
async def test_mailbox_card_fits_and_passes_axe(database: Database, browser: Browser, method: str) -> None:
    long_texts = {"location": "https://meet.example/" + "room" * 30, "organizer_name": "Rosa" * 30}
    email_id = store(database, create_email(f"card {method}", method=method, **long_texts))
    async with run_app(database) as app, http_client(app, BASE_HOST) as web, await browser.new_context() as context:

        async def respond(route: Route) -> None:
            response = await web.get(route.request.url)
            await route.fulfill(status=response.status_code, body=response.content, headers=dict(response.headers))

        await context.route("**", respond)
        page = await context.new_page()
        await page.goto(f"http://{BASE_HOST}/_mail/{email_id}")
        await expect(page.get_by_role("link", name="Download session.ics")).to_be_visible()
        for width in (360, 1280):
            await set_width(page, width)
            assert await excess_width(page) == 0
            assert await axe_violations(page, iframes=False) == []
