"""Packages of sessions in the console: what the guru gives, and what people have of it.

An admin who impersonates the guru sees no people, and can give and take nothing.
"""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.dependencies import AuthenticatedUser, IdempotencyKey, OptionalUser
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.packages import actions, queries
from porchlight.features.bookings.packages.schemas import (
    DeletedPackageResponse,
    GrantPayload,
    GrantResponse,
    GrantsResponse,
    LastDayPayload,
    NewPackagePayload,
    PackagePayload,
    PackageResponse,
    PackagesResponse,
    PeopleResponse,
    WithdrawalPayload,
)
from porchlight.settlement.card_payments import card_payments, require_ready
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden
from tenants.kit.ids import new_id, parse_id_or_404

router = FeatureRouter(prefix="/api/guru", tags=["bookings"], route_class=StrictRoute)


@router.get("/packages", operation_id="list_packages", summary="List my packages of sessions")
async def list_packages(
    console: CurrentConsole,
    service_id: Annotated[str | None, Query(alias="serviceId", max_length=40, description="Of all by default.")] = None,
) -> PackagesResponse:
    """Return the packages that the guru gives to people."""
    wanted = parse_id_or_404(service_id) if service_id else None
    async with console.unit_of_work(acting=True) as session:
        return PackagesResponse(success=True, data=await queries.packages(session, console.tenant_id, wanted))


@router.post(
    "/packages", status_code=status.HTTP_201_CREATED, operation_id="create_package", summary="Define a package"
)
async def create_package(
    console: CurrentConsole, user: OptionalUser, payload: NewPackagePayload, key: IdempotencyKey
) -> PackageResponse:
    """Define a package of a service. A resend under the same key changes nothing. 409 `packages_full` for the 11th.

    One with a price needs a plan that includes card payments (402 `plan_required`) and a connected payout account.
    """
    if payload.price_cents:
        await _require_cards(console, user)
    async with console.unit_of_work(acting=True) as session:
        made = await actions.create_package(session, console.tenant_id, payload, key or str(new_id()))
        return PackageResponse(success=True, data=await queries.package(session, console.tenant_id, made))


@router.put("/packages/{package_id}", operation_id="update_package", summary="Change a package")
async def update_package(
    console: CurrentConsole, user: OptionalUser, package_id: str, payload: PackagePayload
) -> PackageResponse:
    """Change a package for those who get it from now on. A first price needs the same as for a new package."""
    wanted = parse_id_or_404(package_id)
    if payload.price_cents and not await _has_price(console, wanted):
        await _require_cards(console, user)
    async with console.unit_of_work(acting=True) as session:
        await actions.update_package(session, console.tenant_id, wanted, payload)
        return PackageResponse(success=True, data=await queries.package(session, console.tenant_id, wanted))


@router.delete("/packages/{package_id}", operation_id="delete_package", summary="Remove a package")
async def delete_package(console: CurrentConsole, package_id: str) -> DeletedPackageResponse:
    """Stop giving a package. What people have of it stays."""
    async with console.unit_of_work(acting=True) as session:
        await actions.delete_package(session, console.tenant_id, parse_id_or_404(package_id))
    return DeletedPackageResponse(success=True)


@router.get("/package-people", operation_id="list_package_people", summary="List people to give a package to")
async def list_package_people(
    console: CurrentConsole,
    search: Annotated[str, Query(max_length=80, description="A part of the name.")] = "",
) -> PeopleResponse:
    """Return people who booked with the guru or for whom the guru booked, the latest first, at most twenty."""
    async with console.unit_of_work(acting=True) as session:
        return PeopleResponse(success=True, data=await queries.people(session, console.tenant_id, search.strip()))


@router.get("/package-grants", operation_id="list_package_grants", summary="List packages that people have")
async def list_package_grants(
    console: CurrentConsole,
    when: Annotated[queries.When, Query(description="With sessions left, or used up or over.")] = "current",
    booking_id: Annotated[
        str | None, Query(alias="bookingId", max_length=40, description="Only those of the booking's person.")
    ] = None,
    cursor: Annotated[str | None, Query(max_length=60)] = None,
) -> GrantsResponse:
    """Return the packages that people have: those that end next first, of past ones the latest first."""
    async with console.unit_of_work(acting=True) as session:
        person_id = None
        if booking_id is not None:
            booking = await find_booking(session, console.tenant_id, parse_id_or_404(booking_id))
            person_id = booking.person_id
        data = await queries.grants(session, console.tenant_id, when, cursor, person_id=person_id)
    return GrantsResponse(success=True, data=data)


@router.post(
    "/package-grants",
    status_code=status.HTTP_201_CREATED,
    operation_id="grant_package",
    summary="Give a package to a person",
)
async def grant_package(console: CurrentConsole, payload: GrantPayload, key: IdempotencyKey) -> GrantResponse:
    """Give a package to the person of a booking, who gets an email. A resend under the same key changes nothing.

    409 `too_many_packages` beyond ten open ones of a person, `cannot_cover` if the booking cannot use it.
    """
    _refuse_staff(console)
    package, booking = parse_id_or_404(payload.package_id), parse_id_or_404(payload.booking_id)
    async with console.unit_of_work(acting=True) as session:
        made = await actions.grant_package(
            session,
            console.tenant_id,
            package,
            booking,
            key=key or str(new_id()),
            covers=payload.covers_booking,
        )
        return GrantResponse(success=True, data=await queries.grant_details(session, console.tenant_id, made))


@router.get("/package-grants/{grant_id}", operation_id="get_package_grant", summary="Get a package that a person has")
async def get_package_grant(console: CurrentConsole, grant_id: str) -> GrantResponse:
    """Return a package that a person has, with its history and its bookings."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.grant_details(session, console.tenant_id, parse_id_or_404(grant_id))
    return GrantResponse(success=True, data=data)


@router.put("/package-grants/{grant_id}/last-day", operation_id="extend_package", summary="Extend a person's package")
async def extend_package(console: CurrentConsole, grant_id: str, payload: LastDayPayload) -> GrantResponse:
    """Let a person use their package up to a later day. They get an email."""
    _refuse_staff(console)
    wanted = parse_id_or_404(grant_id)
    async with console.unit_of_work(acting=True) as session:
        await actions.extend_package(session, console.tenant_id, wanted, payload.last_day)
        return GrantResponse(success=True, data=await queries.grant_details(session, console.tenant_id, wanted))


@router.post(
    "/package-grants/{grant_id}/withdrawal", operation_id="take_back_sessions", summary="Take back unused sessions"
)
async def take_back_sessions(console: CurrentConsole, grant_id: str, payload: WithdrawalPayload) -> GrantResponse:
    """Take back sessions that no booking uses. The person reads the reason. 409 `package_gone` if others are left."""
    _refuse_staff(console)
    wanted = parse_id_or_404(grant_id)
    async with console.unit_of_work(acting=True) as session:
        await actions.take_back_sessions(
            session,
            console.tenant_id,
            wanted,
            sessions=payload.sessions,
            left=payload.left,
            reason=payload.reason,
        )
        return GrantResponse(success=True, data=await queries.grant_details(session, console.tenant_id, wanted))


async def _has_price(console: ConsoleContext, package_id: UUID) -> bool:
    async with console.unit_of_work(acting=True) as session:
        return (await queries.package(session, console.tenant_id, package_id)).price_cents > 0


async def _require_cards(console: ConsoleContext, user: AuthenticatedUser | None) -> None:
    """Raise PlanRequired or ValidationFailed unless the guru can take cards."""
    context = console.app_context
    owner_id = None if console.is_impersonated or user is None else user.user_id
    cards = await card_payments(
        context.db, context.settings, console.tenant_id, owner_id, is_set_up=context.stripe is not None
    )
    require_ready(cards, field="priceCents")


def _refuse_staff(console: ConsoleContext) -> None:
    if console.is_impersonated:
        raise Forbidden
