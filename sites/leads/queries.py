"""Reading leads. Each query runs in the unit of work of the tenant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Text, func, literal_column, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from sites.leads.models import MAX_NOTES, STATUSES, Lead, LeadNote, LeadReply, LeadStatus
from sites.leads.schemas import LEAD_DETAILS
from tenants.kit import clock
from tenants.kit.csv_export import to_csv
from tenants.kit.errors import NotFound
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 25
MAX_PAGE_SIZE = 100
MAX_EXPORTED_LEADS = 10_000  # the newest

_CSV_HEADER = ("Received (UTC)", "Status", "Name", "Email", *LEAD_DETAILS.values(), "About", "Message")
# In SQL, because the feature does not import the services feature.
_SERVICE: ColumnElement[str | None] = literal_column(
    "(SELECT s.name FROM services s WHERE s.tenant_id = leads.tenant_id AND s.id = leads.service_id)", Text()
)


@dataclass(frozen=True, slots=True)
class LeadThread:
    """A lead with its replies and notes, the oldest first."""

    lead: Lead
    service: str
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

    return LeadThread(row[0], row.service or "", await of_lead(LeadReply), await of_lead(LeadNote))


async def export_csv(session: AsyncSession, tenant_id: UUID) -> bytes:
    """Return the newest MAX_EXPORTED_LEADS leads as a CSV file."""
    query = select(Lead, _SERVICE.label("service")).where(Lead.tenant_id == tenant_id)
    query = query.order_by(Lead.created_at.desc(), Lead.id.desc()).limit(MAX_EXPORTED_LEADS)
    return to_csv(_CSV_HEADER, [_csv_row(row[0], row.service or "") for row in (await session.execute(query)).all()])


def _csv_row(lead: Lead, service: str) -> tuple[str, ...]:
    received = clock.to_iso8601(lead.created_at).replace("T", " ").removesuffix("Z")
    details = (getattr(lead, name) for name in LEAD_DETAILS)
    return received, lead.status, lead.name, lead.email, *details, service, lead.message
