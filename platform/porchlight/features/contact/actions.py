"""Creating a contact message: rate limits, the message and its email job, in one SQL statement."""

from __future__ import annotations

from email_validator import EmailNotValidError, validate_email

from porchlight.features.contact.schemas import ContactPayload
from tenants.db.pool import Database
from tenants.db.rate_limit import RETRY_AFTER_SECONDS, RateLimit
from tenants.http.idempotency import content_digest, content_key
from tenants.kit import clock
from tenants.kit.errors import Conflict, Limited, ValidationFailed
from tenants.kit.ids import new_id

THANKS = "Thank you! Your message has been sent."
MESSAGES_PER_HOUR = RateLimit(per_address=5, total=500)
_CREATE_MESSAGE = """
SELECT outcome FROM app.create_contact_message(
  %(id)s, %(name)s, %(email)s, %(subject)s, %(message)s, %(address)s, %(key)s, %(digest)s,
  %(per_address)s, %(in_all)s)"""


async def create_message(
    db: Database, message: ContactPayload, *, key: str | None, address: bytes, limit: RateLimit
) -> bool:
    """Store a message and enqueue its email to the staff. Return False for a resend under the same key.

    Without a key, the same text from the same address on the same day is a resend. A message with a filled honeypot
    is dropped. Raises ValidationFailed, Limited, Conflict (the key was used for another text), Unavailable.
    """
    try:
        email = validate_email(message.email, check_deliverability=False, test_environment=True).normalized
    except EmailNotValidError:
        raise ValidationFailed(fields={"email": "Please enter a valid email address."}) from None
    if message.website:
        return True
    digest = content_digest(message.name, email, message.subject, message.message)
    rows = await db.write(
        None,
        _CREATE_MESSAGE,
        {
            "id": new_id(),
            "name": message.name,
            "email": email,
            "subject": message.subject,
            "message": message.message,
            "address": address,
            "key": key or content_key(digest, address, clock.now()),
            "digest": digest,
            "per_address": limit.per_address,
            "in_all": limit.total,
        },
    )
    outcome = rows[0][0]
    if outcome == "limited":
        raise Limited(retry_after=RETRY_AFTER_SECONDS)
    if outcome == "other":
        raise Conflict("This Idempotency-Key was already used for a different message.")
    return bool(outcome == "created")
