"""Manifest of the feature `home`."""

from __future__ import annotations

from sites.home import routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="home",
    routers=(routes.router,),
    guru_host_paths=("/api/gurus/",),
)
