"""Series: several sessions of a service that are booked together."""

from __future__ import annotations

from uuid import UUID

from fastapi import Request, status

from porchlight.auth.authenticator import require_verified_email
from porchlight.dependencies import AppContext, Context, CurrentUser, IdempotencyKey, own_origin
from porchlight.features.bookings.booking_response import guru_card
from porchlight.features.bookings.payments.actions import card_desk, payment_page
from porchlight.features.bookings.series import actions, queries
from porchlight.features.bookings.series.schemas import SeriesData, SeriesPayload, SeriesResponse
from porchlight.features.bookings.tokens import parse_token_or_404
from tenants.db.unit_of_work import unit_of_work
from tenants.http.idempotency import content_digest
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id, parse_id_or_404

router = FeatureRouter(prefix="/api/bookings/series", tags=["bookings"], route_class=StrictRoute)


@router.post(
    "", status_code=status.HTTP_201_CREATED, operation_id="create_series", summary="Book a hold and further sessions"
)
async def create_series(
    request: Request, context: Context, user: CurrentUser, payload: SeriesPayload, key: IdempotencyKey
) -> SeriesResponse:
    """Book up to twelve sessions of a service, all or none, or ask the guru for them if they decide.

    The hold is the first session; `starts` are the others. 409 `series_partly_gone` has the times that are not free in
    `fields`, with the reason of each. A resend under the same key changes nothing.
    """
    token = parse_token_or_404(payload.hold)
    if not await context.flags.on("booking", token.tenant_id):
        raise NotFound
    require_verified_email(user)
    digest = content_digest(payload.model_dump_json())
    if key is not None:
        async with unit_of_work(context.db, tenant_id=token.tenant_id, user_id=user.user_id) as session:
            earlier = await queries.series_by_key(session, user.user_id, key, digest)
        if earlier is not None:
            return await _response(request, context, user.user_id, earlier)
    series_id = await actions.book_series(
        context.db,
        context.free_starts,
        context.risk,
        context.waivers,
        user.user_id,
        token,
        payload,
        key=key or str(new_id()),
        digest=digest,
        cards=card_desk(context, user, own_origin(request)),
    )
    await payment_page(context.db, user.user_id, series_id)
    return await _response(request, context, user.user_id, series_id)


@router.get("/{series_id}", operation_id="get_series", summary="Get my series")
async def get_series(request: Request, context: Context, user: CurrentUser, series_id: str) -> SeriesResponse:
    """Return the user's bookings that were booked together, also those that were canceled."""
    return await _response(request, context, user.user_id, parse_id_or_404(series_id))


async def _response(request: Request, context: AppContext, user_id: UUID, series_id: UUID) -> SeriesResponse:
    async with unit_of_work(context.db, user_id=user_id) as session:
        bookings = await queries.series(session, user_id, series_id)
    guru = await guru_card(request, context, bookings[0].guru_label, bookings[0].guru_name)
    return SeriesResponse(success=True, data=SeriesData(id=str(series_id), guru=guru, bookings=bookings))
