"""Manifest of the feature `front_page`."""

from __future__ import annotations

from porchlight.features.front_page import routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="front_page",
    routers=(routes.router,),
)
