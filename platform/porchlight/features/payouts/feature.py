"""Manifest of the feature `payouts`."""

from __future__ import annotations

from porchlight.features.payouts import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="payouts",
    routers=(routes.router,),
    models=(models,),
    jobs="porchlight.features.payouts.jobs",
    private_pages=("/account",),
    personal_data={"payout_accounts": "your connection to the payment provider"},
)
