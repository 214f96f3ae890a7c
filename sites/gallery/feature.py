"""Manifest of the feature `gallery`."""

from __future__ import annotations

from sites.gallery import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="gallery",
    models=(models,),
)
