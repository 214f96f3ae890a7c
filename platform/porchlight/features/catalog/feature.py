"""Manifest of the feature `catalog`."""

from __future__ import annotations

from porchlight.features.catalog import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="catalog",
    routers=("porchlight.features.catalog.routes:router",),
    models=(models,),
)
