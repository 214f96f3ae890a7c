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
    """Whether a session needs a waiver, its risk level, the reasons as sentences, and the guru's category.

    `signed`: the guru requires a signed one.
    """

    required: bool
    signed: bool
    level: RiskLevel
    reasons: list[str]
    category: str


async def waiver_need(session: AsyncSession, risk: RiskAssessor, booking: Booking) -> WaiverNeed:
    """Return the waiver that a booking needs. The guru may rate the risk, or require a waiver at any level."""
    found = await session.execute(_SETTINGS, {"service": booking.service_id, "tenant": booking.tenant_id})
    category, rule, own_rating = found.one()
    assessed = await risk.assess_activity(category, booking.service_name)
    level: RiskLevel = own_rating or assessed.rating
    required = level in ("high", "extreme") or rule in ALWAYS
    return WaiverNeed(required, rule == "signed", level, assessed.reasons, category)


@dataclass(frozen=True, slots=True)
class OwnWaiver:
    """The user's waiver for a session. `until`: the end of a valid one, None without one or if none is needed.

    `is_outdated`: the user has a valid one, but the guru changed their text since or requires a signature.
    """

    until: datetime | None = None
    is_outdated: bool = False


async def own_waiver(
    session: AsyncSession, waivers: Waivers, user_id: UUID | None, booking: Booking, need: WaiverNeed
) -> OwnWaiver:
    """Return the user's waiver for a booking."""
    if not need.required or user_id is None:
        return OwnWaiver()
    waiver = await _service_waiver(session, waivers, user_id, booking, need)
    if waiver is not None:
        return OwnWaiver(until=waiver.expires_at if waiver.expires_at > clock.now() else None)
    waiver = await _service_waiver(session, waivers, user_id, booking, need, is_booked=True)
    return OwnWaiver(is_outdated=waiver is not None and waiver.expires_at > clock.now())


async def required_waiver(
    session: AsyncSession,
    waivers: Waivers,
    user_id: UUID,
    booking: Booking,
    need: WaiverNeed,
    *,
    is_booked: bool = False,
) -> ServiceWaiver | None:
    """Return the user's valid waiver for a booking, None if it needs none. Raises WaiverRequired, WaiverExpired.

    A session that `is_booked` keeps a waiver that is not signed or has an earlier text of the guru.
    """
    if not need.required:
        return None
    waiver = await _service_waiver(session, waivers, user_id, booking, need)
    if waiver is None and is_booked:
        waiver = await _service_waiver(session, waivers, user_id, booking, need, is_booked=True)
    if waiver is None:
        raise WaiverRequired
    if waiver.expires_at <= clock.now():
        raise WaiverExpired(
            f"Your waiver ran out on {waiver.expires_at:%b} {waiver.expires_at.day},"
            f" {waiver.expires_at.year}. Please accept it again."
        )
    return waiver


async def _service_waiver(
    session: AsyncSession,
    waivers: Waivers,
    user_id: UUID,
    booking: Booking,
    need: WaiverNeed,
    *,
    is_booked: bool = False,
) -> ServiceWaiver | None:
    return await waivers.service_waiver(
        session,
        user_id,
        guru_id=booking.tenant_id,
        service_id=booking.service_id,
        level=need.level,
        signed=need.signed and not is_booked,
        any_guru_text=is_booked,
    )
