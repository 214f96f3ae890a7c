"""Whom a first message goes to: someone with whom the writer has something in common."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.features.messages.schemas import RecipientKind
from tenants.db.pool import Database
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id_or_404

_RECIPIENT = """
SELECT person_id, guru_id, guru_person_id, about, starts_at, zone, knows, handle, shown_name, photo_id, photo_url,
       label, guru_name, takes_messages, is_blocked, thread_id
  FROM app.message_recipient(%(kind)s, %(part)s)"""
_TENANT = "SELECT tenant_id FROM bookings WHERE person_id = %(user)s AND id = %(booking)s"


@dataclass(frozen=True, slots=True)
class MessageRecipient:
    """A person to write to. `guru_person_id`: who of the two is the guru, in a thread with a site.

    `about`: the title of what the two have in common. `knows`: a first message is no request. `thread_id`: of their
    thread. The rest is what the writer may see of the person, as in a thread.
    """

    person_id: UUID
    guru_id: UUID | None
    guru_person_id: UUID | None
    about: str
    starts_at: datetime | None
    zone: str
    knows: bool
    handle: str | None
    shown_name: str | None
    photo_id: UUID | None
    photo_url: str | None
    label: str | None
    guru_name: str | None
    takes_messages: bool
    is_blocked: bool
    thread_id: UUID | None


async def recipient(
    db: Database, user_id: UUID, kind: RecipientKind, part: str, own_guru: UUID | None = None
) -> MessageRecipient:
    """Return whom the user can write to about something. Raises NotFound, and ValidationFailed for themselves.

    `own_guru` is the tenant that the user owns.
    """
    values = {"kind": kind, "part": part}
    tenant_id = None
    if kind == "booking":
        # The function sees the bookings of one tenant: of the user's own booking, or of the site that they own.
        wanted = {"user": user_id, "booking": parse_id_or_404(part)}
        tenant_id = await db.read_value(UUID, None, _TENANT, wanted, user_id=user_id) or own_guru
    for found in await db.read(tenant_id, _RECIPIENT, values, row=MessageRecipient, user_id=user_id):
        if found.person_id == user_id:
            raise ValidationFailed(fields={"to": "This is you."})
        return found
    raise NotFound


def about_line(kind: RecipientKind, found: MessageRecipient) -> str:
    """Return a line that says what a first message is about, or ""."""
    match kind:
        case "booking" if found.starts_at is not None:
            start = found.starts_at.astimezone(ZoneInfo(found.zone or "UTC"))
            return f"{found.about} on {start:%A, %B} {start.day}"
        case "need_offer":
            return f"Request: {found.about}"
        case "listing":
            return f"Listing: {found.about}"
        case "ring_member":
            return f"Swap ring: {found.about}"
        case "lead":
            return "Their message on your site"
        case _:
            return ""
