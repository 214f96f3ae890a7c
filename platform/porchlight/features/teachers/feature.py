"""Manifest of the feature `teachers`."""

from __future__ import annotations

from porchlight.features.teachers import routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="teachers",
    routers=(routes.router,),
)
