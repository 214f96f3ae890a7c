"""To whom the emails of the running job go: the account that owns the guru, and a person."""

from __future__ import annotations

from typing import Literal, NamedTuple
from uuid import UUID

from porchlight.emails.templates import Recipient
from tenants.db.rows import Connection, fetch_all

_CONTACTS = "SELECT part, user_id, email, email_verified FROM app.job_contacts()"


class _Contact(NamedTuple):
    part: Literal["owner", "person"]
    user_id: UUID
    email: str
    email_verified: bool


class Contacts(NamedTuple):
    """The recipients of a job. None: the account was deleted or suspended."""

    guru: Recipient | None
    person: Recipient | None


def job_contacts(conn: Connection) -> Contacts:
    """Return the recipients of the running job."""
    found = {
        contact.part: Recipient(contact.email, contact.email_verified, person=contact.user_id)
        for contact in fetch_all(conn, _Contact, _CONTACTS)
    }
    return Contacts(found.get("owner"), found.get("person"))


def verified_address(recipient: Recipient | None) -> str:
    """Return the address of a recipient if it is verified, or ""."""
    return recipient.address if recipient and recipient.is_verified else ""
