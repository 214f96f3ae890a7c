"""Manifest of the feature `payouts`."""

from __future__ import annotations

from porchlight.features.payouts import models, routes
from porchlight.features.payouts.money import routes as money_routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="payouts",
    routers=(routes.router, money_routes.router),
    models=(models,),
    settlement="porchlight.features.payouts.rules",
    private_pages=("/account",),
    personal_data={
        "payout_accounts": "your connection to the payment provider",
        "payouts": "your payouts",
    },
)
