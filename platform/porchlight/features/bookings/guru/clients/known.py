"""Whose bookings belong together: those of an account, or those of a customer who came again."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ColumnElement, Uuid, and_, bindparam, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.customers.schemas import CustomerBookingPayload
from porchlight.features.bookings.models import Booking
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404

_CUSTOMER_ID: ColumnElement[UUID] = func.coalesce(Booking.client_id, Booking.person_id)
# The id of a client: that of the account, or of the customer's first booking.
CLIENT_ID: ColumnElement[UUID] = case((Booking.customer_token.is_(None), Booking.person_id), else_=_CUSTOMER_ID)
_IS_CUSTOMER = and_(Booking.tenant_id == bindparam("tenant_id"), Booking.customer_token.is_not(None))
_CLIENT = bindparam("client_id", type_=Uuid())
# Each part has an index.
IS_OF_CLIENT: ColumnElement[bool] = and_(
    or_(Booking.person_id == _CLIENT, Booking.client_id == _CLIENT), CLIENT_ID == _CLIENT
)
_BY_PERSON = select(_CUSTOMER_ID).where(_IS_CUSTOMER, Booking.person_id == bindparam("person_id")).limit(1)
_BY_ID = select(_CUSTOMER_ID).where(_IS_CUSTOMER, IS_OF_CLIENT).limit(1)
_BY_EMAIL = (
    select(_CUSTOMER_ID)
    .where(_IS_CUSTOMER, func.lower(Booking.customer_email) == func.lower(bindparam("email")))
    .order_by(Booking.created_at.desc(), Booking.id.desc())
    .limit(1)
)


async def known_client(
    session: AsyncSession, tenant_id: UUID, payload: CustomerBookingPayload, person_id: UUID | None
) -> UUID | None:
    """Return the client for whom the guru books again, or None for a new one.

    It is the customer who has the package to use (`person_id`), the one that the guru chose, or the one with this
    address, in this order. Raises NotFound for an unknown choice.
    """
    if person_id is not None:
        return await session.scalar(_BY_PERSON, {"tenant_id": tenant_id, "person_id": person_id})
    if payload.client_id:
        chosen = parse_id_or_404(payload.client_id)
        found = await session.scalar(_BY_ID, {"tenant_id": tenant_id, "client_id": chosen})
        if found is None:
            raise NotFound
        return found
    if not payload.email:
        return None
    return await session.scalar(_BY_EMAIL, {"tenant_id": tenant_id, "email": payload.email})
