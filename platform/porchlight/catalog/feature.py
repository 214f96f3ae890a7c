"""Manifest of the feature `catalog`."""

from __future__ import annotations

from porchlight.catalog import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="catalog",
    routers=("porchlight.catalog.routes:router",),
    models=(models,),
)
