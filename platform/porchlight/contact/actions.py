"""Leaving a message for the staff: limits, the message and its mail, in one statement and so in one transaction."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from email_validator import EmailNotValidError, validate_email

from porchlight.contact.schemas import ContactPayload
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import Conflict, Limited, ValidationFailed
from tenants.kit.ids import new_id

THANKS = "Thank you! Your message has been sent."
MAIL_TASK = "tell_staff_of_message"
_LEAVE = """
SELECT outcome FROM app.leave_contact_message(
  %(id)s, %(name)s, %(email)s, %(subject)s, %(message)s, %(address)s, %(key)s, %(digest)s,
  %(per_address)s, %(in_all)s, %(task)s)"""


@dataclass(frozen=True, slots=True)
class ContactLimits:
    """Messages within an hour."""

    per_address: int = 5
    in_all: int = 500


UNLIMITED = ContactLimits(1_000_000_000, 1_000_000_000)


def address_hash(secret: bytes, address: str) -> bytes:
    """A keyed hash of a network address, for limits alone. An IPv6 network of 64 bits counts as one address."""
    network = ":".join(address.split(":")[:4]) if ":" in address else address
    return hmac.digest(secret, b"contact\0" + network.encode(), "sha256")[:16]


async def leave_message(
    db: Database, message: ContactPayload, *, key: str | None, address: bytes, limits: ContactLimits
) -> bool:
    """Keep a message and have the staff mailed. True when it is new, False for a resend under the same key.

    Without a key, the same words from the same place on one day are the same message. Raises ValidationFailed,
    Limited, Conflict (the key was used for other words), Unavailable. What fills the honeypot is thanked and dropped.
    """
    try:
        email = validate_email(message.email, check_deliverability=False, test_environment=True).normalized
    except EmailNotValidError:
        raise ValidationFailed(fields={"email": "Please enter a valid email address."}) from None
    if message.website:
        return True
    parts = (message.name, email, message.subject, message.message)
    digest = hashlib.sha256("\0".join(parts).encode()).digest()[:16]
    if key is None:
        today = str(clock.now().date()).encode()
        key = "form-" + hashlib.sha256(digest + address + today).hexdigest()[:40]
    rows = await db.write(
        None,
        _LEAVE,
        {
            "id": new_id(),
            "name": message.name,
            "email": email,
            "subject": message.subject,
            "message": message.message,
            "address": address,
            "key": key,
            "digest": digest,
            "per_address": limits.per_address,
            "in_all": limits.in_all,
            "task": MAIL_TASK,
        },
    )
    outcome = rows[0][0]
    if outcome == "limited":
        raise Limited(retry_after=600)
    if outcome == "other":
        raise Conflict("This Idempotency-Key was already used for another message.")
    return bool(outcome == "kept")
