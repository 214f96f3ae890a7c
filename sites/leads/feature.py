"""Manifest of the feature `leads`."""

from __future__ import annotations

from sites.leads import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="leads",
    routers=(routes.router,),
    models=(models,),
)
