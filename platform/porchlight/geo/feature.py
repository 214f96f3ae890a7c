"""Manifest of the feature `geo`."""

from __future__ import annotations

from porchlight.geo import routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="geo",
    routers=(routes.router,),
)
