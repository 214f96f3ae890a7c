"""Routes for staff to return a part of a payment, and to send refunds and transfers again that failed."""

from __future__ import annotations

from fastapi import status

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, run_as_service
from porchlight.dependencies import IdempotencyKey
from porchlight.features.bookings.refunds import admin_actions
from porchlight.features.bookings.refunds.schemas import (
    SentAgainData,
    SentAgainResponse,
    StaffRefundData,
    StaffRefundPayload,
    StaffRefundResponse,
)
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import new_id, parse_id_or_404

router = FeatureRouter(prefix="/api/admin/money", tags=["admin"], route_class=StrictRoute)


@router.post(
    "/payments/{payment_id}/refunds",
    status_code=status.HTTP_201_CREATED,
    operation_id="refund_payment",
    summary="Return a part of a payment",
)
async def refund_payment(
    service_db: ServiceDatabase, staff: CurrentStaff, payment_id: str, payload: StaffRefundPayload, key: IdempotencyKey
) -> StaffRefundResponse:
    """Return money to the person's card, from the guru's share and the fee as a guru's refund does. Both get an email.

    A resend under the same key changes nothing. 409 `named_key_required` for a shared key, `refund_changed` if other
    cents are left than were seen, `refund_too_large`, `payment_disputed`, `package_refund`.
    """
    wanted = parse_id_or_404(payment_id)
    kept = await run_as_service(service_db, admin_actions.refund_payment, staff, wanted, payload, key or str(new_id()))
    return StaffRefundResponse(success=True, data=StaffRefundData(payment_id=str(wanted), kept_cents=kept))


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
