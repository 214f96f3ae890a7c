"""The contact form."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header, Request, Response, status

from porchlight.dependencies import AppContext, Context, IdempotencyKey, optional_user
from porchlight.features.contact.actions import MESSAGES_PER_HOUR, THANKS, create_message
from porchlight.features.contact.schemas import ContactPayload, ContactResponse
from porchlight.plans.entitlements import effective_plan
from porchlight.plans.plans import PlanSlug
from tenants.db.rate_limit import hash_sender
from tenants.http.proof_of_work import HEADER as PROOF_HEADER
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import ProductError

router = FeatureRouter(prefix="/api", tags=["contact"], route_class=StrictRoute)


@router.post(
    "/contact",
    response_model=ContactResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_contact_message",
    summary="Send a message to the Porchlight team",
    responses={200: {"model": ContactResponse, "description": "A resend under the same Idempotency-Key."}},
)
async def create_contact_message(
    request: Request,
    response: Response,
    context: Context,
    key: IdempotencyKey,
    message: ContactPayload,
    proof: Annotated[str, Header(alias=PROOF_HEADER, description="A solved challenge of a 429 `proof_required`.")] = "",
) -> ContactResponse:
    """Store a message and email it to the staff. A resend under the same key creates no second message.

    The subject names a plan with a promised time to answer.
    """
    host = request.client.host if request.client else ""
    secret = context.settings.address_secret
    sender = hash_sender(secret, host, purpose="contact")
    limit = None if context.settings.limits == "off" else MESSAGES_PER_HOUR
    plan = await _plan(request, context)
    if not await create_message(
        context.db, message, key=key, sender=sender, secret=secret, proof=proof, limit=limit, plan=plan
    ):
        response.status_code = status.HTTP_200_OK
    return ContactResponse(success=True, message=THANKS)


async def _plan(request: Request, context: AppContext) -> PlanSlug | None:
    """Return the plan of the sender, or None of a visitor. An invalid sign-in counts as none."""
    try:
        user = await optional_user(request, context)
    except ProductError:
        return None
    return await effective_plan(context.db, user.user_id) if user else None
