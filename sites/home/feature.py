"""Manifest of the feature `home`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="home",
    routers=("sites.home.routes:router",),
    guru_host_paths=("/api/gurus/",),
)
