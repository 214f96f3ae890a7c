"""Feature flags (SPEC 3, SPEC 7.2) and the public configuration, which the web apps read at start."""

from __future__ import annotations

from fastapi import Request, Response

from porchlight.auth.staff import CurrentStaff
from porchlight.dependencies import Context
from porchlight.flags.defaults import UNREAD
from porchlight.flags.schemas import (
    AdminFlagsResponse,
    ConfigResponse,
    FirebaseConfig,
    FlagsResponse,
    OperatorContact,
    PaymentsConfig,
    PublicConfig,
    StripeConfig,
)
from porchlight.settings.environment import Settings
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.tenancy.current import host_tenant

router = FeatureRouter(prefix="/api", tags=["flags"], route_class=StrictRoute)


@router.get(
    "/feature-flags", response_model=FlagsResponse, operation_id="list_feature_flags", summary="List feature flags"
)
async def list_flags(request: Request, response: Response, context: Context) -> FlagsResponse:
    """Return all flags by name, with the guru's values on a guru's host."""
    tenant = host_tenant(request.scope)
    response.headers["cache-control"] = "no-cache"
    return FlagsResponse(success=True, flags=await context.flags.all(tenant.id if tenant else None))


@router.get(
    "/feature-flags/admin",
    response_model=AdminFlagsResponse,
    operation_id="list_admin_feature_flags",
    summary="List feature flags for admins",
)
async def list_admin_flags(response: Response, context: Context, _staff: CurrentStaff) -> AdminFlagsResponse:
    """Return the global values of all flags (SPEC 2.12). Only the command line sets them."""
    response.headers["cache-control"] = "no-store"
    return AdminFlagsResponse(success=True, flags=await context.flags.all(), unread=sorted(UNREAD))


@router.get("/config", response_model=ConfigResponse, operation_id="get_config", summary="Get the public configuration")
async def get_config(response: Response, context: Context) -> ConfigResponse:
    """Return the settings that the web apps need. None of them is secret."""
    settings = context.settings
    response.headers["cache-control"] = "no-cache"
    return ConfigResponse(
        success=True,
        data=PublicConfig(
            operator=_operator(settings),
            firebase=_firebase(settings),
            stripe=_stripe(settings),
            payments=PaymentsConfig(available=context.stripe is not None),
            flags=await context.flags.all(),
        ),
    )


def _operator(settings: Settings) -> OperatorContact:
    return OperatorContact(
        name=settings.operator_name,
        address=settings.operator_address,
        phone=settings.operator_phone,
        email=settings.staff_address,
    )


def _firebase(settings: Settings) -> FirebaseConfig | None:
    if not settings.firebase_project_id:
        return None
    return FirebaseConfig(
        project_id=settings.firebase_project_id,
        api_key=settings.firebase_api_key or "local",  # the emulator accepts any key
        auth_domain=settings.auth_domain,
        emulator_url=settings.emulator_url,
    )


def _stripe(settings: Settings) -> StripeConfig | None:
    if not (settings.stripe_publishable_key and settings.stripe_pricing_table_id):
        return None
    return StripeConfig(
        publishable_key=settings.stripe_publishable_key,
        pricing_table_id=settings.stripe_pricing_table_id,
        script_url=settings.pricing_table_script,
    )
