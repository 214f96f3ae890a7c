"""Manifest of the feature `flags`."""

from __future__ import annotations

from porchlight.features.flags import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="flags",
    routers=(routes.router,),
    models=(models,),
    guru_host_paths=("/api/feature-flags",),
)
