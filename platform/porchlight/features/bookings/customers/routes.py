"""The session of a customer without an account, with the link from their email. The link is the permission."""

from __future__ import annotations

from uuid import UUID

from fastapi import Depends, Request, Response

from porchlight.auth.authenticator import require_verified_email
from porchlight.dependencies import AppContext, Context, CurrentUser, require_main_host
from porchlight.features.bookings import actions
from porchlight.features.bookings.booking_response import booking_response
from porchlight.features.bookings.customers import claims
from porchlight.features.bookings.customers.claims import find_claim
from porchlight.features.bookings.customers.schemas import (
    ClaimableBookingData,
    ClaimData,
    ClaimPayload,
    ClaimResponse,
)
from porchlight.features.bookings.moves import actions as moves
from porchlight.features.bookings.moves.schemas import MovePayload
from porchlight.features.bookings.passes.keys import PassKeys
from porchlight.features.bookings.passes.queries import own_pass
from porchlight.features.bookings.passes.schemas import PassResponse
from porchlight.features.bookings.schemas import BookingResponse, CancellationPayload
from porchlight.features.bookings.session_file import session_file
from porchlight.personal_links import CustomerLink, find_customer
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock

router = FeatureRouter(
    prefix="/api/booked/{link}", tags=["bookings"], route_class=StrictRoute, dependencies=[Depends(require_main_host)]
)


@router.get("", operation_id="get_customer_booking", summary="Get the session of a link")
async def get_customer_booking(request: Request, response: Response, context: Context, link: str) -> BookingResponse:
    """Return the session that a guru booked for the bearer of the link, with the terms that apply now."""
    _keep_private(response)
    booking_id, person_id = await _find(context, link)
    return await booking_response(request, context, person_id, booking_id)


@router.post("/cancellation", operation_id="cancel_customer_booking", summary="Cancel the session of a link")
async def cancel_customer_booking(
    request: Request, response: Response, context: Context, link: str, payload: CancellationPayload
) -> BookingResponse:
    """Cancel the session, on the terms that the bearer saw."""
    _keep_private(response)
    booking_id, person_id = await _find(context, link)
    await actions.cancel_booking(
        context.db, person_id, booking_id, terms_digest=payload.terms_digest, reason=payload.reason
    )
    return await booking_response(request, context, person_id, booking_id)


@router.post("/move", operation_id="move_customer_booking", summary="Move the session of a link")
async def move_customer_booking(
    request: Request, response: Response, context: Context, link: str, payload: MovePayload
) -> BookingResponse:
    """Move the session to another free time, on the terms that the bearer saw. A resend changes nothing."""
    _keep_private(response)
    booking_id, person_id = await _find(context, link)
    await moves.move_booking(
        context.db,
        context.risk,
        person_id,
        booking_id,
        starts_at=payload.starts_at,
        terms_digest=payload.terms_digest,
    )
    return await booking_response(request, context, person_id, booking_id)


@router.get(
    "/session.ics",
    operation_id="get_customer_file",
    summary="Download the session of a link for a calendar",
    response_class=Response,
    responses={200: {"content": {"text/calendar": {}}, "description": "An iCalendar file with one event."}},
)
async def get_customer_file(context: Context, link: str) -> Response:
    """Return the calendar file of the session: the same bytes as in the email about its last change."""
    booking_id, person_id = await _find(context, link)
    async with unit_of_work(context.db, user_id=person_id) as session:
        file = await session_file(session, context.settings, person_id, booking_id, email="")
    headers = {
        "content-disposition": 'attachment; filename="session.ics"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(file.content, media_type=f"text/calendar; method={file.method}; charset=utf-8", headers=headers)


@router.get("/pass", operation_id="get_customer_pass", summary="Get the pass of a link's session")
async def get_customer_pass(response: Response, context: Context, link: str) -> PassResponse:
    """Return the pass that the bearer shows when they come. 409 `no_pass` for a canceled session."""
    _keep_private(response)
    booking_id, person_id = await _find(context, link)
    async with unit_of_work(context.db, user_id=person_id) as session:
        data = await own_pass(session, PassKeys(context.settings), person_id, booking_id)
    return PassResponse(success=True, data=data)


@router.get("/claim", operation_id="get_claim", summary="Get what I can add to my account with a link")
async def get_claim(response: Response, context: Context, user: CurrentUser, link: str) -> ClaimResponse:
    """Return the sessions that pass to the user's account. 409 `booking_claimed` if they are in another one."""
    _keep_private(response)
    return _claim_response(await find_claim(context.db, CustomerLink.parse_or_404(link), user.user_id))


@router.post("/claim", operation_id="claim_bookings", summary="Add the sessions of a link to my account")
async def claim_bookings(
    response: Response, context: Context, user: CurrentUser, link: str, payload: ClaimPayload
) -> ClaimResponse:
    """Give the sessions to the user's account, and tell the guru. A resend changes nothing.

    403 `email_unverified` without a verified address, 409 `other_address` if the guru entered another one and the user
    has not confirmed, and `own_site` for the guru.
    """
    _keep_private(response)
    require_verified_email(user)
    found = CustomerLink.parse_or_404(link)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        card = await context.profiles.card(session, user.user_id)
    await claims.claim_bookings(
        context.db,
        found,
        user.user_id,
        own_tenant=user.owned_guru.tenant_id if user.owned_guru else None,
        name=card.display_name if card else "",
        confirmed=payload.confirmed,
    )
    return _claim_response(await find_claim(context.db, found, user.user_id))


def _claim_response(claim: claims.Claim) -> ClaimResponse:
    bookings = [
        ClaimableBookingData(
            id=str(one.booking_id),
            service_name=one.service_name,
            starts_at=clock.to_iso8601(one.starts_at),
            ends_at=clock.to_iso8601(one.ends_at),
            zone=one.zone,
            status=one.status,
        )
        for one in claim.bookings
    ]
    data = ClaimData(id=str(claim.booking_id), claimed=claim.is_done, matches=claim.matches, bookings=bookings)
    return ClaimResponse(success=True, data=data)


async def _find(context: AppContext, link: str) -> tuple[UUID, UUID]:
    """Return the booking of a link, and the id that takes the place of its person's account."""
    return await find_customer(context.db, CustomerLink.parse_or_404(link))


def _keep_private(response: Response) -> None:
    response.headers["cache-control"] = "no-store"
    response.headers["referrer-policy"] = "no-referrer"
