"""FastAPI dependencies on the payment provider."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from porchlight.dependencies import Context
from porchlight.payment_ports import StripeApi
from porchlight.settlement.errors import PaymentsNotSetUp


async def require_stripe(context: Context) -> StripeApi:
    """Return the payment provider. Raises PaymentsNotSetUp when none is configured."""
    if context.stripe is None:
        raise PaymentsNotSetUp
    return context.stripe


Stripe = Annotated[StripeApi, Depends(require_stripe)]
