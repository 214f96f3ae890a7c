"""Manifest of the feature `flags`."""

from __future__ import annotations

from porchlight.features.flags import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="flags",
    routers=("porchlight.features.flags.routes:router",),
    models=(models,),
    guru_host_paths=("/api/feature-flags",),
)
