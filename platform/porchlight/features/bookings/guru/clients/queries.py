"""Reading a guru's clients. An impersonated console sees none, because it sees no booking."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, DateTime, Row, Select, and_, bindparam, func, or_, select, tuple_
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.guru.clients.known import CLIENT_ID, IS_OF_CLIENT
from porchlight.features.bookings.guru.clients.models import ClientNote
from porchlight.features.bookings.guru.clients.periods import month_start, unseen_before
from porchlight.features.bookings.guru.clients.schemas import (
    ClientBookingData,
    ClientBookingList,
    ClientData,
    ClientDetails,
    ClientList,
    ClientNoteData,
)
from porchlight.features.bookings.models import REACHED_GURU, Booking
from porchlight.features.bookings.queries import answers_data, page_by_start, pages_by_start
from sites.hours.models import Calendar
from sites.hours.proposal import DEFAULT_ZONE
from tenants.db.cursors import LAST_ROW
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import contains_pattern, encode_cursor, parse_cursor

PAGE_SIZE = 25
Show = Literal["all", "unseen", "new"]

_TENANT = Booking.tenant_id == bindparam("tenant_id")
_NOW = bindparam("now", type_=DateTime(timezone=True))
# Who only asked is no client yet.
_WAS_BOOKED = or_(Booking.confirmed_at.is_not(None), Booking.status.in_(("confirmed", "completed", "missed")))
_IS_CLIENTS = and_(_TENANT, Booking.person_id.is_not(None), _WAS_BOOKED)
_IS_DONE = and_(Booking.status.in_(("confirmed", "completed")), Booking.ends_at <= _NOW)
_IS_AHEAD = and_(Booking.status == "confirmed", Booking.ends_at > _NOW)
_ZONE = select(Calendar.zone).where(Calendar.tenant_id == bindparam("tenant_id"))


class _Period(NamedTuple):
    zone: str
    unseen_before: datetime
    month_start: datetime


def _latest(column: Any) -> Any:
    return func.array_agg(aggregate_order_by(column, Booking.starts_at.desc(), Booking.id.desc()))


def _clients(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Return the statement of clients, each with the numbers of their sessions. A deleted account has no name."""
    return (
        select(
            CLIENT_ID.label("id"),
            _latest(Booking.person_name).filter(Booking.person_name != "")[1].label("name"),
            func.bool_and(Booking.customer_token.is_not(None)).label("is_customer"),
            func.count().filter(_IS_DONE).label("done"),
            func.count().filter(_IS_AHEAD).label("upcoming"),
            func.max(Booking.starts_at).filter(_IS_DONE).label("last_at"),
            func.min(Booking.starts_at).filter(_IS_AHEAD).label("next_at"),
            func.max(Booking.starts_at).label("latest_at"),
            func.min(Booking.created_at).label("since"),
            func.array_agg(Booking.service_name.distinct()).label("services"),
            _latest(Booking.id)[1].label("latest_booking_id"),
            func.max(Booking.customer_email).label("email"),
        )
        .where(_IS_CLIENTS, *conditions)
        .group_by(CLIENT_ID)
        .having(func.bool_or(Booking.person_name != ""))
    )


_BY_CLIENT = _clients().subquery()
_ONE = _clients(IS_OF_CLIENT)
_TOTAL = select(func.count()).select_from(_BY_CLIENT)
_NOTES = (
    select(ClientNote)
    .join(Booking, and_(Booking.tenant_id == ClientNote.tenant_id, Booking.id == ClientNote.booking_id))
    .where(_TENANT, IS_OF_CLIENT)
    .order_by(ClientNote.changed_at, ClientNote.booking_id)
    .execution_options(populate_existing=True)
)
_HISTORY = pages_by_start(and_(_TENANT, REACHED_GURU, IS_OF_CLIENT), latest_first=True)


@cache  # building a statement takes longer than running it
def _page(show: Show, *, is_first: bool, is_search: bool) -> Select[Any]:
    of = _BY_CLIENT.c
    query = select(_BY_CLIENT)
    if show == "unseen":
        query = query.where(of.last_at < bindparam("unseen_before", type_=DateTime(timezone=True)), of.upcoming == 0)
    if show == "new":
        query = query.where(of.since >= bindparam("month_start", type_=DateTime(timezone=True)))
    if is_search:
        query = query.where(of.name.ilike(bindparam("pattern")))
    if not is_first:
        query = query.where(tuple_(of.latest_at, of.id) < LAST_ROW)
    return query.order_by(of.latest_at.desc(), of.id.desc()).limit(PAGE_SIZE + 1)


async def clients(session: AsyncSession, tenant_id: UUID, *, show: Show, search: str, cursor: str | None) -> ClientList:
    """Return a page of the guru's clients, those with the latest session first. Raises ValidationFailed."""
    last_at, last_id = parse_cursor(cursor)
    period = await _period(session, tenant_id)
    values: dict[str, Any] = {"tenant_id": tenant_id, "now": clock.now()} | period._asdict()
    if search:
        values["pattern"] = contains_pattern(search)
    if last_at is not None:
        values |= {"last_at": last_at, "last_id": last_id}
    query = _page(show, is_first=last_at is None, is_search=bool(search))
    rows = (await session.execute(query, values)).all()
    page = rows[:PAGE_SIZE]
    total = await session.scalar(_TOTAL, values) or 0
    return ClientList(
        clients=[ClientData(**_client(row, period)) for row in page],
        next_cursor=encode_cursor(page[-1].latest_at, page[-1].id) if len(rows) > PAGE_SIZE else None,
        total=total,
    )


async def client(session: AsyncSession, tenant_id: UUID, client_id: UUID) -> ClientDetails:
    """Return a client with the guru's note. Raises NotFound."""
    period = await _period(session, tenant_id)
    row = await _find(session, tenant_id, client_id)
    return ClientDetails(
        **_client(row, period),
        note=note_data(await note_rows(session, tenant_id, client_id)),
        latest_booking_id=str(row.latest_booking_id),
        email=row.email if row.is_customer else "",
    )


async def history(session: AsyncSession, tenant_id: UUID, client_id: UUID, cursor: str | None) -> ClientBookingList:
    """Return a page of a client's sessions, the latest first. Raises NotFound, ValidationFailed."""
    await _find(session, tenant_id, client_id)
    values = {"tenant_id": tenant_id, "client_id": client_id}
    rows, more = await page_by_start(session, _HISTORY, cursor, values)
    return ClientBookingList(bookings=[_booking(one) for one in rows], next_cursor=more)


async def note_rows(session: AsyncSession, tenant_id: UUID, client_id: UUID) -> Sequence[ClientNote]:
    """Return the guru's notes about a client, the oldest first: one, or those that a claim has brought together."""
    return (await session.scalars(_NOTES, {"tenant_id": tenant_id, "client_id": client_id})).all()


def note_data(rows: Sequence[ClientNote]) -> ClientNoteData:
    """Return a client's notes as the one that the guru sees."""
    body = "\n\n".join(row.body for row in rows)
    return ClientNoteData(body=body, digest=content_digest(body).hex() if body else "")


async def require_client(session: AsyncSession, tenant_id: UUID, client_id: UUID) -> UUID:
    """Return the latest booking of a client. Raises NotFound."""
    found: UUID = (await _find(session, tenant_id, client_id)).latest_booking_id
    return found


async def _find(session: AsyncSession, tenant_id: UUID, client_id: UUID) -> Row[Any]:
    values = {"tenant_id": tenant_id, "client_id": client_id, "now": clock.now()}
    row: Row[Any] | None = (await session.execute(_ONE, values)).one_or_none()
    if row is None:
        raise NotFound
    return row


async def _period(session: AsyncSession, tenant_id: UUID) -> _Period:
    zone = await session.scalar(_ZONE, {"tenant_id": tenant_id}) or DEFAULT_ZONE
    now = clock.now()
    return _Period(zone, unseen_before(now, zone), month_start(now, zone))


def _client(row: Row[Any], period: _Period) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "name": row.name,
        "is_customer": row.is_customer,
        "done": row.done,
        "upcoming": row.upcoming,
        "last_at": clock.to_iso8601(row.last_at) if row.last_at else None,
        "next_at": clock.to_iso8601(row.next_at) if row.next_at else None,
        "is_unseen": row.last_at is not None and row.last_at < period.unseen_before and row.upcoming == 0,
        "services": row.services,
        "zone": period.zone,
    }


def _booking(booking: Booking) -> ClientBookingData:
    return ClientBookingData(
        id=str(booking.id),
        status=booking.status,
        service_name=booking.service_name,
        starts_at=clock.to_iso8601(booking.starts_at),
        ends_at=clock.to_iso8601(booking.ends_at),
        zone=booking.zone,
        party=booking.party,
        price_cents=booking.price_cents,
        currency=booking.currency,
        package_name=booking.package_name if booking.package_sessions else "",
        answers=answers_data(booking),
    )
