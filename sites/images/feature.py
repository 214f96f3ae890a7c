"""Manifest of the feature `images`."""

from __future__ import annotations

from sites.images import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="images",
    models=(models,),
)
