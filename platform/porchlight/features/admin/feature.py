"""Manifest of the feature `admin`."""

from __future__ import annotations

from porchlight.features.admin import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="admin",
    routers=(routes.router,),
    models=(models,),
    private_pages=("/admin",),
)
