"""Manifest of the feature `exchanges`: sessions that neighbors agree on with each other."""

from __future__ import annotations

from porchlight.features.exchanges import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="exchanges",
    routers=("porchlight.features.exchanges.routes:router", "porchlight.features.exchanges.hours_routes:router"),
    models=(models,),
    jobs="porchlight.features.exchanges.jobs",
    private_pages=("/exchanges",),
    personal_data={"exchanges": "sessions that you asked neighbors for, or that they asked you for"},
)
