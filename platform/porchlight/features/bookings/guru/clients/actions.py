"""Writing what a guru notes about a client."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.actions import lock_calendar
from porchlight.features.bookings.guru.clients import queries
from porchlight.features.bookings.guru.clients.models import ClientNote
from porchlight.features.bookings.guru.clients.schemas import ClientNoteData
from tenants.kit import clock
from tenants.kit.errors import Conflict


class NoteChanged(Conflict):
    """The note is another one than the guru saw: they saved it in another tab or on another device."""

    code = "note_changed"
    message = "You changed this note somewhere else. Your text is still here: compare it with the saved note."


async def save_note(
    session: AsyncSession, tenant_id: UUID, client_id: UUID, *, body: str, digest: str
) -> ClientNoteData:
    """Replace the guru's note about a client, or delete it with "". The same text again changes nothing.

    `digest` is that of the note that the guru saw. Raises NotFound, NoteChanged.
    """
    await lock_calendar(session)  # as a claim and the deletion of an account do, with which the note passes or ends
    booking_id = await queries.require_client(session, tenant_id, client_id)
    rows = await queries.note_rows(session, tenant_id, client_id)
    saved = queries.note_data(rows)
    if saved.body == body:
        return saved
    if saved.digest != digest:
        raise NoteChanged
    kept = rows[0].booking_id if rows else booking_id
    ids = [row.booking_id for row in rows]
    await session.execute(delete(ClientNote).where(ClientNote.tenant_id == tenant_id, ClientNote.booking_id.in_(ids)))
    if body:
        values = {"tenant_id": tenant_id, "booking_id": kept, "body": body, "changed_at": clock.now()}
        await session.execute(insert(ClientNote), values)
    return queries.note_data(await queries.note_rows(session, tenant_id, client_id))
