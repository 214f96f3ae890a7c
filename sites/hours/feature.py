"""Manifest of the feature `hours`."""

from __future__ import annotations

from sites.hours import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="hours",
    routers=(routes.router,),
    models=(models,),
)
