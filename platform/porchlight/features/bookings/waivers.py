"""The waiver that a session needs: the risk of the activity, and what the guru asks for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor, RiskLevel, ServiceWaiver, Waivers, supporting_reasons
from porchlight.features.bookings.errors import WaiverExpired, WaiverRequired
from porchlight.features.bookings.models import Booking
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import ProductError

# In the transaction of the guru's tenant.
_SETTINGS = text(
    "SELECT g.category, b.waiver, b.risk FROM gurus g LEFT JOIN booking_settings b"
    " ON b.tenant_id = g.id AND b.service_id = :service WHERE g.id = :tenant"
)
ALWAYS = ("always", "signed")


@dataclass(frozen=True, slots=True)
class WaiverRules:
    """The rules for the waiver of a guru's service. `rule` and `own_rating` are None for a deleted service."""

    category: str
    rule: str | None
    own_rating: RiskLevel | None


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
    """Return the waiver that a booking needs by the guru's current rules."""
    found = await session.execute(_SETTINGS, {"service": booking.service_id, "tenant": booking.tenant_id})
    return await rate_need(risk, WaiverRules(*found.one()), booking.service_name)


async def rate_need(risk: RiskAssessor, rules: WaiverRules, service_name: str) -> WaiverNeed:
    """Return the waiver that a service needs. The guru may rate the risk, or require a waiver at any level."""
    assessed = await risk.assess_activity(rules.category, service_name)
    level: RiskLevel = rules.own_rating or assessed.rating
    required = level in ("high", "extreme") or rules.rule in ALWAYS
    return WaiverNeed(required, rules.rule == "signed", level, supporting_reasons(level, [assessed]), rules.category)


@dataclass(frozen=True, slots=True)
class OwnWaiver:
    """The user's waiver for a session. `until`: the end of a valid one, None without one or if none is needed.

    `is_outdated`: the user has a valid one, but the guru changed their text since or requires a signature. `minors`:
    the children for whom the user has a valid one as guardian, by name, and when it ends.
    """

    until: datetime | None = None
    is_outdated: bool = False
    minors: tuple[tuple[str, datetime], ...] = ()


async def own_waiver(
    db: Database, waivers: Waivers, user_id: UUID | None, booking: Booking, need: WaiverNeed
) -> OwnWaiver:
    """Return the user's waiver for a booking."""
    if not need.required or user_id is None:
        return OwnWaiver()
    async with unit_of_work(db, user_id=user_id) as session:
        now = clock.now()
        signed = await waivers.minor_waivers(
            session, user_id, guru_id=booking.tenant_id, service_id=booking.service_id, level=need.level
        )
        minors = tuple((name, one.expires_at) for name, one in signed if one.expires_at > now)
        waiver = await find_waiver(session, waivers, user_id, booking, need)
        if waiver is not None:
            return OwnWaiver(until=waiver.expires_at if waiver.expires_at > now else None, minors=minors)
        waiver = await find_waiver(session, waivers, user_id, booking, need, is_booked=True)
        return OwnWaiver(is_outdated=waiver is not None and waiver.expires_at > now, minors=minors)


def missing_waiver(waiver: ServiceWaiver | None, minor: str = "") -> ProductError:
    """Return the error for a session without a valid waiver. `waiver` is the one that is not valid any more.

    `minor`: the name of the child for whom the user has to sign, "" for the user.
    """
    if waiver is None or waiver.expires_at > clock.now():
        if not minor:
            return WaiverRequired()
        return WaiverRequired(f"Please sign the waiver for {minor} before you book this session.")
    whose = f"The waiver for {minor}" if minor else "Your waiver"
    expired = waiver.expires_at
    return WaiverExpired(f"{whose} ran out on {expired:%b} {expired.day}, {expired.year}. Please accept it again.")


async def find_waiver(
    session: AsyncSession,
    waivers: Waivers,
    user_id: UUID,
    booking: Booking,
    need: WaiverNeed,
    *,
    is_booked: bool = False,
    minor: str = "",
) -> ServiceWaiver | None:
    """Return the user's waiver for a booking, which may have expired, or None.

    `minor`: the one that the user signed as the guardian of a child with this name. A session that `is_booked` keeps a
    waiver that is not signed or has an earlier text of the guru.
    """
    return await waivers.service_waiver(
        session,
        user_id,
        guru_id=booking.tenant_id,
        service_id=booking.service_id,
        level=need.level,
        signed=need.signed and not is_booked,
        any_guru_text=is_booked,
        minor=minor,
    )
