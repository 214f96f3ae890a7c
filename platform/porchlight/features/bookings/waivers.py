"""The waiver that a session needs: the risk of the activity, and what the guru asks for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor, RiskLevel, ServiceWaiver, Waivers
from porchlight.features.bookings.errors import WaiverExpired, WaiverRequired
from porchlight.features.bookings.models import Booking
from tenants.kit import clock

# In the transaction of the guru's tenant.
_SETTINGS = text(
    "SELECT g.category, b.waiver, b.risk FROM gurus g LEFT JOIN booking_settings b"
    " ON b.tenant_id = g.id AND b.service_id = :service WHERE g.id = :tenant"
)
ALWAYS = ("always", "signed")


@dataclass(frozen=True, slots=True)
class WaiverNeed:
    """Whether a session needs a waiver, its risk level, the reasons as sentences, and the guru's category."""

    required: bool
    level: RiskLevel
    reasons: list[str]
    category: str


async def waiver_need(session: AsyncSession, risk: RiskAssessor, booking: Booking) -> WaiverNeed:
    """Return the waiver that a booking needs. The guru may rate the risk, or require a waiver at any level."""
    found = await session.execute(_SETTINGS, {"service": booking.service_id, "tenant": booking.tenant_id})
    category, rule, own_rating = found.one()
    assessed = await risk.assess_activity(category, booking.service_name)
    level: RiskLevel = own_rating or assessed.rating
    return WaiverNeed(level in ("high", "extreme") or rule in ALWAYS, level, assessed.reasons, category)


async def waiver_until(
    session: AsyncSession, waivers: Waivers, user_id: UUID | None, booking: Booking, need: WaiverNeed
) -> datetime | None:
    """Return until when the user has a valid waiver for a booking, None without one or if it needs none."""
    if not need.required or user_id is None:
        return None
    waiver = await waivers.service_waiver(
        session, user_id, guru_id=booking.tenant_id, service_id=booking.service_id, level=need.level
    )
    return waiver.expires_at if waiver is not None and waiver.expires_at > clock.now() else None


async def required_waiver(
    session: AsyncSession, waivers: Waivers, user_id: UUID, booking: Booking, need: WaiverNeed
) -> ServiceWaiver | None:
    """Return the user's valid waiver for a booking, None if it needs none. Raises WaiverRequired, WaiverExpired."""
    if not need.required:
        return None
    waiver = await waivers.service_waiver(
        session, user_id, guru_id=booking.tenant_id, service_id=booking.service_id, level=need.level
    )
    if waiver is None:
        raise WaiverRequired
    if waiver.expires_at <= clock.now():
        raise WaiverExpired(
            f"Your waiver ran out on {waiver.expires_at:%b} {waiver.expires_at.day},"
            f" {waiver.expires_at.year}. Please accept it again."
        )
    return waiver
