"""Buy a package by card: begin the purchase, and wait for Stripe's page."""

from __future__ import annotations

from uuid import UUID

from psycopg.errors import NoDataFound
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.packages.lifecycle import MAX_OF_PERSON
from porchlight.features.bookings.packages.models import Package
from porchlight.features.bookings.packages.queries import count_open
from porchlight.features.bookings.packages.sales import PURPOSE, SoldPackage
from porchlight.features.bookings.packages.schemas import PurchasePayload
from porchlight.features.bookings.payments import purchases
from porchlight.features.bookings.payments.card_desk import CardDesk
from porchlight.features.bookings.payments.models import Payment
from porchlight.money.fees import fee_cents
from sites.services.models import Service
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id

_GURU = """
SELECT g.label AS label, g.character AS name, m.user_id = app.user_id() AS is_own, app.tenant_plan(false) AS plan
  FROM gurus g JOIN memberships m ON m.tenant_id = g.id WHERE g.id = app.tenant_id()"""


class PackagePriceChanged(Conflict):
    """The package has another price than the person saw, or is not sold any more."""

    code = "package_price_changed"
    message = "This package has changed. Please look at its price again."


class OwnPackage(Conflict):
    """The person is the guru."""

    code = "own_package"
    message = "This is your own package. You can't buy it."


class TooManyOpenPackages(Conflict):
    """The person has ten packages of the guru with sessions left."""

    code = "too_many_open_packages"
    message = "You have 10 packages of this guru with sessions left. Please use one of them first."


async def buy_package(
    db: Database, desk: CardDesk, user_id: UUID, tenant_id: UUID, package_id: UUID, payload: PurchasePayload, key: str
) -> Payment:
    """Begin the purchase of a package, and return its payment with Stripe's page.

    The same key again, or a page of the same package that is still open, is the same purchase. Raises NotFound,
    PackagePriceChanged, OwnPackage, NoCards, TooManyOpenPackages, TooManyCheckouts, KeyReused.
    """
    async with unit_of_work(db, tenant_id=tenant_id, user_id=user_id) as session:
        payment_id = await begin_purchase(session, desk, user_id, tenant_id, package_id, payload, key)
    return await purchases.wait_for_page(db, user_id, payment_id)


async def begin_purchase(
    session: AsyncSession,
    desk: CardDesk,
    user_id: UUID,
    tenant_id: UUID,
    package_id: UUID,
    payload: PurchasePayload,
    key: str,
) -> UUID:
    """Begin the purchase of a package, or find the same one. Return the payment's id. Raises as `buy_package`."""
    await purchases.lock_checkouts(session, user_id)
    price_cents = payload.price_cents
    sent = await purchases.sent_before(session, tenant_id, user_id, key)
    if sent is not None:
        purchases.require_same(sent, PURPOSE, price_cents, package_id)
        return sent.id
    terms, plan = await _terms(session, desk, user_id, tenant_id, package_id, payload)
    open_one = await _open_purchase(session, user_id, tenant_id, package_id)
    if open_one is not None and open_one.amount_cents == price_cents and open_one.expires_at > clock.now():
        return open_one.id
    await purchases.require_checkouts_left(session, user_id)
    payment_id = new_id()
    purchase = purchases.Purchase(
        id=payment_id, purpose=PURPOSE, amount_cents=price_cents, email=desk.email,
        title=f"{terms.title} with {terms.guru_name}",
        success_url=f"{desk.origin}/packages/bought/{payment_id}?payment=done",
        cancel_url=f"{desk.origin}/packages/buy/{terms.guru_label}/{package_id}",
        key=key,
        values={
            "package": terms.json(), "fee_bps": desk.fees.basis_points[plan],
            "fee_minimum_cents": desk.fees.minimum_cents,
        },
        replaces=open_one.id if open_one else None,
    )  # fmt: skip
    try:
        await purchases.begin(session, purchase)
    except DBAPIError as error:
        if isinstance(error.orig, NoDataFound):  # the guru changed the package in this moment
            raise PackagePriceChanged from error
        raise
    return payment_id


async def _terms(
    session: AsyncSession, desk: CardDesk, user_id: UUID, tenant_id: UUID, package_id: UUID, payload: PurchasePayload
) -> tuple[SoldPackage, str]:
    """Return the terms of a package for a buyer, and the plan of its guru."""
    query = select(Package, Service.name.label("service_name")).join(
        Service, (Service.tenant_id == Package.tenant_id) & (Service.id == Package.service_id)
    )
    found = (await session.execute(query.where(Package.tenant_id == tenant_id, Package.id == package_id))).first()
    connection = await session.connection()
    guru = (await connection.exec_driver_sql(_GURU)).first()
    if found is None or guru is None:
        raise NotFound
    package = found.Package
    if guru.is_own:
        raise OwnPackage
    if package.price_cents != payload.price_cents:
        raise PackagePriceChanged
    if not desk.is_open or not await purchases.guru_takes_cards(session, desk.fees.basis_points):
        raise purchases.NoCards
    if await count_open(session, tenant_id, user_id) >= MAX_OF_PERSON:
        raise TooManyOpenPackages
    return SoldPackage(
        package_id=package.id, service_id=package.service_id, service_name=found.service_name, guru_label=guru.label,
        guru_name=guru.name, person_name=payload.name, name=package.name, sessions=package.sessions, days=package.days,
        fee_cents=fee_cents(package.price_cents, guru.plan, desk.fees),
    ), str(guru.plan)  # fmt: skip


async def _open_purchase(session: AsyncSession, user_id: UUID, tenant_id: UUID, package_id: UUID) -> Payment | None:
    query = select(Payment).where(
        Payment.tenant_id == tenant_id, Payment.person_id == user_id, Payment.purpose == PURPOSE,
        Payment.state.in_(("opening", "open")), Payment.package["package_id"].astext == str(package_id),
    )  # fmt: skip
    found: Payment | None = await session.scalar(query.order_by(Payment.created_at.desc()).limit(1))
    return found
