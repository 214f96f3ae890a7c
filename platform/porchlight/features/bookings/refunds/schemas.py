"""Request and response bodies of refunds that a guru or staff make. Amounts are cents."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from porchlight.features.bookings.guru.schemas import NeededReason, Reason
from porchlight.features.bookings.payments.amounts import MAX_CARD_CENTS
from tenants.kit.schemas import Payload, ResponseModel

AmountCents = Annotated[int, Field(strict=True, ge=1, le=MAX_CARD_CENTS)]


class RefundPayload(Payload):
    """An amount that goes back to the person, with words to them. `kept_cents`: what the guru saw that is left."""

    amount_cents: AmountCents
    kept_cents: AmountCents
    words: Reason = ""


class StaffRefundPayload(Payload):
    """An amount that goes back to the person. `kept_cents`: what staff saw that is left. Both sides read the reason."""

    amount_cents: AmountCents
    kept_cents: AmountCents
    reason: NeededReason


class StaffRefundData(ResponseModel):
    """A refund of staff, with what is left of the payment."""

    payment_id: str
    kept_cents: int


class StaffRefundResponse(ResponseModel):
    """A refund of staff."""

    success: bool
    data: StaffRefundData


class RefundPreviewData(ResponseModel):
    """Where a refund comes from: `share_cents` from the guru, `fee_cents` from the platform's fee."""

    amount_cents: int
    share_cents: int
    fee_cents: int
    kept_cents: int


class RefundPreviewResponse(ResponseModel):
    """Where a refund comes from."""

    success: bool
    data: RefundPreviewData


class SentAgainData(ResponseModel):
    """A refund or a transfer that is sent again."""

    id: str


class SentAgainResponse(ResponseModel):
    """A refund or a transfer that is sent again."""

    success: bool
    data: SentAgainData
