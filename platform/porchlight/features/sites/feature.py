"""Manifest of the feature `sites`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="sites",
    routers=(
        "porchlight.features.sites.guru_routes:router",
        "porchlight.features.sites.admin_routes:router",
    ),
    private_pages=("/guru",),
)
