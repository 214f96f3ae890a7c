"""How a guru's site keeps a time for a visitor. The product implements it (`app.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from sites.hours.cache import FreeStartsCache


@dataclass(frozen=True, slots=True)
class VisitorHold:
    """A start that a visitor chose, for `party` people. The same `key` from the same network address is a resend."""

    service_id: UUID
    starts_at: datetime
    party: int
    key: str
    address: str


class SessionBookings(Protocol):
    """The bookings of sessions, for what changes when a guru is busy. The unit of work is that of the guru."""

    async def end_due(self, session: AsyncSession) -> None:
        """Lock the calendar, and end the holds and requests whose time has passed, so that their times are free."""

    async def end_session(self, session: AsyncSession, appointment_id: UUID) -> bool:
        """End a session, and tell those who wait for it. Return False if spots of it are taken."""


class HoldSeat(Protocol):
    """Keeps seats for ten minutes."""

    async def __call__(self, tenant_id: UUID, hold: VisitorHold) -> str:
        """Return the token of the hold. Raises ProductError when the time cannot be kept."""


@dataclass(frozen=True, slots=True)
class SiteBookings:
    """The parts that the page of free times uses: the cache of free starts, and how a time is kept."""

    free_starts: FreeStartsCache
    hold_seat: HoldSeat
