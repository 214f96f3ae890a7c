"""Manifest of the feature `services`."""

from __future__ import annotations

from sites.services import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="services",
    routers=(routes.router,),
    models=(models,),
)
