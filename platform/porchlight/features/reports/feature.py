"""Manifest of the feature `reports`."""

from __future__ import annotations

from porchlight.features.reports import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="reports",
    routers=(
        "porchlight.features.reports.routes:router",
        "porchlight.features.reports.admin_routes:router",
    ),
    models=(models,),
    personal_data={"reports": "reports you made"},
    guru_host_paths=("/api/reports",),
    erased_tables=frozenset({"reports"}),
)
