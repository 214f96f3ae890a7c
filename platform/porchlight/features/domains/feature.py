"""Manifest of the feature `domains`."""

from __future__ import annotations

from porchlight.features.domains import routes
from tenants.http.feature import Feature

FEATURE = Feature(name="domains", routers=(routes.router,))
