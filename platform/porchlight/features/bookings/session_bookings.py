"""The bookings of sessions for the features beside them (`contracts.Bookings`)."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import set_tenant
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.states import OPEN
from porchlight.features.bookings.store import FactsQuery


async def end_due(session: AsyncSession) -> None:
    """Lock the calendar, and end the holds, requests and proposals whose time has passed.

    Staff who look at the console as the guru do not act for them: bookings are out of their sight and stay as they are.
    """
    needs = FactsQuery()
    facts = await store.read_facts(session, needs)
    if facts.is_acting:
        await store.apply(session, needs, facts, commands.Expire())


async def end_session(session: AsyncSession, appointment_id: UUID) -> bool:
    """End a session, and tell those who wait for it. Return False if spots of it are taken."""
    command = commands.EndSession(session_id=appointment_id)
    decision = await store.run_in(session, FactsQuery(appointment=appointment_id), command)
    return decision.refusal is None


async def end_all(session: AsyncSession, user_id: UUID) -> None:
    """Cancel everything that a user has open with any guru. A late cancellation is owed as by the terms."""
    query = select(Booking.tenant_id).where(Booking.person_id == user_id, Booking.status.in_(OPEN)).distinct()
    # In the order of the ids, so that two deletions lock calendars in the same order.
    for tenant_id in (await session.scalars(query.order_by(Booking.tenant_id))).all():
        await set_tenant(session, tenant_id)
        await store.run_in(session, FactsQuery(all_open=True), commands.Erase())
    await set_tenant(session, None)
