"""Manifest of the feature `services`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="services",
    routers=("porchlight.features.services.guru_routes:router",),
)
