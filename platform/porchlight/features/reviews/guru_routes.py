"""Reviews in the guru's console: to read, to reply, and to write about those who came. None takes a review down."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.reviews import actions, queries
from porchlight.features.reviews.actions import WrittenReview
from porchlight.features.reviews.errors import ReviewIsGurus
from porchlight.features.reviews.schemas import (
    DueReviews,
    DueReviewsResponse,
    GuruReviewPayload,
    GuruReviewsResponse,
    NeighborReviewsResponse,
    ReplyPayload,
    SessionReviewsResponse,
)
from tenants.db.rate_limit import hash_address
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404


async def _reviewed_console(console: CurrentConsole) -> ConsoleContext:
    """Return the console of a guru who has reviews. Raises NotFound."""
    if not await console.app_context.flags.on("reviews", console.tenant_id):
        raise NotFound
    return console


ReviewedConsole = Annotated[ConsoleContext, Depends(_reviewed_console)]

router = FeatureRouter(prefix="/api/guru", tags=["reviews"], route_class=StrictRoute)


@router.get("/reviews", operation_id="list_guru_reviews", summary="List the reviews of my sessions")
async def list_guru_reviews(
    console: ReviewedConsole, cursor: Annotated[str | None, Query(max_length=60)] = None
) -> GuruReviewsResponse:
    """Return a page of the revealed reviews, the latest first, with the guru's replies."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.guru_reviews(session, console.tenant_id, cursor)
    return GuruReviewsResponse(success=True, data=data)


@router.get("/reviews/due", operation_id="list_guru_due_reviews", summary="List the neighbors to review")
async def list_guru_due_reviews(console: ReviewedConsole) -> DueReviewsResponse:
    """Return the ended sessions whose persons the guru can review and has not, the latest first."""
    async with console.unit_of_work(acting=True) as session:
        found = await queries.due_reviews(session, "guru", console.tenant_id)
    return DueReviewsResponse(success=True, data=DueReviews(sessions=[one for _, one in found]))


@router.put("/reviews/{review_id}/reply", operation_id="reply_to_review", summary="Reply to a review")
async def reply_to_review(console: ReviewedConsole, review_id: str, payload: ReplyPayload) -> SessionReviewsResponse:
    """Write the reply to a revealed review, or replace it. Everyone can read it."""
    _require_guru(console)
    async with console.unit_of_work(acting=True) as session:
        booking_id = await actions.reply_to_person(session, console.tenant_id, parse_id_or_404(review_id), payload.body)
        data = await queries.session_reviews(session, console.tenant_id, booking_id, "guru")
    return SessionReviewsResponse(success=True, data=data)


@router.get(
    "/bookings/{booking_id}/review", operation_id="get_guru_session_reviews", summary="Get the reviews of a booking"
)
async def get_guru_session_reviews(console: ReviewedConsole, booking_id: str) -> SessionReviewsResponse:
    """Return the guru's review of the person, and the person's once it is revealed."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.session_reviews(session, console.tenant_id, parse_id_or_404(booking_id), "guru")
    return SessionReviewsResponse(success=True, data=data)


@router.put("/bookings/{booking_id}/review", operation_id="write_guru_review", summary="Review the person of a booking")
async def write_guru_review(
    request: Request, console: ReviewedConsole, booking_id: str, payload: GuruReviewPayload
) -> SessionReviewsResponse:
    """Write the review of a person, or change it while it is hidden. Only gurus whom they ask can read it.

    409 `review_closed` before the end, 14 days after it, and once it is revealed.
    """
    _require_guru(console)
    wanted = parse_id_or_404(booking_id)
    host = request.client.host if request.client else ""
    address = hash_address(console.app_context.settings.address_secret, host, purpose="reviews")
    async with console.unit_of_work(acting=True) as session:
        review = WrittenReview(payload.stars, payload.body, "", address)
        await actions.write_review(session, console.tenant_id, wanted, "guru", review)
        data = await queries.session_reviews(session, console.tenant_id, wanted, "guru")
    return SessionReviewsResponse(success=True, data=data)


@router.get(
    "/bookings/{booking_id}/neighbor-reviews",
    operation_id="list_neighbor_reviews",
    summary="List what gurus wrote about the person of a booking",
)
async def list_neighbor_reviews(console: ReviewedConsole, booking_id: str) -> NeighborReviewsResponse:
    """Return what gurus wrote about someone who asks for a session or has booked one."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.neighbor_reviews(session, console.tenant_id, parse_id_or_404(booking_id))
    return NeighborReviewsResponse(success=True, data=data)


def _require_guru(console: ConsoleContext) -> None:
    if console.is_impersonated:
        raise ReviewIsGurus
