"""Manifest of the feature `hours`."""

from __future__ import annotations

from sites.hours import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="hours",
    routers=("sites.hours.routes:router",),
    models=(models,),
)
