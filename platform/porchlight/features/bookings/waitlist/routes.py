"""The waitlists of full sessions, for the people who wait."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, status

from porchlight.auth.authenticator import require_verified_email
from porchlight.dependencies import AppContext, Context, CurrentUser
from porchlight.features.bookings.schemas import Id, StartTime
from porchlight.features.bookings.waitlist import actions, queries
from porchlight.features.bookings.waitlist.schemas import (
    GuruLabel,
    OpenedOfferData,
    OpenedOfferResponse,
    WaitlistData,
    WaitlistEntryResponse,
    WaitlistLeftResponse,
    WaitlistPayload,
    WaitlistResponse,
    WaitlistSessionResponse,
)
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404
from tenants.tenancy.current import tenant_by_subdomain
from tenants.tenancy.directory import Tenant

router = FeatureRouter(prefix="/api/waitlist", tags=["bookings"], route_class=StrictRoute)


@router.post("", status_code=status.HTTP_201_CREATED, operation_id="join_waitlist", summary="Join a waitlist")
async def join_waitlist(
    request: Request, context: Context, user: CurrentUser, payload: WaitlistPayload
) -> WaitlistEntryResponse:
    """Wait for a spot in a full session. Someone who waits already keeps their place."""
    require_verified_email(user)
    tenant = await _bookable_guru(request, context, payload.guru)
    entry = await actions.join_waitlist(
        context.db,
        tenant.id,
        user.user_id,
        service_id=parse_id_or_404(payload.service_id),
        starts_at=payload.starts_at,
        party=payload.party,
    )
    return WaitlistEntryResponse(success=True, data=entry)


@router.get("", operation_id="list_waitlist", summary="List my waitlists")
async def list_waitlist(context: Context, user: CurrentUser) -> WaitlistResponse:
    """Return the sessions for which the user waits, with their position, or until when a spot is theirs."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        entries = await queries.waitlist(session, user.user_id)
    return WaitlistResponse(success=True, data=WaitlistData(entries=entries))


@router.get("/sessions", operation_id="find_waitlist_session", summary="Find a session to wait for")
async def find_waitlist_session(
    request: Request,
    context: Context,
    user: CurrentUser,
    guru: GuruLabel,
    service_id: Annotated[Id, Query(alias="serviceId")],
    starts_at: Annotated[StartTime, Query(alias="startsAt")],
) -> WaitlistSessionResponse:
    """Return a session of several people by its guru, service and start, and whether the user waits for it."""
    tenant = await _bookable_guru(request, context, guru)
    service = parse_id_or_404(service_id)
    async with unit_of_work(context.db, tenant_id=tenant.id, user_id=user.user_id) as session:
        data = await queries.session_by_start(session, user.user_id, service, starts_at)
    return WaitlistSessionResponse(success=True, data=data)


@router.get("/sessions/{session_id}", operation_id="get_waitlist_session", summary="Get a session I wait for")
async def get_waitlist_session(context: Context, user: CurrentUser, session_id: str) -> WaitlistSessionResponse:
    """Return a session that is not over, for which the user waits or waited."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await actions.waited_session(session, user.user_id, parse_id_or_404(session_id))
    return WaitlistSessionResponse(success=True, data=data)


@router.delete("/{session_id}", operation_id="leave_waitlist", summary="Leave a waitlist")
async def leave_waitlist(context: Context, user: CurrentUser, session_id: str) -> WaitlistLeftResponse:
    """Stop waiting for a session. A spot that was offered goes to the next person."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.leave_waitlist(session, user.user_id, parse_id_or_404(session_id))
    return WaitlistLeftResponse(success=True)


@router.post("/{session_id}/hold", operation_id="open_waitlist_offer", summary="Open the spot I was offered")
async def open_waitlist_offer(context: Context, user: CurrentUser, session_id: str) -> OpenedOfferResponse:
    """Return the token by which the user books the spot that was offered to them."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        token, expires_at = await actions.open_offer(
            session, user.user_id, parse_id_or_404(session_id), context.settings.address_secret
        )
    data = OpenedOfferData(token=token.text, expires_at=clock.to_iso8601(expires_at))
    return OpenedOfferResponse(success=True, data=data)


async def _bookable_guru(request: Request, context: AppContext, label: str) -> Tenant:
    """Return a guru by their subdomain. Raises NotFound while their sessions cannot be booked."""
    tenant = await tenant_by_subdomain(request, label)
    if not await context.flags.on("booking", tenant.id):
        raise NotFound
    return tenant
