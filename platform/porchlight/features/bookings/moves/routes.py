"""Moves of bookings, by the person who booked."""

from __future__ import annotations

from fastapi import Request

from porchlight.dependencies import Context, CurrentUser
from porchlight.features.bookings.booking_response import booking_response
from porchlight.features.bookings.following.moves import accept_proposals
from porchlight.features.bookings.moves import actions, proposals
from porchlight.features.bookings.moves.schemas import MoveAnswerPayload, MovePayload
from porchlight.features.bookings.schemas import BookingResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api", tags=["bookings"], route_class=StrictRoute)


@router.post("/bookings/{booking_id}/move", operation_id="move_booking", summary="Move my session")
async def move_booking(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: MovePayload
) -> BookingResponse:
    """Move a booking to another time, on the terms that the user saw. A resend changes nothing."""
    wanted = parse_id_or_404(booking_id)
    await actions.move_booking(
        context.db,
        context.risk,
        user.user_id,
        wanted,
        starts_at=payload.starts_at,
        terms_digest=payload.terms_digest,
    )
    return await booking_response(request, context, user.user_id, wanted)


@router.post("/bookings/{booking_id}/answers", operation_id="answer_proposal", summary="Answer a proposed time")
async def answer_proposal(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: MoveAnswerPayload
) -> BookingResponse:
    """Accept the guru's other time, or cancel for free. 409 `proposal_ended` once the proposal is not open."""
    wanted, starts_at = parse_id_or_404(booking_id), payload.starts_at
    if payload.accept:
        accept = accept_proposals if payload.whole_series else proposals.accept_proposal
        await accept(context.db, context.risk, user.user_id, wanted, starts_at=starts_at)
    else:
        await proposals.decline_proposal(
            context.db, user.user_id, wanted, starts_at=starts_at, reason=payload.reason,
            whole_series=payload.whole_series,
        )  # fmt: skip
    return await booking_response(request, context, user.user_id, wanted)
