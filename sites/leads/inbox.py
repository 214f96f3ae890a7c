"""Leads as their guru works through them. Each call works inside the unit of work of their tenant."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import ColumnElement, Text, delete, func, literal_column, or_, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from sites import cursor
from sites.leads.models import Lead, LeadAnswer, LeadNote
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id

PAGE = 25
MOST = 100
EXPORTED = 10_000  # rows of an export, the newest
NOTES = 200  # of one lead

LeadStatus = Literal["new", "read", "answered", "archived"]
STATUSES: tuple[LeadStatus, ...] = ("new", "read", "answered", "archived")

_COLUMNS = ("Received (UTC)", "Status", "Name", "Email", "Phone", "About", "Message")
# What makes a spreadsheet take a cell for a formula (OWASP, CSV injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")
# Named in SQL: leads do not know the room of services.
_SERVICE: ColumnElement[str | None] = literal_column(
    "(SELECT s.name FROM services s WHERE s.tenant_id = leads.tenant_id AND s.id = leads.service_id)", Text()
)


@dataclass(frozen=True, slots=True)
class Correspondence:
    """A lead with what came of it, the oldest first."""

    lead: Lead
    service: str
    answers: Sequence[LeadAnswer]
    notes: Sequence[LeadNote]


async def leads(
    session: AsyncSession, tenant_id: UUID, *, status: LeadStatus | None, search: str, after: str | None, limit: int
) -> tuple[list[tuple[Lead, str]], str | None]:
    """Leads with the name of the service asked for, the newest first, and the cursor to the next page.

    Without a status, those that are not archived. Raises ValidationFailed for a bad cursor.
    """
    before, before_id = cursor.after(after)
    query = select(Lead, _SERVICE.label("service")).where(Lead.tenant_id == tenant_id)
    query = query.where(Lead.status == status if status else Lead.status != "archived")
    if search:
        columns = (Lead.name, Lead.email, Lead.message, Lead.phone)
        query = query.where(or_(*(column.icontains(search, autoescape=True) for column in columns)))
    if before is not None:
        query = query.where(tuple_(Lead.created_at, Lead.id) < (before, before_id))
    rows = (await session.execute(query.order_by(Lead.created_at.desc(), Lead.id.desc()).limit(limit + 1))).all()
    shown = [(row[0], row.service or "") for row in rows[:limit]]
    following = cursor.encode(shown[-1][0].created_at, shown[-1][0].id) if len(rows) > limit else None
    return shown, following


async def counts(session: AsyncSession, tenant_id: UUID) -> dict[LeadStatus, int]:
    """How many leads stand how."""
    query = select(Lead.status, func.count().label("leads")).where(Lead.tenant_id == tenant_id).group_by(Lead.status)
    found = {row.status: row.leads for row in (await session.execute(query)).all()}
    return {status: found.get(status, 0) for status in STATUSES}


async def new_leads(session: AsyncSession, tenant_id: UUID, most: int) -> int:
    """How many leads nobody has looked at, counted up to `most`."""
    few = select(Lead.id).where(Lead.tenant_id == tenant_id, Lead.status == "new").limit(most).subquery()
    return await session.scalar(select(func.count()).select_from(few)) or 0


async def correspondence(session: AsyncSession, tenant_id: UUID, lead_id: UUID) -> Correspondence:
    """A lead with answers and notes. Raises NotFound."""
    query = select(Lead, _SERVICE.label("service")).where(Lead.tenant_id == tenant_id, Lead.id == lead_id)
    row = (await session.execute(query.execution_options(populate_existing=True))).one_or_none()
    if row is None:
        raise NotFound

    async def those(model: Any) -> Sequence[Any]:
        written = select(model).where(model.tenant_id == tenant_id, model.lead_id == lead_id)
        return (await session.scalars(written.order_by(model.created_at, model.id).limit(NOTES))).all()

    return Correspondence(row[0], row.service or "", await those(LeadAnswer), await those(LeadNote))


async def set_status(session: AsyncSession, tenant_id: UUID, lead_id: UUID, status: LeadStatus) -> None:
    """Put a lead where it belongs. Raises NotFound."""
    found = await session.scalar(
        update(Lead).where(Lead.tenant_id == tenant_id, Lead.id == lead_id).values(status=status).returning(Lead.id)
    )
    if found is None:
        raise NotFound


async def read_lead(session: AsyncSession, tenant_id: UUID, lead_id: UUID) -> None:
    """A new lead was looked at; any other stays as it is."""
    await session.execute(
        update(Lead).where(Lead.tenant_id == tenant_id, Lead.id == lead_id, Lead.status == "new").values(status="read")
    )


async def hold_lead(session: AsyncSession, tenant_id: UUID, lead_id: UUID) -> Lead:
    """The lead, held until the transaction ends. Raises NotFound."""
    held = select(Lead).where(Lead.tenant_id == tenant_id, Lead.id == lead_id).with_for_update(key_share=True)
    found = await session.scalar(held)
    if found is None:
        raise NotFound
    return found


async def write_note(session: AsyncSession, tenant_id: UUID, lead_id: UUID, body: str) -> UUID:
    """Write something down about a lead. Raises NotFound, and Conflict past NOTES."""
    await hold_lead(session, tenant_id, lead_id)
    count = await session.scalar(
        select(func.count()).select_from(LeadNote).where(LeadNote.tenant_id == tenant_id, LeadNote.lead_id == lead_id)
    )
    if (count or 0) >= NOTES:
        raise Conflict(f"A lead holds {NOTES} notes at most. Please delete some first.")
    note_id = new_id()
    await session.execute(
        insert(LeadNote).values(tenant_id=tenant_id, id=note_id, lead_id=lead_id, body=body, created_at=clock.now())
    )
    return note_id


async def delete_note(session: AsyncSession, tenant_id: UUID, lead_id: UUID, note_id: UUID) -> None:
    """Delete a note. Raises NotFound."""
    found = await session.scalar(
        delete(LeadNote)
        .where(LeadNote.tenant_id == tenant_id, LeadNote.lead_id == lead_id, LeadNote.id == note_id)
        .returning(LeadNote.id)
    )
    if found is None:
        raise NotFound


async def export(session: AsyncSession, tenant_id: UUID) -> bytes:
    """The newest EXPORTED leads as CSV (UTF-8 with its mark, so that spreadsheets read names right)."""
    query = select(Lead, _SERVICE.label("service")).where(Lead.tenant_id == tenant_id)
    rows = (await session.execute(query.order_by(Lead.created_at.desc(), Lead.id.desc()).limit(EXPORTED))).all()
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    writer.writerow(_COLUMNS)
    for row in rows:
        lead: Lead = row[0]
        received = clock.wire(lead.created_at).replace("T", " ").removesuffix("Z")
        cells = (received, lead.status, lead.name, lead.email, lead.phone, row.service or "", lead.message)
        writer.writerow([harmless(cell) for cell in cells])
    return b"\xef\xbb\xbf" + made.getvalue().encode()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + cell if cell.lstrip(" \u00a0").startswith(_FORMULA) or cell.startswith(_FORMULA) else cell
