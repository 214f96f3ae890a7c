"""POST /api/gurus/{subdomain}/leads (SPEC 7.2, DESIGN 11)."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Header, Request, Response, status

from sites.leads.actions import THANKS, content_key, leave_lead, sender
from sites.leads.schemas import KEY, LeadAnswer, LeadPayload
from sites.parts import StrictRoute, Subdomain, parts_of, the_tenant
from tenants.kit import clock
from tenants.kit.errors import ValidationFailed

router = APIRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)

_THANKS = LeadAnswer(success=True, message=THANKS).model_dump_json(by_alias=True).encode()
_KEY = re.compile(rf"[\x21-\x7e]{{1,{KEY}}}")


def address_of(request: Request) -> str:
    """The network address a request came from, as the edge settled it."""
    return request.client.host if request.client else ""


@router.post(
    "/leads",
    response_model=LeadAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="leave_lead",
    summary="Leave a lead",
    responses={200: {"model": LeadAnswer, "description": "A resend under the same Idempotency-Key."}},
)
async def post_lead(
    request: Request,
    subdomain: Subdomain,
    lead: LeadPayload,
    idempotency_key: Annotated[str | None, Header(description="Makes a resend the same lead.")] = None,
) -> Response:
    """Leave a message for a guru. Sent again under the same key, it is still one lead."""
    tenant = await the_tenant(request, subdomain)
    parts = parts_of(request)
    who = sender(parts.secret, address_of(request))
    if idempotency_key is not None and not _KEY.fullmatch(idempotency_key):
        raise ValidationFailed(fields={"Idempotency-Key": f"Use 1 to {KEY} printable characters."})
    key = idempotency_key or content_key(lead, who, clock.now())
    new = await leave_lead(parts.db, tenant.id, lead, key=key, who=who, limits=parts.lead_limits)
    return Response(_THANKS, status.HTTP_201_CREATED if new else status.HTTP_200_OK, media_type="application/json")
