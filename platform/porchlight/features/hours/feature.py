"""Manifest of the feature `hours`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="hours",
    routers=("porchlight.features.hours.guru_routes:router",),
)
