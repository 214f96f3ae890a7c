"""Waivers in the admin area: the state of the chains, and the acknowledgment of the texts."""

from __future__ import annotations

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, run_as_service
from porchlight.dependencies import Context
from porchlight.features.waivers import audit
from porchlight.features.waivers.keys import waiver_keyring
from porchlight.features.waivers.schemas import WaiverStateResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.schemas import SuccessResponse

router = FeatureRouter(prefix="/api/admin/waivers", tags=["waivers"], route_class=StrictRoute)


@router.get(
    "/state", response_model=WaiverStateResponse, operation_id="get_waiver_state", summary="Get the state of waivers"
)
async def get_waiver_state(service_db: ServiceDatabase, _staff: CurrentStaff, context: Context) -> WaiverStateResponse:
    """Verify the chains of waivers, as `porchlight waivers audit` does, up to a number of links."""
    state = await run_as_service(service_db, audit.waiver_state, waiver_keyring(context.settings))
    return WaiverStateResponse(success=True, data=state)


@router.post(
    "/acknowledgment",
    response_model=SuccessResponse,
    operation_id="acknowledge_waiver_texts",
    summary="Acknowledge the waiver texts",
)
async def acknowledge_waiver_texts(service_db: ServiceDatabase, staff: CurrentStaff) -> SuccessResponse:
    """Confirm that a lawyer has to review the current texts, which are templates. New texts ask again."""
    await run_as_service(service_db, audit.acknowledge_texts, staff.key_name)
    return SuccessResponse(success=True)
