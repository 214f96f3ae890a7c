"""Request and response bodies of tips. Amounts are cents, times are UTC."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from porchlight.features.bookings.tips.decision import MAX_TIP_CENTS, MIN_TIP_CENTS
from tenants.kit.schemas import Payload, ResponseModel


class TipPayload(Payload):
    """How much to tip, in US cents."""

    amount_cents: Annotated[int, Field(ge=MIN_TIP_CENTS, le=MAX_TIP_CENTS)]


class SuggestedTipData(ResponseModel):
    """An amount to choose: a share of the price in percent, null for a round amount."""

    percent: int | None
    amount_cents: int


class TipData(ResponseModel):
    """A tip that was paid or is about to be: `url` is Stripe's page while it is `open`."""

    id: str
    state: Literal["opening", "open", "paid", "expired", "failed", "canceled"]
    amount_cents: int
    url: str
    paid_at: str | None


class TipsData(ResponseModel):
    """The tips for a session, the latest first, and whether there can be another one.

    `closed`: the session did not take place, is ahead, or ended more than 30 days ago. `full`: three were paid.
    `unavailable`: the guru can't take cards.
    """

    state: Literal["open", "closed", "full", "unavailable"]
    until: str
    minimum_cents: int
    maximum_cents: int
    suggestions: list[SuggestedTipData]
    tips: list[TipData]


class TipsResponse(ResponseModel):
    """The tips for a session."""

    success: bool
    data: TipsData


class TipResponse(ResponseModel):
    """A tip."""

    success: bool
    data: TipData
