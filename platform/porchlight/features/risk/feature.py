"""Manifest of the feature `risk`."""

from __future__ import annotations

from porchlight.features.risk import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="risk",
    routers=("porchlight.features.risk.routes:router", "porchlight.features.risk.admin_routes:router"),
    models=(models,),
    erased_tables=frozenset({"risk_reviews"}),
)
