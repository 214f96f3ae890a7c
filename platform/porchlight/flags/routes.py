"""GET /api/feature-flags (SPEC 3, 7.2) and GET /api/config, which web pages read once at their start."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from porchlight.flags.schemas import ConfigAnswer, FirebaseConfig, FlagsAnswer, PublicConfig, StripeConfig
from porchlight.parts import Parts, tenant_of
from porchlight.settings import Settings
from porchlight.staff import TheStaff
from sites.parts import StrictRoute

router = APIRouter(prefix="/api", tags=["platform"], route_class=StrictRoute)


@router.get("/feature-flags", response_model=FlagsAnswer, operation_id="feature_flags", summary="Which features are on")
async def read_flags(request: Request, response: Response, parts: Parts) -> FlagsAnswer:
    """Every flag by name. On a guru's host, as that guru has them."""
    tenant = tenant_of(request)
    response.headers["cache-control"] = "no-cache"
    return FlagsAnswer(success=True, flags=await parts.flags.all(tenant.id if tenant else None))


@router.get(
    "/feature-flags/admin", response_model=FlagsAnswer, operation_id="admin_feature_flags", summary="Flags, for staff"
)
async def read_staff_flags(response: Response, parts: Parts, _staff: TheStaff) -> FlagsAnswer:
    """Every flag as it is for everybody (SPEC 2.12). Read-only; the command line sets them."""
    response.headers["cache-control"] = "no-store"
    return FlagsAnswer(success=True, flags=await parts.flags.all())


@router.get("/config", response_model=ConfigAnswer, operation_id="config", summary="This installation's settings")
async def read_config(response: Response, parts: Parts) -> ConfigAnswer:
    """What a web page needs to know of this installation; nothing in it is secret."""
    settings = parts.settings
    response.headers["cache-control"] = "no-cache"
    return ConfigAnswer(
        success=True,
        data=PublicConfig(firebase=_firebase(settings), stripe=_stripe(settings), flags=await parts.flags.all()),
    )


def _firebase(settings: Settings) -> FirebaseConfig | None:
    if not settings.firebase_project_id:
        return None
    return FirebaseConfig(
        project_id=settings.firebase_project_id,
        api_key=settings.firebase_api_key or "local",  # the emulator takes any
        auth_domain=settings.auth_domain,
        emulator_url=settings.emulator_url,
    )


def _stripe(settings: Settings) -> StripeConfig | None:
    if not (settings.stripe_publishable_key and settings.stripe_pricing_table_id):
        return None
    return StripeConfig(
        publishable_key=settings.stripe_publishable_key, pricing_table_id=settings.stripe_pricing_table_id
    )
