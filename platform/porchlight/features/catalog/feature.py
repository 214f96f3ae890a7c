"""Manifest of the feature `catalog`."""

from __future__ import annotations

from porchlight.features.catalog import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="catalog",
    routers=(routes.router,),
    models=(models,),
)
