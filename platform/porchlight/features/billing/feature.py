"""Manifest of the feature `billing`."""

from __future__ import annotations

from porchlight.features.billing import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="billing",
    routers=("porchlight.features.billing.routes:router",),
    models=(models,),
    jobs="porchlight.features.billing.jobs",
    settlement="porchlight.features.billing.settlement.rules",
    personal_data={
        "billing_customers": "your entry as a customer of the payment provider",
        "plan_checkouts": "the plans that you began to buy",
        "plan_changes": "the changes of your plan that you asked for",
        "plan_invoices": "the invoices of your plan",
        "plan_disputes": "the payments for your plan that you disputed at your bank",
        "plan_notices": "when we reminded you of a failed payment",
    },
)
