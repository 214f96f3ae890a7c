"""The session of a customer without an account, with the link from their email. The link is the permission."""

from __future__ import annotations

from uuid import UUID

from fastapi import Depends, Response
from sqlalchemy import text

from porchlight.dependencies import AppContext, Context, require_main_host
from porchlight.features.bookings import actions, queries
from porchlight.features.bookings.customers.links import CustomerLink
from porchlight.features.bookings.moves import actions as moves
from porchlight.features.bookings.moves.schemas import MovePayload
from porchlight.features.bookings.schemas import BookingResponse, CancellationPayload
from porchlight.features.bookings.session_file import session_file
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound

router = FeatureRouter(
    prefix="/api/booked/{link}", tags=["bookings"], route_class=StrictRoute, dependencies=[Depends(require_main_host)]
)

_FIND = text("SELECT booking_id, person_id FROM app.find_customer(:token)")


@router.get("", operation_id="get_customer_booking", summary="Get the session of a link")
async def get_customer_booking(response: Response, context: Context, link: str) -> BookingResponse:
    """Return the session that a guru booked for the bearer of the link, with the terms that apply now."""
    _keep_private(response)
    return await _booking(context, *await _find(context, link))


@router.post("/cancellation", operation_id="cancel_customer_booking", summary="Cancel the session of a link")
async def cancel_customer_booking(
    response: Response, context: Context, link: str, payload: CancellationPayload
) -> BookingResponse:
    """Cancel the session, on the terms that the bearer saw."""
    _keep_private(response)
    booking_id, person_id = await _find(context, link)
    await actions.cancel_booking(
        context.db, person_id, booking_id, terms_digest=payload.terms_digest, reason=payload.reason
    )
    return await _booking(context, booking_id, person_id)


@router.post("/move", operation_id="move_customer_booking", summary="Move the session of a link")
async def move_customer_booking(
    response: Response, context: Context, link: str, payload: MovePayload
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
    return await _booking(context, booking_id, person_id)


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


async def _find(context: AppContext, link: str) -> tuple[UUID, UUID]:
    """Return the booking of a link, and the id that takes the place of its person's account. Raises NotFound."""
    found = CustomerLink.parse_or_404(link)
    async with unit_of_work(context.db, tenant_id=found.tenant_id) as session:
        row = (await session.execute(_FIND, {"token": found.token})).one_or_none()
    if row is None:
        raise NotFound
    return row.booking_id, row.person_id


async def _booking(context: AppContext, booking_id: UUID, person_id: UUID) -> BookingResponse:
    async with unit_of_work(context.db, user_id=person_id) as session:
        return BookingResponse(success=True, data=await queries.booking(session, person_id, booking_id))


def _keep_private(response: Response) -> None:
    response.headers["cache-control"] = "no-store"
    response.headers["referrer-policy"] = "no-referrer"
