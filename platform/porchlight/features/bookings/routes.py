"""Holds, for visitors and users; and the user's own bookings."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response, status

from porchlight.auth.authenticator import require_verified_email
from porchlight.dependencies import Context, CurrentUser, IdempotencyKey, OptionalUser, own_origin
from porchlight.features.bookings import actions, queries
from porchlight.features.bookings.addresses import change_address
from porchlight.features.bookings.booking_response import booking_response, guru_card, with_guru
from porchlight.features.bookings.find_hold import find_hold
from porchlight.features.bookings.packages.queries import usable_package
from porchlight.features.bookings.payments.actions import card_desk, payment_page
from porchlight.features.bookings.schemas import (
    AddressPayload,
    BookingPayload,
    BookingResponse,
    BookingsResponse,
    CancellationPayload,
    CreatedHoldData,
    CreatedHoldResponse,
    HoldPayload,
    HoldReleasedResponse,
    HoldResponse,
)
from porchlight.features.bookings.session_file import session_file
from porchlight.features.bookings.tokens import new_token, parse_token_or_404, request_token
from porchlight.features.bookings.waivers import own_waiver, rate_need
from sites.context import Subdomain
from tenants.db.rate_limit import hash_address
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id, parse_id_or_404
from tenants.tenancy.current import current_tenant

router = FeatureRouter(prefix="/api", tags=["bookings"], route_class=StrictRoute)

Cursor = Annotated[str | None, Query(max_length=60)]


@router.post(
    "/gurus/{subdomain}/holds",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_hold",
    summary="Keep a time for ten minutes",
)
async def create_hold(
    request: Request,
    subdomain: Subdomain,
    context: Context,
    user: OptionalUser,
    payload: HoldPayload,
    key: IdempotencyKey,
) -> CreatedHoldResponse:
    """Keep seats at a start for ten minutes, also for visitors. A resend under the same key returns the same hold."""
    tenant = await current_tenant(request)
    if not await context.flags.on("booking", tenant.id):
        raise NotFound
    host = request.client.host if request.client else ""
    secret = context.settings.address_secret
    address = hash_address(secret, host, purpose="holds")
    service_id = parse_id_or_404(payload.service_id)
    token = new_token(tenant.id)
    if key is not None:
        who = str(user.user_id) if user else address.hex()
        token = request_token(tenant.id, secret, key, who, service_id, payload.starts_at, payload.party)
    made = await actions.hold_seat(
        context.db,
        token,
        user_id=user.user_id if user else None,
        service_id=service_id,
        starts_at=payload.starts_at,
        party=payload.party,
        address=address,
    )
    data = CreatedHoldData(token=token.text, expires_at=clock.to_iso8601(made.expires_at), overlaps=made.overlaps)
    return CreatedHoldResponse(success=True, data=data)


@router.get("/holds/{token}", operation_id="get_hold", summary="Get a hold")
async def get_hold(
    request: Request, context: Context, user: OptionalUser, token: str, response: Response
) -> HoldResponse:
    """Return what the hold is about and when it ends. The token is the permission."""
    found = parse_token_or_404(token)
    response.headers["cache-control"] = "no-store"
    user_id = user.user_id if user else None
    hold = await find_hold(context.db, found, user_id)
    # The person comes back to a hold that waits for its payment.
    if hold is None or (hold.is_booked and not (hold.booking.status == "held" and hold.booking.person_id == user_id)):
        raise NotFound
    need = await rate_need(context.risk, hold.waiver_rules, hold.booking.service_name)
    own = await own_waiver(context.db, context.waivers, user_id, hold.booking, need)
    package = await usable_package(context.db, user_id, hold.booking)
    guru = await guru_card(request, context, hold.booking.guru_label, hold.booking.guru_name)
    return HoldResponse(success=True, data=queries.hold_data(hold.booking, found, need, own, package, guru))


@router.delete("/holds/{token}", operation_id="release_hold", summary="Release a hold")
async def release_hold(context: Context, user: OptionalUser, token: str) -> HoldReleasedResponse:
    """Give the time up, so that others can choose it at once. The token is the permission."""
    await actions.release_hold(context.db, parse_token_or_404(token), user.user_id if user else None)
    return HoldReleasedResponse(success=True)


@router.post(
    "/bookings",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_booking",
    summary="Book a hold",
)
async def create_booking(
    request: Request, context: Context, user: CurrentUser, payload: BookingPayload, key: IdempotencyKey
) -> BookingResponse:
    """Book a hold, or ask the guru for the time if they decide. A resend under the same key changes nothing."""
    token = parse_token_or_404(payload.hold)
    if not await context.flags.on("booking", token.tenant_id):
        raise NotFound
    require_verified_email(user)
    booking = await actions.create_booking(
        context.db, context.risk, context.waivers, user.user_id, token, payload, key=key or str(new_id()),
        cards=card_desk(context, user, own_origin(request)),
    )  # fmt: skip
    if booking.status == "held":
        await payment_page(context.db, user.user_id, booking.id)
    elif not booking.waiver_level:
        return await with_guru(request, context, queries.booking_data(booking))
    return await booking_response(request, context, user.user_id, booking.id)


@router.get("/bookings", operation_id="list_bookings", summary="List my sessions")
async def list_bookings(
    context: Context,
    user: CurrentUser,
    when: Annotated[
        queries.When, Query(description="Ahead or to be paid, waiting for the guru, or over.")
    ] = "upcoming",
    cursor: Cursor = None,
) -> BookingsResponse:
    """Return the user's bookings: the next first, of past ones the latest first."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return BookingsResponse(success=True, data=await queries.bookings(session, user.user_id, when, cursor))


@router.get("/bookings/{booking_id}", operation_id="get_booking", summary="Get my session")
async def get_booking(request: Request, context: Context, user: CurrentUser, booking_id: str) -> BookingResponse:
    """Return a booking of the user, with the terms that apply now and the guru's card."""
    return await booking_response(request, context, user.user_id, parse_id_or_404(booking_id))


@router.get(
    "/bookings/{booking_id}/session.ics",
    operation_id="get_session_file",
    summary="Download my session for a calendar",
    response_class=Response,
    responses={200: {"content": {"text/calendar": {}}, "description": "An iCalendar file with one event."}},
)
async def get_session_file(context: Context, user: CurrentUser, booking_id: str) -> Response:
    """Return the calendar file of a session that was booked; that of a canceled one removes it from a calendar."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        file = await session_file(
            session, context.settings, user.user_id, parse_id_or_404(booking_id), email=user.email
        )
    headers = {
        "content-disposition": 'attachment; filename="session.ics"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(file.content, media_type=f"text/calendar; method={file.method}; charset=utf-8", headers=headers)


@router.post("/bookings/{booking_id}/cancellation", operation_id="cancel_booking", summary="Cancel my session")
async def cancel_booking(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: CancellationPayload
) -> BookingResponse:
    """Cancel a booking or a request, on the terms that the user saw."""
    wanted = parse_id_or_404(booking_id)
    await actions.cancel_booking(
        context.db, user.user_id, wanted, terms_digest=payload.terms_digest, reason=payload.reason
    )
    return await booking_response(request, context, user.user_id, wanted)


@router.put(
    "/bookings/{booking_id}/address", operation_id="update_booking_address", summary="Correct my session's address"
)
async def update_address(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: AddressPayload
) -> BookingResponse:
    """Correct where to meet, for a session at the user's place. Both sides of a booked one get an email."""
    wanted = parse_id_or_404(booking_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await change_address(session, user.user_id, wanted, payload.address)
    return await booking_response(request, context, user.user_id, wanted)
