"""Reviews of a user's own sessions, under the flag `reviews` of each guru."""

from __future__ import annotations

from uuid import UUID

from fastapi import Request, Response

from porchlight.dependencies import AppContext, AuthenticatedUser, Context, CurrentUser
from porchlight.features.reviews import actions, queries
from porchlight.features.reviews.schemas import (
    DueReviews,
    DueReviewsResponse,
    ReplyPayload,
    SessionReviewPayload,
    SessionReviews,
    SessionReviewsResponse,
)
from tenants.db.rate_limit import hash_address
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api", tags=["reviews"], route_class=StrictRoute)

FLAG = "reviews"


@router.get("/reviews/due", operation_id="list_due_reviews", summary="List my sessions to review")
async def list_due_reviews(context: Context, user: CurrentUser, response: Response) -> DueReviewsResponse:
    """Return the ended sessions that the user can review and has not, the latest first."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        found = await queries.due_reviews(session, "person", user.user_id)
    is_on = {tenant_id: await context.flags.on(FLAG, tenant_id) for tenant_id, _ in found}
    is_own = user.owned_guru.tenant_id if user.owned_guru else None
    sessions = [one for tenant_id, one in found if is_on[tenant_id] and tenant_id != is_own]
    return DueReviewsResponse(success=True, data=DueReviews(sessions=sessions))


@router.get(
    "/bookings/{booking_id}/review", operation_id="get_session_reviews", summary="Get the reviews of my session"
)
async def get_session_reviews(
    context: Context, user: CurrentUser, booking_id: str, response: Response
) -> SessionReviewsResponse:
    """Return the user's review, and the guru's once it is revealed."""
    response.headers["cache-control"] = "no-store"
    wanted = parse_id_or_404(booking_id)
    own_guru = user.owned_guru.tenant_id if user.owned_guru else None
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        tenant_id, facts = await actions.own_facts(session, user.user_id, wanted, own_guru)
        if not await context.flags.on(FLAG, tenant_id):
            raise NotFound
        data = await queries.session_reviews(session, tenant_id, wanted, "person", facts)
    return SessionReviewsResponse(success=True, data=data)


@router.put("/bookings/{booking_id}/review", operation_id="write_review", summary="Review my session")
async def write_review(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: SessionReviewPayload
) -> SessionReviewsResponse:
    """Write the review of a session, or change it while it is hidden. A resend changes nothing.

    409 `review_closed` before the end, 14 days after it, and once it is revealed; 409 `own_site`.
    """
    wanted = parse_id_or_404(booking_id)
    tenant_id = await _tenant(context, user, wanted)
    host = request.client.host if request.client else ""
    address = hash_address(context.settings.address_secret, host, purpose="reviews")
    async with unit_of_work(context.db, tenant_id=tenant_id, user_id=user.user_id) as session:
        await actions.write_review(session, tenant_id, wanted, "person", actions.written(payload, address))
    return SessionReviewsResponse(success=True, data=await _reviews(context, user, tenant_id, wanted))


@router.put("/bookings/{booking_id}/review/reply", operation_id="reply_to_guru", summary="Reply to the guru's review")
async def reply_to_guru(
    context: Context, user: CurrentUser, booking_id: str, payload: ReplyPayload
) -> SessionReviewsResponse:
    """Write the reply to the guru's review of the user, or replace it."""
    wanted = parse_id_or_404(booking_id)
    tenant_id = await _tenant(context, user, wanted)
    async with unit_of_work(context.db, tenant_id=tenant_id, user_id=user.user_id) as session:
        await actions.reply_to_guru(session, user.user_id, wanted, payload.body)
    return SessionReviewsResponse(success=True, data=await _reviews(context, user, tenant_id, wanted))


async def _tenant(context: AppContext, user: AuthenticatedUser, booking_id: UUID) -> UUID:
    """Return the guru of the user's booking, who has reviews. Raises NotFound."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        tenant_id = await actions.guru_of(session, user.user_id, booking_id)
    if not await context.flags.on(FLAG, tenant_id):
        raise NotFound
    return tenant_id


async def _reviews(context: AppContext, user: AuthenticatedUser, tenant_id: UUID, booking_id: UUID) -> SessionReviews:
    async with unit_of_work(context.db, tenant_id=tenant_id, user_id=user.user_id) as session:
        return await queries.session_reviews(session, tenant_id, booking_id, "person")
