"""Manifest of the feature `payouts`."""

from __future__ import annotations

from porchlight.features.payouts import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="payouts",
    routers=("porchlight.features.payouts.routes:router", "porchlight.features.payouts.money.routes:router"),
    models=(models,),
    settlement="porchlight.features.payouts.settlement",
    private_pages=("/account",),
    personal_data={
        "payout_accounts": "your connection to the payment provider",
        "payouts": "your payouts",
    },
)
