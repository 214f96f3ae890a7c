"""Manifest of the feature `admin`."""

from __future__ import annotations

from porchlight.features.admin import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="admin",
    routers=(
        "porchlight.features.admin.routes:router",
        "porchlight.features.admin.overview.routes:router",
        "porchlight.features.admin.impersonation.routes:router",
        "porchlight.features.admin.audit.routes:router",
    ),
    models=(models,),
    private_pages=("/admin",),
)
