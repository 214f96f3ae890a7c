"""POST /api/gurus/{subdomain}/leads (SPEC 7.2, docs/settled-questions.md)."""

from __future__ import annotations

from fastapi import Request, Response, status

from sites.context import get_context
from sites.leads.actions import THANKS, create_lead, lead_digest, lead_proof
from sites.leads.schemas import LeadCreated, LeadPayload
from tenants.db.rate_limit import hash_sender
from tenants.http.idempotency import check_idempotency_key, content_key
from tenants.http.proof_of_work import HEADER as PROOF_HEADER
from tenants.http.routes import BodyRoute, FeatureRouter
from tenants.kit import clock
from tenants.tenancy.current import current_tenant

router = FeatureRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=BodyRoute)

_THANKS = LeadCreated(success=True, message=THANKS).model_dump_json(by_alias=True).encode()


def client_address(request: Request) -> str:
    """Return the network address of the client, behind trusted proxies too."""
    return request.client.host if request.client else ""


# Declared here and read by hand: FastAPI's handling of a path or header parameter costs each request some 20 µs.
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
    {
        "name": PROOF_HEADER,
        "in": "header",
        "required": False,
        "schema": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "description": "The challenge of a 429 with the code `proof_required`, a colon, and its answer.",
            "title": "Porchlight-Proof",
        },
        "description": "The challenge of a 429 with the code `proof_required`, a colon, and its answer.",
    },
]


@router.post(
    "/leads",
    response_model=LeadCreated,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_lead",
    summary="Leave a lead",
    responses={200: {"model": LeadCreated, "description": "A resend under the same Idempotency-Key."}},
    openapi_extra={"parameters": _PARAMETERS},
)
async def post_lead(request: Request, lead: LeadPayload) -> Response:
    """Send a message to a guru. A resend under the same key creates no second lead."""
    tenant = await current_tenant(request)
    context = get_context(request)
    sender = hash_sender(context.secret, client_address(request))
    key = check_idempotency_key(request.headers.get("idempotency-key")) or content_key(
        lead_digest(lead), sender.address_hash, clock.now()
    )
    is_new = await create_lead(
        context.db,
        tenant.id,
        lead,
        key=key,
        sender=sender,
        proof=lead_proof(context.secret, tenant.id, key, request.headers.get(PROOF_HEADER, "")),
        limit=context.lead_limit,
        verified_email=await context.verified_email(request),
    )
    return Response(_THANKS, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK, media_type="application/json")
