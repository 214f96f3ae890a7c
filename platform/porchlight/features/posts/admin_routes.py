"""Hiding of posts by admins."""

from __future__ import annotations

from porchlight.audit.schemas import NeededReasonPayload
from porchlight.auth.staff import CurrentStaff, ServiceDatabase, run_as_service
from porchlight.features.posts import admin_actions
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import SuccessResponse

router = FeatureRouter(prefix="/api/admin/posts", tags=["admin"], route_class=StrictRoute)


@router.post("/{post_id}/hiding", response_model=SuccessResponse, operation_id="hide_post", summary="Hide post")
async def hide_post(
    service_db: ServiceDatabase, staff: CurrentStaff, post_id: str, payload: NeededReasonPayload
) -> SuccessResponse:
    """Take a published post off its site. Its guru reads the reason and can't publish it. 409 for a draft."""
    parsed_id = parse_id_or_404(post_id)
    await run_as_service(service_db, admin_actions.hide_post, staff.key_name, parsed_id, payload.reason)
    return SuccessResponse(success=True)


@router.delete("/{post_id}/hiding", response_model=SuccessResponse, operation_id="show_post", summary="Show post")
async def show_post(service_db: ServiceDatabase, staff: CurrentStaff, post_id: str) -> SuccessResponse:
    """Publish a hidden post again, at its old time."""
    parsed_id = parse_id_or_404(post_id)
    await run_as_service(service_db, admin_actions.show_post, staff.key_name, parsed_id)
    return SuccessResponse(success=True)
