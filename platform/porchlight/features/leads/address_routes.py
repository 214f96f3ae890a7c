"""The link in emails to a lead's address: its owner confirms that they wrote, or blocks email from the site."""

from __future__ import annotations

from fastapi import Request, Response

from porchlight.dependencies import AppContext, Context
from porchlight.emails.one_click import require_one_click
from porchlight.features.leads.schemas import LeadAddressData, LeadAddressPayload, LeadAddressResponse
from porchlight.site_addresses import site_host
from sites.leads.address_confirmation import SiteAddress, get_address, parse_address_token_or_404, update_address
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.schemas import MessageResponse

router = FeatureRouter(prefix="/api/lead-addresses", tags=["leads"], route_class=StrictRoute)


@router.get(
    "/{token}",
    response_model=LeadAddressResponse,
    operation_id="get_lead_address",
    summary="Get what I said about email from a site",
)
async def get_lead_address(request: Request, context: Context, token: str) -> LeadAddressResponse:
    """Return the site of a link and the answer so far. It changes nothing: mail scanners open links."""
    return await _response(request, context, await get_address(context.db, parse_address_token_or_404(token)))


@router.put(
    "/{token}",
    response_model=LeadAddressResponse,
    operation_id="update_lead_address",
    summary="Confirm or block email from a site",
)
async def update_lead_address(
    request: Request, context: Context, token: str, payload: LeadAddressPayload
) -> LeadAddressResponse:
    """Set the answer of the address's owner. They can change it with the same link."""
    address = await update_address(context.db, parse_address_token_or_404(token), payload.state)
    return await _response(request, context, address)


@router.post(
    "/{token}/unsubscription",
    response_model=MessageResponse,
    operation_id="create_lead_address_unsubscription",
    summary="Unsubscribe from a site by mail program",
)
async def create_lead_address_unsubscription(request: Request, context: Context, token: str) -> MessageResponse:
    """Block email from the site. Mail programs post here (RFC 8058)."""
    await require_one_click(request)
    await update_address(context.db, parse_address_token_or_404(token), "blocked")
    return MessageResponse(success=True, message="You won't get email from this site anymore.")


@router.get(
    "/{token}/unsubscription",
    operation_id="get_lead_address_unsubscription",
    summary="Open the page of an unsubscription from a site",
    response_class=Response,
    status_code=303,
    responses={303: {"description": "A redirect to the page where the owner of the address decides."}},
)
async def get_lead_address_unsubscription(context: Context, token: str) -> Response:
    """Redirect to the page of the link. Programs without one-click open it in a browser."""
    page = f"{context.settings.main_origin}/mail/{parse_address_token_or_404(token).text}"
    return Response(status_code=303, headers={"location": page, "cache-control": "no-store"})


async def _response(request: Request, context: AppContext, address: SiteAddress) -> LeadAddressResponse:
    site = await site_host(request, context, address.label)
    return LeadAddressResponse(success=True, data=LeadAddressData(site=site, label=address.label, state=address.state))
