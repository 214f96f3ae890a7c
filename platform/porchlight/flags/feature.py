"""Manifest of the feature `flags`."""

from __future__ import annotations

from porchlight.flags import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="flags",
    routers=("porchlight.flags.routes:router",),
    models=(models,),
    guru_host_paths=("/api/feature-flags",),
)
