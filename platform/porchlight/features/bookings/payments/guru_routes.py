"""A guru's payments by card, for the forms in which they set prices."""

from __future__ import annotations

from porchlight.console_context import CurrentConsole
from porchlight.dependencies import OptionalUser
from porchlight.features.bookings.payments.schemas import CardPaymentsData, CardPaymentsResponse
from porchlight.settlement.card_payments import MIN_PRICE_CENTS, card_payments
from tenants.http.routes import FeatureRouter, StrictRoute

router = FeatureRouter(prefix="/api/guru", tags=["bookings"], route_class=StrictRoute)


@router.get("/card-payments", operation_id="get_card_payments", summary="Get what I can take by card")
async def get_card_payments(console: CurrentConsole, user: OptionalUser) -> CardPaymentsResponse:
    """Return whether the guru can take cards, or what is missing, and what the platform keeps of a price."""
    context = console.app_context
    owner_id = None if console.is_impersonated or user is None else user.user_id
    found = await card_payments(
        context.db, context.settings, console.tenant_id, owner_id, is_set_up=context.stripe is not None
    )
    data = CardPaymentsData(
        state=found.state.value,
        fee_bps=found.fee_bps,
        fee_minimum_cents=found.fee_minimum_cents,
        minimum_cents=MIN_PRICE_CENTS,
    )
    return CardPaymentsResponse(success=True, data=data)
