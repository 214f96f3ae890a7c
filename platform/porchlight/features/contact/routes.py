"""The contact form."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response, status

from porchlight.dependencies import Context, IdempotencyKey
from porchlight.features.contact.actions import MESSAGES_PER_HOUR, THANKS, create_message
from porchlight.features.contact.schemas import ContactPayload, ContactResponse
from tenants.db.rate_limit import UNLIMITED, hash_address
from tenants.http.routes import StrictRoute

router = APIRouter(prefix="/api", tags=["contact"], route_class=StrictRoute)


@router.post(
    "/contact",
    response_model=ContactResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_contact_message",
    summary="Send a message to the Porchlight team",
    responses={200: {"model": ContactResponse, "description": "A resend under the same Idempotency-Key."}},
)
async def create_contact_message(
    request: Request, response: Response, context: Context, key: IdempotencyKey, message: ContactPayload
) -> ContactResponse:
    """Store a message and email it to the staff. A resend under the same key creates no second message."""
    host = request.client.host if request.client else ""
    address = hash_address(context.settings.address_secret, host, purpose="contact")
    limit = UNLIMITED if context.settings.limits == "off" else MESSAGES_PER_HOUR
    if not await create_message(context.db, message, key=key, address=address, limit=limit):
        response.status_code = status.HTTP_200_OK
    return ContactResponse(success=True, message=THANKS)
