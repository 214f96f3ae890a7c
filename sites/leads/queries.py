"""Reading leads. Each query runs in the unit of work of the tenant."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    tuple_,
)
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
from tenants.db.cursors import LAST_ROW
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import contains_pattern, encode_cursor, parse_cursor

OfLead = TypeVar("OfLead", LeadReply, LeadNote)

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
_STATUS_COUNTS = (
    select(Lead.status, func.count().label("leads"))
    .where(Lead.tenant_id == bindparam("tenant_id"))
    .group_by(Lead.status)
)
_OWN_LEAD = (
    select(Lead, _SERVICE.label("service"))
    .where(Lead.tenant_id == bindparam("tenant_id"), Lead.id == bindparam("lead_id"))
    .execution_options(populate_existing=True)
)


def _select_of_lead(model: type[OfLead]) -> Select[OfLead]:
    own = (model.tenant_id == bindparam("tenant_id"), model.lead_id == bindparam("lead_id"))
    return select(model).where(*own).order_by(model.created_at, model.id).limit(MAX_NOTES)


_REPLIES, _NOTES = _select_of_lead(LeadReply), _select_of_lead(LeadNote)


@dataclass(frozen=True, slots=True)
class LeadThread:
    """A lead with its replies and notes, the oldest first."""

    lead: Lead
    service: str
    address_state: AddressState
    replies: Sequence[LeadReply]
    notes: Sequence[LeadNote]


@cache  # building a statement takes longer than running it
def _select_page(status: LeadStatus | None, *, is_first: bool, is_search: bool) -> Select[Lead, str | None]:
    query = select(Lead, _SERVICE.label("service")).where(Lead.tenant_id == bindparam("tenant_id"))
    query = query.where(Lead.status == status if status else Lead.status != "archived")
    if not is_first:
        query = query.where(tuple_(Lead.created_at, Lead.id) < LAST_ROW)
    if is_search:
        columns = (Lead.name, Lead.email, Lead.message, *(getattr(Lead, name) for name in LEAD_DETAILS))
        query = query.where(or_(*(column.ilike(bindparam("pattern")) for column in columns)))
    return query.order_by(Lead.created_at.desc(), Lead.id.desc()).limit(bindparam("rows"))


async def leads(
    session: AsyncSession, tenant_id: UUID, *, status: LeadStatus | None, search: str, cursor: str | None, limit: int
) -> tuple[list[tuple[Lead, str]], str | None]:
    """Return leads with the name of their service, the newest first, and the cursor of the next page.

    Without a status, archived leads are left out. Raise ValidationFailed for an invalid cursor.
    """
    last_at, last_id = parse_cursor(cursor)
    query = _select_page(status, is_first=last_at is None, is_search=bool(search))
    values: dict[str, Any] = {"tenant_id": tenant_id, "rows": limit + 1}
    if search:
        values["pattern"] = contains_pattern(search)
    if last_at is not None:
        values |= {"last_at": last_at, "last_id": last_id}
    rows = (await session.execute(query, values)).all()
    page = [(lead, service or "") for lead, service in rows[:limit]]
    if len(rows) <= limit:
        return page, None
    last, _service = page[-1]
    return page, encode_cursor(last.created_at, last.id)


async def status_counts(session: AsyncSession, tenant_id: UUID) -> dict[LeadStatus, int]:
    """Return the number of leads per status."""
    rows = await session.execute(_STATUS_COUNTS, {"tenant_id": tenant_id})
    counts = {row.status: row.leads for row in rows}
    return {status: counts.get(status, 0) for status in STATUSES}


async def new_lead_count(session: AsyncSession, tenant_id: UUID, limit: int) -> int:
    """Return the number of unread leads, counted up to `limit`."""
    rows = select(Lead.id).where(Lead.tenant_id == tenant_id, Lead.status == "new").limit(limit).subquery()
    return await session.scalar(select(func.count()).select_from(rows)) or 0


async def lead_thread(session: AsyncSession, tenant_id: UUID, lead_id: UUID) -> LeadThread:
    """Return a lead with its replies and notes. Raise NotFound."""
    values = {"tenant_id": tenant_id, "lead_id": lead_id}
    row = (await session.execute(_OWN_LEAD, values)).one_or_none()
    if row is None:
        raise NotFound
    lead, service = row
    state = await address_state(session, tenant_id, lead.email)
    replies = (await session.scalars(_REPLIES, values)).all()
    notes = (await session.scalars(_NOTES, values)).all()
    return LeadThread(lead, service or "", state, replies, notes)


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
        yield [_csv_row(*cells) for _id, *cells in rows]
        if len(rows) < EXPORT_PAGE_SIZE:
            return
        last_id, last_at, *_ = rows[-1]
        values |= {"id": last_id, "at": last_at}


def _csv_row(created_at: datetime, *cells: str) -> tuple[str, ...]:
    return clock.to_iso8601(created_at).replace("T", " ").removesuffix("Z"), *cells
