"""Manifest of the feature `plans`."""

from __future__ import annotations

from porchlight.features.plans import routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="plans",
    routers=(routes.router,),
)
