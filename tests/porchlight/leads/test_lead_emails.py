"""Emails about leads: what the guru and the visitor get, and what never reaches an address that was only typed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.app import Porchlight
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.app_client import http_client
from tests.porchlight.factories import SeededGuru, seed_guru, verify_contact_address
from tests.porchlight.mailbox import emails_to, extract_token

ORIGIN = "https://porchlight.example"
LEAD = {"name": "Visit http://evil.example", "message": "Buy zqxpills at evil.example", "consent": True}


@pytest.fixture
def guru(service_db: psycopg.Connection[Any]) -> SeededGuru:
    """Create a guru whose contact address is not the owner's."""
    created = seed_guru(service_db, f"mails-{new_id().hex[-10:]}")
    service_db.execute("UPDATE gurus SET character = 'Visit www.evil.example' WHERE id = %s", [created.id])
    return created


async def _leave_lead(app: Porchlight, database: Database, guru: SeededGuru, email: str, message: str = "") -> None:
    """Leave a lead and run its jobs."""
    body = LEAD | {"email": email} | ({"message": message} if message else {})
    async with http_client(app, guru.host, address="203.0.113.77") as visitor:
        response = await visitor.post(f"/api/gurus/{guru.label}/leads", json=body)
    assert response.status_code == 201, response.text
    await do_jobs(database, main_origin=ORIGIN)


async def test_lead_email_shows_question_and_answer_button(
    app: Porchlight, database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    verify_contact_address(service_db, guru)
    await _leave_lead(app, database, guru, "visitor@mail.example")
    (email,) = emails_to(service_db, f"{guru.mark}@mail.example")
    lead_id = UUID(email["key"].removeprefix("lead-"))
    assert email["subject"] == "New message for Visit www. evil. example from Visit http: //evil. example"
    question = "Visit http: //evil. example has a question for you:\n\nBuy zqxpills at evil.example\n"
    assert email["plain"].startswith(f"Hi Visit,\n\n{question}")
    assert f"\n\nAnswer:\n{ORIGIN}/guru/leads/{lead_id}\n" in email["plain"]
    assert email["reply_to"] == "visitor@mail.example"


async def test_lead_email_to_typed_address_has_no_words(
    app: Porchlight, database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    await _leave_lead(app, database, guru, "visitor@mail.example")
    (email,) = emails_to(service_db, f"{guru.mark}@mail.example")
    assert email["subject"] == "You have a new message on your site"
    assert f"\n\nAnswer:\n{ORIGIN}/guru/leads/" in email["plain"]
    assert "evil" not in email["plain"] + email["html"]
    assert "zqxpills" not in email["plain"] + email["html"]
    assert email["reply_to"] == ""


async def test_lead_receipt_names_the_site_and_no_words(
    app: Porchlight, database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    victim = f"victim-{guru.label}@mail.example"
    await _leave_lead(app, database, guru, victim)
    (email,) = emails_to(service_db, victim)
    site = f"{guru.label}.porchlight.example"
    assert email["subject"] == "We sent your message"
    assert f"We sent your message to {site}." in email["plain"]
    assert f"Back to the site:\nhttps://{site}\n" in email["plain"]
    token = extract_token(email["plain"])
    assert f"\n\nDidn't write this? Tell us:\n{ORIGIN}/mail/{token}\n" in email["plain"]
    assert f"\n\nReport this site:\n{ORIGIN}/mail/{token}#report\n" in email["plain"]
    for link in (f'/mail/{token}"', f'/mail/{token}#report"'):
        assert f'href="{ORIGIN}{link}' in email["html"]
    for text in ("evil", "zqxpills", "Visit"):
        assert text not in email["subject"] + email["plain"] + email["html"]


async def test_lead_receipt_is_sent_once_a_day(
    app: Porchlight, database: Database, guru: SeededGuru, service_db: psycopg.Connection[Any]
) -> None:
    visitor = f"again-{guru.label}@mail.example"
    await _leave_lead(app, database, guru, visitor)
    await _leave_lead(app, database, guru, visitor, "And another thing")
    assert len(emails_to(service_db, visitor)) == 1
    service_db.execute("UPDATE leads SET created_at = created_at - interval '25 hours' WHERE email = %s", [visitor])
    await _leave_lead(app, database, guru, visitor, "A day later")
    assert len(emails_to(service_db, visitor)) == 2
