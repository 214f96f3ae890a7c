"""Manifest of the package `plans`."""

from __future__ import annotations

from porchlight.plans import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="plans",
    models=(models,),
    jobs="porchlight.plans.jobs",
    personal_data={
        "plan_grants": "plans that you got without paying",
        "subscriptions": "your paid plans",
    },
)
