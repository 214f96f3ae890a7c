"""Manifest of the feature `risk`."""

from __future__ import annotations

from porchlight.features.risk import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="risk",
    routers=(routes.router,),
    models=(models,),
)
