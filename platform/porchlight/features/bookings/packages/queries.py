"""Reading packages: those that a guru gives, and those that people have."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import and_, func, or_, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.models import WAS_SENT, Booking
from porchlight.features.bookings.packages.models import Package, PackageEvent, PackageGrant
from porchlight.features.bookings.packages.sales import PURPOSE, SoldPackage, unused_refund
from porchlight.features.bookings.packages.schemas import (
    GrantData,
    GrantDetails,
    GrantsData,
    OwnPackageData,
    OwnPackageDetails,
    OwnPackagesData,
    PackageData,
    PackageEventData,
    PackagePurchaseData,
    PackagesData,
    PackageUseData,
    PeopleData,
    PersonData,
    SoldPackageData,
    SoldPackagesData,
)
from porchlight.features.bookings.payments.models import Payment
from porchlight.features.bookings.schemas import UsablePackageData
from sites.services.models import Service
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import contains_pattern, encode_cursor, parse_cursor

PAGE_SIZE = 20
MAX_OWN = 100
MAX_USES = 100
MAX_PEOPLE = 20
LATEST_BOOKINGS = 2000  # among which people are found
When = Literal["current", "past"]
_BY_SERVICE = (Service.position, Service.id, Package.sessions, Package.id)
# A package with what was paid for it. A gift of the guru has no payment.
_WITH_PAYMENT = select(PackageGrant, Payment).outerjoin(
    Payment, and_(Payment.tenant_id == PackageGrant.tenant_id, Payment.id == PackageGrant.payment_id)
)

_USABLE = """
SELECT g.id, g.name, g.granted, g.left_over, g.expires_at, g.zone FROM package_grants g
 WHERE g.tenant_id = %(tenant)s AND g.person_id = %(user)s AND g.service_id = %(service)s
   AND g.left_over >= %(party)s AND g.expires_at > %(starts_at)s
   AND NOT EXISTS (SELECT FROM payments p WHERE p.tenant_id = g.tenant_id AND p.id = g.payment_id AND p.disputed)
 ORDER BY g.expires_at, g.id LIMIT 1"""
# The latest booking of each person whose name matches, among the guru's latest bookings: there may be very many.
_PEOPLE = text("""
SELECT p.id, p.person_name, p.customer_token IS NOT NULL AS is_customer, p.service_name, p.starts_at, p.zone
  FROM (SELECT DISTINCT ON (b.person_id) b.*
          FROM (SELECT l.id, l.person_id, l.person_name, l.customer_token, l.service_name, l.starts_at, l.zone
                  FROM bookings l
                 WHERE l.tenant_id = :tenant AND l.person_id IS NOT NULL AND l.idempotency_key IS NOT NULL
                 ORDER BY l.starts_at DESC LIMIT :latest) b
         WHERE b.person_name <> '' AND (:search = '' OR b.person_name ILIKE :search)
         ORDER BY b.person_id, b.starts_at DESC, b.id) p
 ORDER BY p.starts_at DESC, p.id LIMIT :limit""")


class _Usable(NamedTuple):
    id: UUID
    name: str
    granted: int
    left_over: int
    expires_at: datetime
    zone: str


async def usable_package(db: Database, user_id: UUID | None, hold: Booking) -> UsablePackageData | None:
    """Return the user's package that covers a hold and ends first, or None."""
    if user_id is None or hold.status != "held":
        return None
    values = {
        "tenant": hold.tenant_id, "user": user_id, "service": hold.service_id, "party": hold.party,
        "starts_at": hold.starts_at,
    }  # fmt: skip
    rows = await db.read(hold.tenant_id, _USABLE, values, user_id=user_id, row=_Usable)
    if not rows:
        return None
    found = rows[0]
    return UsablePackageData(
        id=str(found.id),
        name=found.name,
        granted=found.granted,
        left=found.left_over,
        expires_at=clock.to_iso8601(found.expires_at),
        last_day=last_day(found.expires_at, found.zone).isoformat(),
    )


def last_day(expires_at: datetime, zone: str) -> date:
    """Return the last local day of a package that ends at an instant."""
    return (expires_at - timedelta(seconds=1)).astimezone(ZoneInfo(zone)).date()


async def packages(session: AsyncSession, tenant_id: UUID, service_id: UUID | None = None) -> PackagesData:
    """Return the packages of a guru, or of one service."""
    open_grants = (
        select(func.count())
        .where(
            PackageGrant.tenant_id == Package.tenant_id,
            PackageGrant.package_id == Package.id,
            PackageGrant.left_over > 0,
            PackageGrant.expires_at > clock.now(),
        )
        .scalar_subquery()
    )
    query = (
        select(Package, Service.name.label("service_name"), open_grants.label("open_grants"))
        .join(Service, and_(Service.tenant_id == Package.tenant_id, Service.id == Package.service_id))
        .where(Package.tenant_id == tenant_id)
        .order_by(*_BY_SERVICE)
    )
    if service_id is not None:
        query = query.where(Package.service_id == service_id)
    rows = (await session.execute(query)).all()
    return PackagesData(packages=[_package_data(row.Package, row.service_name, row.open_grants) for row in rows])


async def package(session: AsyncSession, tenant_id: UUID, package_id: UUID) -> PackageData:
    """Return a package of a guru. Raises NotFound."""
    found = (await packages(session, tenant_id)).packages
    for one in found:
        if one.id == str(package_id):
            return one
    raise NotFound


def _package_data(row: Package, service_name: str, open_grants: int) -> PackageData:
    return PackageData(
        id=str(row.id),
        service_id=str(row.service_id),
        service_name=service_name,
        name=row.name,
        sessions=row.sessions,
        days=row.days,
        price_cents=row.price_cents,
        open_grants=open_grants,
    )


async def people(session: AsyncSession, tenant_id: UUID, search: str) -> PeopleData:
    """Return the people who booked with a guru, or for whom the guru booked, the latest first."""
    pattern = contains_pattern(search) if search else ""
    values = {"tenant": tenant_id, "search": pattern, "limit": MAX_PEOPLE + 1, "latest": LATEST_BOOKINGS}
    rows = (await session.execute(_PEOPLE, values)).all()
    return PeopleData(
        people=[
            PersonData(
                booking_id=str(row.id),
                name=row.person_name,
                is_customer=row.is_customer,
                service_name=row.service_name,
                starts_at=clock.to_iso8601(row.starts_at),
                zone=row.zone,
            )
            for row in rows[:MAX_PEOPLE]
        ],
        more=len(rows) > MAX_PEOPLE,
    )


async def grants(
    session: AsyncSession, tenant_id: UUID, when: When, cursor: str | None, *, person_id: UUID | None = None
) -> GrantsData:
    """Return a page of the packages that people have of a guru: those that end next first, of past ones the latest.

    With `person_id`, only those of one person. Raises ValidationFailed.
    """
    now, key = clock.now(), tuple_(PackageGrant.expires_at, PackageGrant.id)
    is_current = and_(PackageGrant.left_over > 0, PackageGrant.expires_at > now)
    query = _WITH_PAYMENT.where(PackageGrant.tenant_id == tenant_id).limit(PAGE_SIZE + 1)
    if person_id is not None:
        query = query.where(PackageGrant.person_id == person_id)
    ends_at, last_id = parse_cursor(cursor)
    if when == "current":
        query = query.where(is_current).order_by(PackageGrant.expires_at, PackageGrant.id)
        if ends_at is not None:
            query = query.where(key > (ends_at, last_id))
    else:
        query = query.where(or_(PackageGrant.left_over == 0, PackageGrant.expires_at <= now))
        query = query.order_by(PackageGrant.expires_at.desc(), PackageGrant.id.desc())
        if ends_at is not None:
            query = query.where(key < (ends_at, last_id))
    rows = (await session.execute(query)).all()
    page = rows[:PAGE_SIZE]
    last = page[-1].PackageGrant if len(rows) > PAGE_SIZE else None
    return GrantsData(
        grants=[GrantData(**_grant_values(grant, payment)) for grant, payment in page],
        next_cursor=encode_cursor(last.expires_at, last.id) if last else None,
    )


async def grant_details(session: AsyncSession, tenant_id: UUID, grant_id: UUID) -> GrantDetails:
    """Return a package that a person has of a guru, with its history. Raises NotFound."""
    query = _WITH_PAYMENT.where(PackageGrant.tenant_id == tenant_id, PackageGrant.id == grant_id)
    found = (await session.execute(query.execution_options(populate_existing=True))).first()
    if found is None:
        raise NotFound
    grant, payment = found
    snapshot = grant.snapshot(payment.snapshot if payment else None)
    refunds = [unused_refund(snapshot, sessions) for sessions in range(1, grant.left_over + 1)]
    return GrantDetails(
        **_grant_values(grant, payment),
        **await _history(session, grant),
        refund_cents=[one.amount_cents if one else 0 for one in refunds],
    )


async def count_open(session: AsyncSession, tenant_id: UUID, person_id: UUID | None) -> int:
    """Return how many packages of a guru a person has with which they can book."""
    query = select(func.count()).where(
        PackageGrant.tenant_id == tenant_id, PackageGrant.person_id == person_id, PackageGrant.left_over > 0,
        PackageGrant.expires_at > clock.now(),
    )  # fmt: skip
    return await session.scalar(query) or 0


async def own_packages(session: AsyncSession, user_id: UUID) -> OwnPackagesData:
    """Return the packages of a user: those with which they can book first."""
    now = clock.now()
    is_open = and_(PackageGrant.left_over > 0, PackageGrant.expires_at > now)
    query = (
        _WITH_PAYMENT.where(PackageGrant.person_id == user_id)
        .order_by(is_open.desc(), PackageGrant.expires_at, PackageGrant.id)
        .limit(MAX_OWN)
    )
    rows = (await session.execute(query)).all()
    return OwnPackagesData(packages=[OwnPackageData(**_own_values(grant, payment)) for grant, payment in rows])


async def own_package(session: AsyncSession, user_id: UUID, grant_id: UUID) -> OwnPackageDetails:
    """Return a package of a user, with its history. Raises NotFound."""
    query = _WITH_PAYMENT.where(PackageGrant.person_id == user_id, PackageGrant.id == grant_id)
    found = (await session.execute(query)).first()
    if found is None:
        raise NotFound
    grant, payment = found
    return OwnPackageDetails(**_own_values(grant, payment), **await _history(session, grant))


async def sold_packages(session: AsyncSession, tenant_id: UUID) -> SoldPackagesData:
    """Return the packages that a guru sells, by service."""
    query = (
        select(Package, Service.name.label("service_name"))
        .join(Service, and_(Service.tenant_id == Package.tenant_id, Service.id == Package.service_id))
        .where(Package.tenant_id == tenant_id, Package.price_cents > 0)
        .order_by(*_BY_SERVICE)
    )
    return SoldPackagesData(
        packages=[
            SoldPackageData(
                id=str(one.id),
                service_id=str(one.service_id),
                service_name=service_name,
                name=one.name,
                sessions=one.sessions,
                days=one.days,
                price_cents=one.price_cents,
            )
            for one, service_name in (await session.execute(query)).all()
        ]
    )


async def purchase(session: AsyncSession, user_id: UUID, payment_id: UUID) -> PackagePurchaseData:
    """Return the purchase of a package of a user. Raises NotFound."""
    query = (
        select(Payment, PackageGrant)
        .outerjoin(
            PackageGrant, and_(PackageGrant.tenant_id == Payment.tenant_id, PackageGrant.payment_id == Payment.id)
        )
        .where(Payment.person_id == user_id, Payment.id == payment_id, Payment.purpose == PURPOSE)
    )
    found = (await session.execute(query)).first()
    if found is None:
        raise NotFound
    payment, grant = found
    return purchase_data(payment, grant)


def purchase_data(payment: Payment, grant: PackageGrant | None = None) -> PackagePurchaseData:
    """Return the purchase of a package in the form of the API."""
    terms = SoldPackage.of(payment.package or {})
    is_open = payment.state == "open" and payment.expires_at > clock.now()
    return PackagePurchaseData(
        id=str(payment.id),
        state=payment.state,
        package_id=str(terms.package_id),
        guru_label=terms.guru_label,
        guru_name=terms.guru_name,
        service_id=str(terms.service_id),
        service_name=terms.service_name,
        name=terms.name,
        sessions=terms.sessions,
        days=terms.days,
        price_cents=payment.amount_cents,
        url=payment.checkout_url if is_open else "",
        grant_id=str(grant.id) if grant else None,
        last_day=last_day(grant.expires_at, grant.zone).isoformat() if grant else None,
    )


def _own_values(grant: PackageGrant, payment: Payment | None) -> dict[str, Any]:
    return {
        "id": str(grant.id),
        "guru_label": grant.guru_label,
        "guru_name": grant.guru_name,
        "service_id": str(grant.service_id),
        "service_name": grant.service_name,
        "name": grant.name,
        "granted": grant.granted,
        "left": grant.left_over,
        "used": grant.used,
        "taken_back": grant.taken_back,
        "last_day": last_day(grant.expires_at, grant.zone).isoformat(),
        "is_open": grant.left_over > 0 and grant.expires_at > clock.now() and not (payment and payment.disputed),
        "paid_cents": payment.amount_cents if payment else 0,
        "refunded_cents": payment.refunded_cents if payment else 0,
        "disputed": payment is not None and payment.disputed,
    }


def _grant_values(grant: PackageGrant, payment: Payment | None) -> dict[str, Any]:
    return _own_values(grant, payment) | {
        "person_name": grant.person_name,
        "is_customer": grant.is_customer,
        "unused_cents": payment.snapshot.kept_cents if payment else 0,
    }


async def _history(session: AsyncSession, grant: PackageGrant) -> dict[str, Any]:
    events = select(PackageEvent).where(
        PackageEvent.tenant_id == grant.tenant_id, PackageEvent.grant_id == grant.id, PackageEvent.event != "ending"
    )
    uses = (
        select(Booking)
        .where(Booking.tenant_id == grant.tenant_id, Booking.package_grant_id == grant.id, WAS_SENT)
        .order_by(Booking.starts_at.desc(), Booking.id)
        .limit(MAX_USES)
    )
    rows: Sequence[PackageEvent] = (await session.scalars(events.order_by(PackageEvent.number.desc()).limit(100))).all()
    return {
        "events": [_event_data(one, grant.zone) for one in reversed(rows)],
        "uses": [
            PackageUseData(
                booking_id=str(one.id),
                starts_at=clock.to_iso8601(one.starts_at),
                zone=one.zone,
                status=one.status,
                sessions=one.package_sessions,
            )
            for one in await session.scalars(uses)
        ],
    }


def _event_data(event: PackageEvent, zone: str) -> PackageEventData:
    until = event.details.get("until")
    return PackageEventData(
        at=clock.to_iso8601(event.at),
        event=event.event,
        sessions=event.details.get("sessions"),
        last_day=last_day(datetime.fromisoformat(until), zone).isoformat() if until else None,
        cents=event.details.get("cents", 0),
        reason=event.details.get("reason", ""),
    )
