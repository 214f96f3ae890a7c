"""POST /api/contact."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response, status

from porchlight.contact.actions import THANKS, UNLIMITED, ContactLimits, address_hash, leave_message
from porchlight.contact.schemas import ContactAnswer, ContactPayload
from porchlight.parts import IdempotencyKey, Parts
from sites.parts import StrictRoute

router = APIRouter(prefix="/api", tags=["platform"], route_class=StrictRoute)


@router.post(
    "/contact",
    response_model=ContactAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="contact",
    summary="Write to the people who run Porchlight",
    responses={200: {"model": ContactAnswer, "description": "A resend under the same Idempotency-Key."}},
)
async def post_message(
    request: Request, response: Response, parts: Parts, key: IdempotencyKey, message: ContactPayload
) -> ContactAnswer:
    """Leave a message. Sent again under the same key, it is still one."""
    address = address_hash(parts.settings.address_secret, request.client.host if request.client else "")
    limits = UNLIMITED if parts.settings.limits == "off" else ContactLimits()
    if not await leave_message(parts.db, message, key=key, address=address, limits=limits):
        response.status_code = status.HTTP_200_OK
    return ContactAnswer(success=True, message=THANKS)
