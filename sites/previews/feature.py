"""Manifest of the feature `previews`."""

from __future__ import annotations

from sites.previews import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="previews",
    models=(models,),
)
