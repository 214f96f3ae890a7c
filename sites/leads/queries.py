"""Reading leads. Each query runs in the unit of work of the tenant."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Text, func, literal_column, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from sites.leads.models import (
    MAX_NOTES,
    STATUSES,
    AddressState,
    Lead,
    LeadAddress,
    LeadNote,
    LeadReply,
    LeadStatus,
)
from sites.leads.schemas import LEAD_DETAILS
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 25
MAX_PAGE_SIZE = 100
MAX_EXPORTED_LEADS = 10_000  # the newest

EXPORT_PAGE_SIZE = 500

CSV_HEADER = ("Received (UTC)", "Status", "Name", "Email", *LEAD_DETAILS.values(), "About", "Message")
_EXPORTED = f"""
SELECT l.id, l.created_at, l.status, l.name, l.email, {", ".join(f"l.{name}" for name in LEAD_DETAILS)},
       coalesce((SELECT s.name FROM services s WHERE s.tenant_id = l.tenant_id AND s.id = l.service_id), ''), l.message
  FROM leads l
 WHERE l.tenant_id = %(tenant)s
   AND (%(at)s::timestamptz IS NULL OR (l.created_at, l.id) < (%(at)s::timestamptz, %(id)s::uuid))
 ORDER BY l.created_at DESC, l.id DESC LIMIT %(limit)s"""
# In SQL, because the feature does not import the services feature.
_SERVICE: ColumnElement[str | None] = literal_column(
    "(SELECT s.name FROM services s WHERE s.tenant_id = leads.tenant_id AND s.id = leads.service_id)", Text()
)


@dataclass(frozen=True, slots=True)
class LeadThread:
    """A lead with its replies and notes, the oldest first."""

    lead: Lead
    service: str
    address_state: AddressState
    replies: Sequence[LeadReply]
    notes: Sequence[LeadNote]


async def leads(
    session: AsyncSession, tenant_id: UUID, *, status: LeadStatus | None, search: str, cursor: str | None, limit: int
) -> tuple[list[tuple[Lead, str]], str | None]:
    """Return leads with the name of their service, the newest first, and the cursor of the next page.

    Without a status, archived leads are left out. Raise ValidationFailed for an invalid cursor.
    """
    before, before_id = parse_cursor(cursor)
    query = select(Lead, _SERVICE.label("service")).where(Lead.tenant_id == tenant_id)
    query = query.where(Lead.status == status if status else Lead.status != "archived")
    if search:
        columns = (Lead.name, Lead.email, Lead.message, *(getattr(Lead, name) for name in LEAD_DETAILS))
        query = query.where(or_(*(column.icontains(search, autoescape=True) for column in columns)))
    if before is not None:
        query = query.where(tuple_(Lead.created_at, Lead.id) < (before, before_id))
    rows = (await session.execute(query.order_by(Lead.created_at.desc(), Lead.id.desc()).limit(limit + 1))).all()
    page = [(row[0], row.service or "") for row in rows[:limit]]
    next_cursor = encode_cursor(page[-1][0].created_at, page[-1][0].id) if len(rows) > limit else None
    return page, next_cursor


async def status_counts(session: AsyncSession, tenant_id: UUID) -> dict[LeadStatus, int]:
    """Return the number of leads per status."""
    query = select(Lead.status, func.count().label("leads")).where(Lead.tenant_id == tenant_id).group_by(Lead.status)
    counts = {row.status: row.leads for row in (await session.execute(query)).all()}
    return {status: counts.get(status, 0) for status in STATUSES}


async def new_lead_count(session: AsyncSession, tenant_id: UUID, limit: int) -> int:
    """Return the number of unread leads, counted up to `limit`."""
    rows = select(Lead.id).where(Lead.tenant_id == tenant_id, Lead.status == "new").limit(limit).subquery()
    return await session.scalar(select(func.count()).select_from(rows)) or 0


async def lead_thread(session: AsyncSession, tenant_id: UUID, lead_id: UUID) -> LeadThread:
    """Return a lead with its replies and notes. Raise NotFound."""
    query = select(Lead, _SERVICE.label("service")).where(Lead.tenant_id == tenant_id, Lead.id == lead_id)
    row = (await session.execute(query.execution_options(populate_existing=True))).one_or_none()
    if row is None:
        raise NotFound

    async def of_lead(model: Any) -> Sequence[Any]:
        rows = select(model).where(model.tenant_id == tenant_id, model.lead_id == lead_id)
        return (await session.scalars(rows.order_by(model.created_at, model.id).limit(MAX_NOTES))).all()

    state = await address_state(session, tenant_id, row[0].email)
    return LeadThread(row[0], row.service or "", state, await of_lead(LeadReply), await of_lead(LeadNote))


async def address_state(session: AsyncSession, tenant_id: UUID, email: str) -> AddressState:
    """Return what the owner of an address said about the site's email."""
    query = select(LeadAddress.state).where(LeadAddress.tenant_id == tenant_id, LeadAddress.email == func.lower(email))
    state: AddressState | None = await session.scalar(query)
    return state or "unconfirmed"


async def exported_rows(db: Database, tenant_id: UUID) -> AsyncIterator[list[tuple[str, ...]]]:
    """Yield the newest MAX_EXPORTED_LEADS leads as rows of CSV_HEADER, in pages."""
    values: dict[str, Any] = {"tenant": tenant_id, "at": None, "id": None, "limit": EXPORT_PAGE_SIZE}
    for _ in range(MAX_EXPORTED_LEADS // EXPORT_PAGE_SIZE):
        rows = await db.read(tenant_id, _EXPORTED, values)
        yield [_csv_row(*row[1:]) for row in rows]
        if len(rows) < EXPORT_PAGE_SIZE:
            return
        values |= {"id": rows[-1][0], "at": rows[-1][1]}


def _csv_row(created_at: datetime, *cells: str) -> tuple[str, ...]:
    return clock.to_iso8601(created_at).replace("T", " ").removesuffix("Z"), *cells
