"""Tips for the user's sessions that took place."""

from __future__ import annotations

from fastapi import Request, status

from porchlight.auth.authenticator import require_verified_email
from porchlight.dependencies import Context, CurrentUser, IdempotencyKey, own_origin
from porchlight.features.bookings.payments.actions import card_desk
from porchlight.features.bookings.tips import actions, queries
from porchlight.features.bookings.tips.schemas import TipPayload, TipResponse, TipsResponse
from porchlight.settlement.errors import PaymentsNotSetUp
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import new_id, parse_id_or_404

router = FeatureRouter(prefix="/api/bookings/{booking_id}/tips", tags=["bookings"], route_class=StrictRoute)


@router.get("", operation_id="list_tips", summary="List my tips for a session")
async def list_tips(request: Request, context: Context, user: CurrentUser, booking_id: str) -> TipsResponse:
    """Return the user's tips for a session, whether there can be another one, and amounts to choose from."""
    desk = card_desk(context, user, own_origin(request))
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await queries.session_tips(session, desk, user.user_id, parse_id_or_404(booking_id))
    return TipsResponse(success=True, data=data)


@router.post("", status_code=status.HTTP_201_CREATED, operation_id="create_tip", summary="Tip the guru")
async def create_tip(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: TipPayload, key: IdempotencyKey
) -> TipResponse:
    """Open Stripe's page for a tip after a session. The guru gets all of it. A resend changes nothing.

    The answer has its `url`, or the state `opening` while Stripe does not answer. 409 `tips_closed`, `tips_full`,
    `cards_unavailable`, 429 `too_many_checkouts`.
    """
    wanted = parse_id_or_404(booking_id)
    if context.stripe is None:
        raise PaymentsNotSetUp
    require_verified_email(user)
    desk = card_desk(context, user, own_origin(request))
    tip = await actions.create_tip(context.db, desk, user.user_id, wanted, payload.amount_cents, key or str(new_id()))
    return TipResponse(success=True, data=queries.tip_data(tip))
