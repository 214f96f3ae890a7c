"""The webhook of the payment provider, for both of its endpoints."""

from __future__ import annotations

from fastapi import Depends, Request

from porchlight.dependencies import Context, require_main_host
from porchlight.payment_ports import BadSignature
from porchlight.settlement import inbox
from porchlight.settlement.schemas import WebhookResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import ApiError, NotFound

router = FeatureRouter(prefix="/api/stripe", tags=["settlement"], route_class=StrictRoute)

_SIGNED_BODY = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}},
    "parameters": [
        {"name": "Stripe-Signature", "in": "header", "required": False, "schema": {"type": "string", "default": ""}}
    ],
}


@router.post(
    "/webhooks",
    response_model=WebhookResponse,
    operation_id="receive_stripe_event",
    summary="Receive a Stripe event",
    dependencies=[Depends(require_main_host)],
    openapi_extra=_SIGNED_BODY,
)
async def receive_stripe_event(request: Request, context: Context) -> WebhookResponse:
    """Store a signed event of the provider, once, and start the job that fetches its object again.

    One that concerns nothing here is not stored: of each payment, the provider sends more of those than of others. The
    header is read here: anything wrong with it is a bad signature, not an invalid request.
    """
    if context.stripe is None:
        raise NotFound
    try:
        event = context.stripe.event(await request.body(), request.headers.get("stripe-signature", ""))
    except BadSignature:
        raise ApiError(400, "bad_signature", "This event isn't signed.") from None
    object_id = context.event_object(event.body)
    if object_id is not None:
        values = inbox.receive_values(event, object_id, livemode=context.stripe.livemode)
        await context.db.write(None, inbox.RECEIVE, values)
    return WebhookResponse(received=True)
