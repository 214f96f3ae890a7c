"""Manifest of the feature `sharing`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="sharing",
    routers=("porchlight.features.sharing.guru_routes:router",),
)
