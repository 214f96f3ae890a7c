"""Routes for staff to send refunds and transfers again that failed. Each is a finding until it has worked."""

from __future__ import annotations

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, run_as_service
from porchlight.features.bookings.refunds import admin_actions
from porchlight.features.bookings.refunds.schemas import SentAgainData, SentAgainResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/admin/money", tags=["admin"], route_class=StrictRoute)


@router.post("/refunds/{refund_id}/retries", operation_id="retry_refund", summary="Send a refund again")
async def retry_refund(service_db: ServiceDatabase, staff: CurrentStaff, refund_id: str) -> SentAgainResponse:
    """Return the amount of a refund that failed again. 409 `already_sent_again`, `refund_too_large`."""
    wanted = parse_id_or_404(refund_id)
    await run_as_service(service_db, admin_actions.send_refund_again, staff.key_name, wanted)
    return SentAgainResponse(success=True, data=SentAgainData(id=str(wanted)))


@router.post("/transfers/{payment_id}/retries", operation_id="retry_transfer", summary="Send a transfer again")
async def retry_transfer(service_db: ServiceDatabase, staff: CurrentStaff, payment_id: str) -> SentAgainResponse:
    """Send the earnings of a payment that are stuck within five minutes. 409 `already_sent_again`."""
    wanted = parse_id_or_404(payment_id)
    await run_as_service(service_db, admin_actions.send_transfer_again, staff.key_name, wanted)
    return SentAgainResponse(success=True, data=SentAgainData(id=str(wanted)))
