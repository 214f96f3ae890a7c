"""Manifest of the feature `services`."""

from __future__ import annotations

from sites.services import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="services",
    routers=("sites.services.routes:router",),
    models=(models,),
)
