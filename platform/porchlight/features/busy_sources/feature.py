"""Manifest of the feature `busy_sources`. Its tables are those of `sites.hours`, which free times depend on."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="busy_sources",
    routers=("porchlight.features.busy_sources.guru_routes:router",),
    jobs="porchlight.features.busy_sources.jobs",
)
