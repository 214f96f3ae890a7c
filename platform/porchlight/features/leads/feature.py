"""Manifest of the feature `leads`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="leads",
    routers=(
        "porchlight.features.leads.guru_routes:router",
        "porchlight.features.leads.address_routes:router",
    ),
    jobs="porchlight.features.leads.jobs",
    private_pages=("/mail",),
)
