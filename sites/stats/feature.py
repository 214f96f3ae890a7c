"""Manifest of the feature `stats`."""

from __future__ import annotations

from sites.stats import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="stats",
    models=(models,),
)
