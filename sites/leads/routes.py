"""POST /api/gurus/{subdomain}/leads (SPEC 7.2, DESIGN 11)."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request, Response, status

from sites.leads.actions import THANKS, content_key, leave_lead, sender
from sites.leads.schemas import KEY, LeadAnswer, LeadPayload
from sites.parts import BodyRoute, parts_of, the_tenant
from tenants.kit import clock
from tenants.kit.errors import ValidationFailed

router = APIRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=BodyRoute)

_THANKS = LeadAnswer(success=True, message=THANKS).model_dump_json(by_alias=True).encode()
_KEY = re.compile(rf"[\x21-\x7e]{{1,{KEY}}}")


def address_of(request: Request) -> str:
    """The network address a request came from, as the edge settled it."""
    return request.client.host if request.client else ""


# Read by hand: FastAPI's own way to a path's or a header's text costs a call some 20 µs each.
_PARAMETERS = [
    {
        "name": "subdomain",
        "in": "path",
        "required": True,
        "schema": {
            "type": "string",
            "description": "A guru's subdomain.",
            "examples": ["cooking"],
            "title": "Subdomain",
        },
        "description": "A guru's subdomain.",
    },
    {
        "name": "idempotency-key",
        "in": "header",
        "required": False,
        "schema": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "description": "Makes a resend the same lead.",
            "title": "Idempotency-Key",
        },
        "description": "Makes a resend the same lead.",
    },
]


@router.post(
    "/leads",
    response_model=LeadAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="leave_lead",
    summary="Leave a lead",
    responses={200: {"model": LeadAnswer, "description": "A resend under the same Idempotency-Key."}},
    openapi_extra={"parameters": _PARAMETERS},
)
async def post_lead(request: Request, lead: LeadPayload) -> Response:
    """Leave a message for a guru. Sent again under the same key, it is still one lead."""
    tenant = await the_tenant(request, request.path_params["subdomain"])
    parts = parts_of(request)
    who = sender(parts.secret, address_of(request))
    idempotency_key = request.headers.get("idempotency-key")
    if idempotency_key is not None and not _KEY.fullmatch(idempotency_key):
        raise ValidationFailed(fields={"Idempotency-Key": f"Use 1 to {KEY} printable characters."})
    key = idempotency_key or content_key(lead, who, clock.now())
    new = await leave_lead(parts.db, tenant.id, lead, key=key, who=who, limits=parts.lead_limits)
    return Response(_THANKS, status.HTTP_201_CREATED if new else status.HTTP_200_OK, media_type="application/json")
